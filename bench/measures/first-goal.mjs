// From the spawn of the process to the first goal of a small file: the wait of an agent that asks at once.
import { Project, place } from '../lib/project.mjs';
import { lean } from '../../tests/support/leans.mjs';
import { Bare, Leanbridge, Peer } from '../lib/sides.mjs';
import { summarise, times } from '../lib/statistics.mjs';

export const onRealLean = true;
export const title = 'spawn → first goal';
export const goal = 'within 5 % + 20 ms of the bare client';

const FILE = 'First.lean';
const TEXT = 'theorem first (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  constructor\n  · exact h.right\n  · exact h.left\n';
const AT = place(TEXT, 'constructor');

async function once(Side) {
  const project = new Project({ [FILE]: TEXT });
  const started = performance.now();
  const side = await Side.start(project);
  const { goals } = await side.goal(FILE, AT);
  const ms = performance.now() - started;
  await side.end();
  if (!String(goals[0]).endsWith('⊢ q ∧ p')) throw new Error(`not that goal: ${JSON.stringify(goals)}`);
  return ms;
}

export async function run({ quick, peer }) {
  const Sides = { leanbridge: Leanbridge, bare: Bare, ...(peer && { peer: Peer }) };
  const rounds = quick ? 2 : lean.kind === 'wasm' ? 5 : 15;
  const samples = Object.fromEntries(Object.keys(Sides).map(key => [key, []]));
  // Alternating, so that other load affects all sides. The first round reads programs from the disk and is not counted.
  for (let round = 0; round <= rounds; round++)
    for (const [key, Side] of Object.entries(Sides)) {
      const ms = await once(Side);
      if (round > 0) samples[key].push(ms);
    }
  const [own, bare] = [summarise(samples.leanbridge), summarise(samples.bare)];
  const other = peer ? summarise(samples.peer) : undefined;
  return {
    lines: [{ what: 'initialize, open, goal', leanbridge: own, bare, peer: other, factor: other && times(other, own), met: own.median <= bare.median * 1.05 + 20 }],
    notes: ['`lake` is the stand-in of fixtures/lake, which starts a Node: the same for all sides.'],
    data: samples,
  };
}

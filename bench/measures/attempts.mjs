// Eight tactics tried in the middle of a file: the first call, which starts the workers for it, and later ones.
import { Project, place } from '../lib/project.mjs';
import { Bare, Leanbridge, Peer } from '../lib/sides.mjs';
import { summarise, times } from '../lib/statistics.mjs';

export const onRealLean = true;
export const title = 'eight attempts in the middle of a file';
export const goal = '≥ 3× faster than the peer';

const FILE = 'Middle.lean';
const proofs = (count, prefix) => Array.from({ length: count }, (_, i) => `theorem ${prefix}${i} (a b c : Nat) (h : a < b) (k : b < c) : a + ${i} < c + ${i} := by\n  omega\n\n`).join('');
const TEXT = `${proofs(20, 'before')}theorem here (p q : Prop) (hp : p) (hq : q) : p ∧ q := by\n  skip\n  exact ⟨hp, hq⟩\n\n${proofs(20, 'after')}`;
const AT = place(TEXT, 'skip');

// Each contains a number, so that no call repeats an earlier attempt.
const snippets = round => [`exact ⟨hp, hq⟩ -- ${round}`, `constructor -- ${round}`, `simp_all -- ${round}`, `trivial -- ${round}`,
  `exact hp -- ${round}`, `apply And.intro hp -- ${round}`, `omega -- ${round}`, `refine ⟨?_, hq⟩ -- ${round}`];

async function attempt(side, round) {
  const started = performance.now();
  const items = await side.attempts(FILE, AT, snippets(round));
  const ms = performance.now() - started;
  if (items.length !== 8 || items[1].goals.length !== 2) throw new Error(`not what was tried: ${JSON.stringify(items).slice(0, 400)}`);
  return ms;
}

export async function run({ quick, peer }) {
  const Sides = { leanbridge: Leanbridge, bare: Bare, ...(peer && { peer: Peer }) };
  const first = {}, later = {};
  const running = {};
  for (const key of Object.keys(Sides)) { first[key] = []; later[key] = []; running[key] = undefined; }
  for (let round = 0; round < (quick ? 1 : 2); round++)
    for (const [key, Side] of Object.entries(Sides)) {
      await running[key]?.end();
      running[key] = await Side.start(new Project({ [FILE]: TEXT }));
      await running[key].messages(FILE);
      first[key].push(await attempt(running[key], 0));
    }
  for (let round = 1; round <= (quick ? 2 : 5); round++)
    for (const [key, side] of Object.entries(running)) later[key].push(await attempt(side, round));
  for (const side of Object.values(running)) await side.end();
  const line = (what, samples) => {
    const own = summarise(samples.leanbridge);
    const other = peer && summarise(samples.peer);
    const factor = peer ? times(other, own) : undefined;
    return { what, leanbridge: own, bare: summarise(samples.bare), peer: other, factor, met: !peer || factor >= 3 };
  };
  return {
    lines: [line('the first call, the file is elaborated', first), line('later calls', later)],
    notes: ['20 theorems before the place and 20 after it, each by `omega`. leanbridge tries in up to 3 scratch documents, each with a worker, that end with the snippet; the peer by default in one that also contains the rest of the file; the bare client in one that ends with the snippet.'],
    data: { first, later },
  };
}

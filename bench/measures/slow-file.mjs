// The goal at line 20 of a long file whose last proof is slow: cold (nothing runs yet), and after an edit in that line.
// The slow proof sleeps, so that it takes the same time on every machine and leaves the processors free.
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { lean } from '../../tests/support/leans.mjs';
import { Project, place, theorems } from '../lib/project.mjs';
import { Bare, Leanbridge, Peer } from '../lib/sides.mjs';
import { formatNumber, summarise, times } from '../lib/statistics.mjs';

export const onRealLean = true;
export const title = 'goal at line 20 of a long slow file';
export const goal = 'within 5 % + 5 ms of the bare client; ≥ 20× faster than the peer';

const FILE = 'Slow.lean';
const MARK = 'rw [h6]';
const named = (spaces = 0) => `theorem here (a b : Nat) (h6 : a = b) : a + 1 = b + 1 := by\n  rw [h6${' '.repeat(spaces)}]\n\n`;
/** Line 20 is the proof of `here`; many steps, each of which can be cancelled. */
function text(seconds) {
  const before = `-- A long file.\n${theorems(6, 'early')}`.split('\n').slice(0, 18).join('\n');
  return `${before}\n${named()}${theorems(300, 'late')}theorem slow : True := by\n${'  sleep 250\n'.repeat(seconds * 4)}  trivial\n`;
}

/** Waits until only the slow proof is left, so that no side competes with another one's work. */
async function settle(side, slowLine) {
  const quiet = side instanceof Bare
    ? () => side.lsp.received.findLast(({ method }) => method === '$/lean/fileProgress')?.params.processing.every(({ range }) => range.start.line + 1 >= slowLine)
    : async () => (await side.mcp.ask('lean_document_state', { file_path: FILE, verbose: true })).value.still_elaborating_lines.every(([first]) => first >= slowLine);
  for (let tries = 0; tries < 3000 && !await quiet(); tries++) await sleep(50);
}

async function timed(work) {
  const started = performance.now();
  const { goals } = await work();
  const ms = performance.now() - started;
  if (goals.length !== 1 || !String(goals[0]).includes('⊢')) throw new Error(`no goal at line 20: ${JSON.stringify(goals)}`);
  return ms;
}

async function cold(Side, seconds, options = {}) {
  const project = new Project({ [FILE]: text(seconds) });
  const side = await Side.start(project, options);
  if (side.mcp) await side.mcp.tools();
  const ms = await timed(() => side.goal(FILE, { line: 20, column: 3 }));
  return { side, project, ms };
}

/** Alternating edits in line 20. A Lean whose worker dies is restarted, at most three times; after that, the side keeps its earlier samples. */
async function editAll(Sides, samples, rounds, seconds, slowLine) {
  const running = {}, died = {};
  const start = async key => {
    running[key] = await cold(Sides[key], seconds);
    if (key !== 'peer') await settle(running[key].side, slowLine);
  };
  for (const key of Object.keys(Sides)) { died[key] = []; await start(key); }
  for (let round = 0; round < rounds.edit; round++)
    for (const key of Object.keys(Sides)) {
      if (died[key].length > 2 || (key === 'peer' && (round >= rounds.editPeer || died.peer.length))) continue;
      const { side, project } = running[key];
      project.replace(FILE, /rw \[h6 *\]/.exec(project.text(FILE))[0], `rw [h6${' '.repeat(round % 5 + 1)}]`);
      try {
        samples[key].push(await timed(() => side.goal(FILE, { line: 20, column: 3 })));
        if (key !== 'peer') await settle(side, slowLine);
      } catch (error) {
        died[key].push(error.message.slice(0, 300));
        await side.end();
        await start(key);
      }
    }
  return { running, died };
}

export async function run({ quick, peer }) {
  const seconds = quick ? 4 : 60;
  if (place(text(1), MARK).line !== 20) throw new Error(`the place is in line ${place(text(1), MARK).line}`);
  const slowLine = place(text(seconds), 'theorem slow').line;
  const Sides = { leanbridge: Leanbridge, bare: Bare, ...(peer && { peer: Peer }) };
  const samples = { cold: {}, edit: {} };
  for (const key of Object.keys(Sides)) { samples.cold[key] = []; samples.edit[key] = []; }
  const threads = os.availableParallelism();
  const ownThreads = [];   // of the bare client, with Lean's default
  const rounds = { cold: quick ? 1 : 5, coldPeer: quick ? 1 : 3, edit: quick ? 3 : 9, editPeer: quick ? 1 : 3 };
  // Alternating, so that other load affects all sides; each runs alone.
  for (let round = 0; round < rounds.cold; round++) {
    const turns = [...Object.entries(Sides).map(([key, Side]) => [samples.cold[key], Side, {}]), [ownThreads, Bare, { threads }]];
    for (const [list, Side, options] of turns) {
      if (Side === Peer && round >= rounds.coldPeer) continue;
      const { side, ms } = await cold(Side, seconds, options);
      list.push(ms);
      await side.end();
    }
  }
  const { running, died } = await editAll(Sides, samples.edit, rounds, seconds, slowLine);
  for (const { side } of Object.values(running)) await side.end();
  const line = (what, of) => {
    const [own, bare] = [summarise(of.leanbridge), summarise(of.bare)];
    const other = of.peer?.length ? summarise(of.peer) : undefined;
    const factor = other && times(other, own);
    return { what, leanbridge: own, bare, peer: other, factor, met: own.median <= bare.median * 1.05 + 5 && (!other || factor >= 20) };
  };
  return {
    lines: [line('cold, from the spawn of `lake serve` on', samples.cold), line('after an edit in line 20', samples.edit)],
    notes: [`The file has ${text(seconds).split('\n').length} lines; its last proof sleeps ${seconds} s. The peer waits for the whole file before it asks for the goal, so the factor is the time of the whole file over that of its beginning: a file twice as slow doubles it.`,
      `leanbridge asks Lean for eight threads at least, so that a tactic which nobody can stop does not hold up its file, and so does the bare client here.${lean.kind === 'wasm' ? ' The WebAssembly Lean loads its program for each.' : ''} With ${threads} threads, Lean's own choice, the bare client took ${formatNumber(summarise(ownThreads).median, 'ms')} cold.`,
      ...Object.entries(died).filter(([, of]) => of.length).map(([key, of]) => `${key}: Lean's worker died after an edit, ${of.length} times; no sample is from there.`)],
    data: { ...samples, ownThreads, died },
  };
}

// An agent works on two files that do not import each other: an edit in one, its goal, an edit in the other, its goal.
import { Project, place, theorems } from '../lib/project.mjs';
import { Bare, Leanbridge, Peer } from '../lib/sides.mjs';
import { summarise, times } from '../lib/statistics.mjs';

export const onRealLean = true;
export const title = 'edits in two unrelated files in turn';
export const goal = 'no restart; ≥ 5× faster than the peer';

const FILES = ['Left.lean', 'Right.lean'];
const text = name => theorems(40, name[0].toLowerCase());

async function prepare(Side) {
  const project = new Project(Object.fromEntries(FILES.map(name => [name, text(name)])));
  const side = await Side.start(project);
  for (const name of FILES) { await side.messages(name); await side.goal(name, place(text(name), 'rw [h]', 20)); }
  return { side, project, workers: side.workers(), ms: [], restarts: 0 };
}

async function step(of, round) {
  const { side, project } = of;
  const name = FILES[round % 2];
  const at = place(text(name), 'rw [h', 20);
  const lines = project.text(name).split('\n');
  lines[at.line - 1] = `  rw [h${' '.repeat(round % 7 + 1)}]`;
  project.write(name, lines.join('\n'));
  const started = performance.now();
  const { goals } = await side.goal(name, at);
  of.ms.push(performance.now() - started);
  if (!String(goals[0]).includes('⊢ a + 19 = b + 19')) throw new Error(`${name}: ${goals[0]}`);
  const now = side.workers();
  of.restarts += now.filter(pid => !of.workers.includes(pid)).length;
  of.workers = now;
}

export async function run({ quick, peer }) {
  const Sides = { leanbridge: Leanbridge, bare: Bare, ...(peer && { peer: Peer }) };
  const running = {};
  for (const [key, Side] of Object.entries(Sides)) running[key] = await prepare(Side);
  for (let round = 0; round < (quick ? 4 : 20); round++) for (const of of Object.values(running)) await step(of, round);
  for (const { side } of Object.values(running)) await side.end();
  const of = key => running[key] && summarise(running[key].ms);
  const factor = peer ? times(of('peer'), of('leanbridge')) : undefined;
  const restarts = key => running[key] && `${running[key].restarts} in ${running[key].ms.length} edits`;
  return {
    lines: [
      { what: 'edit, then the goal there', leanbridge: of('leanbridge'), bare: of('bare'), peer: of('peer'), factor, met: !peer || factor >= 5 },
      { what: 'workers started anew', leanbridge: restarts('leanbridge'), bare: restarts('bare'), peer: restarts('peer'), met: running.leanbridge.restarts === 0 },
    ],
    notes: [],
    data: Object.fromEntries(Object.entries(running).map(([key, { ms, restarts: n }]) => [key, { ms, restarts: n }])),
  };
}

// Memory of everything a server needs: itself, its supervisors, `lake`, Lean's watchdog and its workers.
import { descendants } from '../../tests/support/processes.mjs';
import { memoryOf } from '../lib/proc.mjs';
import { Project, place, theorems } from '../lib/project.mjs';
import { Bare, Leanbridge, Peer } from '../lib/sides.mjs';

export const onRealLean = true;
export const title = 'memory of the whole tree of processes';
export const goal = 'within 5 % + 30 MB of the bare client';

const MB = 2 ** 20;
const FILES = ['A.lean', 'B.lean', 'C.lean', 'D.lean'];
const TEXT = theorems(40, 'm');
const AT = place(TEXT, 'rw [h]', 20);
const SNIPPETS = ['rw [h]', 'simp_all', 'skip'];

/** The role of a process, by its command line; the root is the measured server. */
const partOf = ({ argv, pid }, root) => {
  if (pid === root) return 'server';
  if (argv.includes('--worker')) return 'workers';
  if (argv.includes('--server')) return 'watchdog';
  return argv.some(word => /lake(-small)?$|lake\.mjs$|native\.mjs$/.test(word)) ? 'lake' : 'server';
};

/** {total, parts: {name: bytes}}: proportional set sizes, which divide shared memory among its users. */
function memoryBelow(side, isBare) {
  const root = isBare ? undefined : side.mcp.pid;
  const self = isBare ? { pid: side.lsp.pid, argv: ['lake'] } : { pid: root, argv: [] };
  const parts = {};
  for (const process of [self, ...descendants(self.pid)]) {
    let pss;
    try { pss = memoryOf(process.pid).pss; } catch { continue; }   // ended meanwhile
    const part = partOf(process, root);
    parts[part] = (parts[part] ?? 0) + pss;
  }
  return { total: Object.values(parts).reduce((sum, bytes) => sum + bytes, 0), parts };
}

async function measure(Side) {
  const project = new Project(Object.fromEntries(FILES.map((name, i) => [name, TEXT.replaceAll('theorem m', `theorem m${i}_`)])));
  const side = await Side.start(project);
  const isBare = Side === Bare;
  const states = {};
  for (const [count, what] of [[1, 'one'], [FILES.length, 'all']]) {
    for (const name of FILES.slice(0, count)) { await side.messages(name); await side.goal(name, AT); }
    states[what] = memoryBelow(side, isBare);
  }
  await side.attempts(FILES[0], AT, SNIPPETS);
  states.attempts = memoryBelow(side, isBare);
  await side.end();
  return states;
}

const shown = state => state && `${Math.round(state.total / MB)} MB`;
const parts = state => Object.entries(state.parts).map(([name, bytes]) => `${name} ${Math.round(bytes / MB)}`).join(', ');

export async function run({ peer }) {
  const own = await measure(Leanbridge), bare = await measure(Bare), other = peer ? await measure(Peer) : undefined;
  const line = (what, key) => ({ what, leanbridge: shown(own[key]), bare: shown(bare[key]), peer: shown(other?.[key]), factor: other && other[key].total / own[key].total,
    met: own[key].total <= bare[key].total * 1.05 + 30 * MB });
  return {
    lines: [line('one file of 120 lines, a goal', 'one'), line(`${FILES.length} such files`, 'all'), { ...line(`then ${SNIPPETS.length} attempts in one of them`, 'attempts'), met: undefined }],
    notes: ['Proportional set sizes (PSS): memory shared by several processes is divided among them.',
      ...Object.entries({ leanbridge: own, 'bare LSP client': bare, 'lean-lsp-mcp': other }).filter(([, states]) => states)
        .map(([name, { all }]) => `${name}, ${FILES.length} files, MB: ${parts(all)}.`),
      'leanbridge tries in scratch documents with workers of their own; the bare client and the peer in one more document.'],
    data: { own, bare, other },
  };
}

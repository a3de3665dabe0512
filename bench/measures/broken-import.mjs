// A project of 60 files of which one does not compile: what each tool answers about a file that imports it, and how often the page of
// `leanbridge view` starts Lean while nothing changes.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { binary, cacheFolder, realLake, temporaryFolder } from '../../tests/support/bridge.mjs';
import { Project } from '../lib/project.mjs';
import { Leanbridge } from '../lib/sides.mjs';
import { formatNumber } from '../lib/statistics.mjs';

export const onRealLean = true;
export const title = 'a broken import in a project of 60 files';
export const goal = 'the cause, in at most 1 KB a file; no start of Lean without a change';

const COUNT = 60, BROKEN = 30;
const name = i => `M${String(i).padStart(2, '0')}`;
/** Each imports the one before, and has a warning of a linter. */
const text = i => `${i > 0 ? `import Bench.${name(i - 1)}\n\n` : ''}def value${i} (spare : Nat) : Nat := ${i}\n\n`
  + `theorem value${i}_eq : value${i} 0 = ${i === BROKEN ? i + 1 : i} := by\n  rfl\n`;
const FILE = `Bench/${name(COUNT - 1)}.lean`;
const CALLS = [
  ['lean_goal', { file_path: FILE, line: 6 }],
  ['lean_check', { file_path: FILE, line: 6 }],
  ['lean_diagnostic_messages', { file_path: FILE }],
  ['lean_check_all', { file_path: FILE }],
  ['lean_check_all', { file_path: 'Bench' }],
  ['lean_fill', { file_path: FILE }],
  ['lean_verify', { file_path: FILE }],
  ['lean_hover_info', { file_path: FILE, line: 6, column: 3 }],
  ['lean_multi_attempt', { file_path: FILE, line: 6, snippets: ['rfl', 'simp'] }],
  ['lean_write_proof', { file_path: FILE, start_line: 6, end_line: 6, new_text: '  simp [value59]' }],
];

function project() {
  const made = new Project(Object.fromEntries(Array.from({ length: COUNT }, (_, i) => [`Bench/${name(i)}.lean`, text(i)])));
  fs.writeFileSync(path.join(made.root, 'lakefile.toml'), 'name = "bench"\n\n[[lean_lib]]\nname = "Bench"\nglobs = ["Bench.+"]\n');
  return made;
}

/** A lake that notes its command lines. */
function notingLake() {
  const folder = temporaryFolder('lake'), lake = path.join(folder, 'lake'), list = path.join(folder, 'starts');
  fs.writeFileSync(lake, `#!/bin/sh\necho "$1" >> '${list}'\nexec '${realLake}' "$@"\n`, { mode: 0o755 });
  return { lake, starts: () => (fs.existsSync(list) ? fs.readFileSync(list, 'utf8').split('\n').length - 1 : 0) };
}

/** How often lake is started in a minute in which nothing changes, with a page that stays open. */
async function idleStarts(seconds) {
  const { lake, starts } = notingLake();
  const { root } = project();
  const view = spawn(binary, ['view', '--no-browser', '--project-root', root, '--lake', lake, '--offline', FILE],
    { cwd: root, env: { ...process.env, LEANBRIDGE_CACHE_DIR: cacheFolder() }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [view.stdout, view.stderr]) stream.on('data', data => { said += data; });
  while (!/http:\S+/.test(said)) { if (view.exitCode !== null) throw new Error(said); await sleep(50); }
  const page = http.get(/http:\S+/.exec(said)[0].replace(/[^/]*$/, 'events')).on('error', () => {});
  await sleep(15_000);
  const before = starts();
  await sleep(seconds * 1000);
  const count = starts() - before;
  page.destroy();
  view.kill('SIGTERM');
  await new Promise(resolve => view.once('exit', resolve));
  return { count, before };
}

export async function run({ quick }) {
  const made = project();
  const side = await Leanbridge.start(made);
  const lines = [], data = [];
  for (const [tool, args] of CALLS) {
    const { text: answer } = await side.mcp.call(tool, args);
    const bytes = Buffer.byteLength(answer), told = answer.includes(name(BROKEN));
    data.push({ tool, args, answer });
    lines.push({ what: `\`${tool}\`${args.file_path === 'Bench' ? ', the folder' : ''}`, leanbridge: `${formatNumber(bytes, 'bytes')}${told ? '' : ', without the cause'}`,
      met: told && bytes <= (args.file_path === 'Bench' ? 8000 : 1000) });
  }
  await side.end();
  const { count, before } = await idleStarts(quick ? 10 : 60);
  lines.push({ what: `starts of lake in ${quick ? 10 : 60} s, with a page open (${before} before)`, leanbridge: String(count), met: count === 0 });
  return { lines, notes: ['`LEANBRIDGE_BINARY` names another program to ask.'], data };
}

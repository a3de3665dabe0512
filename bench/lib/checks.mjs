// `leanbridge check` for the benchmarks: items, and when each verdict came.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { binary, cacheFolder, realLake } from '../../tests/support/bridge.mjs';

export const HEADER = 'import Lean.Elab.Tactic\nimport Std.Data.HashMap\n\n';
/** A proof like those that provers write, never the same twice. */
export const body = i => `theorem candidate (a b c : Nat) (h : a < b) (k : b < c) : a + ${i} < c + ${i} := by\n  have step : a < c := Nat.lt_trans h k\n  omega\n`;
export const items = (count, of = body, header = HEADER) => Array.from({ length: count }, (_, i) => ({ id: String(i), header, body: of(i) }));
const asLines = list => list.map(item => `${JSON.stringify(item)}\n`).join('');

/**
 * Checks the items: {times: ms from the start to each verdict, in order; loaded: index of the first
 * verdict of the worker that was the last to load its imports; verdicts; ms}.
 * @param options {jobs, timeoutS, sample(pid, done)}  `sample` is called at each verdict
 */
export function checkAll(project, list, { jobs = 1, timeoutS = 60, sample } = {}) {
  const started = performance.now();
  fs.writeFileSync(project.path('items.jsonl'), asLines(list));
  const child = spawn(binary, ['check', 'items.jsonl', '--jobs', String(jobs), '--timeout', String(timeoutS), '--summary', 'none', '--lake', realLake],
    { cwd: project.root, env: { ...process.env, LEAN_PROJECT_PATH: '', LEANBRIDGE_CACHE_DIR: cacheFolder(), LEANBRIDGE_DUMPABLE: '1' }, stdio: ['ignore', 'pipe', 'pipe'] });
  const times = [], verdicts = {};
  let loaded = 0, loads = 0;
  let rest = '', stderr = '';
  child.stderr.on('data', chunk => { stderr += chunk; });
  child.stdout.setEncoding('utf8').on('data', chunk => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const { id, verdict, header_reused: reused } = JSON.parse(line);
      verdicts[id] = verdict;
      if (!reused && loads++ < jobs) loaded = times.length;
      times.push(performance.now() - started);
      sample?.(child.pid, times.length);
    }
  });
  return new Promise((resolve, reject) => child.once('close', code => {
    if (code !== 0 || times.length !== list.length) reject(new Error(`exit code ${code} after ${times.length} verdicts: ${stderr}`));
    else resolve({ times, loaded, verdicts, ms: performance.now() - started });
  }));
}

/** Milliseconds per item once every worker has loaded the imports: after the verdict with the index `loaded`. */
export const perItem = (times, loaded = 0) => (times.at(-1) - times[loaded]) / (times.length - 1 - loaded);

/** Milliseconds of `lake env lean` for one text. */
export function compileOnce(project, text) {
  project.write('Single.lean', text);
  const started = performance.now();
  const { status, stderr } = spawnSync(realLake, ['env', 'lean', path.join(project.root, 'Single.lean')], { cwd: project.root, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - started;
}

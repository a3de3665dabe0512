// Processes of scripts/mutate: a few at a time, each with a time limit, none left behind.
import { spawn } from 'node:child_process';

const running = new Set();
let stopping = false;

/** Ends everything; nothing is started after it. */
export function stopAll() {
  stopping = true;
  for (const child of running) end(child);
}

// Its whole group: a test has children of its own.
function end(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');   // it has no group any more
  }
}

const LONGEST_OUTPUT = 32 << 20;   // characters

/**
 * {status, signal, output, late}: what it wrote to both streams. `until(output)`: as soon as that holds it is ended, which counts as its own end.
 */
export function run(command, args, { cwd, env, limitMs = 300_000, until } = {}) {
  if (stopping) return Promise.resolve({ status: 1, output: 'stopped', late: false });
  return new Promise(resolve => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    running.add(child);
    let output = '';
    let late = false;
    const timer = setTimeout(() => { late = true; end(child); }, limitMs);
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', chunk => {
      if (output.length < LONGEST_OUTPUT) output += chunk;
      if (until?.(output)) end(child);
    });
    const finish = (status, signal) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ status, signal, output, late });
    };
    child.once('error', error => { output += error.message; finish(127, null); });
    child.once('close', finish);
  });
}

/** The results of work(item), at most `jobs` at a time. */
export async function inParallel(jobs, items, work) {
  const results = [];
  let next = 0;
  const lane = async () => { while (next < items.length) { const i = next++; results[i] = await work(items[i]); } };
  await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, lane));
  return results;
}

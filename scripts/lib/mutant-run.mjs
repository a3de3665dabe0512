// Processes of scripts/mutate: a few at a time, each with a time limit, none left behind.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';

const running = new Set();
let stopping = false;

/** Ends everything; nothing is started afterwards. */
export function stopAll() {
  stopping = true;
  for (const child of running) end(child);
  endLeftovers();
}

// Its whole group: a test has children of its own.
function end(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');   // its group is gone
  }
}

// Processes that a test leaves behind in groups of their own carry this in their environment.
const MARK = `LEANBRIDGE_MUTANT=${process.pid}`;

/** Ends what carries the mark, since a mutant may leave processes behind. */
export function endLeftovers() {
  for (const name of fs.readdirSync('/proc').filter(each => /^\d+$/.test(each) && Number(each) !== process.pid))
    try {
      if (fs.readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(MARK)) process.kill(Number(name), 'SIGKILL');
    } catch { /* it has gone, or is none of ours */ }
}

const LONGEST_OUTPUT = 32 << 20;   // characters

let free = Math.max(1, Math.min(os.availableParallelism(), 8));
const waiting = [];

/** {status, signal, output, late}; `output` has both streams. Runs as many at a time as there are processors; the limit counts from the start. */
export async function run(command, args, options = {}) {
  if (free > 0) free--;
  else await new Promise(resolve => waiting.push(resolve));   // a finished run hands its slot over
  try {
    return stopping ? { status: 1, output: 'stopped', late: false } : await start(command, args, options);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }
}

function start(command, args, { cwd, env, limitMs }) {
  return new Promise(resolve => {
    const child = spawn(command, args, { cwd, env: { ...process.env, LEANBRIDGE_MUTANT: String(process.pid), ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    running.add(child);
    let output = '';
    let late = false;
    const timer = setTimeout(() => { late = true; end(child); }, limitMs);
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', chunk => {
      if (output.length < LONGEST_OUTPUT) output += chunk;
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

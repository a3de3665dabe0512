// What runs, read from /proc.
import fs from 'node:fs';

/** The command lines of all processes: [{pid, argv}] */
export function processes() {
  return fs.readdirSync('/proc').filter(name => /^\d+$/.test(name)).flatMap(pid => {
    try {
      return [{ pid: Number(pid), argv: fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1) }];
    } catch {
      return []; // gone meanwhile
    }
  });
}

/** The pids of the `lean --worker` processes of a document. */
export function workersOf(uri) {
  return processes().filter(({ argv }) => argv.includes('--worker') && argv.at(-1) === uri).map(({ pid }) => pid);
}

/** The pids of the processes that a process started. */
export function childrenOf(parent) {
  return processes().map(({ pid }) => pid).filter(pid => {
    try {
      return Number(/\) \S (\d+)/.exec(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))[1]) === parent;
    } catch {
      return false;
    }
  });
}

export function isAlive(pid) {
  try {
    return !/\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Polls until the condition holds; the interval is the precision of the answer, not a guess of how long it takes. */
export async function until(condition, { deadline = 20_000, what = condition.toString() } = {}) {
  const end = performance.now() + deadline;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > end) throw new Error(`after ${deadline} ms still not: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

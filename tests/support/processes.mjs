// Process trees through /proc: which processes descend from one, and whether they are gone.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const textOf = (pid, file) => fs.readFileSync(`/proc/${pid}/${file}`, 'utf8');

/**
 * {pid, ppid, start, state, argv, command} of a live process, or undefined. `start` tells a reused pid from the old one. `argv` is read when
 * asked for, and empty once the process is gone: most that is looked at is another's.
 */
export function inspect(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      pid: Number(pid), state: fields[0], ppid: Number(fields[1]), start: fields[19],
      get argv() { try { return textOf(pid, 'cmdline').split('\0').slice(0, -1); } catch { return []; } },
      get command() { return this.argv.join(' '); },
    };
  } catch {
    return undefined;
  }
}

export const processes = () => fs.readdirSync('/proc').filter(name => /^\d+$/.test(name)).map(inspect).filter(Boolean);

/** Every live descendant of `pid`, nearest first; sessions and process groups do not matter. */
export function descendants(pid) {
  const running = processes();
  const found = [];
  for (let parents = [pid]; parents.length;) {
    const children = running.filter(process => parents.includes(process.ppid) && process.state !== 'Z');
    found.push(...children);
    parents = children.map(child => child.pid);
  }
  return found;
}

export const childrenOf = parent => processes().filter(({ ppid }) => ppid === parent).map(({ pid }) => pid);

export const isAlive = pid => { const now = inspect(pid); return now !== undefined && now.state !== 'Z'; };

/** The pids of the `lean --worker` processes of a document. */
export const workersOf = uri => processes().filter(({ argv }) => argv.includes('--worker') && argv.at(-1) === uri).map(({ pid }) => pid);

/** Processes whose environment contains KEY=VALUE, anywhere in the tree. */
export function withEnvironment(key, value) {
  return processes().filter(process => {
    try {
      return process.state !== 'Z' && textOf(process.pid, 'environ').split('\0').includes(`${key}=${value}`);
    } catch {
      return false;
    }
  });
}

export const survivors = processes => processes.filter(({ pid, start }) => {
  const now = inspect(pid);
  return now && now.start === start && now.state !== 'Z';
});

/** Resolves when none of the given processes is left; fails naming those that are. */
export async function assertGone(processes, timeoutMs, what = 'after the bridge ended') {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const left = survivors(processes);
    if (left.length === 0) return;
    if (performance.now() > deadline) {
      for (const { pid } of left) try { process.kill(pid, 'SIGKILL'); } catch { /* gone meanwhile */ }
      assert.fail(`${left.length} process(es) left ${timeoutMs} ms ${what}: ${left.map(({ pid, command }) => `${pid} ${command.slice(0, 120)}`).join('; ')}`);
    }
    await sleep(20);
  }
}

/** Resolves with the first truthy value of `probe`; for facts that only the outside world can tell (a pid in /proc). */
export async function eventually(probe, timeoutMs, what) {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (performance.now() > deadline) assert.fail(`not within ${timeoutMs} ms: ${what}`);
    await sleep(20);
  }
}

/**
 * Resolves when `attempt` has taken less than `limitMs`, as it says itself. A busy machine may delay one attempt; what is too slow delays each.
 */
export async function takesLessThan(limitMs, attempt, tries = 5) {
  const times = [];
  while (times.length < tries) {
    times.push(Math.round(await attempt()));
    if (times.at(-1) < limitMs) return;
  }
  assert.fail(`never less than ${limitMs} ms: ${times.join(', ')} ms`);
}

/** The same as eventually(), with named options. */
export const until = (condition, { deadline = 20_000, what = condition.toString() } = {}) => eventually(condition, deadline, what);

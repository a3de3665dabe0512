// A process's memory and processor time, according to Linux.
import fs from 'node:fs';
import { descendants } from '../../tests/support/processes.mjs';

/** {rss, pss} in bytes. */
export function memoryOf(pid) {
  const text = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const field = name => Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)[1]) * 1024;
  return { rss: field('Rss'), pss: field('Pss') };
}

/** Milliseconds of processor time of a process and all that descend from it now, with the threads that have ended. */
export const treeMs = pid => [pid, ...descendants(pid).map(one => one.pid)].reduce((sum, one) => sum + coarseMs(one), 0);

/** The same, and of what has ended meanwhile. */
export const wholeMs = pid => [pid, ...descendants(pid).map(one => one.pid)].reduce((sum, one) => sum + coarseMs(one) + endedMs(one), 0);

/** Milliseconds of processor time of all current threads; exact if the kernel counts nanoseconds. */
export function processorMs(pid) {
  let total = 0;
  for (const task of fs.readdirSync(`/proc/${pid}/task`)) {
    try {
      total += Number(fs.readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    } catch {
      if (fs.existsSync(`/proc/${pid}/task/${task}`)) return coarseMs(pid);
    }
  }
  return total;
}

const ticks = (pid, ...fields) => {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.reduce((sum, field) => sum + Number(values[field]), 0) * 10;   // clock ticks of 1/100 s
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return 0;   // it has just ended
    throw error;
  }
};
const coarseMs = pid => ticks(pid, 11, 12);
const endedMs = pid => ticks(pid, 13, 14);   // its children that it has waited for

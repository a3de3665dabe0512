// Ten thousand candidates: the memory of the bridge, and its processor time, as their number grows.
import fs from 'node:fs';
import { checkAll, items } from '../lib/checks.mjs';
import { processorMs } from '../lib/proc.mjs';
import { Project } from '../lib/project.mjs';
import { formatNumber } from '../lib/statistics.mjs';

export const onRealLean = true;
export const title = 'ten thousand candidates: growth';
export const goal = 'memory flat within 5 MB; processor time linear (exponent ≤ 1.02)';

/** Anonymous memory, in bytes: what the bridge itself holds. */
const anonymous = pid => Number(/RssAnon:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;
// Without imports the bridge's own share is largest.
const list = count => items(count).map(item => ({ ...item, header: '' }));

export async function run({ quick }) {
  const count = quick ? 1000 : 10_000;
  const seen = [];
  const every = Math.floor(count / 20);
  await checkAll(new Project(), list(count), { sample: (pid, done) => { if (done % every === 0) seen.push({ done, bytes: anonymous(pid), processor: processorMs(pid) }); } });
  const at = share => seen.find(({ done }) => done >= count * share);
  const warm = at(0.1), quarter = at(0.25), all = seen.at(-1);
  const grown = all.bytes - warm.bytes;
  const exponent = Math.log(all.processor / quarter.processor) / Math.log(all.done / quarter.done);
  return {
    lines: [
      { what: `anonymous memory after ${warm.done.toLocaleString('en')} candidates`, leanbridge: formatNumber(warm.bytes / 2 ** 20, 'MB') },
      { what: `… after ${all.done.toLocaleString('en')}`, leanbridge: formatNumber(all.bytes / 2 ** 20, 'MB'), met: grown < 5 * 2 ** 20 },
      { what: 'processor time of the bridge for each', leanbridge: formatNumber(all.processor / all.done, 'ms') },
      { what: `exponent of its processor time, ${quarter.done.toLocaleString('en')} to ${all.done.toLocaleString('en')} candidates`, leanbridge: exponent.toFixed(3), met: exponent <= 1.02 },
    ],
    notes: ['One worker, no imports. Lean itself does not count.'],
    data: { seen },
  };
}

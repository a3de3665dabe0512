// What a header costs: loading it once, a candidate below it, a process for each candidate, and a worker's memory. docs/scale.md has the table.
import { checkAll, compileOnce, body } from '../lib/checks.mjs';
import { memoryOf } from '../lib/proc.mjs';
import { Project } from '../lib/project.mjs';
import { formatNumber, quantile } from '../lib/statistics.mjs';
import { descendants } from '../../tests/support/processes.mjs';

export const onRealLean = true;
export const leans = ['native', 'wasm'];
export const title = 'candidates below a header: what it costs';
export const goal = 'none; the figures of docs/scale.md';

const FIRST = 'import Init.Data.List.Lemmas\n\n';   // pays for starting Lean's server
const HEADERS = [['Init alone', ''], ['`import Std.Data.HashMap`', 'import Std.Data.HashMap\n\n'], ['`import Lean`', 'import Lean\n\n']];
const median = values => quantile([...values].sort((a, b) => a - b), 0.5);

export async function run({ quick }) {
  const count = quick ? 5 : 20;
  const list = [{ id: 'first', header: FIRST, body: body(0) }, ...HEADERS.flatMap(([, header], h) => Array.from({ length: count }, (_, i) => ({ id: `${h}-${i}`, header, body: body(i) })))];
  const memory = [];
  const sample = (pid, done) => {
    if ((done - 1) % count !== Math.floor(count / 2)) return;
    const workers = descendants(pid).filter(({ argv }) => argv.includes('--worker'));
    memory[Math.floor((done - 1) / count)] = workers.map(worker => memoryOf(worker.pid)).sort((a, b) => b.rss - a.rss)[0];
  };
  const { times } = await checkAll(new Project(), list, { sample });
  const project = new Project();
  const costs = HEADERS.map(([what, header], h) => {
    const at = 1 + h * count;
    const item = median(Array.from({ length: count - 1 }, (_, i) => times[at + 1 + i] - times[at + i]));
    const single = median(Array.from({ length: quick ? 1 : 2 }, (_, i) => compileOnce(project, header + body(i))));
    return { what, load: times[at] - times[at - 1] - item, item, single, memory: memory[h] };
  });
  return {
    lines: costs.flatMap(({ what, load, item, single, memory: used }) => [
      { what: `${what}: loading it`, leanbridge: formatNumber(load, 'ms') },
      { what: '… a candidate', leanbridge: formatNumber(item, 'ms') },
      { what: '… a candidate with `lake env lean`', leanbridge: formatNumber(single, 'ms') },
      { what: '… memory of a worker (resident; its share of it)', leanbridge: used ? `${formatNumber(used.rss / 2 ** 20, 'MB')}; ${formatNumber(used.pss / 2 ** 20, 'MB')}` : '—' },
    ]),
    notes: [],
    data: { costs },
  };
}

const minutes = ms => (ms < 60_000 ? formatNumber(ms, 'ms') : ms < 3_600_000 ? `${(ms / 60_000).toFixed(1)} min` : `${(ms / 3_600_000).toFixed(1)} h`);
/** The table of docs/scale.md, from the results of this row on each Lean. */
export const costTable = rows => [
  '| Lean | header | `L` | `t` | 1,000: one process per file | 1,000: `check` | memory of a worker |', '|---|---|---|---|---|---|---|',
  ...rows.flatMap(({ lean, data }) => data.costs.map(({ what, load, item, single, memory }) =>
    `| ${lean.kind} | ${what} | ${formatNumber(load, 'ms')} | ${formatNumber(item, 'ms')} | ${minutes(1000 * single)} | ${minutes(load + 1000 * item)} | ${memory ? formatNumber(memory.rss / 2 ** 20, 'MB') : '—'} |`)),
  '', `\`scripts/bench check-cost --write\`, ${rows[0].date} UTC, ${rows[0].machine}; load before ${rows.map(({ load }) => load).join(' and ')}.`,
].join('\n');

// scripts/ranking --mathlib DIR: how well the local index ranks a Mathlib, by the tables that it brings along (docs/search.md).
import { performance } from 'node:perf_hooks';
import { realLake, runBinary, spawnBridge } from '../../tests/support/bridge.mjs';
import { readTables } from './mathlib-tables.mjs';

const PLACES = [1, 5, 10, 20];

const median = numbers => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;

/** The rank of the first expected name, from 1 (0: not among the first 20), the first names found, and the milliseconds. */
async function ask(client, { query, names }) {
  const begun = performance.now();
  const answer = await client.call('lean_theorem_search', { query, sources: ['local'], limit: 20 });
  if (!answer.structured) throw new Error(`${query}: ${JSON.stringify(answer.error)}`);
  const found = answer.structured.results.map(({ name }) => name);
  return { rank: found.findIndex(name => names.includes(name)) + 1, found: found.slice(0, 3), ms: performance.now() - begun };
}

function row(name, some) {
  const share = place => some.filter(({ rank }) => rank > 0 && rank <= place).length / some.length;
  return `| ${[name, some.length, ...PLACES.map(place => share(place).toFixed(2)), Math.round(median(some.map(({ ms }) => ms)))].join(' | ')} |`;
}

/** Prints the table, and with `misses` what is not among the first five. */
export async function rankMathlib(folder, { misses = false } = {}) {
  const built = await runBinary(['index', 'build', '--lake', realLake], { cwd: folder, timeoutMs: 1_800_000 });
  // Only the project is asked for: its toolchain may be missing here.
  if (!/^project +ready/m.test(built.stdout + built.stderr)) throw new Error(built.stderr);
  const client = spawnBridge({ project: folder, lake: realLake, args: ['--offline'] });
  await client.connect();
  await client.listTools();
  const known = new Set();
  const entries = readTables(folder);
  const names = [...new Set(entries.flatMap(entry => entry.names))];
  for (const name of names) {
    const { structured } = await client.call('lean_theorem_search', { query: name, sources: ['local'], limit: 1 });
    if (structured.results[0]?.name === name) known.add(name);
  }
  const ranked = [];
  for (const entry of entries) ranked.push({ ...entry, ...await ask(client, entry) });
  await client.close();
  const here = ranked.filter(({ names: some }) => some.some(name => known.has(name)));
  console.log(['| table | entries | recall@1 | @5 | @10 | @20 | median ms |', '|---|---|---|---|---|---|---|',
    ...['100', '1000', 'undergrad', 'overview'].map(table => row(table, ranked.filter(one => one.table === table))),
    row('all', ranked), row('all, declared in this index', here)].join('\n'));
  if (misses)
    for (const { table, query, names: some, rank, found } of ranked.filter(one => !(one.rank > 0 && one.rank <= 5)))
      console.log(`${rank || '-'}\t${table}\t${query}\t${some.join(' ')}${some.some(name => known.has(name)) ? '' : ' (not in the index)'}\t${found.join(' ')}`);
}

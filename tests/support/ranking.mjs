// How good the first results of a search are, over the queries of fixtures/search/ranking.json (docs/search.md): those that ranking was tuned
// on; those that were written before anybody looked, though later changes had seen their results (`held_out`); and those that are only
// reported, so that nothing can be tuned on them (`fresh`).
import fs from 'node:fs';
import { fixture } from './bridge.mjs';

export const KINDS = ['name', 'misspelt', 'words', 'pattern', 'statement', 'goal'];
export const SETS = ['tuned', 'held out', 'fresh'];
export const setOf = ({ held_out: held, fresh }) => (fresh ? 'fresh' : held ? 'held out' : 'tuned');
export const queries = () => JSON.parse(fs.readFileSync(fixture('search', 'ranking.json'), 'utf8'));

/** The rank of the first expected name in the answer of lean_theorem_search, from 1; 0: not among the first 20. Asks the local index alone. */
export async function rankOf(client, { query, expect }) {
  const answer = await client.call('lean_theorem_search', { query, sources: ['local'], limit: 20 });
  if (!answer.structured) throw new Error(`${query}: ${JSON.stringify(answer.error)}`);
  return answer.structured.results.findIndex(({ name }) => expect.includes(name)) + 1;
}

/** @returns [{kind, query, expect, rank, held_out or fresh}] */
export async function rankAll(client, asked = queries()) {
  const ranked = [];
  for (const one of asked) ranked.push({ ...one, rank: await rankOf(client, one) });
  return ranked;
}

/** The share within the first 1, 3 and 5, and the mean reciprocal rank. */
export function scoresOf(ranked) {
  const share = within => ranked.filter(({ rank }) => rank > 0 && rank <= within).length / ranked.length;
  return { count: ranked.length, recall1: share(1), recall3: share(3), recall5: share(5), mean: ranked.reduce((sum, { rank }) => sum + (rank ? 1 / rank : 0), 0) / ranked.length };
}

/** A table by kind, as in docs/search.md. */
export function tableOf(ranked) {
  const row = (name, some) => {
    if (!some.length) return [];
    const { count, recall1, recall3, recall5, mean } = scoresOf(some);
    return [`| ${[name, count, ...[recall1, recall3, recall5, mean].map(value => value.toFixed(2))].join(' | ')} |`];
  };
  const name = (what, set) => (set === 'tuned' ? what : `${what}, ${set}`);
  const rows = KINDS.flatMap(kind => SETS.flatMap(set => row(name(kind, set), ranked.filter(one => one.kind === kind && setOf(one) === set))));
  const sums = SETS.slice(1).flatMap(set => row(name('all', set), ranked.filter(one => setOf(one) === set)));
  return ['| kind | queries | recall@1 | recall@3 | recall@5 | mean reciprocal rank |', '|---|---|---|---|---|---|', ...rows, ...sums, ...row('all', ranked)].join('\n');
}

/** The text of docs/search.md with this table. */
export function withTable(text, table) {
  const [begin, end] = ['<!-- ranking: written by scripts/ranking --write -->', '<!-- end of ranking -->'];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/search.md has lost its marks "${begin}" and "${end}"`);
  return `${text.slice(0, from)}${begin}\n\n${table}\n\n${text.slice(to)}`;
}

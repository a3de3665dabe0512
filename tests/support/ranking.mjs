// How good the first results of a search are, over the queries of fixtures/search/ranking.json: those that ranking was tuned on, and those
// that were written before anybody looked (`held_out`).
import fs from 'node:fs';
import { fixture } from './bridge.mjs';

export const KINDS = ['name', 'misspelt', 'words', 'pattern', 'statement', 'goal'];
export const queries = () => JSON.parse(fs.readFileSync(fixture('search', 'ranking.json'), 'utf8'));

/** The rank of the first expected name in the answer of lean_theorem_search, from 1; 0: not among the first 20. Asks the local index alone. */
export async function rankOf(client, { query, expect }) {
  const answer = await client.call('lean_theorem_search', { query, sources: ['local'], limit: 20 });
  if (!answer.structured) throw new Error(`${query}: ${JSON.stringify(answer.error)}`);
  return answer.structured.results.findIndex(({ name }) => expect.includes(name)) + 1;
}

/** @returns [{kind, held_out, query, expect, rank}] */
export async function rankAll(client, asked = queries()) {
  const ranked = [];
  for (const one of asked) ranked.push({ held_out: false, ...one, rank: await rankOf(client, one) });
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
  const rows = KINDS.flatMap(kind => [false, true].flatMap(held => row(held ? `${kind}, held out` : kind, ranked.filter(one => one.kind === kind && Boolean(one.held_out) === held))));
  return ['| kind | queries | recall@1 | recall@3 | recall@5 | mean reciprocal rank |', '|---|---|---|---|---|---|', ...rows, ...row('all, held out', ranked.filter(one => one.held_out)), ...row('all', ranked)].join('\n');
}

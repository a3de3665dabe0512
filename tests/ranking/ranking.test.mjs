// How well the local index ranks what provers type, on the library of the real Lean. It depends on the sources of the search alone, so
// scripts/test runs it after a change of them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { copyProject, isSanitized, realLake, shareIndex, spawnBridge } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { queries, rankAll, scoresOf, setOf, tableOf } from '../support/ranking.mjs';
import { skip } from '../support/session.mjs';

// A sanitizer makes reading a library ten times slower.
const timeout = isSanitized() ? 900_000 : 180_000;
// Below what was measured on this library.
const MARGIN = 0.02;
shareIndex();

describe('ranking', { skip }, () => {
  let client;
  before(async () => {
    client = spawnBridge({ project: copyProject('multi'), lake: realLake, args: ['--offline'] });
    await client.connect();
    await client.listTools();
    const deadline = performance.now() + timeout;
    while ((await client.call('lean_local_search', { query: 'Nat.add_comm' }, { timeoutMs: timeout })).structured?.index !== 'consulted')
      assert.ok(performance.now() < deadline, 'the index is built');
  }, { timeout });
  after(async () => { try { await client?.close(); } finally { await client?.destroy(); } }, { timeout });

  test('ranking by kind of query: those for which there is a bar', { timeout }, async t => {
    const all = queries();
    assert.equal(all.length, 375);
    assert.deepEqual(['held out', 'fresh'].map(set => all.filter(one => setOf(one) === set).length), [150, 75]);
    const judged = all.filter(one => ['pattern', 'statement', 'misspelt'].includes(one.kind) && setOf(one) !== 'fresh');   // scripts/ranking reports the others
    const ranked = await rankAll(client, judged);
    t.diagnostic(`\n${tableOf(ranked)}`);
    if (!lean.ranking) return t.diagnostic('another library than those it was measured on: only reported');
    const of = (...kinds) => scoresOf(ranked.filter(one => kinds.includes(one.kind)));
    assert.ok(of('pattern', 'statement').recall5 >= 0.95, 'patterns and statements');
    assert.ok(of('misspelt').recall3 >= 0.95, 'misspelt names');
  });
  test('ranking of names and words: queries that a prover types', { timeout }, async t => {
    const asked = queries().filter(one => setOf(one) === 'tuned' && ['name', 'misspelt', 'words'].includes(one.kind));
    let sum = 0;
    const missed = [];
    for (const { query, expect } of asked) {
      const { items, similar = [] } = (await client.call('lean_local_search', { query, limit: 20 })).structured;
      const rank = [...items.map(item => item.name), ...similar].findIndex(name => expect.includes(name)) + 1;
      sum += rank ? 1 / rank : 0;
      if (!rank) missed.push(query);
    }
    const mean = sum / asked.length;
    t.diagnostic(`mean reciprocal rank ${mean.toFixed(4)} over ${asked.length} queries; not among the first 20: ${missed.join('; ')}`);
    if (!lean.ranking) return t.diagnostic('another library than those it was measured on: only reported');
    assert.ok(mean >= lean.ranking - MARGIN, `${mean}`);
  });
});

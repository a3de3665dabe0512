// Eight clients of one project that edit, ask and try at once, some of which are killed: no answer is wrong, old, or another client's
// (bench/measures/foreign.mjs, there with 10,000 answers). On a scripted Lean.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bad, playMany } from '../../bench/measures/foreign.mjs';
import { Served, Shared } from '../../bench/lib/clients.mjs';

const TOTAL = Number(process.env.LEANBRIDGE_CLIENT_ANSWERS ?? 600);

describe('eight clients of one project', () => {
  for (const Way of [Shared, Served])
    test(`${Way.title}: no answer is wrong, old, or another client's`, { timeout: 60_000 + TOTAL * 200 }, async () => {
      const played = await playMany(Way, { total: TOTAL, seed: 3 });
      assert.equal(bad(played), 0, JSON.stringify(played.examples, undefined, 1));
      assert.ok(played.right > 0.9 * (played.answers - played.killed), JSON.stringify(played));
      assert.ok(played.kills >= Math.floor(TOTAL / 300), 'clients were killed');
    });
});

// An agent's work on a real Lean with kills, edits and cancellations, for a while: every answer right, nothing kept.
// scripts/soak does it for longer.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lean } from '../support/leans.mjs';
import { skip } from '../support/session.mjs';
import { soak } from '../support/soak.mjs';

// A long one is for what grows in leanbridge: one Lean is enough for that, and the fast one makes more calls of it.
const seconds = Number((lean.kind !== 'wasm' && process.env.LEANBRIDGE_SOAK_SECONDS) || lean.soakS);
const seed = Number(process.env.LEANBRIDGE_SOAK_SEED || Date.now() % 1e9);

describe('soak', { skip }, () => {
  test('every call is answered, every answer is right, and nothing grows', { timeout: seconds * 1000 + 900_000 }, async t => {
    const { report, failures, wrong, counts } = await soak({ seconds, seed });
    t.diagnostic(report);
    assert.deepEqual([...failures, ...wrong], [], report);
    for (const happened of ['worker killed', 'watchdog killed', 'file appears', 'file vanishes', 'cancelled', 'edited', 'answer'])
      assert.ok(counts.get(happened) > 0, `${happened} has happened`);
  });
});

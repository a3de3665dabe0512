// An agent's work on a real Lean for a while, with kills, edits and cancellations: every answer right, nothing leaked.
// scripts/soak does it for longer.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lean } from '../support/leans.mjs';
import { skip } from '../support/session.mjs';
import { soak } from '../support/soak.mjs';

// A long run is about growth in leanbridge: one Lean is enough for that, and the fast one allows more calls.
const seconds = Number((lean.kind !== 'wasm' && process.env.LEANBRIDGE_SOAK_SECONDS) || lean.soakS);
const seed = Number(process.env.LEANBRIDGE_SOAK_SEED || Date.now() % 1e9);

// A short run goes over HTTP alone, which has what stdio has, and sessions that end.
const ways = process.env.LEANBRIDGE_SOAK_SECONDS ? [false, true] : [true];

describe('soak', { skip }, () => {
  for (const http of ways)
    test(`every call is answered, every answer is right, and nothing grows${http ? ', over HTTP' : ''}`, { timeout: seconds * 1000 + 900_000 }, async t => {
      const { report, failures, wrong, counts } = await soak({ seconds, seed, http });
      t.diagnostic(report);
      assert.deepEqual([...failures, ...wrong], [], report);
      for (const happened of ['worker killed', 'watchdog killed', 'file appears', 'file vanishes', 'cancelled', 'edited', 'answer', ...(http ? ['session ended', 'asked again'] : [])])
        assert.ok(counts.get(happened) > 0, `${happened} has happened`);
    });
});

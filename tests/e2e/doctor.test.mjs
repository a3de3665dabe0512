// `leanbridge doctor` on a real Lean. cli.test.mjs covers what it says when something is missing.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { copyProject, realLake, runBinary } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { skip, timeout } from '../support/session.mjs';

describe('doctor', { skip }, () => {
  test('a real Lean: everything is there', { timeout }, async () => {
    const { code, stdout } = await runBinary(['doctor', '--lake', realLake], { cwd: copyProject('basics'), timeoutMs: lean.callMs });
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^ok {4}lean .*checked a proof in/m);
    assert.doesNotMatch(stdout, /ELAN_TOOLCHAIN/);
  });
  test('a toolchain that the shell names is not used, and that is said', { timeout }, async () => {
    const { stdout } = await runBinary(['doctor', '--lake', realLake], { cwd: copyProject('basics'), timeoutMs: lean.callMs, env: { ELAN_TOOLCHAIN: 'leanprover/lean4:v4.1.0' } });
    assert.match(stdout, /^warn {2}toolchain .*ELAN_TOOLCHAIN=leanprover\/lean4:v4\.1\.0 is not used/m);
  });
});

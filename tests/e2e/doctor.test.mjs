// `leanbridge doctor` on a real Lean. cli.test.mjs covers what it says when something is missing.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
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
  test('a lakefile that does not load: what Lake says of it', { timeout }, async () => {
    const cwd = copyProject('basics');
    for (const name of ['lakefile.toml', 'lakefile.lean']) fs.rmSync(path.join(cwd, name), { force: true });
    fs.writeFileSync(path.join(cwd, 'lakefile.toml'), 'name = "basics"\nsomething is wrong\n');
    const { code, stdout } = await runBinary(['doctor', '--lake', realLake], { cwd, timeoutMs: lean.callMs });
    assert.equal(code, 1, stdout);
    assert.match(stdout, /^FAIL {2}lean .*could not load the project.*lakefile\.toml:2/m);
    assert.doesNotMatch(stdout, /:$/m);
  });
  test('a toolchain that the shell names is not used, and that is said', { timeout }, async () => {
    const { stdout } = await runBinary(['doctor', '--lake', realLake], { cwd: copyProject('basics'), timeoutMs: lean.callMs, env: { ELAN_TOOLCHAIN: 'leanprover/lean4:v4.1.0' } });
    assert.match(stdout, /^warn {2}toolchain .*ELAN_TOOLCHAIN=leanprover\/lean4:v4\.1\.0 is not used/m);
  });
});

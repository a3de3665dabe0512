// The compiler fallback with a real compiler. fixtures/transcripts/compiler.txt has its answers with a scripted one.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { realLake, scratchProject, temporaryFolder, withBridge } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { skip, timeout } from '../support/session.mjs';

describe('the real compiler', { skip }, () => {
  test('errors, a sorry and an import that is missing', { timeout }, async () => {
    const lake = path.join(temporaryFolder('lake'), 'lake');
    fs.writeFileSync(lake, `#!/bin/sh\n[ "$1" = serve ] && exit 3\nexec '${realLake}' "$@"\n`, { mode: 0o755 });
    const files = { 'A.lean': 'theorem a : 1 = 2 := by\n  rfl\n\ntheorem b (n : Nat) : n + 0 = n := by\n  skip\n\nexample : False := sorry\n', 'B.lean': 'import Nowhere.X\n#check 1\n', 'C.lean': 'theorem c : True := trivial\n' };
    await withBridge({ project: scratchProject(files), lake }, async client => {
      const ask = async file_path => (await client.call('lean_check_all', { file_path }, { timeoutMs: lean.callMs })).structured;
      const answer = await ask('A.lean');
      assert.deepEqual(answer.items.map(item => [item.severity, item.line, item.column]), [['error', 2, 3], ['error', 4, 36], ['warning', 7, 1]], JSON.stringify(answer));
      assert.deepEqual([answer.error_count, answer.sorry_count, answer.fallback_for], [2, 1, 'lean_server']);
      assert.deepEqual(answer.items[1].lean_tags, ['unsolvedGoals']);
      const missing = await ask('B.lean');
      assert.deepEqual([missing.success, missing.error_count], [false, 1]);
      assert.match(missing.fallback.hint, /lean_build/);
      assert.equal((await ask('C.lean')).success, true);
    });
  });
  test('what the same file imports again and again is imported once', { timeout, skip: lean.kind === 'wasm' && 'this Lean saves no state' }, async () => {
    const lake = path.join(temporaryFolder('lake'), 'lake'), states = temporaryFolder('states');
    fs.writeFileSync(lake, `#!/bin/sh\n[ "$1" = serve ] && exit 3\nexec '${realLake}' "$@"\n`, { mode: 0o755 });
    const saved = () => fs.readdirSync(states).filter(name => fs.existsSync(path.join(states, name, 'state')));
    await withBridge({ project: scratchProject({ 'A.lean': 'theorem a : 1 = 2 := by\n  rfl\n' }), lake, env: { TMPDIR: states } }, async client => {
      const errors = async () => (await client.call('lean_check_all', { file_path: 'A.lean' }, { timeoutMs: lean.callMs })).structured.items.map(({ line, column }) => [line, column]);
      assert.deepEqual(await errors(), [[2, 3]]);
      assert.deepEqual(saved(), []);
      for (let again = 0; again < 3; ++again) assert.deepEqual(await errors(), [[2, 3]]);
      assert.equal(saved().length, 1);
    });
  });
  test('the compiler has the options of the lakefile', { timeout }, async () => {
    const lake = path.join(temporaryFolder('lake'), 'lake');
    fs.writeFileSync(lake, `#!/bin/sh\n[ "$1" = serve ] && exit 3\nexec '${realLake}' "$@"\n`, { mode: 0o755 });
    await withBridge({ project: scratchProject({
      'lakefile.toml': 'name = "p"\n[leanOptions]\nautoImplicit = false\n', 'A.lean': 'theorem foo (x : α) : x = x := rfl\n',
    }), lake }, async client => {
      const answer = (await client.call('lean_check_all', { file_path: 'A.lean' }, { timeoutMs: lean.callMs })).structured;
      assert.deepEqual([answer.success, answer.fallback_for], [false, 'lean_server'], JSON.stringify(answer));
    });
  });
});

// What README.md shows first: the session of scripts/demo.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { binary, realLake, root } from '../support/bridge.mjs';

test('the session of scripts/demo ends well', { timeout: 300_000 }, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts/lib/demo.mjs'), binary, realLake], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /→ lean_check_all[^]*state: proved[^]*The whole session took/);
});

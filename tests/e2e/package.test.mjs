// scripts/package: the same bytes every time, and what is in them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { root, temporaryFolder } from '../support/bridge.mjs';

const timeout = 60_000;
const built = fs.existsSync(path.join(root, 'build/release/leanbridge'));

describe('scripts/package', () => {
  const pack = env => {
    const folder = temporaryFolder('dist');
    execFileSync(path.join(root, 'scripts/package'), ['--no-build', '--into', folder], { env: { ...process.env, ...env }, stdio: 'pipe' });
    return folder;
  };
  test('the same bytes whenever and wherever it is made: the program, its licence, and sums that are right', { timeout, skip: !built && 'needs build/release' }, () => {
    const folder = pack({ TZ: 'Asia/Tokyo', LC_ALL: 'C' });
    const sums = fs.readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8');
    assert.equal(fs.readFileSync(path.join(pack({ TZ: 'UTC', LC_ALL: 'C.UTF-8' }), 'SHA256SUMS'), 'utf8'), sums);
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder, stdio: 'pipe' });
    const [archive] = fs.readdirSync(folder).filter(name => name.endsWith('.tar.gz'));
    assert.match(sums, new RegExp(`  ${archive}\n$`));
    execFileSync('tar', ['xzf', archive], { cwd: folder });
    const unpacked = path.join(folder, archive.replace('.tar.gz', ''));
    const said = execFileSync(path.join(unpacked, 'bin/leanbridge'), ['--version'], { encoding: 'utf8' });
    assert.ok(archive.startsWith(`${said.trim().replace(' ', '-')}-`), `${archive}: ${said}`);
    assert.match(fs.readFileSync(path.join(unpacked, 'share/doc/leanbridge/LICENSE'), 'utf8'), /^MIT License/);
  });
});

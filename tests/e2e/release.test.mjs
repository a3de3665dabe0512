// scripts/release: what a release is made of, and what keeps a wrong one from being made.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { root, temporaryFolder } from '../support/bridge.mjs';

const timeout = 60_000;

describe('scripts/release', () => {
  /** The scripts in a tree with this version and CHANGELOG, and a gh that writes down how it is called; `exists`: the release is there. */
  function release(args, { version = '1.2.3', changelog = '## [1.2.3] - 2026-01-02\n\n### Fixed\n\n- That.\n\n## [1.2.2] - 2025-01-02\n\n- This.\n', dist = true, exists = false, home = 'https://example.org/leanbridge', maintainer = 'A <a@example.org>' } = {}) {
    const tree = temporaryFolder('release');
    for (const name of ['release', 'lib/report.sh', 'lib/version.sh']) fs.cpSync(path.join(root, 'scripts', name), path.join(tree, 'scripts', name));
    fs.writeFileSync(path.join(tree, 'CMakeLists.txt'), `project(leanbridge VERSION ${version} LANGUAGES CXX\nset(LEANBRIDGE_HOME "${home}")\nset(LEANBRIDGE_MAINTAINER "${maintainer}")\n`);
    fs.writeFileSync(path.join(tree, 'CHANGELOG.md'), changelog);
    if (dist) {
      fs.mkdirSync(path.join(tree, 'dist'));
      fs.writeFileSync(path.join(tree, 'dist/a.tar.gz'), 'packed');
      execFileSync('sh', ['-c', 'sha256sum a.tar.gz > SHA256SUMS'], { cwd: path.join(tree, 'dist') });
      if (dist === 'changed') fs.writeFileSync(path.join(tree, 'dist/a.tar.gz'), 'changed');
    }
    fs.mkdirSync(path.join(tree, 'bin'));
    fs.writeFileSync(path.join(tree, 'bin/gh'), `#!/bin/bash
echo "$*" >> "${tree}/calls"
[[ "$2" != view ]] || exit ${exists ? 0 : 1}
while (($#)); do [[ $1 != --notes-file ]] || cat "$2" > "${tree}/notes"; shift; done
`, { mode: 0o755 });
    const { status, stderr } = spawnSync(path.join(tree, 'scripts/release'), args, { env: { ...process.env, PATH: `${tree}/bin:${process.env.PATH}` }, encoding: 'utf8' });
    const read = name => (fs.existsSync(path.join(tree, name)) ? fs.readFileSync(path.join(tree, name), 'utf8') : '');
    return { status, stderr, calls: read('calls').trim().split('\n').filter(Boolean), notes: read('notes') };
  }
  test('the files of dist, under the tag, with the text of that version', { timeout }, () => {
    const { status, stderr, calls, notes } = release(['v1.2.3']);
    assert.equal(status, 0, stderr);
    assert.match(calls[1], /^release create v1\.2\.3 --verify-tag --title leanbridge 1\.2\.3 /);
    assert.equal(calls[2], 'release upload v1.2.3 --clobber dist/SHA256SUMS dist/a.tar.gz');
    assert.equal(notes, '### Fixed\n\n- That.\n\n');
  });
  test('a second run adds the files to the release that there is', { timeout }, () => {
    assert.deepEqual(release(['v1.2.3'], { exists: true }).calls.map(call => call.split(' ')[1]), ['view', 'upload']);
  });
  test('--check publishes nothing', { timeout }, () => {
    const { status, calls } = release(['--check', 'v1.2.3'], { dist: false });
    assert.deepEqual([status, calls], [0, []]);
  });
  for (const [what, args, options, says] of [
    ['another tag', ['v1.2.4'], {}, /CMakeLists\.txt has version 1\.2\.3/],
    ['no tag', [], {}, /pass the tag/],
    ['a version that is not in CHANGELOG.md', ['v1.3.0'], { version: '1.3.0' }, /no section "## \[1\.3\.0\]/],
    ['an unreleased version', ['--check', 'v1.2.3'], { changelog: '## [1.2.3] - Unreleased\n\n- That.\n' }, /calls 1\.2\.3 unreleased/],
    ['an empty section', ['v1.2.3'], { changelog: '## [1.2.3] - 2026-01-02\n\n## [1.2.2] - 2025-01-02\n\n- This.\n' }, /is empty/],
    ['no address', ['--check', 'v1.2.3'], { home: '' }, /leaves LEANBRIDGE_HOME empty/],
    ['no maintainer', ['--check', 'v1.2.3'], { maintainer: '' }, /leaves LEANBRIDGE_MAINTAINER empty/],
    ['no packages', ['v1.2.3'], { dist: false }, /run scripts\/package first/],
    ['a package that has changed', ['v1.2.3'], { dist: 'changed' }, /not those that scripts\/package made/],
  ]) {
    test(`${what}: nothing is published, and why`, { timeout }, () => {
      const { status, stderr, calls } = release(args, options);
      assert.equal(status, 1);
      assert.match(stderr, says);
      assert.deepEqual(calls, []);
    });
  }
});

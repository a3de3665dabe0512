// `leanbridge loogle install`: a repository on this machine, and a lake that builds what the test says.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { runBinary, scratchProject, temporaryFolder } from '../support/bridge.mjs';

const timeout = 60_000;
const TOOLCHAIN = 'leanprover/lean4:v4.28.0';
const KEY = '26df5f74b79a';   // the key of that toolchain, as lean-lsp-mcp computes it

let repository, revision;
before(() => {
  repository = temporaryFolder('loogle');
  const git = (...args) => execFileSync('git', ['-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { encoding: 'utf8' }).trim();
  git('init', '-q');
  const commit = content => { fs.writeFileSync(path.join(repository, 'Loogle.lean'), content); git('add', '-A'); git('commit', '-q', '-m', content); return git('rev-parse', 'HEAD'); };
  revision = commit('pinned');
  commit('later');
});

/** A lake that records how it was called and then runs `what`. */
function lake(what) {
  const folder = temporaryFolder('lake');
  const command = path.join(folder, 'lake');
  fs.writeFileSync(command, `#!/bin/sh\necho "$* | $PWD | $ELAN_TOOLCHAIN | $LAKE_ARTIFACT_CACHE" >> ${folder}/calls\n${what}\n`, { mode: 0o755 });
  return { command, calls: () => fs.readFileSync(path.join(folder, 'calls'), 'utf8').trim().split('\n').filter(line => line.startsWith('build')) };
}
const BUILDS = 'mkdir -p .lake/build/bin; echo "[1/2] Building Loogle"; cp Loogle.lean .lake/build/bin/loogle; echo "[2/2] Built"';

function install(args, { by = lake(BUILDS), cache = path.join(temporaryFolder('installed'), 'loogle'), files = { 'lean-toolchain': `${TOOLCHAIN}\n` }, ...options } = {}) {
  const run = runBinary(['loogle', 'install', '--lake', by.command, '--loogle-cache-dir', cache, ...args], { cwd: scratchProject(files), timeoutMs: timeout, ...options });
  return { by, cache, folder: path.join(cache, `repo-${revision.slice(0, 12)}-${KEY}`), run };
}
const ours = () => ['--repository', repository, '--revision', revision];

describe('loogle install', () => {
  test('says what it will do, clones the revision, builds it with the toolchain; the second time there is nothing to do', { timeout }, async () => {
    const first = install(ours());
    const { code, stdout, stderr } = await first.run;
    assert.equal(code, 0, stderr);
    const plan = stdout.indexOf(`1. Clone ${repository}`);
    assert.ok(plan > 0 && plan < stdout.lastIndexOf('Clone '), 'the plan comes first');
    assert.match(stdout, /4\. Build it with leanprover\/lean4:v4\.28\.0/);
    assert.match(stdout, /--loogle-local/);
    assert.equal(stderr, '', 'no progress where stderr is no terminal');
    const program = path.join(first.folder, '.lake/build/bin/loogle');
    assert.ok(stdout.includes(`Installed: ${program}`));
    assert.equal(fs.readFileSync(program, 'utf8'), 'pinned', 'that revision, not the latest');
    assert.deepEqual(first.by.calls(), [`build loogle | ${first.folder} | ${TOOLCHAIN} | false`]);
    assert.deepEqual(fs.readdirSync(first.cache), [path.basename(first.folder)]);
    const second = install(ours(), { by: first.by, cache: first.cache });
    assert.equal((await second.run).code, 0);
    assert.equal(first.by.calls().length, 1);
  });
  test('--dry-run only says it', { timeout }, async () => {
    const { run, cache } = install([...ours(), '--dry-run']);
    const { code, stdout } = await run;
    assert.equal(code, 0);
    assert.match(stdout, /1\. Clone .*\n {2}2\. Fetch revision [0-9a-f]{40}\n {2}3\. .*\n {2}4\. Build/);
    assert.equal(fs.existsSync(cache), false);
  });
  test('a build that fails says why; the next try does not download again', { timeout }, async () => {
    const failed = install(ours(), { by: lake('echo "error: no such module" >&2; exit 3') });
    const { code, stderr } = await failed.run;
    assert.equal(code, 1);
    assert.match(stderr, /exit code 3: error: no such module/);
    const next = install(['--repository', '/nowhere', '--revision', revision], { cache: failed.cache });
    assert.equal((await next.run).code, 0);
  });
  test('a download that fails leaves nothing behind', { timeout }, async () => {
    for (const args of [['--repository', '/nowhere', '--revision', revision], ['--repository', repository, '--revision', 'f'.repeat(40)]]) {
      const { run, cache } = install(args);
      const { code, stderr } = await run;
      assert.equal(code, 1, stderr);
      assert.match(stderr, /git ended with exit code/);
      assert.deepEqual(fs.readdirSync(cache), []);
    }
  });
  test('SIGINT ends it and what it has started', { timeout }, async () => {
    const started = path.join(temporaryFolder('started'), 'pid');
    const slow = install(ours(), { by: lake(`echo $$ > ${started}; sleep 600`),
      started: child => { const timer = setInterval(() => { if (fs.existsSync(started)) { clearInterval(timer); child.kill('SIGINT'); } }, 20); } });
    const { code, stderr } = await slow.run;
    assert.equal(code, 130, stderr);
    assert.match(stderr, /interrupted/);
    assert.equal(fs.existsSync(`/proc/${fs.readFileSync(started, 'utf8').trim()}`), false);
    assert.ok(fs.existsSync(path.join(slow.folder, 'Loogle.lean')), 'what was downloaded whole is kept');
  });
  test('what is wrong', { timeout }, async () => {
    for (const [args, options, code, why] of [
      [['--revision', 'main'], {}, 2, /full hash/],
      [[...ours()], { files: {} }, 2, /lean-toolchain/],
      [['--repository', '--evil', '--revision', 'f'.repeat(40)], {}, 2, /--repository|git repository/],
      [['--offline'], {}, 1, /the network is disabled/],
      [['--colour'], {}, 2, /--colour/],
    ]) {
      const result = await install(args, options).run;
      assert.equal(result.code, code, `${args.join(' ')}: ${result.stderr}`);
      assert.match(result.stderr, why);
    }
    assert.equal((await runBinary(['loogle'])).code, 2);
  });
});

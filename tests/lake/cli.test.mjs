// The rest of the command line: version, help, missing files and commands, `lake env`, and elan's first run
// (Lake/CLI/Main.lean, Lake/CLI/Error.lean, Lake/Config/{Env,Workspace}.lean).
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { emptyManifest, firstRun, LakeWorkspace, nativeLake, noNativeLean, noWasmLean, packageOf, run, wasmLake } from '../support/lake-workspace.mjs';

describe('the command line', { skip: noNativeLean, timeout: 900_000 }, () => {
  let workspace, lake;
  before(() => {
    workspace = new LakeWorkspace(packageOf('demo', { 'lake-manifest.json': emptyManifest('demo'), 'Demo.lean': '', 'sub/x': '' }));
    lake = workspace.lake();
  });
  after(() => workspace.remove());

  test('--version has Lake\'s form, with the version of the Lean that is used', async () => {
    assert.match((await lake('--version')).stdout, /^Lake version \S+ \(Lean version 4\.35\.0\)\n$/);
  });

  test('help, no command, unknown ones, and those that are not imitated', async () => {
    for (const args of [[], ['--help'], ['build', '-h']]) assert.match((await lake(...args)).stdout, /^A stand-in for Lake.*\n\nUSAGE:\n/);
    assert.deepEqual(await lake('-q'), { code: 1, stdout: '', stderr: 'error: missing command\n' });
    assert.deepEqual(await lake('nonsense'), { code: 1, stdout: '', stderr: 'error: unknown command \'nonsense\'\n' });
    for (const command of ['query', 'cache', 'test']) {
      assert.deepEqual(await lake(command), { code: 1, stdout: '', stderr: `error: \`lake ${command}\` is not supported by this stand-in for Lake\n` });
    }
    assert.equal((await lake('build', '--wfail')).stderr, 'error: the option \'--wfail\' is not supported by this stand-in for Lake\n');
    assert.equal((await lake('serve', 'x')).stderr, 'error: unexpected arguments: x\n');
  });

  test('-d, --dir: another folder', async () => {
    assert.equal((await run(nativeLake, ['-d', workspace.folder, 'build', '--no-build'], { cwd: '/' })).code, 3);
    assert.equal((await run(nativeLake, ['build', `--dir=${workspace.folder}`, '--no-build'], { cwd: '/' })).code, 3);
    assert.equal((await lake('-d', 'nowhere', 'build')).stderr, 'error: workspace directory not found: nowhere\n');
  });

  test('env: the variables of a workspace (augmentedEnvVars)', async () => {
    const inherited = { LEAN_PATH: '/inherited', LEAN_SRC_PATH: '/sources', LEAN_SYSROOT: '/wrong', LAKE: '/wrong', ELAN_TOOLCHAIN: '' };
    const { stdout } = await workspace.lake('.', { env: inherited })('env');
    const values = Object.fromEntries(stdout.trim().split('\n').map(line => /^(\w+)=(.*)$/.exec(line).slice(1)));
    assert.deepEqual(Object.keys(values), ['ELAN_TOOLCHAIN', 'LAKE', 'LAKE_HOME', 'LAKE_PKG_URL_MAP', 'LEAN', 'LEAN_GITHASH', 'LEAN_SYSROOT', 'LEAN_AR',
      'LAKE_ARTIFACT_CACHE', 'LEAN_PATH', 'LEAN_SRC_PATH', 'PATH', 'LD_LIBRARY_PATH']);
    assert.equal(values.LEAN_PATH, `${workspace.path('.lake/build/lib/lean')}:/inherited`, 'what is inherited comes last');
    assert.equal(values.LEAN_SRC_PATH, `${workspace.folder}:/sources`);
    assert.equal(values.LAKE, nativeLake, 'what names the toolchain is not inherited (baseVars)');
    assert.equal(values.LEAN, path.join(values.LEAN_SYSROOT, 'bin/lean'));
    assert.equal(values.ELAN_TOOLCHAIN, 'leanprover/lean4:v4.35.0');
    assert.match(values.LEAN_GITHASH, /^[0-9a-f]{40}$/);
    assert.ok(values.PATH.startsWith(`${workspace.path('.lake/build/bin')}:${path.dirname(nativeLake)}:${path.dirname(values.LEAN)}:`));
  });

  test('env CMD: its exit code, its arguments as they are, the user\'s options for Node', async () => {
    const printed = await workspace.lake('.', { env: { NODE_OPTIONS: '--no-warnings' } })('env', 'sh', '-c', 'echo "$NODE_OPTIONS|$1"; exit 7', 'sh', '--no-build');
    assert.deepEqual(printed, { code: 7, stdout: '--no-warnings|--no-build\n', stderr: '' });
    assert.equal((await lake('env', 'does-not-exist')).code, 255);
    assert.match((await lake('env', 'lean', '--version')).stdout, /^Lean \(version 4\.35\.0/);
  });

  test('env without a lakefile: no paths of a workspace; with a broken one: an error', async () => {
    const { code, stdout } = await workspace.lake('sub', { env: { LEAN_PATH: '/inherited' } })('env');
    assert.equal(code, 0);
    assert.match(stdout, /^LEAN_PATH=\/inherited$/m);
    workspace.write('sub/lakefile.toml', 'x');
    assert.deepEqual(await workspace.lake('sub')('env', 'true'), { code: 1, stdout: '', stderr: `error: ${workspace.path('sub/lakefile.toml')}:1:1: expected '='\n` });
  });
});

describe('the command line of the embedded Lean', { skip: noWasmLean, timeout: 900_000 }, () => {
  test('is the same, on its own toolchain', async () => {
    const { stdout } = await run(wasmLake, ['--version'], { cwd: '/' });
    assert.match(stdout, /^Lake version \S+ \(Lean version 4\.28\.0-pre\)\n$/);
    assert.match((await run(wasmLake, ['env'], { cwd: '/' })).stdout, new RegExp(`^LAKE=${wasmLake}$`, 'm'));
  });
});

describe('a first run, when elan fetches the toolchain (elan 4: elan-dist/src/{notifications,manifestation}.rs)', { skip: noNativeLean, timeout: 900_000 }, () => {
  const cwd = new LakeWorkspace({ 'lean-toolchain': 'leanprover/lean4:v4.35.0\n' });
  after(() => cwd.remove());
  const start = env => run(firstRun, ['--version'], { cwd: cwd.folder, env: { HOME: '/home/user', ...env } });

  test('two lines on standard error, a pause, and then Lake', async () => {
    const began = performance.now();
    const { code, stdout, stderr } = await start({ LEANBRIDGE_FIRST_RUN_MS: '1200' });
    assert.ok(performance.now() - began >= 1200);
    assert.equal(code, 0);
    assert.match(stdout, /^Lake version /);
    assert.equal(stderr, 'info: downloading https://releases.lean-lang.org/lean4/v4.35.0/lean-4.35.0-linux.tar.zst\n'
      + 'info: installing /home/user/.elan/toolchains/leanprover--lean4---v4.35.0\n');
  });

  test('no network: elan\'s error, and code 1', async () => {
    const { code, stdout, stderr } = await start({ LEANBRIDGE_FIRST_RUN_MS: '0', LEANBRIDGE_FIRST_RUN_FAILS: '1' });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /\nerror: could not download file from 'https:.*' to '.*'\ninfo: caused by: error during download\n/);
  });
});

// Packages that require packages, and the manifest (Lake/Load/{Workspace,Resolve,Materialize,Manifest}.lean). Lean is only asked for its version.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { afterEach, describe, test } from 'node:test';
import { emptyManifest, LakeWorkspace, noNativeLean, packageOf } from '../support/lake-workspace.mjs';

const require = (name, rest) => `[[require]]\nname = "${name}"\n${rest}\n`;
const onPath = (name, dir) => require(name, `path = "${dir}"`);

describe('a workspace', { skip: noNativeLean, timeout: 900_000 }, () => {
  let workspace;
  const make = files => workspace = new LakeWorkspace(files);
  afterEach(() => workspace?.remove());

  test('without a manifest one is written, and that is said (reuseManifest, writeManifest)', async () => {
    make(packageOf('solo', { 'Solo.lean': '' }));
    const first = await workspace.lake()('resolve-deps');
    assert.deepEqual(first, { code: 0, stdout: '',
      stderr: 'info: solo: no previous manifest, creating one from scratch\ninfo: toolchain not updated; no toolchain information found\n' });
    assert.deepEqual(workspace.json('lake-manifest.json'), { version: '1.1.0', packagesDir: '.lake/packages', packages: [], name: 'solo', lakeDir: '.lake' });
    assert.deepEqual(await workspace.lake()('resolve-deps'), { code: 0, stdout: '', stderr: '' });
  });

  test('dependencies on paths, transitively; the folder of an inherited one is from the root', async () => {
    make({
      ...packageOf('app', {}, { folder: 'app', lakefile: onPath('mid', '../mid') }),
      ...packageOf('mid', { 'lake-manifest.json': emptyManifest('mid').replace('[]', '[{"type": "path", "name": "base", "inherited": false, "dir": "deep/base"}]') },
        { folder: 'mid', lakefile: onPath('base', 'deep/base') }),
      ...packageOf('base', { 'lake-manifest.json': emptyManifest('base') }, { folder: 'mid/deep/base' }),
    });
    const { code, stderr } = await workspace.lake('app')('resolve-deps');
    assert.equal(code, 0, stderr);
    const packages = workspace.json('app/lake-manifest.json').packages;
    assert.deepEqual(packages.map(({ name, type, dir, inherited, configFile }) => ({ name, type, dir, inherited, configFile })), [
      { name: 'mid', type: 'path', dir: '../mid', inherited: false, configFile: 'lakefile.toml' },
      { name: 'base', type: 'path', dir: '../mid/deep/base', inherited: true, configFile: 'lakefile.toml' },
    ]);
    const { stdout } = await workspace.lake('app')('env');
    const library = (...parts) => workspace.path(...parts, '.lake/build/lib/lean');
    const searched = [library('mid/deep/base'), library('mid'), library('app')];
    assert.ok(stdout.includes(`\nLEAN_PATH=${searched.join(':')}`), 'what was added last comes first (Workspace.leanPath)');
  });

  test('a name that needs quotes has them in the manifest, its folder has not (Load/Materialize.lean); clean, exe', async () => {
    const entry = '{"type": "git", "url": "https://invalid.invalid/x", "rev": "0", "name": "«doc-gen4»", "subDir": "sub", "inherited": false}';
    make({
      ...packageOf('app', { 'lake-manifest.json': emptyManifest('app').replace('[]', `[${entry}]`), 'Tool.lean': 'def main : IO Unit := pure ()\n' },
        { folder: 'app', lakefile: `${require('doc-gen4', 'git = "https://invalid.invalid/x"\nsubDir = "sub"')}[[lean_exe]]\nname = "tool"\nroot = "Tool"\n` }),
      ...packageOf('doc-gen4', { 'X.lean': '' }, { folder: 'app/.lake/packages/doc-gen4/sub' }),
    });
    const lake = workspace.lake('app');
    const { code, stdout, stderr } = await lake('env');
    assert.equal(code, 0, stderr);
    assert.ok(stdout.includes(workspace.path('app/.lake/packages/doc-gen4/sub/.lake/build/lib/lean')), stdout);
    const built = ['app/.lake/packages/doc-gen4/sub/.lake/build/x', 'app/.lake/build/x'];
    const fill = () => built.forEach(file => workspace.write(file, ''));
    fill();
    assert.equal((await lake('clean', 'app')).code, 0);
    assert.deepEqual(built.map(file => workspace.exists(file)), [true, false]);
    fill();
    assert.deepEqual(await lake('clean'), { code: 0, stdout: '', stderr: '' });
    assert.deepEqual(built.map(file => workspace.exists(file)), [false, false]);
    assert.deepEqual(await lake('clean', 'none'), { code: 1, stdout: '', stderr: 'error: unknown package `none`\n' });
    assert.deepEqual(await lake('exe', 'none'), { code: 1, stdout: '', stderr: 'error: unknown executable none\n' });
    assert.equal((await lake('exe', 'tool')).code, 0);
  });

  test('a dependency without a manifest is warned of (addDependencyEntries)', async () => {
    make({ ...packageOf('app', {}, { folder: 'app', lakefile: onPath('core', '../core') }), ...packageOf('core', {}, { folder: 'core' }) });
    const { stderr } = await workspace.lake('app')('resolve-deps');
    assert.ok(stderr.includes(`warning: core: ignoring missing manifest '${workspace.path('core/lake-manifest.json')}'\n`), stderr);
  });

  test('a dependency that the manifest does not know; `lake update` adds it', async () => {
    make({
      ...packageOf('app', { 'lake-manifest.json': emptyManifest('app').replace('[]', '[{"type": "path", "name": "old", "inherited": false, "dir": "../old"}]') },
        { folder: 'app', lakefile: onPath('core', '../core') }),
      ...packageOf('core', {}, { folder: 'core' }),
    });
    const lake = workspace.lake('app');
    assert.deepEqual(await lake('resolve-deps'), { code: 1, stdout: '', stderr: 'error: dependency \'core\' not in manifest; use `lake update core` to add it\n' });
    assert.equal((await lake('update')).code, 0);
    assert.deepEqual(workspace.json('app/lake-manifest.json').packages.map(({ name }) => name), ['core']);
    assert.equal((await lake('resolve-deps')).code, 0);
    workspace.write('app/lake-manifest.json', emptyManifest('app'));
    assert.equal((await lake('resolve-deps')).stderr, 'error: missing manifest; use `lake update` to generate one\n');
  });

  test('a manifest out of date is warned of, and used (validateManifest)', async () => {
    const git = '{"type": "git", "name": "core", "inherited": false, "url": "https://example.org/core", "rev": "0123", "inputRev": "v1"}';
    make({
      ...packageOf('app', { 'lake-manifest.json': emptyManifest('app').replace('[]', `[${git}]`) },
        { folder: 'app', lakefile: require('core', 'git = "https://example.org/other"\nrev = "v2"') }),
      ...packageOf('core', {}, { folder: 'app/.lake/packages/core' }),
    });
    const hint = 'of dependency \'core\' changed; use `lake update core` to update it';
    assert.deepEqual(await workspace.lake('app')('resolve-deps'),
      { code: 0, stdout: '', stderr: `warning: manifest out of date: git url ${hint}\nwarning: manifest out of date: git revision ${hint}\n` });
    workspace.write('app/lakefile.toml', `name = "app"\n${onPath('core', '../core')}`);
    assert.equal((await workspace.lake('app')('resolve-deps')).stderr, `warning: manifest out of date: source kind (git/path) ${hint}\n`);
  });

  test('another folder of packages than the manifest has', async () => {
    make({
      ...packageOf('app', { 'lake-manifest.json': emptyManifest('app').replace('[]', '[{"type": "path", "name": "core", "inherited": false, "dir": "../core"}]') },
        { folder: 'app', lakefile: `packagesDir = "elsewhere"\n${onPath('core', '../core')}` }),
      ...packageOf('core', {}, { folder: 'core' }),
    });
    assert.match((await workspace.lake('app')('resolve-deps')).stderr,
      /^warning: manifest out of date: packages directory changed; use `lake update` to rebuild the manifest/);
  });

  test('a git dependency that is not there: what Lake says without a network (cloneGitPkg, Lake/Util/Proc.lean)', async () => {
    make(packageOf('app', {}, { lakefile: require('core', 'git = "https://example.org/core"\nrev = "v1"') }));
    const failed = 'info: core: cloning https://example.org/core\nerror: external command \'git\' exited with code 128\n';
    assert.deepEqual(await workspace.lake()('resolve-deps'),
      { code: 1, stdout: '', stderr: `info: app: no previous manifest, creating one from scratch\n${failed}` });
    assert.equal(workspace.exists('lake-manifest.json'), false);
    workspace.write('lake-manifest.json', emptyManifest('app').replace('[]',
      '[{"type": "git", "name": "core", "inherited": false, "url": "https://example.org/core", "rev": "0123", "inputRev": "v1"}]'));
    assert.deepEqual(await workspace.lake()('resolve-deps'), { code: 1, stdout: '', stderr: failed });
    workspace.write('lakefile.toml', `name = "app"\n${require('core', 'scope = "s"')}`);
    workspace.remove('lake-manifest.json');
    assert.match((await workspace.lake()('resolve-deps')).stderr,
      /error: s\/core: could not materialize package: this may be a transient error or a bug in Lake or Reservoir\n$/);
  });

  test('a package in .lake/packages at the revision of the manifest is taken as it is; at another one, git would be asked', async () => {
    make(packageOf('core', { 'Core.lean': '' }, { folder: '.lake/packages/core' }));
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
    const git = (...args) => execFileSync('git', ['-C', workspace.path('.lake/packages/core'), ...identity, ...args], { encoding: 'utf8' });
    git('init', '-q');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    const entry = rev => emptyManifest('app').replace('[]', JSON.stringify([{ type: 'git', name: 'core', inherited: false, url: 'u', rev, inputRev: null }]));
    workspace.write('lakefile.toml', `name = "app"\n${require('core', 'git = "u"')}`);
    workspace.write('lake-manifest.json', entry(git('rev-parse', 'HEAD').trim()));
    assert.deepEqual(await workspace.lake()('resolve-deps'), { code: 0, stdout: '', stderr: '' });
    workspace.write('lake-manifest.json', entry('0'.repeat(40)));
    assert.equal((await workspace.lake()('resolve-deps')).stderr, 'error: external command \'git\' exited with code 128\n');
  });

  test('a dependency that is no package, one that is missing, one that requires itself', async () => {
    make({ 'lakefile.toml': `name = "app"\n${onPath('core', 'core')}` });
    assert.match((await workspace.lake()('resolve-deps')).stderr, new RegExp(`error: core: package directory not found: ${workspace.path('core')}\n$`));
    workspace.write('core/x', '');
    assert.match((await workspace.lake()('resolve-deps')).stderr, /error: core: no configuration file with a supported extension:\n/);
    workspace.write('lakefile.toml', `name = "app"\n${onPath('app', 'core')}`);
    assert.match((await workspace.lake()('resolve-deps', '--keep-toolchain')).stderr, /error: app: package requires itself \(or a package with the same name\)\n$/);
  });

  test('manifests that cannot be read', async () => {
    make(packageOf('app', { 'lake-manifest.json': '{' }));
    const file = workspace.path('lake-manifest.json');
    assert.match((await workspace.lake()('resolve-deps')).stderr, new RegExp(`^error: ${file}: invalid JSON: `));
    workspace.write('lake-manifest.json', '{"version": "2.0.0"}');
    assert.match((await workspace.lake()('resolve-deps')).stderr, /schema version '2\.0\.0' is of a higher major version than this Lake's '1\.1\.0'/);
    workspace.write('lake-manifest.json', '{"version": 4}');
    assert.match((await workspace.lake()('resolve-deps')).stderr, /incompatible manifest version '0\.4\.0'/);
    workspace.write('lake-manifest.json', '{"version": 7, "packages": [{"name": "x", "type": "odd"}]}');
    assert.match((await workspace.lake()('resolve-deps')).stderr, /package entry 'x': unknown package entry type 'odd'/);
    const { code, stderr } = await workspace.lake()('update');
    assert.equal(code, 0);
    assert.match(stderr, /^warning: app: ignoring previous manifest because it failed to load: /);
  });

  test('a dependency with a newer toolchain: the own one is changed, and Lake ends with code 4 (updateToolchain, restartCode)', async () => {
    make({
      ...packageOf('app', { 'lean-toolchain': 'leanprover/lean4:v4.34.0\n' }, { folder: 'app', lakefile: onPath('core', '../core') }),
      ...packageOf('core', { 'lean-toolchain': 'leanprover/lean4:v4.35.0\n' }, { folder: 'core' }),
    });
    const { code, stderr } = await workspace.lake('app')('resolve-deps');
    assert.equal(code, 4);
    assert.match(stderr, /\ninfo: updating toolchain to 'leanprover\/lean4:v4\.35\.0'\ninfo: no Elan detected; you will need to manually restart Lake\n$/);
    assert.equal(workspace.read('app/lean-toolchain'), 'leanprover/lean4:v4.35.0');
    assert.equal((await workspace.lake('app')('update')).code, 0);
    workspace.write('core/lean-toolchain', 'mine');
    assert.match((await workspace.lake('app')('update')).stderr,
      /warning: toolchain not updated; multiple toolchain candidates:\n {2}leanprover\/lean4:v4\.35\.0\n {4}from app\n {2}mine\n {4}from core\n/);
  });

  test('modules of a dependency: by the name of the package, and first come, first served', async () => {
    make({
      ...packageOf('app', { 'App.lean': 'import Core\n' }, { folder: 'app', lakefile: onPath('core', '../core') }),
      ...packageOf('core', { 'Core.lean': '' }, { folder: 'core' }),
    });
    const lake = workspace.lake('app');
    assert.equal((await lake('build', 'core/Core')).code, 0);
    assert.equal((await lake('build', '@core')).code, 0);
    assert.equal((await lake('build', 'core/+Core', 'App')).code, 0);
    assert.ok(workspace.exists('core/.lake/build/lib/lean/Core.olean'), 'beside its own sources');
    assert.match((await lake('build', 'nope/Core')).stderr, /error: unknown package `nope`\n$/);
    assert.match((await lake('build', 'core/Nope')).stderr, /error: package 'core' has no target 'Nope'\n$/);
  });
});

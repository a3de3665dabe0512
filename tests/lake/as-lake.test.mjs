// Where a stand-in is easily kinder than Lake: fetched packages, the configuration lock, hooks, the artifact cache.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { after, before, beforeEach, describe, test } from 'node:test';
import { emptyManifest, LakeWorkspace, nativeLake, noNativeLean, packageOf, run } from '../support/lake-workspace.mjs';

const limits = { skip: noNativeLean, timeout: 900_000 };
const entry = more => ({ type: 'git', name: 'core', scope: '', inherited: false, url: 'https://example.org/core', rev: '0', inputRev: null, subDir: null, configFile: 'lakefile.toml', ...more });
const manifest = (...packages) => emptyManifest('app').replace('[]', JSON.stringify(packages));
const require = (name, keys) => `[[require]]\nname = "${name}"\n${keys}\n`;
const program = toml => `import Lake\nopen Lake DSL\n\n/- computes\n${toml}\n-/\n\npackage app\n`;

let workspace;
const make = files => {
  workspace?.remove();
  workspace = new LakeWorkspace(files);
};
const options = async file => JSON.parse((await run(nativeLake, ['setup-file', workspace.path(file), '-'], { cwd: workspace.folder, input: '{"imports":[],"isModule":false}\n' })).stdout).options;
after(() => workspace?.remove());

describe('a file that does not exist (Lake/Util/IO.lean: resolvePath; Lake/Build/Module.lean: setupExternalModule)', limits, () => {
  test('belongs to no library and has the options of the root package; one that is reached by a link is the file', async () => {
    make(packageOf('app', { 'App.lean': '', 'lake-manifest.json': manifest() }, { lakefile: 'leanOptions = {maxRecDepth = 700}', libraryKeys: 'leanOptions = {autoImplicit = false}' }));
    const setup = async file => JSON.parse((await run(nativeLake, ['setup-file', file, '-'], { cwd: workspace.folder, input: '{"imports":[],"isModule":false}\n' })).stdout);
    const own = { name: 'App', package: 'app', options: { maxRecDepth: 700, autoImplicit: false } };
    const show = ({ name, package: package_, options: set }) => ({ name, package: package_, options: set });
    assert.deepEqual(show(await setup(workspace.path('App.lean'))), own);
    assert.deepEqual(show(await setup(workspace.path('App/Missing.lean'))), { name: '_unknown', package: undefined, options: { maxRecDepth: 700 } });
    fs.symlinkSync(workspace.path('App.lean'), workspace.path('link'));
    assert.deepEqual(show(await setup(workspace.path('link'))), own);
  });
});

describe('packages that were fetched (Lake/Load/Materialize.lean)', limits, () => {
  const at = folder => packageOf('core', { 'Core.lean': '' }, { folder });

  test('a name that is quoted in the manifest, and a folder that is not', async () => {
    make({
      ...packageOf('app', { 'App.lean': '' }, { lakefile: require('doc-gen4', 'git = "https://example.org/core"') }),
      'lake-manifest.json': manifest(entry({ name: '«doc-gen4»' })), ...at('.lake/packages/doc-gen4'),
    });
    assert.deepEqual(await workspace.lake()('resolve-deps'), { code: 0, stdout: '', stderr: '' });
  });
  test('subDir', async () => {
    make({
      ...packageOf('app', { 'App.lean': 'import Core\n' }, { lakefile: require('core', 'git = {url = "https://example.org/core", subDir = "lean/core"}') }),
      'lake-manifest.json': manifest(entry({ subDir: 'lean/core' })), ...at('.lake/packages/core/lean/core'),
    });
    assert.deepEqual(await workspace.lake()('resolve-deps'), { code: 0, stdout: '', stderr: '' });
    assert.equal((await workspace.lake()('build')).code, 0);
  });
  test('clean: of the packages that are named, otherwise of all (Lake/Config/Workspace.lean)', async () => {
    const build = ['.lake/build/x', '.lake/packages/core/.lake/build/x'];
    const left = () => build.filter(file => workspace.exists(file));
    make({
      ...packageOf('app', { 'App.lean': '', [build[0]]: '', [build[1]]: '' }, { lakefile: require('core', 'git = "https://example.org/core"') }),
      'lake-manifest.json': manifest(entry({})), ...at('.lake/packages/core'),
    });
    assert.equal((await workspace.lake()('clean', 'nothing')).stderr, 'error: unknown package `nothing`\n');
    assert.equal((await workspace.lake()('clean', 'app')).code, 0);
    assert.deepEqual(left(), [build[1]]);
    assert.equal((await workspace.lake()('clean')).code, 0);
    assert.deepEqual(left(), []);
  });
  test('exe', async () => {
    make(packageOf('app', { 'App.lean': '', 'lake-manifest.json': manifest() }, { lakefile: '', libraryKeys: '[[lean_exe]]\nname = "cache"\n' }));
    assert.equal((await workspace.lake()('exe', 'other')).stderr, 'error: unknown executable other\n');
    workspace.write('.lake/build/bin/cache', '#!/bin/sh\necho "$@"; exit 3\n');
    fs.chmodSync(workspace.path('.lake/build/bin/cache'), 0o755);
    assert.deepEqual(await workspace.lake()('exe', 'cache', 'get', '-f'), { code: 3, stdout: 'get -f\n', stderr: '' });
  });
  test('a remote on this machine is cloned and fetched; a checkout of another owner is deleted and cloned again', async () => {
    make({ ...packageOf('core', { 'Core.lean': '' }, { folder: 'remote' }), 'app/App.lean': '' });
    const git = (folder, ...args) => execFileSync('git', ['-C', workspace.path(folder), '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    const commit = () => { git('remote', 'add', '-A'); git('remote', 'commit', '-q', '-m', 'x'); return git('remote', 'rev-parse', 'HEAD'); };
    git('remote', 'init', '-q');
    const url = workspace.path('remote');
    const first = commit();
    workspace.write('app/lakefile.toml', `name = "app"\n${require('core', `git = "${url}"`)}[[lean_lib]]\nname = "App"\n`);
    const { code, stderr } = await workspace.lake('app')('update');
    assert.equal(code, 0, stderr);
    assert.equal(workspace.json('app/lake-manifest.json').packages[0].rev, first);
    workspace.write('remote/Core.lean', 'def second := 2\n');
    const second = commit();
    workspace.write('app/lake-manifest.json', workspace.read('app/lake-manifest.json').replace(first, second));
    assert.match((await workspace.lake('app')('resolve-deps')).stderr, new RegExp(`^info: core: checking out revision '${second}'\n$`));
    workspace.write('app/.lake/packages/core/mine', '');
    if (process.getuid() !== 0) return;   // only root can give a file away
    fs.chownSync(workspace.path('app/.lake/packages/core'), 12345, 12345);
    fs.chownSync(workspace.path('app/.lake/packages/core/.git'), 12345, 12345);
    assert.match((await workspace.lake('app', { env: { HOME: workspace.folder } })('resolve-deps')).stderr, /URL has changed; deleting '.*' and cloning again\n/);
    assert.ok(!workspace.exists('app/.lake/packages/core/mine'));
  });
});

describe('a program as lakefile (Lake/Load/Lean/Elab.lean)', limits, () => {
  const lakefile = more => program(`name = "app"\nleanOptions = { "weak.linter.some" = true, maxRecDepth = 900 }\n${more}\n[[lean_lib]]\nname = "App"\nleanOptions = { autoImplicit = false }`);

  test('what it computes reaches the file, weak options with their prefix', async () => {
    make({ 'lakefile.lean': lakefile(''), 'App.lean': '', 'lake-manifest.json': manifest() });
    assert.deepEqual(await options('App.lean'), { 'weak.linter.some': true, maxRecDepth: 900, autoImplicit: false });
  });
  test('without a description it is an error', async () => {
    make({ 'lakefile.lean': 'import Lake\n', 'lake-manifest.json': manifest() });
    assert.match((await workspace.lake()('resolve-deps')).stderr, /lakefile.lean is a Lean program/);
  });
  test('of two that configure at once one fails; a lock whose owner was killed is free', async () => {
    make({ 'lakefile.lean': lakefile('elaborationMs = 1500'), 'App.lean': '', 'lake-manifest.json': manifest() });
    const both = await Promise.all([workspace.lake()('resolve-deps'), workspace.lake()('resolve-deps')]);
    assert.deepEqual(both.map(({ code }) => code).sort(), [0, 1]);
    assert.equal(both.find(({ code }) => code === 1).stderr, 'error: could not acquire an exclusive configuration lock; another process may already be reconfiguring the package\n');
    assert.deepEqual((await workspace.lake()('resolve-deps')).stderr, '', 'compiled once');
    workspace.write('lakefile.lean', `${lakefile('')}-- changed\n`);
    workspace.write('.lake/config/[root]/lakefile.olean.lock', '999999999');
    assert.equal((await workspace.lake()('resolve-deps')).code, 0);
  });
  test('post_update hooks print on the standard output of whatever made the manifest (Lake/Load/Resolve.lean)', async () => {
    make({ 'lakefile.lean': lakefile('postUpdate = "Attempting to download 7000 file(s)\\n"'), 'App.lean': '' });
    const { stdout, stderr } = await workspace.lake()('resolve-deps');
    assert.equal(stdout, 'Attempting to download 7000 file(s)\n');
    assert.match(stderr, /info: app: running post-update hooks\n$/);
    assert.equal((await workspace.lake()('resolve-deps')).stdout, '');
  });
});

describe('the artifact cache (Lake/Build/Module.lean)', limits, () => {
  const library = '.lake/build/lib/lean/App';
  const artifacts = async () => {
    const { stdout } = await run(nativeLake, ['setup-file', workspace.path('Use.lean'), '-'], { cwd: workspace.folder, input: '{"imports":[{"module":"App.Base","importAll":false,"isExported":true,"isMeta":false}],"isModule":false}\n' });
    return JSON.parse(stdout).importArts['App.Base'][0];
  };
  beforeEach(() => make(packageOf('app', { 'App.lean': 'import App.Base\n', 'App/Base.lean': 'def x := 1\n', 'Use.lean': '', 'lake-manifest.json': manifest() }, { lakefile: 'enableArtifactCache = true' })));

  test('has the .olean; the build folder has the .ilean alone, and setup-file names the cached file', async () => {
    assert.equal((await workspace.lake()('build')).code, 0);
    assert.deepEqual([workspace.exists(`${library}/Base.olean`), workspace.exists(`${library}/Base.ilean`)], [false, true]);
    const [olean] = await artifacts();
    assert.ok(olean.startsWith(workspace.path('.lake/cache/artifacts/')) && fs.existsSync(olean), olean);
    assert.doesNotMatch((await workspace.lake()('build')).stdout, /Built/, 'nothing is stale');
    workspace.write('Use.lean', 'import App.Base\n#eval x\n');
    assert.match((await workspace.lake()('lean', 'Use.lean')).stdout, /1/, 'lean --setup finds it');
    assert.match((await workspace.lake()('env', 'lean', 'Use.lean')).stdout, /unknown module prefix 'App'|object file .* does not exist/, 'LEAN_PATH does not lead there');
  });
  test('LAKE_RESTORE_ARTIFACTS, LAKE_ARTIFACT_CACHE', async () => {
    assert.equal((await workspace.lake('.', { env: { LAKE_RESTORE_ARTIFACTS: 'true' } })('build')).code, 0);
    assert.ok(workspace.exists(`${library}/Base.olean`));
    make(packageOf('app', { 'App.lean': '', 'lake-manifest.json': manifest() }));
    assert.equal((await workspace.lake('.', { env: { LAKE_ARTIFACT_CACHE: 'true' } })('build')).code, 0);
    assert.ok(!workspace.exists('.lake/build/lib/lean/App.olean'));
  });
});

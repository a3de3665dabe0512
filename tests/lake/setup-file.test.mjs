// `lake setup-file`, as the server calls it (Lake/CLI/Serve.lean: setupFile; Lake/Build/Module.lean: setupServerModule; src/Lean/Setup.lean).
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { emptyManifest, LakeWorkspace, nativeLake, noNativeLean, noWasmLean, packageOf, run, wasmLake } from '../support/lake-workspace.mjs';

const header = (...modules) => JSON.stringify({
  isModule: false, imports: modules.map(module => ({ module, importAll: false, isExported: true, isMeta: false })),
});

describe('setup-file', { skip: noNativeLean, timeout: 900_000 }, () => {
  let workspace, lake;
  /** Runs it as the server does: with the header on standard input, which stays open. */
  const setup = (file, imports, ...options) =>
    run(nativeLake, ['setup-file', workspace.path(file), '-', ...options], { cwd: workspace.path('app'), input: `${header(...imports)}\n` });
  const artifacts = (folder, file) => [[workspace.path(folder, '.lake/build/lib/lean', file)]];

  before(() => {
    workspace = new LakeWorkspace({
      ...packageOf('app', {
        'lake-manifest.json': emptyManifest('app').replace('[]', '[{"type": "path", "name": "core", "inherited": false, "dir": "../core"}]'),
        'App.lean': 'import App.Base\n', 'App/Base.lean': 'import Core\nexample : 1 = 1 := by sorry\n', 'Outside.lean': '', 'App/Mod.lean': 'module\n',
      }, {
        folder: 'app',
        lakefile: 'moreServerOptions = {maxRecDepth = 700}\n[leanOptions]\npp.unicode.fun = true\nweak.linter.x = false\n[[require]]\nname = "core"\npath = "../core"',
        libraryKeys: 'leanOptions = {pp.unicode.fun = false, autoImplicit = true}\nmoreServerOptions = {maxHeartbeats = 5}\n',
      }),
      ...packageOf('core', { 'Core.lean': 'def core := 3\n' }, { folder: 'core' }),
    });
    lake = workspace.lake('app');
  });
  after(() => workspace.remove());

  test('--no-build with stale imports: code 3, nothing on standard output', async () => {
    const { code, stdout, stderr } = await setup('app/App.lean', ['Init', 'App.Base'], '--no-build', '--no-cache');
    assert.deepEqual([code, stdout], [3, '']);
    assert.match(stderr, /^✖ \[3\/5\] Building Core\nerror: target is out-of-date and needs to be rebuilt\nSome required targets logged failures:\n- Core\n$/);
  });

  test('builds what is imported, says so on standard error, and prints the setup as one line of JSON', async () => {
    const { code, stdout, stderr } = await setup('app/App.lean', ['Init', 'App.Base']);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^✔ \[3\/5\] Built Core \(.*\)\n⚠ \[4\/5\] Built App\.Base \(.*\)\nwarning: App\/Base\.lean:2:0: declaration uses `sorry`\n$/);
    assert.match(stdout, /^\{.*\}\n$/);
    assert.deepEqual(JSON.parse(stdout), {
      name: 'App',
      package: 'app',
      isModule: false,
      importArts: { 'App.Base': artifacts('app', 'App/Base.olean'), Core: artifacts('core', 'Core.olean') },
      dynlibs: [],
      plugins: [],
      // moreServerOptions have reached modules since github.com/leanprover/lean4/pull/15042; the server interprets `weak.`.
      options: { 'pp.unicode.fun': false, 'weak.linter.x': false, maxRecDepth: 700, autoImplicit: true, maxHeartbeats: 5 },
    });
    assert.ok(!workspace.exists('app/.lake/build/lib/lean/App.olean'), 'not the file itself');
  });

  test('nothing to build: the warnings of the imports are said again', async () => {
    const { code, stderr } = await setup('app/App.lean', ['App.Base'], '--no-build', '--no-cache');
    assert.equal(code, 0);
    assert.equal(stderr, '⚠ [4/5] Replayed App.Base\nwarning: App/Base.lean:2:0: declaration uses `sorry`\n');
  });

  test('a path through a symbolic link is that of the real file (resolvePath)', async () => {
    fs.symlinkSync(workspace.path('app'), workspace.path('link'));
    const { name, package: owner, options } = JSON.parse((await setup('link/App.lean', ['Core'])).stdout);
    assert.deepEqual([name, owner, options.autoImplicit], ['App', 'app', true]);
  });

  test('a file outside the libraries: without a name, with the options of the package', async () => {
    for (const file of ['app/Outside.lean', 'app/not there.lean', 'app/App/NotThere.lean', 'elsewhere.lean']) {
      const { name, options, importArts, ...rest } = JSON.parse((await setup(file, ['Core'])).stdout);
      assert.deepEqual([name, options, Object.keys(importArts)], ['_unknown', { 'pp.unicode.fun': true, 'weak.linter.x': false, maxRecDepth: 700 }, ['Core']]);
      assert.ok(!('package' in rest));
    }
  });

  test('the header as an argument, and the file\'s own without one', async () => {
    const given = JSON.parse((await lake('setup-file', 'App.lean', header('Core'))).stdout);
    assert.deepEqual(Object.keys(given.importArts), ['Core']);
    assert.deepEqual(Object.keys(JSON.parse((await lake('setup-file', 'App.lean')).stdout).importArts), ['App.Base', 'Core']);
    assert.equal(JSON.parse((await lake('setup-file', 'App/Mod.lean')).stdout).isModule, true);
    assert.match((await lake('setup-file', 'Missing.lean')).stderr,
      new RegExp(`error: no such file or directory \\(error code: 2\\)\n {2}file: ${workspace.path('app/Missing.lean')}\n`));
  });

  test('wrong calls (CLI/Main.lean)', async () => {
    assert.deepEqual(await lake('setup-file'), { code: 1, stdout: '', stderr: 'error: missing file path\n' });
    assert.match((await lake('setup-file', 'App.lean', 'Init')).stderr, /^error: failed to parse header JSON: /); // the form before 4.22
    assert.equal((await lake('setup-file', 'App.lean', '-', 'x')).stderr, 'error: unexpected arguments: x\n');
    assert.equal((await lake('setup-file', 'App.lean', '--nope')).stderr, 'error: unknown long option \'--nope\'\n');
  });

  test('an import that does not compile: the report and code 1', async () => {
    workspace.write('core/Core.lean', 'def core : Nat := "3"\n');
    const { code, stdout, stderr } = await setup('app/App.lean', ['App.Base']);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^✖ \[3\/5\] Building Core \(.*\)\nerror: Core\.lean:1:18: Type mismatch\n/);
    assert.match(stderr, /\nSome required targets logged failures:\n- Core\nFailed to build module dependencies\.\n$/);
    workspace.write('core/Core.lean', 'def core := 3\n');
  });

  test('an import without a file, and a file that imports itself', async () => {
    const { code, stderr } = await setup('app/App.lean', ['App.Nope']);
    assert.equal(code, 1);
    assert.match(stderr, /✖ \[2\/3\] Running App\.Nope\nerror: no such file or directory /);
    assert.match(stderr, /\n✖ \[3\/3\] Running setup-file .*App\.lean\nerror: App\.lean: bad import 'App\.Nope'\n/);
    assert.match((await setup('app/App.lean', ['App'])).stderr, /\nerror: App\.lean: module imports itself\n/);
  });

  test('an import that nobody owns is left to Lean', async () => {
    const { code, stdout } = await setup('app/App.lean', ['Init', 'Nowhere.At.All']);
    assert.deepEqual([code, JSON.parse(stdout).importArts], [0, {}]);
  });

  test('no lakefile: code 2 without a word', async () => {
    assert.deepEqual(await run(nativeLake, ['setup-file', 'x.lean', '-'], { cwd: '/', input: `${header()}\n` }), { code: 2, stdout: '', stderr: '' });
  });

  test('the server was started with a broken lakefile: its log, and code 1', async () => {
    const broken = workspace.lake('app', { env: { LAKE_INVALID_CONFIG: 'error: the reason\n' } });
    assert.deepEqual(await broken('setup-file', 'App.lean'), { code: 1, stdout: '',
      stderr: 'error: the reason\nFailed to configure the Lake workspace. Please restart the server after fixing the error above.\n' });
  });

  test('the lakefile broke after the start: code 1', async () => {
    const config = workspace.read('app/lakefile.toml');
    workspace.write('app/lakefile.toml', `${config}\nx = \n`);
    const { code, stderr } = await setup('app/App.lean', []);
    assert.equal(code, 1);
    assert.match(stderr, /^error: .*lakefile\.toml:\d+:4: expected a value.*\nFailed to load the Lake workspace\.\n$/);
    workspace.write('app/lakefile.toml', config);
  });

  test('the lakefile itself is ready, whatever is in it', async () => {
    workspace.write('app/lakefile.lean', 'import Lake\n');
    assert.deepEqual(await lake('setup-file', 'lakefile.lean'),
      { code: 0, stderr: '', stdout: '{"importArts":{},"dynlibs":[],"plugins":[],"options":{},"name":"lakefile","isModule":false}\n' });
    workspace.remove('app/lakefile.lean');
  });
});

describe('the module system', { skip: noNativeLean, timeout: 900_000 }, () => {
  let workspace, lake;
  const visible = 'public section\ninductive T where | a | b\nend\n';
  before(() => {
    // Without the library: its files are not `module`s.
    workspace = new LakeWorkspace(packageOf('demo', { 'lake-manifest.json': emptyManifest('demo'),
      'Demo.lean': 'module\nprelude\npublic import Demo.A\npublic def x : T := T.a\n', 'Demo/A.lean': `module\nprelude\n${visible}` }));
    lake = workspace.lake();
  });
  after(() => workspace.remove());

  test('a `module` has more parts (Build/Module.lean: computeExportInfo, ImportArtifacts of src/Lean/Setup.lean)', async () => {
    const { stdout, stderr } = await lake('setup-file', 'Demo.lean');
    const setup = JSON.parse(stdout || stderr);
    const part = extension => workspace.path(`.lake/build/lib/lean/Demo/A.${extension}`);
    assert.equal(setup.isModule, true);
    assert.deepEqual(setup.importArts, { 'Demo.A': [[part('olean'), part('olean.server')], [part('ir.sig'), part('ir')]] });
    const all = await lake('setup-file', 'Demo.lean',
      JSON.stringify({ isModule: true, imports: [{ module: 'Demo.A', importAll: true, isExported: false, isMeta: false }] }));
    assert.deepEqual(JSON.parse(all.stdout).importArts['Demo.A'][0], [part('olean'), part('olean.server'), part('olean.private')]);
  });

  test('what importers do not see is no reason to compile them (fetchImportInfo)', async () => {
    await lake('build');
    workspace.write('Demo/A.lean', `module\nprelude\n-- The places of declarations are in another part.\n${visible}`);
    const { stdout } = await lake('build');
    assert.match(stdout, /Built Demo\.A /);
    assert.doesNotMatch(stdout, /Built Demo /);
  });
});

describe('setup-file of the embedded Lean', { skip: noWasmLean, timeout: 900_000 }, () => {
  test('the same code: 3, 0 and 2', async () => {
    const workspace = new LakeWorkspace(packageOf('demo', { 'lake-manifest.json': emptyManifest('demo'), 'Demo.lean': 'import Demo.A\n', 'Demo/A.lean': '' }));
    const lake = workspace.lake('.', { lake: wasmLake });
    assert.equal((await lake('setup-file', 'Demo.lean', '--no-build')).code, 3);
    const { code, stdout } = await lake('setup-file', 'Demo.lean');
    assert.deepEqual([code, JSON.parse(stdout).name], [0, 'Demo']);
    workspace.remove('lakefile.toml');
    assert.equal((await lake('setup-file', 'Demo.lean')).code, 2);
    workspace.remove();
  });
});

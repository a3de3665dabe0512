// What a client sees of `lake serve`, and of `lake setup-file` for each file. The worker's side is in src/Lean/Server/FileWorker/SetupFile.lean and
// src/Lean/Server/FileWorker.lean (Lean 4.35.0). The native Lean has it; the embedded Lean's watchdog imitates it (fixtures/lean-wasm/lib).
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { emptyManifest, LakeWorkspace, nativeLake, noNativeLean, noWasmLean, packageOf, wasmLake } from '../support/lake-workspace.mjs';
import { LspClient } from '../support/lsp-client.mjs';
import { processes, until } from '../support/processes.mjs';

const leans = [
  { what: 'the native Lean', lake: nativeLake, skip: noNativeLean },
  { what: 'the embedded Lean', lake: wasmLake, skip: noWasmLean },
];
const firstLine = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
const outOfDate = 'Imports are out of date and must be rebuilt; use the "Restart File" command in your editor.';

for (const { what, lake, skip } of leans) {
  describe(`a client of ${what}`, { skip, timeout: 900_000 }, () => {
    let workspace, client;
    afterEach(async () => {
      await client?.dispose();
      workspace?.remove();
    });

    const start = async (files, folder = '.', env = {}) => {
      workspace = new LakeWorkspace(files);
      client = new LspClient(lake, ['serve'], { cwd: workspace.path(folder), env: { ...process.env, ...env }, deadline: 180_000 });
      await client.initialize();
    };
    const open = (file, options = {}, version = 1) => {
      client.open(workspace.uri(file), workspace.read(file), version, options);
      return client.check(workspace.uri(file), version);
    };
    const published = file => client.received
      .filter(m => m.method === 'textDocument/publishDiagnostics' && m.params.uri === workspace.uri(file)).map(m => m.params.diagnostics);
    const demo = (modules, options) => packageOf('demo', { 'lake-manifest.json': emptyManifest('demo'), ...modules }, options);

    /** Checks an error of the setup: the only message, at the first line, for the whole file, whose progress ends with kind 2. */
    const onlyHeaderError = (file, diagnostics) => {
      assert.equal(diagnostics.length, 1);
      const [{ message, severity, range, fullRange }] = diagnostics;
      const lines = workspace.read(file).split('\n').length - 1;
      assert.deepEqual({ severity, range, fullRange },
        { severity: 1, range: firstLine, fullRange: { start: firstLine.start, end: { line: lines, character: 0 } } });
      assert.ok(client.progress(workspace.uri(file)).some(processing => processing[0]?.kind === 2));
      return message;
    };

    test('code 0: each line of the build is the only diagnostic for a while, then they are emptied, then the file is checked', async () => {
      await start(demo({ 'Demo.lean': 'import Demo.A\nexample : 1 = 2 := rfl\n', 'Demo/A.lean': 'example : 1 = 1 := by sorry\n' }));
      const diagnostics = await open('Demo.lean');
      assert.deepEqual(diagnostics.map(({ severity, range }) => [severity, range.start.line]), [[1, 1]]);
      const sets = published('Demo.lean');
      const progress = sets.filter(set => set.length === 1 && set[0].severity === 3);
      assert.match(progress[0][0].message, /^⚠ \[2\/3\] Built Demo\.A \(.*\)\n$/);
      assert.equal(progress[1][0].message, 'warning: Demo/A.lean:1:0: declaration uses `sorry`\n');
      assert.equal(progress.length, 2);
      const { range, fullRange } = progress[0][0];
      assert.deepEqual([range, fullRange], [firstLine, { start: firstLine.start, end: { line: 2, character: 0 } }]);
      assert.deepEqual(sets[sets.indexOf(progress[1]) + 1], []);
    });

    test('code 0: options of the package, of the library and for the server reach the file; arguments for all reach all', async () => {
      await start(demo({ 'Demo.lean': 'example (n : Nat) : True := trivial\n#check fun n : Nat => n\n', 'Outside.lean': '#check fun n : Nat => n\n' }, {
        lakefile: 'moreGlobalServerArgs = ["-Dserver.reportDelayMs=7"]\nmoreServerOptions = {linter.unusedVariables = false}\n'
          + '[leanOptions]\npp.unicode.fun = false\n',
        libraryKeys: 'leanOptions = {pp.unicode.fun = true}\n',
      }));
      assert.deepEqual((await open('Demo.lean')).map(({ message }) => message), ['fun n ↦ n : Nat → Nat']);
      assert.deepEqual((await open('Outside.lean')).map(({ message }) => message), ['fun n => n : Nat → Nat']);
      const uris = ['Demo.lean', 'Outside.lean'].map(file => workspace.uri(file));
      const workers = processes().filter(({ argv }) => argv.includes('--worker') && uris.includes(argv.at(-1)));
      assert.equal(workers.length, 2);
      for (const { argv } of workers) assert.ok(argv.includes('-Dserver.reportDelayMs=7'), argv.join(' '));
    });

    test('code 2: without a lakefile a file is checked with Lean\'s own library', async () => {
      await start({ 'X.lean': 'example : 1 = 2 := rfl\n' });
      assert.match(client.stderr, /^error: \[root\]: no configuration file with a supported extension:\n.*\n.*\n/);
      assert.match(client.stderr, /\nwarning: package configuration has errors, falling back to plain `lean --server`\n$/);
      const diagnostics = await open('X.lean');
      assert.deepEqual(diagnostics.map(({ severity, range }) => [severity, range.start.line]), [[1, 0]]);
    });

    test('code 3: "never" with stale imports; code 0 once they are built', async () => {
      await start(demo({ 'Demo.lean': 'import Demo.A\n', 'Demo/A.lean': '' }));
      assert.equal(onlyHeaderError('Demo.lean', await open('Demo.lean', { dependencyBuildMode: 'never' })), outOfDate);
      client.close(workspace.uri('Demo.lean'));
      assert.deepEqual(await open('Demo.lean', { dependencyBuildMode: 'once' }, 2), []);
      client.close(workspace.uri('Demo.lean'));
      assert.deepEqual(await open('Demo.lean', { dependencyBuildMode: 'never' }, 3), []);
    });

    test('"once" is "never" from the second start of the worker on', async () => {
      await start(demo({ 'Demo.lean': 'import Demo.A\n', 'Demo/A.lean': '', 'Demo/B.lean': '' }));
      assert.deepEqual(await open('Demo.lean', { dependencyBuildMode: 'once' }), []);
      workspace.write('Demo.lean', 'import Demo.B\n');
      client.change(workspace.uri('Demo.lean'), workspace.read('Demo.lean'), 2);
      assert.equal(onlyHeaderError('Demo.lean', await client.check(workspace.uri('Demo.lean'), 2)), outOfDate);
    });

    test('code 1: an import that does not compile; what Lake printed is the error, and the next start tries again', async () => {
      await start(demo({ 'Demo.lean': 'import Demo.A\n', 'Demo/A.lean': 'def x : Nat := "a"\n' }));
      const message = onlyHeaderError('Demo.lean', await open('Demo.lean'));
      assert.ok(message.startsWith(`\`${lake} setup-file ${workspace.path('Demo.lean')} -\` failed:\n\nstderr:\n✖ [2/3] Building Demo.A (`), message);
      assert.match(message, /\nerror: Demo\/A\.lean:1:15: [^]*\nerror: Lean exited with code 1\nSome required targets logged failures:\n- Demo\.A\n/);
      assert.match(message, /\nFailed to build module dependencies\.\n$/);
      workspace.write('Demo/A.lean', 'def x : Nat := 1\n');
      client.close(workspace.uri('Demo.lean'));
      assert.deepEqual(await open('Demo.lean', {}, 2), []);
    });

    test('code 1: an import without a file', async () => {
      await start(demo({ 'Demo.lean': 'import Demo.Nope\n' }));
      assert.match(onlyHeaderError('Demo.lean', await open('Demo.lean')),
        /✖ \[2\/3\] Running Demo\.Nope\nerror: no such file or directory \(error code: 2\)\n {2}file: .*Nope\.lean\n/);
    });

    test('a lakefile that is broken at the start: said at the start, and at each file until the server is started again', async () => {
      await start(demo({ 'Demo.lean': 'def x := 1\n' }, { lakefile: 'nonsense' }));
      assert.match(client.stderr, /^error: .*lakefile\.toml:3:8: expected '='\nwarning: package configuration has errors, falling back to plain `lean --server`\n$/);
      workspace.write('lakefile.toml', 'name = "demo"\n[[lean_lib]]\nname = "Demo"\n');
      const message = onlyHeaderError('Demo.lean', await open('Demo.lean'));
      assert.match(message, /failed:\n\nstderr:\nerror: .*lakefile\.toml:3:8: expected '='\nFailed to configure the Lake workspace\. /);
      assert.match(message, / Please restart the server after fixing the error above\.\n$/);
      await client.dispose();
      client = new LspClient(lake, ['serve'], { cwd: workspace.folder, deadline: 180_000 });
      await client.initialize();
      assert.deepEqual(await open('Demo.lean'), []);
    });

    test('a lakefile that breaks later', async () => {
      await start(demo({ 'Demo.lean': 'def x := 1\n' }));
      workspace.write('lakefile.toml', 'name = 1\n');
      assert.match(onlyHeaderError('Demo.lean', await open('Demo.lean')), /stderr:\nerror: .*lakefile\.toml: name: expected string\nFailed to load the Lake workspace\.\n$/);
    });

    test('code 4: the toolchain of a dependency is newer, and Lake wants to be started again', async () => {
      await start({
        ...packageOf('demo', {
          'lake-manifest.json': emptyManifest('demo').replace('[]', '[{"type": "path", "name": "core", "inherited": false, "dir": "../core"}]'),
          'lean-toolchain': 'leanprover/lean4:v4.1.0\n', 'Demo.lean': '\n',
        }, { folder: 'demo', lakefile: '[[require]]\nname = "core"\npath = "../core"\n' }),
        ...packageOf('core', { 'lean-toolchain': 'leanprover/lean4:v4.2.0\n' }, { folder: 'core' }),
      }, 'demo');
      workspace.remove('demo/lake-manifest.json');
      const message = onlyHeaderError('demo/Demo.lean', await open('demo/Demo.lean'));
      assert.match(message, /\ninfo: updating toolchain to 'leanprover\/lean4:v4\.2\.0'\ninfo: no Elan detected; you will need to manually restart Lake\n$/);
      assert.equal(workspace.read('demo/lean-toolchain'), 'leanprover/lean4:v4.2.0');
    });

    test('a document without a file has no setup', async () => {
      await start(demo({ 'Demo.lean': '' }, { lakefile: 'nonsense' }));
      client.open('untitled:Untitled-1', 'example : 1 = 2 := rfl\n');
      const diagnostics = await client.check('untitled:Untitled-1');
      assert.deepEqual(diagnostics.map(({ severity, range }) => [severity, range.start.line]), [[1, 0]]);
    });

    test('the exit of the server is the exit of lake', async () => {
      await start(demo({ 'Demo.lean': '' }));
      assert.deepEqual(await client.shutdown(), { code: 0, signal: null });
    });

    test('when the client is gone, so is the server', async () => {
      await start(demo({ 'Demo.lean': 'def x := 1\n' }));
      await open('Demo.lean');
      client.process.stdin.end();
      assert.notEqual((await client.exited).code, 0);
      await until(() => !processes().some(({ argv }) => argv.at(-1) === workspace.uri('Demo.lean')));
    });
  });
}

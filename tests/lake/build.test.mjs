// `lake build`: its output when that is not a terminal, its exit codes, and when it compiles which module
// (Lake/Build/{Run,Module,Library,Common}.lean, Lake/CLI/{Main,Build,Error}.lean).
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, afterEach, before, describe, test } from 'node:test';
import { LakeWorkspace, nativeLake, noNativeLean, noWasmLean, packageOf, wasmLake, emptyManifest } from '../support/lake-workspace.mjs';

const leans = [
  { what: 'the native Lean', lake: nativeLake, skip: noNativeLean },
  { what: 'the embedded Lean', lake: wasmLake, skip: noWasmLean },
];
const visible = text => `@[expose] public section\n${text}`; // on the embedded Lean, every file is a module
const time = String.raw`\((?:\d+ms|\d\.\ds|\d+s)\)`;

for (const { what, lake: program, skip } of leans) {
  describe(`build, ${what}`, { skip, timeout: 900_000 }, () => {
    let workspace, lake;
    before(() => {
      workspace = new LakeWorkspace(packageOf('demo', {
        'lake-manifest.json': emptyManifest('demo'),
        'Demo.lean': 'import Demo.Use\n',
        'Demo/Base.lean': visible('def Demo.base := 3\n'),
        'Demo/Use.lean': 'import Demo.Base\ntheorem use : Demo.base = 3 := by rfl\nexample : 1 = 1 := by sorry -- 𝔸\n#eval Demo.base\n',
      }));
      lake = workspace.lake('.', { lake: program });
    });
    after(() => workspace.remove());

    test('in the order of imports; messages with their places; the jobs are counted as Lake counts (Build/Run.lean: reportJob)', async () => {
      const { code, stdout, stderr } = await lake('build');
      assert.match(stdout, new RegExp(`^✔ \\[2/5\\] Built Demo\\.Base ${time}
⚠ \\[3/5\\] Built Demo\\.Use ${time}
warning: Demo/Use\\.lean:3:0: declaration uses \`sorry\`
info: Demo/Use\\.lean:4:0: 3
✔ \\[4/5\\] Built Demo ${time}
Build completed successfully \\(5 jobs\\)\\.\n$`));
      assert.deepEqual([code, stderr], [0, '']);
    });

    test('a second build only repeats what was said (Build/Common.lean: replay)', async () => {
      const { code, stdout } = await lake('build');
      assert.equal(code, 0);
      assert.equal(stdout, '⚠ [3/5] Replayed Demo.Use\nwarning: Demo/Use.lean:3:0: declaration uses `sorry`\ninfo: Demo/Use.lean:4:0: 3\n'
        + 'Build completed successfully (5 jobs).\n');
    });

    test('a module that is reached on billions of paths', { skip: program === nativeLake ? false : 'the modules are many' }, async () => {
      const modules = Array.from({ length: 48 }, (_, i) => [`Demo/Deep${i}.lean`, [i - 1, i - 2].filter(before => before >= 0).map(before => `import Demo.Deep${before}\n`).join('')]);
      for (const [name, text] of modules) workspace.write(name, text);
      const { code, stdout } = await lake('build', '+Demo.Deep47');
      assert.match(stdout, /Built Demo\.Deep47 /);
      assert.equal(code, 0);
    });

    test('leanOptions: the library\'s after the package\'s, and a changed option is a reason to compile', async () => {
      const config = workspace.read('lakefile.toml');
      workspace.write('Demo/Extra.lean', 'example (n : Nat) : True := trivial\n#check fun n : Nat => n\n');
      const unused = /^warning: Demo\/Extra\.lean:1:9: /m;
      const before = await lake('build', '+Demo.Extra');
      assert.match(before.stdout, unused);
      assert.match(before.stdout, /^info: Demo\/Extra\.lean:2:0: fun n => n : Nat → Nat$/m);
      workspace.write('lakefile.toml', `${config.replace('[[lean_lib]]', '[leanOptions]\nlinter.unusedVariables = false\npp.unicode.fun = false\n[[lean_lib]]')
      }leanOptions = {pp.unicode.fun = true}\n`);
      const after = await lake('build', '+Demo.Extra');
      assert.doesNotMatch(after.stdout, unused);
      assert.match(after.stdout, /^info: Demo\/Extra\.lean:2:0: fun n ↦ n : Nat → Nat$/m);
      workspace.write('lakefile.toml', config);
    });

    test('lean FILE builds the imports first, and runs Lean with the options of the file (Build/Module.lean: prepareLeanCommand)', async () => {
      workspace.write('Demo/Base.lean', visible('def Demo.base := 3 -- again\n'));
      const { code, stdout, stderr } = await lake('lean', 'Demo/Use.lean', '--', '--json');
      assert.equal(code, 0, stderr);
      assert.deepEqual(stdout.trim().split('\n').map(line => JSON.parse(line)).filter(({ isSilent }) => !isSilent).map(({ severity, data }) => [severity, data]),
        [['warning', 'declaration uses `sorry`'], ['information', '3']]);
    });
  });
}

describe('build, what fails', { skip: noNativeLean, timeout: 900_000 }, () => {
  let workspace, lake;
  const make = (modules, options) => {
    workspace = new LakeWorkspace(packageOf('demo', { 'lake-manifest.json': emptyManifest('demo'), ...modules }, options));
    lake = workspace.lake();
  };
  afterEach(() => workspace?.remove());

  test('an error: ✖, its importers are not mentioned, the others are built, the failures are listed, code 1', async () => {
    make({ 'Demo.lean': 'import Demo.Bad\nimport Demo.Good\n', 'Demo/Bad.lean': 'def x : Nat := "a"\n#eval 1\n', 'Demo/Good.lean': 'def y := 1\n' });
    const { code, stdout, stderr } = await lake('build');
    assert.equal(code, 1);
    assert.match(stdout, new RegExp(`^✖ \\[\\d/5\\] Building Demo\\.Bad ${time}\nerror: Demo/Bad\\.lean:1:15: Type mismatch\n`, 'm'));
    assert.match(stdout, /^info: Demo\/Bad\.lean:2:0: 1\nerror: Lean exited with code 1$/m);
    assert.match(stdout, /^✔ \[\d\/5\] Built Demo\.Good /m);
    assert.match(stdout, /\nSome required targets logged failures:\n- Demo\.Bad\n$/);
    assert.doesNotMatch(stdout, /Built Demo |Building Demo$/m);
    assert.equal(stderr, 'error: build failed\n');
  });

  test('--no-build: what is stale is an error, and the code is 3 (buildAction, noBuildCode)', async () => {
    make({ 'Demo.lean': 'import Demo.A\n', 'Demo/A.lean': '' });
    assert.deepEqual(await lake('build', '--no-build'), { code: 3, stderr: '',
      stdout: '✖ [2/4] Building Demo.A\nerror: target is out-of-date and needs to be rebuilt\nSome required targets logged failures:\n- Demo.A\n' });
    await lake('build');
    assert.deepEqual(await lake('build', '--no-build'), { code: 0, stderr: '', stdout: 'All targets up-to-date (4 jobs).\n' });
  });

  test('an import without a file (Build/Module.lean: collectImportsAux, Build/Library.lean: recCollectLocalModules)', async () => {
    make({ 'Demo.lean': 'import Demo.Nope\n' });
    assert.deepEqual(await lake('build'), { code: 1, stderr: 'error: build failed\n', stdout:
      `✖ [2/4] Running Demo.Nope\nerror: no such file or directory (error code: 2)\n  file: ${workspace.path('Demo/Nope.lean')}
✖ [3/4] Running Demo\nerror: Demo.lean: bad import 'Demo.Nope'
✖ [4/4] Running demo/Demo:leanArts\nerror: Demo: some modules have bad imports or could not be read
Some required targets logged failures:\n- Demo.Nope\n- Demo\n- demo/Demo:leanArts\n` });
  });

  test('a module that imports itself; a cycle', async () => {
    make({ 'Demo.lean': 'import Demo\n' });
    assert.match((await lake('build')).stdout, /^✖ \[2\/3\] Running Demo\nerror: Demo\.lean: module imports itself\n/);
    workspace.write('Demo.lean', 'import Demo.A\n');
    workspace.write('Demo/A.lean', 'import Demo\n');
    const { code, stderr } = await lake('build');
    assert.equal(code, 1);
    assert.match(stderr, /^error: build cycle detected:\n {2}\+Demo:leanArts\n {2}\+Demo\.A:leanArts\n {2}\+Demo:leanArts\n$/);
  });

  test('targets that do not exist (CLI/Error.lean)', async () => {
    make({ 'Demo.lean': '', 'Scratch.lean': '' });
    const errorOf = async target => (await lake('build', target)).stderr;
    assert.equal(await errorOf('Nope'), 'error: unknown target `Nope`\n');
    assert.equal(await errorOf('+Nope'), 'error: unknown module `Nope`\n');
    assert.equal(await errorOf('a/b/c.lean'), 'error: unknown module source path `a/b/c.lean`\n');
    assert.equal(await errorOf('a:b:c'), 'error: invalid target specifier \'a:b:c\' (too many \':\')\n');
    assert.match(await errorOf('Demo:shared'), /the facet 'shared' is not supported by this stand-in/);
    assert.equal((await lake('build', 'Demo.lean')).code, 0);
    assert.equal((await lake('build', 'Demo/Anything.lean')).code, 1);
  });

  test('no targets at all is warned of', async () => {
    make({ 'Demo.lean': '' });
    workspace.write('lakefile.toml', 'name = "demo"\n');
    const { code, stdout, stderr } = await lake('build');
    assert.deepEqual([code, stdout], [0, 'Nothing to build.\n']);
    assert.match(stderr, /^warning: no targets specified and no default targets configured\n/);
    assert.equal((await lake('build', '--allow-empty')).stderr, '');
  });

  test('-q: only what has a warning or an error; -v: everything', async () => {
    make({ 'Demo.lean': 'import Demo.A\n#eval 1\n', 'Demo/A.lean': 'example : 1 = 1 := by sorry\n' });
    const quiet = await lake('build', '-q');
    assert.match(quiet.stdout, new RegExp(`^⚠ \\[2/4\\] Built Demo\\.A ${time}\nwarning: Demo/A\\.lean:1:0: declaration uses \`sorry\`\n$`));
    assert.match((await lake('-v', 'build')).stdout, /^✔ \[1\/4\] Ran demo:extraDep\n⚠ \[2\/4\] Replayed Demo\.A\n/);
  });
});

describe('build, when', { skip: noNativeLean, timeout: 900_000 }, () => {
  let workspace, lake;
  const built = stdout => [...stdout.matchAll(/Built (\S+)/g)].map(([, name]) => name).sort();
  before(async () => {
    workspace = new LakeWorkspace(packageOf('demo', {
      'lake-manifest.json': emptyManifest('demo'),
      'Demo.lean': 'import Demo.Mid\n', 'Demo/Mid.lean': 'import Demo.Low\n', 'Demo/Low.lean': 'def low := 1\n', 'Demo/Other.lean': '',
    }));
    lake = workspace.lake();
    assert.equal((await lake('build')).code, 0);
  });
  after(() => workspace.remove());

  test('a comment does not reach the importers: what they see is the same (fetchImportInfo)', async () => {
    workspace.write('Demo/Low.lean', 'def low := 1\n-- more\n');
    assert.deepEqual(built((await lake('build')).stdout), ['Demo.Low']);
  });

  test('a change reaches all that import it, directly or not (allTransTrace)', async () => {
    workspace.write('Demo/Low.lean', 'def low := 2\n');
    assert.deepEqual(built((await lake('build')).stdout), ['Demo', 'Demo.Low', 'Demo.Mid']);
  });

  test('the time of a file is no reason, and neither are line ends (BuildTrace of a text file)', async () => {
    workspace.write('Demo/Low.lean', 'def low := 2\r\n');
    assert.deepEqual(built((await lake('build')).stdout), []);
  });

  test('missing products are a reason', async () => {
    workspace.remove('.lake/build/lib/lean/Demo/Mid.olean');
    assert.deepEqual(built((await lake('build')).stdout), ['Demo.Mid']);
    workspace.remove('.lake/build/lib/lean/Demo/Mid.trace');
    assert.deepEqual(built((await lake('build')).stdout), ['Demo.Mid']);
  });

  test('moreLeanArgs are a reason and reach Lean, weakLeanArgs only reach it (Config/LeanLib.lean)', async () => {
    const config = workspace.read('lakefile.toml');
    workspace.write('lakefile.toml', `moreLeanArgs = ["-DmaxRecDepth=700"]\n${config}`);
    assert.equal(built((await lake('build')).stdout).length, 3);
    workspace.write('lakefile.toml', `moreLeanArgs = ["-DmaxRecDepth=700"]\nweakLeanArgs = ["-Dno.such.option=1"]\n${config}`);
    assert.deepEqual(built((await lake('build')).stdout), []);
    assert.match((await lake('build', '+Demo.Other')).stdout, /✖ \[2\/2\] Building Demo\.Other/);
    workspace.write('lakefile.toml', config);
    await lake('build');
  });

  test('the trace has Lake\'s form (Build/Common.lean: BuildMetadata)', () => {
    const trace = workspace.json('.lake/build/lib/lean/Demo/Low.trace');
    assert.deepEqual(Object.keys(trace), ['schemaVersion', 'synthetic', 'depHash', 'inputs', 'outputs', 'log']);
    assert.match(trace.depHash, /^[0-9a-f]{16}$/);
    assert.deepEqual(trace.inputs.map(([caption]) => caption).slice(1), ['Demo/Low.lean', 'Module.leanArgs']);
  });

  test('globs say what a library builds; a module outside them has no owner', async () => {
    const config = workspace.read('lakefile.toml');
    workspace.write('lakefile.toml', `${config}globs = ["Demo", "Demo.+"]\n`);
    workspace.remove('.lake');
    assert.deepEqual(built((await lake('build')).stdout), ['Demo', 'Demo.Low', 'Demo.Mid', 'Demo.Other']);
    workspace.write('lakefile.toml', `${config}globs = ["Demo.Low"]\n`);
    assert.equal((await lake('build', '+Demo.Other')).stderr, 'error: unknown module `Demo.Other`\n');
    workspace.write('lakefile.toml', config);
  });

  test('srcDir of the package and of the library', async () => {
    const other = new LakeWorkspace(packageOf('demo', { 'src/lib/Demo.lean': 'import Demo.A\n', 'src/lib/Demo/A.lean': '#eval 1\n' },
      { lakefile: 'srcDir = "src"\n', libraryKeys: 'srcDir = "lib"\n' }));
    assert.match((await other.lake()('build')).stdout, /info: src\/lib\/Demo\/A\.lean:1:0: 1\n/);
    assert.match((await other.lake()('env')).stdout, new RegExp(`^LEAN_SRC_PATH=${other.path('src/lib')}`, 'm'));
    other.remove();
  });

  test('two builds at once leave whole files. (Lake has no lock either, Lake/Util/Lock.lean; here nothing is written in place.)', async () => {
    workspace.remove('.lake');
    const results = await Promise.all([lake('build'), lake('build'), lake('build')]);
    assert.deepEqual(results.map(({ code }) => code), [0, 0, 0], results.map(({ stdout }) => stdout).join('\n'));
    assert.deepEqual(built((await lake('build')).stdout), []);
    assert.deepEqual(fs.readdirSync(workspace.path('.lake/build/lib/lean'), { recursive: true }).filter(file => file.includes('.tmp')), []);
  });
});

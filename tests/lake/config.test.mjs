// Reading a package: TOML, the keys of a lakefile, globs, names. No Lean is needed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from '../../fixtures/lake/config.mjs';
import { matchesGlob, modulesOfGlob, parseGlob } from '../../fixtures/lake/glob.mjs';
import { joinName, moduleHeader, parseHeader, splitName } from '../../fixtures/lake/header.mjs';
import { LakeError, Log } from '../../fixtures/lake/log.mjs';
import { compareToolchains } from '../../fixtures/lake/toolchain-file.mjs';
import { parseToml, TomlError } from '../../fixtures/lake/toml.mjs';
import { LakeWorkspace } from '../support/lake-workspace.mjs';

const plain = value => JSON.parse(JSON.stringify(value));

describe('TOML (toml.io, version 1.0)', () => {
  test('tables, arrays of tables, dotted and quoted keys', () => {
    assert.deepEqual(plain(parseToml('a.b = 1\n[t]\n"q.r" = true\n[[x]]\nn = \'1\'\n[[x]]\n[x.y]\nz = [1, # c\n 2,]\n')),
      { a: { b: 1 }, t: { 'q.r': true }, x: [{ n: '1' }, { y: { z: [1, 2] } }] });
  });

  test('strings, integers, inline tables', () => {
    const text = 's = "a\\t\\u00e9\\"#" # c\r\nl = """\nx\n  y\\\n   z"""\nr = \'\'\'\nn\\n\'\'\'\nh = 0xff\ni = -1_000\nt = { a = 1, b = [{ c = "}" }] }\n';
    assert.deepEqual(plain(parseToml(text)),
      { s: 'a\té"#', l: 'x\n  yz', r: 'n\\n', h: 255, i: -1000, t: { a: 1, b: [{ c: '}' }] } });
  });

  test('errors have a position', () => {
    const errorOf = text => {
      try {
        return parseToml(text) && undefined;
      } catch (error) {
        assert.ok(error instanceof TomlError);
        return [error.line, error.column];
      }
    };
    assert.deepEqual(errorOf('a = 1\nb = \n'), [2, 4]);
    assert.deepEqual(errorOf('a = 1\na = 2'), [2, 4]);
    assert.deepEqual(errorOf('a = "x'), [1, 6]);
    assert.deepEqual(errorOf('[t]\n[t]'), [2, 3]);
    assert.deepEqual(errorOf('d = 2020-01-01'), [1, 4]);
    assert.deepEqual(errorOf('a = 1 b = 2'), [1, 6]);
    assert.deepEqual(errorOf('a = [1 2]'), [1, 7]);
  });

  test('keys with a meaning in JavaScript have none here', () => {
    assert.deepEqual(Object.keys(parseToml('__proto__ = 1\nconstructor = 2')), ['__proto__', 'constructor']);
  });
});

describe('lakefile.toml (Lake/Load/Toml.lean)', () => {
  const read = text => {
    const workspace = new LakeWorkspace({ 'lakefile.toml': text });
    const log = new Log();
    try {
      return { config: plain(readConfig(workspace.folder, '[root]', log)) };
    } catch (error) {
      if (!(error instanceof LakeError)) throw error;
      return { errors: [...log.entries.map(({ message }) => message), error.message].map(message => message.replaceAll(workspace.folder, 'DIR')) };
    } finally {
      workspace.remove();
    }
  };

  test('defaults: a library is its root module', () => {
    const { config } = read('name = "p"\n[[lean_lib]]\nname = "A.B"\n');
    assert.equal(config.srcDir, '.');
    assert.deepEqual(config.libraries.map(({ name, roots, globs, srcDir }) => ({ name, roots, globs, srcDir })),
      [{ name: 'A.B', roots: [['A', 'B']], globs: [{ kind: 'one', module: ['A', 'B'] }], srcDir: '.' }]);
    assert.deepEqual([config.buildDir, config.packagesDir], ['.lake/build', '.lake/packages']);
  });

  test('options: a table, whose keys are joined, or a list (decodeLeanOptions)', () => {
    const { config } = read('name = "p"\nmoreServerOptions = [["a.b", 1], {name = "c", value = "x"}]\n[leanOptions]\npp.unicode.fun = true\nweak.linter.x = false\n');
    assert.deepEqual(config.leanOptions, [['pp.unicode.fun', true], ['weak.linter.x', false]]);
    assert.deepEqual(config.moreServerOptions, [['a.b', 1], ['c', 'x']]);
  });

  test('[[require]]: path before git before source (Dependency.decodeToml)', () => {
    const { config } = read('name = "p"\n[[require]]\nname = "a"\npath = "../a"\ngit = "x"\n[[require]]\nname = "b"\ngit = "u"\nrev = "r"\n'
      + '[[require]]\nname = "c"\nsource = {type = "path", dir = "c"}\n[[require]]\nname = "d"\nscope = "s"\n[[require]]\nname = "e"\ngit = {url = "v", subDir = "w"}\n');
    assert.deepEqual(config.dependencies.map(({ name, source, scope }) => ({ name, source, scope })), [
      { name: 'a', source: { type: 'path', dir: '../a' }, scope: '' },
      { name: 'b', source: { type: 'git', url: 'u', rev: 'r' }, scope: '' },
      { name: 'c', source: { type: 'path', dir: 'c' }, scope: '' },
      { name: 'd', source: undefined, scope: 's' },
      { name: 'e', source: { type: 'git', url: 'v', subDir: 'w' }, scope: '' },
    ]);
  });

  test('unknown keys are ignored, as by Lake', () => {
    assert.equal(read('name = "p"\nversion = "0.1.0"\nkeywords = ["x"]\nnonsense = 1\n').config.name, 'p');
  });

  test('what would change the build and is not imitated is an error', () => {
    assert.match(read('name = "p"\nprecompileModules = true\n').errors[0], /'precompileModules' is not supported/);
    assert.match(read('name = "p"\n[[lean_lib]]\nname = "A"\nneeds = ["x"]\n').errors[0], /'needs' is not supported/);
    assert.ok(read('name = "p"\nprecompileModules = false\n').config, 'with the default value nothing changes');
  });

  test('all errors of a file are said', () => {
    assert.deepEqual(read('srcDir = 1\n[leanOptions]\nx = [1]\n'), { errors: [
      'DIR/lakefile.toml: srcDir: expected string',
      'DIR/lakefile.toml: leanOptions: expected string, boolean, or nonnegative integer',
      'DIR/lakefile.toml: package: missing required key: name',
    ] });
    assert.deepEqual(read('name = "p\n').errors, ['DIR/lakefile.toml:1:9: a string without end']);
  });

  test('what a lakefile.lean computes is read from a comment; weak options keep their prefix; errors have their place', () => {
    const workspace = new LakeWorkspace({ 'lakefile.lean': 'import Lake\n/- computes\nname = "p"\nleanOptions = {weak.linter.x = true}\n-/\n' });
    const { name, leanOptions, file } = readConfig(workspace.folder, '[root]', new Log());
    assert.deepEqual([name, leanOptions, file], ['p', [['weak.linter.x', true]], workspace.path('lakefile.lean')]);
    workspace.write('lakefile.lean', 'import Lake\n/- computes\nname = "p\n-/\n');
    assert.throws(() => readConfig(workspace.folder, '[root]', new Log()), /lakefile\.lean:3:9: a string without end$/);
    workspace.remove();
  });

  test('keys that Lake knows and that change no .olean are accepted (Lake/Config/PackageConfig.lean)', () => {
    const keys = 'enableArtifactCache = false\nrestoreAllArtifacts = true\nfixedToolchain = true\nbuiltinLint = false\nallowImportAll = true\n'
      + 'allowNonModules = true\nrequiresModuleSystem = true\nlibPrefixOnWindows = true\nmanifestFile = "lake-manifest.json"\nbuildType = "debug"\n'
      + 'backend = "c"\nextraDepTargets = ["data"]\nmoreLinkObjs = []\ndynlibs = []\n[[input_file]]\nname = "data"\npath = "data.txt"\n';
    assert.equal(read(`name = "p"\n${keys}`).errors, undefined);
  });

  test('no lakefile; a lakefile.lean, which wins (Lake/Load/Package.lean) and cannot be run here', () => {
    const workspace = new LakeWorkspace({ 'x.lean': '' });
    const log = new Log();
    assert.throws(() => readConfig(workspace.folder, '[root]', log), {
      message: `[root]: no configuration file with a supported extension:\n${workspace.path('lakefile.lean')}\n${workspace.path('lakefile.toml')}`,
    });
    workspace.write('lakefile.lean', 'import Lake');
    workspace.write('lakefile.toml', 'name = "p"');
    assert.throws(() => readConfig(workspace.folder, '[root]', log), /cannot run: add a comment that begins with '\/- computes'/);
    assert.equal(log.toString(), 'info: [root]: lakefile.lean and lakefile.toml are both present; using lakefile.lean\n');
    workspace.remove();
  });
});

describe('globs (Lake/Config/Glob.lean)', () => {
  const workspace = new LakeWorkspace({ 'A.lean': '', 'A/B.lean': '', 'A/C/D.lean': '', 'A/C.txt': '' });
  const modules = text => modulesOfGlob(parseGlob(text), workspace.folder).map(joinName);

  test('one, submodules, both', () => {
    assert.deepEqual(modules('A'), ['A']);
    assert.deepEqual(modules('A.+'), ['A.B', 'A.C.D']);
    assert.deepEqual(modules('A.*'), ['A', 'A.B', 'A.C.D']);
    assert.equal(matchesGlob(parseGlob('A.+'), ['A']), false);
    assert.equal(matchesGlob(parseGlob('A.*'), ['A']), true);
    assert.equal(matchesGlob(parseGlob('A'), ['A', 'B']), false);
    assert.equal(parseGlob(''), undefined);
    workspace.remove();
  });
});

describe('headers and names', () => {
  test('comments, module, kinds of import', () => {
    const text = '/- a /- nested -/ -/ module -- b\n\npublic import A.«b.c»\nimport all D meta import E\nimport F\n\n/-- doc -/ def importing := 1\nimport G';
    const header = parseHeader(text);
    assert.equal(header.isModule, true);
    assert.deepEqual(header.imports.map(({ module }) => module), [['A', 'b.c'], ['D'], ['E'], ['F']]);
    assert.deepEqual(header.imports.map(({ isPublic }) => isPublic), [true, false, false, false]);
    assert.deepEqual(header.imports.map(({ isAll }) => isAll), [false, true, false, false]);
    assert.deepEqual(header.imports.map(({ isMeta }) => isMeta), [false, false, true, false]);
  });

  test('none', () => {
    assert.deepEqual(parseHeader('importantly\n').imports, []);
    assert.deepEqual(parseHeader('').imports, []);
    assert.deepEqual(parseHeader('/- open').imports, []);
  });

  test('as the server sends it (ModuleHeader of src/Lean/Setup.lean): Init, and exported unless a module', () => {
    const init = { module: 'Init', importAll: false, isExported: true, isMeta: false };
    assert.deepEqual(moduleHeader('import A.«b.c»'), { isModule: false, imports: [init, { module: 'A.«b.c»', importAll: false, isExported: true, isMeta: false }] });
    assert.deepEqual(moduleHeader('module\nprelude\npublic meta import A\nimport all B').imports, [
      { module: 'A', importAll: false, isExported: true, isMeta: true }, { module: 'B', importAll: true, isExported: false, isMeta: false },
    ]);
  });

  test('names', () => {
    assert.deepEqual(splitName('A.«b.c».D₁'), ['A', 'b.c', 'D₁']);
    assert.equal(joinName(['A', 'b.c', 'D₁']), 'A.«b.c».D₁');
  });

  test('toolchains: releases and nightlies can be compared, each with its kind (Lake/Util/Version.lean)', () => {
    assert.equal(compareToolchains('leanprover/lean4:v4.10.0', 'leanprover/lean4:v4.9.0'), 'newer');
    assert.equal(compareToolchains('leanprover/lean4:v4.9.0-rc2', 'leanprover/lean4:v4.9.0'), 'older');
    assert.equal(compareToolchains('leanprover/lean4:nightly-2026-01-02', 'leanprover/lean4:nightly-2025-12-31'), 'newer');
    assert.equal(compareToolchains('leanprover/lean4:nightly-2026-01-02', 'leanprover/lean4:v4.9.0'), 'incomparable');
    assert.equal(compareToolchains('mine', 'mine'), 'same');
  });
});

// What is packed for macOS, as far as a Linux can see it: no Mac is needed, and none has seen it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { has, output, pack, root, run, standIn, temporaryFolder, VERSION } from './support.mjs';

const folder = temporaryFolder();
const WHEEL = `leanbridge-${VERSION}-py3-none-macosx_11_0_arm64.whl`, BASE = `leanbridge-${VERSION}-macos-arm64`, NPM = `leanbridge-darwin-arm64-${VERSION}.npm.tgz`;
const made = name => path.join(folder, 'dist', name);

/** What scripts/package fetches for macOS, as small as it can be. */
function fetched() {
  const tools = temporaryFolder();
  const write = (name, text) => { fs.mkdirSync(path.dirname(path.join(tools, name)), { recursive: true }); fs.writeFileSync(path.join(tools, name), text); };
  write('zig/ziglang-0.17.0.dist-info/METADATA', 'Metadata-Version: 2.1\nName: ziglang\nVersion: 0.17.0\n');
  write('zig/ziglang/LICENSE', 'MIT of zig');
  for (const name of ['libcxx', 'libcxxabi', 'libunwind']) write(`zig/ziglang/lib/${name}/LICENSE.TXT`, `LLVM, ${name}`);
  write('node_modules/better-sqlite3/package.json', '{\n  "name": "better-sqlite3",\n  "version": "12.0.0"\n}\n');
  write('node_modules/better-sqlite3/deps/sqlite3/sqlite3.h', '/*\n** a blessing\n*****\n#define SQLITE_VERSION        "3.53.2"\n');
  return tools;
}

describe('the packages for macOS', () => {
  let program;
  before(() => {
    program = standIn(folder);
    pack(program, path.join(folder, 'dist'), ':', 'aarch64-macos', ['--tools', fetched()]);
  });
  const digest = bytes => createHash('sha256').update(bytes).digest('hex');

  test('are an archive, a wheel, an npm package and a bundle, with their sums', () => {
    assert.deepEqual(fs.readdirSync(path.join(folder, 'dist')).sort(), ['SHA256SUMS', WHEEL, `${BASE}.mcpb`, NPM, `${BASE}.spdx.json`, `${BASE}.tar.gz`].sort());
    assert.equal(output('sha256sum', ['-c', 'SHA256SUMS'], { cwd: path.join(folder, 'dist') }).trim().split('\n').length, 5);
  });

  test('the archive and the npm package start the program itself, without a launcher', () => {
    for (const [file, prefix] of [[`${BASE}.tar.gz`, `${BASE}/`], [NPM, 'package/']]) {
      const unpacked = temporaryFolder();
      output('tar', ['xzf', made(file), '-C', unpacked]);
      const inside = path.join(unpacked, prefix, 'bin/leanbridge');
      assert.equal(digest(fs.readFileSync(inside)), digest(fs.readFileSync(program)), file);
      assert.equal(fs.statSync(inside).mode & 0o777, 0o755);
      assert.equal(fs.existsSync(path.join(unpacked, prefix, 'lib')), false);
    }
  });

  test('pip takes the wheel for macOS 11 on arm64, and for nothing else', { skip: !has('pip3') && 'no pip' }, () => {
    const install = platform => run('python3', ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', '--only-binary', ':all:', '--platform', platform, '--target', temporaryFolder(), made(WHEEL)]);
    for (const platform of ['macosx_11_0_arm64', 'macosx_15_0_arm64']) assert.equal(install(platform).status, 0, platform);
    for (const platform of ['macosx_10_15_x86_64', 'macosx_15_0_x86_64', 'manylinux_2_34_aarch64']) assert.match(install(platform).stderr, /not a supported wheel/, platform);
  });

  test('npm refuses the package on another system', { skip: !has('npm') && 'no npm' }, () => {
    const project = temporaryFolder();
    const { status, stderr } = run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', project, made(NPM)], { cwd: project });
    assert.notEqual(status, 0);
    assert.match(stderr, /EBADPLATFORM/);
    const manifest = JSON.parse(output('tar', ['xzOf', made(NPM), 'package/package.json']));
    assert.deepEqual([manifest.name, manifest.os, manifest.cpu, manifest.libc, manifest.bin], ['leanbridge-darwin-arm64', ['darwin'], ['arm64'], undefined, { leanbridge: 'bin/leanbridge' }]);
  });

  test('the bundle is for macOS alone, with the same icon and the program where its manifest says', () => {
    const [manifest, sums] = JSON.parse(output('python3', ['-c', 'import hashlib, json, sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nm = json.loads(z.read("manifest.json"))\n' +
      'print(json.dumps([m, {n: [hashlib.sha256(z.read(n)).hexdigest(), z.getinfo(n).external_attr >> 16 & 0o777] for n in (m["icon"], m["server"]["entry_point"])}]))', made(`${BASE}.mcpb`)]));
    const source = JSON.parse(fs.readFileSync(path.join(root, 'deploy/mcpb/manifest.json'), 'utf8'));
    assert.deepEqual(manifest, { ...source, version: VERSION, compatibility: { ...source.compatibility, platforms: ['darwin'] } });
    assert.deepEqual(sums[manifest.server.entry_point], [digest(fs.readFileSync(program)), 0o755]);
    assert.equal(sums[manifest.icon][0], digest(fs.readFileSync(path.join(root, 'deploy/mcpb', source.icon))));
  });

  test('the list of materials names what is linked on macOS, with the licences', () => {
    const { name, packages } = JSON.parse(fs.readFileSync(made(`${BASE}.spdx.json`), 'utf8'));
    assert.equal(name, BASE);
    const purls = packages.slice(1).map(({ externalRefs }) => externalRefs[0].referenceLocator);
    for (const wanted of ['pkg:pypi/ziglang@0.17.0', 'pkg:npm/better-sqlite3@12.0.0']) assert.ok(purls.includes(wanted), wanted);
    for (const purl of purls) assert.doesNotMatch(purl, /libstdc|libc6|libsqlite3|libssl/);
    assert.equal(packages.find(each => each.name === 'SQLite').versionInfo, '3.53.2');
    assert.equal(output('tar', ['xzOf', made(`${BASE}.tar.gz`), `${BASE}/share/doc/leanbridge/licences/libcxx.txt`]), 'LLVM, libcxx');
    assert.match(output('tar', ['xzOf', made(`${BASE}.tar.gz`), `${BASE}/share/doc/leanbridge/licences/sqlite.txt`]), /a blessing/);
  });

  test('without what has to be fetched it says so', () => {
    const { status, stderr } = run('python3', [path.join(root, 'scripts/lib/packaging/make.py'), '--program', program, '--version', VERSION, '--arch', 'aarch64-macos', '--out', temporaryFolder(), '--tools', '/nowhere'],
      { env: { ...process.env, SOURCE_DATE_EPOCH: '1' } });
    assert.equal(status, 1);
    assert.match(stderr, /^package: \/nowhere\/zig\/METADATA does not say what is linked in: scripts\/package --target fetches it\.\n$/);
  });
});

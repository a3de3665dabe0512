// How the process starts and ends: the command line, the end of input, signals, a vanished client. No process may survive.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { binary, fakeLake, isSanitized, notByPosix, scratchProject, spawnBridge, temporaryFolder, withBridge } from '../support/bridge.mjs';
import { assertGone, eventually, inspect, takesLessThan } from '../support/processes.mjs';

const timeout = 30_000;
const file = { 'A.lean': 'theorem a : True := by\n  trivial\n  last -- slow 600000\n' };

/** A bridge with a document open in a fake Lean; `body` ends it. Resolves with what `body` does. */
async function running(scenario, body, { call = true } = {}) {
  const lake = fakeLake(scenario);
  const client = spawnBridge({ project: scratchProject(file), lake: lake.command });
  try {
    await client.connect();
    if (call) await client.call('lean_goal', { file_path: 'A.lean', line: 2, column: 3 });
    return await body(client, lake);
  } finally {
    await client.destroy();
    for (const { pid } of lake.log().filter(entry => entry.pid)) try { process.kill(pid, 'SIGKILL'); } catch { /* as it should be */ }
  }
}
const started = lake => lake.log().filter(entry => entry.pid).map(entry => inspect(entry.pid)).filter(Boolean);

/** The file that a process runs; '' when it has gone. */
const programOf = pid => { try { return fs.readlinkSync(`/proc/${pid}/exe`); } catch { return ''; } };

describe('what other programs of the same user see', { skip: notByPosix('nothing keeps them from it') }, () => {
  // Root can read everything, so as root the bridge and the observer run as another user.
  const asUser = process.getuid() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : ['env'];
  const read = pid => spawnSync(asUser[0], [...asUser.slice(1), 'cat', `/proc/${pid}/environ`], { encoding: 'utf8' });
  test('not the environment of the bridge, where the secrets are that Lean does not get', { timeout }, async () => {
    const folder = temporaryFolder('everyone');
    fs.chmodSync(folder, 0o755);
    fs.copyFileSync(binary, path.join(folder, 'leanbridge'));
    for (const [command, seen] of [['sleep', true], [path.join(folder, 'leanbridge'), false]]) {
      const child = spawn(asUser[0], [...asUser.slice(1), command, ...(seen ? ['60'] : [])], { cwd: '/', env: { PATH: process.env.PATH, MY_TOKEN: 'hidden' }, stdio: ['pipe', 'ignore', 'ignore'] });
      try {
        // Not by its arguments, since the program that changes the user names it there too.
        await eventually(() => path.basename(programOf(child.pid)) === path.basename(command), 5000, 'the program');
        await eventually(() => /hidden/.test(read(child.pid).stdout) === seen, 2000, `the token is ${seen ? '' : 'not '}seen`);
      } finally {
        child.kill('SIGKILL');
      }
    }
  });
});

describe('what an idle process has loaded', () => {
  // Their libraries are half of its start, and of its memory.
  test('neither libcurl nor OpenSSL, with the network and without', { timeout }, async () => {
    for (const args of [[], ['--offline']])
      await withBridge({ project: scratchProject(file), args }, async client => {
        const libraries = fs.readFileSync(`/proc/${client.pid}/maps`, 'utf8').match(/lib(curl|crypto|ssl|gnutls)\b.*/g);
        assert.equal(libraries, null, `${args}: ${libraries}`);
      });
  });
});

describe('what Lean is started with', () => {
  test('neither secrets of the environment nor another project\'s settings, for the server and for a compiler', { timeout }, async () => {
    // Its server dies, so that the compiler is asked too.
    const lake = fakeLake({ rules: [{ on: 'start', do: [{ stderr: 'no server today\n' }, { exit: 3 }] }], compile: { messages: [], exit: 0, stderr: '' } });
    const env = { SOME_API_KEY: 'hidden', GITHUB_TOKEN: 'hidden', DATABASE_URL: 'postgres://me:hidden@db/x', LEAN_PATH: '/elsewhere', PLAIN_SETTING: 'seen' };
    await withBridge({ project: scratchProject(file), lake: lake.command, env, close: { timeoutMs: 8000 } }, async client => {
      const { structured } = await client.call('lean_diagnostic_messages', { file_path: 'A.lean' }, { timeoutMs: 20_000 });
      assert.equal(structured?.fallback_for, 'lean_server');
      const all = lake.log().filter(entry => entry.env);
      assert.deepEqual([...new Set(all.map(({ event }) => event))].sort(), ['compile', 'start']);
      for (const { event, env: names } of all) {
        const leaked = ['SOME_API_KEY', 'GITHUB_TOKEN', 'DATABASE_URL', 'LEAN_PATH'].filter(name => names.includes(name));
        assert.deepEqual(leaked, [], `${event} inherits ${leaked.join(', ')}`);
        assert.ok(names.includes('PLAIN_SETTING'), event);
      }
    });
  });
});

describe('the end of a call', () => {
  test('is the end of the compiler that it has started', { timeout }, () => running({ rules: [{ on: 'start', do: [{ exit: 3 }] }], compile: { messages: [], exit: 0, delay_ms: 60_000 } }, async (client, lake) => {
    const { id } = client.beginCall('lean_check_all', { file_path: 'A.lean', timeout_s: 60 });
    const [{ pid }] = await eventually(() => { const compiled = lake.log().filter(({ event }) => event === 'compile'); return compiled.length && compiled; }, 10_000, 'a compiler');
    assert.ok(inspect(pid), 'it is at work');
    client.cancel(id);
    await eventually(() => !inspect(pid), 5000, 'its end');
  }, { call: false }));
});

describe('the end of input', () => {
  test('before the first message: exit 0 within 1 s', { timeout }, async () => {
    await takesLessThan(1000, async () => (await spawnBridge().close()).ms);
  });
  test('with a Lean running: exit 0 within 1 s, Lean was told to shut down, nothing is left', { timeout }, () => takesLessThan(1000, () => running('well-behaved', async (client, lake) => {
    const processes = started(lake);
    assert.equal(processes.length, 1);
    const { ms } = await client.close();
    await assertGone(processes, 5000);
    assert.equal(lake.received('shutdown').length, 1);
    assert.equal(lake.received('exit').length, 1);
    return ms;
  })));
  test('in the middle of a call: it has its time, and its answer', { timeout }, () => takesLessThan(2500, () => running('well-behaved', async client => {
    client.beginCall('lean_check_all', { file_path: 'A.lean', timeout_s: 1 });
    await client.request('ping');
    const { ms } = await client.close();
    assert.deepEqual(client.messages.filter(({ id }) => id !== undefined).length, 4, 'the handshake, a goal, the ping, and the call');
    return ms;
  })));
  test('requests that came before it are answered', { timeout }, async () => {
    const client = spawnBridge();
    client.sendMessage({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'printf', version: '1' } } });
    client.sendMessage({ method: 'notifications/initialized' });
    client.sendMessage({ id: 2, method: 'tools/list' });
    await client.close();
    assert.ok(client.messages.find(message => message.id === 2)?.result.tools.length > 0);
  });
  test('more answers than a pipe takes are all written', () => {
    const request = (id, method, params) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    const count = isSanitized() ? 100 : 500;   // of 26 KB each, where a pipe takes 64
    const many = Array.from({ length: count }, (_, id) => request(id + 1, 'tools/list'));
    const opening = request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'printf', version: '1' } });
    const { stdout } = spawnSync(binary, [], { input: opening + many.join(''), encoding: 'utf8', maxBuffer: 1 << 28, timeout, cwd: temporaryFolder() });
    assert.deepEqual(stdout.trimEnd().split('\n').map(line => JSON.parse(line).id), Array.from({ length: count + 1 }, (_, id) => id));
  });
  test('a Lean that never answers initialize does not hold up the exit', { timeout }, () => takesLessThan(2000, () => running('hangs-before-initialize', async (client, lake) => {
    await eventually(() => lake.received('initialize').length, 5000, 'initialize at the fake lake');
    return (await client.close()).ms;
  }, { call: false })));
  test('a Lean that refuses shutdown, SIGTERM and the end of its stdin is killed, with its workers', { timeout }, () => running('refuses-to-exit', async (client, lake) => {
    const processes = started(lake);
    assert.equal(processes.length, 2, 'the fake watchdog and its worker');
    await client.close({ timeoutMs: 6000 });
    await assertGone(processes, 4000);   // they are killed two seconds after the SIGTERM
  }));
});

describe('signals', () => {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    test(`${signal}: exit within 1 s, nothing is left`, { timeout }, () => takesLessThan(1000, () => running('well-behaved', async (client, lake) => {
      const processes = started(lake);
      const how = await client.kill(signal);
      assert.deepEqual([how.code, how.signal], [0, null]);
      await assertGone(processes, 5000);
      client.assertClean();
      return how.ms;
    })));
    test(`${signal} in the middle of a call`, { timeout }, () => takesLessThan(1000, () => running('well-behaved', async client => {
      client.beginCall('lean_check_all', { file_path: 'A.lean' });
      await client.request('ping');
      return (await client.kill(signal)).ms;
    })));
  }
  test('SIGINT and SIGTERM 100 ms apart, as Claude Code sends them', { timeout }, () => running('well-behaved', async (client, lake) => {
    const processes = started(lake);
    client.process.kill('SIGINT');
    const timer = setTimeout(() => client.process.kill('SIGTERM'), 100);
    const how = await client.exited;
    clearTimeout(timer);
    assert.equal(how.signal, null);
    await assertGone(processes, 1000);
  }));
  test('SIGKILL of the bridge: a well-behaved Lean is gone', { timeout }, () => running('well-behaved', async (client, lake) => {
    const processes = started(lake);
    await client.kill('SIGKILL');
    await assertGone(processes, 3000);
  }));
  test('SIGKILL of the bridge: a Lean that ignores everything is gone too', { timeout }, () => running('refuses-to-exit', async (client, lake) => {
    const watchdog = started(lake).filter(process => process.pid === lake.starts()[0].pid);
    client.process.kill('SIGKILL');
    await client.exited;
    await assertGone(watchdog, 6000);   // its workers end with their stdin; the fake's have none
  }));
});

describe('a client that is gone', () => {
  test('stdout closed: the next write ends the process, and Lean with it', { timeout }, () => running('well-behaved', async (client, lake) => {
    const processes = started(lake);
    client.process.stdout.destroy();
    client.sendMessage({ id: 'anyone', method: 'ping' });
    client.sendMessage({ id: 'there', method: 'ping' });
    await eventually(() => client.process.exitCode !== null || client.process.signalCode !== null, 3000, 'the exit');
    assert.equal(client.process.signalCode, null, 'SIGPIPE is ignored');
    await assertGone(processes, 2000);
  }));
});

describe('the command line', () => {
  const runBinary = (...args) => spawnSync(binary, args, { input: '', encoding: 'utf8', timeout: 10_000 });
  test('--version and --help', () => {
    const version = runBinary('--version');
    assert.equal(version.status, 0);
    assert.match(version.stdout, /^leanbridge \d+\.\d+\.\d+/);
    const help = runBinary('--help');
    assert.equal(help.status, 0);
    for (const option of ['--project-root', '--lake', '--tools', '--disable', '--timeout', '--max-open-files', '--max-scratch-workers', '--max-worker-memory', '--log-level', '--log-file']) assert.ok(help.stdout.includes(option), option);
  });
  for (const args of [['--no-such-option'], ['--timeout', 'soon'], ['--timeout', '-1'], ['--max-worker-memory', '1'], ['--max-worker-memory', 'all'], ['--max-scratch-workers', '0'], ['--max-open-files', '0'], ['--tools', 'no-such-group'], ['--log-level', 'loud'], ['--project-root', '/no/such/folder']]) {
    test(`${args.join(' ')} is refused in one line on stderr`, () => {
      const { status, stdout, stderr } = runBinary(...args);
      assert.ok(status > 0, `status ${status}`);
      assert.equal(stdout, '');
      assert.ok(stderr.includes(args.at(-1)) || stderr.includes(args[0]), stderr);
    });
  }
  test('limits from the environment; an invalid one is reported and ignored', { timeout }, async () => {
    const file = scratchProject({ 'A.lean': 'theorem a : True := by\n  trivial\n' });
    for (const [value, expected] of [['5', 5], ['many', 3], ['0', 3], ['${LEANBRIDGE_MAX_SCRATCH_WORKERS}', 3]]) {
      await withBridge({ project: file, lake: fakeLake().command, env: { LEANBRIDGE_MAX_SCRATCH_WORKERS: value, LEANBRIDGE_MAX_WORKER_MEMORY: '2000' } }, async client => {
        await client.call('lean_goal', { file_path: 'A.lean', line: 2, column: 3 });
        const { scratch } = (await client.call('lean_server_health')).structured.projects[0];
        assert.deepEqual([scratch.max_workers, scratch.max_memory_bytes], [expected, 2000 * 1024 * 1024]);
        assert.equal(/LEANBRIDGE_MAX_SCRATCH_WORKERS/.test(client.stderr), value === 'many' || value === '0');
      });
    }
  });
  test('the least recently used file is closed when too many would be open', { timeout }, async () => {
    const names = ['A.lean', 'B.lean', 'C.lean'];
    const project = scratchProject(Object.fromEntries(names.map(name => [name, 'theorem a : True := by\n  trivial\n'])));
    const ways = [[{ args: ['--max-open-files', '2'] }, 2], [{ env: { LEAN_LSP_MAX_OPEN_FILES: '1' } }, 1],
      [{ env: { LEANBRIDGE_MAX_OPEN_FILES: '2', LEAN_LSP_MAX_OPEN_FILES: '1' } }, 2], [{}, 3]];
    for (const [how, most] of ways) {
      await withBridge({ project, lake: fakeLake().command, ...how }, async client => {
        for (const name of names) await client.call('lean_goal', { file_path: name, line: 2, column: 3 });
        const { documents } = (await client.call('lean_server_health')).structured.projects[0];
        assert.deepEqual(documents.filter(document => document.open).map(document => document.file_path).sort(), names.slice(-most));
      });
    }
  });
  test('--log-file gets the log', { timeout }, async () => {
    const logFile = path.join(temporaryFolder('log'), 'leanbridge.log');
    await withBridge({ args: ['--log-file', logFile, '--log-level', 'debug'] }, client => client.call('lean_server_health'));
    assert.ok(fs.statSync(logFile).size > 0);
  });
  test('a log file in a folder of everybody\'s is not used', { timeout }, async () => {
    const folder = temporaryFolder('log');
    fs.chmodSync(folder, 0o777);
    await withBridge({ args: ['--log-file', path.join(folder, 'leanbridge.log'), '--log-level', 'debug'] }, async client => {
      await client.call('lean_server_health');
      assert.match(client.stderr, /logging to stderr: other users can write to the folder/);
    });
    assert.deepEqual(fs.readdirSync(folder), []);
    fs.chmodSync(folder, 0o1777);   // like /tmp: shared, but nobody can replace another user's file
    await withBridge({ args: ['--log-file', path.join(folder, 'leanbridge.log'), '--log-level', 'debug'] }, client => client.call('lean_server_health'));
    assert.deepEqual(fs.readdirSync(folder), ['leanbridge.log']);
  });
  test('a cache folder that others can write to is taken from them', { timeout }, async () => {
    const folder = temporaryFolder('cache');
    fs.chmodSync(folder, 0o777);
    await withBridge({ args: ['--cache-dir', folder] }, client => client.call('lean_server_health'));
    assert.equal(fs.statSync(folder).mode & 0o777, 0o755);
  });
  test('what follows -- goes to `lake serve`, in the project folder, with a clean environment', { timeout }, async () => {
    const lake = fakeLake();
    const project = scratchProject(file);
    await withBridge({ project, lake: lake.command, args: ['--', '-Dserver.reportDelayMs=7', '-j1'] }, client => client.call('lean_goal', { file_path: 'A.lean', line: 2, column: 3 }));
    const [start] = lake.starts();
    assert.equal(start.cwd, project);
    assert.equal(start.args[0], 'serve');
    assert.deepEqual(start.args.slice(-2), ['-Dserver.reportDelayMs=7', '-j1']);
  });
  test('tools/list needs no Lean and comes at once', { timeout }, async t => {
    const times = [], bare = [];
    for (let i = 0; i < 10; i++) {
      const client = spawnBridge({ lake: '/no/such/lake' });
      client.sendMessage({ id: 1, method: 'tools/list', params: client.withMeta({}) });
      await client.answerTo(1);
      times.push(client.elapsed);
      await client.close();
      const before = performance.now();
      spawnSync(process.execPath, ['-e', '']);
      bare.push(Math.round(performance.now() - before));
    }
    const told = `from spawn to answer: ${times.join(', ')} ms; a Node that does nothing: ${bare.join(', ')} ms`;
    t.diagnostic(told);
    // A busy machine makes both slow; the best of ten tells how much work each is.
    assert.ok(Math.min(...times) < (isSanitized() ? 25 : 1) * Math.min(...bare), told);
  });
});

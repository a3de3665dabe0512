// At the limits of machine and host: full pipes, full disks, exhausted descriptors, shutdown in the middle of work.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fakeLake, isPosixAlone, isSanitized, scratchProject, spawnBridge, temporaryFolder, withBridge } from '../support/bridge.mjs';
import { assertGone, eventually, inspect } from '../support/processes.mjs';

const timeout = 120_000;
const TEXT = 'theorem a : True := by\n  first\n  second\n';
const SLOW = 'theorem a : True := by\n  first\n  last -- slow 600000\n';
const at = (line, more = {}) => ({ file_path: 'A.lean', line, column: 3, ...more });
const MB = 1024;   // in KB, as /proc counts

const status = (client, name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(fs.readFileSync(`/proc/${client.pid}/status`, 'utf8'))[1]);
const sanitized = isSanitized();
/** Checks that `name` in its /proc status has grown by less than this many MB since `before`; not under a sanitizer. */
function growsLess(client, name, before, megabytes) {
  const grown = status(client, name) - before;
  assert.ok(sanitized || grown < megabytes * MB, `${name} grew by ${grown} KB`);
}
const descriptors = client => fs.readdirSync(`/proc/${client.pid}/fd`).length;
const processorTime = client => fs.readFileSync(`/proc/${client.pid}/stat`, 'latin1').split(') ')[1].split(' ').slice(11, 13).join();
const line = message => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

/** Sets soft limits of the running bridge: {nofile: 20}. */
function limit(client, limits) {
  const words = Object.entries(limits).map(([name, value]) => `--${name}=${value}:`);
  const { status: code, stderr } = spawnSync('prlimit', ['--pid', String(client.pid), ...words], { encoding: 'utf8' });
  assert.equal(code, 0, stderr);
}

/** Waits until the bridge is idle: it uses no processor time for half a second and reads none of its pending input. */
async function idle(client) {
  let same = 0, last;
  await eventually(async () => {
    await sleep(100);
    const now = `${processorTime(client)} ${client.process.stdin.writableLength}`;
    same = now === last ? same + 1 : 0;
    last = now;
    return same >= 5;
  }, 60_000, 'the bridge comes to rest');
}

/** A bridge on a project with one file and a fake Lean. `body` gets (client, lake, project). */
function on(scenario, body, { text = TEXT, ...options } = {}) {
  const lake = fakeLake(scenario);
  const project = scratchProject({ 'A.lean': text });
  return withBridge({ project, lake: lake.command, close: { timeoutMs: 10_000 }, ...options }, client => body(client, lake, project));
}
const goals = async (client, where = at(2)) => {
  const answer = await client.call('lean_goal', where, { timeoutMs: 30_000 });
  assert.ok(answer.structured, JSON.stringify(answer.error));
  return answer.structured.goals;
};
const listing = id => line({ id, method: 'tools/list' });
const answersTo = (client, isMine) => client.messages.filter(message => !message.method && isMine(message.id));

describe('a host that does not read', () => {
  /** Sends requests whose answers nobody reads: first many in one read, then some that take space. */
  async function unread(client, { small = sanitized ? 300 : 1500, large = sanitized ? 300 : 500 } = {}) {
    client.process.stdout.pause();
    const padded = id => line({ id, method: 'tools/list', params: { _meta: { padding: 'x'.repeat(2000) } } });
    client.send(Array.from({ length: small }, (_, i) => listing(`l${i}`)).join(''));
    client.send(Array.from({ length: large }, (_, i) => padded(`l${small + i}`)).join(''));
    await idle(client);
    assert.ok(client.process.stdin.writableLength > 0, 'it has stopped reading');
    return small + large;
  }

  test('it stops reading, grows by some megabytes, and in the end every answer comes in its turn', { timeout }, () => withBridge({}, async client => {
    const before = status(client, 'VmHWM');
    const all = await unread(client);
    growsLess(client, 'VmHWM', before, 20);
    client.process.stdout.resume();
    await client.next(message => message.id === `l${all - 1}`, { timeoutMs: 100_000, what: 'the last answer', past: true });
    assert.deepEqual(answersTo(client, id => /^l\d/.test(id)).map(message => message.id), Array.from({ length: all }, (_, i) => `l${i}`));
    assert.deepEqual(await client.request('ping'), {});
    growsLess(client, 'VmHWM', before, 30);
  }));
  // On a slow machine beside five other suites, 20 MB take their time.
  test('one message of 20 MB from Lean is cut, and the session goes on', { timeout: 120_000 }, () => on('well-behaved', async client => {
    const { structured } = await client.call('lean_check_all', { file_path: 'A.lean' }, { timeoutMs: 90_000 });
    const [{ message }] = structured.items;
    assert.match(message.slice(0, 2 << 20), /^x+\n\[… \d+ bytes left out …\]\nx+$/);
    assert.ok(JSON.stringify(structured).length < 2 << 20);
    assert.deepEqual(await goals(client), ['⊢ first']);
  }, { text: `theorem a : True := by\n  first\n  second -- error: ${'x'.repeat(20 << 20)}\n` }));
  test('the end of input behind requests whose answers nobody reads: they are answered first', { timeout }, () => withBridge({}, async client => {
    const all = await unread(client, { small: 200, large: 100 });
    client.process.stdin.end();
    client.process.stdout.resume();
    await client.exited;
    assert.deepEqual([client.exit.code, answersTo(client, id => /^l\d/.test(id)).length], [0, all]);
  }));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL']) {
    test(`${signal}: it ends all the same, and Lean with it`, { timeout }, () => on('well-behaved', async (client, lake) => {
      await goals(client);
      const tree = client.descendants();
      assert.ok(tree.some(({ pid }) => pid === lake.starts()[0].pid));
      await unread(client, { small: 200, large: 100 });
      const exit = once(client.process, 'exit');
      client.process.kill(signal);
      const [code] = await exit;
      assert.equal(code, signal === 'SIGKILL' ? null : 0);
      await assertGone(tree, 5000);
      client.process.stdout.destroy();
      await client.exited;
      client.violations.length = 0;   // there was room for only part of the last answer
    }));
  }
  test('it goes in the middle of an answer: the bridge ends, and Lean with it', { timeout }, () => on('well-behaved', async client => {
    await goals(client);
    const tree = client.descendants();
    await unread(client, { small: 200, large: 100 });
    const exit = once(client.process, 'exit');
    client.process.stdout.once('data', () => client.process.stdout.destroy());
    client.process.stdout.resume();
    const [, signal] = await exit;
    assert.equal(signal, null, 'SIGPIPE is ignored');
    await assertGone(tree, 5000);
    await client.exited;
    client.violations.length = 0;
  }));
});

describe('a host that writes in another way', () => {
  test('a whole session, one byte at a time', { timeout }, () => on('well-behaved', async client => {
    const initialize = { id: 'i', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'slow', version: '1' } } };
    const call = { id: 'c', method: 'tools/call', params: { name: 'lean_goal', arguments: at(2) } };
    for (const byte of Buffer.from(line(initialize) + line({ method: 'notifications/initialized' }) + line(call))) {
      client.send(Buffer.from([byte]));
      await sleep(0);
    }
    assert.deepEqual((await client.answerTo('c')).result.structuredContent.goals, ['⊢ first']);
  }, { era: 'none' }));
  test('10,000 requests at once: each is answered once', { timeout }, () => withBridge({}, async client => {
    const before = status(client, 'VmHWM');
    const calls = i => line({ id: `r${i}`, method: 'tools/call', params: { name: 'lean_server_health', arguments: {} } });
    client.send(Array.from({ length: 10_000 }, (_, i) => (i % 10 ? line({ id: `r${i}`, method: 'ping' }) : calls(i))).join(''));
    const mine = id => /^r\d/.test(id);
    await eventually(() => answersTo(client, mine).length === 10_000, 60_000, '10,000 answers');
    const refused = answersTo(client, mine).filter(message => message.result?.isError).map(message => JSON.parse(message.result.content[0].text).error.kind);
    assert.ok(refused.every(kind => kind === 'rate_limited'), refused.join());
    assert.deepEqual(answersTo(client, mine).filter(message => message.error), []);
    growsLess(client, 'VmHWM', before, 40);
  }));
  test('10,000 slow calls at once: some run, the others are refused, and cancelling makes room', { timeout }, () => on('well-behaved', async client => {
    await client.call('lean_open', { file_path: 'A.lean' });
    const slow = i => line({ id: `s${i}`, method: 'tools/call', params: { name: 'lean_check_all', arguments: { file_path: 'A.lean' } } });
    client.send(Array.from({ length: 10_000 }, (_, i) => slow(i)).join(''));
    await client.request('ping', undefined, { timeoutMs: 60_000 });
    const answered = answersTo(client, id => /^s\d/.test(id));
    const kinds = new Set(answered.map(message => JSON.parse(message.result.content[0].text).error?.kind));
    assert.deepEqual([...kinds], ['rate_limited']);
    const told = new Set(answered.map(message => message.id));
    assert.ok(told.size >= 9000 && told.size < 10_000, `${told.size}`);
    for (let i = 0; i < 10_000; i++) if (!told.has(`s${i}`)) client.cancel(`s${i}`);
    await client.request('ping', undefined, { timeoutMs: 60_000 });
    assert.deepEqual(await goals(client), ['⊢ first']);
    assert.equal(answersTo(client, id => /^s\d/.test(id)).length, told.size, 'what was cancelled is not answered');
  }, { text: SLOW }));
  test('an overlong line is refused, and its memory released', { timeout }, () => withBridge({}, async client => {
    const before = status(client, 'VmRSS');
    for (let i = 0; i < 80; i++) if (!client.process.stdin.write(Buffer.alloc(1 << 20, 'x'))) await once(client.process.stdin, 'drain');
    client.process.stdin.write('\n');
    await client.next(message => message.error && !('id' in message), { timeoutMs: 60_000, what: 'the refusal', past: true });
    assert.deepEqual(await client.request('ping'), {});
    growsLess(client, 'VmHWM', before, 256);
    growsLess(client, 'VmRSS', before, 20);
  }));
});

describe('the end with calls in flight', () => {
  /** Starts calls of each kind, all waiting for Lean; returns the processes below the bridge. */
  async function busy(client, lake) {
    await goals(client);
    const calls = [['lean_check_all', { file_path: 'A.lean' }], ['lean_goal', at(3)], ['lean_diagnostic_messages', { file_path: 'A.lean' }],
      ['lean_multi_attempt', at(2, { snippets: ['one -- slow 600000', 'two -- slow 600000'] })], ['lean_run_code', { code: 'def a := 1 -- slow 600000' }]];
    for (let i = 0; i < 6; i++) for (const [tool, args] of calls) client.beginCall(tool, { timeout_s: 300, ...args });
    await eventually(() => lake.received('textDocument/didOpen').length >= 2, 20_000, 'a document beside the file');
    await client.request('ping');
    if (isPosixAlone) await sleep(4500);   // its supervisor has looked at the processes again
    return client.descendants();
  }
  const ends = {
    'the end of the client': client => { client.process.stdout.destroy(); return client.close({ timeoutMs: 10_000 }); },
    SIGTERM: client => client.kill('SIGTERM', { timeoutMs: 10_000 }),
    SIGINT: client => client.kill('SIGINT', { timeoutMs: 10_000 }),
    SIGKILL: client => client.kill('SIGKILL', { timeoutMs: 10_000, orphansMs: 10_000 }),
  };
  for (const [name, end] of Object.entries(ends)) {
    test(`${name}: nothing is left`, { timeout }, () => on({ options: { stubborn_workers: name !== 'SIGKILL' } }, async (client, lake) => {
      const tree = [...(await busy(client, lake)), ...lake.log().filter(entry => entry.event === 'worker').map(({ pid }) => inspect(pid)).filter(Boolean)];
      const { code, signal } = await end(client);
      assert.deepEqual([code, signal], name === 'SIGKILL' ? [null, 'SIGKILL'] : [0, null]);
      await assertGone(tree, 10_000);
    }, { text: SLOW }));
  }
});

describe('a Lean that does not read', () => {
  const deaf = { rules: [{ on: '$/lean/plainGoal', when: { start: 1 }, do: [{ default: true }, { deaf: true }] }] };
  const large = n => `theorem a : True := by\n  first\n${`-- ${n} ${'x'.repeat(990)}\n`.repeat(4000)}`;
  /** Makes edits as long as the pipe to Lean accepts them. */
  async function fill(client, project, edits, tool = 'lean_sync', args = { file_path: 'A.lean' }, enough = () => false) {
    const kinds = [];
    for (let i = 0; i < edits && !enough(); i++) {
      fs.writeFileSync(path.join(project, 'A.lean'), large(i));
      const { error, structured } = await client.call(tool, args, { timeoutMs: 30_000 });
      kinds.push(error?.kind ?? (structured.timed_out ? 'timed_out' : 'answered'));
    }
    return kinds;
  }

  test('calls end by their deadline, others are answered meanwhile, and a new server helps', { timeout }, () => on(deaf, async (client, lake, project) => {
    await goals(client);
    const [first, ...others] = await fill(client, project, 3, 'lean_goal', at(2, { timeout_s: 1 }));
    assert.deepEqual([first, ...others].filter(kind => kind !== 'timed_out' && kind !== 'timeout'), []);
    assert.deepEqual(await client.request('ping', undefined, { timeoutMs: 2000 }), {});
    assert.equal((await client.call('lean_reset', { file_path: 'A.lean', server: true }, { timeoutMs: 30_000 })).structured?.restarted, true);
    assert.deepEqual(await goals(client), ['⊢ first']);
  }));
  test('output waiting for it is bounded: beyond that it is ended, and the next call gets a new one', { timeout: 3 * timeout }, () => on(deaf, async (client, lake, project) => {
    await goals(client);
    const before = status(client, 'VmHWM');
    await fill(client, project, 60, 'lean_sync', { file_path: 'A.lean' }, () => lake.starts().length > 1);   // at most 240 MB
    assert.ok(lake.starts().length >= 2, 'the deaf one was ended');
    assert.match(client.stderr, /does not keep up/);
    growsLess(client, 'VmHWM', before, 220);
    assert.deepEqual(await goals(client), ['⊢ first']);
    await eventually(() => !inspect(lake.starts()[0].pid), isPosixAlone ? 5000 : 0, 'the end of the deaf one');
  }));
  for (const [name, end] of [['SIGTERM', client => client.kill('SIGTERM', { timeoutMs: 10_000 })], ['the end of input', client => client.close({ timeoutMs: 10_000 })]]) {
    test(`${name} while the pipe to it is full: nothing is left`, { timeout }, () => on(deaf, async (client, lake, project) => {
      await goals(client);
      await fill(client, project, 2);
      assert.equal((await end(client)).code, 0);
    }));
  }
});

describe('a disk that is full', () => {
  // A file size limit fails in the same places as a full disk, and any user may set it.
  test('lean_write_proof says so, the file is as it was, and later it works', { timeout }, () => on('well-behaved', async (client, lake, project) => {
    const file = path.join(project, 'A.lean');
    await goals(client);
    const write = text => client.call('lean_write_proof', { file_path: 'A.lean', start_line: 2, end_line: 2, new_text: text });
    const before = fs.readFileSync(file, 'utf8');
    for (const bytes of [0, 4096, 100_000]) {
      limit(client, { fsize: bytes });
      const { error, structured } = await write('  third');
      assert.equal(error?.kind, 'internal', JSON.stringify(error ?? structured));
      assert.match(`${error.message} ${error.hint}`, /was not written.*is unchanged/);
      assert.equal(fs.readFileSync(file, 'utf8'), before);
      assert.deepEqual(fs.readdirSync(project).filter(name => name.includes('leanbridge')), []);
    }
    limit(client, { fsize: 'unlimited' });
    assert.equal((await write('  third')).structured?.written, true);
    assert.equal(fs.readFileSync(file, 'utf8'), before.replace('  first', '  third'));
    assert.deepEqual(await goals(client), ['⊢ third']);
  }, { text: `${TEXT}${'-- a line\n'.repeat(20_000)}` }));
  for (const [what, logFile] of [['takes nothing', '/dev/full'], ['cannot be made', '/proc/leanbridge.log']]) {
    test(`a log file that ${what} stops nothing`, { timeout }, () => on('well-behaved', async client => {
      assert.deepEqual(await goals(client), ['⊢ first']);
    }, { args: ['--log-file', logFile, '--log-level', 'trace'] }));
  }
  test('a log file on a disk that becomes full stops nothing', { timeout }, () => on('well-behaved', async client => {
    assert.deepEqual(await goals(client), ['⊢ first']);   // Lean is running: one that starts has the limit, too
    limit(client, { fsize: 100 });
    assert.deepEqual(await goals(client, at(3)), ['⊢ second']);
    assert.deepEqual(await goals(client), ['⊢ first']);
  }, { args: ['--log-file', path.join(temporaryFolder('log'), 'log'), '--log-level', 'trace'] }));
});

describe('no more file descriptors', () => {
  /** Allows this many more descriptors. The limit applies to their numbers, so free numbers below it count. */
  function few(client, more) {
    const open = new Set(fs.readdirSync(`/proc/${client.pid}/fd`).map(Number));
    let number = 0;
    for (let free = 0; free < more || open.has(number); number++) if (!open.has(number)) free++;
    limit(client, { nofile: number });
  }
  const enough = client => limit(client, { nofile: 1024 });

  test('however few are left when Lean is started: an error that says so, no process left behind, and then it works', { timeout }, () => on('well-behaved', async client => {
    await client.request('ping');   // it has started; Lean is started early, after the handshake
    few(client, 0);
    await client.connect();
    await client.listTools();
    const before = descriptors(client);
    const seen = [];
    for (let more = 0; more <= 12; more++) {
      few(client, more);
      const { error, structured } = await client.call('lean_goal', at(2, { timeout_s: 10 }), { timeoutMs: 30_000 });
      seen.push(error?.kind ?? 'answered');
      if (structured) break;
      assert.ok(['internal', 'lean_unavailable', 'file_not_found'].includes(error.kind), JSON.stringify(error));
      assert.ok(error.kind !== 'file_not_found', `the file is there: ${JSON.stringify(error)}`);
      await eventually(() => client.descendants().length === 0, 10_000, `the end of what was started with ${more} left`);
      await eventually(() => descriptors(client) <= before, 5000, `${before} descriptors`);
    }
    assert.ok(seen.length > 5, seen.join());
    enough(client);
    await eventually(async () => (await client.call('lean_goal', at(2), { timeoutMs: 30_000 })).structured?.goals?.[0] === '⊢ first', 30_000, 'the answer');
    const zombies = fs.readdirSync('/proc').filter(name => /^\d+$/.test(name)).map(inspect).filter(process => process?.ppid === client.pid && process.state === 'Z');
    assert.deepEqual(zombies, []);
  }, { era: 'none' }));
  test('with Lean running: what needs none is answered, what needs one says so, and then it works', { timeout }, () => on('well-behaved', async (client, lake, project) => {
    await client.call('lean_check_all', { file_path: 'A.lean' });   // after a goal a worker is prepared, with descriptors that come and go
    few(client, 0);
    assert.deepEqual(await client.request('ping'), {});
    assert.ok((await client.call('lean_server_health')).structured);
    fs.writeFileSync(path.join(project, 'A.lean'), TEXT.replace('first', 'fourth'));
    for (const [tool, args] of [['lean_goal', at(2)], ['lean_check_all', { file_path: 'A.lean' }], ['lean_write_proof', { file_path: 'A.lean', start_line: 2, end_line: 2, new_text: '  fifth' }]]) {
      const { error, structured } = await client.call(tool, args, { timeoutMs: 30_000 });
      assert.equal(error?.kind, 'internal', JSON.stringify(error ?? structured));
      assert.match(error.message, /Too many open files/);
    }
    enough(client);
    assert.deepEqual(await goals(client), ['⊢ fourth']);
    assert.equal(lake.starts().length, 1);
  }));
  test('from the start: `ulimit -n 24` is enough to work with', { timeout }, async () => {
    // The limit is inherited, and the fake Lean runs on Node, which needs more than that.
    const client = spawnBridge({ project: scratchProject({ 'A.lean': TEXT }), lake: fakeLake().command });
    try {
      limit(client, { nofile: 24 });
      await client.connect();
      assert.ok((await client.call('lean_server_health')).structured);
      const { error, structured } = await client.call('lean_goal', at(2, { timeout_s: 10 }), { timeoutMs: 30_000 });
      assert.ok(structured || error.kind === 'lean_unavailable', JSON.stringify(error));
      await client.close({ timeoutMs: 10_000 });
    } finally {
      await client.destroy();
    }
  });
});

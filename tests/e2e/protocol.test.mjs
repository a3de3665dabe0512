// The wire: framing, ids, both eras, progress, as far as a transcript (fixtures/transcripts) cannot say it. A fake lake provides slow calls.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fakeLake, scratchProject, withBridge } from '../support/bridge.mjs';
import { LEGACY_REVISIONS, MODERN_REVISIONS } from '../support/mcp-schema.mjs';

const timeout = 30_000;
const initialize = (id, protocolVersion = '2025-11-25') => ({ id, method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } } });
const raw = test => withBridge({ era: 'none' }, test);
const legacy = test => withBridge({ era: 'legacy' }, test);

describe('revisions', () => {
  for (const revision of LEGACY_REVISIONS) {
    test(`initialize echoes ${revision} and its messages are valid`, { timeout }, () => withBridge({ era: 'legacy', revision }, async client => {
      assert.equal(client.revision, revision);
      assert.deepEqual(await client.request('ping'), {});
      assert.ok((await client.call('lean_server_health')).structured);
    }));
  }
  for (const revision of MODERN_REVISIONS) {
    test(`${revision}: discover, list and call carry what that revision asks for`, { timeout }, () => withBridge({ era: 'modern', revision }, async client => {
      assert.deepEqual(client.server.supportedVersions, [revision]);
      const { result } = await client.call('lean_server_health');
      assert.equal(result.resultType, 'complete');
      assert.equal(result._meta['io.modelcontextprotocol/serverInfo'].name, 'leanbridge');
    }));
  }
  for (const asked of ['1900-01-01', '2026-07-28', 'nonsense', '']) {
    test(`initialize for "${asked}" is answered with 2025-11-25`, { timeout }, () => raw(async client => {
      client.sendMessage(initialize(1, asked));
      assert.equal((await client.answerTo(1)).result.protocolVersion, '2025-11-25');
    }));
  }
  for (const [name, params] of [['missing', { capabilities: {} }], ['a number', { protocolVersion: 1, capabilities: {} }], ['no params', undefined]]) {
    test(`initialize whose version is ${name} is refused, and a good one still works`, { timeout }, () => raw(async client => {
      client.sendMessage({ id: 1, method: 'initialize', params });
      assert.equal((await client.answerTo(1)).error.code, -32602);
      client.sendMessage(initialize(2));
      assert.ok((await client.answerTo(2)).result);
    }));
  }
});

describe('ids', () => {
  for (const id of [0, -1, 9007199254740991, '', '0', 'x'.repeat(1000), 'ünï𝔸😀', 'with "quotes" and \\ and \n']) {
    test(`${JSON.stringify(id).slice(0, 40)} comes back as it was`, { timeout }, () => legacy(async client => {
      client.sendMessage({ id, method: 'ping' });
      assert.deepEqual(await client.answerTo(id), { jsonrpc: '2.0', id, result: {} });
    }));
  }
  test('an id beyond 2^53 keeps every digit', { timeout }, () => legacy(async client => {
    const lines = [];
    client.process.stdout.on('data', chunk => lines.push(chunk.toString()));
    client.send('{"jsonrpc":"2.0","id":9223372036854775807,"method":"ping"}\n');
    await client.next(message => message.result && typeof message.id === 'number' && message.id > 2 ** 53, { what: 'the answer', past: true });
    assert.match(lines.join(''), /"id":9223372036854775807\b/);
  }));
});

describe('framing', () => {
  const ping = id => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
  test('a line that arrives byte by byte', { timeout }, () => legacy(async client => {
    client.process.stdin.setDefaultEncoding?.('utf8');
    for (const byte of Buffer.from(`${ping('slow-ünï𝔸')}\n`)) { client.send(Buffer.from([byte])); await sleep(0); }
    assert.ok((await client.answerTo('slow-ünï𝔸')).result);
  }));
  test('a write that ends inside a UTF-8 sequence', { timeout }, () => legacy(async client => {
    const bytes = Buffer.from(`${ping('𝔸')}\n`);
    const inside = bytes.indexOf(Buffer.from('𝔸')) + 2;
    client.send(bytes.subarray(0, inside));
    await sleep(50);   // a pause so that the bridge reads the two parts apart; either way the answer must be right
    client.send(bytes.subarray(inside));
    assert.ok((await client.answerTo('𝔸')).result);
  }));
  test('many lines in one write, CRLF and blank lines among them', { timeout }, () => legacy(async client => {
    client.send(`${ping('a')}\n\n\r\n${ping('b')}\r\n   \n${ping('c')}\n`);
    for (const id of ['a', 'b', 'c']) assert.ok((await client.answerTo(id)).result);
  }));
  test('a last line without newline is not a message yet', { timeout }, () => legacy(async client => {
    client.send(ping('unfinished'));
    client.send(`${ping('continues it')}\n`);   // the two together are one line of garbage
    await client.next(message => message.error?.code === -32700, { what: 'a parse error', past: true });
  }));
  test('a 5 MB line', { timeout }, () => legacy(async client => {
    client.sendMessage({ id: 'big', method: 'ping', params: { _meta: { padding: 'x'.repeat(5 << 20) } } });
    assert.ok((await client.answerTo('big')).result);
    const { error } = await client.call('lean_open', { file_path: 'y'.repeat(5 << 20) });
    assert.ok(['invalid_argument', 'file_not_found', 'not_a_lean_project'].includes(error.kind), error.kind);
    assert.ok(error.message.length < 20_000, 'the answer does not repeat 5 MB');
  }));
  test('invalid UTF-8 is a parse error, and what follows is read', { timeout }, () => legacy(async client => {
    client.send(Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":"'), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from('","method":"ping"}\n')]));
    assert.equal((await client.next(message => message.error && !('id' in message), { what: 'a parse error', past: true })).error.code, -32700);
    assert.deepEqual(await client.request('ping'), {});
  }));
  test('a hundred thousand opening brackets', { timeout }, () => legacy(async client => {
    client.send(`${'['.repeat(100_000)}\n${'{"a":'.repeat(100_000)}\n`);
    await client.next(() => client.messages.filter(message => message.error && !('id' in message)).length === 2, { what: 'two errors' });
    assert.deepEqual(await client.request('ping'), {});
  }));
  test('NUL and control characters inside a string', { timeout }, () => legacy(async client => {
    client.send('{"jsonrpc":"2.0","id":"raw \u0001","method":"ping"}\n');   // must be escaped in JSON
    assert.equal((await client.next(message => message.error, { what: 'a parse error', past: true })).error.code, -32700);
    client.sendMessage({ id: 'a\u0000b', method: 'ping' });
    assert.ok((await client.answerTo('a\u0000b')).result);
  }));
  test('nothing but messages on stdout at the most talkative log level', { timeout }, () => withBridge({ args: ['--log-level', 'trace'], lake: fakeLake().command, project: scratchProject({ 'A.lean': 'theorem a : True := by\n  trivial\n' }) }, async client => {
    await client.call('lean_goal', { file_path: 'A.lean', line: 2, column: 3 });
    assert.ok(client.stderr.length > 0, 'trace writes a log to stderr');
  }));
});

describe('progress', () => {
  const project = () => scratchProject({ 'A.lean': 'theorem a : True := by\n  trivial -- slow 3500\n' });
  for (const era of ['legacy', 'modern']) {
    test(`${era}: a wait of some seconds is reported, rising, at most four times a second, silent after the answer`, { timeout }, () => withBridge({ era, project: project(), lake: fakeLake().command }, async client => {
      const answer = await client.call('lean_check_all', { file_path: 'A.lean' }, { progress: true });
      assert.ok(answer.progress.length >= 2, `${answer.progress.length} notifications in ${answer.ms} ms`);
      assert.ok(answer.progress.length <= 4 * Math.ceil(answer.ms / 1000) + 1, `${answer.progress.length} in ${answer.ms} ms`);
      for (const note of answer.progress) assert.ok(typeof note.message === 'string' && note.message.length > 0);
      assert.ok(answer.progress.some(note => note.message.includes('A.lean')), JSON.stringify(answer.progress));
    }));
  }
  test('an integer token comes back as an integer', { timeout }, () => withBridge({ project: project(), lake: fakeLake().command }, async client => {
    client.sendMessage({ id: 'p', method: 'tools/call', params: { name: 'lean_check_all', arguments: { file_path: 'A.lean' }, _meta: { progressToken: 7 } } });
    const note = await client.next(message => message.method === 'notifications/progress', { what: 'progress' });
    assert.strictEqual(note.params.progressToken, 7);
    await client.answerTo('p');
  }));
});

// Tasks (SEP-2663): a client that waits, and one that loses its connection. On a scripted `lake build`; fixtures/transcripts/tasks.txt has the rest.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { binary, cacheFolder, scratchProject, spawnBridge, temporaryFolder } from '../support/bridge.mjs';
import { fakeBuilder } from '../support/fake-builder.mjs';
import { exchange, modern, startHttpServer } from '../support/http-server.mjs';
import { until } from '../support/processes.mjs';

const timeout = 60_000;
const EXTENSION = 'io.modelcontextprotocol/tasks';
const DECLARED = { extensions: { [EXTENSION]: {} } };
const BUILD = { name: 'lean_build', arguments: {} };
const FILES = { 'lakefile.toml': 'name = "p"\n', 'A.lean': '' };

/** Runs `body(client, builder)` on stdio. */
async function onStdio({ era = 'modern', capabilities = DECLARED, builder = fakeBuilder() }, body) {
  const client = spawnBridge({ project: scratchProject(FILES), lake: builder.command });
  try {
    await client.connect({ era, capabilities });
    await body(client, builder);
    await client.close();
    client.assertClean();
  } finally {
    builder.go();
    await client.destroy();
  }
}
const said = builder => builder.log().map(line => line.split(' ')[0]);
const begun = builder => until(() => said(builder).length === 1);

const ended = (client, taskId) => until(async () => {
  const task = await client.request('tasks/get', { taskId });
  return task.status !== 'working' && task;
});

describe('stdio', () => {
  // A lake that never answers: whatever needs it takes long.
  const stuck = () => {
    const command = path.join(temporaryFolder('stuck'), 'lake');
    fs.writeFileSync(command, '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
    return { command, go() {} };
  };
  for (const [name, given] of [['lean_fill', { file_path: 'A.lean' }], ['lean_check_batch', { items: [{ code: 'theorem a : True := trivial' }] }], ['lean_certify', { challenge: 'theorem a : True := sorry', file_path: 'A.lean' }]])
    test(`${name} becomes a task, too, and can be cancelled`, { timeout }, () => onStdio({ builder: stuck() }, async client => {
      const { resultType, taskId } = await client.request('tools/call', { name, arguments: given });
      assert.equal(resultType, 'task');
      await client.request('tasks/cancel', { taskId });
      assert.equal((await ended(client, taskId)).status, 'cancelled');
    }));
  test('the end of the client ends its build', { timeout }, () => onStdio({}, async (client, builder) => {
    await client.request('tools/call', BUILD);
    await begun(builder);
    await client.close();
    await until(() => said(builder)[1] === 'term');
  }));
  for (const [what, options] of [['a client without the extension', { capabilities: {} }], ['the legacy era', { era: 'legacy' }]])
    test(`${what}: the request waits for the result, and there are no tasks`, { timeout }, () => onStdio(options, async (client, builder) => {
      const { answer } = client.begin('tools/call', BUILD);
      await begun(builder);
      await new Promise(resolve => setTimeout(resolve, 1000));
      builder.go();
      const { result } = await answer;
      assert.deepEqual([result.taskId, result.structuredContent.success], [undefined, true]);
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
        await assert.rejects(client.request(method, { taskId: 'x', inputResponses: {} }), { code: options.era === 'legacy' ? -32601 : -32021 });
    }));
});

describe('HTTP', () => {
  const TOKENS = ['a', 'b'].map(letter => letter.repeat(32));
  const META = { 'io.modelcontextprotocol/clientCapabilities': DECLARED };
  /** Runs `body({server, builder, ask})`. ask(method, params, token): {status, message}, each on a connection of its own. */
  async function onServer(body) {
    const builder = fakeBuilder();
    const tokens = path.join(temporaryFolder('tokens'), 'tokens');
    fs.writeFileSync(tokens, `${TOKENS.join('\n')}\n`);
    const server = await startHttpServer(binary, {
      args: ['serve', '--http', '127.0.0.1:0', '--project-root', scratchProject(FILES), '--lake', builder.command, '--token-file', tokens],
      env: { ...process.env, LEAN_PROJECT_PATH: '', LEANBRIDGE_CACHE_DIR: cacheFolder() },
    });
    const ask = async (method, params, token = TOKENS[0], more = {}) => {
      const { headers, body: message } = modern({ method, params: { ...params, _meta: META } });
      const { status, text } = await exchange(server.url, { headers: { ...headers, Authorization: `Bearer ${token}`, ...more }, body: message });
      return { status, message: JSON.parse(text) };
    };
    try {
      await body({ server, builder, ask });
    } finally {
      builder.go();
      assert.deepEqual(await server.stop(), { code: 0, signal: null }, server.stderr());
    }
  }
  const overOn = (ask, taskId) => until(async () => {
    const { result } = (await ask('tasks/get', { taskId })).message;
    return result.status !== 'working' && result;
  });

  test('who has lost the connection finds the result from another; nobody else does', { timeout }, () => onServer(async ({ builder, ask }) => {
    const { message: { result: { taskId } } } = await ask('tools/call', BUILD);
    await begun(builder);
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const other = await ask(method, { taskId, inputResponses: {} }, TOKENS[1]);
      assert.deepEqual([other.status, other.message.error?.code], [400, -32602]);
    }
    assert.equal((await ask('tasks/get', { taskId })).message.result.status, 'working');
    builder.go();
    assert.equal((await overOn(ask, taskId)).result.structuredContent.success, true);
    assert.equal((await ask('tasks/get', { taskId }, TOKENS[1])).message.error?.code, -32602);
  }));
  test('cancelled from another connection', { timeout }, () => onServer(async ({ builder, ask }) => {
    const { message: { result: { taskId } } } = await ask('tools/call', BUILD);
    await begun(builder);
    assert.equal((await ask('tasks/cancel', { taskId })).message.result.resultType, 'complete');
    assert.equal((await overOn(ask, taskId)).status, 'cancelled');
  }));
  test('Mcp-Name must be the id', { timeout }, () => onServer(async ({ ask }) => {
    const { status, message } = await ask('tasks/get', { taskId: 'x' }, TOKENS[0], { 'Mcp-Name': 'y' });
    assert.deepEqual([status, message.error.code], [400, -32020]);
  }));
  test('the end of the server ends the builds of its tasks', { timeout }, () => onServer(async ({ builder, server, ask }) => {
    await ask('tools/call', BUILD);
    await begun(builder);
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
    // Behind this the builder may end by itself, which would look like a build that nobody has ended.
    await until(() => said(builder)[1] === 'term');
  }));
});

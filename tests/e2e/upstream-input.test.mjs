// What other servers ask of the client through the bridge, and what else passes through: resources, completion, roots. No Lean is needed.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { spawnBridge, temporaryFolder } from '../support/bridge.mjs';
import { call, errorOf, fake, ready, stdio, support, textOf, until } from '../support/upstreams.mjs';

const timeout = 60_000;
const asking = (...words) => stdio('asking', [support('asking-upstream.mjs'), ...words]);
const FORM = { message: 'Your name?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
const ALL = { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } };

/** A bridge with these servers and a client that declares `capabilities` and answers by `answers`: {method: params => result}. */
async function on(servers, { capabilities = {}, answers = {}, era = 'legacy' }, body) {
  const workspace = temporaryFolder('workspace');
  fs.mkdirSync(path.join(workspace, '.leanbridge'));
  fs.writeFileSync(path.join(workspace, '.leanbridge/mcp-servers.toml'), servers);
  const client = spawnBridge({ cwd: workspace, args: ['--upstream', 'all'], env: { HOME: temporaryFolder('home'), XDG_CONFIG_HOME: '' } });
  const asked = [];
  client.on('message', ({ id, method, params }) => {
    if (!method || id === undefined) return;
    asked.push({ method, params });
    if (answers[method]) client.sendMessage({ id, result: answers[method](params) });
  });
  try {
    await client.connect({ era, capabilities });
    await client.request('tools/list', {});
    await body(client, asked);
    await client.close();
  } finally {
    await client.destroy();
  }
}
const entries = log => fs.readFileSync(log, 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line));

describe('a legacy server asks a legacy client', () => {
  const answers = {
    'elicitation/create': () => ({ action: 'accept', content: { name: 'Ada' } }),
    'sampling/createMessage': () => ({ role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' }),
    'roots/list': () => ({ roots: [{ uri: 'file:///work', name: 'work' }] }),
  };
  test('for input of its user, its model, its roots', { timeout }, async () => {
    const log = path.join(temporaryFolder('log'), 'log');
    await on(fake('f', `log=${log}`), { capabilities: ALL, answers }, async (client, asked) => {
      await ready(client, 'f');
      assert.deepEqual(entries(log).find(({ method }) => method === 'initialize').params.capabilities, ALL);
      const ask = async (method, params) => JSON.parse(textOf(await call(client, 'f__echo', { do: 'ask', method, params }))).result;
      assert.deepEqual(await ask('elicitation/create', FORM), { action: 'accept', content: { name: 'Ada' } });
      assert.equal((await ask('sampling/createMessage', { messages: [{ role: 'user', content: { type: 'text', text: 'Capital?' } }], maxTokens: 10 })).content.text, 'Paris');
      assert.deepEqual(await ask('roots/list', {}), { roots: [{ uri: 'file:///work', name: 'work' }] });
      assert.deepEqual(asked.map(({ method }) => method), ['elicitation/create', 'sampling/createMessage', 'roots/list']);
      assert.equal(asked[0].params.message, 'f asks: Your name?');
      client.notify('notifications/roots/list_changed');
      await until('the change of roots', () => entries(log).find(({ method }) => method === 'notifications/roots/list_changed'));
    });
  });
  test('only for what it declared', { timeout }, () => on(fake('f'), { capabilities: { elicitation: {} }, answers }, async (client, asked) => {
    await ready(client, 'f');
    for (const method of ['sampling/createMessage', 'roots/list'])
      assert.equal(JSON.parse(textOf(await call(client, 'f__echo', { do: 'ask', method }))).error.code, -32601);
    assert.deepEqual(asked, []);
  }));
  test('a question is cancelled with its server', { timeout }, () => on(fake('f'), { capabilities: ALL }, async (client, asked) => {
    await ready(client, 'f');
    const waiting = client.begin('tools/call', { name: 'f__echo', arguments: { do: 'ask', method: 'elicitation/create', params: FORM } });
    await until('the question', () => asked.length === 1);
    assert.equal(errorOf(await call(client, 'f__echo', { do: 'crash' })).kind, 'backend_unavailable');
    assert.equal(errorOf((await waiting.answer).result).kind, 'backend_unavailable');
    await client.next(({ method }) => method === 'notifications/cancelled', { past: true, what: 'the cancellation' });
  }));
});

describe('a modern server asks a legacy client', () => {
  const answers = { 'elicitation/create': ({ requestedSchema }) => ({ action: 'accept', content: Object.fromEntries(Object.keys(requestedSchema.properties).map(name => [name, `my ${name}`])) }) };
  test('through requests of the bridge, over several rounds', { timeout }, async () => {
    const log = path.join(temporaryFolder('log'), 'log');
    await on(asking(`log=${log}`), { capabilities: ALL, answers }, async (client, asked) => {
      await ready(client, 'asking');
      assert.equal(textOf(await call(client, 'asking__name')), 'Hello, my name!');
      assert.equal(asked[0].params.message, 'asking asks: What is your name?');
      assert.equal(textOf(await call(client, 'asking__rounds')), 'both: my b');
      assert.deepEqual(JSON.parse(textOf(await call(client, 'asking__declared'))), ALL);
      assert.equal((await client.request('prompts/get', { name: 'asking__about' })).messages[0].content.text, 'About my subject.');
      assert.equal((await client.request('resources/read', { uri: 'test://asking/1' })).contents[0].text, 'allowed');
      const ids = entries(log).filter(({ params }) => params?.name === 'rounds').map(({ id }) => id);
      assert.equal(new Set(ids).size, 3);
    });
  });
  test('that offers nothing: a tool error says what the server needs', { timeout }, () => on(asking(), {}, async client => {
    await ready(client, 'asking');
    const { kind, message } = errorOf(await call(client, 'asking__name'));
    assert.equal(kind, 'not_supported');
    assert.match(message, /asking asks for elicitation\/create, which this client does not offer/);
  }));
});

describe('a modern server asks a modern client', () => {
  test('by results that ask, and takes the answers with the next request', { timeout }, () => on(asking(), { era: 'modern', capabilities: ALL }, async client => {
    await ready(client, 'asking');
    const first = await client.request('tools/call', { name: 'asking__name', arguments: {} });
    assert.equal(first.resultType, 'input_required');
    assert.equal(first.inputRequests.who.params.message, 'asking asks: What is your name?');
    const second = await client.request('tools/call', { name: 'asking__name', arguments: {}, inputResponses: { who: { action: 'accept', content: { name: 'Ada' } } } });
    assert.deepEqual([second.resultType, textOf(second)], ['complete', 'Hello, Ada!']);
    const round = await client.request('tools/call', { name: 'asking__rounds', arguments: {} });
    const next = await client.request('tools/call', { name: 'asking__rounds', arguments: {}, inputResponses: { one: { action: 'accept', content: { a: 'x' } } }, requestState: round.requestState });
    assert.deepEqual([round.requestState, next.requestState], ['first', 'second']);
    assert.equal((await client.request('prompts/get', { name: 'asking__about' })).resultType, 'input_required');
    assert.equal((await client.request('resources/read', { uri: 'test://asking/1' })).resultType, 'input_required');
  }));
  test('what it did not declare is an error of the protocol', { timeout }, () => on(asking(), { era: 'modern', capabilities: {} }, async client => {
    await ready(client, 'asking');
    await assert.rejects(client.request('tools/call', { name: 'asking__model', arguments: {} }), { code: -32021 });
  }));
});

describe('resources and completion of other servers', () => {
  const servers = fake('f', 'resources=test://one,test://two', 'templates=test://each/{id}', 'prompts=idea', 'completes=paris,park') + fake('g', 'resources=test://two,test://three');
  test('are listed, read by their addresses, and watched', { timeout }, () => on(servers, {}, async client => {
    await ready(client, 'f', 'g');
    assert.deepEqual(client.server.capabilities.resources, { subscribe: true, listChanged: true });
    const listed = async () => (await client.request('resources/list', {})).resources.map(({ uri }) => uri).filter(uri => uri.startsWith('test:'));
    assert.deepEqual(await listed(), ['test://one', 'test://two', 'test://three']);
    assert.ok((await client.request('resources/templates/list', {})).resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'test://each/{id}'));
    for (const uri of ['test://one', 'test://three', 'test://each/7'])
      assert.deepEqual((await client.request('resources/read', { uri })).contents, [{ uri, mimeType: 'text/plain', text: `content of ${uri}` }]);
    await assert.rejects(client.request('resources/read', { uri: 'test://each/missing' }), { code: -32002 });
    await assert.rejects(client.request('resources/read', { uri: 'test://nobody' }), { code: -32002 });

    await client.request('resources/subscribe', { uri: 'test://one' });
    const changed = client.next(({ method }) => method === 'notifications/resources/updated', { what: 'the change' });
    await until('the change', async () => { await call(client, 'f__echo', { do: 'touch', uri: 'test://one' }); return client.messages.some(({ method }) => method === 'notifications/resources/updated'); });
    assert.equal((await changed).params.uri, 'test://one');
    await client.request('resources/unsubscribe', { uri: 'test://one' });
  }));
  test('two servers with one address: the first has it, and health says so', { timeout }, () => on(servers, {}, async client => {
    await ready(client, 'f', 'g');
    const { upstreams } = (await client.call('lean_server_health')).structured;
    assert.match(JSON.stringify(upstreams.problems), /The resource test:\/\/two of g is not offered/);
    assert.deepEqual(upstreams.servers.map(({ resources }) => resources), [3, 2]);
  }));
  test('arguments are completed by the server that has them', { timeout }, () => on(servers, {}, async client => {
    await ready(client, 'f', 'g');
    const complete = async (ref, value = 'par') => (await client.request('completion/complete', { ref, argument: { name: 'about', value } })).completion.values;
    assert.deepEqual(await complete({ type: 'ref/prompt', name: 'f__idea' }), ['paris', 'park']);
    assert.deepEqual(await complete({ type: 'ref/resource', uri: 'test://each/{id}' }, 'park'), ['park']);
    assert.deepEqual(await complete({ type: 'ref/resource', uri: 'test://three' }), [], 'its server completes nothing');
    assert.deepEqual(await complete({ type: 'ref/prompt', name: 'prove' }), [], 'ours has no such argument');
    await assert.rejects(complete({ type: 'ref/prompt', name: 'nobody' }), { code: -32602 });
  }));
  test('without other servers only ours are completed', { timeout }, () => on('', {}, async client => {
    assert.deepEqual(client.server.capabilities.completions, {});
    await assert.rejects(client.request('completion/complete', { ref: { type: 'ref/prompt', name: 'f__idea' }, argument: { name: 'x', value: '' } }), { code: -32602 });
  }));
});

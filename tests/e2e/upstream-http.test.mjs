// Remote MCP servers behind the bridge: streamable HTTP of both eras, and HTTP+SSE. No Lean is needed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startStranger } from '../support/fake-oauth.mjs';
import { everything, legacyHttp, legacySse, modernHttp } from '../support/http-upstreams.mjs';
import { call, errorOf, names, ready, server, textOf, until, withUpstreams } from '../support/upstreams.mjs';

const timeout = 60_000;
const remote = (name, url, more = '', transport = 'http') => `[[servers]]\nname = ${JSON.stringify(name)}\ntransport = "${transport}"\nurl = ${JSON.stringify(url)}\n${more}\n`;

/** Runs a server and a bridge in front of it, and stops both. */
async function behind(start, test, { options = {}, more, path = '/mcp', transport } = {}) {
  const upstream = await start;
  try {
    const url = upstream.url.includes('/', 8) ? upstream.url : upstream.url + path;
    await withUpstreams(remote('r', url, more, transport), options, client => test(client, upstream));
  } finally {
    await upstream.close();
  }
}

describe('server-everything', () => {
  for (const [kind, transport] of [['streamableHttp', 'http'], ['sse', 'sse']]) {
    test(`over ${kind}: tools, an image, a prompt, progress`, { timeout }, () => behind(everything(kind), async client => {
      await ready(client, 'r');
      assert.equal((await server(client, 'r')).transport, transport);
      assert.match(textOf(await call(client, 'r__get-sum', { a: 2, b: 40 })), /42/);
      assert.ok((await call(client, 'r__get-tiny-image')).content.some(block => block.type === 'image' && block.data.length > 100));
      assert.match((await client.request('prompts/get', { name: 'r__args-prompt', arguments: { city: 'Paris' } })).messages[0].content.text, /Paris/);
      const seen = [];
      client.on('message', message => { if (message.method === 'notifications/progress') seen.push(message.params.progress); });
      assert.ok(await client.request('tools/call', { name: 'r__trigger-long-running-operation', arguments: { duration: 0.3, steps: 2 }, _meta: { progressToken: 1 } }));
      assert.deepEqual(seen, [1, 2]);
    }, { transport }));
  }
});

describe('a server of the modern era', () => {
  test('headers mirror the request, and closing the stream is the cancellation', { timeout }, () => behind(modernHttp(), async (client, { requests, aborted }) => {
    await ready(client, 'r');
    assert.equal((await server(client, 'r')).era, 'modern');
    assert.equal(textOf(await call(client, 'r:greet «x₁»', { name: 'Ada λ' })), 'Hello, Ada λ!');
    const headers = requests.at(-1);
    assert.equal(headers['mcp-protocol-version'], '2026-07-28');
    assert.equal(headers['mcp-method'], 'tools/call');
    assert.equal(headers['mcp-name'], `=?base64?${Buffer.from('greet «x₁»').toString('base64')}?=`);
    assert.equal(headers['mcp-param-who'], `=?base64?${Buffer.from('Ada λ').toString('base64')}?=`);
    const before = requests.length;
    const { id } = client.begin('tools/call', { name: 'r__hang', arguments: {} });
    await until('the call', () => requests.length > before);
    client.cancel(id);
    await until('the end of the stream', () => aborted.count === 1);
    assert.ok(await call(client, 'r:greet «x₁»', { name: 'B' }));
  }));
});

describe('a legacy server over streamable HTTP', () => {
  for (const json of [true, false]) {
    test(`answers as ${json ? 'JSON' : 'events'}; session and revision go with everything; the session is deleted`, { timeout }, async () => {
      const upstream = await legacyHttp({ json });
      await behind(upstream, async client => {
        await ready(client, 'r');
        assert.equal(textOf(await call(client, 'r__echo', { text: 'λ' })), '{"text":"λ"}');
        const { headers } = upstream.state.requests.find(({ message }) => message?.method === 'tools/call');
        assert.equal(headers['mcp-session-id'], 'session-1');
        assert.equal(headers['mcp-protocol-version'], '2025-11-25');
        assert.equal(headers['x-key'], 'k');
      }, { more: 'headers = { "X-Key" = "k" }' });
      assert.ok(upstream.state.requests.some(({ method }) => method === 'DELETE'));
    });
  }

  test('an expired session: a new one, and the call is made in it', { timeout }, () => behind(legacyHttp(), async (client, { state }) => {
    await ready(client, 'r');
    await call(client, 'r__echo', { do: 'forget' });
    assert.equal(textOf(await call(client, 'r__echo', { text: 'after' })), '{"text":"after"}');
    assert.equal(state.requests.filter(({ message }) => message?.method === 'initialize').length, 2);
    assert.equal(state.requests.at(-1).headers['mcp-session-id'], 'session-2');
  }));

  test('an answer that has to be fetched again; requests of the server and progress in the stream', { timeout }, () => behind(legacyHttp(), async (client, { state }) => {
    await ready(client, 'r');
    assert.equal(textOf(await call(client, 'r__echo', { do: 'poll' })), '{"do":"poll"}');
    const resumed = state.requests.find(({ method, headers }) => method === 'GET' && headers['last-event-id']);
    assert.match(resumed.headers['last-event-id'], /^e\d+$/);
    const seen = [];
    client.on('message', message => { if (message.method === 'notifications/progress') seen.push(message.params); });
    await client.request('tools/call', { name: 'r__echo', arguments: { do: 'ask' }, _meta: { progressToken: 'p' } });
    assert.deepEqual(seen, [{ progressToken: 'p', progress: 1 }]);
    await until('the answer to the ping', () => state.requests.some(({ message }) => message?.id === 's1' && message.result));
  }));

  test('a stream of its own brings what the server sends unasked', { timeout }, () => behind(legacyHttp(), async (client, upstream) => {
    await ready(client, 'r');
    await until('the stream', () => upstream.state.streams.size > 0);
    const told = client.next(message => message.method === 'notifications/tools/list_changed', { what: 'list_changed' });
    upstream.state.tools.push('fresh');
    upstream.tell({ method: 'notifications/tools/list_changed' });
    await told;
    assert.deepEqual(await names(client), ['r__echo', 'r__fresh']);
  }));

  test('a broken stream, 50 MB, and a cancelled call', { timeout }, () => behind(legacyHttp(), async (client, { state }) => {
    await ready(client, 'r');
    assert.equal(errorOf(await call(client, 'r__echo', { do: 'cut' })).kind, 'backend_unavailable');
    assert.match(errorOf(await call(client, 'r__echo', { do: 'big', bytes: 50 << 20 })).message, /more than 16 MiB/);
    const { id } = client.begin('tools/call', { name: 'r__echo', arguments: { do: 'hang' } });
    await until('the call', () => state.requests.some(({ message }) => message?.params?.arguments?.do === 'hang'));
    client.cancel(id);
    await until('the cancellation', () => state.requests.some(({ message }) => message?.method === 'notifications/cancelled'));
    assert.ok(await call(client, 'r__echo'));
  }));

  for (const [status, pattern] of [[401, /HTTP 401/], [500, /HTTP 500/], [429, /HTTP 429/]]) {
    test(`HTTP ${status} is told as it is, and no reason to try another transport`, { timeout }, () => behind(legacyHttp({ refuse: status }), async (client, { state }) => {
      await until('down', async () => (await server(client, 'r')).status === 'down');
      assert.match((await server(client, 'r')).last_error, pattern);
      assert.ok(state.requests.every(({ method }) => method === 'POST'));
      const error = errorOf(await call(client, 'r__echo'));
      if (status === 401) assert.match(error.hint, /auth login r/);
    }));
  }

  test('nobody listens there', { timeout }, () => withUpstreams(remote('r', 'http://127.0.0.1:9/mcp'), {}, async client => {
    await until('down', async () => (await server(client, 'r')).status === 'down');
    assert.match((await server(client, 'r')).last_error, /127\.0\.0\.1:9/);
  }));
});

describe('a redirect to another origin', () => {
  for (const status of [301, 302, 303, 307, 308]) {
    test(`${status}: it is asked nothing, told nothing, and what it says does not come back`, { timeout }, () => behind(legacyHttp(), async (client, { state }) => {
      const stranger = await startStranger({ status: 403, text: 'words of a neighbour' });
      try {
        await ready(client, 'r');
        state.redirect = [status, `${stranger.url}/inside`];
        const error = errorOf(await call(client, 'r__echo', { text: 'argument' }));
        assert.equal(error.kind, 'backend_unavailable');
        assert.match(error.message, /redirected to another origin/);
        assert.match(error.hint, /'url' of r/);
        assert.doesNotMatch(JSON.stringify(error), /words of a neighbour/);
        assert.equal(stranger.requests.length, 0);
        state.redirect = undefined;
        assert.ok(await call(client, 'r__echo'));
      } finally {
        await stranger.close();
      }
    }));
  }
});

describe('--offline', () => {
  const offline = { args: ['--upstream', 'all', '--offline'] };
  test('a server beyond this machine is not asked, and its calls say why', { timeout }, () => withUpstreams(remote('far', 'https://192.0.2.1/mcp'), offline, async client => {
    const { status, last_error: reason } = await until('its state', () => server(client, 'far'));
    assert.equal(status, 'disabled');
    assert.match(reason, /on another machine, and --offline forbids connecting to it/);
    const error = errorOf(await call(client, 'far__x'));
    assert.equal(error.kind, 'not_supported');
    assert.match(error.hint, /without --offline/);
  }));
  test('one on this machine is', { timeout }, () => behind(legacyHttp(), async client => {
    await ready(client, 'r');
    assert.equal(textOf(await call(client, 'r__echo', { text: 'x' })), '{"text":"x"}');
  }, { options: offline }));
});

describe('HTTP+SSE of 2024-11-05', () => {
  for (const transport of ['sse', 'http']) {
    test(`configured as ${transport}`, { timeout }, () => behind(legacySse(), async client => {
      await ready(client, 'r');
      const health = await server(client, 'r');
      assert.deepEqual([health.transport, health.revision], ['sse', '2024-11-05']);
      assert.equal(textOf(await call(client, 'r__echo', { text: '😀' })), '{"text":"😀"}');
    }, { path: '/sse', transport }));
  }

  test('a stream that ends is the end of the connection, which is made again', { timeout }, () => behind(legacySse(), async (client, { state }) => {
    await ready(client, 'r');
    for (const stream of state.streams) stream.end();
    await until('the second connection', async () => (await server(client, 'r')).connects === 2);
    assert.ok(await call(client, 'r__echo'));
  }, { path: '/sse', transport: 'sse' }));

  test('an endpoint of another origin gets nothing', { timeout }, () => behind(legacySse({ endpoint: 'http://127.0.0.2:9/messages' }), async (client, { state }) => {
    await until('down', async () => (await server(client, 'r')).status === 'down');
    assert.match((await server(client, 'r')).last_error, /another origin/);
    assert.equal(state.posts, 0);
  }, { path: '/sse', transport: 'sse' }));
});

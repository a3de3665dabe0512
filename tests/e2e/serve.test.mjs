// `leanbridge serve --http`: many clients on one Lean, in both eras; who is let in; how it ends. On a scripted Lean.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import { binary, cacheFolder, fakeLake, notByPosix, runBinary, scratchProject, temporaryFolder } from '../support/bridge.mjs';
import { exchange, lastEventIn, messagesIn, modern, startHttpServer } from '../support/http-server.mjs';
import { assertGone, descendants, eventually, inspect } from '../support/processes.mjs';

const timeout = 60_000;
const file = { 'A.lean': 'theorem a : True := by\n  trivial\n', 'B.lean': 'theorem b : True := by\n  trivial\n' };
const TOKEN = '0123456789abcdef0123456789abcdef';
const environment = { ...process.env, LEAN_PROJECT_PATH: '', LEAN_MCP_DISABLED_TOOLS: '', LEAN_LOG_LEVEL: '', LEANBRIDGE_CACHE_DIR: cacheFolder(), LEANBRIDGE_DUMPABLE: '1' };

/** Runs `body(server, lake)` on a fresh server, which must end well. @param options {scenario, args, address, token, project: null for any} */
async function withServer({ scenario, args = [], address = '127.0.0.1:0', token, project = scratchProject(file) } = {}, body) {
  const lake = fakeLake(scenario);
  const folder = temporaryFolder('serve');
  if (token) fs.writeFileSync(path.join(folder, 'token'), `${token}\n`);
  const server = await startHttpServer(binary, {
    args: ['serve', '--http', address, ...(project ? ['--project-root', project] : []), '--lake', lake.command, ...(token ? ['--token-file', path.join(folder, 'token')] : []), ...args],
    env: environment,
    cwd: temporaryFolder('cwd'),
  });
  try {
    await body(server, lake);
    if (inspect(server.pid)) assert.deepEqual(await server.stop(), { code: 0, signal: null }, server.stderr());
  } finally {
    await server.stop('SIGKILL');
    for (const { pid } of lake.log().filter(entry => entry.pid)) try { process.kill(pid, 'SIGKILL'); } catch { /* as it should be */ }
  }
}

const goal = (name = 'A.lean', more = {}) => ({ name: 'lean_goal', arguments: { file_path: name, line: 2, column: 3, ...more } });
const call = (params, id = 1) => ({ id, method: 'tools/call', params });
const ask = (server, params, more = {}) => { const { headers, body } = modern({ method: 'tools/call', params }); return server.request({ headers: { ...headers, ...more }, body }); };

/** A legacy session: {id, headers, post(body), delete()}. */
async function session(server, extra = {}) {
  const opened = await server.request({ headers: extra, body: { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } } } });
  assert.equal(opened.status, 200, opened.text);
  const id = opened.headers['mcp-session-id'];
  const headers = { 'Mcp-Session-Id': id, 'MCP-Protocol-Version': '2025-11-25', ...extra };
  const post = body => server.request({ headers, body });
  assert.equal((await post({ method: 'notifications/initialized' })).status, 202);
  return { id, headers, post, delete: () => server.request({ method: 'DELETE', headers }) };
}
const answerOf = ({ headers, text }) => (headers['content-type'] === 'text/event-stream' ? messagesIn(text).at(-1) : JSON.parse(text));
const assertGoal = response => {
  assert.equal(response.status, 200, response.text);
  const { result } = answerOf(response);
  assert.equal(result.isError, false, JSON.stringify(result));
  return result.structuredContent;
};

describe('both eras on one Lean', () => {
  test('sixteen clients of two files start one lake serve and open each file once', { timeout }, async () => {
    await withServer({}, async (server, lake) => {
      const sessions = await Promise.all(Array.from({ length: 8 }, () => session(server)));
      const names = ['A.lean', 'B.lean'];
      const answers = await Promise.all([
        ...sessions.map((one, i) => one.post(call(goal(names[i % 2])))),
        ...Array.from({ length: 8 }, (_, i) => ask(server, goal(names[i % 2]))),
      ]);
      answers.forEach(assertGoal);
      assert.equal(lake.starts().length, 1);
      assert.equal(lake.ofFiles('textDocument/didOpen').length, 2);
    });
  });

  test('a session ends with DELETE, another goes on', { timeout }, async () => {
    await withServer({}, async server => {
      const [one, two] = [await session(server), await session(server)];
      assert.equal((await one.delete()).status, 204);
      assert.equal((await one.post({ id: 1, method: 'tools/list' })).status, 404);
      const { result } = answerOf(await two.post({ id: 1, method: 'tools/list' }));
      assert.ok(result.tools.some(({ name }) => name === 'lean_goal'));
    });
  });

  test('a slow answer comes as events, and can be fetched after the connection was cut', { timeout }, async () => {
    await withServer({ scenario: { about: 'A slow goal.', rules: [{ on: '$/lean/plainGoal', times: 1, do: [{ delay_ms: 2500 }, { default: true }] }, { on: '$/lean/rpc/call', times: 1, do: [{ delay_ms: 2500 }, { default: true }] }] } }, async server => {
      const one = await session(server);
      let cut;
      const broken = exchange(server.url, { headers: one.headers, body: call(goal()), opened: (response, request, received) => {
        response.on('data', () => { if (lastEventIn(received())) { cut = lastEventIn(received()); request.destroy(); } });
      } }).catch(() => {});
      await broken;
      assert.ok(cut, 'the stream began with an event');
      const resumed = await server.request({ method: 'GET', headers: { ...one.headers, 'Last-Event-ID': cut } });
      assert.equal(messagesIn(resumed.text).at(-1).id, 1);
      assertGoal(resumed);
    });
  });

  test('closing a modern stream cancels its call at Lean; the call of another client goes on', { timeout }, async () => {
    await withServer({ scenario: 'silent-on-goal' }, async (server, lake) => {
      const { headers, body } = modern({ method: 'tools/call', params: goal('A.lean', { timeout_s: 20 }) });
      const asked = () => [...lake.received('$/lean/plainGoal'), ...lake.received('$/lean/rpc/call')].length;
      const other = ask(server, goal('B.lean', { timeout_s: 8 }));
      await eventually(() => asked() >= 1, 10_000, 'the other call reaches Lean');
      const before = asked();
      let cutNow;
      const cut = exchange(server.url, { headers, body, opened: (response, request) => { cutNow = () => request.destroy(); } }).catch(() => {});
      await eventually(() => cutNow && asked() > before, 10_000, 'the call reaches Lean');
      cutNow();
      await cut;
      await eventually(() => lake.received('$/cancelRequest').length >= 1, 5000, 'Lean is told');
      assert.equal((await other).status, 200);
    });
  });

  test('an official client connects by URL and calls a tool', { timeout }, async () => {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    await withServer({}, async server => {
      const client = new Client({ name: 'test', version: '1' });
      const transport = new StreamableHTTPClientTransport(new URL(server.url));
      await client.connect(transport);
      const result = await client.callTool(goal());
      assert.notEqual(result.isError, true);
      await transport.terminateSession();
      await client.close();
    });
  });
});

describe('who is let in', () => {
  test('pages of other origins are refused, whatever name they reach us by', { timeout }, async () => {
    await withServer({}, async server => {
      const { headers, body } = modern({ method: 'tools/list' });
      for (const more of [{ Host: 'evil.example.com' }, { Origin: 'http://evil.example.com' }, { Origin: 'null' }])
        assert.equal((await server.request({ headers: { ...headers, ...more }, body })).status, 403, JSON.stringify(more));
      assert.equal((await server.request({ headers: { ...headers, 'Content-Type': 'text/plain' }, body })).status, 415);
      assert.equal((await server.request({ headers: { ...headers, Origin: 'http://localhost:6274' }, body })).status, 200);
    });
  });

  test('with a token file, only who has the token', { timeout }, async () => {
    await withServer({ token: TOKEN }, async server => {
      const { headers, body } = modern({ method: 'tools/list' });
      const refused = await server.request({ headers, body });
      assert.equal(refused.status, 401);
      assert.match(refused.headers['www-authenticate'], /^Bearer/);
      for (const Authorization of [`Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`])
        assert.equal((await server.request({ headers: { ...headers, Authorization }, body })).status, 401);
      assert.equal((await server.request({ headers: { ...headers, Authorization: `Bearer ${TOKEN}` }, body })).status, 200);
      assert.equal((await server.request({ method: 'GET', path: '/metrics' })).status, 401);
      assert.equal((await server.request({ method: 'GET', path: '/healthz' })).status, 200);
    });
  });

  test('no address that other machines reach without --listen-any and a token', { timeout }, async () => {
    const folder = temporaryFolder('token');
    fs.writeFileSync(path.join(folder, 'token'), TOKEN);
    for (const args of [['--http', '0.0.0.0:0'], ['--http', '0.0.0.0:0', '--listen-any'], ['--http', '0.0.0.0:0', '--token-file', path.join(folder, 'token')], ['--http', 'example.org:80'], ['--listen-any']]) {
      const { code, stderr } = await runBinary(['serve', ...args], { timeoutMs: 10_000 });
      assert.equal(code, 2, `${args}: ${stderr}`);
      assert.doesNotMatch(stderr, /listening/);
    }
    fs.writeFileSync(path.join(folder, 'short'), 'secret');
    const { code, stderr } = await runBinary(['serve', '--http', '127.0.0.1:0', '--token-file', path.join(folder, 'short')]);
    assert.equal(code, 2);
    assert.match(stderr, /at least 16/);
  });

  test('a Unix socket belongs to this user alone', { timeout }, async () => {
    const socket = path.join(temporaryFolder('socket'), 's');
    await withServer({ address: `unix:${socket}` }, async server => {
      assert.equal(server.url, `unix:${socket}`);
      assert.equal(fs.statSync(socket).mode & 0o777, 0o600);
      assertGoal(await ask(server, goal()));
      const { code } = await runBinary(['serve', '--http', `unix:${socket}`]);
      assert.equal(code, 1, 'a second server does not take it over');
    });
    assert.ok(!fs.existsSync(socket));
  });

  test('--read-only leaves out what writes, builds or runs the caller\'s text', { timeout }, async () => {
    await withServer({ args: ['--read-only', '--tools', 'all'] }, async server => {
      const { headers, body } = modern({ method: 'tools/list' });
      const { result } = (await server.request({ headers, body })).json();
      const names = result.tools.map(({ name }) => name);
      assert.ok(names.includes('lean_goal'));
      assert.deepEqual(result.tools.filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name), []);
      for (const name of ['lean_write_proof', 'lean_build', 'lean_run_code', 'lean_multi_attempt']) assert.ok(!names.includes(name), name);
      assert.equal((await ask(server, { name: 'lean_run_code', arguments: { code: '#eval 1' } })).status, 400);
    });
  });
});

/** Sends bytes as they are and returns all that comes until the server closes. */
const raw = (url, bytes) => new Promise((resolve, reject) => {
  const socket = net.connect({ host: '127.0.0.1', port: Number(new URL(url).port) }, () => socket.write(bytes));
  let text = '';
  socket.setEncoding('latin1').on('data', chunk => { text += chunk; }).on('close', () => resolve(text)).on('error', reject);
});

describe('hostile bytes', () => {
  test('a request that could be read in two ways is refused, and what follows it is not read', { timeout }, async () => {
    await withServer({}, async server => {
      const head = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
      const smuggled = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
      for (const framing of [
        'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', 'Content-Length: 5\r\nContent-Length: 6\r\n',
        'Transfer-Encoding: xchunked\r\n', 'Transfer-Encoding: identity\r\n', 'Transfer-Encoding : chunked\r\n', 'Content-Length: +5\r\n', 'Content-Length: 5, 6\r\n', 'Host: other\r\n',
      ]) {
        // What follows is the rest of the body for one reader, and another request for the other.
        for (const body of ['0\r\n\r\n', '']) {
          const text = await raw(server.url, `${head}${framing}\r\n${body}${smuggled}`);
          assert.match(text, /^HTTP\/1\.1 400 /, framing);
          assert.doesNotMatch(text, /leanbridge_/, framing);
        }
      }
      assert.match(await raw(server.url, 'nonsense\r\n\r\n'), /^HTTP\/1\.1 400 /);
      assert.match(await raw(server.url, `GET / HTTP/1.1\r\nHost: localhost\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`), /^HTTP\/1\.1 431 /);
      assert.match(await raw(server.url, `${head}Content-Length: 100000000\r\n\r\n`), /^HTTP\/1\.1 413 /);
      assertGoal(await ask(server, goal()));
    });
  });

  test('one client cannot take all calls', { timeout }, async () => {
    await withServer({ scenario: 'silent-on-goal', args: ['--max-client-calls', '3'] }, async server => {
      const slow = Array.from({ length: 3 }, () => ask(server, goal('A.lean', { timeout_s: 3 })));
      await eventually(async () => (await server.request({ method: 'GET', path: '/status' })).json().calls_in_progress === 3, 10_000, 'three calls are under way');
      const refused = await ask(server, goal());
      assert.equal(refused.status, 429);
      assert.ok(Number(refused.headers['retry-after']) >= 1);
      for (const { status } of await Promise.all(slow)) assert.equal(status, 200);
      assert.equal((await ask(server, goal('A.lean', { timeout_s: 0.1 }))).status, 200);
    });
  });

  test('a client that is killed disturbs no other', { timeout }, async () => {
    await withServer({}, async server => {
      const one = await session(server);
      const script = `require('http').get({ port: ${new URL(server.url).port}, path: '/mcp', headers: { Host: 'localhost', Accept: 'text/event-stream', 'Mcp-Session-Id': '${one.id}' } }, () => console.log('open'))`;
      const client = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
      await new Promise(resolve => client.stdout.once('data', resolve));
      client.kill('SIGKILL');
      assertGoal(await one.post(call(goal())));
      await eventually(async () => (await server.request({ method: 'GET', path: '/status' })).json().event_streams === 0, 10_000, 'its stream is gone');
    });
  });
});

describe('kill -9 of the server', () => {
  test('every client is told at once, nothing is left, and the next server knows no session of it', { timeout }, async () => {
    await withServer({ scenario: 'silent-on-goal' }, async server => {
      const one = await session(server);
      const events = server.request({ method: 'GET', headers: one.headers });
      const calls = [one.post(call(goal())), ask(server, goal('B.lean'))];
      const cut = Promise.allSettled([...calls, events]);
      await eventually(async () => (await server.request({ method: 'GET', path: '/status' })).json().calls_in_progress === 2, 10_000, 'both calls are under way');
      await eventually(() => descendants(server.pid).length > 0, 10_000, 'Lean has started');
      const below = descendants(server.pid);
      process.kill(server.pid, 'SIGKILL');
      const outcomes = await cut;
      // A stream of events that was begun ends; what has no answer yet is an error.
      for (const { status, reason } of outcomes.slice(0, 2)) assert.equal(status === 'rejected' && reason.code, 'ECONNRESET');
      await assertGone(below, 10_000, 'after the server was killed');
      await assert.rejects(one.post({ id: 2, method: 'ping' }), { code: 'ECONNREFUSED' });

      await withServer({ address: new URL(server.url).host }, async next => {
        const refused = await next.request({ headers: one.headers, body: { id: 2, method: 'ping' } });
        assert.equal(refused.status, 404);
        assert.match(refused.json().error.message, /Send `initialize`/);
        assertGoal(await (await session(next)).post(call(goal())));
        assertGoal(await ask(next, goal('B.lean')));
      });
    });
  });
});

describe('several projects', () => {
  const another = { 'A.lean': 'theorem other : True := by\n  trivial -- another\n' };
  const listed = async server => { const { headers, body } = modern({ method: 'tools/list' }); return (await server.request({ headers, body })).json().result.tools; };

  test('`project` is listed for modern clients, who mirror it in a header that must say the same', { timeout }, async () => {
    const [here, there] = [scratchProject(file), scratchProject(another)];
    await withServer({ project: null, args: ['--tools', 'all'] }, async (server, lake) => {
      const tools = await listed(server);
      const property = name => tools.find(tool => tool.name === name).inputSchema.properties.project;
      assert.equal(property('lean_goal')['x-mcp-header'], 'Project');
      assert.equal(property('lean_run_code')['x-mcp-header'], 'Project');
      assert.equal(property('lean_server_health'), undefined);
      const one = await session(server);
      const legacy = answerOf(await one.post({ id: 1, method: 'tools/list' })).result.tools;
      assert.ok(legacy.every(({ inputSchema }) => inputSchema.properties.project === undefined), 'nothing more for others');

      const about = (project, header = project) => ask(server, goal('A.lean', { project }), header === undefined ? {} : { 'Mcp-Param-Project': header });
      assert.match(JSON.stringify(assertGoal(await about(there))), /another/);
      assert.doesNotMatch(JSON.stringify(assertGoal(await about(here))), /another/);
      const encoded = `=?base64?${Buffer.from(there).toString('base64')}?=`;
      assert.match(JSON.stringify(assertGoal(await about(there, encoded))), /another/);
      for (const [answer, message] of [[await about(there, here), /Mcp-Param-Project differs/], [await ask(server, goal('A.lean', { project: there })), /Mcp-Param-Project is missing/]]) {
        assert.equal(answer.status, 400);
        assert.match(answer.json().error.message, message);
      }
      // Configured by its user, for the proxy.
      assertGoal(await ask(server, goal(path.join(here, 'A.lean')), { 'Mcp-Param-Project': 'here' }));
      assertGoal(await one.post(call(goal('A.lean', { project: there }), 2)));
      assert.match((await ask(server, goal('A.lean', { project: 'somewhere' }), { 'Mcp-Param-Project': 'somewhere' })).text, /must be an absolute path/);
      assert.match((await ask(server, { name: 'lean_server_health', arguments: { project: here } }, { 'Mcp-Param-Project': here })).text, /works in no project/);
      assert.equal(lake.starts().length, 2);
    });
  });

  test('with --project-root there is only one, so nothing is listed, and `project` is no argument', { timeout }, async () => {
    await withServer({}, async server => {
      assert.ok((await listed(server)).every(({ inputSchema }) => inputSchema.properties.project === undefined));
      assert.match((await ask(server, goal('A.lean', { project: '/tmp' }))).text, /invalid_argument/);
    });
  });
});

describe('memory', { skip: notByPosix('nobody tells how much is free') }, () => {
  test('when it is short, idle files are closed, and the next answer says so', { timeout }, async () => {
    await withServer({ args: ['--min-free-memory', '16000000'] }, async (server, lake) => {
      const first = assertGoal(await ask(server, goal()));
      assert.equal(first.reopened, undefined);
      await eventually(() => lake.ofFiles('textDocument/didClose').length === 1, 15_000, 'the file is closed');
      assert.match(assertGoal(await ask(server, goal())).reopened, /memory was short/);
      assert.equal(assertGoal(await ask(server, goal())).reopened, undefined, 'it is said once');
    });
  });
});

describe('what it says about itself', () => {
  test('probes, metrics, the status command and the access log', { timeout }, async () => {
    const log = path.join(temporaryFolder('log'), 'access.jsonl');
    await withServer({ args: ['--access-log', log], token: TOKEN }, async server => {
      const Authorization = `Bearer ${TOKEN}`;
      const get = async (at, headers = { Authorization }) => server.request({ method: 'GET', path: at, headers });
      assert.equal((await get('/healthz', {})).text, 'ok\n');
      assert.equal((await get('/readyz', {})).text, 'ready\n');
      await get('/healthz?key=in-the-query', {});
      assertGoal(await ask(server, goal(), { Authorization }));
      const { text, headers } = await get('/metrics');
      assert.match(headers['content-type'], /^text\/plain; version=0\.0\.4/);
      assert.match(text, /^leanbridge_calls_total\{tool="lean_goal"\} 1$/m);
      assert.match(text, /^leanbridge_call_duration_seconds_bucket\{tool="lean_goal",le="\+Inf"\} 1$/m);
      assert.match(text, /^leanbridge_documents_open 1$/m);
      for (const line of text.trimEnd().split('\n')) assert.match(line, /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[^}]*\})? [-0-9.e+]+)$/);

      const tokens = path.join(temporaryFolder('token'), 'token');
      fs.writeFileSync(tokens, TOKEN);
      const status = await runBinary(['status', server.url, '--token-file', tokens, '--json']);
      assert.equal(status.code, 0, status.stderr);
      assert.equal(JSON.parse(status.stdout).projects[0].open_documents, 1);
      const table = await runBinary(['status', server.url, '--token-file', tokens]);
      assert.match(table.stdout, /lean_goal +1 /);
      assert.equal((await runBinary(['status', server.url])).code, 1, 'without the token');

      const entries = fs.readFileSync(log, 'utf8').trim().split('\n').map(line => JSON.parse(line));
      assert.ok(entries.some(entry => entry.path === '/mcp' && entry.status === 200 && entry.method === 'POST' && entry.ms > 0 && entry.client === '127.0.0.1'));
      assert.doesNotMatch(fs.readFileSync(log, 'utf8'), new RegExp(TOKEN));
      assert.doesNotMatch(fs.readFileSync(log, 'utf8'), /in-the-query/, 'a query may be a secret');
      assert.equal(fs.statSync(log).mode & 0o777, 0o600);
    });
    assert.equal((await runBinary(['status', '127.0.0.1:1'])).code, 1, 'nobody answers');
  });

  test('it is not ready without lake', { timeout }, async () => {
    const server = await startHttpServer(binary, { args: ['serve', '--http', '127.0.0.1:0', '--lake', '/nowhere/lake'], env: environment, cwd: temporaryFolder('cwd') });
    assert.equal((await server.request({ method: 'GET', path: '/readyz' })).status, 503);
    assert.equal((await server.request({ method: 'GET', path: '/healthz' })).status, 200);
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
  });
});

describe('the end', () => {
  test('SIGTERM finishes calls under way, ends streams, and leaves no process', { timeout }, async () => {
    await withServer({ scenario: 'silent-on-goal' }, async server => {
      const one = await session(server);
      const events = server.request({ method: 'GET', headers: one.headers });
      const slow = ask(server, goal('A.lean', { timeout_s: 2 }));
      await eventually(async () => (await server.request({ method: 'GET', path: '/status' })).json().calls_in_progress === 1, 10_000, 'the call is under way');
      await eventually(() => descendants(server.pid).length > 0, 10_000, 'Lean has started');
      const below = descendants(server.pid);
      const began = Date.now();
      const end = server.stop();
      assert.equal((await slow).status, 200, 'the call was answered');
      assert.equal((await events).status, 200);
      assert.deepEqual(await end, { code: 0, signal: null });
      assert.ok(Date.now() - began < 10_000);
      await assertGone(below, 5000);
    });
  });

  test('a call that takes too long is given up, with an answer', { timeout }, async () => {
    await withServer({ scenario: 'silent-on-goal' }, async server => {
      const slow = ask(server, goal('A.lean', { timeout_s: 50 }));
      await eventually(async () => (await server.request({ method: 'GET', path: '/status' })).json().calls_in_progress === 1, 10_000, 'the call is under way');
      const began = Date.now();
      assert.deepEqual(await server.stop(), { code: 0, signal: null });
      const ms = Date.now() - began;
      assert.ok(ms < 10_000, `${ms} ms`);
      await slow.catch(() => {});
    });
  });
});

// Other MCP servers behind the bridge: real ones from npm, and fakes that misbehave. No Lean is needed.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../support/bridge.mjs';
import { call, errorOf, everything, fake, health, modern, names, node, ready, server, stdio, support, textOf, toml, until, withUpstreams } from '../support/upstreams.mjs';

const timeout = 60_000;

describe('server-everything over stdio', () => {
  test('its tools, images, structured results, prompts, progress and cancellation pass through', { timeout }, () => withUpstreams(stdio('every', [everything, 'stdio']), {}, async client => {
    await client.next(message => message.method === 'notifications/tools/list_changed', { what: 'list_changed', past: true });
    await ready(client, 'every');
    assert.equal(client.server.capabilities.tools.listChanged, true);
    const tools = (await client.request('tools/list', {})).tools;
    const sum = tools.find(tool => tool.name === 'every__get-sum');
    assert.deepEqual(Object.keys(sum.inputSchema.properties), ['a', 'b']);
    assert.match(textOf(await call(client, 'every__get-sum', { a: 2, b: 40 })), /42/);
    assert.match(textOf(await call(client, 'every:echo', { message: 'x₁ «a b» 😀' })), /x₁ «a b» 😀/);
    assert.match(textOf(await call(client, 'echo', { message: 'bare' })), /bare/);
    const image = (await call(client, 'every__get-tiny-image')).content.find(block => block.type === 'image');
    assert.equal(image.mimeType, 'image/png');
    assert.equal(Buffer.from(image.data, 'base64').subarray(1, 4).toString(), 'PNG');
    assert.ok((await call(client, 'every__get-structured-content', { location: 'New York' })).structuredContent);
    assert.ok((await call(client, 'every__get-resource-links', { count: 2 })).content.some(block => block.type === 'resource_link'));
    assert.equal((await call(client, 'every__get-sum', { a: 'two', b: 1 })).isError, true);

    const seen = [];
    const slow = client.begin('tools/call', { name: 'every__trigger-long-running-operation', arguments: { duration: 0.6, steps: 3 }, _meta: { progressToken: 'mine' } });
    client.on('message', message => { if (message.method === 'notifications/progress') seen.push(message.params); });
    assert.ok((await slow.answer).result);
    assert.deepEqual(seen.map(({ progressToken, progress, total }) => [progressToken, progress, total]), [['mine', 1, 3], ['mine', 2, 3], ['mine', 3, 3]]);

    const prompts = (await client.request('prompts/list', {})).prompts.map(prompt => prompt.name);
    assert.ok(prompts.includes('every__args-prompt') && prompts.includes('prove'));
    const { messages } = await client.request('prompts/get', { name: 'every__args-prompt', arguments: { city: 'Paris' } });
    assert.match(messages[0].content.text, /Paris/);
    await assert.rejects(client.request('prompts/get', { name: 'every__args-prompt', arguments: {} }), { code: -32602 });
  }));
});

describe('a server as a source of theorems', () => {
  const found = { results: [{ name: 'Team.add_comm₁', type: '∀ (a b : ℕ), a + b = b + a', module: 'Team.Basic' }] };
  const loogle = log => stdio('team', [support('fake-upstream.mjs'), 'tools=', `log=${log}`, `answer=${JSON.stringify(found)}`, `tool=${JSON.stringify({ name: 'lean_loogle', inputSchema: { type: 'object', properties: { query: { type: 'string' }, num_results: { type: 'integer', maximum: 9 } } } })}`], 'search = "loogle"');
  const search = (client, args) => client.call('lean_theorem_search', { query: '_ + _ = _ + _', ...args });
  const PATIENT = ['--upstream', 'all', '--patience-s', '30'];   // the search connects it
  test('it is asked in its form, and named as the source', { timeout }, async () => {
    const log = path.join(temporaryFolder('log'), 'log');
    await withUpstreams(loogle(log) + stdio('wrong', [support('fake-upstream.mjs')], 'search = "moogle"'), { env: { LEAN_EXPLORE_KEY: '' }, args: PATIENT }, async client => {
      const { structured } = await search(client, { sources: ['loogle@team'] });
      assert.deepEqual(structured.results.map(({ name, sources }) => [name, sources.map(source => source.source ?? source)]), [['Team.add_comm₁', ['loogle@team']]]);
      const asked = fs.readFileSync(log, 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line)).find(({ method }) => method === 'tools/call');
      assert.equal(asked.params.name, 'lean_loogle');
      assert.match(asked.params.arguments.query, /_ \+ _ = _ \+ _/);
      assert.equal(asked.params.arguments.num_results, 9);
      const again = await search(client, { sources: ['loogle@team'] });
      assert.equal(again.structured.sources.find(({ source }) => source === 'loogle@team').cached, true);
      assert.match(JSON.stringify((await health(client)).problems), /no search service 'moogle'/);
      assert.match((await search(client, { sources: ['loogle@nobody'] })).error.hint, /loogle@team/);
    });
  });
  test('one that crashes is reported, and the index stands in', { timeout }, () => withUpstreams(stdio('gone', [support('fake-upstream.mjs'), 'start=crash'], 'search = "loogle"'), { args: PATIENT }, async client => {
    const { structured } = await search(client, { sources: ['loogle@gone'] });
    const report = structured.sources.find(({ source }) => source === 'loogle@gone');
    assert.equal(report.status, 'unavailable');
    assert.match(report.error, /gone/);
  }));
  test('offline it is not asked', { timeout }, async () => {
    const log = path.join(temporaryFolder('log'), 'log');
    await withUpstreams(loogle(log), { args: ['--upstream', 'all', '--offline'] }, async client => {
      await ready(client, 'team');
      const { structured } = await search(client, { sources: ['loogle@team'] });
      assert.equal(structured.sources.find(({ source }) => source === 'loogle@team').status, 'disabled');
      assert.doesNotMatch(fs.readFileSync(log, 'utf8'), /tools\/call/);
    });
  });
});

describe('a server of the modern era', () => {
  for (const era of ['legacy', 'modern']) {
    test(`for a ${era} client: tools, progress, prompts and a list that changes`, { timeout }, () => withUpstreams(modern, { era }, async client => {
      await ready(client, 'modern');
      const { era: spoken, revision, server: info } = await server(client, 'modern');
      assert.deepEqual([spoken, revision, info.name], ['modern', '2026-07-28', 'modern']);
      const result = await call(client, 'modern__greet', { name: 'Ada' });
      assert.equal(textOf(result), 'Hello, Ada!');
      assert.equal(result.resultType, era === 'modern' ? 'complete' : undefined);
      const progress = [];
      client.on('message', message => { if (message.method === 'notifications/progress') progress.push(message.params.progress); });
      const steps = await client.request('tools/call', { name: 'modern__steps', arguments: {}, _meta: { progressToken: 7 } });
      assert.equal(textOf(steps), 'token string');
      assert.deepEqual(progress, [1, 2, 3]);
      const { messages } = await client.request('prompts/get', { name: 'modern__ask', arguments: { about: 'sets' } });
      assert.equal(messages[0].content.text, 'What of sets?');

      if (era === 'modern') {
        client.sendMessage({ id: 'listen', method: 'subscriptions/listen', params: client.withMeta({ notifications: { toolsListChanged: true } }) });
        const granted = await client.next(message => message.method === 'notifications/subscriptions/acknowledged', { past: true });
        assert.deepEqual(granted.params.notifications, { toolsListChanged: true });
      }
      const told = client.next(message => message.method === 'notifications/tools/list_changed', { what: 'list_changed' });
      await call(client, 'modern__grow');
      const note = await told;
      if (era === 'modern') assert.equal(note.params._meta['io.modelcontextprotocol/subscriptionId'], 'listen');
      assert.ok((await names(client)).includes('modern__grown'));
      assert.equal(textOf(await call(client, 'modern__grown')), 'I am new');
    }));
  }
});

describe('names', () => {
  const long = 'n'.repeat(200);
  const servers = fake('one', 'tools=same,only_one,get.weather,λ') + fake('two', `tools=same,${long},${long}x`) + fake('my server', 'tools=same');
  test('two servers with one name, illegal characters, 200 characters', { timeout }, () => withUpstreams(servers, {}, async client => {
    await ready(client, 'one', 'two', 'my server');
    const all = await names(client);
    assert.equal(all.length, 8);
    assert.equal(new Set(all).size, 8);
    for (const name of all) assert.match(name, /^[A-Za-z0-9_-]{1,47}$/);
    const ask = async name => JSON.parse(textOf(await call(client, name))).tool;
    assert.equal(await ask('one__same'), 'same');
    assert.equal(await ask('two:same'), 'same');
    assert.equal(await ask('my server:same'), 'same');
    assert.equal(await ask('only_one'), 'only_one');
    assert.equal(await ask('one__get.weather'), 'get.weather');
    assert.equal(await ask('get.weather'), 'get.weather');
    assert.deepEqual(new Set(await Promise.all(all.map(ask))), new Set(['same', 'only_one', 'get.weather', 'λ', long, `${long}x`]));
    const unclear = errorOf(await call(client, 'same'));
    assert.equal(unclear.kind, 'invalid_argument');
    assert.match(unclear.hint, /one__same/);
    assert.match(errorOf(await call(client, 'one__nothing')).hint, /only_one/);
    await assert.rejects(call(client, 'no_such_tool'), { code: -32602 });
  }));

  test('invalid tools are left out and reported; all pages are read', { timeout }, () => withUpstreams(
    fake('paged', 'tools=a,b,c,d,e', 'pages=2', 'tool={"name":"no_schema"}', 'tool={"name":"list","inputSchema":{"type":"array"}}', 'tool={"inputSchema":{"type":"object"}}', 'tool={"name":"a","inputSchema":{"type":"object"}}'), {}, async client => {
      await ready(client, 'paged');
      assert.deepEqual(await names(client), ['paged__a', 'paged__b', 'paged__c', 'paged__d', 'paged__e']);
      const { problems } = await server(client, 'paged');
      assert.equal(problems.length, 4);
      assert.ok(problems.some(text => /no_schema/.test(text)));
    }));

  test('a tool that appears and disappears at run time', { timeout }, () => withUpstreams(fake('f'), {}, async client => {
    await ready(client, 'f');
    const change = async args => {
      const told = client.next(message => message.method === 'notifications/tools/list_changed', { what: 'list_changed' });
      await call(client, 'f__echo', args);
      await told;
    };
    await change({ do: 'add', tool: 'fresh' });
    assert.deepEqual(await names(client), ['f__echo', 'f__fresh']);
    assert.ok(await call(client, 'f__fresh'));
    await change({ do: 'remove', tool: 'fresh' });
    assert.deepEqual(await names(client), ['f__echo']);
    assert.match(errorOf(await call(client, 'f__fresh')).message, /no tool fresh/);
  }));

  test('changes that come fast are told once a second, and the last one is told', { timeout }, () => withUpstreams(fake('f'), {}, async client => {
    await ready(client, 'f');
    let told = 0;
    client.on('message', message => { if (message.method === 'notifications/tools/list_changed') told++; });
    await call(client, 'f__echo', { do: 'changes', times: 120, every_ms: 10 });
    await until('all tools', async () => (await names(client)).length === 121);
    assert.ok(told >= 2 && told <= 4, `told ${told} times`);
  }));
});

describe('what passes through', () => {
  test('a cancelled call is cancelled at the server, and never answered', { timeout }, async () => {
    const log = path.join(temporaryFolder('log'), 'log');
    await withUpstreams(fake('f', `log=${log}`), {}, async client => {
      await ready(client, 'f');
      const { id } = client.begin('tools/call', { name: 'f__echo', arguments: { do: 'hang' } });
      const entries = () => fs.readFileSync(log, 'utf8').trim().split('\n').map(line => JSON.parse(line));
      const asked = await until('the call', () => entries().find(entry => entry.method === 'tools/call'));
      client.cancel(id);
      const cancelled = await until('the cancellation', () => entries().find(entry => entry.method === 'notifications/cancelled'));
      assert.equal(cancelled.params.requestId, asked.id);
      assert.ok(await call(client, 'f__echo'));
      assert.equal(client.messages.filter(message => message.id === id && !message.method).length, 0);
    });
  });
});

describe('servers that misbehave', () => {
  test('servers that crash at the start, are missing, or never answer: the others work', { timeout }, () => withUpstreams(
    fake('dead', 'start=crash') + '[[servers]]\nname = "absent"\ntransport = "stdio"\ncommand = "no-such-program-xyz"\n' + fake('mute', 'start=mute') + fake('well'), {}, async client => {
      await ready(client, 'well');
      assert.ok(await call(client, 'well__echo'));
      await until('dead is down', async () => (await server(client, 'dead')).status === 'down');
      assert.match((await server(client, 'dead')).last_error, /exit code 3.*cannot read the file of keys/);
      assert.match((await server(client, 'absent')).last_error, /no-such-program-xyz/);
      assert.equal(errorOf(await call(client, 'absent__x')).kind, 'backend_unavailable');
      assert.equal((await server(client, 'mute')).status, 'connecting');
    }));

  test('one that answers no call is given up after its time', { timeout }, () => withUpstreams(fake('f').trimEnd() + '\ntimeout_s = 0.3\n', {}, async client => {
    await ready(client, 'f');
    assert.equal(errorOf(await call(client, 'f__echo', { do: 'hang' })).kind, 'timeout');
    assert.ok(await call(client, 'f__echo'));
  }));

  test('one that floods stderr, and one that prints greetings to stdout', { timeout }, () => withUpstreams(fake('f', 'start=noise'), { args: ['--upstream', 'all', '--log-level', 'info'] }, async client => {
    await ready(client, 'f');
    let logged = 0;
    client.process.stderr.on('data', chunk => { logged += chunk.length; });
    assert.equal(textOf(await call(client, 'f__echo', { do: 'flood', lines: 50_000 })), 'flooded');
    assert.ok(logged < 200_000, `${logged} bytes were logged`);
  }));

  test('one that sends 50 MB: that call fails, the connection stays', { timeout }, () => withUpstreams(fake('f'), {}, async client => {
    await ready(client, 'f');
    assert.equal(textOf(await call(client, 'f__echo', { do: 'big', bytes: 8 << 20 })).length, 8 << 20);
    assert.match(errorOf(await call(client, 'f__echo', { do: 'big', bytes: 50 << 20 })).message, /more than 16 MiB/);
    assert.ok(await call(client, 'f__echo'));
    assert.equal((await server(client, 'f')).connects, 1);
  }));
});

describe('configuration and consent', () => {
  test('without consent no program of the workspace is started', { timeout }, async () => {
    const log = path.join(temporaryFolder('log'), 'log');
    await withUpstreams(fake('f', `log=${log}`), { args: [] }, async client => {
      assert.equal(client.server.capabilities.tools.listChanged, undefined);
      assert.deepEqual(await names(client), []);
      assert.equal(fs.existsSync(log), false);
      assert.match(client.stderr, /server f is not connected: .*consent.*--upstream f/);
    });
  });

  test('a consent holds for the entry as it was; names given with --upstream are enough too', { timeout }, async () => {
    const entry = { name: 'f', transport: 'stdio', command: node, args: [support('fake-upstream.mjs')] };
    const trust = definition => ({ workspace, home }) => {
      fs.mkdirSync(path.join(home, '.config/leanbridge'), { recursive: true });
      fs.writeFileSync(path.join(home, '.config/leanbridge/trusted-servers.json'), JSON.stringify({ trusted: [{ workspace, name: 'f', definition }] }), { mode: 0o600 });
    };
    await withUpstreams(fake('f'), { args: [], prepare: trust(entry) }, client => ready(client, 'f'));
    await withUpstreams(fake('f'), { args: [], prepare: trust({ ...entry, args: ['other.mjs'] }) }, async client => assert.deepEqual(await names(client), []));
    await withUpstreams(fake('f') + fake('g'), { args: ['--upstream', 'g'] }, async client => assert.deepEqual((await health(client)).servers.map(each => each.name), ['g']));
    await withUpstreams(fake('f'), { args: [], env: { LEANBRIDGE_UPSTREAM: 'f' } }, client => ready(client, 'f'));
  });

  test('a bad entry is reported with its line, the others connect; the workspace wins over the home', { timeout }, () => withUpstreams(
    `${fake('good', 'tools=from_workspace')}[[servers]]\nname = "bad"\ntransport = "stdio"\n`,
    { prepare: ({ home }) => {
      fs.mkdirSync(path.join(home, '.leanbridge/extensions/x/mcp'), { recursive: true });
      fs.writeFileSync(path.join(home, '.leanbridge/mcp-servers.toml'), fake('good', 'tools=from_home') + fake('homely'));
      fs.writeFileSync(path.join(home, '.leanbridge/extensions/x/mcp/ext.json'), JSON.stringify({ name: 'ext', command: node, args: [support('fake-upstream.mjs')], env: { SECRET: '${NO_SUCH_VARIABLE:-dflt}' } }));
    } }, async client => {
      await ready(client, 'good', 'homely', 'ext');
      assert.deepEqual(await names(client), ['ext__echo', 'good__from_workspace', 'homely__echo']);
      const { problems } = await health(client);
      assert.equal(problems.length, 1);
      assert.match(problems[0], /mcp-servers\.toml:\d+: server bad: 'command' is missing/);
    }));

  for (const [what, args] of [['without consent', []], ['with it', ['--upstream', 'all']]]) {
    test(`${what}: a file of the workspace reveals nothing about the environment`, { timeout }, () => withUpstreams('', {
      args: [...args, '--log-level', 'debug'], env: { HOSTED_KEY: 's3cret-of-mine', HOSTED_PORT: '9' },
      prepare: ({ workspace }) => fs.writeFileSync(path.join(workspace, '.mcp.json'), JSON.stringify({ mcpServers: {
        type: { type: '${HOSTED_KEY}' }, args: { command: 'x', args: '${HOSTED_KEY}' }, url: { url: '${HOSTED_KEY}' }, auth: { url: 'http://127.0.0.1:9', auth: { type: '${HOSTED_KEY}' } },
        unset: { command: '${HOSTED_NOTHING}${HOSTED_KEY}' }, header: { url: 'http://127.0.0.1:9', headers: { 'a b': '${HOSTED_KEY}' } }, absent: { command: 'no-${HOSTED_KEY}' }, path: { command: './${HOSTED_KEY}' },
        host: { url: 'http://${HOSTED_KEY}.invalid/mcp' }, search: { command: 'x', search: '${HOSTED_KEY}' },
        talks: { command: node, args: ['-e', 'console.error(process.env.KEY); process.exit(4)'], env: { KEY: '${HOSTED_KEY}' } },
      } })),
    }, async client => {
      const problems = await until('health', async () => (await health(client))?.problems);
      assert.ok(problems.some(text => text.includes("Unknown transport '${HOSTED_KEY}'")), problems.join('\n'));
      const seen = async () => JSON.stringify(await health(client));
      if (args.length > 0) {
        for (const name of ['absent', 'path', 'host', 'talks']) await until(`${name} is down`, async () => (await server(client, name)).status === 'down');
        assert.match((await server(client, 'absent')).last_error, /no program 'no-\$\{HOSTED_KEY\}'/);
        assert.match((await server(client, 'talks')).last_error, /stderr ends with: \$\{HOSTED_KEY\}/);
        for (const name of ['absent', 'host', 'talks']) assert.doesNotMatch(JSON.stringify(errorOf(await call(client, `${name}__x`))), /s3cret-of-mine/);
      } else {
        assert.ok(!problems.some(text => /HOSTED_NOTHING/.test(text)), 'what is set and what is not is nothing to tell, either');
      }
      assert.doesNotMatch(await seen(), /s3cret-of-mine/);
      assert.doesNotMatch(client.stderr, /s3cret-of-mine/);
    }));
  }

  test('whatever a server says about itself loses invisible characters', { timeout }, async () => {
    const dirty = 'a\u001b[31mb\u007f\u0085\u202e\u{e0041}c', tool = { name: 'odd', description: dirty, title: dirty, annotations: { title: dirty }, _meta: { x: dirty },
      inputSchema: { type: 'object', properties: { p: { type: 'string', description: dirty, enum: [dirty], default: dirty } } }, outputSchema: { type: 'object', description: dirty } };
    const ascii = value => JSON.stringify(value).replaceAll(/[\u007f-\uffff]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);   // TOML allows no control characters
    const servers = fake('odd', `info=${ascii({ name: dirty, version: dirty })}`, `tool=${ascii(tool)}`, `tool=${ascii({ ...tool, name: `n${dirty}` })}`, 'tools=echo');
    const isClean = value => assert.doesNotMatch(JSON.stringify(value), /[\u007f-\u009f\u202a-\u202e\u{e0000}-\u{e007f}]|\\u00[01]/u);
    await withUpstreams(servers, {}, async client => {
      await ready(client, 'odd');
      const tools = (await client.request('tools/list', {})).tools.filter(({ name }) => name.startsWith('odd'));
      isClean(tools);
      assert.equal(tools.find(({ name }) => name === 'odd__odd').inputSchema.properties.p.enum[0], 'abc');
      assert.equal(tools.length, 2);
      const state = await server(client, 'odd');
      assert.deepEqual(state.server, { name: 'abc', version: 'abc' });
      assert.match(state.problems.join(), /its name contains control characters/);
      isClean(await health(client));
      const link = await call(client, 'odd__echo', { do: 'content', content: [{ type: 'resource_link', uri: 'test://x', name: dirty, title: dirty, annotations: { x: dirty } }, { type: 'text', text: dirty }] });
      isClean(link.content[0]);
      assert.equal(link.content[1].text, dirty, 'what a tool answers is data, and stays');
    });
    await withUpstreams(servers, { args: ['--upstream', 'all', '--lazy-upstream'] }, async client => {
      await ready(client, 'odd');
      isClean(JSON.parse(textOf(await call(client, 'upstream_describe', { tool: 'odd__odd' }))));
      isClean(JSON.parse(textOf(await call(client, 'upstream_servers'))));
    });
  });

  test('descriptions lose control characters', { timeout }, () => withUpstreams(fake('odd', `tool=${JSON.stringify({ name: 'esc', description: 'Red \u001b[31mhat\u0007 and\u0000 nothing', inputSchema: { type: 'object' } })}`), {}, async client => {
    await ready(client, 'odd');
    const tool = (await client.request('tools/list', {})).tools.find(({ name }) => name === 'odd__esc');
    assert.match(tool.description, /Red .*hat.* nothing/s);
    assert.doesNotMatch(tool.description, /[\u0000-\u0008\u000b-\u001f\u007f]/);
  }));
  test('the environment of a server is small, and says that it is behind a bridge', { timeout }, async () => {
    const log = path.join(temporaryFolder('log'), 'log');
    await withUpstreams(`${fake('f', `log=${log}`).trimEnd()}\nenv = { GIVEN = "\${PASSED:-no}" }\n`, { env: { API_TOKEN_OF_SOMEBODY: 'x', PASSED: 'yes' } }, async (client, { workspace }) => {
      await ready(client, 'f');
      const { env, cwd } = JSON.parse(fs.readFileSync(log, 'utf8').split('\n')[0]);
      assert.ok(env.includes('GIVEN') && env.includes('PATH') && env.includes('LEANBRIDGE_UPSTREAM'));
      assert.ok(!env.includes('API_TOKEN_OF_SOMEBODY'));
      assert.equal(cwd, workspace);
    });
  });

  test('nor to another copy, by the entries that setup writes', { timeout }, () => withUpstreams('', { prepare: ({ workspace }) => fs.writeFileSync(path.join(workspace, '.mcp.json'), JSON.stringify({ mcpServers: {
    a: { command: 'leanbridge' }, b: { command: '/nowhere/bin/leanbridge' }, c: { command: 'npx', args: ['-y', 'leanbridge'] }, d: { command: 'uvx', args: ['leanbridge'] }, f: { command: node, args: [support('fake-upstream.mjs')] } } })) }, async client => {
    await ready(client, 'f');
    assert.deepEqual((await health(client)).servers.map(each => each.name), ['f']);
    assert.doesNotMatch(client.stderr, /not connected/);
  }));
  test('this program does not connect to itself', { timeout }, () => withUpstreams('', { prepare: ({ workspace }) => fs.writeFileSync(path.join(workspace, '.mcp.json'), JSON.stringify({ mcpServers: { lean: { command: process.env.LEANBRIDGE_BINARY ?? path.join(import.meta.dirname, '../../build/release/leanbridge') }, f: { command: node, args: [support('fake-upstream.mjs')] } } })) }, async client => {
    await ready(client, 'f');
    assert.deepEqual((await health(client)).servers.map(each => each.name), ['f']);
  }));
});

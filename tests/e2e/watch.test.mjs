// `leanbridge view --watch`: what a watcher gets of the agents of a shared server, and who gets nothing. On a scripted Lean.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import { cacheFolder, fakeLake, runBinary, scratchProject, spawnBridge, temporaryFolder } from '../support/bridge.mjs';
import { eventually, withEnvironment } from '../support/processes.mjs';
import { startView } from '../support/view.mjs';

const timeout = 120_000;
const TEXT = 'theorem a : True := by\n  trivial\n  skip\n';
const MARK = 'exact only_the_first_client_says_this';

/** A project, agents with one shared server, and views. */
class World {
  constructor() {
    this.env = { XDG_RUNTIME_DIR: temporaryFolder('run'), XDG_STATE_HOME: temporaryFolder('state'), LEANBRIDGE_CACHE_DIR: cacheFolder(), LEANBRIDGE_DUMPABLE: '1' };
    this.project = scratchProject({ 'A.lean': TEXT, 'B.lean': TEXT });
    this.lake = fakeLake().command;
    this.clients = [];
    this.views = [];
  }
  async agent({ args = ['--watchable'], env = {} } = {}) {
    const client = spawnBridge({ project: this.project, lake: this.lake, args: ['--shared', '--shared-idle-s', '60', ...args], env: { ...this.env, ...env } });
    this.clients.push(client);
    await client.connect();
    return client;
  }
  async view(file, { args = [], lake = this.lake } = {}) {
    const view = await startView(file && path.join(this.project, file), { lake, args: ['--watch', ...args], env: this.env });
    this.views.push(view);
    return view;
  }
  socket() {
    const folder = path.join(this.env.XDG_RUNTIME_DIR, 'leanbridge');
    return path.join(folder, fs.readdirSync(folder).find(name => name.endsWith('.socket')));
  }
  /** A connection to the server that says this line: {lines, send, close}. */
  async connection(greeting) {
    const socket = net.connect(this.socket()), lines = [];
    let rest = '';
    socket.setEncoding('utf8').on('data', chunk => { const whole = (rest + chunk).split('\n'); rest = whole.pop(); lines.push(...whole.map(line => JSON.parse(line))); }).on('error', () => {});
    socket.write(`${JSON.stringify(greeting)}\n`);
    await eventually(() => lines.length > 0, 10_000, 'an answer to the greeting');
    return { lines, send: message => socket.write(`${JSON.stringify(message)}\n`), close: () => socket.destroy() };
  }
  async end() {
    for (const view of this.views) await view.stop('SIGKILL');
    for (const client of this.clients) await client.destroy();
    for (const { pid } of withEnvironment('XDG_RUNTIME_DIR', this.env.XDG_RUNTIME_DIR)) try { process.kill(pid, 'SIGKILL'); } catch { /* gone meanwhile */ }
  }
}
const session = (name, body) => test(name, { timeout }, async () => {
  const world = new World();
  try {
    await body(world);
  } finally {
    await world.end();
  }
});
const goal = { file_path: 'A.lean', line: 2 };
const version = async () => (await runBinary(['--version'])).stdout.trim().split(' ').at(-1);
/** The calls of a reader's events as they are by now. */
const callsOf = events => [...new Map(events.all.filter(({ event }) => event === 'calls').flatMap(({ data }) => data.calls).map(each => [each.call, each])).values()];
const callOf = (events, fits) => eventually(() => callsOf(events).find(fits), 30_000, `a call among ${JSON.stringify(callsOf(events))}`);

describe('what a page is told', () => {
  session('each call: agent, tool, file, place, time, outcome, an edit, sorries; then its file', async world => {
    const view = await world.view(), events = await view.events('line=1');
    assert.deepEqual(await events.next('calls'), { servers: 0, clients: 0, watchable: 0, lost: 0, revision: 0, calls: [], shown: 0 });
    const agent = await world.agent();
    await events.next('calls', each => each.servers === 1 && each.clients === 1 && each.watchable === 1);
    await agent.call('lean_goal', { ...goal, column: 3 });
    const asked = await callOf(events, each => each.tool === 'lean_goal' && each.outcome);
    assert.deepEqual([asked.name, asked.line, asked.column, asked.outcome, typeof asked.ms, typeof asked.at, asked.edit], ['A.lean', 2, 3, 'answered', 'number', 'number', undefined]);
    await agent.call('lean_write_proof', { file_path: 'B.lean', start_line: 2, end_line: 2, new_text: '  constructor\n', expected: '  trivial' });
    const written = await callOf(events, each => each.tool === 'lean_write_proof' && each.outcome);
    assert.deepEqual([written.outcome, written.sorries, written.line], ['written', 0, 2], JSON.stringify(written));
    assert.deepEqual(written.edit, { start_line: 2, end_line: 2, added: '  constructor\n', removed: '  trivial' });
    await agent.call('lean_goal', { ...goal, line: 70 });
    const failed = await callOf(events, each => each.line === 70 && each.outcome);
    assert.deepEqual([failed.outcome, /no line 70/.test(failed.reason)], ['invalid_argument', true], JSON.stringify(failed));
    // The page opens files of calls by number; others it does not reach.
    const other = await view.events(`line=2&file=${written.file}&seen=${failed.call}`);
    assert.match((await other.next('text')).text, /constructor/);
    assert.equal((await other.next('goals')).result.isError, false);
    const none = await view.events('line=2&file=77');
    assert.match(JSON.stringify(await none.next('goals')), /may not open that file/);
    await assert.rejects(view.get({ path: `${view.path}ask`, method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ tool: 'lean_hover_info', file: 77, arguments: { line: 1 } }) }).then(({ status }) => { if (status === 404) throw new Error('404'); }), /404/);
    assert.deepEqual(await view.stop(), { code: 0, signal: null }, view.stderr());
    await events.next('end');
  });
  session('a file of the project is opened by name; it is the one that a call is about', async world => {
    const agent = await world.agent(), view = await world.view('A.lean'), events = await view.events('line=2&file=B.lean');
    assert.equal((await events.next('text')).file, 'B.lean');
    const { shown } = await events.next('calls');
    await agent.call('lean_goal', { file_path: 'B.lean', line: 2 });
    assert.equal((await callOf(events, each => each.tool === 'lean_goal' && each.outcome)).file, shown);
  });
  session('a call about a folder brings no page of its own', async world => {
    const agent = await world.agent(), view = await world.view('A.lean'), events = await view.events('line=1');
    await events.next('calls', each => each.watchable === 1);
    await agent.call('lean_check_all', { file_path: '.' });
    const checked = await callOf(events, each => each.tool === 'lean_check_all' && each.outcome);
    assert.equal(checked.file, undefined, JSON.stringify(checked));
    await agent.call('lean_goal', goal);
    assert.equal(typeof (await callOf(events, each => each.tool === 'lean_goal' && each.outcome)).file, 'number');
  });
  session('a page that comes again gets what it has not seen; a server that ends takes its running calls along', async world => {
    const agent = await world.agent(), view = await world.view('A.lean'), events = await view.events('line=1');
    await events.next('calls', each => each.watchable === 1);
    await agent.call('lean_goal', goal);
    const { call } = await callOf(events, each => each.outcome === 'answered');
    const { revision, shown } = events.last('calls');
    assert.equal(shown, 1);
    const again = await view.events(`line=1&seen=${revision}`);
    assert.deepEqual((await again.next('calls')).calls, []);
    assert.deepEqual((await (await view.events('line=1')).next('calls')).calls.map(each => each.call), [call]);
    await agent.close();
    await again.next('calls', each => each.clients === 0);
    const [{ pid }] = withEnvironment('XDG_RUNTIME_DIR', world.env.XDG_RUNTIME_DIR).filter(({ argv }) => argv[1] === 'shared-server');
    process.kill(pid, 'SIGKILL');
    await again.next('calls', each => each.servers === 0);
  });
});

describe('the open work', () => {
  const OPEN = 'theorem a : True := by\n  sorry\n\ntheorem b : True := by\n  have := a\n  sorry\n';
  session('what is open, who holds it, and the record come by themselves, and no Lean is started', async world => {
    for (const [name, text] of [['A.lean', OPEN], ['B.lean', 'theorem c : True := trivial\n']]) fs.writeFileSync(path.join(world.project, name), text);
    const lake = fakeLake(), here = ['--project-root', world.project];
    const view = await world.view(undefined, { args: here, lake: lake.command }), events = await view.events('line=1');
    const silent = await (await world.view(undefined, { args: [...here, '--no-record'], lake: lake.command })).events('line=1');
    const first = await events.next('open_work', each => each.open === 2);
    assert.deepEqual(first.items.map(({ declaration, at, ready, needs, waiting, holder }) => [declaration, at, ready, needs, waiting, holder]), [['a', 'A.lean:1', true, undefined, 1, undefined], ['b', 'A.lean:4', undefined, ['a'], undefined, undefined]]);
    assert.deepEqual([first.ready, first.openable, first.record], [1, true, { all: 0, lines: [] }]);
    assert.deepEqual(first.not_looked_at, ['A.lean and 1 more: not compiled as it is; only its words were read']);
    // Whoever claims need not let anybody watch: it is in the project's own record.
    const agent = await world.agent({ args: [] });
    assert.equal((await agent.call('lean_claim', { file_path: 'A.lean', declaration: 'a', why: 'by hand' })).structured.claimed, true);
    const held = await events.next('open_work', each => each.items?.[0]?.holder);
    assert.match(held.items[0].holder, /^leanbridge-e2e \(connection \d+ of process \d+\)$/);
    assert.deepEqual([held.items[0].why, Math.abs(Date.now() / 1000 - held.items[0].since) < 60, held.record.all, held.record.lines[0].did], ['by hand', true, 1, 'claimed']);
    assert.equal((await agent.call('lean_write_proof', { file_path: 'A.lean', start_line: 2, end_line: 2, new_text: '  trivial', allow_sorry: true })).structured.written, true);
    const written = await events.next('open_work', each => each.open === 1 && each.record.lines[0].did === 'wrote');
    assert.deepEqual([written.items[0].declaration, written.items[0].ready, written.record.lines[0].verdict], ['b', true, 'sorries 2 -> 1']);
    await agent.call('lean_release', {});
    assert.deepEqual((await events.next('open_work', each => each.record?.lines[0]?.did === 'released')).record.lines.map(({ did, declarations }) => `${did} ${declarations}`), ['released a', 'wrote a', 'claimed a']);
    assert.deepEqual(lake.log(), [], 'a Lean was started');
    await silent.next('calls');
    assert.equal(silent.last('open_work'), undefined);
  });
  session('a page about a file is told of the project of that file; of nothing, if nothing is open and nothing was recorded', async world => {
    const events = await (await world.view('A.lean')).events('line=1');
    assert.deepEqual(await events.next('open_work'), {});
    fs.writeFileSync(path.join(world.project, 'B.lean'), OPEN);
    assert.equal((await events.next('open_work', each => each.open === 2)).items[0].at, 'B.lean:1');
  });
});

describe('who is watched, and by whom', () => {
  session('a client that has not allowed it is not watched', async world => {
    const [open, closed] = [await world.agent(), await world.agent({ args: [] })];
    const view = await world.view(), events = await view.events('line=1');
    await events.next('calls', each => each.clients === 2 && each.watchable === 1);
    await closed.call('lean_goal', { ...goal, line: 3 });
    await open.call('lean_goal', goal);
    await callOf(events, each => each.outcome === 'answered');
    assert.deepEqual(callsOf(events).map(each => each.line), [2], 'a call of the client that lets nobody watch');
  });
  session('no MCP client gets the calls of another, whatever it says', async world => {
    const [first, other] = [await world.agent(), await world.agent()];
    const view = await world.view(), events = await view.events('line=1');
    await events.next('calls', each => each.watchable === 2);
    other.send(`${JSON.stringify({ watch: await version() })}\n`);
    for (const method of ['watch', 'calls/watch', 'calls/list', 'watchers/add', 'leanbridge/watch', 'resources/list', 'tasks/list', 'prompts/list', 'logging/setLevel', 'subscriptions/listen'])
      await other.request(method, { level: 'debug', watch: await version() }).catch(() => {});
    await first.call('lean_write_proof', { file_path: 'A.lean', start_line: 2, end_line: 2, new_text: `  ${MARK}\n` });
    const seen = await callOf(events, each => each.tool === 'lean_write_proof' && each.outcome);
    assert.match(seen.edit.added, /only_the_first_client/);
    await other.call('lean_server_health', {});
    assert.doesNotMatch(JSON.stringify(other.messages), /only_the_first_client|"watchable"/, 'a call of another client');
  });
  session('a watcher has no session, and gets nothing of a call but what is listed', async world => {
    const agent = await world.agent(), watcher = await world.connection({ watch: await version() });
    assert.deepEqual(watcher.lines[0], { refused: '' });
    watcher.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'w', version: '1' } } });
    watcher.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'lean_goal', arguments: goal } });
    await agent.call('lean_run_code', { code: `-- ${MARK}` });
    await agent.call('lean_goal', goal);
    await eventually(() => watcher.lines.filter(each => each.outcome).length >= 2, 10_000, 'both calls');
    assert.deepEqual(watcher.lines.filter(each => each.jsonrpc), []);
    assert.doesNotMatch(JSON.stringify(watcher.lines), /only_the_first_client/, 'text of the caller');
    const known = ['refused', 'clients', 'watchable', 'call', 'client', 'tool', 'file', 'line', 'column', 'edit', 'ms', 'outcome', 'reason', 'sorries'];
    assert.deepEqual(watcher.lines.flatMap(Object.keys).filter(name => !known.includes(name)), []);
    watcher.close();
    // One that is gone disturbs nobody.
    await agent.call('lean_goal', goal);
    const stranger = await world.connection({ watch: '0.0.0' });
    assert.match(stranger.lines[0].refused, /another build/);
    stranger.close();
  });
  test('without a file and without --watch, it says what is missing', { timeout }, async () => {
    const { code, stderr } = await runBinary(['view']);
    assert.equal(code, 2);
    assert.match(stderr, /FILE is required, except with --watch/);
  });
});

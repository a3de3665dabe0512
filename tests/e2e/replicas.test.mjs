// Two replicas of `leanbridge serve --http` behind haproxy with deploy/haproxy/haproxy.cfg: which calls go where, and what a replica's death
// costs. On a scripted Lean.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { binary, cacheFolder, fakeLake, root, scratchProject, temporaryFolder } from '../support/bridge.mjs';
import { freePort } from '../support/free-port.mjs';
import { messagesIn, modern, startHttpServer } from '../support/http-server.mjs';
import { assertGone, descendants, eventually, inspect } from '../support/processes.mjs';

const timeout = 120_000;
const CLIENTS = 32, PROJECTS = 4;
const PATH = `${process.env.PATH}:/usr/sbin`;
const skip = spawnSync('haproxy', ['-v'], { env: { ...process.env, PATH } }).error ? 'haproxy is not installed' : false;

/** Runs `body({url, replicas, projects})` on two replicas and haproxy, which says in X-Replica who answered. */
async function withReplicas(body) {
  const projects = Array.from({ length: PROJECTS }, (_, i) => scratchProject({ 'A.lean': `theorem a${i} : True := by\n  trivial -- ${i}\n` }));
  const lakes = [fakeLake(), fakeLake()];
  const env = { ...process.env, LEAN_PROJECT_PATH: '', LEAN_MCP_DISABLED_TOOLS: '', LEAN_LOG_LEVEL: '', LEANBRIDGE_CACHE_DIR: cacheFolder(), LEANBRIDGE_DUMPABLE: '1' };
  const replicas = [];
  let proxy;
  try {
    for (const lake of lakes) replicas.push(await startHttpServer(binary, { args: ['serve', '--http', '127.0.0.1:0', '--lake', lake.command], env, cwd: temporaryFolder('cwd') }));
    const port = await freePort();
    let text = fs.readFileSync(path.join(root, 'deploy/haproxy/haproxy.cfg'), 'utf8').replace('127.0.0.1:8765\n', `127.0.0.1:${port}\n`);
    for (const [i, { url }] of replicas.entries()) text = text.replaceAll(`127.0.0.1:877${i + 1}`, new URL(url).host);
    text = text.replace('backend replicas\n', 'backend replicas\n  http-response set-header X-Replica %s\n');
    const config = path.join(temporaryFolder('haproxy'), 'haproxy.cfg');
    fs.writeFileSync(config, text);
    proxy = spawn('haproxy', ['-db', '-f', config], { env: { ...process.env, PATH }, stdio: 'ignore' });
    const url = `http://127.0.0.1:${port}/mcp`;
    await eventually(async () => (await new Client(url, { project: projects[0] }).send({ id: 1, method: 'tools/list' }).catch(() => undefined))?.status === 200, 20_000, 'the proxy answers');
    await body({ url, replicas, projects });
    for (const replica of replicas) if (inspect(replica.pid)) assert.deepEqual(await replica.stop(), { code: 0, signal: null }, replica.stderr());
  } finally {
    proxy?.kill('SIGKILL');
    for (const replica of replicas) await replica.stop('SIGKILL');
    for (const lake of lakes) for (const { pid } of lake.log().filter(entry => entry.pid)) try { process.kill(pid, 'SIGKILL'); } catch { /* as it should be */ }
  }
}

/** A client of one project: of the modern era, which mirrors annotated arguments, or with a session and a configured header. */
class Client {
  replicas = new Map();
  retries = [];
  replicaGone = Promise.resolve();
  constructor(url, { project, legacy = false }) {
    this.url = new URL(url);
    this.project = project;
    this.legacy = legacy;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    this.headers = legacy ? { 'Mcp-Param-Project': project } : {};
  }

  /** {status, headers, message} */
  async send({ id, method, params }) {
    const { headers, body } = this.legacy ? { headers: {}, body: { id, method, params } } : modern({ id, method, params });
    if (params?.name === 'lean_goal' && !this.legacy) headers[`Mcp-Param-${this.mirrored}`] = params.arguments.project;
    const { status, headers: back, text } = await new Promise((resolve, reject) => {
      const { hostname, port, pathname } = this.url;
      const request = http.request({ host: hostname, port, path: pathname, method: 'POST', agent: this.agent, timeout: 30_000, headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...this.headers, ...headers } });
      request.on('error', reject).on('timeout', () => request.destroy(new Error('no answer in 30 s'))).on('response', response => {
        let received = '';
        response.setEncoding('utf8').on('data', chunk => { received += chunk; }).on('error', reject).on('end', () => resolve({ status: response.statusCode, headers: response.headers, text: received }));
      });
      request.end(JSON.stringify({ jsonrpc: '2.0', ...body }));
    });
    if (back['mcp-session-id']) this.headers['Mcp-Session-Id'] = back['mcp-session-id'];
    return { status, headers: back, message: back['content-type'] === 'text/event-stream' ? messagesIn(text).at(-1) : status === 200 ? JSON.parse(text) : undefined };
  }

  async connect() {
    if (this.legacy) {
      delete this.headers['Mcp-Session-Id'];
      const { status } = await this.send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } } });
      assert.equal(status, 200);
      return this.send({ method: 'notifications/initialized' });
    }
    const { status, message } = await this.send({ id: 0, method: 'tools/list' });
    assert.equal(status, 200);
    const { properties } = message.result.tools.find(({ name }) => name === 'lean_goal').inputSchema;
    this.mirrored = properties.project['x-mcp-header'];
    return undefined;
  }

  /**
   * One goal; after an error the client connects anew and tries again. The number of times is noted. It waits until the kernel has ended the
   * replica, whose listening socket is closed last and takes connections until then: 30 ms with a sanitizer's memory.
   */
  async goal() {
    const place = this.legacy ? { file_path: path.join(this.project, 'A.lean') } : { project: this.project, file_path: 'A.lean' };
    for (let tries = 0; ; tries++) {
      try {
        if (tries) await this.replicaGone.then(() => this.connect());
        const { status, headers, message } = await this.send({ id: 1, method: 'tools/call', params: { name: 'lean_goal', arguments: { ...place, line: 2 } } });
        assert.equal(status, 200);
        assert.equal(message.result.isError, false, JSON.stringify(message.result));
        const answer = JSON.stringify(message.result.structuredContent);
        assert.match(answer, new RegExp(`-- ${this.number}`), 'of its own project');
        this.replicas.set(headers['x-replica'], (this.replicas.get(headers['x-replica']) ?? 0) + 1);
        this.retries.push(tries);
        return;
      } catch (error) {
        if (error instanceof assert.AssertionError && !/200/.test(error.message)) throw error;
        if (tries >= 5) throw error;
      }
    }
  }
  end() { this.agent.destroy(); }
}

async function connected(url, projects, legacy) {
  const clients = Array.from({ length: CLIENTS }, (_, i) => Object.assign(new Client(url, { project: projects[i % PROJECTS], legacy }), { number: i % PROJECTS }));
  for (const client of clients) await client.connect();
  return clients;
}

/** How large a part of a project's calls went to one replica, the smallest of all projects. */
function loyalty(clients) {
  return Math.min(...Array.from({ length: PROJECTS }, (_, project) => {
    const counts = new Map();
    for (const { number, replicas } of clients) if (number === project) for (const [name, count] of replicas) counts.set(name, (counts.get(name) ?? 0) + count);
    return Math.max(...counts.values()) / [...counts.values()].reduce((sum, count) => sum + count);
  }));
}

for (const legacy of [false, true]) {
  describe(legacy ? 'sessions of clients that are configured with the header' : 'modern requests, which mirror the project in a header', { skip }, () => {
    test(`${CLIENTS} clients of ${PROJECTS} projects: each project has one replica`, { timeout }, async t => {
      await withReplicas(async ({ url, projects }) => {
        const clients = await connected(url, projects, legacy);
        await Promise.all(clients.map(async client => { for (let i = 0; i < 20; i++) await client.goal(); }));
        const share = loyalty(clients);
        t.diagnostic(`${(100 * share).toFixed(1)} % of a project's calls, or more, went to one replica`);
        assert.ok(share >= 0.95, String(share));
        assert.ok(clients.every(({ retries }) => retries.every(tries => tries === 0)));
        for (const client of clients) client.end();
      });
    });

    test('kill -9 of a replica costs a client one retry at most, and leaves nothing', { timeout }, async t => {
      await withReplicas(async ({ url, replicas, projects }) => {
        const clients = await connected(url, projects, legacy);
        let over = false;
        const loops = clients.map(async client => { while (!over) { await client.goal(); await sleep(25); } });
        const each = Promise.all(loops);
        await Promise.race([each, Promise.all([sleep(1000), eventually(() => clients.every(({ replicas: seen }) => seen.size > 0), timeout / 2, 'each client has an answer')])]);
        // The one with more work.
        const used = clients.map(({ replicas: seen }) => seen.get('replica1') ?? 0).reduce((sum, count) => sum + count);
        const all = clients.flatMap(({ replicas: seen }) => [...seen.values()]).reduce((sum, count) => sum + count);
        const victim = replicas[used > all / 2 ? 0 : 1];
        const below = descendants(victim.pid);
        const answered = () => clients.reduce((sum, { retries }) => sum + retries.length, 0);
        const before = answered();
        for (const client of clients) client.replicaGone = victim.exit;
        process.kill(victim.pid, 'SIGKILL');
        await Promise.race([each, sleep(4000)]);
        over = true;
        await each;
        const retries = clients.map(client => client.retries.reduce((sum, tries) => sum + tries, 0));
        t.diagnostic(`${answered() - before} answers after the kill; clients that had to try again: ${retries.filter(Boolean).length}; most retries: ${Math.max(...retries)}`);
        assert.ok(Math.max(...retries) <= 1, retries.join());
        await assertGone(below, 10_000, 'after the replica was killed');
        for (const client of clients) client.end();
      });
    });
  });
}

// Several clients of one project, in each way they can have their Lean. Each way: {clients, add(), drop(client), processes(), end()}.
import { spawn } from 'node:child_process';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { realLake, temporaryFolder } from '../../tests/support/bridge.mjs';
import { freePort } from '../../tests/support/free-port.mjs';
import { startHttpServer } from '../../tests/support/http-server.mjs';
import { descendants, inspect, withEnvironment } from '../../tests/support/processes.mjs';
import { HttpMcp } from './http-mcp.mjs';
import { Mcp } from './mcp.mjs';
import { memoryOf } from './proc.mjs';
import { Leanbridge, Peer } from './sides.mjs';

const trees = pids => [...new Map(pids.flatMap(pid => [inspect(pid), ...descendants(pid)]).filter(Boolean).map(process => [process.pid, process])).values()];

class Way {
  clients = [];
  constructor(project, options) { this.project = project; Object.assign(this, { lake: realLake, args: [], env: {} }, options); }

  static async start(project, { count = 1, ...options } = {}) {
    const way = new this(project, options);
    await way.prepare();
    await Promise.all(Array.from({ length: count }, () => way.add()));
    return way;
  }
  async prepare() {}
  async add() {
    const client = await (await this.connect()).connect();
    this.clients.push(client);
    return client;
  }
  /** The client is killed, or vanishes. */
  drop(client) {
    this.clients.splice(this.clients.indexOf(client), 1);
    if (client.process) client.process.kill('SIGKILL'); else client.drop();
  }
  /** Bytes of all processes that these clients cost: proportional set sizes, which divide shared memory among its users. */
  memory() {
    return this.processes().reduce((sum, { pid }) => { try { return sum + memoryOf(pid).pss; } catch { return sum; } }, 0);
  }
  async end() { for (const client of this.clients) await client.end(); }
}

/** Each client has a process and a Lean of its own, on stdio. */
export class Alone extends Way {
  static title = 'stdio';
  connect() { return new Mcp(Leanbridge.command(this.project, this.lake, this.args, this.env)); }
  processes() { return trees(this.clients.map(({ pid }) => pid)); }
}

/** `leanbridge --shared`. */
export class Shared extends Way {
  static title = '--shared';
  async prepare() { this.runtime = temporaryFolder('run'); this.state = temporaryFolder('state'); }
  connect() {
    return new Mcp(Leanbridge.command(this.project, this.lake, ['--shared', '--shared-idle-s', '0.5', ...this.args], { XDG_RUNTIME_DIR: this.runtime, XDG_STATE_HOME: this.state, LEANBRIDGE_DUMPABLE: '1', ...this.env }));
  }
  servers() { return withEnvironment('XDG_RUNTIME_DIR', this.runtime).filter(({ argv }) => argv[1] === 'shared-server').map(({ pid }) => pid); }
  processes() { return trees([...this.clients.map(({ pid }) => pid), ...this.servers()]); }
  async end() {
    await super.end();
    for (let i = 0; i < 200 && this.servers().length; i++) await sleep(50);
  }
}

/** `leanbridge serve --http`. */
export class Served extends Way {
  static title = 'serve --http';
  async prepare() {
    const { command, args, cwd, env } = Leanbridge.command(this.project, this.lake, this.args, this.env);
    this.server = await startHttpServer(command, { args: ['serve', '--http', this.address ?? '127.0.0.1:0', ...args], cwd, env: { ...process.env, LEANBRIDGE_DUMPABLE: '1', ...env } });
  }
  connect() { return new HttpMcp(this.server.url); }
  processes() { return trees([this.server.pid]); }
  async end() {
    await super.end();
    await this.server.stop();
  }
}

/** `lean-lsp-mcp --transport streamable-http`. */
export class PeerServed extends Way {
  static title = 'lean-lsp-mcp --transport streamable-http';
  async prepare() {
    const port = await freePort();
    const { command, args, cwd, env } = Peer.command(this.project, this.lake, this.env);
    this.child = spawn(command, [...args, '--transport', 'streamable-http', '--host', '127.0.0.1', '--port', String(port)], { cwd, env: { ...process.env, ...env, LEANBRIDGE_CACHE_DIR: undefined }, stdio: 'ignore' });
    this.server = { url: `http://127.0.0.1:${port}/mcp`, pid: this.child.pid };
    for (let i = 0; ; i++) {
      const open = await new Promise(resolve => { const socket = net.connect(port, '127.0.0.1', () => { socket.destroy(); resolve(true); }).on('error', () => resolve(false)); });
      if (open) return;
      if (i > 300 || this.child.exitCode !== null) throw new Error('lean-lsp-mcp does not listen');
      await sleep(100);
    }
  }
  // It accepts only the Host that it listens on.
  connect() { return new HttpMcp(this.server.url, { headers: { Host: new URL(this.server.url).host } }); }
  processes() { return trees([this.child.pid]); }
  async end() {
    await super.end();
    const below = trees([this.child.pid]);
    this.child.kill('SIGTERM');
    for (let i = 0; i < 100 && this.child.exitCode === null && this.child.signalCode === null; i++) await sleep(50);
    for (const { pid, start } of below) if (inspect(pid)?.start === start) try { process.kill(pid, 'SIGKILL'); } catch { /* gone meanwhile */ }
  }
}

// The three sides of a comparison, each with the requests that the benchmarks make. Positions are 1-based, as in the tools.
//
//   leanbridge     the release binary
//   bare           an LSP client that knows what it wants and already has the text: nothing that asks Lean can be faster
//   lean-lsp-mcp   from PyPI, with its own client
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { binary, cacheFolder, realLake, temporaryFolder } from '../../tests/support/bridge.mjs';
import { LspClient } from '../../tests/support/lsp-client.mjs';
import { descendants } from '../../tests/support/processes.mjs';
import { Mcp } from './mcp.mjs';

const PEER_LOG_LEVEL = 'ERROR';   // its default, INFO, writes a line for every call
const DEADLINE = 600_000;

/** An environment without the caller's own settings. */
const NEUTRAL = { LEAN_PROJECT_PATH: '', LEAN_MCP_DISABLED_TOOLS: '', LEAN_LOG_LEVEL: '', LEANBRIDGE_CACHE_DIR: cacheFolder() };

class McpSide {
  constructor(project, mcp) { this.project = project; this.mcp = mcp; }

  async goal(file, { line, column }) {
    const { value, bytes, text } = await this.mcp.ask('lean_goal', { file_path: file, line, column });
    return { goals: value.goals ?? [], status: value.status, bytes, text, value };
  }
  async messages(file) { return (await this.mcp.ask('lean_diagnostic_messages', { file_path: file })).value; }
  async attempts(file, { line, column }, snippets) {
    return (await this.mcp.ask('lean_multi_attempt', { file_path: file, line, column, snippets })).value.items;
  }
  workers() { return descendants(this.mcp.pid).filter(({ argv }) => argv.includes('--worker')).map(({ pid }) => pid).sort(); }
  end() { return this.mcp.end(); }
}

export class Leanbridge extends McpSide {
  static title = 'leanbridge';
  static command(project, lake, args = [], env = {}) {
    return { command: binary, args: ['--project-root', project.root, '--lake', lake, '--timeout', '600', '--offline', ...args], cwd: project.root, env: { ...NEUTRAL, ...env } };
  }
  static async start(project, { lake = realLake, args, env } = {}) {
    return new Leanbridge(project, await new Mcp(Leanbridge.command(project, lake, args, env)).connect());
  }
}

export class Peer extends McpSide {
  static title = 'lean-lsp-mcp';
  static program;   // set by the driver if it is installed

  /** It finds `lake` on PATH and needs nothing else of Lean. */
  static command(project, lake, env = {}) {
    const folder = temporaryFolder('path');
    fs.writeFileSync(path.join(folder, 'lake'), `#!/bin/sh\nexec '${lake}' "$@"\n`, { mode: 0o755 });
    return { command: Peer.program, args: ['--lean-project-path', project.root], cwd: project.root,
      env: { ...NEUTRAL, PATH: `${folder}:${process.env.PATH}`, LEAN_LOG_LEVEL: PEER_LOG_LEVEL, ...env } };
  }
  static async start(project, { lake = realLake, env } = {}) {
    return new Peer(project, await new Mcp(Peer.command(project, lake, env)).connect());
  }
}

export class Bare {
  static title = 'bare LSP client';
  /** `threads`: for each of Lean's workers; default: as many as leanbridge asks for (src/core/lean/server.cpp). */
  static async start(project, { lake = realLake, threads = Math.max(8, os.availableParallelism()) } = {}) {
    const lsp = new LspClient(lake, ['serve', '--', '-Dserver.reportDelayMs=0', `-j${threads}`], { cwd: project.root, deadline: DEADLINE });
    const side = new Bare(project, lsp);
    side.ready = lsp.initialize({ lean: { silentDiagnosticSupport: true } });
    return side;
  }

  #sent = new Map();   // file -> {text, version}
  constructor(project, lsp) { this.project = project; this.lsp = lsp; }

  /** Acts as an editor: the text is known, nothing is read. Returns the version. */
  async #sync(file) {
    await this.ready;
    const text = this.project.text(file);
    const known = this.#sent.get(file);
    if (known?.text === text) return known.version;
    const version = (known?.version ?? 0) + 1;
    this.#sent.set(file, { text, version });
    const uri = this.project.uri(file);
    if (known) this.lsp.change(uri, text, version);
    else this.lsp.open(uri, text, version, { dependencyBuildMode: 'never' });
    this.lsp.received.length = 0;   // nothing reads it later, and it would grow
    return version;
  }

  async goal(file, { line, column }) {
    await this.#sync(file);
    const answer = await this.lsp.request('$/lean/plainGoal', { textDocument: { uri: this.project.uri(file) }, position: { line: line - 1, character: column - 1 } });
    return { goals: answer?.goals ?? [] };
  }
  async messages(file) {
    const version = await this.#sync(file);
    return { items: await this.lsp.check(this.project.uri(file), version) };
  }
  /** One after another in one scratch document that ends after the snippet. */
  async attempts(file, { line, column }, snippets) {
    const lines = this.project.text(file).split('\n').slice(0, line);
    const prefix = [...lines.slice(0, -1), lines.at(-1).slice(0, column - 1)].join('\n');
    const scratch = `scratch-${file}`;
    const results = [];
    for (const snippet of snippets) {
      this.project.texts.set(scratch, `${prefix}${snippet}\n`);
      const version = await this.#sync(scratch);
      await this.lsp.request('textDocument/waitForDiagnostics', { uri: this.project.uri(scratch), version });
      results.push({ snippet, ...await this.goal(scratch, { line, column: column + snippet.length }), diagnostics: this.lsp.diagnostics(this.project.uri(scratch)) ?? [] });
    }
    return results;
  }
  workers() { return descendants(this.lsp.pid).filter(({ argv }) => argv.includes('--worker')).map(({ pid }) => pid).sort(); }
  end() { return this.lsp.dispose(); }
}

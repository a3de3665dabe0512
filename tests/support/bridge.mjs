// How tests start the binary: where it is, which Lean it gets, in which folder.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { lean } from './leans.mjs';
import { McpClient } from './mcp-client.mjs';

export const root = path.resolve(import.meta.dirname, '../..');
/** Whether the program was built with what POSIX has, and nothing else (docs/decisions/0029-platforms.md). */
export const isPosixAlone = process.env.LEANBRIDGE_TEST_PLATFORM === 'posix';
/** For `skip`: why such a program cannot do it; false where it can. */
export const notByPosix = reason => isPosixAlone && `on POSIX alone, ${reason}`;
export const binary = path.resolve(process.env.LEANBRIDGE_BINARY ?? path.join(root, 'build/release/leanbridge'));
export const fixture = (...names) => path.join(root, 'fixtures', ...names);

/** Was the binary built with AddressSanitizer? Then its memory says nothing, because freed memory is kept for a while. */
export const isSanitized = () =>
  /AddressSanitizer/.test(spawnSync(binary, ['--version'], { env: { ...process.env, ASAN_OPTIONS: 'help=1' }, encoding: 'utf8' }).stderr);

/** The `lake` of the real Lean of this process (leans.mjs). */
export const realLake = lean.lake;

const folders = [];
process.on('exit', () => { for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true }); });

/** A temporary folder with its real path (servers answer with real paths), removed when the test process ends. */
export function temporaryFolder(name = 'test') {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), `leanbridge-${name}-`)));
  folders.push(folder);
  return folder;
}

/** A small Lake project; `files` maps relative paths to contents (string or bytes). */
export function scratchProject(files = {}) {
  const folder = temporaryFolder('project');
  const all = { 'lakefile.toml': 'name = "scratch"\ndefaultTargets = ["Scratch"]\n\n[[lean_lib]]\nname = "Scratch"\n', ...files };
  for (const [name, content] of Object.entries(all)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

/** A copy of fixtures/projects/NAME that a test may edit. */
export function copyProject(name) {
  const folder = path.join(temporaryFolder('copy'), name);
  fs.cpSync(fixture('projects', name), folder, { recursive: true, filter: source => !source.split(path.sep).includes('.lake') });
  return folder;
}

const quote = text => `'${text.replaceAll("'", "'\\''")}'`;

const isOfTrial = ({ params }) => Boolean(params?.textDocument?.uri?.includes('leanbridge-scratch-'));

/**
 * An executable that behaves as the scenario says: {command, log()}.
 * @param scenario  the name of a file in fixtures/scenarios, or the scenario itself
 */
export function fakeLake(scenario = 'well-behaved') {
  const folder = temporaryFolder('lake');
  const file = typeof scenario === 'string' ? fixture('scenarios', `${scenario}.json`) : path.join(folder, 'scenario.json');
  if (typeof scenario !== 'string') fs.writeFileSync(file, JSON.stringify(scenario));
  const command = path.join(folder, 'lake');
  const words = [process.execPath, path.join(import.meta.dirname, 'fake-lake.mjs'), file, folder].map(quote).join(' ');
  fs.writeFileSync(command, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  const logFile = path.join(folder, 'log.jsonl');
  return {
    command,
    folder,
    /** What the fake saw and did so far: [{start, event, ...}]. */
    log: () => (fs.existsSync(logFile) ? fs.readFileSync(logFile, 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line)) : []),
    received(method) { return this.log().filter(entry => entry.event === 'received' && entry.message.method === method).map(entry => entry.message); },
    /** The same, without what is about documents of ours that are no files. */
    ofFiles(method) { return this.received(method).filter(message => !isOfTrial(message)); },
    ofTrials(method) { return this.received(method).filter(isOfTrial); },
    starts() { return this.log().filter(entry => entry.event === 'start'); },
  };
}

let cache;
/** Where the bridges of this test process keep their indexes: never in the user's own cache. */
export const cacheFolder = () => (cache ??= path.join(temporaryFolder('cache'), 'leanbridge'));
/** For suites that search Lean's whole library: in one run they share the index of it, which takes ten seconds of processor time. */
export const shareIndex = () => { cache = process.env.LEANBRIDGE_TEST_INDEX; };

/** Spawns the binary. @param options {project, lake, args, env, cwd, label, verbose}; with `verbose: false`, answers are what a model gets */
export function spawnBridge({ project, lake, args = [], env = {}, cwd, label = 'leanbridge', verbose = true } = {}) {
  if (!fs.existsSync(binary)) throw new Error(`${binary} is not there: build it, or set LEANBRIDGE_BINARY`);
  return new McpClient({
    command: binary,
    args: [...(project ? ['--project-root', project] : []), ...(lake ? ['--lake', lake] : []), ...args],
    cwd: cwd ?? project ?? temporaryFolder('cwd'),
    // The caller's own Lean settings must not leak into a test, and tests examine its descriptors in /proc.
    env: { LEAN_PROJECT_PATH: '', LEAN_MCP_DISABLED_TOOLS: '', LEAN_LOG_LEVEL: '', LEANBRIDGE_SHARED: '', LEANBRIDGE_CACHE_DIR: cacheFolder(), LEANBRIDGE_DUMPABLE: '1', ...env },
    label,
    realLean: lake === realLake,
    verbose,
  });
}

/**
 * Runs the binary as a command to its end, or kills it after the time limit: {code, stdout, stderr}.
 * @param options {cwd, env, timeoutMs, started(child)}
 */
export function runBinary(args, { cwd = temporaryFolder('cwd'), env = {}, timeoutMs = 60_000, started } = {}) {
  const own = { LEAN_PROJECT_PATH: '', LEAN_MCP_DISABLED_TOOLS: '', LEAN_LOG_LEVEL: '', LEANBRIDGE_CACHE_DIR: cacheFolder() };
  const child = spawn(binary, args, { cwd, env: { ...process.env, ...own, ...env }, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs, killSignal: 'SIGKILL' });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', chunk => { text[name] += chunk; });
  started?.(child);
  return new Promise((resolve, reject) => { child.once('error', reject); child.once('close', code => resolve({ code, ...text })); });
}

/** Runs `test(client)` on a fresh bridge after the handshake, and closes it with every check. */
export async function withBridge(options, test) {
  const client = spawnBridge(options);
  try {
    if (options.era !== 'none') {
      await client.connect({ era: options.era, revision: options.revision, capabilities: options.capabilities });
      await client.listTools();
    }
    await test(client);
    if (!client.exit) await client.close(options.close);
    client.assertClean();
  } catch (error) {
    if (error instanceof Error && !error.message.includes(`pid ${client.pid}`)) error.message += client.tail();
    throw error;
  } finally {
    await client.destroy();
  }
}

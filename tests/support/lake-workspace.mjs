// Folders of Lean packages for tests of `lake`, and a way to run it with a time limit.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const fixtures = path.resolve(import.meta.dirname, '..', '..', 'fixtures');
const nativeToolchain = process.env.LEANBRIDGE_NATIVE_LEAN ?? path.join(fixtures, 'native-lean', 'toolchain');

export const nativeLake = path.join(fixtures, 'native-lean', 'lake');
export const wasmLake = path.join(fixtures, 'lean-wasm', 'lake');
export const firstRun = path.join(fixtures, 'lake', 'elan-first-run');

/** Why tests that need a Lean cannot run, for node:test's option `skip`; false if they can. */
export const noNativeLean = fs.existsSync(path.join(nativeToolchain, 'full', 'bin', 'lean')) ? false
  : 'no native Lean here: make fixtures/native-lean/toolchain, or name its folder in LEANBRIDGE_NATIVE_LEAN';
export const noWasmLean = fs.existsSync(path.join(fixtures, 'lean-wasm', 'toolchain', 'stamp')) ? false
  : 'no embedded Lean here: run "npm ci" in fixtures/lean-wasm';

export class LakeWorkspace {
  /** @param {Record<string, string>} files path -> text; packages that depend on each other are sibling folders */
  constructor(files) {
    // The real path, because Lake answers with it.
    this.folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'leanbridge-lake-')));
    for (const [file, text] of Object.entries(files)) this.write(file, text);
  }

  path(...parts) {
    return path.join(this.folder, ...parts);
  }

  uri(file) {
    return pathToFileURL(this.path(file)).href;
  }

  exists(file) {
    return fs.existsSync(this.path(file));
  }

  read(file) {
    return fs.readFileSync(this.path(file), 'utf8');
  }

  json(file) {
    return JSON.parse(this.read(file));
  }

  write(file, text) {
    fs.mkdirSync(path.dirname(this.path(file)), { recursive: true });
    fs.writeFileSync(this.path(file), text);
  }

  remove(file = '.') {
    fs.rmSync(this.path(file), { recursive: true, force: true });
  }

  /** @returns {(...args: string[]) => Promise<{code: number, stdout: string, stderr: string}>} `lake` in one of the folders */
  lake(folder = '.', { lake = nativeLake, env = {} } = {}) {
    return (...args) => run(lake, args, { cwd: this.path(folder), env });
  }
}

/** Runs a program to its end. `input`: what it reads on stdin, which stays open, as with the server. */
export function run(command, args, { cwd, env = {}, input, limit = 180_000 }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${[command, ...args].join(' ')}: not done after ${limit} ms\n${output.stderr}`));
    }, limit);
    for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', text => { output[name] += text; });
    child.stdin?.on('error', () => {}).write(input);
    child.on('error', reject);
    child.on('close', code => {
      clearTimeout(timer);
      resolve({ code, ...output });
    });
  });
}

/** A package with one library; its modules are given as path -> text. */
export function packageOf(name, modules, { folder = '.', lakefile = '', library = name[0].toUpperCase() + name.slice(1), libraryKeys = '' } = {}) {
  const files = { 'lakefile.toml': `name = "${name}"\ndefaultTargets = ["${library}"]\n${lakefile}\n[[lean_lib]]\nname = "${library}"\n${libraryKeys}` };
  for (const [file, text] of Object.entries(modules)) files[file] = text;
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [path.join(folder, file), text]));
}

export const emptyManifest = name => `{"version": "1.1.0", "packagesDir": ".lake/packages", "packages": [], "name": "${name}", "lakeDir": ".lake"}\n`;

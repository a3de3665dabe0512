// The native Leans, made once per machine, and a way to run one file through them. Every run has a time limit.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const fixture = path.resolve(import.meta.dirname, '..', '..', 'fixtures', 'native-lean');
const NOT_POSSIBLE = 3;

const made = spawnSync(path.join(fixture, 'make'), { encoding: 'utf8', timeout: 600_000 });
if (made.status !== 0 && made.status !== NOT_POSSIBLE) throw new Error(`fixtures/native-lean/make failed (${made.signal ?? made.status})\n${made.stderr}`);

/** Why there is no native Lean here, for node:test's option `skip`; false if there is one. */
export const skip = made.status === NOT_POSSIBLE && made.stderr.trim();

export const toolchain = skip ? undefined : fs.realpathSync(path.join(fixture, 'toolchain'));

const folders = [];
process.on('exit', () => folders.forEach(folder => fs.rmSync(folder, { recursive: true, force: true })));

/** A temporary folder, removed when the process ends. */
export function temporaryFolder() {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'native-lean-test-')));
  folders.push(folder);
  return folder;
}

/**
 * Runs `lean` on a text.
 * @param {'full' | 'small'} which
 * @param {string} text
 * @param {{folder?: string, name?: string, options?: string[]}} where `folder`: one in which earlier calls have left .olean files
 * @returns {{status: number, output: string, lines: string[]}}
 */
export function lean(which, text, { folder = temporaryFolder(), name = 'Test', options = [] } = {}) {
  const root = path.join(toolchain, which);
  fs.writeFileSync(path.join(folder, `${name}.lean`), text);
  const { status, signal, stdout, stderr } = spawnSync(path.join(root, 'bin', 'lean'), [...options, `${name}.lean`], {
    cwd: folder, env: { PATH: process.env.PATH, LEAN_SYSROOT: root, LEAN_PATH: folder }, encoding: 'utf8', timeout: 120_000, maxBuffer: 64 << 20,
  });
  const output = `${stdout}${stderr}`.trimEnd();
  return { status: status ?? signal, output, lines: output.split('\n') };
}

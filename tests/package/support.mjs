// Packs a stand-in for the program, so that the tests of the forms need no build.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');
export const VERSION = '7.8.9';
export const EPOCH = 1_700_000_000;

const folders = [];
process.on('exit', () => { for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true }); });

export function temporaryFolder() {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'leanbridge-package-')));
  folders.push(folder);
  return folder;
}

/** Runs it to its end: {status, stdout, stderr}. */
export const run = (command, args, options = {}) => spawnSync(command, args, { encoding: 'utf8', timeout: 60_000, ...options });

/** What it prints; fails unless it exits with 0. */
export function output(command, args, options) {
  const { status, stdout, stderr, error } = run(command, args, options);
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${error ?? stderr}${stdout}`);
  return stdout;
}

export const has = command => run('/bin/sh', ['-c', `command -v ${command}`]).status === 0;

export const option = (names, value, kind, help, more = {}) => ({ names, value, kind, choices: [], group: 'Options', help, ...more });
const HELP_OPTION = option(['-h', '--help'], '', 'flag', 'Print this help');
export const command = (words, summary, usage, more = {}) => ({ words, summary, usage, positionals: [], options: [HELP_OPTION], examples: [], notes: [], commands: [], ...more });
/** What its `help --json` prints. */
const HELP = command(['leanbridge'], 'A stand-in', 'leanbridge [OPTIONS] [COMMAND]', {
  options: [HELP_OPTION, option(['--project-root'], 'DIR', 'folder', 'Serve only files of this project (default: LEAN_PROJECT_PATH)'),
    option(['--log-level'], 'debug|info', 'choice', 'How much: it\'s a \\word (default: info)', { choices: ['debug', 'info'] }), option(['--log-file'], 'FILE', 'file', 'Log to this file')],
  examples: [['leanbridge check ~/Proofs', 'a folder of the user\'s']], notes: ['Arguments after -- are passed on. See docs/options.md.'],
  commands: [
    command(['leanbridge', 'check'], 'Check many proofs', 'leanbridge check [OPTIONS] [INPUT...]', {
      positionals: [{ name: 'INPUT', help: 'Files; - is stdin' }],
      options: [HELP_OPTION, option(['--jobs'], 'N', 'number', 'Workers'), option(['--summary'], 'text|json', 'choice', 'At the end', { choices: ['text', 'json'] })],
      examples: [['leanbridge check Proofs', 'a folder']], notes: ['Exit status: 0 or 1.'] }),
    command(['leanbridge', 'call'], 'Call a tool', 'leanbridge call [OPTIONS] TOOL'),
    command(['leanbridge', 'help'], 'Explain', 'leanbridge help [NAME...]'),
    command(['leanbridge', 'mcp'], 'Other servers', 'leanbridge mcp [OPTIONS] COMMAND', {
      commands: [command(['leanbridge', 'mcp', 'list'], 'List them', 'leanbridge mcp list [OPTIONS]', { options: [HELP_OPTION, option(['--json'], '', 'flag', 'As JSON')] })] }),
    command(['leanbridge', 'view'], 'Look at a file', 'leanbridge view [OPTIONS] FILE'),
  ],
  tools: [{ name: 'lean_goal', summary: 'The goals.', arguments: [{ name: 'file_path', choices: [] }, { name: 'format', choices: ['text', 'json'] }] }],
});

/** A script that answers `help --json`, and else says that it has started, with its arguments. */
export function standIn(folder, help = HELP, name = 'stand-in') {
  const file = path.join(folder, name);
  fs.writeFileSync(file, `#!/bin/sh\ncase "$*" in\n  'help --json') cat <<'END'\n${JSON.stringify(help)}\nEND\n;;\n  *) echo "started $*" ;;\nesac\n`, { mode: 0o755 });
  return file;
}

/** Packs the stand-in into `folder`. `shell` is run before, in the same shell. */
export function pack(program, folder, shell = ':', arch = 'x86_64', more = []) {
  output('/bin/sh', ['-c', `${shell}; exec python3 "$@"`, 'sh', path.join(root, 'scripts/lib/packaging/make.py'), '--program', program, '--version', VERSION,
    '--arch', arch, '--out', folder, ...more], { env: { ...process.env, SOURCE_DATE_EPOCH: String(EPOCH) } });
}

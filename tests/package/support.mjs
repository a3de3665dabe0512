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

const OPTION_HELP = '  -h,--help                   Print this help message and exit\n';
/** By command: what its --help prints. */
const HELP = {
  '': `A stand-in.\nUsage: leanbridge [OPTIONS] [SUBCOMMAND]\n\nOptions:\n${OPTION_HELP}` +
    '  --project-root TEXT:DIR     Serve only files of this project (default: LEAN_PROJECT_PATH)\n' +
    '  --log-level TEXT:{debug,info}\n                              How much: it\'s a \\word (default: info)\n' +
    '  --log-file TEXT             Log to this file\n\n\nSubcommands:\n' +
    '  check                       Check many proofs\n  mcp                         Other servers\n\nArguments after -- are passed on.\n',
  check: `Check many proofs\nUsage: leanbridge check [OPTIONS] [inputs(0x)...]\n\nPositionals:\n  inputs TEXT ... REQUIRED    Files; - is stdin\n\nOptions:\n${OPTION_HELP}` +
    '  --jobs INT:INT in [1 - 64]  Workers\n  --summary TEXT:{text,json}  At the end\n\n  leanbridge check Proofs     a folder\n\nExit status: 0 or 1.\n',
  mcp: `Other servers\nUsage: leanbridge mcp [OPTIONS] SUBCOMMAND\n\nOptions:\n${OPTION_HELP}\nSubcommands:\n  list                        List them\n`,
  'mcp list': `List them\nUsage: leanbridge mcp list [OPTIONS]\n\nOptions:\n${OPTION_HELP}  --json                      As JSON\n`,
};

/** A script that answers --help, and else says that it has started, with its arguments. */
export function standIn(folder) {
  const file = path.join(folder, 'stand-in');
  const cases = Object.entries(HELP).map(([words, text]) => `  '${words ? `${words} ` : ''}--help') cat <<'END'\n${text}END\n;;`);
  fs.writeFileSync(file, `#!/bin/sh\ncase "$*" in\n${cases.join('\n')}\n  *) echo "started $*" ;;\nesac\n`, { mode: 0o755 });
  return file;
}

/** Packs the stand-in into `folder`. `shell` is run before, in the same shell. */
export function pack(program, folder, shell = ':') {
  output('/bin/sh', ['-c', `${shell}; exec python3 "$0" --program "$1" --version ${VERSION} --arch x86_64 --out "$2"`,
    path.join(root, 'scripts/lib/packaging/make.py'), program, folder], { env: { ...process.env, SOURCE_DATE_EPOCH: String(EPOCH) } });
}

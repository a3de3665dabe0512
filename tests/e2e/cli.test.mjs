// The command line: call, tools, doctor.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { binary, cacheFolder, fakeLake, scratchProject, temporaryFolder, withBridge } from '../support/bridge.mjs';
import { descendants, survivors } from '../support/processes.mjs';

const timeout = 30_000;
const FILES = { 'A.lean': 'theorem a : True := by\n  trivial -- error: wrong\n' };

function start(args, { cwd = temporaryFolder('cwd'), env = {} } = {}) {
  const child = spawn(binary, args, { cwd, env: { ...process.env, LEAN_PROJECT_PATH: '', LEAN_MCP_DISABLED_TOOLS: '', LEAN_LOG_LEVEL: '', LEANBRIDGE_CACHE_DIR: cacheFolder(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', chunk => { text[name] += chunk; });
  return { child, text, ended: new Promise(resolve => { child.once('close', code => resolve({ code, ...text })); }) };
}
const run = (args, options) => start(args, options).ended;
const inProject = (args, { files = FILES, ...options } = {}) => run([...args, '--lake', fakeLake().command], { cwd: scratchProject(files), ...options });

describe('output', () => {
  test('what could not be written is no success', { timeout }, () => {
    const full = fs.openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(binary, ['tools', '--json'], { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
    fs.closeSync(full);
    assert.equal(status, 1);
    assert.match(stderr, /^leanbridge: Not all of the output could be written/);
  });
});

describe('call', () => {
  test('words, --json and both give what a client gets', { timeout }, async () => {
    const project = scratchProject(FILES);
    const lake = fakeLake().command;
    let wanted;
    await withBridge({ project, lake }, async client => { wanted = (await client.call('lean_check_all', { file_path: 'A.lean' })).structured; });
    for (const args of [['file_path=A.lean', 'verbose=true'], ['file=A.lean', 'verbose=true'], ['--json', '{"file_path":"A.lean","verbose":true}'], ['--json', '{"file_path":"A.lean"}', 'timeout_s=20', 'verbose=true']]) {
      const { code, stdout, stderr } = await run(['call', 'lean_check_all', ...args, '--project-root', project, '--lake', lake]);
      assert.equal(code, 0, stderr);
      assert.deepEqual(JSON.parse(stdout), wanted);
      assert.equal(stdout.trimEnd().split('\n').length, 1, 'compact where it is no terminal');
      assert.equal(stderr, '');
    }
  });
  test('numbers, and the project of the folder it is run in', { timeout }, async () => {
    const { code, stdout } = await inProject(['call', 'lean_goal', 'file=A.lean', 'line=2', 'col=3']);
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout).goals, ['⊢ trivial -- error: wrong']);
  });
  test('a tool error is JSON on stdout and exit code 1', { timeout }, async () => {
    const { code, stdout } = await inProject(['call', 'lean_goal', 'file=No.lean', 'line=2']);
    assert.equal(code, 1);
    assert.equal(JSON.parse(stdout).error.kind, 'file_not_found');
  });
  for (const [what, args, mention] of [['no tool', ['call'], 'tool'], ['an unknown tool', ['call', 'lean_magic'], 'lean_magic'], ['a missing argument', ['call', 'lean_goal', 'file=A.lean'], 'line'],
    ['an unknown argument', ['call', 'lean_goal', 'file=A.lean', 'line=2', 'colour=red'], 'colour'], ['a wrong type', ['call', 'lean_goal', 'file=A.lean', 'line=two'], 'line'], ['a word without =', ['call', 'lean_goal', 'A.lean'], 'A.lean'],
    ['broken JSON', ['call', 'lean_goal', '--json', '{'], '--json'], ['a disabled tool', ['--disable', 'lean_goal', 'call', 'lean_goal'], 'lean_goal'], ['an unknown option', ['call', 'lean_goal', '--colour'], '--colour'], ['an unknown command', ['prove'], 'prove'],
    ['a misspelt command', ['chekc', 'A.lean'], 'mean check?'], ['a misspelt option', ['check', '--job', '2'], 'mean --jobs?'], ['an option of all commands, misspelt', ['check', '--of-line'], 'mean --offline?'],
    ['a misspelt command of a group', ['index', 'bild'], 'mean build?'], ['a tool without call', ['lean_goal', 'file=A.lean'], 'leanbridge call lean_goal']]) {
    test(`${what} is exit code 2, said on stderr`, { timeout }, async () => {
      const { code, stdout, stderr } = await inProject(args);
      assert.equal(code, 2, stdout + stderr);
      assert.equal(stdout, '');
      assert.ok(stderr.includes(mention), stderr);
    });
  }
  test('SIGINT ends it at once, and leaves nothing behind', { timeout }, async () => {
    const lake = fakeLake();
    const { child, ended } = start(['call', 'lean_check_all', 'file=A.lean', '--lake', lake.command], { cwd: scratchProject({ 'A.lean': 'theorem a : True := by\n  trivial -- slow 600000\n' }) });
    while (lake.ofFiles('textDocument/didOpen').length === 0) await sleep(50);
    const tree = descendants(child.pid);
    assert.ok(tree.length > 0);
    const before = performance.now();
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    assert.equal(code, 130);
    assert.equal(stdout, '');
    assert.ok(performance.now() - before < 3000);
    await sleep(500);
    assert.deepEqual(survivors(tree), []);
  });
  test('timeout_s ends a wait with what is known', { timeout }, async () => {
    const { code, stdout } = await inProject(['call', 'lean_check_all', 'file=A.lean', 'timeout_s=1'], { files: { 'A.lean': 'theorem a : True := by\n  trivial -- slow 600000\n' } });
    assert.equal(code, 0);
    assert.deepEqual([JSON.parse(stdout).partial, JSON.parse(stdout).timed_out], [true, true]);
  });
});

describe('tools', () => {
  test('--json is tools/list', { timeout }, async () => {
    const { code, stdout } = await run(['tools', '--json']);
    assert.equal(code, 0);
    await withBridge({}, async client => assert.deepEqual(JSON.parse(stdout), await client.listTools()));
  });
  test('the selection counts, and the plain list names every tool', { timeout }, async () => {
    const { tools } = { tools: JSON.parse((await run(['tools', '--json', '--tools', 'server'])).stdout) };
    assert.deepEqual(tools.map(tool => tool.name), ['lean_server_health']);
    const { stdout } = await run(['tools']);
    assert.match(stdout, /^proof\n {2}lean_/m);
    assert.match(stdout, /lean_goal +file_path line column\? format\?/);
    assert.equal((await run(['tools', '--tools', 'prof'])).code, 2);
  });
});

describe('doctor', () => {
  test('no project: says so, exit code 1', { timeout }, async () => {
    const { code, stdout } = await run(['doctor', '--lake', fakeLake().command, '--timeout', '5'], { cwd: temporaryFolder('empty') });
    assert.equal(code, 1);
    assert.match(stdout, /^FAIL {2}project .*\n +-> /m);
  });
  test('no lake: says what to install, exit code 1', { timeout }, async () => {
    const { code, stdout } = await run(['doctor'], { cwd: scratchProject(FILES), env: { PATH: temporaryFolder('path'), HOME: temporaryFolder('home') } });
    assert.equal(code, 1);
    assert.match(stdout, /^FAIL {2}lake .*\n +-> .*elan/m);
  });
  test('packages that are not fetched', { timeout }, async () => {
    const manifest = JSON.stringify({ version: '1.1.0', packagesDir: '.lake/packages', packages: [{ type: 'git', name: 'mathlib', url: 'https://example.org/x' }] });
    const { code, stdout } = await run(['doctor', '--lake', '/nowhere/lake'], { cwd: scratchProject({ ...FILES, 'lake-manifest.json': manifest }) });
    assert.equal(code, 1);
    assert.match(stdout, /^FAIL {2}build .*mathlib/m);
  });
  test('Mathlib that is fetched, but not compiled', { timeout }, async () => {
    const manifest = JSON.stringify({ version: '1.1.0', packagesDir: '.lake/packages', packages: [{ type: 'git', name: 'mathlib', url: 'https://example.org/x' }] });
    const project = scratchProject({ ...FILES, 'lake-manifest.json': manifest, '.lake/packages/mathlib/Mathlib.lean': '' });
    const { stdout } = await run(['doctor', '--lake', '/nowhere/lake'], { cwd: project });
    assert.match(stdout, /^warn {2}cache +Mathlib is not compiled: `lake exe cache get` has not run\n +-> Run `lake exe cache get`\./m);
    assert.doesNotMatch(stdout, /^FAIL {2}build/m);
  });
  test('a Lean that does not start', { timeout }, async () => {
    const lake = path.join(temporaryFolder('bad'), 'lake');
    fs.writeFileSync(lake, '#!/bin/sh\n[ "$1" = --version ] && echo "Lake version 5 (Lean version 4)" && exit 0\necho "no such toolchain" >&2\nexit 1\n', { mode: 0o755 });
    const { code, stdout } = await run(['doctor', '--lake', lake, '--timeout', '10'], { cwd: scratchProject(FILES) });
    assert.equal(code, 1);
    assert.match(stdout, /^ok {4}lake .*Lake version 5/m);
    assert.match(stdout, /^FAIL {2}lean .*/m);
  });
  test('an old Lean, a worktree without Mathlib, few files, and another server for the same job', { timeout }, async () => {
    const manifest = JSON.stringify({ version: '1.1.0', packagesDir: '.lake/packages', packages: [{ type: 'git', name: 'mathlib', url: 'https://example.org/x' }] });
    const compiled = '.lake/packages/mathlib/.lake/build/lib/lean/Mathlib/Init.olean';
    const main = scratchProject({ ...FILES, 'lake-manifest.json': manifest, [compiled]: '' });
    const tree = scratchProject({ ...FILES, 'lake-manifest.json': manifest, '.git': `gitdir: ${main}/.git/worktrees/tree\n`, '.lake/packages/mathlib/Mathlib.lean': '' });
    const home = temporaryFolder('home');
    fs.mkdirSync(path.join(home, '.codex'));
    fs.writeFileSync(path.join(home, '.codex/config.toml'), '[mcp_servers.lsp]\ncommand = "uvx"\nargs = ["lean-lsp-mcp"]\n');
    fs.writeFileSync(path.join(tree, '.mcp.json'), '{"mcpServers": {"lean": {"command": "leanbridge"}}}');
    fs.mkdirSync(path.join(home, '.gemini'));
    fs.writeFileSync(path.join(home, '.gemini/settings.json'), '{\n');
    const lake = path.join(temporaryFolder('old'), 'lake');
    fs.writeFileSync(lake, '#!/bin/sh\n[ "$1" = --version ] && echo "Lake version 5.0.0 (Lean version 4.32.0)" && exit 0\nexit 1\n', { mode: 0o755 });
    const { status, stdout } = spawnSync('/bin/sh', ['-c', 'ulimit -n 512; exec "$@"', 'sh', binary, 'doctor', '--lake', lake, '--timeout', '10'], { cwd: tree, encoding: 'utf8', timeout: 30_000, env: { ...process.env, HOME: home, CODEX_HOME: '', CLAUDE_CONFIG_DIR: '', XDG_CONFIG_HOME: '', LEAN_PROJECT_PATH: '' } });
    assert.equal(status, 1, stdout);
    for (const line of [/^warn {2}soundness +Lean 4\.32\.0: Fixed in Lean 4\.32\.1/m, /^warn {2}worktree .*has one\n +-> .*lake exe cache get/m, /^warn {2}limits .*only 512 files/m,
      /^warn {2}hosts +Codex: .*config\.toml names 'lsp', lean-lsp-mcp/m, /^ok {4}hosts +Claude Code: .*\.mcp\.json starts leanbridge as 'lean'/m, /^warn {2}hosts +Gemini CLI: .*settings\.json:2:1: /m, /^(ok {2}|warn) {2}memory .*workers of 3 GB/m]) assert.match(stdout, line);
    assert.ok(!stdout.includes('cache       '), 'said once');
  });
});

// leanbridge setup: the entry in each host's own file, in a home folder of the test's. No Lean is needed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { binary, runBinary, scratchProject, temporaryFolder } from '../support/bridge.mjs';

const timeout = 60_000;
const program = fs.realpathSync(binary);
const CLEAN = { XDG_CONFIG_HOME: '', CODEX_HOME: '', CLAUDE_CONFIG_DIR: '', LEAN_PROJECT_PATH: '', LEANBRIDGE_CACHE_DIR: '', LEAN_LOG_LEVEL: '' };
const read = file => fs.readFileSync(file, 'utf8');
const write = (file, text) => { fs.mkdirSync(path.dirname(file), { recursive: true }); fs.writeFileSync(file, text); return file; };
const backups = file => fs.readdirSync(path.dirname(file)).filter(name => name.startsWith(`${path.basename(file)}.leanbridge`));

/** A home folder, and `setup` in it. */
function home() {
  const folder = temporaryFolder('home');
  const env = { ...CLEAN, HOME: folder };
  const setup = (...args) => runBinary(['setup', ...args], { cwd: folder, env });
  // On a terminal, which `script` provides.
  const ask = (input, args = [], cwd = folder) => new Promise(resolve => {
    const child = spawn('script', ['-qec', [binary, 'setup', ...args].map(word => `'${word}'`).join(' '), '/dev/null'], { cwd, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', chunk => { stdout += chunk; });
    child.stdin.on('error', () => {}).end(input);
    child.once('close', code => resolve({ code, stdout }));
  });
  return { folder, file: (...names) => path.join(folder, ...names), setup, ask, env };
}

const MINE = {   // what somebody had in the user's file, in its format
  'claude-code': ['.claude.json', '{\n  "numStartups": 3,\n  "mcpServers": {\n    "git": { "type": "stdio", "command": "git-mcp", "env": { "TOKEN": "s3cret" } }\n  }\n}\n'],
  'claude-desktop': ['.config/Claude/claude_desktop_config.json', '{"theme": "dark"}'],
  codex: ['.codex/config.toml', 'model = "o" # mine\n\n[mcp_servers.git]\ncommand = "git-mcp"\n'],
  gemini: ['.gemini/settings.json', '{\n  // mine\n  "ui": { "theme": "x" }\n}\n'],
  cursor: ['.cursor/mcp.json', '{\n\t"mcpServers": {}\n}\n'],
  vscode: ['.config/Code/User/mcp.json', '{\n    "servers": {\n        // the other one\n        "git": { "type": "stdio", "command": "git-mcp" },\n    },\n    "inputs": [],\n}\n'],
  zed: ['.config/zed/settings.json', '// Zed settings\n{\n  "vim_mode": true, // always\n}\n'],
  opencode: ['.config/opencode/opencode.jsonc', '{\n  "$schema": "https://opencode.ai/config.json",\n  /* none yet */\n}\n'],
};

describe('setup', () => {
  for (const [host, [name, text]] of Object.entries(MINE)) {
    test(`${host}: written beside what is there, and undone`, { timeout }, async () => {
      const { file, setup } = home();
      const target = write(file(name), text);
      const refused = await setup('--host', host, '--tools', 'core');
      assert.equal(refused.code, 1, 'without a terminal nobody is taken to agree');
      assert.match(refused.stderr, /--yes/);
      assert.equal(read(target), text);
      const first = await setup('--host', host, '--tools', 'core', '--yes');
      assert.deepEqual([first.code, first.stderr], [0, '']);
      assert.ok(first.stdout.startsWith(`--- ${target}\n+++ ${target}\n@@ `), first.stdout);
      assert.ok(first.stdout.includes(refused.stdout), 'the same difference');
      assert.ok(!first.stdout.includes('s3cret'), first.stdout);
      const after = read(target);
      for (const line of text.split('\n')) assert.ok(after.includes(line.replace(/[,}{\s]+$/, '')), line);
      assert.ok(after.includes(program) && after.includes('--tools'), after);
      assert.deepEqual(backups(target).map(each => read(path.join(path.dirname(target), each))), [text]);
      const again = await setup('--host', host, '--tools', 'core', '--yes');
      assert.deepEqual([again.code, read(target)], [0, after]);
      assert.match(again.stdout, /already/);
      const removed = await setup('--host', host, '--remove', '--yes');
      assert.equal(removed.code, 0, removed.stderr);
      if (host === 'cursor') assert.equal(fs.existsSync(target), false, 'nothing was left in it');
      else assert.equal(read(target), text);
      assert.match((await setup('--host', host, '--remove')).stdout, /no entry/);
    });
  }
  test('a new file, in the project that was named, with the project as the host calls it', { timeout }, async () => {
    const { setup, file } = home();
    const project = scratchProject({});
    const written = async (...args) => { const { code, stderr } = await setup(...args, '--yes'); assert.equal(code, 0, stderr); };
    await written('--host', 'vscode', '--project', project);
    assert.deepEqual(JSON.parse(read(path.join(project, '.vscode/mcp.json'))).servers.lean, { type: 'stdio', command: program, args: ['--project-root', '${workspaceFolder}'] });
    await written('--host', 'claude-code', '--project', project);
    assert.deepEqual(JSON.parse(read(path.join(project, '.mcp.json'))).mcpServers.lean, { command: program, args: [] });
    await written('--host', 'claude-desktop', '--project', project);   // has no files in projects
    assert.deepEqual(JSON.parse(read(file('.config/Claude/claude_desktop_config.json'))).mcpServers.lean.args, ['--project-root', fs.realpathSync(project)]);
    await written('--host', 'claude-code', '--project', project, '--remove');
    assert.equal(fs.existsSync(path.join(project, '.mcp.json')), false);
    assert.equal(fs.existsSync(file('.claude.json')), false);
  });
  test('what somebody else has there is not touched', { timeout }, async () => {
    const { setup, file } = home();
    for (const [host, name, text, message] of [
      ['zed', '.config/zed/settings.json', '{\n  "a": [1,\n}\n', /settings\.json:3:1: this is not valid JSON/],
      ['claude-code', '.claude.json', '{\n  // mine\n}\n', /\.claude\.json:2:3: a comment/],
      ['codex', '.codex/config.toml', 'a = 1\nb = \n', /config\.toml:2:\d+: this is not valid TOML/],
      ['cursor', '.cursor/mcp.json', '{"mcpServers": {"lean": {"command": "uvx", "args": ["lean-lsp-mcp"]}}}', /has an entry 'lean' that starts uvx\./],
    ]) {
      const target = write(file(name), text);
      for (const args of [[], ['--remove']]) {
        const { code, stdout, stderr } = await setup('--host', host, '--yes', ...args);
        assert.deepEqual([code, stdout], [1, ''], host);
        assert.match(stderr, message);
      }
      assert.equal(read(target), text);
      assert.deepEqual(backups(target), []);
    }
    const beside = await setup('--host', 'cursor', '--name', 'bridge', '--yes');
    assert.equal(beside.code, 0);
    assert.match(beside.stderr, /the entry 'lean' of this file starts lean-lsp-mcp/);
  });
  test('usage', { timeout }, async () => {
    const { setup } = home();
    for (const args of [[], ['--yes'], ['--host', 'emacs'], ['--host', 'zed', '--project', '/nowhere']]) assert.equal((await setup(...args)).code, 2, args.join(' '));
  });
  test('on a terminal: it asks which host, for what, and whether to write', { timeout }, async () => {
    const { ask, file } = home();
    write(file('.codex/config.toml'), '');
    const project = scratchProject({});
    const no = await ask('3\nn\nn\n', [], project);
    assert.equal(no.code, 1, no.stdout);
    assert.match(no.stdout, /Codex +found/);
    assert.match(no.stdout, /\+\[mcp_servers\.lean\]/);
    assert.equal(read(file('.codex/config.toml')), '');
    const yes = await ask('codex\ny\ny\n', [], project);
    assert.equal(yes.code, 0, yes.stdout);
    assert.match(read(path.join(project, '.codex/config.toml')), /^\[mcp_servers\.lean\]\n/);
    assert.equal((await ask('9\n')).code, 2);
  });
});

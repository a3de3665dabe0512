// leanbridge setup: the entry in each host's own file, in a home folder of the test's. No Lean is needed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { binary, isPosixAlone, runBinary, scratchProject, temporaryFolder } from '../support/bridge.mjs';
import { isAlive } from '../support/processes.mjs';
import { McpClient } from '../support/mcp-client.mjs';

const timeout = 60_000;
const binaryPath = fs.realpathSync(binary);
const CLEAN = { XDG_CONFIG_HOME: '', CODEX_HOME: '', CLAUDE_CONFIG_DIR: '', LEAN_PROJECT_PATH: '', LEANBRIDGE_CACHE_DIR: '', LEAN_LOG_LEVEL: '', NO_COLOR: '1' };
const read = file => fs.readFileSync(file, 'utf8');
const write = (file, text) => { fs.mkdirSync(path.dirname(file), { recursive: true }); fs.writeFileSync(file, text); return file; };
const backups = file => fs.readdirSync(path.dirname(file)).filter(name => name.startsWith(`${path.basename(file)}.leanbridge`));

/** A home folder, and `setup` in it. */
function home(more = {}) {
  const folder = temporaryFolder('home');
  const env = { ...CLEAN, HOME: folder, ...more };
  const setup = (...words) => {
    const options = typeof words.at(-1) === 'object' ? words.pop() : {};
    return runBinary(['setup', ...words], { cwd: folder, ...options, env: { ...env, ...options.env } });
  };
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

/** A host's own program on PATH: it notes its arguments and its folder, prints `says`, and ends with `code`. */
function program(name, { code = 0, says = 'done', does = '' } = {}) {
  const folder = temporaryFolder('program');
  fs.writeFileSync(path.join(folder, name), `#!/bin/sh
{ printf '%s\\0' "$PWD" "$@"; echo; } >> ${folder}/calls
echo '${says}'
echo 'and this' >&2
${does}
[ -f ${folder}/takes ] && rm -f "$(cat ${folder}/takes)"
exit ${code}
`, { mode: 0o755 });
  const takes = file => fs.writeFileSync(path.join(folder, 'takes'), file);   // what it removes from then on
  const calls = () => (fs.existsSync(path.join(folder, 'calls')) ? read(path.join(folder, 'calls')).split('\n').slice(0, -1).map(line => line.split('\0').slice(0, -1)) : []);
  return { env: { PATH: `${folder}:${process.env.PATH}` }, calls, takes };
}
const NONE = { PATH: '/nowhere' };

/** WSL, as far as `setup` sees it: a folder for Windows' files, and a wsl.exe on PATH that starts programs in the distribution `My Linux`, with
 * those variables of Windows that WSLENV names. */
function windows() {
  const folder = temporaryFolder('windows'), roaming = path.join(folder, 'Zoë Q/Roaming'), local = path.join(folder, 'Zoë Q/Local');
  for (const each of [roaming, local]) fs.mkdirSync(each, { recursive: true });
  fs.writeFileSync(path.join(folder, 'wsl.exe'), `#!/bin/sh
[ "$1 $2 $3" = '-d My Linux --exec' ] || { echo "there is no such distribution" >&2; exit 255; }
shift 3
case ":$WSLENV:" in *:APPDATA/up:*) set -- APPDATA='${roaming}' "$@" ;; esac
case ":$WSLENV:" in *:LOCALAPPDATA/up:*) set -- LOCALAPPDATA='${local}' "$@" ;; esac
exec env -i HOME="$HOME" PATH=/usr/bin:/bin "$@"
`, { mode: 0o755 });
  const file = (...inside) => path.join(...inside, 'claude_desktop_config.json');
  return { env: { PATH: `${folder}:${process.env.PATH}`, WSL_DISTRO_NAME: 'My Linux' }, file: file(roaming, 'Claude'), packaged: [file(local, 'Packages/Claude_pzs8/LocalCache/Roaming/Claude'), file(local, 'Claude-Data/claude_pzs8')] };
}

const PLAIN = {   // what somebody had in the user's file, of hosts whose file is plain JSON
  'claude-desktop': ['.config/Claude/claude_desktop_config.json', { theme: 'dark', mcpServers: { git: { command: 'git-mcp', env: { TOKEN: 's3cret' } } } }],
  cursor: ['.cursor/mcp.json', { mcpServers: {} }],
  zed: ['.config/zed/settings.json', { vim_mode: true, context_servers: { git: { command: 'git-mcp' } } }],
  opencode: ['.config/opencode/opencode.jsonc', { $schema: 'https://opencode.ai/config.json' }],
};
const COMMENTED = {   // or what a machine would not write as it was
  codex: ['.codex/config.toml', 'model = "o" # mine\n\n[mcp_servers.git]\ncommand = "git-mcp"\n', '.codex/config.toml'],
  cursor: ['.cursor/mcp.json', '{\n  "mcpServers": {}, // mine\n}\n', '.cursor/mcp.json'],
  vscode: ['.config/Code/User/mcp.json', '{\n    "servers": {\n        // the other one\n        "git": { "command": "git-mcp" },\n    }\n}\n', '.vscode/mcp.json'],
  zed: ['.config/zed/settings.json', '// Zed settings\n{\n  "vim_mode": true, // always\n}\n', '.zed/settings.json'],
};
const COMMANDS = {   // how hosts' own programs are started for the user, for a project, and to remove the entry
  'claude-code': ['claude', ['mcp', 'add', '--scope', 'user', 'lean', '--', binaryPath, '--tools', 'core'], ['mcp', 'add', '--scope', 'project', 'lean', '--', 'leanbridge'], ['mcp', 'remove', '--scope', 'user', 'lean']],
  codex: ['codex', ['mcp', 'add', 'lean', '--', binaryPath, '--tools', 'core'], undefined, ['mcp', 'remove', 'lean']],
  gemini: ['gemini', ['mcp', 'add', '--scope', 'user', 'lean', binaryPath, '--', '--tools', 'core'], ['mcp', 'add', '--scope', 'project', 'lean', 'leanbridge'], ['mcp', 'remove', '--scope', 'user', 'lean']],
  vscode: ['code', ['--add-mcp', JSON.stringify({ args: ['--tools', 'core'], command: binaryPath, name: 'lean', type: 'stdio' })], undefined, undefined],
};
const ENTRY = {   // what those programs write, in the user's file
  'claude-code': ['.claude.json', JSON.stringify({ mcpServers: { lean: { type: 'stdio', command: binaryPath, args: ['--tools', 'core'], env: {} } } })],
  codex: ['.codex/config.toml', `[mcp_servers.lean]\ncommand = "${binaryPath}"\nargs = ["--tools", "core"]\n`],
  gemini: ['.gemini/settings.json', `{ // mine\n  "mcpServers": { "lean": { "command": "${binaryPath}", "args": ["--tools", "core"] } }\n}`],
  vscode: ['.config/Code/User/mcp.json', JSON.stringify({ servers: { lean: { type: 'stdio', command: binaryPath, args: ['--tools', 'core'] } } })],
};

describe('setup', () => {
  for (const [host, [name, document]] of Object.entries(PLAIN)) {
    test(`${host}: written beside what is there, and undone`, { timeout }, async () => {
      const { file, setup } = home();
      const text = JSON.stringify(document);
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
      const after = read(target), parsed = JSON.parse(after);
      for (const [key, value] of Object.entries(document)) assert.deepEqual({ ...parsed[key], ...value }, typeof value === 'object' ? parsed[key] : { ...value }, key);
      assert.deepEqual(Object.keys(parsed).slice(0, Object.keys(document).length), Object.keys(document), 'in their order');
      assert.ok(after.includes(binaryPath) && after.includes('--tools'), after);
      assert.deepEqual(backups(target).map(each => read(path.join(path.dirname(target), each))), [text]);
      const again = await setup('--host', host, '--tools', 'core', '--yes');
      assert.deepEqual([again.code, read(target)], [0, after]);
      assert.match(again.stdout, /already/);
      const removed = await setup('--host', host, '--remove', '--yes');
      assert.equal(removed.code, 0, removed.stderr);
      if (host === 'cursor') assert.equal(fs.existsSync(target), false, 'nothing was left in it');
      else assert.deepEqual(JSON.parse(read(target)), document);
      assert.match((await setup('--host', host, '--remove')).stdout, /no entry/);
    });
  }
  for (const [host, [name, text, inProject]] of Object.entries(COMMENTED)) {
    test(`${host}: a file that an edit would rearrange is left to the user`, { timeout }, async () => {
      const { file, setup } = home();
      const project = scratchProject({});
      const where = host === 'codex' || host === 'vscode' ? ['--project', project] : [];
      const target = write(where.length ? path.join(fs.realpathSync(project), inProject) : file(name), text);
      const { code, stdout, stderr } = await setup('--host', host, '--yes', '--tools', 'core', ...where);
      assert.equal(code, 1);
      assert.match(stderr, host === 'codex' ? /is TOML/ : /has comments/);
      assert.ok(stdout.startsWith(`Add this to ${target}:\n\n`), stdout);
      assert.ok(stdout.includes(where.length ? 'leanbridge' : binaryPath) && (!where.length || !stdout.includes(binaryPath)), 'the entry, to be added by hand');
      assert.deepEqual([read(target), backups(target)], [text, []]);
      write(target, host === 'codex' ? stdout.split(':\n\n')[1] : `// mine\n${stdout.split(':\n\n')[1]}`);
      const already = await setup('--host', host, '--yes', '--tools', 'core', ...where);
      assert.equal(already.code, 0, 'once somebody has added it');
      assert.match(already.stdout, /already/);
      const removed = await setup('--host', host, '--yes', '--remove', ...where);
      assert.equal(removed.code, 1);
      assert.ok(removed.stdout.includes(`Remove the entry 'lean' from ${target}.`), removed.stdout);
    });
  }
  for (const [host, [name, add, addToProject, remove]] of Object.entries(COMMANDS)) {
    test(`${host}: added and removed by its own program`, { timeout }, async () => {
      const { folder, file, setup } = home();
      const { env, calls, takes } = program(name);
      const refused = await setup('--host', host, '--tools', 'core', { env });
      assert.equal(refused.code, 1, 'without a terminal nobody is taken to agree');
      assert.match(refused.stderr, /--yes/);
      assert.deepEqual(calls(), []);
      const first = await setup('--host', host, '--tools', 'core', '--yes', { env });
      assert.equal(first.code, 0, first.stderr);
      assert.ok(first.stdout.startsWith(refused.stdout), 'the command is shown first');
      assert.ok(first.stdout.includes('\ndone\n'), first.stdout);
      assert.equal(first.stderr, 'and this\n');
      assert.deepEqual(calls(), [[fs.realpathSync(folder), ...add]]);
      assert.deepEqual(fs.readdirSync(folder), [], 'nothing is written beside it');

      const project = fs.realpathSync(scratchProject({}));
      if (addToProject) {
        assert.equal((await setup('--host', host, '--project', project, '--yes', { env })).code, 0);
        assert.deepEqual(calls().at(-1), [project, ...addToProject], 'in the project');
      }
      write(file(ENTRY[host][0]), ENTRY[host][1]);
      const before = calls().length;
      assert.match((await setup('--host', host, '--tools', 'core', '--yes', { env })).stdout, /already/);
      assert.equal(calls().length, before);
      if (host === 'claude-code') {   // which refuses to add what is there
        assert.equal((await setup('--host', host, '--yes', { env })).code, 0);
        assert.deepEqual(calls().slice(before).map(call => call[2]), ['remove', 'add']);
      }
      if (remove) {
        const kept = await setup('--host', host, '--remove', '--yes', { env });
        assert.equal(kept.code, 1, 'a program that says done and has removed nothing');
        assert.match(kept.stderr, new RegExp(`${name} has removed nothing`));
        takes(file(ENTRY[host][0]));
      }
      const removed = await setup('--host', host, '--remove', '--yes', { env });
      assert.equal(removed.code, 0, removed.stderr);
      if (remove) assert.deepEqual(calls().at(-1).slice(1), remove);
      else assert.equal(fs.existsSync(file(ENTRY[host][0])), false, 'the file is edited');
    });
    test(`${host}: ${name} that is missing, or fails`, { timeout }, async () => {
      const { file, setup } = home();
      const target = file(ENTRY[host][0]);
      const missing = await setup('--host', host, '--yes', { env: NONE });
      assert.equal(missing.code, 1);
      assert.match(missing.stderr, new RegExp(`There is no '${name}' on PATH`));
      assert.ok(missing.stdout.startsWith(`Add this to ${target}:\n\n`) && missing.stdout.includes(binaryPath), missing.stdout);
      assert.equal(fs.existsSync(target), false);
      const failed = await setup('--host', host, '--yes', { env: program(name, { code: 3, says: 'not logged in' }).env });
      assert.equal(failed.code, 1);
      assert.match(failed.stdout, /\nnot logged in\n/);
      assert.match(failed.stderr, new RegExp(`and this\n.*${name} ended with exit code 3`));
    });
  }
  test('SIGINT ends the program of a host, and what that has started', { timeout }, async () => {
    const { setup } = home();
    const started = path.join(temporaryFolder('started'), 'pid');
    const { env } = program('codex', { does: `sleep 600 & echo $! > ${started}; wait` });
    const run = await setup('--host', 'codex', '--yes', { env,
      started: child => { const timer = setInterval(() => { if (fs.existsSync(started) && read(started)) { clearInterval(timer); child.kill('SIGINT'); } }, 20); } });
    assert.equal(run.code, 130, run.stderr);
    const pid = Number(read(started));
    // On Linux the supervisor reaps it; on POSIX alone the system's first process does, later.
    assert.equal(isPosixAlone ? isAlive(pid) : fs.existsSync(`/proc/${pid}`), false);
  });
  test('a new file, in the project that was named, with the project as the host calls it', { timeout }, async () => {
    const { setup, file } = home();
    const project = scratchProject({});
    const written = async (...args) => { const { code, stderr } = await setup(...args, '--yes'); assert.equal(code, 0, stderr); };
    await written('--host', 'vscode', '--project', project);
    assert.deepEqual(JSON.parse(read(path.join(project, '.vscode/mcp.json'))).servers.lean, { type: 'stdio', command: 'leanbridge', args: ['--project-root', '${workspaceFolder}'] });
    await written('--host', 'zed', '--project', project);
    assert.deepEqual(JSON.parse(read(path.join(project, '.zed/settings.json'))).context_servers.lean, { command: 'leanbridge', args: [] });
    await written('--host', 'claude-desktop', '--project', project);   // has no files in projects
    assert.deepEqual(JSON.parse(read(file('.config/Claude/claude_desktop_config.json'))).mcpServers.lean.args, ['--project-root', fs.realpathSync(project)]);
    await written('--host', 'zed', '--project', project, '--remove');
    assert.equal(fs.existsSync(path.join(project, '.zed/settings.json')), false);
    assert.equal(fs.existsSync(file('.config/zed/settings.json')), false);
  });
  test('what somebody else has there is not touched', { timeout }, async () => {
    const { setup, file } = home();
    const { env, calls } = program('claude');
    for (const [host, name, text, message] of [
      ['zed', '.config/zed/settings.json', '{\n  "a": [1,\n}\n', /settings\.json:3:1: this is not valid JSON/],
      ['claude-code', '.claude.json', '{\n  // mine\n}\n', /\.claude\.json:2:\d: this is not valid JSON/],
      ['codex', '.codex/config.toml', 'a = 1\nb = \n', /config\.toml:2:\d+: this is not valid TOML/],
      ['claude-code', '.claude.json', '{"mcpServers": {"lean": {"command": "uvx", "args": ["lean-lsp-mcp"]}}}', /has an entry 'lean' that starts uvx\./],
      ['cursor', '.cursor/mcp.json', '{"mcpServers": {"lean": {"command": "uvx", "args": ["lean-lsp-mcp"]}}}', /has an entry 'lean' that starts uvx\./],
    ]) {
      const target = write(file(name), text);
      for (const args of [[], ['--remove']]) {
        const { code, stdout, stderr } = await setup('--host', host, '--yes', ...args, { env });
        assert.deepEqual([code, stdout], [1, ''], host);
        assert.match(stderr, message);
      }
      assert.equal(read(target), text);
      assert.deepEqual(backups(target), []);
    }
    assert.deepEqual(calls(), []);
    const beside = await setup('--host', 'cursor', '--name', 'bridge', '--yes');
    assert.equal(beside.code, 0);
    assert.match(beside.stderr, /the entry 'lean' of this file starts lean-lsp-mcp/);
  });
  test('a server that is there under another name is not added a second time', { timeout }, async () => {
    const { setup, file } = home();
    const text = JSON.stringify({ mcpServers: { prover: { command: 'uvx', args: ['leanbridge'] } } });
    const target = write(file('.cursor/mcp.json'), text);
    const { code, stdout, stderr } = await setup('--host', 'cursor', '--yes');
    assert.deepEqual([code, stdout, read(target)], [1, '', text]);
    assert.match(stderr, /mcp\.json starts leanbridge already, as 'prover'\. Nothing was changed\. To change that entry, pass --name 'prover'\./);
    assert.equal((await setup('--host', 'cursor', '--yes', '--name', 'prover')).code, 0);
    assert.deepEqual(Object.keys(JSON.parse(read(target)).mcpServers), ['prover']);
    const project = scratchProject({ 'A.lean': '' }), inProject = path.join(project, '.cursor/mcp.json');
    const second = await setup('--host', 'cursor', '--yes', '--project', project);
    assert.deepEqual([second.code, second.stdout, fs.existsSync(inProject)], [1, '', false], 'nor in a project');
    assert.match(second.stderr.replaceAll(/\s+/g, ' '), /connected as 'prover' in .* every tool twice\. Nothing was changed\. With --name 'prover'/);
    assert.equal((await setup('--host', 'cursor', '--yes', '--project', project, '--name', 'prover')).code, 0);
    assert.deepEqual(Object.keys(JSON.parse(read(inProject)).mcpServers), ['prover']);
  });
  test('a project\'s file has no paths of variables', { timeout }, async () => {
    const { setup } = home({ LEANBRIDGE_CACHE_DIR: '/home/me/cache', LEANBRIDGE_OFFLINE: '1' });
    const project = scratchProject({});
    const { code, stderr } = await setup('--host', 'zed', '--project', project, '--yes');
    assert.equal(code, 0, stderr);
    assert.match(stderr.replaceAll(/\s+/g, ' '), /LEANBRIDGE_CACHE_DIR is not written: it names a path of yours/);
    assert.deepEqual(JSON.parse(read(path.join(project, '.zed/settings.json'))).context_servers.lean, { command: 'leanbridge', args: [], env: { LEANBRIDGE_OFFLINE: '1' } });
  });
  test('codex: the time limit, which its program does not write, is offered', { timeout }, async () => {
    const { setup, file } = home();
    const target = write(file('.codex/config.toml'), '');
    const text = `model = "o" # mine\n\n[mcp_servers.lean]\ncommand = "${binaryPath}"\nargs = []\n\n[mcp_servers.git]\ncommand = "git-mcp"\n`;
    const { env, calls } = program('codex', { does: `cat > ${target} <<'END'\n${text}END` });
    const added = await setup('--host', 'codex', '--yes', { env });
    assert.equal(added.code, 0, added.stderr);
    const limited = text.replace('[mcp_servers.lean]\n', '[mcp_servers.lean]\ntool_timeout_sec = 600\n');
    assert.equal(read(target), limited);
    assert.match(added.stdout, /^\+tool_timeout_sec = 600$/m);
    assert.match(added.stdout, /^Codex ends a call after 60 s unless its entry has another limit:$/m);
    assert.match(added.stdout, /\nStart Codex again/);
    assert.doesNotMatch(added.stdout.slice(added.stdout.indexOf('\nStart Codex again')), /60 s/, 'the limit is there now');
    const again = await setup('--host', 'codex', '--yes', { env });
    assert.deepEqual([again.code, again.stdout, calls().length], [0, `${target} has this entry already: 'lean'.\n`, 1]);
    write(target, text);   // added by hand, or before
    assert.equal((await setup('--host', 'codex', { env })).code, 0, 'nobody is there to agree');
    assert.equal(read(target), text);
    assert.equal((await setup('--host', 'codex', '--yes', { env })).code, 0);
    assert.deepEqual([read(target), calls().length], [limited, 1]);
  });
  test('an entry with which the server would end is not written', { timeout }, async () => {
    const { setup, file, folder, env } = home();
    const args = ['--disable', 'lean_buildd'];
    const refused = await setup('--host', 'zed', '--yes', ...args);
    assert.deepEqual([refused.code, refused.stdout, fs.existsSync(file('.config'))], [2, '', false]);
    assert.match(refused.stderr, /There is no tool lean_buildd.*Did you mean lean_build/s);
    assert.equal((await runBinary([...args, 'mcp', 'serve-config'], { cwd: folder, env })).code, 2);
  });
  test('one with which it would warn is: other servers share LEAN_MCP_DISABLED_TOOLS', { timeout }, async () => {
    const { setup, file } = home({ LEAN_MCP_DISABLED_TOOLS: 'lean_buildd' });
    const { code, stderr } = await setup('--host', 'zed', '--yes');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /lean_buildd/);
    assert.equal(JSON.parse(read(file('.config/zed/settings.json'))).context_servers.lean.env.LEAN_MCP_DISABLED_TOOLS, 'lean_buildd');
  });
  test('usage', { timeout }, async () => {
    const { setup } = home();
    for (const args of [[], ['--yes'], ['--host', 'emacs'], ['--host', 'zed', '--project', '/nowhere']]) assert.equal((await setup(...args)).code, 2, args.join(' '));
  });
  test('on a terminal: it asks which host, for what, and whether to write', { timeout }, async () => {
    const { ask, file } = home();
    write(file('.config/zed/settings.json'), '');
    const project = scratchProject({});
    const no = await ask('6\nn\nn\n', [], project);
    assert.equal(no.code, 1, no.stdout);
    assert.match(no.stdout, /6 +Zed +installed, not connected/);
    assert.match(no.stdout, /\+ {2}"context_servers": \{/);
    assert.equal(read(file('.config/zed/settings.json')), '');
    const yes = await ask('zed\ny\ny\n', [], project);
    assert.equal(yes.code, 0, yes.stdout);
    assert.ok(JSON.parse(read(path.join(project, '.zed/settings.json'))).context_servers.lean);
    assert.equal((await ask('9\n')).code, 2);
  });
  test('on a terminal: one list with what is connected, and Claude Desktop only where it is', { timeout }, async () => {
    const { ask, file } = home();
    write(file('.cursor/mcp.json'), JSON.stringify({ mcpServers: { prover: { command: 'leanbridge' } } }));
    write(file('.gemini/settings.json'), JSON.stringify({ mcpServers: { lsp: { command: 'uvx', args: ['lean-lsp-mcp'] } } }));
    const project = scratchProject({ 'A.lean': '' });
    write(path.join(project, '.vscode/mcp.json'), JSON.stringify({ servers: { lean: { command: 'leanbridge' } } }));
    const { stdout } = await ask('\n', [], project);
    for (const row of [/1 +Claude Code +not found/, /Cursor +connected as 'prover' in \S+\/\.cursor\/mcp\.json/, /Gemini CLI +starts lean-lsp-mcp as 'lsp'/, /VS Code +connected as 'lean' in \S+\/\.vscode\/mcp\.json/, /7 +OpenCode/]) assert.match(stdout, row);
    assert.doesNotMatch(stdout, /Claude Desktop/);
    write(file('.config/Claude/claude_desktop_config.json'), '{}');
    assert.match((await ask('\n', [], project)).stdout, /2 +Claude Desktop +installed, not connected/);
  });
  test('on a terminal: it asks whether to run', { timeout }, async () => {
    const { calls, env } = program('codex');
    const { ask } = home(env);
    const no = await ask('n\n', ['--host', 'codex']);
    assert.equal(no.code, 1, no.stdout);
    assert.match(no.stdout, /this runs:\r\n {2}codex mcp add lean -- .*\r\nRun it\?/);
    assert.deepEqual(calls(), []);
    assert.equal((await ask('y\n', ['--host', 'codex'])).code, 0);
    assert.equal(calls().length, 1);
  });
});

describe('Claude Desktop on Windows, through WSL', () => {
  test('the entry in the file on Windows starts leanbridge in this distribution', { timeout }, async () => {
    const { env, file: target } = windows();
    const { setup, file, folder, env: own } = home({ ...env, LEANBRIDGE_OFFLINE: '1' });
    const project = fs.realpathSync(scratchProject({}));
    const text = JSON.stringify({ mcpServers: { git: { command: 'git-mcp', env: { TOKEN: 's3cret' } } } });
    write(target, text);
    const args = ['--host', 'claude-desktop', '--project', project, '--tools', 'core'];
    const refused = await setup(...args);
    assert.equal(refused.code, 1, 'without a terminal nobody is taken to agree');
    assert.equal(read(target), text);
    const { code, stdout, stderr } = await setup(...args, '--yes');
    assert.deepEqual([code, stderr], [0, '']);
    assert.ok(stdout.startsWith(`--- ${target}\n+++ ${target}\n@@ `) && !stdout.includes('s3cret'), stdout);
    const { git, lean } = JSON.parse(read(target)).mcpServers;
    assert.deepEqual(git, JSON.parse(text).mcpServers.git);
    assert.deepEqual(lean, { command: 'wsl.exe', args: ['-d', 'My Linux', '--exec', '/usr/bin/env', 'LEANBRIDGE_OFFLINE=1', binaryPath, '--tools', 'core', '--project-root', project] });
    assert.deepEqual(backups(target).map(each => read(path.join(path.dirname(target), each))), [text]);
    assert.equal(fs.existsSync(file('.config')), false);

    const client = new McpClient({ ...lean, cwd: folder, env: own, label: 'through WSL' });
    try {
      await client.connect({});
      assert.equal(client.server.serverInfo.name, 'leanbridge');
      await client.close();
    } finally {
      await client.destroy();
    }
    assert.match((await setup(...args, '--yes')).stdout, /has this entry already/);
    const printed = await runBinary(['--tools', 'core', '--project-root', project, 'mcp', 'serve-config', '--host', 'claude-desktop'], { cwd: folder, env: own });
    assert.deepEqual(JSON.parse(printed.stdout).mcpServers.lean.args.slice(0, 6), lean.args.slice(0, 6));
    const doctor = await runBinary(['doctor', '--lake', 'none', '--timeout', '10'], { cwd: folder, env: own });
    assert.ok(doctor.stdout.replaceAll(/\s+/g, ' ').includes(`Claude Desktop: ${target} starts leanbridge as 'lean'`), doctor.stdout);
    assert.equal((await setup('--host', 'claude-desktop', '--remove', '--yes')).code, 0);
    assert.deepEqual(JSON.parse(read(target)), JSON.parse(text));
  });
  test('packages have a file of their own; another host\'s is here', { timeout }, async () => {
    const { env, file: plain, packaged } = windows();
    const { setup, file } = home(env);
    write(plain, '{}');
    for (const each of packaged) {
      write(each, '{}');
      assert.equal((await setup('--host', 'claude-desktop', '--yes')).code, 0);
      assert.deepEqual(JSON.parse(read(each)).mcpServers.lean.args, ['-d', 'My Linux', '--exec', binaryPath]);
    }
    assert.equal(read(plain), '{}');
    assert.equal((await setup('--host', 'cursor', '--yes')).code, 0);
    assert.equal(JSON.parse(read(file('.cursor/mcp.json'))).mcpServers.lean.command, binaryPath);
  });
  test('on a terminal: offered where Windows has it', { timeout }, async () => {
    const { env, file } = windows();
    const { ask } = home(env);
    assert.doesNotMatch((await ask('\n')).stdout, /Claude Desktop/);
    write(file, '{}');
    assert.match((await ask('\n')).stdout, /2 +Claude Desktop +installed, not connected/);
  });
  test('Windows that cannot be asked: what to add by hand', { timeout }, async () => {
    const { env } = windows();
    const { setup, folder, env: own } = home(env);
    const lines = new RegExp(String.raw`^Add this to %APPDATA%\\Claude\\claude_desktop_config\.json on Windows:\n\n`);
    for (const [more, why] of [[{ PATH: '/usr/bin:/bin' }, /there is no wsl\.exe on PATH/], [{ WSL_DISTRO_NAME: 'Other' }, /wsl\.exe ended with exit code 255\. there is no such distribution/]]) {
      const { code, stdout, stderr } = await setup('--host', 'claude-desktop', '--yes', { env: more });
      assert.equal(code, 1, stdout);
      assert.match(stderr.replaceAll(/\s+/g, ' '), why);
      assert.match(stdout, lines);
      assert.deepEqual(JSON.parse(stdout.slice(stdout.indexOf('{'))).mcpServers.lean.args.slice(0, 3), ['-d', more.WSL_DISTRO_NAME ?? 'My Linux', '--exec']);
      const removed = await setup('--host', 'claude-desktop', '--yes', '--remove', { env: more });
      assert.match(removed.stdout, /^Remove the entry 'lean' from %APPDATA%/);
      const doctor = await runBinary(['doctor', '--lake', 'none', '--timeout', '10'], { cwd: folder, env: { ...own, ...more } });
      assert.match(doctor.stdout.replaceAll(/\s+/g, ' '), why);
    }
    assert.equal(fs.existsSync(path.join(folder, '.config')), false);
  });
});

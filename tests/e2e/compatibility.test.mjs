// The flags and variables of lean-lsp-mcp (tests/support/lean-lsp-mcp.mjs), as its hosts and users set them.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { binary, cacheFolder, fakeLake, runBinary, scratchProject, temporaryFolder, withBridge } from '../support/bridge.mjs';
import { FLAGS as OURS, VARIABLES as OUR_VARIABLES } from '../support/compatibility-notes.mjs';
import { modern, startHttpServer } from '../support/http-server.mjs';
import { FLAGS, VARIABLES } from '../support/lean-lsp-mcp.mjs';
import { eventually } from '../support/processes.mjs';

const timeout = 60_000;
const TEXT = 'theorem a : True := by\n  first\n';
const TOOLCHAIN = 'leanprover/lean4:v4.28.0';

const times = (text, part) => text.split(part).length - 1;

describe('settings', () => {
  test('every flag and variable of lean-lsp-mcp starts a session', { timeout }, async () => {
    const project = scratchProject({ 'A.lean': TEXT, 'lean-toolchain': `${TOOLCHAIN}\n` });
    const filled = value => value?.replace('PROJECT', project).replace('FOLDER', temporaryFolder('loogle'));
    const args = Object.entries(FLAGS).filter(([flag]) => flag !== '--version').flatMap(([flag, { value }]) => [flag, filled(value)].filter(word => word !== undefined));
    const env = Object.fromEntries(Object.entries(VARIABLES).filter(([, { internal }]) => !internal).map(([name, { value }]) => [name, filled(value)]));
    const lake = fakeLake();
    await withBridge({ cwd: temporaryFolder('cwd'), lake: lake.command, args: ['--offline', ...args], env }, async client => {
      const { tools } = await client.request('tools/list', {});
      const names = tools.map(({ name }) => name);
      assert.deepEqual(FLAGS['--disable-tools'].value.split(',').filter(name => names.includes(name)), []);
      assert.equal(tools.find(({ name }) => name === 'lean_goal').description, 'Goals.');
      assert.deepEqual((await client.call('lean_goal', { file_path: 'A.lean', line: 2, column: 3 })).structured?.goals, ['⊢ first']);
      const unused = Object.entries({ ...OURS, ...OUR_VARIABLES }).filter(([, { none, onlyHttp }]) => none || onlyHttp).map(([name]) => name);
      for (const name of unused) assert.equal(times(client.stderr, ` ${name} has no effect: `), 1, `${name} in\n${client.stderr}`);
      assert.equal(times(client.stderr, ' has no effect: '), unused.length, client.stderr);
      assert.equal(times(client.stderr, `There is no loogle for ${TOOLCHAIN} in `), 1, client.stderr);
    });
  });
  test('without any of them the log is empty', { timeout }, () => withBridge({ project: scratchProject({ 'A.lean': TEXT }), lake: fakeLake().command }, client => assert.equal(client.stderr, '')));
  test('-v prints the version', { timeout }, async () => assert.match((await runBinary(['-v'])).stdout, /^leanbridge \d/));

  for (const [what, args, mention] of [['a transport of 2024', ['--transport', 'sse'], /--transport sse.*--transport streamable-http/], ['an address that others reach, without a token', ['--transport', 'streamable-http', '--host', '0.0.0.0', '--port', '0'], /0\.0\.0\.0:0 can be reached.*LEAN_LSP_MCP_TOKEN/], ['two addresses', ['serve', '--http', '127.0.0.1:0', '--transport', 'streamable-http'], /both say where/], ['an unknown transport', ['--transport', 'carrier-pigeon'], /transport/],
    ['a project that does not exist', ['--lean-project-path', '/nowhere/at/all'], /\/nowhere\/at\/all, which does not exist/], ['a path in no project', ['--lean-project-path', '/'], /in no project/],
    ['a port that is none', ['--port', 'x'], /port/], ['a timeout that is none', ['--repl-timeout', 'x'], /repl-timeout/], ['an unknown mode of builds', ['--builds', 'never'], /builds/],
    ['a local Loogle that is no path', ['--loogle-local=loogle'], /--loogle-local must be true, false, or an absolute path/]])
    test(`${what} is exit code 2, said on stderr`, { timeout }, async () => {
      const { code, stdout, stderr } = await runBinary(args);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, mention);
    });
  test('--transport streamable-http serves HTTP, and its token is needed', { timeout }, async () => {
    const project = scratchProject({ 'A.lean': TEXT });
    const token = 'a token of the user'.replaceAll(' ', '-');
    const start = (args, env) => startHttpServer(binary, {
      args: ['--transport', 'streamable-http', '--port', '0', '--lean-project-path', project, '--lake', fakeLake().command, ...args],
      env: { ...process.env, LEAN_PROJECT_PATH: '', LEANBRIDGE_CACHE_DIR: cacheFolder(), ...env }, cwd: temporaryFolder('cwd'),
    });
    const goal = { method: 'tools/call', params: { name: 'lean_goal', arguments: { file_path: 'A.lean', line: 2, column: 3 } } };
    const ask = (server, more = {}) => { const { headers, body } = modern(goal); return server.request({ headers: { ...headers, ...more }, body }); };
    // On every address only with a token.
    for (const [args, env] of [[['--host', 'localhost'], {}], [[], { LEAN_LSP_MCP_TOKEN: token }], [['--host', '0.0.0.0'], { LEAN_LSP_MCP_TOKEN: token }]]) {
      const server = await start(args, env);
      try {
        const open = await ask(server);
        assert.equal(open.status, env.LEAN_LSP_MCP_TOKEN ? 401 : 200, open.text);
        const { status, text } = await ask(server, { Authorization: `Bearer ${token}` });
        assert.equal(status, 200, text);
        assert.match(text, /⊢ first/);
      } finally {
        await server.stop();
      }
    }
  });
  test('a bad variable is ignored, and said', { timeout }, () => withBridge({ project: scratchProject({ 'A.lean': TEXT }), lake: fakeLake().command, env: { LEAN_BUILD_CONCURRENCY: 'never', LEAN_MCP_SCRATCH_SLOTS: 'many' } }, client => {
    assert.match(client.stderr, /ignoring LEAN_BUILD_CONCURRENCY=never: it must be one of allow, cancel, share/);
    assert.match(client.stderr, /ignoring LEAN_MCP_SCRATCH_SLOTS=many/);
  }));
  test('--lean-project-path takes a path in the project', { timeout }, () => {
    const project = scratchProject({ 'A.lean': TEXT, 'Deep/B.lean': TEXT });
    return withBridge({ cwd: temporaryFolder('cwd'), lake: fakeLake().command, args: ['--lean-project-path', path.join(project, 'Deep', 'B.lean')] }, async client => {
      assert.deepEqual((await client.call('lean_goal', { file_path: 'A.lean', line: 2, column: 3 })).structured?.goals, ['⊢ first']);
      assert.equal((await client.call('lean_goal', { file_path: path.join(scratchProject({ 'A.lean': TEXT }), 'A.lean'), line: 2 })).error?.kind, 'outside_project');
    });
  });
});

describe('files to elaborate at the start', () => {
  const files = { 'A.lean': TEXT, 'Two words.lean': TEXT, 'C.lean': TEXT };
  const opened = lake => lake.ofFiles('textDocument/didOpen').map(({ params }) => path.basename(decodeURIComponent(params.textDocument.uri)));
  test('are open before anybody asks, and stay so', { timeout }, () => {
    const lake = fakeLake();
    return withBridge({ project: scratchProject(files), lake: lake.command, env: { LEAN_MCP_PREWARM_FILES: 'A.lean, Two words.lean,' } }, async client => {
      await eventually(() => opened(lake).length === 2, 20_000, 'two open files');
      assert.deepEqual((await client.call('lean_goal', { file_path: 'A.lean', line: 2, column: 3 })).structured?.goals, ['⊢ first']);
      assert.deepEqual(opened(lake), ['A.lean', 'Two words.lean']);
      assert.equal(client.stderr, '');
    });
  });
  test('those that cannot be opened, and too many, are said', { timeout }, () => {
    const lake = fakeLake();
    return withBridge({ project: scratchProject(files), lake: lake.command, args: ['--max-open-files', '2', '--prewarm', 'No.lean,A.lean,C.lean'] }, async client => {
      await eventually(() => opened(lake).length === 1, 20_000, 'an open file');
      assert.match(client.stderr, /--prewarm names 3 files, but only 2 stay open/);
      assert.match(client.stderr, /--prewarm: No\.lean was not opened: File not found/);
      assert.deepEqual(opened(lake), ['A.lean']);
    });
  });
});

describe('an installed Loogle', () => {
  // lean-lsp-mcp names the folder by its revision of Loogle and a hash of the toolchain.
  const key = text => createHash('sha256').update(text).digest('hex').slice(0, 12);
  function installation(toolchain) {
    const folder = temporaryFolder('loogle');
    const program = path.join(folder, `repo-9f11169aaebf-${key(toolchain)}`, '.lake', 'build', 'bin', 'loogle');
    fs.mkdirSync(path.dirname(program), { recursive: true });
    fs.writeFileSync(program, `#!${process.execPath}
console.log('Loogle is ready.');
require('node:readline').createInterface({ input: process.stdin }).on('line', query => console.log(JSON.stringify({ count: 1, hits: [{ name: 'Installed.hit', type: query, module: process.argv.slice(2).join(' ') }] })));
`, { mode: 0o755 });
    return folder;
  }
  // Adds `lake env PROGRAM` to what the fake can do.
  function lakeWithEnv() {
    const lake = fakeLake();
    const command = path.join(temporaryFolder('lake'), 'lake');
    fs.writeFileSync(command, `#!/bin/sh\nif [ "$1" = env ] && [ "$2" != lean ]; then shift; exec "$@"; fi\nexec '${lake.command}' "$@"\n`, { mode: 0o755 });
    return command;
  }
  for (const [what, settings] of [['--loogle-local', folder => ({ args: ['--loogle-local', '--loogle-cache-dir', folder] })], ['LEAN_LOOGLE_LOCAL', folder => ({ env: { LEAN_LOOGLE_LOCAL: 'true', LEAN_LOOGLE_CACHE_DIR: folder } })]])
    test(`answers lean_loogle, by ${what}`, { timeout }, () => {
      const folder = installation(TOOLCHAIN);
      const project = scratchProject({ 'lean-toolchain': `${TOOLCHAIN}\n` });
      const { args = [], env } = settings(folder);
      return withBridge({ project, lake: lakeWithEnv(), args: ['--offline', ...args], env }, async client => {
        let answer;
        await eventually(async () => { answer = await client.call('lean_loogle', { query: 'Nat.add' }); return answer.structured?.items?.[0]?.name === 'Installed.hit'; }, 20_000, 'the installed Loogle');
        const [{ type, module: words }] = answer.structured.items;
        assert.equal(type, 'Nat.add');
        assert.ok(words.includes(`--index-file ${path.join(folder, 'index', `mathlib-${key(project)}.idx`)}`), words);
        assert.equal(client.stderr, '');
      });
    });
  test('of another toolchain is not used', { timeout }, () => withBridge({ project: scratchProject({ 'lean-toolchain': `${TOOLCHAIN}\n` }), lake: lakeWithEnv(), args: ['--offline', '--loogle-local', '--loogle-cache-dir', installation('leanprover/lean4:v4.1.0')] }, client => {
    assert.match(client.stderr, /There is no loogle for leanprover\/lean4:v4\.28\.0 in .*docs\/search\.md/);
  }));
});

// The official MCP Inspector's CLI against the binary, in both eras.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { describe, test } from 'node:test';
import { binary, cacheFolder, fakeLake, scratchProject, temporaryFolder } from '../support/bridge.mjs';
import { startHttpServer } from '../support/http-server.mjs';

const timeout = 60_000;
const cli = path.join(import.meta.dirname, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');

/** Runs the Inspector: {code, stdout, stderr}. `server` are the binary's own arguments, or the URL where it listens. */
async function inspect(era, options, server = []) {
  // It keeps a catalogue of servers in its home folder.
  const home = temporaryFolder('inspector');
  const args = [cli, '--cli', '--format', 'json', '-q', '--protocol-era', era, ...options, ...(typeof server === 'string' ? ['--transport', 'http', '--server-url', server] : ['--', binary, ...server])];
  const child = spawn(process.execPath, args, { env: { ...process.env, HOME: home }, stdio: ['ignore', 'pipe', 'pipe'], timeout: 45_000 });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', chunk => { text[name] += chunk; });
  const code = await new Promise(resolve => child.once('close', resolve));
  return { code, ...text };
}
const lean = (files = { 'A.lean': 'theorem a : True := by\n  trivial\n' }, scenario) => ['--project-root', scratchProject(files), '--lake', fakeLake(scenario).command];

for (const era of ['legacy', 'modern', 'auto']) {
  describe(era, () => {
    test('tools/list --strict has nothing to say against it', { timeout }, async () => {
      const { code, stdout, stderr } = await inspect(era, ['--method', 'tools/list', '--strict']);
      assert.equal(code, 0, stderr);
      const listed = JSON.parse(stdout);
      assert.ok((listed.tools ?? listed.result.tools).some(tool => tool.name === 'lean_goal'), stdout.slice(0, 300));
      assert.equal(stderr.trim(), '', 'no warning either');
    });
    test('tools/call', { timeout }, async () => {
      const { code, stdout, stderr } = await inspect(era, ['--method', 'tools/call', '--tool-name', 'lean_goal', '--tool-args-json', '{"file_path":"A.lean","line":2,"column":3}'], lean());
      assert.equal(code, 0, stderr);
      assert.ok(stdout.includes('⊢ trivial'), stdout);
    });
    test('tools/call with a tool error exits with 5', { timeout }, async () => {
      const { code, stdout, stderr } = await inspect(era, ['--method', 'tools/call', '--tool-name', 'lean_goal', '--tool-args-json', '{"file_path":"No.lean","line":2}'], lean());
      assert.equal(code, 5, stderr);
      assert.ok((stdout + stderr).includes('file_not_found'), stdout + stderr);
    });
  });
}

describe('by URL', () => {
  for (const era of ['legacy', 'modern', 'auto'])
    test(`${era}: tools/list --strict and tools/call`, { timeout }, async () => {
      const server = await startHttpServer(binary, { args: ['serve', '--http', '127.0.0.1:0', ...lean()], env: { ...process.env, LEAN_PROJECT_PATH: '', LEANBRIDGE_CACHE_DIR: cacheFolder() } });
      try {
        const listed = await inspect(era, ['--method', 'tools/list', '--strict'], server.url);
        assert.deepEqual([listed.code, listed.stderr.trim()], [0, '']);
        assert.match(listed.stdout, /"lean_goal"/);
        const called = await inspect(era, ['--method', 'tools/call', '--tool-name', 'lean_goal', '--tool-args-json', '{"file_path":"A.lean","line":2,"column":3}'], server.url);
        assert.equal(called.code, 0, called.stderr);
        assert.ok(called.stdout.includes('⊢ trivial'), called.stdout);
      } finally {
        assert.deepEqual(await server.stop(), { code: 0, signal: null });
      }
    });
});

describe('load', () => {
  test('200 calls, 8 at a time, without an error', { timeout }, async () => {
    const { code, stdout, stderr } = await inspect('legacy', ['--method', 'tools/call', '--tool-name', 'lean_goal', '--tool-args-json', '{"file_path":"A.lean","line":2,"column":3}', '--load', '--load-requests', '200', '--load-concurrency', '8'], lean());
    assert.equal(code, 0, stderr);
    assert.match(stdout, /200/);
  });
});

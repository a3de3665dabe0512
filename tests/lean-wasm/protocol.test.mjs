// The watchdog's strictness, and the layout of the toolchain. No worker is started here.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { lake } from '../support/lean-project.mjs';
import { LspClient } from '../support/lsp-client.mjs';

const folder = path.dirname(lake);
const connect = () => new LspClient(lake, ['serve'], { cwd: os.tmpdir() });

describe('the protocol', () => {
  test('something else before `initialize` ends the server', async () => {
    const client = connect();
    client.notify('initialized', {});
    assert.equal((await client.exited).code, 1);
    assert.match(client.stderr, /Watchdog error/);
  });

  test('something else before `initialized` ends the server', async () => {
    const client = connect();
    await client.request('initialize', { capabilities: {} });
    client.notify('textDocument/didClose', { textDocument: { uri: 'file:///x.lean' } });
    assert.equal((await client.exited).code, 1);
  });

  test('a message without params ends the server', async () => {
    const client = connect();
    await client.initialize();
    client.notify('$/lean/plainGoal', undefined);
    assert.equal((await client.exited).code, 1);
    assert.match(client.stderr, /Got invalid JSON-RPC message/);
  });

  test('didOpen without text ends the server', async () => {
    const client = connect();
    await client.initialize();
    client.notify('textDocument/didOpen', { textDocument: { uri: 'file:///x.lean' } });
    assert.equal((await client.exited).code, 1);
  });

  test('the end of the input without shutdown is an error, after it is not', async () => {
    const dropped = connect();
    await dropped.initialize();
    dropped.process.stdin.end();
    assert.equal((await dropped.exited).code, 1);

    const orderly = connect();
    await orderly.initialize();
    await orderly.request('shutdown', null);
    orderly.process.stdin.end();
    assert.equal((await orderly.exited).code, 0);
  });

  test('exit without shutdown is an error', async () => {
    const client = connect();
    await client.initialize();
    client.notify('exit', undefined);
    assert.equal((await client.exited).code, 1);
  });
});

describe('the toolchain', () => {
  test('prepare again changes nothing', () => {
    const stamp = path.join(folder, 'toolchain', 'stamp');
    const before = fs.statSync(stamp).mtimeMs;
    const began = performance.now();
    assert.equal(spawnSync(lake, ['prepare']).status, 0);
    assert.ok(performance.now() - began < 1000);
    assert.equal(fs.statSync(stamp).mtimeMs, before);
  });

  test('without it, lake says what to do', () => {
    const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'leanbridge-bare-'));
    const bare = path.join(copy, 'lean-wasm');
    for (const entry of ['lake', 'lake.mjs', 'lib']) fs.cpSync(path.join(folder, entry), path.join(bare, entry), { recursive: true });
    fs.cpSync(path.join(folder, '..', 'lake'), path.join(copy, 'lake'), { recursive: true });
    fs.symlinkSync(path.join(folder, 'node_modules'), path.join(bare, 'node_modules'));
    const { status, stderr } = spawnSync(path.join(bare, 'lake'), ['serve'], { encoding: 'utf8', cwd: os.tmpdir() });
    assert.equal(status, 1);
    assert.match(stderr, /run `npm ci`/);
    fs.rmSync(copy, { recursive: true });
  });

  test('lake works through a symbolic link and with no node on PATH', () => {
    const link = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'leanbridge-link-')), 'lake');
    fs.symlinkSync(lake, link);
    const { status, stdout } = spawnSync(link, ['--version'], { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } });
    assert.equal(status, 0);
    assert.match(stdout, /^Lake version/);
    fs.rmSync(path.dirname(link), { recursive: true });
  });
});

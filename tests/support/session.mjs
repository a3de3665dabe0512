// One bridge on a copy of a fixture project and a real Lean, shared by the tests of a suite: on the WebAssembly Lean a worker costs
// about 10 s and 2 GB.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { copyProject, realLake, scratchProject, spawnBridge } from './bridge.mjs';
import { lean } from './leans.mjs';
import { descendants } from './processes.mjs';

/** The time limit of one test. */
export const timeout = lean.callMs * 1.5;

/** Why there is no real Lean to test with, or false. */
export const skip = lean.missing;

/**
 * Registers the suite's set-up and tear-down and returns what its tests use. Each `session` test also fails if the server broke
 * the protocol while it ran; a bridge that a test ended is restarted for the next one.
 * @param source  the name of a project in fixtures/projects, or files by their paths
 */
export function sharedSession(source, { args = [], env = {} } = {}) {
  let client;
  let project;
  const start = async () => {
    client = spawnBridge({ project, lake: realLake, args, env, label: 'session' });
    await client.connect();
    await client.listTools();
  };
  before(async () => { project = typeof source === 'string' ? copyProject(source) : scratchProject(source); await start(); }, { timeout });
  after(async () => { try { if (!client.exit) await client.close({ timeoutMs: 8000 }); } finally { await client.destroy(); } }, { timeout });

  const file = name => path.join(project, name);
  const read = name => fs.readFileSync(file(name), 'utf8');
  const ask = async (tool, toolArgs, options) => {
    const answer = await client.call(tool, toolArgs, { timeoutMs: lean.callMs, ...options });
    assert.ok(answer.structured, `${tool} ${JSON.stringify(toolArgs)}: ${JSON.stringify(answer.error)}${client.tail(4)}`);
    return answer.structured;
  };
  /** Arguments for a position: 1-based line and column (in code points) of the nth `needle` after the text `from`. */
  const locate = (name, needle, { from = '', nth = 1, end = false } = {}) => {
    const text = read(name).replaceAll('\r\n', '\n');
    let index = text.indexOf(from);
    assert.ok(index >= 0, `${name} holds ${from}`);
    for (let i = 0; i < nth; i++) index = text.indexOf(needle, index + (i > 0 ? 1 : 0));
    assert.ok(index >= 0, `${name} holds ${needle} after ${from}`);
    const until = text.slice(0, index + (end ? needle.length : 0)).split('\n');
    return { file_path: name, line: until.length, column: [...until.at(-1)].length + 1 };
  };

  return {
    get client() { return client; },
    start, file, read, ask, locate,
    edit(name, from, to) {
      const text = read(name);
      assert.ok(text.includes(from), `${name} holds ${JSON.stringify(from)}`);
      fs.writeFileSync(file(name), text.replace(from, () => to));
    },
    async refused(tool, toolArgs, kind) {
      const { error, structured } = await client.call(tool, toolArgs, { timeoutMs: lean.callMs });
      assert.equal(error?.kind, kind, JSON.stringify(error ?? structured));
      return error;
    },
    goalAt: async (...where) => (await ask('lean_goal', locate(...where))).goals,
    close: name => ask('lean_close', { file_path: name }),
    /** The worker processes below the bridge, and the process that serves. */
    workers: () => descendants(client.pid).filter(process => /--worker/.test(process.command)),
    server: () => descendants(client.pid)[0],
    session: (name, body, options = {}) => test(name, { timeout, ...options }, async t => {
      if (client.exit) await start();
      const seen = client.violations.length;
      try {
        await body(t);
      } catch (error) {
        if (error instanceof Error && !error.message.includes(`pid ${client.pid}`)) error.message += client.tail();
        throw error;
      }
      assert.deepEqual(client.violations.slice(seen), []);
    }),
  };
}

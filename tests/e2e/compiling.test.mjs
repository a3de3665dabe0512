// Without a language server, the compiler is asked for a file's messages, and the answer says so.
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fakeLake, scratchProject, withBridge } from '../support/bridge.mjs';
import { eventually, isAlive } from '../support/processes.mjs';

const timeout = 60_000;
const TEXT = 'theorem a : True := by\n  first\n\ntheorem b : True := by\n  sorry\n\ntheorem 𝔸 : True := trivial\n';
const DIES = [{ on: 'start', do: [{ stderr: 'the server has a bad day\n' }, { exit: 3 }] }];
const message = (line, column, severity, data, more) => ({ severity, data, pos: { line, column }, endPos: { line, column: column + 1 }, ...more });
const MESSAGES = [message(2, 2, 'error', 'first is wrong'), message(4, 8, 'warning', 'declaration uses `sorry`'), message(5, 2, 'information', 'silent', { isSilent: true }), message(7, 2, 'information', 'second')];
const WORKS = { messages: MESSAGES, exit: 1, stderr: '' };

/** A bridge whose lake has no server but this compiler; `body` gets (ask, lake, client). */
const on = (compile, body, { rules = DIES, text = TEXT } = {}) => {
  const lake = fakeLake({ rules, compile });
  return withBridge({ project: scratchProject({ 'A.lean': text }), lake: lake.command, close: { timeoutMs: 8000 } }, client => {
    const ask = async (tool, args = {}) => {
      const answer = await client.call(tool, { file_path: 'A.lean', ...args }, { timeoutMs: 20_000 });
      assert.ok(answer.structured, JSON.stringify(answer.error));
      return answer.structured;
    };
    return body(ask, lake, client);
  });
};
const compiled = lake => lake.log().filter(({ event }) => event === 'compile');
const lines = answer => answer.items.map(item => [item.severity, item.line, item.column, item.message]);

describe('a server that does not come up', () => {
  test('the messages are those of the compiler, and named so', { timeout }, () => on(WORKS, async (ask, lake) => {
    const answer = await ask('lean_diagnostic_messages');
    assert.deepEqual(lines(answer), [['error', 2, 3, 'first is wrong'], ['warning', 4, 9, 'declaration uses `sorry`'], ['info', 7, 3, 'second']]);
    assert.deepEqual([answer.success, answer.partial, answer.timed_out, answer.version, answer.fallback_for], [false, false, false, null, 'lean_server']);
    assert.deepEqual(answer.failed_dependencies, []);
    assert.equal(answer.fallback.command, 'lake env lean --json');
    assert.match(answer.fallback.reason, /the server has a bad day/);
    assert.deepEqual(compiled(lake)[0].args.slice(0, 3), ['env', 'lean', '--json']);
    assert.equal(path.basename(compiled(lake)[0].args[3]), 'A.lean');
  }));
  test('only some lines, a declaration, a severity; wrong ones', { timeout }, () => on(WORKS, async (ask, _, client) => {
    const one = await ask('lean_diagnostic_messages', { start_line: 4, end_line: 6 });
    assert.deepEqual([lines(one).length, one.success], [1, true]);
    assert.deepEqual(lines(await ask('lean_diagnostic_messages', { declaration_name: 'b' })).map(([, line]) => line), [4]);
    assert.deepEqual(lines(await ask('lean_diagnostic_messages', { severity: 'info' })).map(([, line]) => line), [7]);
    for (const args of [{ start_line: 100 }, { declaration_name: 'nothing' }])
      assert.equal((await client.call('lean_diagnostic_messages', { file_path: 'A.lean', ...args })).error?.kind, 'invalid_argument');
    assert.equal((await client.call('lean_diagnostic_messages', { file_path: 'A.lean', interactive: true })).error?.kind, 'lean_unavailable');
  }));
  test('the whole file, and a place in it: no goals are made up', { timeout }, () => on(WORKS, async (ask, _, client) => {
    const all = await ask('lean_check_all');
    assert.deepEqual([all.success, all.state, all.error_count, all.warning_count, all.sorry_count, all.fallback_for], [false, 'error', 1, 1, 1, 'lean_server']);
    assert.deepEqual(all.unfinished, [{ line: 1, declaration: 'a', reason: 'error' }, { line: 5, declaration: 'b', reason: 'sorry' }]);
    const place = await ask('lean_check', { line: 4 });
    assert.deepEqual([place.goals, place.status, place.line_context, place.items.length], [null, 'unknown', 'theorem b : True := by', 2]);
    assert.equal((await client.call('lean_goal', { file_path: 'A.lean', line: 2 })).error?.kind, 'lean_unavailable', 'goals are the server\'s alone');
    assert.equal((await client.call('lean_check', { file_path: 'A.lean', line: 99 })).error?.kind, 'invalid_argument');
  }));
  test('a file without errors', { timeout }, () => on({ messages: [], exit: 0 }, async ask => {
    const answer = await ask('lean_check_all');
    assert.deepEqual([answer.success, answer.partial, answer.items], [true, false, []]);
  }));
  test('the compiler fails, too: both are named', { timeout }, () => on({ stderr: 'error: bad lakefile', exit: 1 }, async (_, lake, client) => {
    for (const tool of ['lean_diagnostic_messages', 'lean_check_all']) {
      const { error } = await client.call(tool, { file_path: 'A.lean' });
      assert.equal(error?.kind, 'lean_unavailable');
      assert.match(error.message, /the server has a bad day[^]*lake env lean --json[^]*exit code 1: error: bad lakefile/);
    }
    assert.equal(compiled(lake).length, 2);
  }));
  test('the compiler dies halfway: its messages so far, called incomplete', { timeout }, () => on({ messages: [MESSAGES[1]], signal: 'SIGSEGV' }, async ask => {
    const answer = await ask('lean_check_all');
    assert.deepEqual([answer.success, answer.partial, answer.timed_out, answer.items.length], [false, true, false, 1]);
    assert.match(answer.fallback.problem, /exit code 139/);
  }));
  test('an exit code that fits no message is not believed', { timeout }, () => on({ messages: [MESSAGES[3]], stderr: 'killed', exit: 1 }, async ask => {
    const answer = await ask('lean_check_all');
    assert.deepEqual([answer.success, answer.partial], [false, true]);
    assert.match(answer.fallback.problem, /exit code 1: killed/);
  }));
  test('the deadline of the call', { timeout }, () => on({ messages: [MESSAGES[1]], exit: 0, delay_ms: 60_000 }, async ask => {
    const answer = await ask('lean_diagnostic_messages', { timeout_s: 2 });
    assert.deepEqual([answer.success, answer.partial, answer.timed_out, answer.items.length], [false, true, true, 1]);
    assert.deepEqual(answer.still_elaborating_lines, [[1, 8]]);
  }));
  test('the end of the call is the end of the compiler', { timeout }, () => on({ messages: [], exit: 0, delay_ms: 60_000 }, async (_, lake, client) => {
    const ending = new AbortController();
    const call = client.call('lean_check_all', { file_path: 'A.lean', timeout_s: 60 }, { signal: ending.signal, timeoutMs: 20_000 });
    await eventually(() => compiled(lake).length, 10_000, 'a compiler');
    const { pid } = compiled(lake)[0];
    assert.ok(isAlive(pid), 'it is at work');
    ending.abort(new Error('enough'));
    await assert.rejects(call, /enough/);
    await eventually(() => !isAlive(pid), 5000, 'its end');
  }));
});

describe('a server that is there', () => {
  test('a worker that dies each time: after the third death the compiler is asked', { timeout }, () => on(WORKS, async (_, lake, client) => {
    const kinds = [];
    for (let i = 0; i < 4; i++) {
      const answer = await client.call('lean_check_all', { file_path: 'A.lean' }, { timeoutMs: 20_000 });
      kinds.push(answer.error?.kind ?? answer.structured.fallback_for);
    }
    assert.equal(kinds[0], 'worker_crashed');
    assert.equal(kinds.at(-1), 'lean_server', kinds.join(' '));
  }, { rules: [{ on: 'textDocument/didOpen', do: [{ after: { ms: 50, do: [{ crash_worker: true }] } }] }] }));
  test('a working server needs no fallback', { timeout }, () => on(WORKS, async (ask, lake) => {
    assert.equal((await ask('lean_check_all')).fallback_for, undefined);
    assert.equal(compiled(lake).length, 0);
  }, { rules: [] }));
});

// What Lean does wrong, and what the caller is told: one scenario of the fake lake per test.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fakeLake, scratchProject, temporaryFolder, withBridge } from '../support/bridge.mjs';
import { eventually, takesLessThan } from '../support/processes.mjs';

const timeout = 90_000;
const TEXT = 'theorem a : True := by\n  first\n  second\n';
const at = (line, more = {}) => ({ file_path: 'A.lean', line, column: 3, ...more });
const all = (more = {}) => ({ file_path: 'A.lean', ...more });

/** A bridge on a scratch project and the given scenario. `body` gets (client, lake, edit). */
const on = (scenario, body, { text = TEXT, ...options } = {}) => {
  const lake = typeof scenario === 'string' && path.isAbsolute(scenario) ? { command: scenario } : fakeLake(scenario);
  const project = scratchProject({ 'A.lean': text });
  const edit = newText => fs.writeFileSync(path.join(project, 'A.lean'), newText);
  return withBridge({ project, lake: lake.command, close: { timeoutMs: 8000 }, ...options }, client => body(client, lake, edit, project));
};
const goals = async (client, line = 2, more) => {
  const answer = await client.call('lean_goal', at(line, more), { timeoutMs: 20_000 });
  assert.ok(answer.structured, JSON.stringify(answer.error));
  return answer.structured.goals;
};
const fails = async (client, kind, tool = 'lean_goal', args = at(2), timeoutMs = 10_000) => {
  const { error, ms } = await client.call(tool, args, { timeoutMs });
  assert.equal(error?.kind, kind, JSON.stringify(error));
  assert.ok(error.message.length > 10 && error.hint?.length > 10, `a message and a hint: ${JSON.stringify(error)}`);
  return { ...error, text: `${error.message} ${error.hint}`, ms };
};

describe('a Lean that does not come up is lean_unavailable', () => {
  test('no --lake and none on PATH: it says what to install', { timeout }, () => withBridge({ project: scratchProject({ 'A.lean': TEXT }), env: { PATH: '/nowhere', HOME: '/nowhere' } }, async client => {
    assert.match((await fails(client, 'lean_unavailable')).text, /elan/);
  }));
  test('a file that cannot be executed', { timeout }, () => {
    const file = path.join(temporaryFolder('lake'), 'lake');
    fs.writeFileSync(file, 'not a program', { mode: 0o644 });
    return on(file, client => fails(client, 'lean_unavailable'));
  });
  test('exits at once: its last words are quoted', { timeout }, () => on('exits-at-once', async client => {
    const error = await fails(client, 'lean_unavailable');
    assert.match(error.text, /toolchain 'leanprover\/lean4:v9\.9\.9' is not installed/);
    assert.ok(error.ms < 5000, `${error.ms} ms: its end is noticed, not timed out`);
  }));
  test('exits at once: it is not started again and again', { timeout }, () => on('exits-at-once', async (client, lake) => {
    for (let i = 0; i < 10; i++) await fails(client, 'lean_unavailable');
    assert.ok(lake.starts().length <= 11, `${lake.starts().length} starts for 10 calls`);
  }));
  test('prints text, and never speaks: the error comes within the deadline and quotes it', { timeout }, () => on({
    about: 'text, and no server', rules: [{ on: 'start', do: [{ stderr: 'note: running a wrapper script\n' }, { raw: 'Welcome to lake!\nusage: lake [COMMAND]\n\n' }, { hang: true }] }],
  }, async client => {
    const error = await fails(client, 'lean_unavailable', 'lean_goal', at(2, { timeout_s: 2 }), 15_000);
    assert.match(error.text, /Welcome to lake/);
  }));
  test('prints text before it speaks, as hooks of packages do: that is skipped', { timeout }, () => on('garbage-on-stdout', async (client, lake) => {
    assert.deepEqual(await goals(client), ['⊢ first']);
    assert.equal(lake.starts().length, 1);
  }));
  test('never answers initialize: the error comes within the deadline and quotes stderr', { timeout }, () => on('hangs-before-initialize', async client => {
    const error = await fails(client, 'lean_unavailable', 'lean_diagnostic_messages', all({ timeout_s: 1 }));
    assert.match(error.text, /mathlib: cloning/);
    assert.ok(error.ms < 4000, `${error.ms} ms for timeout_s 1`);
  }));
  test('comes up late: calls wait, with progress, and answer', { timeout }, () => on('answers-initialize-late', async client => {
    const answer = await client.call('lean_goal', at(2), { progress: true });
    assert.deepEqual(answer.structured?.goals, ['⊢ first']);
    assert.ok(answer.progress.length >= 1, 'a wait over 1 s is reported');
  }));
});

describe('a Lean that dies is worker_crashed, and the next call works', () => {
  for (const scenario of ['crashes-on-goal', 'killed-on-goal', 'garbage-in-session', 'closes-stdout']) {
    test(scenario, { timeout }, () => on(scenario, async (client, lake) => {
      await fails(client, 'worker_crashed');
      assert.deepEqual(await goals(client), ['⊢ first']);
      assert.equal(lake.starts().length, 2);
    }));
  }
  test('every waiting call gets the error', { timeout }, () => on('crashes-on-goal', async client => {
    const barrier = client.call('lean_check_all', all());
    await client.call('lean_open', all());
    await fails(client, 'worker_crashed');
    assert.equal((await barrier).error?.kind, 'worker_crashed');
  }, { text: `${TEXT}-- slow 600000\n` }));
  test('a worker that dies each time is not revived for ever', { timeout }, () => on('worker-crashes-each-time', async (client, lake) => {
    for (let i = 0; i < 4; i++) await fails(client, 'worker_crashed');
    const revivals = lake.ofFiles('textDocument/didOpen').length + lake.ofFiles('textDocument/didChange').length;
    assert.ok(revivals <= 5, `${revivals} revivals for 4 calls`);
  }));
  test('a server that dies at every start is given up with an error', { timeout }, () => on('crashes-every-time', async (client, lake) => {
    for (let i = 0; i < 4; i++) {
      const { error } = await client.call('lean_goal', at(2), { timeoutMs: 20_000 });
      assert.ok(['worker_crashed', 'lean_unavailable'].includes(error?.kind), JSON.stringify(error));
      assert.match(`${error.message} ${error.hint}`, /Stack overflow|crash/i);
    }
    assert.ok(lake.starts().length <= 8, `${lake.starts().length} starts for 4 calls`);
  }));
});

describe('a Lean that is silent', () => {
  test('on goals: an error or a partial answer within timeout_s, never "no goals"', { timeout }, () => on('silent-on-goal', async client => {
    const answer = await client.call('lean_goal', at(2, { timeout_s: 1 }), { timeoutMs: 5000 });
    if (answer.error) assert.equal(answer.error.kind, 'timeout');
    else assert.deepEqual([answer.structured.timed_out, answer.structured.status], [true, 'still_elaborating']);
    assert.ok(answer.ms >= 900 && answer.ms < 4000, `${answer.ms} ms for timeout_s 1`);
  }));
  test('the default deadline is --timeout', { timeout }, () => on('silent-on-goal', async client => {
    const answer = await client.call('lean_goal', at(2), { timeoutMs: 8000 });
    assert.ok(answer.error?.kind === 'timeout' || answer.structured?.timed_out, answer.text);
    assert.ok(answer.ms >= 1900, `${answer.ms} ms`);
  }, { args: ['--timeout', '2'] }));
});

describe('bytes and order', () => {
  for (const scenario of ['one-byte-at-a-time', 'many-messages-in-one-write', 'duplicate-answers', 'colliding-ids', 'content-modified', 'rpc-session-lost', 'floods-stderr', 'diagnostics-for-strangers']) {
    test(`${scenario}: every question gets its own right answer`, { timeout }, () => on(scenario, async (client, lake, edit) => {
      assert.deepEqual(await goals(client, 2), ['⊢ first']);
      assert.deepEqual(await goals(client, 3), ['⊢ second']);
      const structured = await client.call('lean_goal', at(3, { format: 'structured' }));
      assert.equal(structured.structured?.goals?.[0].goal, 'second', structured.text);
      edit(TEXT.replace('second', 'edited'));
      assert.deepEqual(await goals(client, 3), ['⊢ edited']);
      assert.equal((await client.call('lean_check_all', all())).structured?.success, true);
      assert.equal(lake.starts().length, 1);
    }));
  }
  test('colliding-ids: each of the server\'s requests is answered once, with its own id', { timeout }, () => on('colliding-ids', async (client, lake) => {
    await goals(client);
    const asked = () => lake.log().filter(entry => entry.event === 'sent' && entry.message.method && 'id' in entry.message).map(entry => JSON.stringify(entry.message.id));
    const answered = () => lake.log().filter(entry => entry.event === 'received' && !entry.message.method).map(entry => JSON.stringify(entry.message.id));
    await eventually(() => answered().length >= asked().length, 3000, 'an answer to every request');
    assert.deepEqual(answered().sort(), asked().sort());
  }));
  test('the answer to a cancelled question is dropped when it comes late', { timeout }, () => on('late-answers', async (client, lake) => {
    const controller = new AbortController();
    const call = client.call('lean_goal', at(2), { signal: controller.signal });
    await eventually(() => lake.received('$/lean/plainGoal').length + lake.received('$/lean/rpc/call').length, 10_000, 'the question at the server');
    controller.abort(new Error('enough'));
    await assert.rejects(call, /enough/);
    assert.deepEqual(await goals(client, 3), ['⊢ second']);
    await eventually(() => lake.log().some(entry => entry.event === 'sent' && entry.message.result?.goals?.[0] === '⊢ first'), 5000, 'the late answer');
    assert.deepEqual(await goals(client, 3), ['⊢ second']);
    assert.deepEqual(client.lateAnswers, []);
  }));
});

describe('diagnostics and progress', () => {
  const items = async (client, more) => {
    const { structured, text } = await client.call('lean_diagnostic_messages', all(more), { timeoutMs: 60_000 });
    assert.ok(structured, text);
    return structured;
  };
  const messages = async (client, more) => (await items(client, more)).items.map(item => item.message);

  test('of an older version never show', { timeout }, () => on('stale-versions', async (client, lake, edit) => {
    assert.deepEqual(await messages(client), ['of the first text']);
    for (let i = 2; i < 6; i++) {
      edit(`theorem a : True := by\n  first -- error: of text ${i}\n`);
      assert.deepEqual(await messages(client), [`of text ${i}`]);
      assert.deepEqual((await client.call('lean_check_all', all())).structured.items.map(item => item.message), [`of text ${i}`]);
    }
  }, { text: 'theorem a : True := by\n  first -- error: of the first text\n' }));
  test('a thousand items are capped, counted and marked as truncated', { timeout }, () => on('many-items', async client => {
    const answer = await client.call('lean_check_all', all());
    assert.equal(answer.structured.error_count, 1000);
    assert.equal(answer.structured.truncated, true);
    assert.equal(answer.structured.total, 1000);
    assert.ok(answer.text.length < 100_000, `${answer.text.length} characters`);
  }));
  test('a failing header is told as an error, and nothing waits', { timeout }, () => on('header-fails', async client => {
    const { structured, ms } = await client.call('lean_check_all', all());
    assert.equal(structured.success, false);
    assert.match(structured.items[0].message, /unknown module prefix/);
    assert.ok(ms < 5000, `${ms} ms`);
    const goal = await client.call('lean_goal', at(2), { timeoutMs: 5000 });
    assert.notEqual(goal.structured?.status, 'proof_complete');
  }));
});

describe('the document at the server follows the disk', () => {
  for (const [name, before, after] of [
    ['text appended', TEXT, `${TEXT}example : 1 = 1 := by\n  third\n`],
    ['a line removed', TEXT, 'theorem a : True := by\n  second\n'],
    ['emptied', TEXT, ''],
    ['filled', '', TEXT],
    ['outside the BMP', 'theorem a : True := by\n  𝔸 😀 x\n', 'theorem a : True := by\n  𝔸 😁 y\n'],
    ['a combining change inside one character', 'theorem a : True := by\n  é\n', 'theorem a : True := by\n  è\n'],
    ['repeated letters', 'theorem a : True := by\n  aaaa\n', 'theorem a : True := by\n  aaaaaa\n'],
    ['CRLF to LF', TEXT.replaceAll('\n', '\r\n'), TEXT],
    ['no newline at the end', TEXT, TEXT.trimEnd()],
  ]) {
    test(`an edit: ${name}`, { timeout }, () => on('well-behaved', async (client, lake, edit) => {
      await client.call('lean_sync', all());
      edit(after);
      await client.call('lean_sync', all());
      await client.call('lean_check_all', all());   // when it answers, the server has read everything before
      const { SmallLean } = await import('../support/small-lean.mjs');
      const mirror = new SmallLean({ send() {}, options: {} });
      for (const method of ['textDocument/didOpen', 'textDocument/didChange']) for (const message of lake.received(method)) mirror.track(message);
      // The server's text after the edits that it was sent, apart from \r, which Lean does not keep.
      assert.equal(mirror.textOf(lake.ofFiles('textDocument/didOpen')[0]).replaceAll('\r\n', '\n'), after.replaceAll('\r\n', '\n'));
    }, { text: before }));
  }
});

describe('a file that is edited while a call waits', () => {
  const heldBarrier = { on: 'textDocument/waitForDiagnostics', times: 1, do: [{ hold: 'barrier' }] };
  /** Starts the call, edits when Lean has been asked `method`, and lets another call bring the edit to Lean. */
  const editWhile = async (client, lake, edit, [tool, args], method, text) => {
    const begun = client.beginCall(tool, args);
    await eventually(() => lake.received(method).length > 0, 10_000, `Lean is asked ${method}`);
    edit(text);
    const second = await client.call(tool, args);
    const first = await begun.answer;
    assert.equal(first.structured?.version, 2, JSON.stringify(first.error));
    return [first.structured, second.structured];
  };

  test('the goal of a line that lies between two changes', { timeout }, () => on({
    rules: [{ on: '$/lean/plainGoal', times: 1, do: [{ hold: 'goal' }] },
      { on: 'textDocument/didChange', do: [{ default: true }, { after: { ms: 100, do: [{ release: { name: 'goal' } }] } }] }],
  }, async (client, lake, edit) => {
    for (const answer of await editWhile(client, lake, edit, ['lean_goal', at(3)], '$/lean/plainGoal', 'theorem a : 200 = 200 := by\n  first\n  second\n  third 200\n'))
      assert.deepEqual([answer.goals, answer.status], [['⊢ second'], 'goals']);
  }, { text: 'theorem a : 10 = 10 := by\n  first\n  second\n  third 10\n' }));
  test('messages below what was the end of the file belong to it', { timeout }, () => on({ rules: [heldBarrier] }, async (client, lake, edit) => {
    for (const answer of await editWhile(client, lake, edit, ['lean_diagnostic_messages', all()], 'textDocument/waitForDiagnostics', `${TEXT}  third\n  fourth -- error: below\n`))
      assert.deepEqual([answer.success, answer.items.map(item => item.message)], [false, ['below']]);
  }));
  for (const [tool, args] of [['lean_diagnostic_messages', all({ start_line: 2, end_line: 3 })], ['lean_check', at(3)]])
    test(`${tool}: lines whose text was replaced are waited for`, { timeout }, () => on({
      rules: [heldBarrier, { on: 'textDocument/didChange', do: [{ diagnostics: { items: [] } }, { progress: { lines: [[2, 5]] } }, { after: { ms: 500, do: [{ default: true }] } }] }],
    }, async (client, lake, edit) => {
      const answers = await editWhile(client, lake, edit, [tool, args], 'textDocument/waitForDiagnostics', 'theorem a : 20 = 20 := by\n  two 20\n  three 20 -- error: wrong\n  four 20\n  five\n');
      for (const answer of answers) assert.deepEqual([answer.partial, answer.items.map(item => item.message)], [false, ['wrong']]);
    }, { text: 'theorem a : 1 = 1 := by\n  two 1\n  three 1\n  four 1\n  five\n' }));
});

// Lean may still be working on what a tactic stands in long after it has shown the goals behind the tactic.
describe('goals of a tactic about which Lean may still have something to say', () => {
  const busy = { on: 'textDocument/didOpen', do: [{ diagnostics: { items: [] } }, { progress: { lines: [[0, 3]] } }] };
  const never = { on: 'textDocument/waitForDiagnostics', do: [{ hold: 'barrier' }] };
  const goal = (text, when, more = []) => ({ on: '$/lean/plainGoal', ...(when && { when }), do: [{ reply: { goals: [text], rendered: text } }, ...more] });
  const before = { 'params.position.character': 2 };
  const failed = { after: { ms: 400, do: [{ diagnostics: { items: [{ line: 1, character: 2, end_character: 7, message: 'it failed' }] } }, { progress: { lines: [[2, 3]] } }] } };

  test('they are told at once, and what is not known is called partial', { timeout }, () => on({ rules: [busy, never, goal('⊢ before', before), goal('⊢ after')] }, async client => {
    await client.call('lean_goal', at(2));
    await takesLessThan(700, async () => {
      const { structured, ms } = await client.call('lean_goal', { file_path: 'A.lean', line: 2 });
      assert.deepEqual([structured.status, structured.goals_before, structured.goals_after, structured.partial], ['goals', ['⊢ before'], ['⊢ after'], true], JSON.stringify(structured));
      return ms;
    });
    const tactic = await client.call('lean_goal', at(2));
    assert.deepEqual([tactic.structured.goals, tactic.structured.partial], [['⊢ before'], false], 'before a tactic, nothing can be missing');
  }));
  test('what Lean reports while it is asked for the goals before the tactic counts', { timeout }, () => on({ rules: [busy, never, { ...goal('⊢ before', before), times: 1 },
    { on: '$/lean/plainGoal', when: before, do: [{ progress: { lines: [[2, 3]] } }, { reply: { goals: ['⊢ before'], rendered: '⊢ before' } }] }, goal('⊢ after')] }, async client => {
    const { structured } = await client.call('lean_goal', { file_path: 'A.lean', line: 2 });
    assert.deepEqual([structured.status, structured.goals_after, structured.partial], ['goals', ['⊢ after'], false], JSON.stringify(structured));
  }));
  test('a tactic that leaves them as they were may have failed: its message is waited for', { timeout }, () => on({ rules: [busy, never, { ...goal('⊢ same', undefined, [failed]), times: 1 }, goal('⊢ same')] }, async client => {
    const { structured } = await client.call('lean_goal', { file_path: 'A.lean', line: 2 });
    assert.deepEqual([structured.status, structured.error?.message, structured.partial], ['error', 'it failed', false], JSON.stringify(structured));
  }));
});

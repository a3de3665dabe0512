// A file whose second declaration sleeps: calls that need not wait for it do not, and those that must wait say what for.
// The order of answers is asserted, not the clock; the bounds are far from both the right and the wrong behaviour.
import assert from 'node:assert/strict';
import { before, describe } from 'node:test';
import { lean } from '../support/leans.mjs';
import { sharedSession, skip } from '../support/session.mjs';

describe('while Basics/Slow.lean sleeps', { skip }, () => {
  const shared = sharedSession('basics');
  const { ask, close, edit, locate, session } = shared;
  const SLOW = 'Basics/Slow.lean';
  const SLEEP_MS = lean.sleepMs;
  const SOON_MS = SLEEP_MS * 0.5;
  const all = (more = {}) => ({ file_path: SLOW, ...more });
  const sleepLine = () => locate(SLOW, 'sleep').line;
  const covers = (ranges, line) => ranges.some(([from, to]) => from <= line && line <= to);
  /** Edits the first theorem, which restarts the sleep below it. */
  let flip = 0;
  const touchFirst = () => (flip++ % 2 ? edit(SLOW, 'exact (hp)', 'exact hp') : edit(SLOW, 'exact hp', 'exact (hp)'));

  before(() => edit(SLOW, 'sleep 8000', `sleep ${SLEEP_MS}`));

  session('after an edit in the first theorem its goal comes before lean_check_all, on the same document', async t => {
    await ask('lean_goal', locate(SLOW, 'exact hp'));
    touchFirst();
    const order = [];
    const check = shared.client.call('lean_check_all', all(), { progress: true, timeoutMs: 120_000 }).then(answer => { order.push('check'); return answer; });
    const goal = await shared.client.call('lean_goal', locate(SLOW, 'exact')).then(answer => { order.push('goal'); return answer; });
    assert.deepEqual(goal.structured.goals, ['p : Prop\nhp : p\n⊢ p']);
    const whole = await check;
    assert.deepEqual(order, ['goal', 'check']);
    assert.equal(whole.structured.success, true);
    t.diagnostic(`goal ${goal.ms} ms, check_all ${whole.ms} ms, ${whole.progress.length} progress notifications`);
    assert.ok(goal.ms < SOON_MS, `${goal.ms} ms; the sleep takes ${SLEEP_MS}`);
    assert.ok(whole.ms > SLEEP_MS * 0.75, `${whole.ms} ms: the whole file was waited for`);
    assert.ok(whole.progress.length >= 2);
  });
  session('cancelling lean_check_all returns at once, and the next question works', async () => {
    touchFirst();
    const controller = new AbortController();
    const started = performance.now();
    const check = shared.client.call('lean_check_all', all(), { signal: controller.signal });
    await ask('lean_goal', locate(SLOW, 'exact'));
    controller.abort(new Error('cancelled by the test'));
    await assert.rejects(check, /cancelled by the test/);
    assert.deepEqual((await ask('lean_goal', locate(SLOW, 'exact'))).goals, ['p : Prop\nhp : p\n⊢ p']);
    assert.ok(performance.now() - started < SLEEP_MS * 0.75, 'nothing of this waits for the sleep');
    assert.deepEqual(shared.client.lateAnswers, [], 'a cancelled call is never answered');
  });
  session('diagnostics with too little time: partial, timed out, the lines, and nothing of an older version', async () => {
    edit(SLOW, 'constructor\n  · exact hp\n', 'constructor\n  · exact wrong\n');
    const before = await ask('lean_diagnostic_messages', all());
    assert.equal(before.success, false);
    assert.deepEqual(before.items.map(item => item.line), [locate(SLOW, 'wrong').line]);
    touchFirst();
    const answer = await ask('lean_diagnostic_messages', all({ timeout_s: 1 }));
    assert.deepEqual([answer.partial, answer.timed_out, answer.success, answer.items], [true, true, false, []]);
    assert.ok(covers(answer.still_elaborating_lines, sleepLine()), JSON.stringify(answer.still_elaborating_lines));
    assert.ok(answer.version > before.version);
    const check = await ask('lean_check_all', all({ timeout_s: 1 }));
    assert.equal(check.success, false);
    assert.ok(check.unfinished.some(({ line }) => line <= sleepLine()), JSON.stringify(check.unfinished));
    const after = await ask('lean_diagnostic_messages', all());
    assert.deepEqual([after.partial, after.items.length], [false, 1]);
    edit(SLOW, 'exact wrong', 'exact hp');
    assert.equal((await ask('lean_check_all', all())).success, true);
  });
  session('several edits one after another: the sleeps that they leave behind hold nothing up', async t => {
    const times = [];
    for (let i = 0; i < 4; i++) {
      touchFirst();
      const { structured, ms } = await shared.client.call('lean_goal', locate(SLOW, 'exact'), { timeoutMs: 30_000 });
      assert.deepEqual(structured?.goals, ['p : Prop\nhp : p\n⊢ p']);
      times.push(ms);
    }
    t.diagnostic(`goals after ${times.join(', ')} ms`);
    assert.ok(Math.max(...times) < SOON_MS, `${times} ms; the sleep takes ${SLEEP_MS}`);
  });
  session('a goal below the sleep waits for as long as it is given', async () => {
    touchFirst();
    const early = await shared.client.call('lean_goal', { ...locate(SLOW, 'trivial'), timeout_s: 1 });
    assert.ok(early.error?.kind === 'timeout' || early.structured?.status === 'still_elaborating', early.text);
    assert.deepEqual((await ask('lean_goal', locate(SLOW, 'trivial'))).goals, ['⊢ True']);
  });
  session('an edit below the sleep does not repeat it', async () => {
    await ask('lean_check_all', all());
    edit(SLOW, '· exact hq', '· exact (hq)');
    const { structured, ms } = await shared.client.call('lean_check_all', all(), { timeoutMs: 60_000 });
    assert.equal(structured.success, true);
    assert.ok(ms < SLEEP_MS * 0.6, `${ms} ms`);
    await close(SLOW);
  });
});

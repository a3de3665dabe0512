// Real processes killed in the middle of a call: the call reports it, the next one works.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { assertGone, eventually } from '../support/processes.mjs';
import { sharedSession, skip } from '../support/session.mjs';

describe('kill -9 in the middle of a call', { skip }, () => {
  const shared = sharedSession('basics');
  const { ask, close, edit, locate, session, workers } = shared;
  const SLOW = 'Basics/Slow.lean';
  let flip = 0;

  /** Starts a check of the sleeping file, kills what `victims` returns once it elaborates, and checks the call's answer. */
  async function killDuringCheck(victims) {
    // Once a goal above the sleep is answered, elaboration has passed the header and the sleep is running.
    await ask('lean_goal', locate(SLOW, 'exact'));
    if (flip++ % 2) edit(SLOW, 'exact (hp)', 'exact hp'); else edit(SLOW, 'exact hp', 'exact (hp)');
    const { answer } = shared.client.beginCall('lean_check_all', { file_path: SLOW }, { timeoutMs: 60_000 });
    await ask('lean_goal', locate(SLOW, 'exact'));
    const killed = victims();
    assert.ok(killed.length > 0 && killed.every(Boolean), 'there is something to kill');
    // All are stopped first, and children killed before their parents: the end of one must not end another before its turn.
    for (const { pid } of killed) process.kill(pid, 'SIGSTOP');
    for (const { pid } of killed.toReversed()) process.kill(pid, 'SIGKILL');
    const { error, structured } = await answer;
    assert.equal(error?.kind, 'worker_crashed', JSON.stringify(error ?? structured));
    assert.ok(error.hint.length > 10);
    await assertGone(killed, 2000, 'after they were killed');
    assert.deepEqual((await ask('lean_goal', locate(SLOW, 'exact'))).goals, ['p : Prop\nhp : p\n⊢ p']);
  }
  /** Every process between the bridge and the workers: the `lake` wrapper, if there is one, and the watchdog. */
  const watchdogs = () => { const below = workers().map(process => process.pid); return shared.client.descendants().filter(process => !below.includes(process.pid) && !below.includes(process.ppid)); };

  session('the worker', () => killDuringCheck(workers));
  session('the watchdog: its workers end as well', async () => {
    const orphans = workers();
    await killDuringCheck(() => { orphans.push(...workers()); return watchdogs(); });
    await assertGone(orphans, 10_000, 'after their watchdog was killed');
  });
  session('both', () => killDuringCheck(() => [...watchdogs(), ...workers()]));
  session('the crash is remembered where it is looked for', async () => {
    assert.match(JSON.stringify(await ask('lean_document_state', { file_path: SLOW })), /crash/i);
  });
  session('other files are not disturbed when one worker dies', async () => {
    const GOALS = 'Basics/Goals.lean';
    await ask('lean_goal', locate(GOALS, 'constructor'));
    const before = workers();
    const slow = before.find(process => process.command.includes('Slow.lean'));
    assert.ok(slow, `workers: ${before.map(process => process.command).join('; ')}`);
    process.kill(slow.pid, 'SIGKILL');
    assert.equal((await ask('lean_goal', locate(GOALS, 'constructor'))).goals.length, 1);
    const survivor = before.find(process => process.command.includes('Goals.lean'));
    assert.ok(workers().some(process => process.pid === survivor.pid), 'its worker is the same');
    await close(GOALS);
    await close(SLOW);
  });
  session('SIGTERM with a document open: no worker survives', async () => {
    await ask('lean_goal', locate('Basics/NoNewline.lean', 'exact'));
    const processes = shared.client.descendants();
    assert.ok(processes.length >= 2);
    const { ms } = await shared.client.kill('SIGTERM', { timeoutMs: 5000 });
    assert.ok(ms < 2000, `${ms} ms`);
  });
  session('SIGKILL of the bridge with a document open: no worker survives', async () => {
    await ask('lean_goal', locate('Basics/NoNewline.lean', 'exact'));
    await eventually(() => workers().length > 0, 5000, 'a worker');
    await shared.client.kill('SIGKILL', { orphansMs: 10_000 });
  });
});

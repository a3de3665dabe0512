// Limits on the number of scratch documents and their cost, on a real Lean.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { notByPosix } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { eventually } from '../support/processes.mjs';
import { sharedSession, skip } from '../support/session.mjs';

const GOALS = 'Basics/Goals.lean';
// An attempt that cannot be stopped makes the others ask for another worker.
const SNIPPETS = ['sleep 60000', 'sleep 60001', 'exact ⟨h.right, h.left⟩'];
// One worker fits, two do not.
const LIMIT_MB = Math.round(lean.workerMB * 1.8);

describe('the memory of scratch documents', { skip }, () => {
  const { ask, locate, refused, session, workers } = sharedSession('basics', { args: ['--max-scratch-workers', '3', '--max-worker-memory', String(LIMIT_MB)] });
  const scratch = async () => (await ask('lean_server_health', {})).projects[0].scratch;
  const processes = () => workers().filter(process => /leanbridge-scratch/.test(process.command));
  const isOpen = worker => worker.open;

  session('where a second worker does not fit in there is one, and it does all the work', async t => {
    const { line } = locate(GOALS, 'constructor', { from: "theorem and_swap'" });
    await ask('lean_goal', { file_path: GOALS, line });
    const [users] = (await ask('lean_document_state', { file_path: GOALS })).workers;
    let most = 0;
    const progress = () => { most = Math.max(most, processes().length); };
    const { items } = await ask('lean_multi_attempt', { file_path: GOALS, line, snippets: SNIPPETS, timeout_s: lean.attemptsS }, { progress });
    const state = await scratch();
    t.diagnostic(`the file's worker has ${users.memory_bytes >> 20} MB; ${processes().length} scratch worker(s): ${JSON.stringify(state)}`);
    assert.deepEqual(items.map(item => [item.timed_out, item.proof_status]), [[true, 'still_elaborating'], [true, 'still_elaborating'], [false, 'proof_complete']]);
    assert.deepEqual([state.max_workers, state.max_memory_bytes], [3, LIMIT_MB * 1024 * 1024]);
    assert.ok(most <= 1 && state.workers.filter(isOpen).length <= 1, `${most} at once; ${JSON.stringify(state)}`);
    assert.deepEqual((await ask('lean_document_state', { file_path: GOALS })).workers.map(worker => worker.pid), [users.pid]);
  });

  session('one that grows above the limit is ended, its call told why, and the file\'s own worker left alone', async () => {
    const before = (await ask('lean_document_state', { file_path: GOALS })).workers.map(worker => worker.pid);
    const grow = 'def grow : Nat → Array ByteArray → IO Unit\n  | 0, all => IO.println all.size\n  | n + 1, all => do\n    IO.sleep 10\n    grow n (all.push (ByteArray.mk (Array.replicate 1000000 n.toUInt8)))\n#eval grow 3000 #[]';
    const { line } = locate(GOALS, 'constructor', { from: "theorem and_swap'" });
    const error = await refused('lean_run_code', { code: grow, timeout_s: 90 }, 'worker_crashed');
    assert.match(error.message, /--max-worker-memory/);
    await eventually(() => processes().length === 0, 10_000, 'the end of the worker');
    assert.deepEqual((await ask('lean_document_state', { file_path: GOALS })).workers.map(worker => worker.pid), before);
    assert.equal((await ask('lean_validate_step', { file_path: GOALS, line, tactic: 'constructor' })).valid, true, 'the next call gets a new one');
  });
});

describe('the memory of the machine', { skip: skip || notByPosix('nobody tells how much is free') }, () => {
  // More than any machine has.
  const { ask, locate, session } = sharedSession('basics', { args: ['--min-free-memory', '16000000'] });

  session('while it is short, idle files are closed, and the answer that reopens one says why', async () => {
    const { line } = locate(GOALS, 'constructor', { from: "theorem and_swap'" });
    assert.equal((await ask('lean_goal', { file_path: GOALS, line })).reopened ?? null, null);
    const open = async () => (await ask('lean_server_health', {})).open_documents;
    await eventually(async () => await open() === 0, 15_000, 'the file is closed');
    assert.match((await ask('lean_goal', { file_path: GOALS, line })).reopened, /memory was short/);
    assert.equal((await ask('lean_goal', { file_path: GOALS, line })).reopened ?? null, null, 'it is said once');
  });
});

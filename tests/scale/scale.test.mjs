// 400 candidates with known verdicts, on one worker, on two, and on every installed engine: the verdicts are the same, each id occurs once, no
// process is left, and nothing is judged twice.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { binary, cacheFolder, realLake, root, scratchProject } from '../support/bridge.mjs';
import { asLines, candidates, expected } from '../support/candidates.mjs';
import { check, startCheck } from '../support/check.mjs';
import { lean } from '../support/leans.mjs';
import { eventually, withEnvironment } from '../support/processes.mjs';
import { randomFrom } from '../support/soak-files.mjs';
import { PATH, python, startSlurm, withoutParallel, withoutRay, withoutSchema, withoutSlurm } from './engines.mjs';

const skip = lean.missing || (lean.kind === 'wasm' ? 'a worker of the WebAssembly Lean takes 10 s and 2 GB' : false);
const timeout = 20 * 60_000;
const COUNT = Number(process.env.LEANBRIDGE_SCALE_CANDIDATES || 400);
const LIST = candidates(COUNT, { timeoutS: 2 });
const WANTED = expected(LIST);

/** A project with items.jsonl and a folder for results. */
function prepared(list = LIST) {
  const cwd = scratchProject();
  fs.writeFileSync(path.join(cwd, 'items.jsonl'), asLines(list));
  fs.mkdirSync(path.join(cwd, 'out'));
  return cwd;
}
const outputs = cwd => fs.readdirSync(path.join(cwd, 'out')).filter(name => name.endsWith('.jsonl')).map(name => path.join('out', name));
/** The merged verdicts; fails if an id occurs twice, in one file or in two. */
async function joined(cwd) {
  const merged = await check(['--merge', ...outputs(cwd)], { cwd });
  assert.equal(merged.code, 0, merged.stderr);
  assert.doesNotMatch(merged.stderr, /came more than once/);
  return merged.verdicts;
}
const environment = mark => ({ ...process.env, PATH, LEANBRIDGE_SCALE_MARK: mark, LEAN_PROJECT_PATH: '', LEAN_LOG_LEVEL: '', LEANBRIDGE_CACHE_DIR: cacheFolder(), LEANBRIDGE_DUMPABLE: '1', LEANBRIDGE: binary });
const nothingLeft = mark => eventually(() => withEnvironment('LEANBRIDGE_SCALE_MARK', mark).length === 0, 20_000, `the end of ${mark}`);
let marks = 0;
const newMark = () => `${process.pid}-${++marks}`;

describe('known candidates', { skip }, () => {
  for (const jobs of [1, 2])
    test(`--jobs ${jobs}`, { timeout }, async t => {
      const cwd = prepared();
      const { code, verdicts, stderr } = await check(['items.jsonl', '--jobs', String(jobs), '--summary', 'json'], { cwd });
      assert.equal(code, 0, stderr);
      assert.deepEqual(verdicts, WANTED);
      t.diagnostic(stderr.trim());
    });

  test('kill -9 of a worker, of lake serve and of itself, at random moments: joined, it is a quiet run', { timeout: 2 * timeout }, async t => {
    // An item that loses three workers is a crash, so few take long, and three workers in a row are never killed soon after each other.
    const list = candidates(Math.ceil(2.5 * COUNT), { timeoutS: 1, mix: { timeout: 2, crash: 2, hidden: 5, sorry: 11, error: 20, ok: 60 } });
    const cwd = prepared(list);
    const out = path.join(cwd, 'out', 'all.jsonl');
    const seed = Number(process.env.LEANBRIDGE_SCALE_SEED || Date.now() % 1e6);
    const random = randomFrom(seed);
    const kills = { worker: 0, server: 0, itself: 0 };
    const ofWorkers = [];
    let runs = 0;
    for (let finished = false; !finished; runs++) {
      assert.ok(runs < 60, 'it gets on');
      const mark = newMark();
      const child = spawn('/bin/sh', ['-c', 'exec "$LEANBRIDGE" check items.jsonl --jobs 2 --resume out/all.jsonl --lake "$0" >> out/all.jsonl', realLake],
        { cwd, env: environment(mark), stdio: ['ignore', 'ignore', 'pipe'] });
      let stderr = '', running = true;
      child.stderr.on('data', chunk => { stderr += chunk; });
      const ended = new Promise(resolve => { child.once('close', code => { running = false; resolve(code); }); });
      for (;;) {
        await Promise.race([ended, sleep(500 + random.below(4500))]);
        if (!running) break;
        const below = withEnvironment('LEANBRIDGE_SCALE_MARK', mark).filter(({ pid }) => pid !== child.pid);
        const workers = below.filter(({ argv }) => argv.includes('--worker'));
        const servers = below.filter(({ pid }) => workers.some(({ ppid }) => ppid === pid));
        const mayLoseWorker = ofWorkers.length < 2 || performance.now() - ofWorkers.at(-2) > 30_000;
        const victims = { worker: mayLoseWorker ? workers : [], server: servers, itself: kills.itself < 12 ? [child] : [] };
        const kind = ['worker', 'worker', 'worker', 'server', 'itself'][random.below(5)];
        if (victims[kind].length === 0) continue;
        kills[kind]++;
        if (kind === 'worker') ofWorkers.push(performance.now());
        try { process.kill(victims[kind][random.below(victims[kind].length)].pid, 'SIGKILL'); } catch { /* it has ended by itself */ }
      }
      const code = await ended;
      finished = code === 0;
      // 3: Lean's server was killed while it started.
      assert.ok([0, 3, null].includes(code), `exit code ${code}: ${stderr}`);
      await nothingLeft(mark);
    }
    const lines = fs.readFileSync(out, 'utf8').split('\n').filter(Boolean);
    assert.deepEqual(await joined(cwd), expected(list));
    assert.equal(lines.length, list.length, 'no id is judged twice');
    t.diagnostic(`${JSON.stringify(kills)} killed, ${runs} runs, ${lines.length} lines for ${list.length} items, seed ${seed}`);
  });

  test('GNU parallel', { timeout, skip: withoutParallel }, async () => {
    const cwd = prepared();
    const mark = newMark();
    const line = `"$LEANBRIDGE" check --shard {}/4 --jobs 1 --lake '${realLake}' --resume out/{}.jsonl items.jsonl >> out/{}.jsonl`;
    const { status, stderr } = spawnSync('parallel', ['--will-cite', '--jobs', '2', line, ':::', '1', '2', '3', '4'], { cwd, encoding: 'utf8', timeout, env: environment(mark) });
    assert.equal(status, 0, stderr);
    assert.deepEqual(await joined(cwd), WANTED);
    await nothingLeft(mark);
  });

  test('a Slurm array of four tasks on two nodes, one of them killed and requeued', { timeout, skip: withoutSlurm }, async t => {
    const cwd = prepared();
    const mark = newMark();
    const slurm = await startSlurm();
    try {
      const script = path.join(root, 'deploy', 'slurm', 'check.sbatch');
      const submitted = slurm.run('sbatch', ['--parsable', '--array=0-3', '--cpus-per-task=1', '--mem=0', '--time=60', '--output=out/log-%a.txt', script, cwd, 'items.jsonl', 'out'],
        { cwd, env: { ...slurm.env, ...environment(mark), SLURM_CONF: slurm.env.SLURM_CONF, LEANBRIDGE: binary, CHECK_OPTIONS: `--lake ${realLake}`, WORKER_MB: '1500' } });
      assert.equal(submitted.status, 0, submitted.stderr + slurm.logs());
      const job = submitted.stdout.trim();
      const file = path.join(cwd, 'out', 'verdicts-0.jsonl');
      const linesOf = () => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
      await eventually(() => linesOf().length > COUNT / 20, 600_000, 'verdicts of the first task');
      const requeued = slurm.run('scontrol', ['requeue', `${job}_0`]);
      assert.equal(requeued.status, 0, requeued.stderr);
      const before = linesOf();
      await eventually(() => slurm.run('squeue', ['-h', '-j', job]).stdout.trim() === '', timeout, 'the end of the array');
      assert.deepEqual(await joined(cwd), WANTED);
      assert.deepEqual(linesOf().slice(0, before.length), before, 'what was there is there');
      t.diagnostic(`${before.length} verdicts before it was requeued, ${linesOf().length} after`);
      await nothingLeft(mark);
    } catch (error) {
      error.message += `\n${slurm.logs()}`;
      throw error;
    } finally {
      await slurm.end();
    }
  });

  test('Ray on one node', { timeout, skip: withoutRay }, async () => {
    const cwd = prepared();
    const mark = newMark();
    // The lake of the tests is not on PATH.
    const wrapper = path.join(cwd, 'leanbridge');
    fs.writeFileSync(wrapper, `#!/bin/sh\nexec '${binary}' "$@" --lake '${realLake}'\n`, { mode: 0o755 });
    const ended = spawnSync(python, [path.join(root, 'deploy', 'ray', 'check.py'), cwd, path.join(cwd, 'items.jsonl'), path.join(cwd, 'out'), '--shards', '4', '--cpus', '1', '--worker-mb', '1000', '--leanbridge', wrapper],
      { cwd, encoding: 'utf8', timeout, env: { ...environment(mark), RAY_USAGE_STATS_ENABLED: '0', RAY_NUM_CPUS: '2', RAY_worker_niceness: '0' } });
    assert.equal(ended.status, 0, ended.stdout + ended.stderr);
    assert.deepEqual(await joined(cwd), WANTED);
    await nothingLeft(mark);
  });
});

describe('input without an end', { skip }, () => {
  test('neither input nor output is held: a reader that stops stops it, and its memory is flat', { timeout }, async t => {
    const { child, text, ended } = startCheck(['-', '--jobs', '1'], { cwd: scratchProject(), input: null });
    child.stdout.removeAllListeners('data');
    child.stdout.pause();
    // Each differs from the one before, or Lean would have nothing to do.
    const line = i => `${JSON.stringify({ id: String(i), code: `theorem t : ${i} + 0 = ${i} := by\n  simp\n-- ${'x'.repeat(20_000)}\n` })}\n`;
    let sent = 0;
    const send = () => { for (; sent < 20_000; sent++) if (!child.stdin.write(line(sent))) { sent++; return child.stdin.once('drain', send); } };
    send();
    await sleep(15_000);
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]);
    t.diagnostic(`${sent} items of 20 KB sent, ${kilobytes} KB resident`);
    assert.ok(sent < 5000, 'it does not read what it cannot judge');
    assert.ok(kilobytes < 120_000, `${kilobytes} KB`);
    child.kill('SIGKILL');
    child.stdout.resume();
    await ended;
    assert.equal(text.stderr, '');
  });
});

describe('manifests', () => {
  test('are valid for the schema of Kubernetes', { timeout, skip: withoutSchema }, () => {
    const folder = path.join(root, 'deploy', 'kubernetes', 'check'), team = path.join(root, 'deploy', 'kubernetes', 'serve');
    const serve = fs.readdirSync(team).filter(name => name.endsWith('.yaml') && name !== 'kustomization.yaml').map(name => path.join(team, name));
    const { status, stdout, stderr } = spawnSync(python, ['-c', `
import sys, yaml, kubernetes_validate
from kubernetes_validate import utils
for name in sys.argv[1:]:
    for manifest in yaml.safe_load_all(open(name)):
        for version in ('1.29', utils.latest_version()):
            kubernetes_validate.validate(manifest, version, strict=True)`, path.join(folder, 'check-job.yaml'), ...serve], { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
    const job = fs.readFileSync(path.join(folder, 'check-job.yaml'), 'utf8');
    const completions = /completions: (\d+)/.exec(job)[1];
    assert.equal(/JOB_COMPLETIONS[^\n]*\n\s+value: "(\d+)"/.exec(job)[1], completions);
    const kustomization = fs.readFileSync(path.join(folder, 'kustomization.yaml'), 'utf8');
    for (const [, file] of kustomization.matchAll(/^ {2}- (\S+\.yaml)$/gm)) assert.ok(fs.existsSync(path.join(folder, file)), file);
  });
});

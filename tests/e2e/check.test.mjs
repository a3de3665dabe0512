// `leanbridge check` and lean_check_batch on a real Lean: what is read, what each verdict means, and what happens when something dies.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { binary, cacheFolder, realLake, scratchProject, temporaryFolder } from '../support/bridge.mjs';
import { asLines, candidates, CRASH, ENDLESS, expected, HIDDEN, RUNAWAY, verdictsIn } from '../support/candidates.mjs';
import { check, reportsIn, startCheck } from '../support/check.mjs';
import { lean } from '../support/leans.mjs';
import { descendants, eventually } from '../support/processes.mjs';
import { sharedSession, skip } from '../support/session.mjs';

const timeout = lean.callMs * 2;
const OK = 'theorem fine : 1 + 1 = 2 := rfl\n';
const WRONG = 'theorem wrong : 1 + 1 = 3 := rfl\n';
const SORRY = 'theorem open_ : 1 + 1 = 3 := sorry\n';
/** Long enough for a busy machine, yet short compared with what it ends. */
const SHORT_S = 2;
const line = (id, code, more = {}) => `${JSON.stringify({ id, code, ...more })}\n`;
const project = () => scratchProject();

describe('items', { skip }, () => {
  test('every form, each judged by its own text', { timeout }, async () => {
    const folder = scratchProject({ 'Proofs/A.lean': OK, 'Proofs/Deep/B.lean': WRONG, 'Proofs/.hidden/C.lean': OK, 'one.lean': SORRY });
    const lines = [
      line('code', OK), JSON.stringify({ id: 7, header: 'import Std.Data.HashMap', body: 'example : (∅ : Std.HashMap Nat Nat) = ∅ := rfl' }), '',
      JSON.stringify({ custom_id: 'kimina', proof: WRONG }), 'not JSON', line('code', WRONG), JSON.stringify({ code: OK }), JSON.stringify({ id: 'none' }),
    ].map(text => text.trimEnd()).join('\n');
    fs.writeFileSync(path.join(folder, 'items.jsonl'), lines);
    const { code, verdicts, reports, stderr } = await check(['items.jsonl', 'Proofs', 'one.lean', '--jobs', '1'], { cwd: folder });
    assert.equal(code, 0, stderr);
    assert.deepEqual(verdicts, {
      code: 'ok', 7: 'ok', kimina: 'error', 'items.jsonl:5': 'invalid', 'items.jsonl:6': 'invalid', 'items.jsonl:7': 'ok', none: 'invalid',
      'Proofs/A.lean': 'ok', 'Proofs/Deep/B.lean': 'error', 'one.lean': 'sorry',
    });
    assert.deepEqual([reports['items.jsonl:5'].line, reports['items.jsonl:5'].reason], [5, 'items.jsonl:5: the line is not JSON']);
    assert.match(reports['items.jsonl:6'].reason, /"code" was used before/);
    assert.equal(reports.none.line, 8);
    assert.equal(reports.kimina.diagnostics[0].line, 1);
    assert.ok(Number.isInteger(reports.code.ms));
    assert.match(stderr, /10 judged: 4 ok, 1 sorry, 2 error, 3 invalid/);
  });
  test('stdin is judged as it comes, while it is still open', { timeout }, async () => {
    const { child, text, ended } = startCheck(['-', '--jobs', '1'], { cwd: project(), input: null });
    child.stdin.write(line('first', OK));
    await eventually(() => text.stdout.includes('"first"'), timeout, 'the first verdict');
    child.stdin.end(line('second', WRONG));
    const { code, stdout } = await ended;
    assert.equal(code, 0);
    assert.deepEqual(verdictsIn(stdout), { first: 'ok', second: 'error' });
    assert.equal(reportsIn(stdout).second.header_reused, true);
  });
  test('a file has the options of its library, and shares a worker with its neighbours', { timeout }, async () => {
    const lakefile = 'name = "p"\n[[lean_lib]]\nname = "Strict"\nleanOptions = { autoImplicit = false }\n[[lean_lib]]\nname = "Loose"\nleanOptions = { autoImplicit = true }\n';
    const bound = 'theorem t (xs : List α) : xs = xs := rfl\n';
    const folder = scratchProject({ 'lakefile.toml': lakefile, 'Strict/A.lean': bound, 'Strict/B.lean': OK, 'Loose/A.lean': bound, 'Loose/B.lean': OK });
    const { verdicts, reports } = await check(['Strict', 'Loose', '--jobs', '1'], { cwd: folder });
    assert.deepEqual(verdicts, { 'Strict/A.lean': 'error', 'Strict/B.lean': 'ok', 'Loose/A.lean': 'ok', 'Loose/B.lean': 'ok' });
    assert.equal(Object.values(reports).filter(report => report.header_reused).length, 2);
  });
});

describe('verdicts', { skip }, () => {
  test('ok means no sorry in any disguise, and that all of it was checked', { timeout }, async () => {
    const items = [
      ...HIDDEN.map((text, i) => [`hidden${i}`, text.replaceAll('NAME', 'h')]),
      ['exit', `${OK}#exit\ntheorem never : 1 = 2 := rfl\n`], ['kernel', 'set_option debug.skipKernelTC true in\ntheorem k : 1 = 1 := rfl\n'],
      ['example', 'set_option warn.sorry false in\nexample : 1 = 2 := sorry\n'], ['guarded', '#guard_msgs (drop error) in\ntheorem g : 1 = 2 := by decide\n'],
      ['honest', `set_option warn.sorry false\n${OK}`], ['word', 'theorem w : "sorry".length = 5 := rfl\n'],
    ];
    const { verdicts, reports } = await check(['-', '--jobs', '1'], { cwd: project(), input: items.map(([id, text]) => line(id, text)).join('') });
    for (const [id] of items.slice(0, HIDDEN.length)) assert.equal(verdicts[id], 'sorry', JSON.stringify(reports[id]));
    for (const id of ['exit', 'kernel', 'example', 'guarded']) assert.ok(verdicts[id] !== 'ok' && reports[id].reason, JSON.stringify(reports[id]));
    assert.deepEqual([verdicts.honest, verdicts.word], ['ok', 'ok']);
    assert.match(reports.hidden0.reason, /contains a sorry, which Lean did not report/);
  });
  test('no candidate sees another', { timeout }, async () => {
    const items = [['declares', 'theorem shared : 1 = 1 := rfl\nattribute [simp] shared\nnotation "⊛" => 1\n'], ['uses', 'theorem user : 1 = 1 := shared\n'], ['notation', 'example : Nat := ⊛\n'],
      ['again', 'theorem shared : 2 = 2 := rfl\n'], ['counts', 'initialize counter : IO.Ref Nat ← IO.mkRef 0\n']];
    const { verdicts } = await check(['-', '--jobs', '1'], { cwd: project(), input: items.map(([id, text]) => line(id, text)).join('') });
    assert.deepEqual([verdicts.declares, verdicts.uses, verdicts.notation, verdicts.again], ['ok', 'error', 'error', 'ok']);
  });
  test('a theorem that is missing or proves something else is an error; axioms and goals are added', { timeout }, async () => {
    const items = [
      line('good', 'namespace N\ntheorem t (p q : Prop) (h : p ↔ q) : p = q := propext h\nend N\n', { theorem: 'N.t', statement: '∀ p q : Prop, (p ↔ q) → p = q' }),
      line('other', 'theorem t : True := trivial\n', { theorem: 't', statement: '1 = 2' }), line('missing', OK, { theorem: 't' }), line('plain', OK),
      line('odd', 'axiom «does not depend on any axioms» : 1 = 2\ntheorem t : 1 = 2 := «does not depend on any axioms»\n'),
      line('stuck', 'theorem s (p q : Prop) (hp : p) : p ∧ q := by\n  constructor\n  · exact hp\n'), line('hole', 'theorem h (p : Prop) (hp : p) : p := by\n  skip\n  sorry\n'),
    ].join('');
    const { verdicts, reports } = await check(['-', '--jobs', '1', '--axioms', '--goals'], { cwd: project(), input: items });
    assert.deepEqual(verdicts, { good: 'ok', other: 'error', missing: 'error', plain: 'ok', odd: 'ok', stuck: 'error', hole: 'sorry' });
    if (lean.everyFileIsModule) assert.deepEqual([reports.good.axioms, reports.plain.axioms], [null, null], JSON.stringify(reports.good));
    else assert.deepEqual([reports.good.axioms, reports.plain.axioms, reports.odd.axioms], [['propext'], [], ['«does not depend on any axioms»']]);
    assert.match(reports.other.reason, /t does not prove the statement/);
    assert.match(reports.missing.reason, /does not declare t/);
    assert.ok(reports.stuck.goals.length >= 1 && reports.stuck.goals.some(goal => goal.includes('⊢ q')), JSON.stringify(reports.stuck));
    assert.ok(reports.hole.goals[0].endsWith('⊢ p'), JSON.stringify(reports.hole));
    assert.equal('axioms' in reports.stuck, false);
  });
  test('a runaway is ended by the next item, which finds the imports loaded', { timeout }, async () => {
    const input = line('warm', OK) + line('endless', RUNAWAY, { timeout_s: SHORT_S }) + line('next', OK) + line('slow', 'theorem s : True := by\n  sleep 60000\n  trivial\n', { timeout_s: SHORT_S }) + line('last', OK);
    const { verdicts, reports, ms } = await check(['-', '--jobs', '1'], { cwd: project(), input });
    assert.deepEqual(verdicts, { warm: 'ok', endless: 'timeout', next: 'ok', slow: 'timeout', last: 'ok' });
    assert.deepEqual(['warm', 'next', 'last'].map(id => reports[id].header_reused), [false, true, true]);
    assert.ok(ms < 60_000, `${ms} ms`);
  });
  test('a crash is the crash of that item alone', { timeout }, async () => {
    const { verdicts } = await check(['-', '--jobs', '1'], { cwd: project(), input: line('before', OK) + line('crash', CRASH) + line('after', OK) });
    assert.deepEqual(verdicts, { before: 'ok', crash: 'crash', after: 'ok' });
  });
  test('memory: a candidate above the limit, and none of its neighbours', { timeout, skip: lean.kind === 'wasm' ? 'its memory grows in other steps' : false }, async () => {
    const grow = 'def grow : Nat → Array (Array Nat) → IO Unit\n  | 0, all => IO.println all.size\n  | n + 1, all => do\n    IO.sleep 50\n    grow n (all.push (Array.replicate 1000000 n))\n#eval grow 300 #[]\n';
    const { verdicts } = await check(['-', '--jobs', '1', '--worker-memory', String(Math.round(lean.workerMB * 2.5))], { cwd: project(), input: line('before', OK) + line('grow', grow) + line('after', OK) });
    assert.deepEqual(verdicts, { before: 'ok', grow: 'memory', after: 'ok' });
  });
});

describe('runs', { skip }, () => {
  const LIST = candidates(24, { seed: 3, timeoutS: SHORT_S });
  const input = asLines(LIST);

  test('known candidates on two workers, in two orders: the same verdicts', { timeout: 3 * timeout }, async t => {
    const forward = await check(['-', '--jobs', '2', '--summary', 'json'], { cwd: project(), input });
    assert.deepEqual(forward.verdicts, expected(LIST));
    t.diagnostic(forward.stderr.trim());
    const backward = await check(['-', '--jobs', '2'], { cwd: project(), input: asLines([...LIST].reverse()) });
    assert.deepEqual(backward.verdicts, expected(LIST));
  });
  test('shards, one of them killed and resumed, are joined to the whole', { timeout: 3 * timeout }, async () => {
    const cwd = project();
    const list = candidates(30, { seed: 5, mix: { sorry: 20, error: 30, ok: 50 } });
    fs.writeFileSync(path.join(cwd, 'items.jsonl'), asLines(list));
    const out = name => path.join(cwd, name);
    const first = startCheck(['items.jsonl', '--shard', '1/2', '--jobs', '1'], { cwd });
    await eventually(() => first.text.stdout.split('\n').length > 4, timeout, 'some verdicts');
    first.child.kill('SIGKILL');
    await first.ended;
    // As after a killed run: the last line may be incomplete.
    const whole = first.text.stdout.slice(0, first.text.stdout.lastIndexOf('\n') + 1);
    fs.writeFileSync(out('1.jsonl'), `${whole}{"id":"ok-1","verd`);
    const before = Object.keys(verdictsIn(whole));
    const append = spawnSync('/bin/sh', ['-c', '"$0" check items.jsonl --shard 1/2 --jobs 1 --resume 1.jsonl --lake "$1" >> 1.jsonl', binary, realLake],
      { cwd, encoding: 'utf8', timeout, env: { ...process.env, LEAN_PROJECT_PATH: '', LEANBRIDGE_CACHE_DIR: cacheFolder() } });
    assert.equal(append.status, 0, append.stderr);
    assert.match(append.stderr, new RegExp(`${before.length} known from an earlier run`));
    const second = await check(['items.jsonl', '--jobs', '1'], { cwd, env: { SLURM_ARRAY_TASK_ID: '1', SLURM_ARRAY_TASK_COUNT: '2', SLURM_ARRAY_TASK_MIN: '0' } });
    fs.writeFileSync(out('2.jsonl'), second.stdout);
    const merged = await check(['--merge', '1.jsonl', '2.jsonl', '1.jsonl'], { cwd });
    assert.equal(merged.code, 0, merged.stderr);
    assert.deepEqual(merged.verdicts, expected(list));
    assert.match(merged.stderr, /ids came more than once, 0 of them with another verdict/);
    assert.match(merged.stderr, /ignored 2 lines that are no verdicts/);
    assert.equal((await check(['--merge', '--strict', '1.jsonl'], { cwd })).code, 1);
  });
  test('SIGTERM: whole lines, exit code 3, and the rest on the next run', { timeout: 2 * timeout }, async () => {
    const cwd = project();
    const list = candidates(60, { seed: 7, mix: { error: 40, ok: 60 } });
    fs.writeFileSync(path.join(cwd, 'items.jsonl'), asLines(list));
    const { child, text, ended } = startCheck(['items.jsonl', '--jobs', '1', '--grace', '5'], { cwd });
    await eventually(() => text.stdout.split('\n').length > 3, timeout, 'some verdicts');
    const below = descendants(child.pid);
    child.kill('SIGTERM');
    const { code, stdout, stderr } = await ended;
    assert.equal(code, 3, stderr);
    assert.match(stderr, /not all items were judged/);
    const first = verdictsIn(stdout);
    assert.ok(Object.keys(first).length < list.length);
    await eventually(() => below.every(({ pid }) => !fs.existsSync(`/proc/${pid}`)), 10_000, 'the end of everything below');
    fs.writeFileSync(path.join(cwd, 'done.jsonl'), stdout);
    const rest = await check(['items.jsonl', '--jobs', '2', '--resume', 'done.jsonl'], { cwd });
    assert.equal(rest.code, 0, rest.stderr);
    for (const id of Object.keys(first)) assert.ok(!(id in rest.verdicts), `${id} was checked again`);
    assert.deepEqual({ ...first, ...rest.verdicts }, expected(list));
  });
  test('kill -9 of a worker and of lake serve changes no verdict', { timeout: 2 * timeout, skip: lean.kind === 'wasm' ? 'each death costs it 10 s' : false }, async () => {
    const list = candidates(60, { seed: 9, mix: { error: 30, sorry: 20, ok: 50 } });
    const { child, text, ended } = startCheck(['-', '--jobs', '2'], { cwd: project(), input: asLines(list) });
    for (const count of [3, 15, 30]) {
      await eventually(() => text.stdout.split('\n').length > count, timeout, `${count} verdicts`);
      const below = descendants(child.pid);
      const workers = below.filter(process => /--worker/.test(process.command));
      const server = below.filter(process => workers.some(worker => worker.ppid === process.pid));
      const victims = count === 15 ? server : workers.slice(0, 1);
      for (const { pid } of victims) try { process.kill(pid, 'SIGKILL'); } catch { /* it has ended by itself */ }
      await sleep(50);
    }
    const { code, stdout, stderr } = await ended;
    assert.equal(code, 0, stderr);
    assert.deepEqual(verdictsIn(stdout), expected(list));
  });
  test('JUnit, the summary, and exit codes', { timeout }, async () => {
    const cwd = project();
    const input_ = line('a<b>', OK) + line('bad', WRONG);
    const strict = await check(['-', '--jobs', '1', '--strict', '--junit', 'report.xml', '--summary', 'json'], { cwd, input: input_ });
    assert.equal(strict.code, 1);
    const summary = JSON.parse(strict.stderr);
    assert.deepEqual([summary.judged, summary.complete, summary.verdicts.ok, summary.verdicts.error, summary.workers, summary.header_loads], [2, true, 1, 1, 1, 1]);
    const xml = fs.readFileSync(path.join(cwd, 'report.xml'), 'utf8');
    assert.match(xml, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuite name="leanbridge check" tests="2" failures="1" errors="0" time="[\d.]+" +>\n/);
    assert.match(xml, /<testcase classname="leanbridge" name="a&lt;b&gt;" time="[\d.]+"\/>\n/);
    assert.ok(xml.endsWith('</testsuite>\n'));
    assert.equal((await check(['-', '--jobs', '1', '--summary', 'none'], { cwd, input: line('ok', OK) })).stderr, '');
  });
  test('on a terminal: a bar while it runs, a line for what is not ok, and a summary', { timeout }, async () => {
    const cwd = project();
    fs.writeFileSync(path.join(cwd, 'items.jsonl'), line('a', OK) + line('b', WRONG) + line('c', `theorem s : True := by\n  sleep 1500\n  trivial\n`));
    const onTerminal = rest => spawnSync('script', ['-qec', `'${binary}' check items.jsonl --jobs 1 --lake '${realLake}' ${rest}`, '/dev/null'],
      { cwd, encoding: 'utf8', timeout, env: { ...process.env, NO_COLOR: '1', LEAN_PROJECT_PATH: '', LEANBRIDGE_CACHE_DIR: cacheFolder() } }).stdout;
    const stdout = onTerminal('> out.jsonl');
    assert.deepEqual(verdictsIn(fs.readFileSync(path.join(cwd, 'out.jsonl'), 'utf8')), { a: 'ok', b: 'error', c: 'ok' });
    assert.match(stdout, /\[#{16}\.{8}\] {2}66 % {2}2\/3/);
    assert.match(stdout, /leanbridge: 3 judged: 2 ok, 1 error/);
    const lines = onTerminal('--json').split('\n').filter(each => each.includes('"verdict"'));
    assert.equal(lines.length, 3);
    for (const each of lines) assert.match(each, /(^|\r\u001b\[K)\{[^\r]*\}\r?$/, 'no bar stands before a verdict');
    fs.mkdirSync(path.join(cwd, 'Proofs'));
    fs.writeFileSync(path.join(cwd, 'Proofs/Good.lean'), OK);
    fs.writeFileSync(path.join(cwd, 'Proofs/Wrong.lean'), `${OK}${WRONG}`);
    fs.writeFileSync(path.join(cwd, 'Proofs/Sorry.lean'), SORRY);
    const shown = (folder, width = 400) => spawnSync('script', ['-qec', `stty cols ${width}; '${binary}' check ${folder} --jobs 1 --lake '${realLake}' 2>/dev/null`, '/dev/null'],
      { cwd, encoding: 'utf8', timeout, env: { ...process.env, NO_COLOR: '1', LEAN_PROJECT_PATH: '', LEANBRIDGE_CACHE_DIR: cacheFolder() } });
    const people = shown('Proofs');
    const seen = people.stdout.trim().split(/\r?\n/);
    assert.deepEqual([people.status, seen.length], [1, 2], 'what is ok has no line, and not all is well');
    assert.match(seen.find(each => each.includes('Wrong')), /^Proofs\/Wrong\.lean:2:\d+: error: wrong: \S/);
    assert.match(seen.find(each => each.includes('Sorry')), /^Proofs\/Sorry\.lean:1:\d+: sorry: open_: declaration uses/);
    assert.ok(!people.stdout.includes('\u001b'), 'NO_COLOR');
    for (const each of shown('Proofs', 40).stdout.trim().split(/\r?\n/)) assert.ok([...each].length <= 40, each);
    fs.rmSync(path.join(cwd, 'Proofs/Wrong.lean'));
    fs.rmSync(path.join(cwd, 'Proofs/Sorry.lean'));
    const good = shown('Proofs');
    assert.deepEqual([good.status, good.stdout], [0, '']);
  });
  test('wrong usage is exit code 2', { timeout }, async () => {
    const cwd = project();
    for (const [args, mention] of [[[], 'INPUT'], [['no.jsonl'], 'no.jsonl'], [['-', '-'], 'twice'], [['-', '--shard', '5/4'], '5/4'], [['-', '--jobs', '0'], '--jobs'], [['-', '--summary', 'xml'], '--summary'],
      [['-', '--junit', '/no/such/folder/x.xml'], '/no/such/folder'], [['.'], 'no .lean file'], [['--merge', 'no.jsonl'], 'no.jsonl']]) {
      const { code, stdout, stderr } = await check(args, { cwd });
      assert.equal(code, 2, `${args}: ${stdout}${stderr}`);
      assert.ok(stderr.includes(mention), stderr);
    }
    const outside = await check(['-'], { cwd: temporaryFolder('none'), input: line('a', OK) });
    assert.equal(outside.code, 2, outside.stderr);
  });
  test('outside of a project: that of the file that is named first', { timeout }, async () => {
    const cwd = project();
    fs.writeFileSync(path.join(cwd, 'Named.lean'), `${OK}\n`);
    const named = await check([path.join(cwd, 'Named.lean')], { cwd: temporaryFolder('none') });
    assert.deepEqual([named.code, Object.values(named.verdicts)], [0, ['ok']], named.stderr);
  });
});

describe('lean_check_batch', { skip }, () => {
  const { ask, refused, session } = sharedSession('basics');

  session('verdicts in the order of the call, with progress', async () => {
    const progress = [];
    const answer = await ask('lean_check_batch', { items: [{ id: 'a', code: OK }, { id: 'b', code: SORRY }, { header: 'import Std.Data.HashMap', body: OK }, { id: 'd', code: HIDDEN[0].replaceAll('NAME', 'h') }], goals: true },
      { progress: notification => progress.push(notification) });
    assert.deepEqual(answer.items.map(item => [item.id, item.verdict]), [['a', 'ok'], ['b', 'sorry'], ['items[2]', 'ok'], ['d', 'sorry']]);
    assert.deepEqual([answer.total, answer.ok_count, answer.unjudged], [4, 2, undefined]);
  });
  session('what there was no time for is named', async () => {
    const answer = await ask('lean_check_batch', { items: [{ id: 'endless', code: ENDLESS }, { id: 'endless too', code: ENDLESS }], timeout_s: lean.kind === 'wasm' ? 20 : 4 });
    assert.deepEqual([answer.items, answer.unjudged, answer.partial, answer.timed_out], [[], ['endless', 'endless too'], true, true]);
    const next = await ask('lean_check_batch', { items: [{ id: 'a', code: OK }] });
    assert.deepEqual(next.items.map(item => item.verdict), ['ok']);
  });
  session('what is no batch is refused, by its place', async () => {
    for (const [items, mention] of [[[], '0 candidates'], [Array.from({ length: 65 }, () => ({ code: OK })), '65 candidates'], [[{ id: 'a' }], 'items[0]'], [[{ code: OK }, { code: 1 }], 'items[1]'],
      [[{ id: 'a', code: OK }, { id: 'a', code: OK }], 'earlier'], [[{ code: OK, colour: 'red' }], 'colour']]) {
      const error = await refused('lean_check_batch', { items }, 'invalid_argument');
      assert.ok(error.message.includes(mention), error.message);
    }
  });
});

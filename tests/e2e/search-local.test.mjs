// The local index: lean_local_search, lean_modules, `index build` and `index status`, on the library of the real Lean.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolder, copyProject, isSanitized, realLake, runBinary, scratchProject, shareIndex, spawnBridge, temporaryFolder, withBridge } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { eventually } from '../support/processes.mjs';
import { skip } from '../support/session.mjs';

// Reading the library takes 14 s of a processor that other suites share, and with a sanitizer ten times as much.
const sanitized = isSanitized();
const [timeout, quick] = sanitized ? [1_800_000, 120_000] : [600_000, 30_000];

shareIndex();
const run = (args, options) => runBinary(args, { timeoutMs: timeout, ...options });

describe('the local index', { skip }, () => {
  let client, project;
  const search = async (query, more = {}) => (await client.call('lean_local_search', { query, ...more })).structured;
  before(async () => {
    project = copyProject('multi');
    fs.writeFileSync(path.join(project, 'Odd.lean'), '/-- Says that frobnication ends. -/\ntheorem «odd name».x₁ (n : Nat) : n = n := rfl\n');
    const { code, stdout, stderr } = await run(['index', 'build', '--json', '--lake', realLake], { cwd: project });
    assert.equal(code, 0, stderr);
    const { parts } = JSON.parse(stdout);
    assert.deepEqual(parts.map(part => part.state), ['ready', 'ready']);
    client = spawnBridge({ project, lake: realLake, args: ['--offline'] });
    await client.connect();
    await client.listTools();
  }, { timeout });
  after(async () => { try { await client?.close(); } finally { await client?.destroy(); } }, { timeout });

  test('names and modules complete an argument that is one', { timeout: quick }, async () => {
    const complete = async value => (await client.request('completion/complete', { ref: { type: 'ref/prompt', name: 'explore' }, argument: { name: 'namespace', value } })).completion;
    const names = await complete('Nat.add_c');
    assert.ok(names.values.includes('Nat.add_comm') && names.values.every(name => /add_c/i.test(name)), names.values.join());
    assert.ok((await complete('Init.Data.')).values.includes('Init.Data.Nat'));
    const many = await complete('Nat.');
    assert.deepEqual([many.values.length, many.hasMore, many.total > 100], [100, true, true]);
  });
  test('a name, with kind, module and type', { timeout: quick }, async () => {
    const { items, complete, index, index_parts: parts } = await search('Nat.add_comm');
    assert.deepEqual([complete, index, parts], [true, 'consulted', undefined]);
    const { name, kind, module, type } = items[0];
    assert.deepEqual({ name, kind, module }, { name: 'Nat.add_comm', kind: 'theorem', module: 'Init.Data.Nat.Basic' });
    assert.match(type, /n \+ m = m \+ n/);
  });
  test('words: Nat.add_comm among the first three', { timeout: quick }, async () => {
    const names = (await search('addition commutative natural numbers')).items.map(item => item.name);
    assert.ok(names.slice(0, 3).includes('Nat.add_comm'), names.join(' '));
  });
  test('a file of the project, relative to it, with its line', { timeout: quick }, async () => {
    const { items } = await search('odd name');
    const item = items.find(one => one.name === '«odd name».x₁');
    assert.equal(item.file, 'Odd.lean');
    assert.equal(item.line, 2);
    assert.equal((await search('frobnication')).items.length, 0, 'one word is a part of a name');
    assert.deepEqual((await search('frobnication')).similar, ['«odd name».x₁']);
  });
  test('a name that does not exist is not confirmed by others', { timeout: quick }, async () => {
    const { items, total } = await search('Nat.add_commutes_really');
    assert.deepEqual(items, []);
    assert.equal(total, 0);
  });
  test('a name that Lean does not know: did you mean', { timeout, skip: sanitized && 'it may take a second, which is too short for a sanitizer' }, async () => {
    const { structured, error } = await client.call('lean_run_code', { code: 'example : 0 ≤ 3 := Nat.zero_leq 3\nexample : 2 + 1 = 1 + 2 := add_comm 2 1\n' }, { timeoutMs: timeout });
    const hints = structured?.diagnostics.map(({ hint }) => hint);
    assert.ok(hints, JSON.stringify(error));
    assert.match(hints[0], /^Did you mean .*\bNat\.zero_le\b/);
    assert.match(hints[1], /^Did you mean .*\.add_comm\b/);
    const about = await client.call('lean_about', { file_path: 'Odd.lean', name: 'Nat.zero_leq' }, { timeoutMs: timeout });
    assert.match(about.error.hint, /^Did you mean .*\bNat\.zero_le\b/);
  });
  test('limit, total, truncated, glob', { timeout: quick }, async () => {
    const some = await search('add_comm', { limit: 2 });
    assert.equal(some.items.length, 2);
    assert.ok(some.total > 2 && some.truncated);
    for (const { name } of (await search('Nat.add_*')).items) assert.ok(name.startsWith('Nat.add_'));
  });
  test('a declaration that is written now is found now', { timeout: quick }, async () => {
    fs.writeFileSync(path.join(project, 'New.lean'), 'theorem brandnew_fact : True := trivial\n');
    // The index looks for changes every few seconds.
    const found = async () => { const { items } = await search('brandnew_fact'); return items[0] ?? sleep(200); };
    assert.equal((await eventually(found, 20_000, 'the declaration is found')).name, 'brandnew_fact');
    const hint = async code => (await client.call('lean_run_code', { code }, { timeoutMs: timeout })).structured?.diagnostics[0]?.hint;
    assert.equal(await hint('example : True := brandnew_fact\n'), 'The index has it in New: add `import New`, unless the file has that.');
    assert.match(await hint('example : True := brandnew_facts\n'), /^Did you mean brandnew_fact\?/);
  });
  test('wrong arguments', { timeout: quick }, async () => {
    for (const [args, kind] of [[{ query: '  ' }, 'invalid_argument'], [{ query: 'x', limit: 0 }, 'invalid_argument'], [{ query: 5 }, 'invalid_argument'], [{}, 'invalid_argument'], [{ query: 'x', project_root: '/nowhere' }, undefined]]) {
      const { error } = await client.call('lean_local_search', args);
      assert.ok(error, JSON.stringify(args));
      if (kind) assert.equal(error.kind, kind);
    }
    for (const args of [{ depth: 0 }, { limit: 'many' }, { prefix: 5 }, { nothing: 1 }])
      assert.equal((await client.call('lean_modules', args)).error?.kind, 'invalid_argument', JSON.stringify(args));
    for (const query of ['\u0000', '🙂', '"', 'a"b*', 'x'.repeat(100_000), '«', 'NEAR(a b)', '\\'])
      assert.equal((await client.call('lean_local_search', { query })).error, undefined, query.slice(0, 20));
  });
  test('the tree of modules, and of a namespace', { timeout: quick }, async () => {
    const tree = async args => (await client.call('lean_modules', args)).structured;
    const roots = (await tree({ depth: 1 })).tree.map(node => node.name);
    for (const name of ['Init', 'Std', 'Lean', 'Multi', 'Odd']) assert.ok(roots.includes(name), roots.join(' '));
    const data = await tree({ prefix: 'Init.Data', depth: 1 });
    assert.equal(data.what, 'modules');
    assert.ok(data.tree.some(node => node.name === 'Init.Data.Nat' && node.declarations > 100));
    const namespace = await tree({ prefix: 'Nat', depth: 1, limit: 5 });
    assert.equal(namespace.what, 'namespaces');
    assert.equal(namespace.tree.length, 5);
    assert.equal(namespace.truncated, true);
    assert.deepEqual((await tree({ prefix: 'No.Such.Thing' })).tree, []);
  });
  test('types by a pattern, up to notation, instances, names of variables and hypotheses', { timeout: quick }, async () => {
    const find = async args => (await client.call('lean_theorem_search', { sources: ['local'], ...args })).structured.results.map(one => one.name);
    assert.ok((await find({ query: 'n - m + m = n', type_pattern: '?n - ?m + ?m = ?n' })).slice(0, 5).includes('Nat.sub_add_cancel'));
    assert.equal((await find({ query: '(x y : Nat) (h : y ≤ x) : x - y + y = x' }))[0], 'Nat.sub_add_cancel');
    assert.ok((await find({ query: 'a b : Nat\n⊢ a + b = b + a' })).slice(0, 3).includes('Nat.add_comm'));
    for (const name of await find({ query: '?a * ?b = ?b * ?a' })) assert.match(name, /comm/, 'patterns filter');
    const loogle = async query => (await client.call('lean_loogle', { query, num_results: 8 })).structured;
    const names = async query => (await loogle(query)).items.map(one => one.name);
    assert.ok((await names('List.length (_ ++ _)')).includes('List.length_append'));
    assert.ok((await names('?a + ?b = ?b + ?a')).includes('Nat.add_comm'));
    for (const name of await names('"comm"')) assert.match(name, /comm/i);
    assert.ok((await names('"comm"')).length > 0);
    assert.ok((await names('"b_add_canc"')).includes('Nat.sub_add_cancel'), 'within words');
    assert.match((await loogle('List.length (List.map _ _) < Nat.gcd _ _')).note, /No type fits/);
  });
  test('a goal at a place: what exact? finds', { timeout: quick, skip: lean.kind === 'wasm' && 'exact? takes longer there' }, async () => {
    fs.writeFileSync(path.join(project, 'Goal.lean'), 'theorem t (n m : Nat) (h : m ≤ n) : n - m + m = n := by\n  skip\n  sorry\n\ntheorem later (n m : Nat) (h : m ≤ n) : n - m + m = n := t n m h\n');
    const at = { goal_at: { file_path: 'Goal.lean', line: 3 } };
    const answer = (await client.call('lean_theorem_search', { sources: ['exact?', 'local'], ...at })).structured;
    const report = answer.sources.find(one => one.source === 'exact?');
    assert.equal(report.status, 'ok', JSON.stringify(report));
    assert.match(report.note, /^exact /);
    assert.equal(answer.results[0].name, 'Nat.sub_add_cancel');
    assert.deepEqual(answer.results[0].sources, ['exact?', 'local']);
    for (const { name } of answer.results) assert.ok(!['t', 'later', 'Unit.ext'].includes(name), `${name} cannot prove it`);
    // What only looks alike is of no use there.
    const snippets = answer.results.slice(0, 8).map(({ name }) => `first | apply ${name} | rw [${name}] | rw [← ${name}]`);
    const { items: attempts } = (await client.call('lean_multi_attempt', { ...at.goal_at, snippets, verbose: true })).structured;
    assert.deepEqual(attempts.filter(each => each.proof_status === 'error').map(each => each.snippet), []);
    assert.match(answer.note, /left out/);
    // Below a binder only simp can use it.
    fs.writeFileSync(path.join(project, 'Binder.lean'), 'theorem b : (fun n : Nat => n + 0) = fun n => n := by\n  skip\n  rfl\n');
    const below = (await client.call('lean_theorem_search', { query: 'Nat.add_zero', sources: ['local'], goal_at: { file_path: 'Binder.lean', line: 2 } })).structured;
    assert.ok(below.results.some(({ name }) => name === 'Nat.add_zero'), JSON.stringify(below));
    const { error } = await client.call('lean_theorem_search', { query: 'Nat.add_comm', sources: ['exact?'] });
    assert.equal(error.kind, 'invalid_argument', 'without a goal there is nothing to close');
  });
  test('several phrasings at once, and who found what', { timeout: quick }, async () => {
    const ask = async args => (await client.call('lean_theorem_search', { sources: ['local'], verbose: false, ...args })).structured;
    const { results } = await ask({ query: 'swapping the summands changes nothing', queries: ['addition commutative natural numbers', 'Nat.add_comm', '?a + ?b = ?b + ?a'] });
    assert.equal(results[0].name, 'Nat.add_comm');
    assert.deepEqual(results[0].found_by, [2, 3, 4]);
    assert.ok(!(await ask({ query: 'Nat.add_comm' })).results.some(result => 'found_by' in result), 'one phrasing alone');
    const alone = await ask({ queries: ['addition commutative natural numbers', 'Nat.add_comm'] });
    assert.equal(alone.results[0].name, 'Nat.add_comm', 'the first may be called no query');
    const { error } = await client.call('lean_theorem_search', { query: 'a', queries: Array(8).fill('b') });
    assert.equal(error.kind, 'invalid_argument');
    assert.match(error.message, /8 queries beside the first/);
  });
  test('index status: readable, and as JSON', { timeout: quick }, async () => {
    const text = await run(['index', 'status', '--lake', realLake], { cwd: project });
    assert.equal(text.code, 0, text.stderr);
    assert.match(text.stdout, /^project +ready +\d+ declarations in \d+ modules/m);
    const { parts } = JSON.parse((await run(['index', 'status', '--json', '--lake', realLake], { cwd: project })).stdout);
    assert.ok(parts[1].declarations > 50_000 && parts[1].bytes > 1e6 && parts[1].database.startsWith(cacheFolder()), JSON.stringify(parts[1]));
    const none = JSON.parse((await run(['index', 'status', '--json', '--lake', realLake, '--cache-dir', temporaryFolder('empty')], { cwd: project })).stdout);
    assert.deepEqual(none.parts.map(part => part.state), ['absent', 'absent']);
  });
  test('index build: nothing to do is quick', { timeout: quick }, async () => {
    assert.equal((await run(['index', 'build', '--lake', realLake], { cwd: project })).code, 0);
  });
  test('index build: no lake is exit code 1, with the project indexed; usage is 2', { timeout: quick }, async () => {
    const small = scratchProject({ 'A.lean': 'theorem a_fact : True := trivial\n' });
    const { code, stdout, stderr } = await run(['index', 'build', '--json', '--lake', '/nowhere/lake'], { cwd: small });
    assert.equal(code, 1);
    assert.ok(stderr.includes('/nowhere/lake'), stderr);
    assert.equal(JSON.parse(stdout).parts[0].declarations, 1);
    for (const args of [['index'], ['index', 'burn'], ['index', 'build', '--colour']]) assert.equal((await run(args, { cwd: small })).code, 2, args.join(' '));
  });
});

// An empty answer means that there is no such name only if `index` is `consulted`.
describe('whether the index was consulted', () => {
  const SMALL = { 'A.lean': 'theorem a_fact : True := trivial\n' };
  const ask = (client, query, more = {}) => client.call('lean_local_search', { query, ...more }, { timeoutMs: 60_000 }).then(({ structured, error }) => { assert.ok(structured, JSON.stringify(error)); return structured; });
  /** A lake that knows where everything is: a toolchain in which `files` are. */
  function lakeWith(files) {
    const folder = temporaryFolder('toolchain');
    for (const name of ['lib/lean', 'src/lean']) fs.mkdirSync(path.join(folder, name), { recursive: true });
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
    const lake = path.join(folder, 'lake');
    fs.writeFileSync(lake, `#!/bin/sh\n[ "$1" = env ] || exit 1\necho LEAN_SYSROOT='${folder}'\necho LEAN_SRC_PATH=.\n`, { mode: 0o755 });
    return lake;
  }
  const states = ({ index_parts: parts }) => parts?.map(({ name, state }) => [name, state]);

  test('consulted: all of it was searched', { timeout: quick }, () => withBridge({ project: scratchProject(SMALL), lake: lakeWith({ 'src/lean/Init.lean': 'theorem b_fact : True := trivial\n' }), args: ['--offline'] }, async client => {
    const none = await ask(client, 'no_such_fact');
    assert.deepEqual([none.index, none.complete, none.items, none.index_parts], ['consulted', true, [], undefined], JSON.stringify(none));
    for (const name of ['a_fact', 'b_fact']) assert.equal((await ask(client, name)).items[0]?.name, name);
  }));
  test('warming: it is being built', { timeout: quick, skip }, () => withBridge({ project: scratchProject(SMALL), lake: realLake, args: ['--offline', '--cache-dir', temporaryFolder('warming')] }, async client => {
    const none = await ask(client, 'no_such_fact', { timeout_s: 2 });
    assert.deepEqual([none.index, none.complete, none.items], ['warming', false, []], JSON.stringify(none));
    assert.ok(none.index_parts.some(({ state }) => state === 'building'), JSON.stringify(none.index_parts));
  }));
  test('error: a part could not be built', { timeout: quick }, () => withBridge({ project: scratchProject(SMALL), lake: lakeWith({}), args: ['--offline'] }, async client => {
    const found = await ask(client, 'a_fact_or_other');
    assert.deepEqual([found.index, found.complete, found.items], ['error', false, []], JSON.stringify(found));
    const [failed] = found.index_parts;
    assert.deepEqual([found.index_parts.length, failed.state], [1, 'failed'], JSON.stringify(found.index_parts));
    assert.ok(failed.problem, 'the reason is told');
    assert.equal((await ask(client, 'a_fact')).items[0]?.name, 'a_fact', 'what there is can be found');
  }));
  test('unavailable: there is no toolchain to index', { timeout: quick }, () => withBridge({ project: scratchProject(SMALL), lake: '/nowhere/lake', args: ['--offline'] }, async client => {
    const found = await ask(client, 'no_such_fact');
    assert.deepEqual([found.index, found.complete, states(found)], ['unavailable', false, [['toolchain', 'absent']]], JSON.stringify(found));
    assert.match(found.index_parts[0].problem, /\/nowhere\/lake/);
    assert.equal((await ask(client, 'a_fact')).items[0]?.name, 'a_fact');
  }));
});

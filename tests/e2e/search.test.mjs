// Theorem search: the local index alone, services that answer, are slow, or fail, and Lean's verdict on the results.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { cacheFolder, copyProject, isSanitized, realLake, runBinary, shareIndex, spawnBridge, temporaryFolder } from '../support/bridge.mjs';
import { fakeSearch } from '../support/fake-search.mjs';
import { lean } from '../support/leans.mjs';
import { skip, timeout } from '../support/session.mjs';

const indexing = isSanitized() ? 900_000 : timeout;   // a sanitizer makes reading a library ten times slower
shareIndex();
const CLOSED = 'http://127.0.0.1:9';          // nothing listens there
const OUT = { LEANBRIDGE_CACHE_DIR: cacheFolder(), LEANEXPLORE_API_KEY: 'a-secret-key', XDG_CONFIG_HOME: temporaryFolder('config') };
const NOWHERE = { environment: Object.fromEntries(['LEANSEARCH_URL', 'LOOGLE_URL', 'LEANEXPLORE_URL', 'LEAN_FINDER_URL', 'LEAN_STATE_SEARCH_URL', 'LEAN_HAMMER_URL'].map(name => [name, CLOSED])) };

const TYPE = '∀ (n m : Nat), n + m = m + n';
const STATEMENT = { id: 7, name: 'Nat.add_comm', module: 'Init.Data.Nat.Basic', docstring: null, source_text: 'theorem Nat.add_comm', source_link: 'https://example.org/Basic.lean#L12', dependencies: '["Nat.add"]', informalization: '**Commutativity.** Sums commute.' };
const BODIES = {
  leansearch: [[{ result: { name: ['Nat', 'add_comm'], module_name: ['Init', 'Data', 'Nat', 'Basic'], kind: 'theorem', type: TYPE, signature: '(n m : Nat) : n + m = m + n', informal_name: 'Commutativity', informal_description: 'Sums commute.' }, distance: 0.1 },
    { result: { name: ['Made', 'up'], module_name: ['Mathlib', 'Nowhere'], kind: 'theorem', type: 'True' }, distance: 0.5 }]],
  loogle: ({ query }) => query.q === 'unknown' ? { error: "unknown identifier 'unknown'", suggestions: ['"unknown"'] } : { header: 'Found 1', heartbeats: 1, count: 1, hits: [{ name: 'Nat.add_comm', type: ' (n m : Nat) : n + m = m + n', module: 'Init.Data.Nat.Basic', doc: null }] },
  leanfinder: { results: [{ formal_name: 'Nat.add_comm', informal_name: 'Commutativity', kind: 'theorem', type: TYPE, informal_description: 'Sums commute.', path: 'Init/Data/Nat/Basic' }] },
  leanexplore: ({ path }) => path.endsWith('/search') ? { query: 'q', results: [STATEMENT], count: 1, processing_time_ms: 3 } : STATEMENT,
  state_search: [{ name: 'Nat.add_zero', formal_type: '∀ (n : Nat), n + 0 = n', module: 'Init.Core', rev: 'v4.22.0' }],
  hammer: [{ score: 0.6, name: 'Nat.add_zero' }],
};

const names = answer => answer.results.map(result => result.name);
const report = (answer, source, instead) => answer.sources.find(each => each.source === source && each.fallback_for === instead);

function bridge(services) {
  let client, project;
  before(async () => {
    project = copyProject('multi');
    client = spawnBridge({ project, lake: realLake, label: 'search', args: services().args, env: { ...OUT, ...services().environment } });
    await client.connect();
    await client.listTools();
  }, { timeout });
  after(async () => { try { await client.close({ timeoutMs: 8000 }); } finally { await client.destroy(); } }, { timeout });
  return {
    get client() { return client; },
    get project() { return project; },
    async ask(tool, args) {
      const answer = await client.call(tool, args, { timeoutMs: lean.callMs });
      assert.ok(answer.structured, `${tool}: ${JSON.stringify(answer.error)}${client.tail(4)}`);
      return answer.structured;
    },
    async refused(tool, args, kind) {
      const answer = await client.call(tool, args, { timeoutMs: lean.callMs });
      assert.equal(answer.error?.kind, kind, JSON.stringify(answer.error ?? answer.structured));
      return answer.error;
    },
  };
}
const run = (args, cwd) => runBinary(args, { cwd, env: { LEAN_LOG_LEVEL: 'error', ...OUT }, timeoutMs: indexing });

before(async () => {
  if (skip) return;
  const built = await run(['index', 'build', '--lake', realLake], copyProject('multi'));
  assert.equal(built.code, 0, built.stderr);
}, { timeout: indexing });

describe('no service can be reached', { skip }, () => {
  const here = bridge(() => NOWHERE);

  test('words find their theorem in the index, which names the source it stands in for', { timeout }, async () => {
    const start = performance.now();
    const query = 'addition commutative natural numbers';
    const answer = await here.ask('lean_theorem_search', { query });
    console.log(`search without services, cold: ${Math.round(performance.now() - start)} ms, ${answer.processing_time_ms} ms inside`);
    assert.ok(names(answer).slice(0, 3).includes('Nat.add_comm'), names(answer).slice(0, 5).join(' '));
    for (const source of ['leansearch', 'leanfinder', 'leanexplore']) {
      assert.equal(report(answer, source).status, 'unavailable', JSON.stringify(answer.sources));
      assert.equal(report(answer, 'local', source).status, 'ok');
    }
    assert.deepEqual(answer.query_forms, { leansearch: query, leanfinder: query, leanexplore: query, 'local:words': query });
    assert.equal(report(answer, 'loogle').status, 'skipped', 'it takes no prose');
    assert.match(answer.results[0].score, /^bm25 [\d.]+, coverage [\d.]+, economy/, 'what the score consists of');
    const again = await here.ask('lean_theorem_search', { query });
    console.log(`search without services, warm: ${again.processing_time_ms} ms inside`);
    assert.deepEqual(names(again), names(answer));
  });
  test('a statement, a name, a glob', { timeout }, async () => {
    const byType = await here.ask('lean_theorem_search', { query: 'a + b = b + (a : Nat)', limit: 5 });
    assert.equal(byType.query_forms.loogle, '(?a : Nat) + ?b = ?b + ?a');
    assert.equal(report(byType, 'local', 'loogle').status, 'ok');
    assert.ok(names(byType).includes('Nat.add_comm'), names(byType).join(' '));
    const byName = await here.ask('lean_theorem_search', { query: 'Nat.add_comm' });
    assert.deepEqual([byName.results[0].name, byName.results[0].confidence, byName.query_kind], ['Nat.add_comm', 1, 'name']);
    const glob = await here.ask('lean_theorem_search', { query: 'Multi.twice_*' });
    assert.deepEqual(names(glob).sort(), ['Multi.twice_add', 'Multi.twice_eq', 'Multi.twice_zero']);
    assert.equal(glob.results[0].location.file_path.startsWith('Multi/'), true);
  });
  test('each tool of one service: the index instead, or why not', { timeout }, async () => {
    for (const [tool, source, query] of [['lean_leansearch', 'leansearch', 'addition commutative'], ['lean_loogle', 'loogle', '_ + _ = _ + _'], ['lean_leanfinder', 'leanfinder', 'addition commutative']]) {
      const answer = await here.ask(tool, { query, num_results: 3 });
      assert.deepEqual([answer.source, typeof answer.cached, answer.fallback_for], ['local', 'boolean', source]);
      assert.ok(answer.items.length > 0 && answer.items.length <= 3, JSON.stringify(answer));
    }
    const explored = await here.ask('lean_explore_search', { query: 'addition commutative', limit: 2 });
    assert.deepEqual([explored.fallback_for, explored.count, 'id' in explored.results[0]], ['leanexplore', 2, false]);
    for (const tool of ['lean_explore_get_by_id', 'lean_explore_get_dependencies']) await here.refused(tool, { group_id: 7 }, 'backend_unavailable');
  });
  test('what a model gets: name, type, module, and the sources on one line', { timeout }, async () => {
    const query = 'addition commutative natural numbers';
    const brief = await here.ask('lean_theorem_search', { query, verbose: false });
    const whole = await here.ask('lean_theorem_search', { query });
    assert.deepEqual(names(brief), names(whole));
    assert.equal(brief.results.length, 8);
    assert.deepEqual(Object.keys(brief).sort(), ['results', 'searched', 'total', 'truncated']);
    assert.equal(brief.searched, 'local only (leansearch unavailable, leanexplore unavailable, leanfinder unavailable)');
    for (const result of brief.results) {
      assert.deepEqual(Object.keys(result).filter(key => !['name', 'type', 'module', 'kind'].includes(key)), []);
      assert.ok(result.kind !== 'theorem' && !/^(:|\([^)]*\) :)/.test(result.type), JSON.stringify(result));
    }
    const bytes = value => Buffer.byteLength(JSON.stringify(value));
    const needed = brief.results.reduce((sum, { name, type, module }) => sum + bytes([name, type, module]), 0);
    console.log(`8 results: ${bytes(brief)} bytes, of which ${needed} are names, types and modules; with verbose ${bytes(whole)}`);
    assert.ok(bytes(brief) < 1.7 * needed + 200);
    assert.doesNotMatch(JSON.stringify(brief), /null/);
    const verified = await here.ask('lean_theorem_search', { query: 'Nat.add_comm', limit: 1, verify: true, verbose: false });
    assert.deepEqual([verified.lean.status, verified.results[0].in_environment], ['ok', true]);
    const one = await here.ask('lean_leansearch', { query: 'addition commutative', verbose: false });
    assert.deepEqual(Object.keys(one).sort(), ['fallback_for', 'items', 'problem', 'source']);
    assert.ok(one.items.some(({ type }) => /^∀ /.test(type)), JSON.stringify(one.items));
    const local = await here.ask('lean_local_search', { query: 'Nat.add_comm', limit: 1, verbose: false });
    assert.doesNotMatch(JSON.stringify(local), /null/);
    assert.deepEqual([local.items[0].type, local.items[0].file.endsWith('Init/Data/Nat/Basic.lean')], ['∀ (n m : Nat), n + m = m + n', true]);
  });
  test('wrong questions', { timeout }, async () => {
    for (const args of [{ query: '' }, { query: ' ' }, { query: 'x', sources: ['moogle'] }, { query: 'x', type_pattern: '' }, { query: 'x', limit: 0 }, { query: 'x', goal_at: { file_path: 'Multi/Base.lean' } }])
      await here.refused('lean_theorem_search', args, 'invalid_argument');
    for (const tool of ['lean_leansearch', 'lean_loogle', 'lean_leanfinder', 'lean_explore_search']) await here.refused(tool, { query: 3 }, 'invalid_argument');
    for (const tool of ['lean_state_search', 'lean_hammer_premise']) await here.refused(tool, { file_path: 'Multi/Base.lean', line: 1, column: 1 }, 'invalid_argument');
  });
  test('Lean says what is there, and its types', { timeout }, async () => {
    const answer = await here.ask('lean_theorem_search', { query: 'Nat.add_comm', limit: 3, verify: true });
    assert.deepEqual([answer.lean.status, answer.results[0].in_environment, answer.results[0].type], ['ok', true, '∀ (n m : Nat), n + m = m + n'], JSON.stringify(answer.lean));
  });
  test('the health of all of it', { timeout }, async () => {
    const health = await here.ask('lean_server_health', {});
    assert.equal(health.backends.leansearch.status, 'down');
    assert.equal(health.backends.leansearch.breaker === 'closed', false);
    assert.ok(health.backends.leansearch.failures.unavailable >= 2);
    assert.match(health.backends.leansearch.last_error, /127\.0\.0\.1:9/);
    assert.equal(typeof health.cache.misses, 'number');
    assert.ok(Object.keys(health.tools.lean_theorem_search.histogram_ms).length > 0);
    assert.ok(!JSON.stringify(health).includes('a-secret-key'));
  });
});

describe('services that answer', { skip }, () => {
  let fake;
  before(async () => { fake = await fakeSearch(Object.fromEntries(Object.entries(BODIES).map(([name, body]) => [name, { body }]))); });
  after(() => fake.close());
  const set = (what, values) => { for (const [name, value] of Object.entries(values)) fake.services[name][what] = value; };
  const asked = name => fake.requests.filter(request => request.service === name);
  const here = bridge(() => fake);

  test('four sources at once: as long as the slowest, then from the cache', { timeout }, async () => {
    set('delay', { leansearch: 50, loogle: 800, leanfinder: 2500, leanexplore: 400 });
    const query = 'commutativity of addition: a + b = b + a';
    const cold = await here.ask('lean_theorem_search', { query });
    let warm = await here.ask('lean_theorem_search', { query });
    // The first scan of the library may still have been running.
    for (let i = 0; i < 10 && !report(warm, 'local').cached; i++) warm = await here.ask('lean_theorem_search', { query });
    console.log(`four sources of 50/800/2500/400 ms: cold ${cold.processing_time_ms} ms, warm ${warm.processing_time_ms} ms inside`);
    set('delay', { leansearch: 0, loogle: 0, leanfinder: 0, leanexplore: 0 });
    assert.ok(cold.processing_time_ms < 3750, `not one after another: ${JSON.stringify(cold.sources)}`);
    assert.equal(cold.results[0].name, 'Nat.add_comm');
    assert.deepEqual(cold.results[0].sources, ['leanexplore', 'leanfinder', 'leansearch', 'local', 'loogle']);
    assert.match(cold.results[0].informal, /commute/);
    for (const source of ['leansearch', 'loogle', 'leanfinder', 'leanexplore', 'local'])
      assert.deepEqual([report(cold, source).status, report(cold, source).cached, report(warm, source).cached], ['ok', false, true], source);
    assert.deepEqual(names(warm), names(cold));
    assert.ok(asked('loogle').some(({ query }) => query.q === '?a + ?b = ?b + ?a'));
  });
  test('the tools of lean-lsp-mcp, field by field', { timeout }, async () => {
    const leansearch = await here.ask('lean_leansearch', { query: 'sums' });
    assert.deepEqual(leansearch.items[0], { name: 'Nat.add_comm', module_name: 'Init.Data.Nat.Basic', kind: 'theorem', type: '∀ (n m : Nat), n + m = m + n' });
    assert.deepEqual([leansearch.source, leansearch.cached, leansearch.fallback_for], ['leansearch', false, undefined]);
    assert.equal((await here.ask('lean_leansearch', { query: 'sums' })).cached, true);
    const loogle = await here.ask('lean_loogle', { query: 'Nat.add' });
    assert.deepEqual([loogle.items[0].name, loogle.items[0].module, loogle.items[0].type.trim()], ['Nat.add_comm', 'Init.Data.Nat.Basic', '(n m : Nat) : n + m = m + n']);
    const error = await here.refused('lean_loogle', { query: 'unknown' }, 'invalid_argument');
    assert.match(JSON.stringify(error), /unknown identifier/);
    const finder = await here.ask('lean_leanfinder', { query: 'sums', version: 'v4.24.0' });
    assert.deepEqual(Object.keys(finder.items[0]).sort(), ['formal_name', 'informal_description', 'informal_name', 'kind', 'path', 'type']);
    assert.match(asked('leanfinder').at(-1).body, /v4\.24\.0/);
    await here.refused('lean_leanfinder', { query: 'sums', version: 'v1' }, 'invalid_argument');
  });
  test('LeanExplore, in its own shapes', { timeout }, async () => {
    const found = await here.ask('lean_explore_search', { query: 'sums', package_filters: ['Init'] });
    assert.deepEqual(Object.keys(found).sort(), ['count', 'packages_applied', 'processing_time_ms', 'query', 'results', 'total_candidates_considered']);
    assert.equal(found.results[0].primary_declaration.lean_name, 'Nat.add_comm');
    assert.equal((await here.ask('lean_explore_get_by_id', { group_id: 7 })).id, 7);
    const rests = await here.ask('lean_explore_get_dependencies', { group_id: 7 });
    assert.deepEqual([rests.source_group_id, rests.citations.map(each => each.primary_declaration.lean_name)], [7, ['Nat.add']]);
    assert.equal(asked('leanexplore')[0].headers.authorization, 'Bearer a-secret-key');
  });
  test('at a goal', { timeout }, async () => {
    const file = path.join(here.project, 'Multi/Goal.lean');
    fs.writeFileSync(file, 'theorem g (n : Nat) : n + 0 = n := by\n  skip\n  rfl\n');
    const place = { file_path: 'Multi/Goal.lean', line: 2, column: 3 };
    for (const tool of ['lean_state_search', 'lean_hammer_premise']) {
      const answer = await here.ask(tool, place);
      assert.deepEqual(answer.items, [{ name: 'Nat.add_zero' }], tool);
    }
    assert.ok(asked('state_search')[0].query.query.includes('⊢ n + 0 = n'));
    const answer = await here.ask('lean_theorem_search', { query: '', goal_at: place, verify: true, sources: ['leansearch', 'state_search', 'hammer'] });
    assert.equal(answer.query_kind, 'goal');
    for (const source of ['state_search', 'hammer']) assert.equal(report(answer, source).status, 'ok', JSON.stringify(answer.sources));
    const made = answer.results.find(result => result.name === 'Made.up');
    assert.deepEqual([answer.lean.status, made.in_environment], ['ok', false], 'asked of Lean, which does not know it');
    assert.equal(answer.results.find(result => result.name === 'Nat.add_zero').in_environment, true);
  });
  test('a service that fails is reported, and another stands in only where that helps', { timeout }, async () => {
    set('status', { leansearch: 503, leanfinder: 500, leanexplore: 401 });
    set('headers', { leansearch: { 'retry-after': '30' } });
    const answer = await here.ask('lean_theorem_search', { query: 'subtraction of natural numbers' });
    assert.deepEqual(['leansearch', 'leanfinder', 'leanexplore'].map(source => report(answer, source).status), ['unavailable', 'server_error', 'auth']);
    assert.ok(report(answer, 'local', 'leansearch'));
    assert.equal(report(answer, 'local', 'leanfinder'), undefined);
    set('status', { leansearch: 200, leanfinder: 200, leanexplore: 200 });
    const before = fake.requests.length;
    const next = await here.ask('lean_leansearch', { query: 'multiplication' });
    assert.deepEqual([next.fallback_for, fake.requests.length], ['leansearch', before], 'Retry-After is obeyed');
  });
});

describe('a service that is silent, and one that is gone', { skip }, () => {
  let fake;
  before(async () => { fake = await fakeSearch({ ...Object.fromEntries(Object.entries(BODIES).map(([name, body]) => [name, { body }])), leanfinder: { hang: true } }); });
  after(() => fake.close());
  const here = bridge(() => ({ environment: { ...fake.environment, LEAN_STATE_SEARCH_URL: '' }, args: ['--patience-s', '0.5'] }));

  test('it does not hold up the answer of the others', { timeout }, async () => {
    const answer = await here.ask('lean_theorem_search', { query: 'commutativity of addition: a + b = b + a' });
    assert.ok(answer.processing_time_ms >= 500 && answer.processing_time_ms < 3000, `${answer.processing_time_ms} ms`);
    assert.deepEqual([report(answer, 'leanfinder').status, report(answer, 'leansearch').status, report(answer, 'local', 'leanfinder').status], ['late', 'ok', 'ok']);
    assert.equal(answer.searched, 'local, leansearch, loogle, leanexplore (leanfinder late)');
    const alone = await here.ask('lean_leanfinder', { query: 'addition commutative' });
    assert.equal(alone.fallback_for, 'leanfinder');
    assert.match(alone.problem, /has not answered yet/);
    fake.services.leanexplore.hang = true;
    const explored = await here.ask('lean_explore_search', { query: 'addition commutative' });
    fake.services.leanexplore.hang = false;
    assert.equal(explored.fallback_for, 'leanexplore');
    assert.ok(explored.processing_time_ms < 3000, `${explored.processing_time_ms} ms`);
  });
  test('a late answer is there for the next search', { timeout }, async () => {
    Object.assign(fake.services.leanfinder, { hang: false, delay: 4000, body: BODIES.leanfinder });
    const args = { query: 'sums of numbers that commute', sources: ['leanfinder'] };
    assert.equal(report(await here.ask('lean_theorem_search', args), 'leanfinder').status, 'late');
    const deadline = Date.now() + 10_000;
    let again;
    do again = report(await here.ask('lean_theorem_search', args), 'leanfinder'); while (again.status === 'late' && Date.now() < deadline);
    assert.deepEqual([again.status, again.count], ['ok', 1]);
    assert.equal(fake.requests.filter(({ service, body }) => service === 'leanfinder' && body.includes(args.query)).length, 1, 'one request');
  });
  test('State Search has been discontinued: the index answers, and says why', { timeout }, async () => {
    fs.writeFileSync(path.join(here.project, 'Multi/Gone.lean'), 'theorem g (n : Nat) : n + 0 = n := by\n  skip\n  rfl\n');
    const answer = await here.ask('lean_state_search', { file_path: 'Multi/Gone.lean', line: 2, column: 3 });
    assert.deepEqual([answer.source, answer.fallback_for], ['local', 'state_search']);
    assert.match(answer.problem, /discontinued/);
    assert.equal(fake.requests.some(({ service }) => service === 'state_search'), false);
  });
});

describe('the command', { skip }, () => {
  const offline = args => run([...args, '--offline', '--lake', realLake], copyProject('multi'));
  test('search: lines, JSON, nothing, usage', { timeout }, async () => {
    const lines = await offline(['search', 'addition commutative natural numbers', '--limit', '3']);
    assert.equal(lines.code, 0, lines.stderr);
    assert.equal(lines.stdout.trimEnd().split('\n').length, 3);
    assert.match(lines.stdout, /^Nat\.add_comm\t.*\tInit\..*\tlocal\t0\.\d+$/m);
    assert.match(lines.stderr, /^leansearch, .*: disabled/m);
    const called = await offline(['call', 'lean_theorem_search', 'query=Nat.add_comm']);
    assert.equal(JSON.parse(called.stdout).searched, 'local only (offline)');
    const json = await offline(['search', 'Nat.add_comm', '--json', '--source', 'local']);
    assert.equal(JSON.parse(json.stdout).results[0].name, 'Nat.add_comm');
    assert.equal((await offline(['search', 'xyzzyqwert'])).code, 1);
    for (const args of [['search'], ['search', ''], ['search', 'x', '--limit', '0'], ['search', 'x', '--source', 'moogle'], ['search', 'x', '--nonsense']])
      assert.equal((await offline(args)).code, 2, args.join(' '));
  });
  test('without the internet, a reason is said once for all services, and not in the log', { timeout }, async () => {
    const env = { ...OUT, ...NOWHERE.environment, LEAN_LOG_LEVEL: 'warning' };
    const { code, stderr } = await runBinary(['search', 'Nat.add_comm', '--lake', realLake], { cwd: copyProject('multi'), env, timeoutMs: indexing });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^leansearch, .*unavailable: Nothing accepts connections at its address, or its proxy refuses them\.$/m);
    assert.equal(stderr.match(/Nothing accepts connections/g).length, 1, stderr);
  });
});

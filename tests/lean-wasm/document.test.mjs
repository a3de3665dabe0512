// One document, one worker: what a client sees while it reads and edits a file.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LspClient } from '../support/lsp-client.mjs';
import { lake, positionOf, TestProject } from '../support/lean-project.mjs';
import { isAlive, processes, until, workersOf } from '../support/processes.mjs';

describe('a document', () => {
  let project, client, uri, text;
  let version = 1;
  const edit = newText => client.change(uri, newText, ++version);
  const at = (needle, offset, inText = text) => ({ textDocument: { uri }, position: positionOf(inText, needle, offset) });

  before(async () => {
    project = new TestProject('basics');
    client = new LspClient(lake, ['serve', '--', '-Dserver.reportDelayMs=0'], { cwd: project.root });
    uri = project.uri('Basics/Steps.lean');
    text = project.read('Basics/Steps.lean');
    const { capabilities } = await client.initialize();
    assert.equal(capabilities.referencesProvider, true);
    client.open(uri, text);
  });
  after(async () => {
    await client.dispose();
    project.remove();
  });

  test('the watcher is registered first, with the real server\'s id', async () => {
    await client.waitFor(message => message.method === 'client/registerCapability');
    assert.equal(client.received[0].id, 'register_lean_watcher');
  });

  test('progress covers the whole file at once', async () => {
    const first = await client.waitFor(message => message.method === '$/lean/fileProgress');
    assert.deepEqual(first.params.processing[0].range.start, { line: 0, character: 0 });
    assert.equal(first.params.processing[0].kind, 1);
  });

  test('a correct file has no diagnostics, and progress ends', async () => {
    assert.deepEqual(await client.check(uri), []);
    await client.waitFor(m => m.method === '$/lean/fileProgress' && m.params.processing.length === 0);
  });

  test('one worker, recognisable by its arguments, which include those after `--`', async () => {
    const pids = workersOf(uri);
    assert.equal(pids.length, 1);
    const { argv } = processes().find(({ pid }) => pid === pids[0]);
    assert.deepEqual(argv.slice(argv.indexOf('--worker')), ['--worker', '-Dserver.reportDelayMs=0', uri]);
  });

  test('goals, term goal, hover', async () => {
    const goal = await client.request('$/lean/plainGoal', at('symm'));
    assert.deepEqual(goal.goals, ['a b : Nat\nh : a = b\n⊢ b = a']);
    const none = await client.request('$/lean/plainGoal', at('  exact h\n\ntheorem semicolons', '  exact h'.length));
    assert.deepEqual(none.goals, []);
    const term = await client.request('$/lean/plainTermGoal', at('Or.inl rfl', 7));
    assert.match(term.goal, /⊢ 0 = 0/);
    const hover = await client.request('textDocument/hover', at('Nat.succ_pos', 5));
    assert.match(hover.contents.value, /Nat\.succ_pos/);
  });

  test('server requests are numbered from 0 by the watchdog', async () => {
    const refresh = await client.waitFor(m => m.id !== undefined && m.method.startsWith('workspace/'));
    const ids = client.received.filter(m => m.id !== undefined && m.method !== 'client/registerCapability').map(m => m.id);
    assert.equal(refresh.id, 0);
    assert.deepEqual(ids, ids.map((_, i) => i));
  });

  test('an edit at the end is checked without the rest', async () => {
    const since = performance.now();
    edit(`${text}\ntheorem wrong : 1 = 2 := rfl\n`);
    const diagnostics = await client.check(uri, version);
    assert.ok(diagnostics.some(({ severity }) => severity === 1));
    assert.ok(performance.now() - since < 4000);
    edit(text);
    assert.deepEqual(await client.check(uri, version), []);
  });

  test('a range edit in UTF-16 units', async () => {
    edit('example : "𝔸𝔹".length = 2 := by decide\n');
    const position = positionOf('example : "𝔸𝔹".length = 2', '2', 0);
    client.notify('textDocument/didChange', {
      textDocument: { uri, version: ++version },
      contentChanges: [{ range: { start: position, end: { ...position, character: position.character + 1 } }, text: '3' }],
    });
    assert.equal((await client.check(uri, version)).filter(({ severity }) => severity === 1).length, 1);
    edit(text);
    assert.deepEqual(await client.check(uri, version), []);
  });

  test('interactive goals through RPC', async () => {
    const { sessionId } = await client.request('$/lean/rpc/connect', { uri });
    const where = at('symm');
    const { goals } = await client.request('$/lean/rpc/call', {
      ...where, sessionId, method: 'Lean.Widget.getInteractiveGoals', params: where,
    });
    assert.equal(goals.length, 1);
    assert.equal(goals[0].hyps.length, 2);
  });

  test('definition, references and rename of a local name in the open file', async () => {
    await client.request('$/lean/waitForILeans', { uri, version });
    const use = at('exact h\n\ntheorem semicolons', 'exact '.length);
    const [definition] = await client.request('textDocument/definition', use);
    assert.equal(definition.targetUri, uri);
    assert.deepEqual(definition.targetSelectionRange.start, positionOf(text, '(h : a = b)', 1));
    const locations = await client.request('textDocument/references', { ...use, context: { includeDeclaration: true } });
    assert.equal(locations.length, 2);
    const { changes } = await client.request('textDocument/rename', { ...use, newName: 'hab' });
    assert.equal(changes[uri].length, 2);
    await assert.rejects(client.request('textDocument/rename', { ...use, newName: 'not a name' }), { code: -32603 });
  });

  test('unknown requests and requests to closed files are refused', async () => {
    await assert.rejects(client.request('$/made/up', {}), { code: -32601 });
    await assert.rejects(client.request('$/made/up', { textDocument: { uri } }), { code: -32601 });
    await assert.rejects(client.request('textDocument/hover', { textDocument: { uri: 'file:///nowhere.lean' }, position: { line: 0, character: 0 } }), { code: -32801 });
  });

  test('a header edit starts another worker and keeps the questions', async () => {
    const [old] = workersOf(uri);
    edit(`import Basics.NoNewline\n${text}`);
    const barrier = client.check(uri, version);
    const goal = client.request('$/lean/plainGoal', at('symm', 0, `import Basics.NoNewline\n${text}`));
    assert.deepEqual(await barrier, []);
    assert.equal((await goal).goals.length, 1);
    const now = workersOf(uri);
    assert.equal(now.length, 1);
    assert.notEqual(now[0], old);
    const building = client.received.filter(m => m.method === 'textDocument/publishDiagnostics' && m.params.diagnostics.some(d => /Basics\.NoNewline/.test(d.message)));
    assert.ok(building.length > 0, 'the import was built with progress shown');
    assert.deepEqual(building[0].params.diagnostics[0].range, { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } });
    assert.equal(building[0].params.diagnostics[0].severity, 3);
  });

  test('a killed worker: pending requests fail, later ones wait for an edit', async () => {
    const broken = `import Basics.NoNewline\n${text}\nexample : True := by\n  sleep 600000\n  trivial\n`;
    edit(broken);
    const pending = client.request('textDocument/waitForDiagnostics', { uri, version });
    await client.request('$/lean/plainGoal', at('symm', 0, broken));
    const since = client.received.length;
    process.kill(workersOf(uri)[0], 'SIGKILL');
    await assert.rejects(pending, { code: -32902 });
    const crash = await client.waitFor(m => m.method === '$/lean/fileProgress' && m.params.processing[0]?.kind === 2, 'fatal progress', since);
    assert.deepEqual(crash.params.processing[0].range.start, { line: 0, character: 0 });

    let answered = false;
    const queued = client.request('$/lean/plainGoal', at('symm', 0, broken)).then(goal => { answered = true; return goal; });
    await client.request('workspace/symbol', { query: 'x' }); // its answer shows that the watchdog has read the previous message
    assert.equal(answered, false);
    assert.deepEqual(workersOf(uri), []);
    edit(`import Basics.NoNewline\n${text}`);
    assert.deepEqual((await queued).goals, ['a b : Nat\nh : a = b\n⊢ b = a']);
    assert.deepEqual(await client.check(uri, version), []);
  });

  test('a stack overflow is a crash, and the next edit a new start', async () => {
    edit('partial def deep (n : Nat) : Nat := 1 + deep (n + 1)\n#eval deep 0\n');
    await assert.rejects(client.check(uri, version), { code: -32902 });
    edit('def sum : List Nat → Nat\n  | [] => 0\n  | x :: xs => x + sum xs\n#eval sum (List.range 5000)\n');
    assert.deepEqual((await client.check(uri, version)).map(({ message }) => message), ['12497500']);
  });

  test('closing answers what is pending, empties the diagnostics and ends the worker', async () => {
    edit(`import Basics.NoNewline\n${text}\nexample : True := by\n  sleep 600000\n  trivial\n`);
    const pending = client.request('textDocument/waitForDiagnostics', { uri, version });
    const rejection = assert.rejects(pending, { code: -32801 });
    const [pid] = workersOf(uri);
    const since = client.received.length;
    client.close(uri);
    await rejection;
    await client.waitFor(m => m.method === 'textDocument/publishDiagnostics' && m.params.diagnostics.length === 0, 'empty diagnostics', since);
    await until(() => !isAlive(pid));
    const late = client.received.length;
    await client.request('workspace/symbol', { query: 'x' });
    assert.equal(client.received.length, late);
  });

  test('shutdown refuses further requests; exit is 0', async () => {
    await client.request('shutdown', null);
    await assert.rejects(client.request('textDocument/hover', at('symm')), { code: -32600 });
    client.notify('exit', undefined);
    assert.deepEqual(await client.exited, { code: 0, signal: null });
  });
});

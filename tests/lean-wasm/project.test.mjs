// Several files that import each other: building on open, staleness, the index.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { LspClient } from '../support/lsp-client.mjs';
import { lake, positionOf, TestProject } from '../support/lean-project.mjs';
import { isAlive, until, workersOf } from '../support/processes.mjs';

describe('a project', () => {
  let project, client, uri, base, text;
  const lemmas = 'Multi/Lemmas.lean';
  const published = (since = 0) => client.received.slice(since)
    .filter(m => m.method === 'textDocument/publishDiagnostics' && m.params.uri === uri).map(m => m.params.diagnostics);

  before(async () => {
    project = new TestProject('multi');
    client = new LspClient(lake, ['serve'], { cwd: project.root });
    uri = project.uri(lemmas);
    base = project.uri('Multi/Base.lean');
    text = project.read(lemmas);
    await client.initialize();
  });
  after(async () => {
    await client.dispose();
    project.remove();
  });

  test('"never" and imports not built: an error at the header, and the requests are answered', async () => {
    client.open(uri, text, 1, { dependencyBuildMode: 'never' });
    const [diagnostic, ...others] = await client.check(uri, 1);
    assert.deepEqual(others, []);
    assert.match(diagnostic.message, /Imports are out of date and must be rebuilt/);
    assert.equal(diagnostic.severity, 1);
    assert.deepEqual(diagnostic.range.start, { line: 0, character: 0 });
    assert.ok(client.progress(uri).some(processing => processing[0]?.kind === 2));
    const goal = await client.request('$/lean/plainGoal', { textDocument: { uri }, position: positionOf(text, 'omega') });
    assert.equal(goal, null);
    client.close(uri);
  });

  test('an import that does not compile: one error with the culprit\'s line', async () => {
    const good = project.read('Multi/Base.lean');
    project.write('Multi/Base.lean', good.replace('n + n', 'n + "n"'));
    client.open(uri, text, 2, { dependencyBuildMode: 'once' });
    const [diagnostic, ...others] = await client.check(uri, 2);
    assert.deepEqual(others, []);
    assert.match(diagnostic.message, /setup-file .*Lemmas\.lean -` failed/);
    assert.match(diagnostic.message, /^error: Multi\/Base\.lean:6:29: /m);
    assert.match(diagnostic.message, /^error: Lean exited with code 1$/m);
    project.write('Multi/Base.lean', good);
    client.close(uri);
  });

  test('opening builds the imports, shows it and clears it', async () => {
    const since = client.received.length;
    client.open(uri, text, 3);
    assert.deepEqual(await client.check(uri, 3), []);
    const sets = published(since);
    const building = sets.findIndex(set => set.some(({ message, severity }) => severity === 3 && /Built Multi\.Base/.test(message)));
    assert.ok(building >= 0);
    assert.ok(sets.slice(building).some(set => set.length === 0));
    assert.ok(fs.existsSync(project.path('.lake/build/lib/lean/Multi/Base.olean')));
    assert.ok(!fs.existsSync(project.path('.lake/build/lib/lean/Multi/Use.olean')), 'only what is imported');
  });

  test('definition in another file, from its .ilean', async () => {
    await client.request('$/lean/waitForILeans', { uri, version: 3 });
    const [link] = await client.request('textDocument/definition', { textDocument: { uri }, position: positionOf(text, 'twice (a + b)', 2) });
    assert.equal(link.targetUri, base);
    assert.deepEqual(link.targetSelectionRange.start, positionOf(project.read('Multi/Base.lean'), 'twice (n', 0));
  });

  test('references and symbols: closed files from the build, the open one live', async () => {
    const use = { textDocument: { uri }, position: positionOf(text, 'twice (a + b)', 2) };
    const all = await client.request('textDocument/references', { ...use, context: { includeDeclaration: true } });
    const count = target => all.filter(location => location.uri === target).length;
    assert.equal(count(base), 2);
    assert.equal(count(uri), 4);
    const usages = await client.request('textDocument/references', { ...use, context: { includeDeclaration: false } });
    assert.equal(usages.length, all.length - 1);

    const symbols = await client.request('workspace/symbol', { query: 'twice_eq' });
    assert.equal(symbols[0].name, 'Multi.twice_eq');
    assert.equal(symbols[0].location.uri, uri);
    assert.deepEqual(await client.request('workspace/symbol', { query: '' }), []);

    client.change(uri, text.replaceAll('twice_eq', 'twice_is'), 4);
    await client.check(uri, 4);
    await client.request('$/lean/waitForILeans', { uri, version: 4 });
    assert.equal((await client.request('workspace/symbol', { query: 'twice_is' }))[0]?.name, 'Multi.twice_is');
    client.change(uri, text, 5);
    await client.check(uri, 5);
    await client.request('$/lean/waitForILeans', { uri, version: 5 });
  });

  test('calls and modules', async () => {
    const [item] = await client.request('textDocument/prepareCallHierarchy', { textDocument: { uri }, position: positionOf(text, 'twice_eq, twice_eq', 1) });
    assert.equal(item.name, 'Multi.twice_eq');
    const incoming = await client.request('callHierarchy/incomingCalls', { item });
    assert.deepEqual(incoming.map(({ from }) => from.name), ['Multi.twice_add']);
    const outgoing = await client.request('callHierarchy/outgoingCalls', { item });
    assert.deepEqual(outgoing.map(({ to }) => to.name), ['Multi.twice']);
    const module = await client.request('$/lean/prepareModuleHierarchy', { textDocument: { uri } });
    assert.equal(module.name, 'Multi.Lemmas');
    const imports = await client.request('$/lean/moduleHierarchy/imports', { module });
    assert.deepEqual(imports.map(entry => entry.module), [{ name: 'Multi.Base', uri: base }]);
  });

  test('saving an import marks the importer stale', async () => {
    const since = client.received.length;
    client.notify('textDocument/didSave', { textDocument: { uri: base } });
    const stale = await client.waitFor(
      m => m.method === 'textDocument/publishDiagnostics' && m.params.diagnostics.some(({ message }) => message.includes('Imports are out of date and should be rebuilt')),
      'the stale import diagnostic', since,
    );
    assert.equal(stale.params.uri, uri);
  });

  test('a second open replaces the worker', async () => {
    const [old] = workersOf(uri);
    client.open(uri, `${text}\nexample : 1 = 2 := rfl\n`, 6);
    const diagnostics = await client.check(uri, 6);
    assert.equal(diagnostics.filter(({ severity }) => severity === 1).length, 1);
    await until(() => !isAlive(old));
    assert.equal(workersOf(uri).length, 1);
  });

  test('a killed watchdog leaves no process, not even one that loops', async () => {
    client.change(uri, `${text}\npartial def spin (n : Nat) : Nat := spin (n + 1)\n#eval spin 0\n`, 7);
    const looping = client.request('textDocument/waitForDiagnostics', { uri, version: 7 }).catch(() => 'ended');
    await client.request('$/lean/plainGoal', { textDocument: { uri }, position: positionOf(text, 'omega') });
    const [worker] = workersOf(uri);
    const killed = performance.now();
    process.kill(client.pid, 'SIGKILL'); // `lake` has replaced itself by Node: the child is the watchdog;
    assert.equal(await looping, 'ended');
    await until(() => !isAlive(worker));
    assert.ok(performance.now() - killed < 5000);
  });

  test('nothing was left in the folder of the user', () => {
    assert.deepEqual(fs.readdirSync(project.root).sort(), ['.lake', 'Multi', 'Multi.lean', 'lake-manifest.json', 'lakefile.toml', 'lean-toolchain']);
  });
});

// How versions of Lean differ, seen by a bare LSP client: the table "Two versions of Lean" in docs/compatibility.md, row by row.
// The expected values are facts of the Lean in use (tests/support/leans.mjs).
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { copyProject, realLake } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { LspClient } from '../support/lsp-client.mjs';
import { skip, timeout } from '../support/session.mjs';

/** The same capabilities that leanbridge announces (src/core/lean/server.cpp). */
const CLIENT = { lean: { silentDiagnosticSupport: true, incrementalDiagnosticSupport: true, rpcWireFormat: 'v1' } };
const { says } = lean;

describe('what this Lean says', { skip }, () => {
  const project = copyProject('basics');
  let lsp, server;
  before(async () => {
    lsp = new LspClient(realLake, ['serve', '--', '-Dserver.reportDelayMs=0'], { cwd: project, deadline: lean.callMs });
    server = await lsp.initialize(CLIENT);
  }, { timeout });
  after(() => lsp.dispose(), { timeout });

  const open = async (name, text = fs.readFileSync(path.join(project, name), 'utf8')) => {
    const uri = pathToFileURL(path.join(project, name)).href;
    lsp.open(uri, text, 1, { dependencyBuildMode: 'never' });
    await lsp.request('textDocument/waitForDiagnostics', { uri, version: 1 });
    const published = lsp.received.filter(({ method, params }) => method === 'textDocument/publishDiagnostics' && params.uri === uri).map(({ params }) => params);
    // Each publication replaces the earlier ones, unless it says that it adds to them.
    const diagnostics = published.reduce((all, { isIncremental, diagnostics: more }) => (isIncremental ? [...all, ...more] : more), []);
    return { uri, text, published, diagnostics };
  };
  const at = ({ uri, text }, needle, from = '') => {
    const before = text.slice(0, text.indexOf(needle, text.indexOf(from))).split('\n');
    return { textDocument: { uri }, position: { line: before.length - 1, character: before.at(-1).length } };
  };

  test('capabilities', { timeout }, () => {
    assert.deepEqual(server.capabilities.experimental.rpcProvider, says.rpcProvider);
    assert.equal('colorProvider' in server.capabilities, says.hasColors);
  });
  test('diagnostics: all again, or what is new', { timeout }, async () => {
    const { published, diagnostics } = await open('Basics/Errors.lean');
    assert.equal(published.some(({ isIncremental }) => isIncremental), says.hasIncrementalDiagnostics);
    assert.equal(diagnostics.length, 10);
    const unused = diagnostics.find(({ tags }) => tags?.includes(1));
    assert.equal(unused.message, says.unusedVariable('n'));
  });
  test('what a linter suggests is a code action', { timeout }, async () => {
    const errors = await open('Basics/Errors.lean');
    const { textDocument, position } = at(errors, 'n : Nat', 'unusedVariable');
    const actions = await lsp.request('textDocument/codeAction', { textDocument, range: { start: position, end: position }, context: { diagnostics: [] } });
    assert.deepEqual(actions.map(action => [action.title, 'data' in action]), says.actionsForUnused);
  });
  test('names of cases', { timeout }, async () => {
    const steps = await open('Basics/Steps.lean');
    const { goals } = await lsp.request('$/lean/plainGoal', at(steps, 'exact Nat.succ_pos k'));
    assert.deepEqual(goals, [`${says.caseOfRight}n k : Nat\n⊢ k + 1 > 0`]);
  });
  test('references in RPC', { timeout }, async () => {
    const goals = await open('Basics/Goals.lean');
    const where = at(goals, 'constructor');
    const { sessionId } = await lsp.request('$/lean/rpc/connect', { uri: goals.uri });
    const answer = await lsp.request('$/lean/rpc/call', { ...where, sessionId, method: 'Lean.Widget.getInteractiveGoals', params: where });
    assert.deepEqual(Object.keys(answer.goals[0].ctx), [says.rpcReference]);
  });
  test('nodes of a trace', { timeout }, async () => {
    const { diagnostics } = await open('Basics/Trace.lean', 'set_option trace.profiler true in set_option trace.profiler.threshold 1 in\ntheorem slow : True := by\n  sleep 50\n  trivial\n');
    const nodes = diagnostics.flatMap(({ message }) => message.split('\n')).filter(line => / sleep 50$/.test(line) && line.includes('[Elab.step]'));
    assert.ok(nodes.length > 0, JSON.stringify(diagnostics));
    for (const node of nodes) assert.match(node.trim(), says.traceNode);
  });
});

// The published records of papers. corpus-live.test.mjs compares them with a real Lean.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fakeLake } from '../support/bridge.mjs';
import { bridgeOnCorpus, EVEN } from '../support/corpus.mjs';

const timeout = 60_000;

describe('published records', () => {
  const { root, ask, refused, paper } = bridgeOnCorpus(fakeLake().command);
  const graph = (id, decl, rest) => ask('get_dependency_graph_for_declaration', { paper_id: id, lean_decl: decl, ...rest });
  const problems = answer => answer.problems?.map(({ file, kind }) => `${file} ${kind}`);

  test('a paper: the manifest, then the cards, as published', { timeout }, async () => {
    const all = await paper('parity_notes');
    assert.deepEqual([all.paper_id, all.total, all.truncated, all.partial, all.error, all.problems], ['parity_notes', 20, false, false, undefined, undefined]);
    assert.deepEqual(all.declarations[0], { lean_decl: 'Parity.Even', source: 'manifest' });
    assert.deepEqual(all.declarations[8], { lean_decl: 'Parity.Even', file_path: EVEN, proof_status: 'machine_checked', claim_id: 'parity_notes_claim_001', source: 'theorem_cards' });
    const once = await paper('parity_notes', { dedupe: true });
    assert.equal(once.total, 12);
    assert.deepEqual(once.declarations[0].sources, ['manifest', 'theorem_cards']);
    const odd = await paper('«größe»_ℕ', { dedupe: true });
    assert.deepEqual(odd.declarations.map(record => record.lean_decl), ['Größe.«a b».x₁', 'Größe.🦆']);
  });
  test('missing and broken records: empty lists that say why', { timeout }, async () => {
    const none = await paper('no_such_paper');
    assert.deepEqual([none.declarations, none.error, none.partial], [[], 'paper not found', true]);
    const broken = await paper('malformed');
    assert.deepEqual([broken.declarations, broken.partial, problems(broken)], [[], true, ['manifest.json malformed_json', 'theorem_cards.json malformed_json']]);
    assert.match(broken.error, /neither/);
    const half = await paper('no_manifest');
    assert.deepEqual([half.total, half.partial, half.error, problems(half)], [2, true, undefined, ['manifest.json missing']]);
    fs.writeFileSync(path.join(root, 'corpus/papers/empty/theorem_cards.json'), Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]));
    assert.deepEqual(problems(await paper('empty')), ['manifest.json missing', 'theorem_cards.json invalid_utf8']);
    for (const tool of ['list_declarations_in_file', 'get_dependency_graph_for_declaration']) {
      const answer = await ask(tool, { paper_id: 'no_such_paper', ...(tool.startsWith('list') ? { file_path: 'x' } : { lean_decl: 'x' }) });
      assert.equal(answer.error, 'paper not found');
    }
  });
  test('ids that are no folder of the corpus are refused', { timeout }, async () => {
    for (const id of ['', '.', '..', '../../formal', '/etc', 'a/b', 'a\\b', 'a\u0000b']) {
      assert.equal(await refused('list_declarations_for_paper', { paper_id: id }), 'invalid_argument', JSON.stringify(id));
      assert.equal(await refused('list_declarations_in_file', { paper_id: id, file_path: 'x' }), 'invalid_argument');
      assert.equal(await refused('get_dependency_graph_for_declaration', { paper_id: id, lean_decl: 'x' }), 'invalid_argument');
    }
    assert.equal(await refused('get_dependency_graph_for_declaration', { paper_id: 'cycles', lean_decl: '' }), 'invalid_argument');
    assert.equal(await refused('get_dependency_graph_for_declaration', { paper_id: 'cycles', lean_decl: 'C.a', depth: 0 }), 'invalid_argument');
    assert.equal(await refused('list_declarations_for_paper', {}), 'invalid_argument');
  });
  test('a file: cards whose path contains the text', { timeout }, async () => {
    const inFile = async text => (await ask('list_declarations_in_file', { paper_id: 'parity_notes', file_path: text })).declarations.map(record => record.lean_decl);
    assert.deepEqual(await inFile('Gone.lean'), ['Parity.gone']);
    assert.deepEqual(await inFile('formal\\Parity\\Gone'), ['Parity.gone']);
    assert.equal((await inFile(' ')).length, 20);
    assert.deepEqual(await inFile('Nowhere.lean'), []);
  });
  test('dependencies: as published, and bounded', { timeout }, async () => {
    const whole = await graph('parity_notes', 'Parity.even_sq');
    assert.deepEqual([whole.dependency_ids, whole.cards.length, whole.cards[0].reviewer_status], [['parity_notes_card_001', 'parity_notes_card_004'], 1, 'accepted']);
    assert.deepEqual([whole.manifest_dependency_graph.length, whole.subgraph, whole.partial], [7, undefined, false]);
    const near = await graph('parity_notes', 'Parity.vanished', { depth: 1 });
    assert.deepEqual(near.manifest_dependency_graph, [{ from: 'parity_notes_card_003', to: 'parity_notes_card_008', confidence: 'high' }]);
    assert.deepEqual(near.subgraph, {
      nodes: [{ lean_decl: 'Parity.vanished', id: 'parity_notes_card_008', dependency_distance: 0, dependent_distance: 0 },
        { lean_decl: 'Parity.even_add', id: 'parity_notes_card_003', dependency_distance: 1, dependent_distance: null }],
      edges: [{ from: 'Parity.even_add', to: 'Parity.vanished' }], cycles: [], truncated: false });
    assert.equal((await graph('parity_notes', 'Parity.vanished', { narrow: true })).subgraph.nodes.length, 3);
    assert.equal((await graph('parity_notes', 'Parity.vanished', { depth: 1, narrow: false })).manifest_dependency_graph.length, 7);
    const round = await graph('cycles', 'C.a', { narrow: true });
    assert.deepEqual(round.subgraph.cycles.map(cycle => cycle.toSorted()), [['C.a', 'C.b', 'C.c']]);
    const none = await graph('no_manifest', 'Alone.b', { narrow: true });
    assert.deepEqual([none.manifest_dependency_graph, none.subgraph.edges], [null, [{ from: 'Alone.a', to: 'Alone.b' }]]);
    const unknown = await graph('parity_notes', 'Parity.nonesuch', { depth: 2 });
    assert.deepEqual([unknown.error, unknown.dependency_ids, unknown.cards, unknown.subgraph.nodes], ['declaration not found', [], [], []]);
  });
  test('no corpus at all', { timeout }, async () => {
    fs.renameSync(path.join(root, 'corpus/index.json'), path.join(root, 'corpus/old.json'));
    const none = await paper('parity_notes');
    fs.renameSync(path.join(root, 'corpus/old.json'), path.join(root, 'corpus/index.json'));
    assert.deepEqual([none.declarations, none.partial], [[], true]);
    assert.match(none.error, /^corpus not found/);
  });
});

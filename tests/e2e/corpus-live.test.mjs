// Published records compared with what a real Lean says about the same declarations.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { realLake } from '../support/bridge.mjs';
import { bridgeOnCorpus, EVEN } from '../support/corpus.mjs';
import { skip, timeout } from '../support/session.mjs';

describe('published and live', { skip }, () => {
  const { root, ask } = bridgeOnCorpus(realLake);
  const live = file => ask('list_declarations_in_file', { paper_id: 'parity_notes', file_path: file, live: true });

  test('a card says machine_checked, the file has a sorry', { timeout }, async () => {
    const answer = await live(EVEN);
    assert.deepEqual([answer.partial, answer.timed_out, answer.files[0].complete], [false, false, true], JSON.stringify(answer.files));
    const found = Object.fromEntries(answer.declarations.filter(record => record.source === 'lean').map(record => [record.lean_decl, record]));
    const text = fs.readFileSync(path.join(root, EVEN), 'utf8').split('\n');
    const mul = found['Parity.even_mul'];
    assert.deepEqual([mul.proof_status, mul.kind, mul.file_path, mul.published, mul.dependencies], ['sorry', 'theorem', EVEN, true, ['Parity.Even']]);
    assert.match(mul.type, /^\{m : Nat\} \(hm : Even m\) \(n : Nat\) : Even \(m \* n\)$/);
    assert.match(text[mul.start_line - 1], /even_mul/);
    assert.deepEqual([found['Parity.Even'].proof_status, found['Parity.even_zero'].proof_status, found['Parity.even_sq'].proof_status], ['proved', 'proved', 'proved']);
    assert.deepEqual([found['Parity.not_published'].published, found['Parity.Half.value'].proof_status, found['Parity.vanished']], [false, null, undefined]);

    assert.deepEqual(answer.disagreements.map(({ kind, lean_decl, live: says }) => [kind, lean_decl, says]), [
      ['proof_status', 'Parity.even_mul', 'sorry'], ['rests_on', 'Parity.even_sq', ['Parity.even_mul']], ['proof_status', 'Parity.even four', 'proved'],
      ['dependencies', 'Parity.x₁_even', ['Parity.Even']], ['missing_declaration', 'Parity.vanished', null], ['proof_status', 'Parity.wrong', 'error'], ['dependencies', 'Parity.wrong', ['Parity.Even']]]);
    const card = answer.declarations.find(record => record.lean_decl === 'Parity.even_mul' && record.source === 'theorem_cards');
    assert.deepEqual([card.proof_status, card.disagreement], ['machine_checked', ['proof_status']]);
    assert.equal(answer.declarations.find(record => record.lean_decl === 'Parity.even_add').disagreement, undefined);
  });
  test('a file that is gone, one outside, one that no card has', { timeout }, async () => {
    const gone = await live('Gone.lean');
    assert.deepEqual([gone.partial, gone.files[0].error.kind, gone.disagreements.map(item => item.kind)], [true, 'file_not_found', ['missing_file']]);
    const outside = await live('outside.lean');
    assert.deepEqual([outside.files[0].error.kind, outside.disagreements], ['outside_project', []]);
    const unknown = await live('formal/Parity/Even.lean.lean');
    assert.equal(unknown.files[0].error.kind, 'file_not_found');
  });
});

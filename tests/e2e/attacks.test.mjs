// `leanbridge certify` before those who try to cheat it, and before those who do not.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pairs } from '../attacks/honest.mjs';
import { attacks, isPlain, isSample, judgeAttack, judgeBatch, judgeHonest, sampleOf } from '../attacks/run.mjs';
import { lean } from '../support/leans.mjs';
import { skip, timeout } from '../support/session.mjs';
import { hasSandbox } from '../support/verdicts.mjs';

describe('attacks', { skip }, () => {
  const on = lean.kind === 'small' ? 'small' : 'native';
  // The native Lean runs with the small one, which is quicker.
  const chosen = attacks().filter(({ leans }) => leans.includes(on) && (lean.kind !== 'native' || !leans.includes('small')));
  const plain = sampleOf(chosen.filter(isPlain));
  test(`${plain.length} at once, which share what they import`, { timeout: timeout + plain.length * 4000, skip: !hasSandbox && 'without a sandbox there is nothing to share' }, async () => {
    const { problems, summary } = await judgeBatch(plain, lean);
    assert.deepEqual(problems, [], summary);
  });
  // Of a sample, each is judged in one way only.
  for (const attack of sampleOf(chosen.filter(attack => !isSample || !hasSandbox || !isPlain(attack))))
    test(`${attack.name}: ${attack.how}`, { timeout }, async () => assert.equal(await judgeAttack(attack, lean), undefined));
});

describe('honest proofs', { skip }, () => {
  const all = pairs();
  test('there are at least 200', () => assert.ok(all.reduce((sum, { theorems }) => sum + theorems.length, 0) >= 200));
  for (const pair of lean.hasLibraryProofs && !isSample ? all : [all[2], all[6]])   // what differs is not seen without the library's proofs
    test(`${pair.name}: ${pair.theorems.length} theorems`, { timeout }, async () => assert.deepEqual((await judgeHonest(pair, lean)).refused, []));
});

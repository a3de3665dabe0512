// Stepping through real proofs: where each step leads, and what the goals are there.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { sharedSession, skip } from '../support/session.mjs';

describe('stepping', { skip }, () => {
  const { ask, close, edit, locate, read, session } = sharedSession('basics');
  const STEPS = 'Basics/Steps.lean';
  const target = goals => goals?.map(goal => goal.slice(goal.indexOf('⊢') + 2));
  const lineText = line => read(STEPS).split('\n')[line - 1];

  /** Walks forward from the head of a theorem to its end: [{at: text at the position, step: step_text, goals: targets}]. */
  async function walk(theorem, limit = 40) {
    const stops = [];
    let { line, column } = locate(STEPS, `theorem ${theorem}`);
    const end = read(STEPS).indexOf('\n\n', read(STEPS).indexOf(`theorem ${theorem} `));
    const lastLine = read(STEPS).slice(0, end).split('\n').length;
    for (let i = 0; i < limit; i++) {
      const step = await ask('lean_step_forward', { file_path: STEPS, line, column });
      if (step.at_end || step.line > lastLine) return stops;
      assert.ok(step.line > line || (step.line === line && step.column > column), `forward from ${line}:${column} to ${step.line}:${step.column}`);
      ({ line, column } = step);
      stops.push({ line, column, at: [...lineText(line)].slice(column - 1).join(''), step: step.step_text, goals: target(step.goals), before: target(step.goals_before) });
    }
    throw new Error(`${theorem} has no end: ${JSON.stringify(stops)}`);
  }
  /** Where a walk must stop, in order: the text found there begins so. Other stops in between are allowed. */
  function visits(stops, ...texts) {
    let index = 0;
    for (const text of texts) {
      const found = stops.findIndex((stop, i) => i >= index && stop.at.startsWith(text));
      assert.ok(found >= 0, `a stop at "${text}" after ${index} stops: ${JSON.stringify(stops.map(stop => stop.at))}`);
      index = found + 1;
    }
  }

  for (const [theorem, ...texts] of [
    ['sequence', 'rw [Nat.add_zero]', 'symm', 'exact h'],
    ['semicolons', 'constructor', 'exact hp', 'exact hq'],
    ['bullets', 'constructor', 'constructor', 'exact hp', 'exact hq', 'exact hr'],
    ['cased', 'cases h', 'apply hp', 'exact h', 'apply hq', 'exact h'],
    ['inducted', 'induction n', 'rfl', 'rw [Nat.mul_zero]'],
    ['caseTags', 'apply And.intro', 'exact hp', 'exact hq'],
    ['combined', 'constructor'],
    ['calculated', 'calc', 'rw [hab]', 'exact hbc'],
    ['nestedBy', 'have h', 'apply hq', 'exact hp', 'exact ⟨by', 'exact hp', 'exact h⟩'],
    ['termHole', 'refine', 'exact hp', 'exact hq'],
  ]) {
    session(`forward through ${theorem}`, async () => visits(await walk(theorem), ...texts));
  }
  session('the goals at each stop are those before the tactic there', async () => {
    const stops = await walk('sequence');
    const at = text => stops.find(stop => stop.at.startsWith(text)).goals;
    assert.deepEqual([at('rw'), at('symm'), at('exact h')], [['b + 0 = a'], ['b = a'], ['a = b']]);
  });
  session('backward is the way forward reversed', async () => {
    for (const theorem of ['sequence', 'bullets', 'cased']) {
      const stops = await walk(theorem);
      const back = [];
      let { line, column } = stops.at(-1);
      while (back.length < stops.length - 1) {
        const step = await ask('lean_step_backward', { file_path: STEPS, line, column });
        assert.equal(step.at_start, false, JSON.stringify(step));
        ({ line, column } = step);
        back.push(`${line}:${column}`);
      }
      assert.deepEqual(back, stops.slice(0, -1).map(stop => `${stop.line}:${stop.column}`).reverse(), theorem);
    }
  });
  session('count steps several places at once', async () => {
    const stops = await walk('bullets');
    const { line, column } = locate(STEPS, 'theorem bullets');
    const three = await ask('lean_step_forward', { file_path: STEPS, line, column, count: 3 });
    assert.deepEqual([three.line, three.column], [stops[2].line, stops[2].column]);
  });
  session('without a position the file\'s cursor is used, also across an edit above it', async () => {
    const [first, second, third] = await walk('sequence');
    await ask('lean_check', { file_path: STEPS, line: first.line, column: first.column });
    assert.deepEqual(await ask('lean_step_forward', { file_path: STEPS }).then(step => [step.line, step.column]), [second.line, second.column]);
    edit(STEPS, 'namespace Basics\n', 'namespace Basics\n\n-- one line more\n');
    assert.deepEqual(await ask('lean_step_forward', { file_path: STEPS }).then(step => [step.line, step.column]), [third.line + 2, third.column]);
    edit(STEPS, 'namespace Basics\n\n-- one line more\n', 'namespace Basics\n');
  });
  session('the end and the start of the file', async () => {
    const lines = read(STEPS).split('\n').length - 1;
    assert.equal((await ask('lean_step_forward', { file_path: STEPS, line: lines, column: 1 })).at_end, true);
    assert.equal((await ask('lean_step_backward', { file_path: STEPS, line: 1, column: 1 })).at_start, true);
    await close(STEPS);
  });
});

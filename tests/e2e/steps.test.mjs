// Stepping through real proofs: where each step leads, and the goals there.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { lean } from '../support/leans.mjs';
import { sharedSession, skip } from '../support/session.mjs';

describe('stepping', { skip }, () => {
  const { ask, edit, locate, read, session } = sharedSession('basics');
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
  /** Asserts where a walk stops, in order, by how the text there begins. Other stops in between are allowed. */
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
        assert.ok(step.line < line || (step.line === line && step.column < column), `backward from ${line}:${column}: ${JSON.stringify(step)}`);
        ({ line, column } = step);
        assert.equal(step.at_start, `${line}:${column}` === `${stops[0].line}:${stops[0].column}`, JSON.stringify(step));
        back.push(`${line}:${column}`);
      }
      assert.deepEqual(back, stops.slice(0, -1).map(stop => `${stop.line}:${stop.column}`).reverse(), theorem);
    }
  });
  session('without a position the file\'s cursor is used, also across an edit above it', async () => {
    const [first, second, third] = await walk('sequence');
    await ask('lean_check', { file_path: STEPS, line: first.line, column: first.column });
    assert.deepEqual(await ask('lean_step_forward', { file_path: STEPS }).then(step => [step.line, step.column]), [second.line, second.column]);
    edit(STEPS, 'namespace Basics\n', 'namespace Basics\n\n-- one line more\n');
    assert.deepEqual(await ask('lean_step_forward', { file_path: STEPS }).then(step => [step.line, step.column]), [third.line + 2, third.column]);
    edit(STEPS, 'namespace Basics\n\n-- one line more\n', 'namespace Basics\n');
  });
});

/** All positions of a file, by theorem; the last of each is the end of its proof. */
const PLACES = {
  'Basics/Steps.lean': {
    sequence: '6:3 7:3 8:3 8:10',
    semicolons: '11:3 11:16 11:26 11:34',
    bullets: '14:3 15:3 15:5 16:5 16:7 17:5 17:7 18:3 18:5 18:13',
    cased: '21:3 23:5 24:5 26:5 27:5 27:12',
    inducted: '30:3 31:13 33:5 33:22',
    caseTags: '36:3 37:3 38:5 39:3 39:17 39:25',
    combined: '42:3 42:19 42:38 42:46',   // `exact hp` has the goals of `first`: no step
    calculated: '45:3 47:7 49:7 49:16',
    nestedBy: '52:3 53:5 54:5 55:3 55:13 56:5 56:13',
    termHole: '59:3 60:3 61:3 61:18 61:26',
    oneLine: '63:35 63:41',
    matched: '66:3 67:10 69:5 70:5 70:25',
  },
  'Basics/Goals.lean': {
    "and_swap'": '6:3 7:3 7:5 8:3 8:5 8:17',
    "imp_trans'": '11:3 12:3 13:3 13:15',
    "zero_add'": '16:3 17:13 18:18 18:42',
    "or_swap'": '21:3 22:15 23:15 23:30',
    add_swap: '26:3 26:56',
    both: '29:3 29:19 29:27',
    named: '32:3 33:3 33:17 34:3 34:16 34:24',
    chain: '37:3 39:16',
    nested: '42:7 42:21 42:26 42:36',   // two blocks in a term, each with its own end
    unfinished: '49:3 49:8',
  },
};

describe('every place of a file', { skip }, () => {
  const { ask, close, session } = sharedSession('basics');
  const at = ({ line, column }) => `${line}:${column}`;

  for (const [file_path, proofs] of Object.entries(PLACES)) {
    const places = Object.values(proofs).flatMap(list => list.split(' '));
    const first = Object.values(proofs).map(list => list.split(' ')[0]);
    const last = Object.values(proofs).map(list => list.split(' ').at(-1));

    session(`${file_path}, forward and backward, by positions and by the cursor`, async () => {
      const forward = [];
      for (let where = { line: 1, column: 1 }; ;) {
        const step = await ask('lean_step_forward', { file_path, ...where });
        assert.equal(step.partial || step.timed_out, false);
        if (step.step_text === '') {
          assert.equal(step.at_end, true);
          break;
        }
        forward.push(step);
        // A step does not leave the proof: the next one is entered from the line below it.
        if (step.at_end) assert.deepEqual(await ask('lean_step_forward', { file_path, line: step.line, column: step.column }).then(at), at(step));
        where = step.at_end ? { line: step.line + 1, column: 1 } : { line: step.line, column: step.column };
      }
      assert.deepEqual(forward.map(at), places);
      assert.deepEqual(forward.filter(step => step.at_end).map(at), last);
      assert.deepEqual(forward.slice(1).map(step => step.goals_before ?? []), forward.slice(0, -1).map(step => step.goals));

      const backward = [];
      for (const end of forward.filter(step => step.at_end)) {
        for (let where = { line: end.line, column: end.column }; ; where = {}) {
          const step = await ask('lean_step_backward', { file_path, ...where });
          backward.push(step);
          if (!step.at_start) continue;
          assert.deepEqual(await ask('lean_step_backward', { file_path }).then(({ step_text }) => step_text), '');
          break;
        }
      }
      const known = Object.fromEntries(forward.map(step => [at(step), step.goals]));
      assert.deepEqual(backward.map(at), Object.values(proofs).flatMap(list => list.split(' ').slice(0, -1).reverse()));
      assert.deepEqual(backward.filter(step => step.at_start).map(at), first);
      for (const step of backward) assert.deepEqual(step.goals, known[at(step)], at(step));
      assert.deepEqual(await ask('lean_step_forward', { file_path, line: 1, count: 10_000 }).then(at), last[0]);
      await close(file_path);
    });
  }
});

describe('a step', { skip }, () => {
  const { ask, close, edit, locate, refused, session } = sharedSession('basics');
  const STEPS = 'Basics/Steps.lean';
  const GOALS = 'Basics/Goals.lean';
  const at = ({ line, column }) => [line, column];
  const target = goals => goals.map(goal => goal.split('⊢ ').at(-1));

  session('tells what a tactic did', async () => {
    const step = await ask('lean_step_forward', locate(STEPS, 'constructor', { from: 'theorem bullets' }));
    assert.deepEqual([step.step_text, target(step.goals_before), target(step.goals)], ['constructor', ['(p ∧ q) ∧ r'], ['p ∧ q', 'r']]);
    const back = await ask('lean_step_backward', { file_path: STEPS });
    assert.deepEqual([back.step_text, target(back.goals_before), target(back.goals)], ['constructor', ['p ∧ q', 'r'], ['(p ∧ q) ∧ r']]);
  });
  session('refuses a column without a line, no step, and a line that does not exist', async () => {
    await refused('lean_step_forward', { file_path: STEPS, column: 3 }, 'invalid_argument');
    await refused('lean_step_forward', { file_path: STEPS, line: 1, count: 0 }, 'invalid_argument');
    await refused('lean_step_backward', { file_path: STEPS, line: 99 }, 'invalid_argument');
  });
  session('the cursor stays at its tactic when the text above and around it changes', async () => {
    await ask('lean_step_forward', locate(GOALS, 'intro', { from: "imp_trans'" }));
    edit(GOALS, 'namespace Basics\n', 'namespace Basics\n\n/- 🙂 -/\n');
    edit(GOALS, '  intro hpq hqr hp\n', '  intro hpq hqr\n  intro hp\n');
    const step = await ask('lean_step_forward', { file_path: GOALS });
    assert.deepEqual([at(step), step.step_text, target(step.goals)], [[16, 3], 'apply hqr', ['q']]);
    assert.deepEqual(at(await ask('lean_step_backward', { file_path: GOALS, count: 3 })), [13, 3]);
  });
  session('alternatives that are not run, terms, and what is left at the end', async () => {
    edit(GOALS, 'end Basics', `theorem tried (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  first | omega | exact ⟨hp, hq⟩ | simp
theorem terms (p : Prop) (hp : p) : ∃ n : Nat, n = 0 ∧ p := by
  try exact ⟨match 0 with | 0 => 0 | k + 1 => k, rfl, (fun x => x) hp⟩

theorem left (p q : Prop) (hp : p) : p ∧ q := by
  constructor
  · exact hp

end Basics`);
    const walk = async name => {
      const stops = [];
      await ask('lean_step_forward', { ...locate(GOALS, `theorem ${name}`) });
      for (let step; !step?.at_end && step?.status !== 'error';) stops.push(step = await ask('lean_step_forward', { file_path: GOALS }));
      return stops.map(step => [step.step_text, target(step.goals)]);
    };
    assert.deepEqual(await walk('tried'), [['first | omega | exact ⟨hp, hq⟩ | simp', []]]);
    assert.deepEqual(await walk('terms'), [['try exact ⟨match 0 with | 0 => 0 | k + 1 => k, rfl, (fun x => x) hp⟩', []]]);
    assert.deepEqual((await walk('left')).at(-1), ['exact hp', ['q']]);   // it does not end at the bullet, although that is done
    await close(GOALS);
  });
  session('does not wait for what comes after it', async () => {
    const SLOW = 'Basics/Slow.lean';
    edit(SLOW, 'sleep 8000', `sleep ${lean.sleepMs}`);
    const started = performance.now();
    const stops = [];
    await ask('lean_step_forward', { file_path: SLOW, line: 1 });
    const opened = performance.now();
    stops.push(await ask('lean_step_forward', { file_path: SLOW }), await ask('lean_step_backward', { file_path: SLOW }));
    const walked = performance.now() - opened;
    assert.deepEqual(stops.map(at), [[2, 11], [2, 3]]);
    assert.deepEqual(stops.map(step => step.still_elaborating_lines.length > 0), [true, true], `${opened - started} ms, ${walked} ms`);
    const cut = await ask('lean_step_forward', { file_path: SLOW, line: 4, count: 100, timeout_s: 1 });
    assert.deepEqual([cut.partial, cut.timed_out, cut.status, cut.line], [true, true, 'still_elaborating', 4]);
    await close(SLOW);
  });
});

describe('stepping where a proof is missing', { skip }, () => {
  const { ask, session } = sharedSession({
    'Missing.lean': 'theorem none (n : Nat) : n = n := by\n  induction n with\n  | zero =>\n  | succ n ih => rfl\n\n' +
      'theorem last (p q : Prop) (h : p ∨ q) : q ∨ p := by\n  cases h with\n  | inl hp => exact Or.inr hp\n  | inr hq =>\n\ntheorem bullet (p : Prop) (h : p) : p ∧ p := by\n  constructor\n  · exact h\n  ·\n\ntheorem after : True := trivial\n',
  });

  for (const [theorem, line, lastLine] of [['none', 1, 4], ['last', 6, 9], ['bullet', 11, 14]])
    session(`it ends: ${theorem}`, async () => {
      let at = { line, column: 1 };
      let step;
      for (let i = 0; i < 12; i++) {
        step = await ask('lean_step_forward', { file_path: 'Missing.lean', ...at });
        if (step.at_end || step.status === 'error') break;
        assert.ok(step.line > at.line || (step.line === at.line && step.column > at.column), `it stands still: ${JSON.stringify(step)}`);
        assert.ok(step.line <= lastLine, JSON.stringify(step));
        at = { line: step.line, column: step.column };
      }
      assert.equal(step.status, 'error', JSON.stringify(step));
      assert.ok(step.error?.message, JSON.stringify(step));
    });
});

// What setting an option and giving an attribute can do to Lean's messages, by src/core/text/lean_words.cpp and by Lean itself.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { judgementOf, question, readAnswer, readTables, unjudged } from '../../scripts/lib/lean-words.mjs';
import { lean, skip } from './support.mjs';

/** Declarations that Lean must complain about, each on one line; NAME is another one each time. The last needs the kernel to be refused. */
const WRONG = [
  'theorem NAME : 1 = 2 := sorry',
  'example : 1 = 2 := by exact (by sorry)',
  'theorem NAME : 1 = 2 := by skip',
  'theorem NAME : 1 = 2 := by',
  'theorem NAME : 1 = 2 := rfl',
  'theorem NAME : 1 = 2 := unknownName',
  'theorem NAME (a b : Nat) : a = b := by simp',
  'theorem NAME (a b : Nat) : a = b := by omega',
  'theorem NAME : False := by run_tac do (← Lean.Elab.Tactic.getMainGoal).assign (Lean.mkConst ``True.intro)',
];

/** Other values than the default. */
const others = value => (value === 'true' ? ['false'] : value === 'false' ? ['true'] : /^\d+$/.test(value) ? ['0', '1000000'] : ['"x"']);

/** The lines, of those of WRONG in front of which each prefix is put, about which Lean says nothing. */
function silentLines(prefixes, header = []) {
  return WRONG.flatMap(wrong => {
    const tried = prefixes.map((prefix, i) => `${prefix} ${wrong.replaceAll('NAME', `name${i}`)}`);
    const begin = ['import Lean', ...header];
    // Without a limit Lean reports the first hundred errors of a file.
    const { status, lines } = lean('full', [...begin, ...tried, ''].join('\n'), { options: ['-DmaxErrors=0', '--json'] });
    assert.ok(status === 0 || status === 1, `Lean did not come to the end of the file: ${status}`);
    const heard = new Set();
    for (const { severity, data, pos } of lines.filter(line => line.startsWith('{')).map(line => JSON.parse(line)))
      if (severity === 'error' || /declaration uses [`']/.test(data)) heard.add(pos.line);
    return tried.filter((_, i) => !heard.has(begin.length + 1 + i));
  });
}

describe('the words of the native Lean', { skip }, () => {
  const answer = skip ? undefined : readAnswer(lean('full', question()).output);
  const { options: table } = readTables();

  test('are judged, each of them', () => {
    assert.ok(answer.options.length > 600 && answer.attributes.length > 150, JSON.stringify(answer).slice(0, 500));
    assert.deepEqual(unjudged(answer), { options: [], attributes: [] });
  });

  test('a name that is judged nowhere is found', () => {
    const more = { options: [...answer.options, { name: 'my.own', value: 'true' }], attributes: [...answer.attributes, 'my_own'] };
    assert.deepEqual(unjudged(more), { options: ['my.own'], attributes: ['my_own'] });
  });

  test('no harmless option keeps Lean from saying what is wrong', () => {
    const harmless = answer.options.filter(({ name }) => judgementOf(table, name)?.harmless);
    const [traces, rest] = [harmless.filter(({ name }) => name.startsWith('trace.')), harmless.filter(({ name }) => !name.startsWith('trace.'))];
    assert.ok(traces.length > 300 && rest.length > 150);
    assert.deepEqual(silentLines(rest.flatMap(({ name, value }) => others(value).map(other => `set_option ${name} ${other} in`))), []);
    assert.deepEqual(silentLines([''], traces.map(({ name, value }) => `set_option ${name} ${others(value)[0]}`)), []);
  });

  test('the same test finds those that do', () => {
    const silent = silentLines(['set_option warn.sorry false in', 'set_option debug.skipKernelTC true in', 'set_option warn.sorry true in']);
    const of = option => silent.filter(line => line.includes(option)).length;
    assert.deepEqual([of('warn.sorry false'), of('skipKernelTC'), of('warn.sorry true')], [2, 1, 0]);
  });

  test('an example leaves no program behind', () => {
    const program = declaration => `import Lean\nopen Lean Elab Tactic\nsyntax (name := mine) "mine" : tactic
@[tactic mine] ${declaration} : Tactic := fun _ => do admitGoal (← getMainGoal)\ntheorem t : 1 = 2 := by mine`;
    assert.match(lean('full', program('example')).output, /error: Tactic `mine` has not been implemented/);
    assert.match(lean('full', program('def f')).output, /declaration uses `sorry`/);
  });
});

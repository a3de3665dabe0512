// MCP Apps: the page that shows the answers of lean_goal, by itself and as hosts get it. No Lean is needed.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import vm from 'node:vm';
import { fakeLake, root, scratchProject, spawnBridge } from '../support/bridge.mjs';
import { HTML } from '../support/goal-page.mjs';

const timeout = 120_000;
const URI = 'ui://leanbridge/goal', MIME = 'text/html;profile=mcp-app';
const SHOWS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [MIME] } } };

// Without a document, the script only defines its parts.
vm.runInThisContext(/<script>\n(.*?)<\/script>/s.exec(HTML)[1]);
const { parseGoal, compare, difference, viewOf, filesFor, ageOf, drawOpenWork, decodeTokens, remarksIn, piecesOf, changeOf, overviewOf, proofAround, App, Viewer, draw, drawLists, remarked, applyContext, start } = globalThis.goalPage;
const answer = structuredContent => ({ content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent, isError: false });
const marks = goals => goals.map(({ hypotheses, gone, targetChanged }) => [hypotheses.map(({ names, mark }) => `${names.join(' ')} ${mark}`.trim()), gone, targetChanged]);
const compared = (before, after) => marks(compare(before.map(parseGoal), after.map(parseGoal)));

describe('goals', () => {
  test('names, hypotheses over several lines, the target', () => {
    assert.deepEqual(parseGoal('case inl.intro\np q : Prop\nlong : ∀ x,\n    x = x\nx : Nat := 5\n⊢ p ∧\n    q'), {
      name: 'case inl.intro', notes: [], target: '⊢ p ∧\n    q',
      hypotheses: [{ names: ['p', 'q'], text: 'p q : Prop' }, { names: ['long'], text: 'long : ∀ x,\n    x = x' }, { names: ['x'], text: 'x : Nat := 5' }],
    });
    assert.equal(parseGoal('| a + b').target, '| a + b');
    assert.deepEqual(parseGoal({ pretty: 'h : p\n⊢ q', context: [] }).hypotheses, [{ names: ['h'], text: 'h : p' }]);
    for (const odd of [undefined, null, 7, '', '⊢', {}, '  ']) assert.deepEqual(parseGoal(odd).hypotheses.filter(({ names }) => names.includes('⊢')), []);
  });
  test('new, changed and gone hypotheses, and another target', () => {
    assert.deepEqual(compared(['p q : Prop\nh : p\n⊢ p → q'], ['p q : Prop\nh : q\nhp : p\n⊢ q']), [[['p q', 'h changed', 'hp new'], [], true]]);
    assert.deepEqual(compared(['a b : Nat\nh : a = b\n⊢ b = a'], ['a : Nat\n⊢ b = a']), [[['a'], ['b', 'h'], false]]);
    assert.deepEqual(compared(['n : Nat\n⊢ p'], ['n✝ : Nat\nn : Int\n⊢ p']), [[['n✝ new', 'n changed'], [], false]]);
    assert.deepEqual(compared([], ['h : p\n⊢ q']), [[['h'], [], false]], 'with nothing to compare, nothing is marked');
  });
  const marked = (before, after) => difference(before, after).map(({ text, changed, removed }) => (removed ? `{${removed}}` : changed ? `[${text}]` : text)).join('');
  test('the changed subterms of a text, and where some are only gone', () => {
    for (const [before, after, expected] of [
      ['⊢ a + 0 = b', '⊢ a = b', '⊢ a {+ 0}= b'],
      ['⊢ P x', '⊢ P x ∧ Q x', '⊢ P x [∧ Q x]'],
      ['⊢ x₁ = f.g', "⊢ x₁' = f.h", "⊢ [x₁'] = [f.h]"],
      ['⊢ a + (b * c)', '⊢ a + (c * b)', '⊢ a + ([c * b])'],
      ['h : a + b = c', 'h : b + a = c', 'h : [b + a] = c'],
      ['⊢ a + (b + c)', '⊢ a + b + c', '⊢ a + [b + c]'],
      ['⊢ a + b + c', '⊢ a + (b + c)', '⊢ a + [(b + c)]'],
      ['⊢ (a + b) * c', '⊢ a + b', '⊢ a + b{* c}'],
      ['⊢ a * (b + c)', '⊢ a * b + a * c', '⊢ [a * b + a * c]'],
      ['⊢ p₁ ∧ p₂ ∧ p₃', '⊢ p₂ ∧ p₃ ∧ p₄', '⊢ {p₁ ∧}p₂ ∧ p₃ [∧ p₄]'],
      ['⊢ a ≤ b', '⊢ a < b', '⊢ a [<] b'],
      ['⊢ f (g x) y', '⊢ f (g z) y', '⊢ f (g [z]) y'],
      ['⊢ f a b', '⊢ f b a', '⊢ f [b] [a]'],
      ['⊢ n = m', '⊢ ↑n = m', '⊢ [↑n] = m'],
      ['f : M →ₗ[R] N', 'f : M →ₗ[S] N', 'f : M [→ₗ[S]] N'],
      ['x : Nat := 5', 'x : Nat := 6', 'x : Nat := [6]'],
    ]) assert.equal(marked(before, after), expected);
    for (const [before, after] of [['', 'a b'], ['a b', ''], ['a', 'a'], ['(', ')'], ['(a', 'b)'], ['∀', 'fun'], ['|', '‖'], ['(x '.repeat(2000), '(y '.repeat(2000)], ['a  b', 'a b'], ['p → q', 'q → p'], ['x '.repeat(2000), 'y '.repeat(2000)]])
      assert.equal(difference(before, after).map(({ text }) => text).join(''), after, before.slice(0, 9));
    const [goal] = compare(['h : a + b = c\n⊢ p'].map(parseGoal), ['h : b + a = c\n⊢ q'].map(parseGoal));
    assert.deepEqual([goal.hypotheses[0].parts.map(({ text }) => text).join(''), goal.targetParts.filter(({ changed }) => changed).map(({ text }) => text)], ['h : b + a = c', ['q']]);
  });
  test('what a binder, a negation or a bracket reaches is known', () => {
    for (const [before, after, expected] of [
      ['⊢ ∀ x, P x → Q x', '⊢ Q x', '⊢ {∀ x, P x →}Q x'],
      ['⊢ ∀ (x y : Nat), x = y', '⊢ ∀ (y : Nat), x = y', '⊢ ∀ ({x}y : Nat), x = y'],
      ['⊢ p x ∧ ∀ y, q y', '⊢ p x ∧ ∀ y, r y', '⊢ p x ∧ ∀ y, [r] y'],
      ['⊢ ⟨fun x => x, y⟩ = z', '⊢ ⟨fun x => x, w⟩ = z', '⊢ ⟨fun x => x, [w]⟩ = z'],
      ['⊢ ¬a = b', '⊢ ¬a = c', '⊢ ¬a = [c]'],
      ['⊢ ¬¬p', '⊢ p', '⊢ {¬¬}p'],
      ['⊢ -x + y = 0', '⊢ y - x = 0', '⊢ [y - x] = 0'],
      ['⊢ if p then a else b', '⊢ if p then a else c', '⊢ if p then a else [c]'],
      ['⊢ x ∈ {y | p y ∧ q y}', '⊢ x ∈ {y | p y}', '⊢ x ∈ {y | p y{∧ q y}}'],
      ['⊢ |a - b| ≤ ‖c‖', '⊢ |b - a| ≤ ‖d‖', '⊢ |[b - a]| ≤ ‖[d]‖'],
      ['⊢ s = ∅ ∪ t', '⊢ s = ⊤ ∪ t', '⊢ s = [⊤] ∪ t'],
      ['⊢ x = "("', '⊢ x = ")"', '⊢ x = [")"]'],
      ['⊢ f (a +\n    b)', '⊢ f (a + b)', '⊢ f (a + b)'],
    ]) assert.equal(marked(before, after), expected);
  });
  test('no mark begins or ends within a bracket', () => {
    let seed = 7;
    const next = count => { seed = seed * 48_271 % 2_147_483_647; return seed % count; }, pick = all => all[next(all.length)];
    const term = depth => (depth === 0 ? pick(['a', 'b', 'x₁', '∅', 'f.g']) : pick([
      () => `${term(depth - 1)} ${pick(['+', '*', '∧', '=', '→', '∈', '::', '⟿', '→ₗ[R]', ':', ','])} ${term(depth - 1)}`, () => `(${term(depth - 1)})`, () => `f ${term(0)} (${term(depth - 1)})`, () => `⟨${term(depth - 1)}, ${term(0)}⟩`,
      () => `{x | ${term(depth - 1)}}`, () => `¬${term(depth - 1)}`, () => `∀ x, ${term(depth - 1)}`, () => `fun x => ${term(depth - 1)}`, () => `if ${term(0)} then ${term(depth - 1)} else ${term(0)}`, () => `xs[${term(depth - 1)}]`, () => `↑(${term(depth - 1)})⁻¹`,
    ])());
    const isBalanced = whole => { const open = []; for (const sign of whole.match(/[()[\]{}⟨⟩]/g) ?? []) if ('([{⟨'.includes(sign)) open.push(')]}⟩'['([{⟨'.indexOf(sign)]); else if (open.pop() !== sign) return false; return open.length === 0; };
    for (let i = 0; i < 2000; i++) {
      const before = term(next(5)), after = next(2) ? term(next(5)) : before.replace(pick(['a', '+', '(a', '* ']), pick(['b', '(a)', '-', ''])), parts = difference(before, after);
      assert.equal(parts.map(({ text }) => text).join(''), after, before);
      if (isBalanced(after)) for (const { text, changed, removed } of parts) assert.ok(!changed || (isBalanced(text) && isBalanced(removed)), `${before} | ${after} | ${marked(before, after)}`);
    }
  });
  test('a goal is compared with the one of its name, else with the most similar one', () => {
    const before = ['case a\nx : Nat\n⊢ p', 'case b\nx : Nat\ny : Nat\n⊢ q'];
    assert.deepEqual(compared(before, ['case b\nx : Nat\ny : Nat\n⊢ q', 'case a\nx : Nat\n⊢ p']), [[['x', 'y'], [], false], [['x'], [], false]]);
    assert.deepEqual(compared(before, ['x : Nat\ny : Nat\nz : Nat\n⊢ q']), [[['x', 'y', 'z new'], [], false]]);
  });
  test('a goal that shows only differences says itself what has changed', () => {
    const difference = 'case inl\n… 2 hypotheses as before line 3\ngone: h2\nh : a = c\n⊢ c = a';
    assert.deepEqual(parseGoal(difference).notes, ['… 2 hypotheses as before line 3', 'gone: h2']);
    assert.deepEqual(compared(['h : a = b\n⊢ p'], [difference]), [[['h'], [], false]]);
    assert.deepEqual(compared([difference], ['h : a = b\n⊢ p']), [[['h'], [], false]]);
  });
});

describe('answers', () => {
  const states = [...fs.readFileSync(path.join(root, 'docs/tools.md'), 'utf8').split('| status | meaning |')[1].split('\n\n')[0].matchAll(/^\| `(\w+)` \|/gm)].map(([, state]) => state);
  test('every state has words, and only a complete proof looks like one', () => {
    assert.ok(states.includes('proof_complete') && states.length >= 8);
    for (const state of states) {
      const { status, tone } = viewOf(answer({ status: state, goals_after: [] }));
      assert.doesNotMatch(status, /Lean's state/, state);
      assert.equal(tone === 'good', state === 'proof_complete', state);
    }
    for (const state of ['complete', 'toString', undefined, 7]) assert.notEqual(viewOf(answer({ status: state, goals: [] })).tone, 'good');
  });
  test('what makes an answer incomplete is said', () => {
    const { tone, notes } = viewOf(answer({ status: 'proof_complete', goals_after: [], partial: true, still_elaborating_lines: [[3, 9], [12, 12]], reopened: 'an import changed', truncated: true }));
    assert.notEqual(tone, 'good');
    assert.match(notes.join('\n'), /incomplete[\s\S]*lines 3 to 9, line 12[\s\S]*left out/);
    assert.doesNotMatch(notes.join('\n'), /import changed/, 'what Lean did to answer');
    assert.match(viewOf(answer({ status: 'goals', timed_out: true })).notes[0], /time was up/);
    assert.equal(viewOf(answer({ status: 'no_goal_at_position', goals: null, partial: true })).tone, 'warn');
    assert.match(viewOf(answer({ status: 'goals', still_elaborating_lines: [[3, 9], [12, 12], [14, 15], [20, 30]] })).notes[0], /on 4 places between lines 3 and 30/);
  });
  test('goals of a position, or after and before a line; null is not an empty list', () => {
    const titles = value => viewOf(answer(value)).sections.map(({ title, goals }) => [title, goals.length]);
    assert.deepEqual(titles({ status: 'goals', goals: ['⊢ p', '⊢ q'] }), [['Goals', 2]]);
    assert.deepEqual(titles({ status: 'goals', goals_before: ['⊢ p'], goals_after: [] }), [['Goals after the line', 0], ['Goals before the line', 1]]);
    for (const status of ['proof_complete', 'closed_here', 'sorry']) assert.deepEqual(titles({ status, goals_before: ['⊢ p'], goals_after: [] }), [['Goals before the line', 1]], 'no empty list where the state says so');
    assert.deepEqual(titles({ status: 'proof_complete', goals_before: [], goals_after: ['⊢ p'] }), [['Goals after the line', 1]]);
    assert.deepEqual(titles({ status: 'no_goal_at_position', goals: null }), []);
  });
  test('errors, answers as text only, and what is no answer', () => {
    const refused = viewOf({ isError: true, content: [{ type: 'text', text: '{"error":{"kind":"file_not_found","message":"There is no A.lean.","hint":"Pass a file."}}' }] });
    assert.deepEqual([refused.status, refused.notes, refused.tone], ['There is no A.lean.', ['Pass a file.'], 'bad']);
    assert.equal(viewOf({ isError: true, content: [{ type: 'text', text: 'plain' }] }).status, 'plain');
    assert.equal(viewOf({ content: [{ type: 'text', text: '{"status":"goals","goals":["⊢ p"]}' }] }).sections[0].goals[0].target, '⊢ p');
    assert.deepEqual(viewOf(answer({ status: 'error', error: { line: 2, column: 3, message: 'no' } })).messages, [{ severity: 'error', line: 2, column: 3, message: 'no' }]);
    for (const odd of [undefined, null, {}, { content: 'x' }, { content: [null] }, { structuredContent: null }, { structuredContent: 'x' }]) assert.equal(viewOf(odd).tone, 'bad');
  });
});

describe('the list of files', () => {
  const files = [['A.lean', 500], ['Sub/Deep/B.lean', 20], ['Sub/C.lean', 90_000], ['D.lean', 4000]].map(([file, age_s]) => ({ file, age_s }));
  const named = (asked, known = {}) => filesFor(files, file => known[file], asked, 1_000_000).map(({ file, errors, sorries }) => [file, errors, sorries].filter(Boolean).join(' '));
  test('those with errors, those with sorries, then those that have changed last', () => {
    assert.deepEqual(named(''), ['Sub/Deep/B.lean', 'A.lean', 'D.lean', 'Sub/C.lean']);
    const at = 1_000_000;
    assert.deepEqual(named('', { 'Sub/C.lean': { errors: 2, sorries: 1, at }, 'D.lean': { sorries: 3, at }, 'A.lean': { errors: 0, sorries: 0, at } }), ['Sub/C.lean 2 1', 'D.lean 3', 'Sub/Deep/B.lean', 'A.lean']);
    assert.deepEqual(named('', { 'A.lean': { errors: 2, at: at - 499_000 }, 'D.lean': { errors: 2, at: at - 4_001_000 } }), ['A.lean 2', 'Sub/Deep/B.lean', 'D.lean', 'Sub/C.lean'], 'what was seen of a file before it changed is forgotten');
  });
  test('words of the path or of the module, in any order and case', () => {
    for (const [asked, found] of [['sub', ['Sub/Deep/B.lean', 'Sub/C.lean']], ['Sub.Deep.B', ['Sub/Deep/B.lean']], ['deep SUB', ['Sub/Deep/B.lean']], ['/c', ['Sub/C.lean']], ['  ', ['Sub/Deep/B.lean', 'A.lean', 'D.lean', 'Sub/C.lean']], ['none', []]])
      assert.deepEqual(named(asked), found, asked);
    assert.deepEqual([5, 61, 7200, 200_000, Number.NaN, -3].map(ageOf), ['now', '1 min', '2 h', '2 d', 'now', 'now']);
  });
});

describe('the source', () => {
  const cut = (line, ranges) => ranges.map(([start, end, colour]) => `${colour} ${line.slice(start, end)}`);
  test("Lean's tokens, line by line; kinds that have no colour are left out", () => {
    const types = ['keyword', 'variable', 'x', 'leanSorryLike'], byLine = decodeTokens({ types, data: [0, 0, 3, 0, 0, 0, 4, 1, 1, 0, 2, 1, 2, 2, 0, 0, 2, 5, 3, 0, 7] });
    assert.deepEqual([byLine[0], byLine[1], byLine[2]], [[[0, 3, 'keyword'], [4, 5, 'variable']], undefined, [[3, 8, 'sorry']]]);
    for (const odd of [{}, { data: [1, 2, 3] }, { types: ['keyword'], data: [0, 0, 1, 9, 0] }, { types: ['toString'], data: [0, 0, 1, 0, 0] }]) assert.deepEqual(decodeTokens(odd), []);
  });
  test('comments, nested and over lines, and strings', () => {
    const lines = ['/- a " /- b -/', 'c -/ x -- "y -/', 'f "p \\" -- q" \'"\' r', '"two', 'lines" z', '/-- d -/ e'];
    assert.deepEqual(lines.map((line, at) => cut(line, remarksIn(lines)[at])), [
      ['comment /- a " /- b -/'], ['comment c -/', 'comment -- "y -/'], ['string "p \\" -- q"'], ['string "two'], ['string lines"'], ['comment /-- d -/'],
    ]);
  });
  test('the pieces of a line are the line, whatever Lean says of it', () => {
    assert.deepEqual(piecesOf('let x -- y', [[6, 10, 'comment']], [[0, 3, 'keyword'], [9, 10, 'variable']]), [['let', 'keyword'], [' x ', ''], ['-- y', 'comment']]);
    for (const words of [[], [[0, 99, 'keyword']], [[2, 1, 'keyword']], [[0, 3, 'keyword'], [1, 4, 'keyword']]]) assert.equal(piecesOf('let x', [], words).map(([piece]) => piece).join(''), 'let x');
  });
  test('a suggestion becomes whole lines, with what they replace', () => {
    const edit = (start_line, start_column, end_line, end_column, new_text) => ({ start_line, start_column, end_line, end_column, new_text });
    assert.deepEqual(changeOf({ edits: [edit(2, 5, 2, 7, 'omega')] }, ['a', '  𝔸 by', 'c']), { start_line: 2, end_line: 2, new_text: '  𝔸 omega', expected: '  𝔸 by' });
    assert.deepEqual(changeOf({ edits: [edit(1, 2, 2, 2, ''), edit(2, 3, 2, 3, '!')] }, ['ab', 'cd']), { start_line: 1, end_line: 2, new_text: 'ad!', expected: 'ab\ncd' });
    assert.equal(changeOf({ edits: [edit(1, 1, 2, 1, '')] }, [undefined, 'b']), undefined, 'a line that is not known');
  });
  test('only what Lean has proved is said to be proved', () => {
    const overview = (check, proofs = []) => overviewOf(answer(check), answer({ proofs }));
    assert.deepEqual([overview({ success: true, state: 'proved' }).tone, overview({ success: false, sorry_count: 1, unfinished: [{ line: 3, reason: 'sorry', declaration: 'a', goals: ['h : p\n⊢ q'] }] })],
      ['good', { verdict: '1 sorry', tone: 'warn', sorries: [{ line: 3, what: 'a', goal: '⊢ q' }], proofs: [] }]);
    for (const odd of [{}, { success: 'true' }, { success: false, state: 'unknown', reason: 'r' }, { success: false, error_count: 2 }]) assert.notEqual(overview(odd).tone, 'good');
    assert.equal(overviewOf({ isError: true }, answer({ proofs: [] })), undefined);
    const of = state => proofAround(overview({}, [{ declaration: 'a', state, start_line: 2, end_line: 4 }]), 3);
    assert.deepEqual(['proved', 'sorry', 'error', 'elaborating', 'unknown', 'else', 'toString'].map(state => of(state)?.tone), ['good', 'warn', 'bad', 'quiet', 'warn', undefined, undefined]);
    assert.equal(proofAround(overview({}, [{ declaration: 'a', state: 'proved', start_line: 2, end_line: 4 }]), 5), undefined);
  });
});

/** An app and its host, which answers by hand. */
function host({ hostCapabilities = { serverTools: {} }, hostContext } = {}) {
  const sent = [], states = [], timers = [];
  const app = new App({ post: message => sent.push(message), render: state => states.push(structuredClone(state)), wait: (end, ms) => timers.push({ end, ms }), now: () => 'now' });
  const settle = () => new Promise(resolve => setImmediate(resolve));
  const asked = name => sent.filter(({ method, params }) => method === 'tools/call' && params.name === name);
  return {
    app, sent, timers, asked, settle,
    get state() { return states.at(-1); },
    async start() { app.start(); app.receive({ jsonrpc: '2.0', id: sent[0].id, result: { protocolVersion: '2026-01-26', hostCapabilities, hostContext } }); await settle(); },
    async notify(method, params) { app.receive({ jsonrpc: '2.0', method: `ui/notifications/${method}`, params }); await settle(); },
    async reply(request, result) { app.receive({ jsonrpc: '2.0', id: request.id, result }); await settle(); },
    async refuse(request, message) { app.receive({ jsonrpc: '2.0', id: request.id, error: { code: -32000, message } }); await settle(); },
    async show(args, result) { await this.notify('tool-input', { arguments: args }); await this.notify('tool-result', result); },
  };
}
const GOAL = answer({ status: 'goals', line_context: '  simp', goals_before: ['⊢ p'], goals_after: ['⊢ q'] });

describe('with a host', () => {
  test('the handshake, the answer, and the messages of its line', async () => {
    const it = host();
    await it.start();
    assert.deepEqual([it.sent[0].method, it.sent[0].params.protocolVersion, it.sent[1].method], ['ui/initialize', '2026-01-26', 'ui/notifications/initialized']);
    await it.show({ file_path: 'A.lean', line: '7', column: 3 }, GOAL);
    assert.deepEqual([it.state.phase, it.state.title, it.state.view.status, it.state.asked], ['shown', 'A.lean:7:3', '1 goal', 'now']);
    const [request] = it.asked('lean_diagnostic_messages');
    assert.deepEqual(request.params.arguments, { file_path: 'A.lean', start_line: 7, end_line: 7 });
    await it.reply(request, answer({ success: false, items: [{ severity: 'error', message: 'wrong', line: 7, column: 1 }], partial: true }));
    assert.deepEqual([it.state.messages.items.map(({ message }) => message), it.state.messages.note.includes('incomplete')], [['wrong'], true]);
  });
  test('other lines: asked whole, without column; what was shown is gone meanwhile', async () => {
    const it = host({ hostContext: { toolInfo: { tool: { name: 'lean__lean_goal' } } } });
    await it.start();
    await it.show({ file: 'A.lean', line: 7, col: 3, since: 5 }, GOAL);
    it.app.ask(1);
    assert.deepEqual([it.state.phase, it.state.view, it.state.title], ['asking', undefined, 'A.lean:8']);
    const [request] = it.asked('lean__lean_goal');
    assert.deepEqual(request.params.arguments, { file: 'A.lean', line: 8 });
    await it.reply(request, GOAL);
    assert.equal(it.state.phase, 'shown');
    assert.equal(it.asked('lean__lean_diagnostic_messages').at(-1).params.arguments.start_line, 8);
    for (let i = 0; i < 9; i++) it.app.ask(-1);
    assert.equal(it.asked('lean__lean_goal').at(-1).params.arguments.line, 1, 'there is no line 0');
  });
  test('late answers to earlier questions are dropped', async () => {
    const it = host();
    await it.start();
    await it.show({ file_path: 'A.lean', line: 7 }, GOAL);
    const [messages] = it.asked('lean_diagnostic_messages');
    it.app.ask(1);
    it.app.ask(1);
    const [first, second] = it.asked('lean_goal');
    await it.reply(second, answer({ status: 'sorry', goals_after: [] }));
    await it.reply(first, answer({ status: 'proof_complete', goals_after: [] }));
    await it.reply(messages, answer({ success: true, items: [{ severity: 'info', message: 'of line 7', line: 7, column: 1 }] }));
    assert.match(it.state.view.status, /Not proved/);
    assert.equal(it.state.messages, undefined);
  });
  test('refusals, silence and cancellation are said', async () => {
    const it = host();
    await it.start();
    await it.show({ file_path: 'A.lean', line: 7 }, GOAL);
    await it.refuse(it.asked('lean_diagnostic_messages')[0], 'not allowed');
    assert.match(it.state.messages.note, /not known: not allowed/);
    it.app.ask(0);
    assert.ok(it.timers.at(-1).ms > 120_000, 'longer than a call may take');
    it.timers.at(-1).end();
    await it.settle();
    assert.match(it.state.view.status, /no answer from the host/);
    await it.notify('tool-cancelled', { reason: 'by the user' });
    assert.deepEqual([it.state.phase, it.state.asked, it.state.view], ['cancelled', 'by the user', undefined]);
    const silent = host();
    silent.app.start();
    silent.timers[0].end();
    await silent.settle();
    assert.match(silent.state.view.status, /did not start this page/);
  });
  test('a host that passes no calls on is asked nothing', async () => {
    const it = host({ hostCapabilities: {} });
    await it.start();
    await it.show({ file_path: 'A.lean', line: 7 }, GOAL);
    it.app.ask(1);
    assert.deepEqual([it.asked('lean_goal'), it.asked('lean_diagnostic_messages'), it.state.canAsk, it.state.phase], [[], [], false, 'shown']);
  });
  test('requests of the host are answered, whatever it sends', async () => {
    const it = host();
    await it.start();
    const before = it.sent.length;
    for (const [id, method] of [['a', 'ping'], [0, 'ui/resource-teardown'], [1, 'sampling/createMessage']]) it.app.receive({ jsonrpc: '2.0', id, method, params: {} });
    assert.deepEqual(it.sent.slice(before).map(({ id, result, error }) => [id, result ?? error.code]), [['a', {}], [0, {}], [1, -32601]]);
    for (const odd of [null, 7, 'x', [], {}, { jsonrpc: '2.0' }, { jsonrpc: '2.0', id: 99, result: {} }, { jsonrpc: '2.0', method: 'ui/notifications/else' }, { jsonrpc: '2.0', method: 'ui/notifications/tool-result' }]) it.app.receive(odd);
    assert.equal(it.state.view.tone, 'bad');
  });
});

/** As much of a document as the page uses. */
class Element {
  constructor(tag) { Object.assign(this, { tag, children: [], attributes: {}, dataset: {}, style: { setProperty: (name, value) => { this.style[name] = value; } }, listeners: {}, className: '', hidden: false }); }
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
  setAttribute(name, value) { this.attributes[name] = value; }
  addEventListener(name, listener) { this.listeners[name] = listener; }
  getBoundingClientRect() { return { width: 400.2, height: 99.5 }; }
  set textContent(value) { this.children = [String(value)]; }
  get textContent() { return this.children.map(child => (typeof child === 'string' ? child : child.textContent)).join(' '); }
  all(tag) { return this.children.filter(child => child instanceof Element).flatMap(child => [...(child.tag === tag ? [child] : []), ...child.all(tag)]); }
}
function fakeDocument() {
  const ids = Object.fromEntries([...HTML.matchAll(/id="(\w+)"/g)].map(([, id]) => [id, new Element(id)]));
  return { ids, documentElement: new Element('html'), createElement: tag => new Element(tag), getElementById: id => ids[id] };
}

describe('the page', () => {
  const shown = (view, more) => { const document = fakeDocument(); draw(document, { phase: 'shown', view, title: 'A.lean:7', asked: 'now', canAsk: true, ...more }, false); return document; };
  test('fetches nothing, writes no markup, and is one file', () => {
    assert.doesNotMatch(HTML, /https?:|\bsrc=|\bhref=|@import|url\(|XMLHttpRequest|WebSocket|innerHTML|outerHTML|insertAdjacent|document\.write|\beval\(/i);
    assert.match(HTML, /Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'/);
    assert.deepEqual(HTML.match(/fetch\(.*?,/g), ["fetch('files',", "fetch('ask',"], 'only of where it came from, and without a host');
    assert.deepEqual(HTML.match(/EventSource\(.*?\)/g), ['EventSource(`events?${query}`)'], 'only of where it came from, and without a host');
    assert.ok(!HTML.includes(')EMBEDDED"') && !HTML.includes('{{'), 'it has to fit into a literal, with all its parts');
    assert.ok(HTML.startsWith('<!DOCTYPE html>'));
  });
  test('goals with marks in words, unchanged hypotheses hidden on request, messages', () => {
    const view = viewOf(answer({ status: 'error', line_context: '  exact <b>', goals_before: ['p : Prop\n⊢ p'], goals_after: ['p : Prop\nh : p\n⊢ p'], error: { line: 7, column: 3, message: '<img onerror=x>' } }));
    const document = shown(view, { messages: { items: [{ severity: 'warning', line: 7, column: 1, message: 'unused', hint: 'Remove it.' }, { severity: 'error', line: 7, column: 3, message: '<img onerror=x>' }], note: '' } });
    const said = document.ids.content.textContent;
    for (const part of ['Goals after the line', 'new h  : p', '⊢  p', 'Messages', 'warning at 7:1 unused Remove it.', 'As of now.']) assert.ok(said.includes(part), `${part}: ${said}`);
    assert.equal(said.split('<img onerror=x>').length, 2, 'as text, and once');
    assert.deepEqual([document.ids.status.textContent, document.ids.changes.hidden], ['There is an error.', false]);
    draw(document, { phase: 'shown', view, title: '', asked: 'now' }, true);
    assert.match(document.ids.content.textContent, /Messages .*Goals after the line.*new h  : p.* 1 unchanged/s, 'the error first');
    draw(document, { phase: 'asking', view: undefined, title: '', asked: '' }, false);
    assert.deepEqual([document.ids.content.textContent, document.ids.content.attributes['aria-busy'], document.ids.status.textContent], ['', 'true', 'Asking Lean.']);
  });
  test('a list that is cut says how many there are', () => {
    const document = fakeDocument(), all = [{ severity: 'error', line: 1, column: 1, message: 'no' }];
    drawLists(document, { all, total: 1202 }, {});
    assert.equal(document.ids.lists.all('h2')[0].textContent, 'The first 1 of 1,202 messages');
    drawLists(document, { all, total: 1 }, {});
    assert.equal(document.ids.lists.all('h2')[0].textContent, 'All messages (1)');
  });
  test('a list that is cut keeps its order, the important first; a whole one is by line', () => {
    const document = fakeDocument(), all = [['warning', 1201, 'declaration uses `sorry`'], ['info', 2, 'Nat']].map(([severity, line, message]) => ({ severity, line, column: 1, message }));
    const said = total => { drawLists(document, { all, total }, {}); return document.ids.lists.all('code').map(each => each.textContent); };
    assert.deepEqual([said(1202), said(2)], [['declaration uses `sorry`', 'Nat'], ['Nat', 'declaration uses `sorry`']]);
  });
  test('what needs no saying twice, and what a list says of a message', () => {
    const view = viewOf(answer({ status: 'sorry', reason: 'Line 7 has a sorry.', goals_before: ['⊢ p'], goals_after: [] })), said = line => shown(view, { line }).ids.content.textContent;
    assert.deepEqual([said(7).includes('has a sorry'), said(6).includes('Line 7 has a sorry.')], [false, true]);
    const document = fakeDocument(), of = message => { drawLists(document, { all: [{ severity: 'error', line: 1, column: 1, message }] }, {}); return document.ids.lists.all('code')[0].textContent; };
    assert.deepEqual(['unsolved goals\ncase a\nh : p\n⊢ q', 'Try this:\n  [apply] simp', 'one\ntwo', 'unsolved goals'].map(of), ['unsolved goals ⊢ q', 'Try this: [apply] simp', 'one', 'unsolved goals']);
  });
  test('the open work: places, how many of all, in words; hidden if nothing is told; names are text', () => {
    const document = fakeDocument(), opened = [], box = document.ids['open-work'] = new Element('section'), told = {
      open: 312, ready: 1, openable: true, not_looked_at: ['C.lean: not compiled'], changed_statements: ['The statement of t is another.'],
      items: [{ declaration: '<b>a</b>', at: 'A/B.lean:12', ready: true, waiting: 3, approved: false, holder: 'claude (connection 2)', since: 0, why: 'by hand', goal: '⊢ p' }, { declaration: '', at: 'C.lean:1', state: 'unknown', needs: ['a', 'b'], waiting: 1 }],
      record: { all: 70, lines: [{ at: '2001-02-03T12:00:00Z', who: 'claude', did: 'refused', file: 'A.lean', declarations: ['a', 'b'], verdict: '<i>held</i>' }] },
    };
    const draw = told => drawOpenWork(document, told, { open: (...place) => opened.push(place) });
    draw(told);
    const [one, other, line] = box.all('li').map(each => each.textContent.replace(/\s+/g, ' '));
    assert.deepEqual(box.all('h2').map(each => each.textContent), ['Open work (2 of 312)', 'Record (the last 1 of 70)']);
    assert.match(one, /^<b>a<\/b> A\/B\.lean:12 ready · 3 wait for it · no longer the approved statement · held by claude \(connection 2\) since 19\S+ \S+: by hand ⊢ p$/);
    assert.equal(other, 'example C.lean:1 waits for a, b · not compiled · 1 waits for it · free');
    assert.match(line, /^2001-02-0\d \S+ claude was refused a, b in A\.lean : <i>held<\/i>$/);
    assert.deepEqual(box.all('p').map(each => each.textContent), ['1 ready: all that they use is proved.', 'The statement of t is another.', 'C.lean: not compiled']);
    box.all('button')[0].listeners.click();
    assert.deepEqual([opened, box.hidden], [[['A/B.lean', 12]], false]);
    draw({ ...told, openable: false });
    assert.deepEqual(box.all('button'), []);
    draw({ open: 0, ready: 0, partial: true, items: [], record: { all: 0, lines: [] } });
    assert.deepEqual([box.all('h2').length, box.all('p')[0].textContent], [1, 'Nothing is known to be open.']);
    for (const nothing of [{}, undefined]) { draw(nothing); assert.deepEqual([box.hidden, box.children], [true, []]); }
  });
  test('documentation: what is code, strong or emphasised; a star in a word or a formula is none of these', () => {
    const said = whole => { const parts = remarked(whole).filter(([, part]) => part); assert.equal(whole, parts.map(([mark, part]) => mark + part + mark).join('')); return parts.filter(([mark]) => mark).map(part => part.join(' ')); };
    for (const plain of ['2*n*m', 'f^*(x) and g^*(y)', 'a * b * c', '**', '* one *', 'f(x)*y and z*w', '**a*b**', '\\*a\\*']) assert.deepEqual(said(plain), [], plain);
    assert.deepEqual(said('**Main** result, *not* (*yet*) `a*b*c`: the *p*-adic *q* *r*. **Done**.'),
      ['** Main', '* not', '* yet', '` a*b*c', '* p', '* q', '* r', '** Done']);
  });
  test('every action has a key; keys with modifiers and other windows are not ours', async () => {
    const posted = [], listeners = {}, document = fakeDocument(), parent = { postMessage: message => posted.push(message) };
    let resized;
    const window = { document, parent, setTimeout() {}, addEventListener: (name, listener) => { listeners[name] = listener; }, ResizeObserver: class { constructor(changed) { resized = changed; } observe() {} } };
    start(window);
    const receive = (message, source = parent) => { listeners.message({ source, data: { jsonrpc: '2.0', ...message } }); return new Promise(resolve => setImmediate(resolve)); };
    await receive({ id: posted[0].id, result: { hostCapabilities: { serverTools: {} }, hostContext: { theme: 'dark', styles: { variables: { '--color-text-primary': '#123', '--x': 'url(https://a)', 'color': 'red' } } } } });
    assert.deepEqual([document.documentElement.dataset.theme, document.documentElement.style['--color-text-primary'], document.documentElement.style['--x'], document.documentElement.style.color], ['dark', '#123', undefined, undefined]);
    await receive({ method: 'ui/notifications/tool-input', params: { arguments: { file_path: 'A.lean', line: 7 } } });
    await receive({ method: 'ui/notifications/tool-result', params: GOAL }, {});
    assert.equal(document.ids.status.textContent, 'Asking Lean.', 'not from another window');
    await receive({ method: 'ui/notifications/tool-result', params: GOAL });
    assert.equal(document.ids.tools.hidden, false);
    const lines = () => posted.filter(({ params }) => params?.name === 'lean_goal').map(({ params }) => params.arguments.line);
    const press = (key, more) => listeners.keydown({ key, preventDefault() {}, ...more });
    for (const key of ['n', 'p', 'r']) press(key);
    assert.deepEqual(lines(), [8, 7, 7]);
    for (const [key, more] of [['r', { ctrlKey: true }], ['n', { metaKey: true }], ['p', { repeat: true }], ['x', {}], ['toString', {}]]) press(key, more);
    assert.equal(lines().length, 3);
    press('c');
    assert.equal(document.ids.changes.attributes['aria-pressed'], 'true');
    const buttons = [...HTML.matchAll(/<button id="(\w+)" aria-keyshortcuts="(\w)"/g)].map(([, id]) => id);
    assert.deepEqual(buttons.filter(id => !document.ids[id].listeners.click), ['open', 'message', 'sorry', 'follow'], 'these are for a file');
    resized(); resized();
    assert.deepEqual(posted.filter(({ method }) => method === 'ui/notifications/size-changed').map(({ params }) => params), [{ width: 401, height: 100 }]);
  });
  test('light and dark, by the system and by the host', () => {
    assert.match(HTML, /prefers-color-scheme: dark[\s\S]*:root:not\(\[data-theme="light"\]\)[\s\S]*:root\[data-theme="dark"\]/);
    const element = new Element('html');
    applyContext(element, { theme: 'light' });
    applyContext(element, { theme: 'sepia' });
    assert.deepEqual([element.dataset.theme, element.style.colorScheme], ['light', 'light']);
  });
});

/** A viewer and the streams that it opens: {viewer, streams, state, send(event, data), timers}. */
function viewed(place) {
  const streams = [], states = [], timers = [], remembered = [], visited = [];
  const connect = query => {
    const listeners = {}, stream = { query, listeners, readyState: 1, addEventListener: (name, take) => { listeners[name] = take; }, close() { stream.readyState = 2; } };
    streams.push(stream);
    return stream;
  };
  const viewer = new Viewer({ connect, render: state => states.push(structuredClone(state)), remember: (...at) => remembered.push(at), visit: file => visited.push(file), wait: (end, ms) => timers.push({ end, ms }) });
  viewer.start(place);
  const send = (event, data = {}, stream = streams.at(-1)) => stream.listeners[event]({ data: JSON.stringify(data) });
  return {
    viewer, streams, timers, remembered, visited, send,
    get state() { return states.at(-1); },
    text: (text, version = 1, file = 'A.lean') => send('text', { file, project: '/p', version, text }),
    goals: goal => send('goals', { result: answer({ status: 'goals', goals_before: [], goals_after: [goal] }) }),
    messages: (items, more) => send('messages', { result: answer({ items, ...more }) }),
  };
}
const target = ({ view }) => view?.sections[0].goals[0].target;

describe('with the source', () => {
  const TEXT = 'a\nb\nc\nd\n';
  test('asks about its place, and shows what is said about it', () => {
    const it = viewed({ line: 2 });
    assert.equal(it.streams[0].query, 'line=2&version=0');
    it.text(TEXT, 4);
    it.goals('⊢ p');
    assert.deepEqual([it.state.title, it.state.phase, target(it.state), it.state.lines], ['A.lean:2', 'shown', '⊢ p', ['a', 'b', 'c', 'd', '']]);
    it.viewer.move(1);
    assert.deepEqual([it.streams.map(({ query, readyState }) => [query, readyState]), it.state.line, it.remembered.at(-1)], [[['line=2&version=0', 2], ['line=3&version=4', 1]], 3, [3, undefined]]);
    it.send('goals', { result: answer({ status: 'goals', goals_after: ['⊢ late'] }) }, it.streams[0]);
    assert.equal(target(it.state), '⊢ p', 'an answer about the line before is dropped');
    for (let i = 0; i < 9; i++) it.viewer.move(1);
    assert.equal(it.state.line, 5, 'the last one');
  });
  test('what is about to be replaced is marked at once, and gone soon', () => {
    const it = viewed({ line: 2 });
    it.text(TEXT);
    it.goals('⊢ p');
    it.send('asking', { line: 2 });
    assert.deepEqual([it.state.phase, target(it.state)], ['asking', '⊢ p']);
    assert.ok(it.timers.at(-1).ms <= 300);
    it.timers.at(-1).end();
    assert.equal(it.state.view, undefined);
    it.goals('⊢ q');
    it.timers.at(-1).end();
    assert.deepEqual([it.state.phase, target(it.state)], ['shown', '⊢ q'], 'a timer of before takes nothing away');
  });
  test('edits: it goes to them, or stays with its line', () => {
    const it = viewed({ line: 3 });
    it.text(TEXT);
    it.text('a\nb\nc\nnew\nd\n', 2);
    assert.deepEqual([it.state.line, it.streams.at(-1).query], [4, 'line=4&version=2']);
    it.text('a\nb\nc\nnew\nd\n\nlast\n', 2);
    assert.equal(it.state.line, 7, 'not the empty line behind it');
    it.text('a\nb\nc\nnew\nd\n', 2);
    it.viewer.moveTo(4, undefined);
    it.viewer.show({ follow: false });
    it.text('0\na\nb\nc\nnew\nd\n', 3);
    assert.equal(it.state.line, 5, 'the same line, one further down');
    it.text('0\na\nb\nc\nnew\nd\nmore\n', 4);
    assert.equal(it.state.line, 5);
    it.text('0\n', 5);
    assert.equal(it.state.line, 2, 'as far as there is one');
    const same = viewed({ line: 1 });
    same.text(TEXT);
    same.text(TEXT, 2);
    assert.deepEqual([same.state.line, same.streams.length], [1, 1], 'the same text again');
  });
  test('columns: from the first character that is no space, to behind the last', () => {
    const it = viewed({ line: 1 });
    it.text('  𝔸b\n');
    const columns = () => it.state.column;
    it.viewer.moveColumn(1);
    assert.deepEqual([columns(), it.streams.at(-1).query], [3, 'line=1&column=3&version=1']);
    for (let i = 0; i < 5; i++) it.viewer.moveColumn(1);
    assert.equal(columns(), 5);
    it.viewer.move(0);
    assert.deepEqual([columns(), it.state.title], [undefined, 'A.lean:1']);
  });
  test('messages: flags, those of the line, the next one, and where it begins', () => {
    const it = viewed({}), items = [{ severity: 'warning', line: 2, end_line: 2, column: 1, message: 'w' }, { severity: 'error', line: 3, end_line: 4, column: 1, message: 'e' }, { severity: 'info', line: 3, end_line: 3, column: 1, message: 'i' }];
    it.text(TEXT);
    it.messages(items, { still_elaborating_lines: [[4, 5]] });
    assert.deepEqual([it.state.line, [...it.state.flags], it.state.elaborating, it.state.working], [3, [[3, 'error'], [2, 'warning']], [[4, 5]], 'Lean is still working on lines 4 to 5.']);
    it.goals('⊢ p');
    assert.deepEqual(it.state.messages.items.map(({ message }) => message), ['e', 'i']);
    it.viewer.nextMessage();
    assert.equal(it.state.line, 2, 'behind the last comes the first');
    it.messages(items);
    assert.equal(it.state.line, 2, 'once somebody has chosen a line, it stays');
    it.goals('⊢ p');
    assert.deepEqual([it.state.messages.items.map(({ message }) => message), it.state.working], [['w'], '']);
  });
  test('another file: by its name, from its first error on, and back by the address', () => {
    const it = viewed({ line: 3 });
    it.text(TEXT);
    it.messages([{ severity: 'error', line: 2, column: 1, message: 'e' }]);
    it.viewer.openFile('Sub/B c.lean');
    assert.deepEqual([it.visited, it.state.lines, it.state.view, it.streams.at(-1).query], [['Sub/B c.lean'], undefined, undefined, 'line=1&version=0&file=Sub%2FB%20c.lean']);
    it.text('x\ny\nz\n', 1, 'Sub/B c.lean');
    assert.equal(it.state.edits.length, 0, 'another file is no edit');
    it.messages([{ severity: 'warning', line: 3, column: 1, message: 'w' }]);
    assert.deepEqual([it.state.title, it.remembered.at(-1)], ['Sub/B c.lean:3', [3, undefined]]);
    it.viewer.goToAddress({ line: 2 });
    assert.deepEqual([it.streams.at(-1).query, it.visited.length], ['line=2&version=0', 1]);
    it.text(TEXT);
    assert.equal(it.state.title, 'A.lean:2');
    it.viewer.goToAddress({ line: 4 });
    assert.equal(it.state.title, 'A.lean:4', 'the same file, another place');
    const direct = viewed({ file: 'B.lean', line: 2 });
    assert.equal(direct.streams[0].query, 'line=2&version=0&file=B.lean');
  });
  test('what is known of files holds until another text', () => {
    const it = viewed({}), known = () => { const { at, ...counts } = it.viewer.knownOf('/p', 'A.lean') ?? {}; return counts; };
    it.text(TEXT);
    it.messages([{ severity: 'error', line: 2, column: 1, message: 'e' }, { severity: 'warning', line: 3, column: 1, message: 'w' }]);
    assert.deepEqual(known(), { errors: 1 });
    it.text('a\n', 2);
    assert.deepEqual(known(), {});
    it.messages([]);
    assert.deepEqual([known(), it.viewer.knownOf('/other', 'A.lean')], [{ errors: 0 }, undefined]);
  });
  test('errors, a lost connection, the end', () => {
    const it = viewed({ line: 1 });
    it.text(TEXT);
    it.send('goals', { result: { isError: true, content: [{ type: 'text', text: '{"error":{"message":"File not found: A.lean."}}' }] } });
    assert.deepEqual([it.state.view.status, it.state.phase], ['File not found: A.lean.', 'shown']);
    it.streams.at(-1).readyState = 0;
    it.send('error');
    assert.deepEqual([it.state.phase, it.state.view.status], ['lost', 'The connection to leanbridge is lost. Trying again.']);
    it.goals('⊢ p');
    assert.equal(target(it.state), '⊢ p');
    it.send('end');
    assert.match(it.state.view.status, /has ended/);
    assert.equal(it.streams.at(-1).readyState, 2);
  });
});

describe('offered', () => {
  for (const era of ['legacy', 'modern']) {
    const connected = (capabilities, body) => async () => {
      const client = spawnBridge({ project: scratchProject({ 'A.lean': 'theorem a : True := by\n  trivial\n' }), lake: fakeLake().command });
      try {
        await client.connect({ era, capabilities });
        await body(client);
        await client.close();
      } finally { await client.destroy(); }
    };
    const uris = async client => (await client.request('resources/list', {})).resources.map(({ uri }) => uri);
    const linked = async client => (await client.listTools()).filter(tool => tool._meta !== undefined).map(tool => [tool.name, tool._meta]);
    test(`${era}: to clients that show pages: linked from lean_goal, listed, readable`, { timeout }, connected(SHOWS, async client => {
      assert.deepEqual(client.server.capabilities.extensions['io.modelcontextprotocol/ui'], {});
      assert.deepEqual(await linked(client), [['lean_goal', { ui: { resourceUri: URI } }]]);
      assert.ok((await uris(client)).includes(URI));
      const { contents } = await client.request('resources/read', { uri: URI });
      assert.deepEqual(contents, [{ uri: URI, mimeType: MIME, text: HTML, _meta: { ui: { prefersBorder: true } } }]);
      const { structured } = await client.call('lean_goal', { file_path: 'A.lean', line: 2 });
      assert.equal(viewOf(answer(structured)).sections.length, 1, 'of a finished proof there is only what was before');
    }));
    for (const [what, capabilities] of [['no extension', {}], ['another type', { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/uri-list'] } } }]]) {
      test(`${era}: not to others (${what}), who pay for no byte of it`, { timeout }, connected(capabilities, async client => {
        assert.equal(client.server.capabilities.extensions['io.modelcontextprotocol/ui'], undefined);
        assert.deepEqual(await linked(client), []);
        assert.ok(!(await uris(client)).includes(URI));
        assert.equal((await client.request('resources/read', { uri: URI })).contents[0].mimeType, MIME);
      }));
    }
  }
});

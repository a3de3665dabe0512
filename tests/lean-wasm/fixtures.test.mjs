// The files of fixtures/projects/basics, as a client of the server sees them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LspClient } from '../support/lsp-client.mjs';
import { lake, positionOf, TestProject } from '../support/lean-project.mjs';

describe('the files of basics', () => {
  let project, client;

  before(async () => {
    project = new TestProject('basics');
    client = new LspClient(lake, ['serve', '--', '-Dserver.reportDelayMs=0'], { cwd: project.root });
    await client.initialize({ lean: { silentDiagnosticSupport: true } });
  });
  after(async () => {
    await client.dispose();
    project.remove();
  });

  /** One worker at a time: each takes a gigabyte. */
  async function withOpen(name, use) {
    const file = { uri: project.uri(`Basics/${name}.lean`), text: project.read(`Basics/${name}.lean`) };
    client.open(file.uri, file.text);
    const at = (needle, offset) => ({ textDocument: { uri: file.uri }, position: positionOf(file.text.replaceAll('\r\n', '\n'), needle, offset) });
    try {
      await use({ ...file, at, goals: async (needle, offset) => (await client.request('$/lean/plainGoal', at(needle, offset)))?.goals });
    } finally {
      client.close(file.uri);
    }
  }

  test('Goals: silent marks for what is proved, one sorry', () => withOpen('Goals', async ({ uri, goals, at }) => {
    const diagnostics = await client.check(uri);
    const shown = diagnostics.filter(({ isSilent }) => !isSilent);
    assert.deepEqual(shown.map(({ message }) => message), ['declaration uses `sorry`']);
    assert.ok(diagnostics.filter(({ leanTags }) => leanTags?.includes(2)).length >= 9);
    assert.deepEqual(await goals('exact h.right'), ['case left\np q : Prop\nh : p ∧ q\n⊢ q']);
    assert.deepEqual((await goals('constructor <;>', 'constructor'.length)).length, 2);
    const { goal } = await client.request('$/lean/plainTermGoal', at('⟨hp, hq⟩, by', 1));
    assert.match(goal, /⊢ p$/);
  }));

  test('Unicode: columns are UTF-16 units', () => withOpen('Unicode', async ({ uri, goals }) => {
    assert.deepEqual((await client.check(uri)).filter(({ isSilent }) => !isSilent), []);
    assert.deepEqual(await goals('rw [h₁]'), ['h₁ : x₁ = 2\nα\' : Nat\n⊢ x₁ + α\' = 2 + α\'']);
    assert.deepEqual(await goals('constructor; rfl'), ['⊢ "🙂" = "🙂" ∧ x₁ = 2']);
  }));

  test('Crlf: positions are those of the text with LF', () => withOpen('Crlf', async ({ uri, text, goals }) => {
    assert.ok(text.includes('\r\n'));
    assert.deepEqual((await client.check(uri)).filter(({ isSilent }) => !isSilent), []);
    assert.deepEqual(await goals('exact hq'), ['case right\np q : Prop\nhp : p\nhq : q\n⊢ q']);
  }));

  test('TryThis: a code action carries the edit', () => withOpen('TryThis', async ({ uri, at }) => {
    const diagnostics = await client.check(uri);
    assert.equal(diagnostics.filter(({ message }) => message.startsWith('Try this:')).length, 2);
    const { position } = at('exact?', 2);
    const actions = await client.request('textDocument/codeAction', { textDocument: { uri }, range: { start: position, end: position }, context: { diagnostics: [] } });
    const [{ newText, range }] = actions.find(({ title }) => title.startsWith('Try this:')).edit.documentChanges[0].edits;
    assert.equal(newText, 'exact Nat.add_comm a b');
    assert.deepEqual(range.start, at('exact?', 0).position);
  }));

  test('Slow: what is above a running proof answers at once, below it an edit reuses it', () => withOpen('Slow', async ({ uri, text, goals }) => {
    const barrier = client.check(uri).then(() => performance.now());
    assert.deepEqual(await goals('exact hp'), ['p : Prop\nhp : p\n⊢ p']);
    const answered = performance.now();
    assert.ok(await barrier - answered > 5000, 'the proof that sleeps 8 s was still running');
    const edited = performance.now();
    client.change(uri, `${text}-- the end\n`, 2);
    await client.check(uri, 2);
    assert.ok(performance.now() - edited < 3000);
  }));
});

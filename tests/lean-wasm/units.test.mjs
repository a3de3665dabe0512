// Parts without Lean.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeMessage, MessageReader } from '../../fixtures/lean-wasm/lib/frames.mjs';
import { joinName, parseHeader, splitName } from '../../fixtures/lake/header.mjs';
import { applyChanges, endPosition, normaliseLineEnds } from '../../fixtures/lean-wasm/lib/text.mjs';
import { parseToml, TomlError } from '../../fixtures/lake/toml.mjs';

test('messages are found in pieces of any size', () => {
  const messages = [{ a: '𝔸' }, { b: 'x'.repeat(1000) }, {}];
  const stream = Buffer.concat(messages.map(encodeMessage));
  for (const size of [1, 2, 7, 100, stream.length]) {
    const received = [];
    const reader = new MessageReader(message => received.push(message));
    for (let i = 0; i < stream.length; i += size) reader.feed(stream.subarray(i, i + size));
    assert.deepEqual(received, messages, `pieces of ${size}`);
  }
});

test('a body in many pieces costs linear time', () => {
  const message = { text: 'x'.repeat(20_000_000) };
  const stream = encodeMessage(message);
  let received = 0;
  const reader = new MessageReader(() => received++);
  const began = performance.now();
  for (let i = 0; i < stream.length; i += 4096) reader.feed(stream.subarray(i, i + 4096));
  assert.equal(received, 1);
  assert.ok(performance.now() - began < 2000, 'joining at every piece would copy 50 GB');
});

test('other headers and any case are accepted', () => {
  let received;
  const reader = new MessageReader(message => { received = message; });
  reader.feed(Buffer.from('Content-Type: x\r\ncontent-length: 2\r\n\r\n{}'));
  assert.deepEqual(received, {});
});

test('header: comments, module, kinds of import', () => {
  const text = '/- a /- nested -/ -/ module -- b\n\npublic import A.«b.c»\nimport all D meta import E\nimport F\n\n/-- doc -/ def importing := 1\nimport G';
  const header = parseHeader(text);
  assert.equal(header.isModule, true);
  assert.deepEqual(header.imports.map(({ module }) => module), [['A', 'b.c'], ['D'], ['E'], ['F']]);
  assert.deepEqual(header.imports.map(({ isPublic }) => isPublic), [true, false, false, false]);
  assert.deepEqual(header.imports.map(({ isAll }) => isAll), [false, true, false, false]);
  assert.deepEqual(header.imports.map(({ isMeta }) => isMeta), [false, false, true, false]);
});

test('header: none', () => {
  assert.deepEqual(parseHeader('importantly\n').imports, []);
  assert.deepEqual(parseHeader('').imports, []);
  assert.deepEqual(parseHeader('/- open').imports, []);
});

test('names', () => {
  assert.deepEqual(splitName('A.«b.c».D₁'), ['A', 'b.c', 'D₁']);
  assert.equal(joinName(['A', 'b.c', 'D₁']), 'A.«b.c».D₁');
});

test('changes count UTF-16 units and are clamped', () => {
  const at = (line, character) => ({ line, character });
  assert.equal(applyChanges('a𝔸b\nc', [{ range: { start: at(0, 3), end: at(0, 4) }, text: 'X' }]), 'a𝔸X\nc');
  assert.equal(applyChanges('ab\nc', [{ range: { start: at(0, 9), end: at(9, 9) }, text: '!' }]), 'ab!');
  assert.equal(applyChanges('ab', [{ text: 'x\r\ny' }, { range: { start: at(1, 0), end: at(1, 1) }, text: 'z' }]), 'x\nz');
  assert.equal(normaliseLineEnds('a\r\nb\n'), 'a\nb\n');
  assert.deepEqual(endPosition('ab\ncd'), at(1, 2));
});

test('the TOML of a lakefile', () => {
  const parsed = parseToml('name = "x" # c\ndefaultTargets = ["A",\n  "B#"] \n[leanOptions]\npp.unicode.fun = true\n[[lean_lib]]\nname = "A"\n[[lean_lib]]\nname = \'B\'\n');
  assert.deepEqual(JSON.parse(JSON.stringify(parsed)), {
    name: 'x', defaultTargets: ['A', 'B#'], leanOptions: { pp: { unicode: { fun: true } } }, lean_lib: [{ name: 'A' }, { name: 'B' }],
  });
  assert.throws(() => parseToml('x = ["a",'), TomlError);
});

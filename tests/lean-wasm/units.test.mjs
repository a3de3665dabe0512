// Parts that need no Lean.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeMessage, MessageReader } from '../../fixtures/lean-wasm/lib/frames.mjs';
import { applyChanges, endPosition, normaliseLineEnds } from '../../fixtures/lean-wasm/lib/text.mjs';

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

test('changes count UTF-16 units and are clamped', () => {
  const at = (line, character) => ({ line, character });
  assert.equal(applyChanges('a𝔸b\nc', [{ range: { start: at(0, 3), end: at(0, 4) }, text: 'X' }]), 'a𝔸X\nc');
  assert.equal(applyChanges('ab\nc', [{ range: { start: at(0, 9), end: at(9, 9) }, text: '!' }]), 'ab!');
  assert.equal(applyChanges('ab', [{ text: 'x\r\ny' }, { range: { start: at(1, 0), end: at(1, 1) }, text: 'z' }]), 'x\nz');
  assert.equal(normaliseLineEnds('a\r\nb\n'), 'a\nb\n');
  assert.deepEqual(endPosition('ab\ncd'), at(1, 2));
});

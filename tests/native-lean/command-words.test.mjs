// The words by which src/core/text knows Lean's commands (src/core/text/command_words.hpp), beside the tokens of Lean.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { lean, skip } from './support.mjs';

const table = fs.readFileSync(path.resolve(import.meta.dirname, '../../src/core/text/command_words.hpp'), 'utf8');
const words = [...table.matchAll(/^ +\{"(\w+)", ([\w |]+)\},$/gm)].map(([, word, kinds]) => ({ word, kinds: kinds.split(' | ') }));

const question = `import Lean
run_cmd do
  for token in (Lean.Parser.getTokenTable (← Lean.getEnv)).values do
    IO.println token
`;

describe('the words of commands', { skip }, () => {
  const { status, lines: tokens } = skip ? { lines: [] } : lean('full', question);
  test('each is a token of Lean, unless the table says that it is not', () => {
    assert.equal(status, 0);
    assert.ok(words.length > 50 && tokens.length > 300, `${words.length} words, ${tokens.length} tokens`);
    assert.deepEqual(words.filter(({ word, kinds }) => tokens.includes(word) === kinds.includes('kLibrary')), []);
  });
});

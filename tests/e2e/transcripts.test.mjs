// Every transcript of fixtures/transcripts, each on a bridge of its own; and that a wrong one fails.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { root } from '../support/bridge.mjs';
import { allTranscripts, differences, erasOf, parseTranscripts, play } from '../support/transcripts.mjs';

const timeout = 180_000;

// Six at a time: none of them measures time, and most of it is waiting.
describe('transcripts', { concurrency: 3 }, () => {
  for (const { name: file, transcripts } of allTranscripts()) {
    describe(`${file}.txt`, { concurrency: 2 }, () => {
      for (const transcript of transcripts) for (const era of erasOf(transcript))
        test(erasOf(transcript).length > 1 ? `${transcript.name} (${era})` : transcript.name, { timeout }, () => play(transcript, era));
    });
  }
});

test('the examples of the documents pass', { timeout }, async () => {
  for (const file of ['CONTRIBUTING.md', 'fixtures/transcripts/README.md']) {
    const example = fs.readFileSync(path.join(root, file), 'utf8').split('\n\n').find(block => block.includes('    --> '));
    await play(parseTranscripts(example.replaceAll(/^ {4}/gm, ''), file)[0], 'legacy');
  }
});

describe('a transcript fails', () => {
  const fails = (name, lines, says) => test(name, { timeout }, async () => {
    const [transcript] = parseTranscripts(lines.join('\n'), 'it.txt');
    await assert.rejects(play(transcript, 'legacy'), says);
  });
  fails('with file, line, what was expected and what came', ['--> no/such/method', '<-- error {"code": -1}'], /it\.txt:2: expected <-- error \{"code": -1\}\n {2}came \{.*"id":3.*\n {2}\/code: expected -1, got -32601\n/);
  fails('where something comes that it does not have', ['--> ping', '--> tools/list', '<-- result {"tools": "/lean_goal/"}'], /it\.txt:3: .*\n {2}came \{.*"result":\{\}\}\n {2}not the answer to 4/);
  fails('at its end, too', ['--> ping'], /it\.txt:1: after the last line came \{/);
  fails('where an error comes for a result', ['--> lean_goal {}', '<-- result {}'], /expected \{\}, got nothing/);
  fails('where another request is answered', ['--> a: ping', '--> b: ping', '<-- b: {}'], /it\.txt:3: .*\n.*\n {2}not the answer to b/);
  fails('where its JSON is wrong', ['--> ping {'], /it\.txt:1: Expected property name/);
  fails('when Lean was asked something else', ['--> ping', '<-- result {}', '==> 0 start {"a": 1}'], /\/a: expected 1, got nothing/);
  test('where a value is another', () => {
    const of = (expected, actual, options) => differences(expected, actual, options).length;
    assert.deepEqual([of({ a: [1] }, { a: [1], b: 2 }), of({ a: [1] }, { a: [1, 2] }), of({ a: 1 }, { a: 1, b: 2 }, { exactly: true }), of({ a: '<absent>' }, { a: 1 }), of({ a: '<absent>' }, {}), of({ a: { '<exactly>': {} } }, { a: { b: 1 }, c: 1 })], [0, 1, 1, 1, 0, 1]);
    assert.deepEqual([of('/^x.*z$/', 'x\nz'), of('/^x$/', 'xy'), of('/"a":1/', { a: 1 }), of(['$x', '$x'], [{ a: 1 }, { a: 1 }]), of(['$x', '$x'], [1, 2]) > 0, of('$x', undefined), of(null, undefined), of({}, null), of({ a: 1 }, '{"a":1}'), of([], '{')], [0, 1, 0, 0, true, 1, 1, 1, 0, 1]);
  });
  test('when a line is none of it or at the wrong place, or nothing is sent', () => {
    assert.throws(() => parseTranscripts('--> ping\n->> ping', 'it.txt'), /it\.txt:2: not a line of a transcript/);
    assert.throws(() => parseTranscripts('--> ping\nserver: --offline', 'it.txt'), /it\.txt:2: below an arrow/);
    assert.throws(() => parseTranscripts('== a\n# nothing\n', 'it.txt'), /nothing is sent in a/);
  });
});

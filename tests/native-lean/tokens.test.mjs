// What src/core/text/lean_lexer.cpp makes of texts, beside what Lean makes of them: where the lexer is sure, Lean reads the same.
//
//   LEANBRIDGE_TOKEN_TEXTS: how many texts, from one seed (LEANBRIDGE_TOKEN_SEED); a thousand without it
//   LEANBRIDGE_TOKENS: the program leanbridge_tokens; without it that of build/release, or of build/debug
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { lean, skip, temporaryFolder } from './support.mjs';
import { textsOf } from './token-texts.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');
const program = [process.env.LEANBRIDGE_TOKENS, ...['release', 'debug'].map(preset => path.join(root, 'build', preset, 'leanbridge_tokens'))]
  .find(file => file && fs.existsSync(file));
const KINDS = ['line comment', 'block comment', 'doc comment', 'string', 'character', 'word', 'number', 'symbol'];
const isComment = ({ kind }) => kind === 'line comment' || kind === 'block comment';

/** Both readings of each text: {text, doubt, tokens, error, leaves}, with offsets in bytes. */
function readings(texts) {
  const folder = temporaryFolder();
  const input = Buffer.concat(texts.flatMap(text => { const bytes = Buffer.from(text); return [Buffer.from(`${bytes.length}\n`), bytes]; }));
  fs.writeFileSync(path.join(folder, 'texts'), input);
  const { status, output } = lean('full', fs.readFileSync(path.join(import.meta.dirname, 'Tokens.lean'), 'utf8'), { folder, name: 'Tokens' });
  assert.equal(status, 0, output);
  const theirs = fs.readFileSync(path.join(folder, 'read'), 'utf8').trimEnd().split('\n');
  const ours = spawnSync(program, { input, encoding: 'utf8', maxBuffer: 1 << 30 }).stdout.trimEnd().split('\n');
  assert.deepEqual([theirs.length, ours.length], [texts.length, texts.length]);
  return texts.map((text, i) => {
    const { doubt, tokens } = JSON.parse(ours[i]);
    const [error, ...leaves] = theirs[i].split(' ').filter(Boolean);
    return {
      text, doubt, tokens: tokens.map(([kind, begin, end]) => ({ kind: KINDS[kind], begin, end })),
      error: error === '-' ? Infinity : Number(error),
      leaves: leaves.map(leaf => leaf.split(':')).map(([kind, begin, end]) => ({ kind, begin: Number(begin), end: Number(end) })).filter(({ kind }) => kind !== 'c'),
    };
  });
}

/** Where the two readings differ, up to the first error of Lean; undefined: nowhere. */
function difference({ text, tokens, error, leaves }) {
  const bytes = Buffer.from(text);
  const shown = ({ kind, begin, end }) => `${kind} ${JSON.stringify(bytes.subarray(begin, end).toString())} at ${begin}`;
  const read = leaves.filter(({ begin, end }) => begin < end && end <= error);
  const limit = Math.max(0, ...read.map(({ end }) => end));
  const ours = tokens.filter(({ end }) => end <= limit);
  const around = leaf => tokens.find(token => token.begin <= leaf.begin && leaf.begin < token.end);
  for (const leaf of read) {
    const token = around(leaf);
    if (!token || isComment(token)) return `Lean has ${shown(leaf)}, we have ${token ? shown(token) : 'white space'}`;
    if (token.kind === 'doc comment') continue;
    const isInString = token.kind === 'string' && (token.begin < leaf.begin || leaf.kind === 'h');
    if (isInString) {
      if (!read.some(({ kind, begin }) => kind === 'h' && begin === token.begin)) return `Lean has ${shown(leaf)}, we have it in ${shown(token)}`;
      if (error === Infinity && !read.some(({ kind, end }) => kind === 'h' && end === token.end)) return `Lean has ${shown(leaf)}, we have ${shown(token)}, which ends elsewhere`;
      continue;
    }
    const kind = { i: 'word', s: token.kind === 'character' ? 'character' : 'string' }[leaf.kind];
    if (token.begin !== leaf.begin || (kind && (token.kind !== kind || token.end !== leaf.end))) return `Lean has ${shown(leaf)}, we have ${shown(token)}`;
    if (!tokens.some(({ end }) => end === leaf.end)) return `Lean has ${shown(leaf)}, no token of ours ends there`;
  }
  for (const token of ours) {
    if (isComment(token) || token.kind === 'doc comment') continue;
    if (!read.some(({ begin, end }) => begin <= token.begin && token.begin < end) && !(token.kind === 'string')) return `we have ${shown(token)}, Lean has nothing there`;
  }
  return undefined;
}

describe('the tokens of a text', { skip: skip || (!program && 'the program leanbridge_tokens is not built') }, () => {
  const seed = Number(process.env.LEANBRIDGE_TOKEN_SEED || 1);
  const count = Number(process.env.LEANBRIDGE_TOKEN_TEXTS || 1000);
  test(`${count} texts: where our lexer is sure, Lean reads the same`, { timeout: 600_000 }, () => {
    const all = readings(textsOf(seed, count));
    const sure = all.filter(({ doubt }) => doubt === null);
    const whole = sure.filter(({ error }) => error === Infinity);
    const different = sure.map(reading => ({ text: reading.text, difference: difference(reading) })).filter(each => each.difference);
    const doubted = all.filter(reading => reading.doubt !== null && difference(reading)).length;
    console.log(`${all.length} texts: the lexer is sure of ${sure.length}, ${whole.length} of which Lean reads to the end; ${different.length} differ, and ${doubted} of the others`);
    assert.deepEqual(different.slice(0, 20), []);
    assert.ok(sure.length > count / 4 && whole.length > count / 8 && doubted > count / 50, 'too few texts say anything');
  });
});

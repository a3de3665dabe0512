// Lean files whose right answers are known for every text they have had; tests/support/soak-load.mjs edits and queries them.
import fs from 'node:fs';
import path from 'node:path';

// Long enough that a text kept by mistake shows in the memory of a process. It follows the proofs, and Lean ignores it.
const PADDING = `/-\n${`${'.'.repeat(98)}\n`.repeat(1000)}-/\n`;
/** Extra bytes in a process that keeps one text too many. */
export const TEXT_BYTES = PADDING.length;
const MOST_PROOFS = 8;

export const goalOf = value => `a : Nat\nh : a = ${value}\n⊢ a = ${value}`;

/** mulberry32: the same numbers for the same seed, everywhere. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = limit => Math.floor(next() * limit);
  const pick = list => list[below(list.length)];
  const shuffled = list => {
    const left = [...list];
    return list.map(() => left.splice(below(left.length), 1)[0]);
  };
  return { next, below, pick, shuffled, chance: probability => next() < probability };
}

/** A text and its right answers. Lines are 1-based. */
class Text {
  constructor(name, proofs) {
    this.proofs = proofs;
    this.lines = [];
    this.values = new Map();   // line of a tactic -> the value in its goal
    this.errors = [];          // lines with an error
    this.names = [];
    for (const { id, value, broken, note } of proofs) {
      if (note) this.lines.push(`-- note ${note}`);
      this.names.push(`${name}_${id}`);
      this.lines.push(`theorem ${name}_${id} (a : Nat) (h : a = ${value}) : a = ${value} := by`, `  exact ${broken ? `no${value}` : 'h'}`, '');
      this.values.set(this.lines.length - 1, value);
      if (broken) this.errors.push(this.lines.length - 1);
    }
    this.content = `${this.lines.join('\n')}\n${PADDING}`;
    this.lineCount = this.content.split('\n').length - 1;
  }
  get goals() { return this.proofs.map(proof => goalOf(proof.value)); }
  lineOf(id) { const line = this.lines.findIndex(text => text.includes(`_${id} (`)); return line < 0 ? undefined : line + 2; }
  goalOf(id) { const value = this.proofs.find(proof => proof.id === id)?.value; return value && goalOf(value); }
  /** -1 for a line that does not exist. */
  lengthOf(line) { return line > this.lineCount ? -1 : (this.content.split('\n')[line - 1] ?? '').length; }
  goalAt(line) { const value = this.values.get(line); return value && goalOf(value); }
}

let written = 0;
let lastValue = 100_000;   // all values ever used differ, so that an answer about an old text cannot look right

export class SoakFile {
  #nextId = 0;
  history = [];   // [{text, from, until}]: text undefined while there is no file; times of performance.now()

  constructor(folder, name, random) {
    this.name = name;
    this.path = path.join(folder, `${name}.lean`);
    this.random = random;
    this.write(Array.from({ length: 3 }, () => this.#proof()));
  }

  get exists() { return this.history.at(-1).text !== undefined; }
  /** Its newest text. */
  get text() { return this.history.findLast(entry => entry.text).text; }

  #proof(broken = false) { return { id: this.#nextId++, value: ++lastValue, broken, note: 0 }; }

  /** Replaces the whole text: a concurrent reader sees either the old or the new one. */
  write(proofs) {
    const text = new Text(this.name, proofs);
    const from = performance.now();
    const temporary = `${this.path}.${++written}.tmp`;
    fs.writeFileSync(temporary, text.content);
    fs.renameSync(temporary, this.path);
    this.#is(text, from);
  }
  remove() {
    const from = performance.now();
    fs.unlinkSync(this.path);
    this.#is(undefined, from);
  }
  #is(text, from) {
    if (this.history.length) this.history.at(-1).until = performance.now();
    this.history.push({ text, from, until: Infinity });
    if (this.history.length > 100) this.history.shift();
  }

  /** Makes one edit, as an agent would; returns the id of a proof it affects. */
  edit() {
    const proofs = this.text.proofs.map(proof => ({ ...proof }));
    const proof = this.random.pick(proofs);
    const kind = this.random.pick(['value', 'value', 'break', 'note', 'more', 'less']);
    if (kind === 'value') proof.value = ++lastValue;
    if (kind === 'break') proof.broken = !proof.broken;
    if (kind === 'note') proof.note = proof.note ? 0 : ++lastValue;
    if (kind === 'more' && proofs.length < MOST_PROOFS) proofs.splice(this.random.below(proofs.length + 1), 0, this.#proof(this.random.chance(0.2)));
    if (kind === 'less' && proofs.length > 2) proofs.splice(proofs.findIndex(({ id }) => id !== proof.id), 1);
    this.write(proofs);
    return proof.id;
  }

  /** The texts that the file had between two times; undefined stands for no file. */
  during(begin, end) { return this.history.filter(({ from, until }) => from <= end && until >= begin).map(({ text }) => text); }
}

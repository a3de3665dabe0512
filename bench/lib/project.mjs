// Projects for a benchmark: every side works on its own copy of the same project.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fixture, temporaryFolder } from '../../tests/support/bridge.mjs';

const TOOLCHAIN = fs.readFileSync(fixture('projects', 'basics', 'lean-toolchain'), 'utf8');

export class Project {
  texts = new Map();   // relative path -> text, as the bare client has it in its editor

  constructor(files = {}) {
    this.root = temporaryFolder('bench');
    fs.writeFileSync(path.join(this.root, 'lakefile.toml'), 'name = "bench"\n\n[[lean_lib]]\nname = "Bench"\n');
    fs.writeFileSync(path.join(this.root, 'lean-toolchain'), TOOLCHAIN);
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  path(name) { return path.join(this.root, name); }
  uri(name) { return pathToFileURL(this.path(name)).href; }
  text(name) { return this.texts.get(name); }
  /** As it is on the disk, where a server may have written it. */
  read(name) { return fs.readFileSync(this.path(name), 'utf8'); }

  /** Writes in place, as some editors do; with `atomic`, by renaming, as others do. */
  write(name, text, { atomic = false } = {}) {
    this.texts.set(name, text);
    const file = this.path(name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    if (!atomic) return fs.writeFileSync(file, text);
    fs.writeFileSync(`${file}.new`, text);
    return fs.renameSync(`${file}.new`, file);
  }

  replace(name, from, to) {
    const text = this.text(name);
    if (!text.includes(from)) throw new Error(`${name} does not hold ${from}`);
    this.write(name, text.replace(from, () => to));
  }
}

/** The 1-based line and column of the nth `needle` in `text`. */
export function place(text, needle, nth = 1) {
  let index = -1;
  for (let i = 0; i < nth; i++) index = text.indexOf(needle, index + 1);
  if (index < 0) throw new Error(`not there: ${needle}`);
  const before = text.slice(0, index);
  return { line: before.split('\n').length, column: index - before.lastIndexOf('\n') };
}

/** Theorem `name` on three lines; the last two are its proof. */
export const theorem = (name, number) => `theorem ${name} (a b : Nat) (h : a = b) : a + ${number} = b + ${number} := by\n  rw [h]\n\n`;
export const theorems = (count, prefix = 't') => Array.from({ length: count }, (_, i) => theorem(`${prefix}${i}`, i)).join('');

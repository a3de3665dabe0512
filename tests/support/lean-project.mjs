// Fixture projects for tests: each test works on a copy, so that builds and edits leave no trace in the repository.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const repository = path.resolve(import.meta.dirname, '..', '..');

export const lake = path.join(repository, 'fixtures', 'lean-wasm', 'lake');

export class TestProject {
  /** @param {'basics' | 'multi'} name */
  constructor(name) {
    // The real path, because servers answer with it.
    this.root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), `leanbridge-${name}-`)));
    fs.cpSync(path.join(repository, 'fixtures', 'projects', name), this.root, { recursive: true, filter: source => !source.includes('.lake') });
  }

  path(relative) {
    return path.join(this.root, relative);
  }

  uri(relative) {
    return pathToFileURL(this.path(relative)).href;
  }

  read(relative) {
    return fs.readFileSync(this.path(relative), 'utf8');
  }

  write(relative, text) {
    fs.writeFileSync(this.path(relative), text);
  }

  remove() {
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}

/** The LSP position of the first occurrence of `needle`, moved by `offset` UTF-16 units. */
export function positionOf(text, needle, offset = 0) {
  const index = text.indexOf(needle);
  if (index < 0) throw new Error(`not in the text: ${needle}`);
  const before = text.slice(0, index + offset);
  const line = before.split('\n').length - 1;
  return { line, character: before.length - (before.lastIndexOf('\n') + 1) };
}

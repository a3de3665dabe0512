// The tables in which Mathlib itself says what people call things, and which declaration is meant: docs/100.yaml, 1000.yaml, undergrad.yaml
// and overview.yaml.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from '../../tests/support/bridge.mjs';

const { parse } = createRequire(path.join(root, 'tests/e2e/package.json'))('yaml');

const theorems = table => Object.values(table).map(({ title, decl, decls }) => ({ query: String(title), names: decls ?? (decl ? [decl] : []) }));

/** The leaves of a tree of topics, unless they are links. */
const topics = tree => Object.entries(tree ?? {}).flatMap(([query, value]) =>
  typeof value === 'object' ? topics(value) : [{ query, names: /^https?:|\.html$/.test(value) ? [] : [value] }]);

/** @returns [{table, query, names}] of the Mathlib in this folder: the entries that name a declaration */
export function readTables(folder) {
  const readers = { 100: theorems, 1000: theorems, undergrad: topics, overview: topics };
  const all = Object.entries(readers).flatMap(([table, read]) =>
    read(parse(fs.readFileSync(path.join(folder, 'docs', `${table}.yaml`), 'utf8'), { uniqueKeys: false })).map(entry => ({ table, ...entry })));
  return all.map(entry => ({ ...entry, names: entry.names.map(name => name.trim()).filter(Boolean) })).filter(({ names }) => names.length);
}

// Formats the results as tables and writes them into docs/benchmarks.md.
import fs from 'node:fs';
import { format, formatTimes } from './statistics.mjs';

const HEAD = ['measure', 'leanbridge', 'bare LSP client', 'lean-lsp-mcp', 'peer / leanbridge', 'goal met'];
const met = value => (value === undefined ? '' : value ? 'yes' : '**no**');
const cells = line => [line.what, format(line.leanbridge), format(line.bare), format(line.peer), formatTimes(line.factor), met(line.met)];

export function table(lines) {
  const used = HEAD.map((_, column) => column < 2 || lines.some(line => !['—', ''].includes(cells(line)[column])));
  const row = all => `| ${all.filter((_, column) => used[column]).join(' | ')} |`;
  return [row(HEAD), row(HEAD.map(() => '---')), ...lines.map(line => row(cells(line)))].join('\n');
}

const unique = (rows, key) => [...new Set(rows.map(row => row[key]).filter(Boolean))].join('; ');

/** The Lean of a row that uses one, as text. */
export const leanOf = ({ lean, onRealLean }) => (onRealLean ? `${lean.title}, ${lean.version}` : undefined);

function measured(all) {
  const rows = all.map(row => ({ ...row, leans: leanOf(row) }));
  const versions = ['leanbridge', 'commit', 'peer', 'leans', 'node', 'machine'].filter(key => unique(rows, key));
  const names = { leanbridge: 'leanbridge', commit: 'commit', peer: 'peer', leans: 'Lean', node: 'Node (runs the measures, `lake` and the WebAssembly Lean)', machine: 'machine' };
  return [
    '| | |', '|---|---|', ...versions.map(key => `| ${names[key]} | ${unique(rows, key)} |`),
    ...rows.flatMap(row => ['', `### ${row.title[0].toUpperCase()}${row.title.slice(1)}${row.onRealLean ? ` (${leanOf(row)})` : ''}`, '', `Goal: ${row.goal}.`, '', table(row.lines), ...row.notes.flatMap(note => ['', note]),
      '', `\`${row.command}\` (row \`${row.name}\`), ${row.date} UTC, ${row.seconds} s, load ${row.load} before and ${row.load_after} after.`]),
  ].join('\n');
}

const BEGIN = '<!-- measured: written by scripts/bench --write -->';
const END = '<!-- end of what was measured -->';

/** Replaces the text between the two marks and leaves the rest alone. */
export function writeDocument(file, rows) {
  const old = fs.readFileSync(file, 'utf8');
  const [begin, end] = [old.indexOf(BEGIN), old.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${file} has lost its marks "${BEGIN}" and "${END}"`);
  fs.writeFileSync(file, `${old.slice(0, begin)}${BEGIN}\n\n${measured(rows)}\n\n${old.slice(end)}`);
}

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

const NAMES = { leanbridge: 'leanbridge', commit: 'commit', peer: 'peer', leans: 'Lean', node: 'Node (runs the measures, `lake` and the WebAssembly Lean)', machine: 'machine' };

/** What was measured, under its heading. A row that failed says so, and keeps no figures of an earlier run. */
const section = row => [`### ${row.title[0].toUpperCase()}${row.title.slice(1)}${row.onRealLean ? ` (${leanOf(row)})` : ''}`, '', `Goal: ${row.goal}.`, '', row.failed ? `**Failed**: ${row.failed}` : table(row.lines), ...row.notes.flatMap(note => ['', note]),
  '', `\`${row.command}\` (row \`${row.name}\`), ${row.date} UTC, ${row.seconds} s, load ${row.load} before and ${row.load_after} after.`].join('\n');
const headingOf = text => text.slice(0, text.indexOf('\n'));

/** `old`, with the results of the rows in the place of earlier ones. Results that nobody has any more stay. */
function measured(old, all) {
  const rows = all.map(row => ({ ...row, leans: leanOf(row) }));
  const [head, ...earlier] = old.trim().split(/\n+(?=### )/);
  const sections = new Map(earlier.map(text => [headingOf(text), text.trim()]));
  const isWhole = earlier.every(text => rows.some(row => headingOf(section(row)) === headingOf(text)));
  for (const row of rows) sections.set(headingOf(section(row)), section(row));
  const before = key => (isWhole ? [] : new RegExp(`^\\| ${NAMES[key].replace(/[()]/g, '\\$&')} \\| (.*) \\|$`, 'm').exec(head)?.[1].split('; ') ?? []);
  const versions = Object.keys(NAMES).map(key => [NAMES[key], [...new Set([...before(key), ...unique(rows, key).split('; ')])].filter(Boolean).join('; ')]);
  return [['| | |', '|---|---|', ...versions.filter(([, text]) => text).map(([name, text]) => `| ${name} | ${text} |`)].join('\n'), ...sections.values()].join('\n\n');
}

const BEGIN = '<!-- measured: written by scripts/bench --write -->';
const END = '<!-- end of what was measured -->';

/** Replaces the text between the two marks and leaves the rest alone; `text` may be a function of what is there. */
export function writeBetween(file, text) {
  const old = fs.readFileSync(file, 'utf8');
  const [begin, end] = [old.indexOf(BEGIN), old.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${file} has lost its marks "${BEGIN}" and "${END}"`);
  const now = typeof text === 'function' ? text(old.slice(begin + BEGIN.length, end)) : text;
  fs.writeFileSync(file, `${old.slice(0, begin)}${BEGIN}\n\n${now}\n\n${old.slice(end)}`);
}

/** Puts the rows into docs/benchmarks.md. */
export const writeDocument = (file, rows) => writeBetween(file, old => measured(old, rows));

// The picture of a session in README.md, drawn from what the demo prints:
//
//   node scripts/lib/demo.mjs BINARY LAKE | node scripts/lib/picture.mjs > docs/session.svg
import fs from 'node:fs';

const BLOCKS = /^(leanbridge \d|→ lean_goal .*"line":(70|49)\}|→ lean_fill|→ lean_multi_attempt|→ lean_write_proof|→ lean_check_all|The whole session)/;   // of the demo's, those that a reader needs
const LEFT_OUT = /^ {4}(line_context|unfinished|success|warning_count|reason: Line|current_text|start_line|end_line|shift|sorry_count|cpu_s|seconds|left|refuted|version|diagnostics: none)/;
const COLOURS = [[/^→/, '#79c0ff'], [/^←/, '#8b949e'], [/^ +⊢/, '#7ee787'], [/^ {4}(written: true|state: proved)| proof_complete$/, '#7ee787'], [/^ +error:|  error: /, '#ff7b72'], [/^ {4}(status|state|written|reason|hint): /, '#ffa657'], [/^(The |leanbridge|Lean )/, '#e6edf3']];
const WIDTH = 760, MARGIN = 20, LINE = 18, SIZE = 13;

const escaped = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** The lines of the blocks, with an empty line between two blocks, or dots where others are left out. */
function chosen(text) {
  const kept = [];
  let inside = false, hasGap = false;
  for (const line of text.split('\n')) {
    if (/^\S/.test(line) && !line.startsWith('←')) {
      inside = BLOCKS.test(line);
      if (inside && kept.length) kept.push(hasGap ? '…' : '');
      hasGap = !inside && kept.length > 0;
    }
    // What the Lean is comes below, so that the line fits.
    if (inside && line.trim() && !LEFT_OUT.test(line)) kept.push(...line.split(/; (?=Lean \d)/));
  }
  return kept;
}

const lines = chosen(fs.readFileSync(0, 'utf8'));
if (lines.length < 10) throw new Error('this is not what the demo prints');
const height = 2 * MARGIN + lines.length * LINE;
const rows = lines.flatMap((line, index) => {
  if (!line) return [];
  const colour = COLOURS.find(([pattern]) => pattern.test(line))?.[1] ?? '#c9d1d9';
  return [`<text x="${MARGIN}" y="${MARGIN + (index + 0.8) * LINE}" fill="${colour}" xml:space="preserve">${escaped(line)}</text>`];
});
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="${SIZE}">
<title>A session: an error with its hint, the goal at a sorry and what a machine makes of it, four tactics tried at once, a write that is refused and one that lands, and the verdict on the file</title>
<rect width="${WIDTH}" height="${height}" rx="10" fill="#0d1117"/>
${rows.join('\n')}
</svg>
`);

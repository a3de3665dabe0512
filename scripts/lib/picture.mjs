// The picture of a session in README.md, drawn from what the demo prints:
//
//   node scripts/lib/demo.mjs BINARY LAKE | node scripts/lib/picture.mjs > docs/session.svg
import fs from 'node:fs';

const BLOCKS = /^(leanbridge \d|→ lean_goal |The agent edits|→ lean_check_all|The whole session)/;   // of the demo's, those that a reader needs
const LEFT_OUT = /^ {4}(line_context|items|unfinished|success|warning_count|reason):/;
const COLOURS = [[/^→/, '#79c0ff'], [/^←/, '#8b949e'], [/^ +⊢/, '#7ee787'], [/^ {4}(status: |state: )/, '#ffa657'], [/^(The |leanbridge)/, '#e6edf3']];
const WIDTH = 760, MARGIN = 20, LINE = 18, SIZE = 13;

const escaped = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** The lines of the blocks, with an empty line between two blocks. */
function chosen(text) {
  const kept = [];
  let inside = false, under = '';
  for (const line of text.split('\n')) {
    if (/^\S/.test(line) && !line.startsWith('←')) {
      inside = BLOCKS.test(line);
      under = line;
      if (inside && kept.length) kept.push('');
    }
    if (inside && line.trim() && !LEFT_OUT.test(line)) kept.push(under.startsWith('leanbridge') ? line.replace(/ \(.*\)$/, '') : line);
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
<title>A session: the goal at a sorry, an edit, the goal within the new proof, and the verdict on the file</title>
<rect width="${WIDTH}" height="${height}" rx="10" fill="#0d1117"/>
${rows.join('\n')}
</svg>
`);

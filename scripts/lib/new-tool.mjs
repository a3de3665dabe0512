// Copies a small tool under another name, with its lines, its test and its documentation (scripts/new-tool).
import fs from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { toolsOfSources } from './tools.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const MODEL = { name: 'lean_term_goal', file: 'src/core/tools/proof/lean_term_goal.cpp', struct: 'TermGoalResult', handler: 'term_goal' };
const LIST = 'src/core/tools/all_tools.cpp';
const GROUPS = ['proof', 'query', 'build', 'server'];
const OF_PARTS = { search: 'src/search/tools and listed in search_tools.cpp there', together: 'src/together/tools and listed in src/together/together_part.cpp', corpus: 'src/corpus/tools and listed in src/corpus/corpus_part.cpp' };

const read = file => fs.readFileSync(path.join(root, file), 'utf8');
const write = (file, text) => { fs.writeFileSync(path.join(root, file), text); console.log(`wrote ${file}`); };
function stop(text) {
  console.error(`new-tool: ${text}`);
  process.exit(2);
}
/** Replaces what must be there, so that a changed model is noticed. */
function replaced(text, what, by) {
  const found = text.replaceAll(what, by);
  if (found === text) stop(`the model has changed: ${what} is not in it; adapt scripts/lib/new-tool.mjs`);
  return found;
}

const [name = '', group = ''] = process.argv.slice(2);
if (!/^lean_[a-z][a-z_]*$/.test(name)) stop(`"${name}" is no name of a tool: lean_ and small letters, such as lean_term_goal`);
if (group in OF_PARTS) stop(`tools of the group ${group} are in ${OF_PARTS[group]}: copy one of them`);
if (!GROUPS.includes(group)) stop(`"${group}" is no group; there are ${GROUPS.join(', ')}`);
if (toolsOfSources().some(tool => tool.name === name)) stop(`there is a tool ${name}`);
const file = `src/core/tools/${group}/${name}.cpp`, transcript = `fixtures/transcripts/${name.replace(/^lean_/, '').replaceAll('_', '-')}.txt`;
for (const one of [file, transcript]) if (fs.existsSync(path.join(root, one))) stop(`there is a file ${one}`);

const words = name.replace(/^lean_/, '').split('_');
const title = `${words[0][0].toUpperCase()}${words.join(' ').slice(1)}`;
let source = read(MODEL.file);
source = replaced(source, /^\/\/ .*\n/g, `// ${name}: what it answers, in a line.\n`);
source = replaced(source, MODEL.name, name);
source = replaced(source, MODEL.struct, `${words.map(word => word[0].toUpperCase() + word.slice(1)).join('')}Result`);
source = replaced(source, new RegExp(`\\b${MODEL.handler}\\b`, 'g'), `answer_${words.join('_')}`);
source = replaced(source, /\.title = "[^"]*"/g, `.title = "${title}"`);
source = replaced(source, /\.group = "[^"]*"/g, `.group = "${group}"`);
source = replaced(source, /\.description = (?:"[^"]*"\s*)+/g, `.description = "What the tool does, when to use it rather than its neighbour, and what comes back."`);
write(file, source);

/** Puts the name into a list of the file; scripts/format wraps its lines. */
function listed(text, list) {
  const names = list.exec(text)?.[0].split(',').map(each => each.trim()) ?? [];
  if (!names.includes(MODEL.name)) stop(`${LIST} has no such list as ${list}; adapt scripts/lib/new-tool.mjs`);
  return text.replace(list, [...names, name].sort().join(', '));
}
write(LIST, listed(listed(read(LIST), /(?<=^MakeTool )[^;]+/m), /(?<=made_by\(environment, )[^)]+/));

write(transcript, `# ${name}: what it answers, and what it refuses.
file A.lean
| theorem a : True := by
|   trivial

== a line
--> ${name} {"file_path": "A.lean", "line": 2}
<-- result {"line_context": "  trivial"}

== a line that is not there
--> ${name} {"file_path": "A.lean", "line": 9}
<-- error {"kind": "invalid_argument", "message": "/has no line 9/"}
`);

const [row] = new RegExp(`^\\| \`${MODEL.name}\` \\| .*\\|\\n`, 'm').exec(read('docs/tools.md').split('<!-- end of tools -->')[1]) ?? stop(`docs/tools.md has no row for ${MODEL.name}`);
const documentation = read('docs/tools.md'), section = documentation.indexOf(`## Group \`${group}\``);
const own = replaced(row, MODEL.name, name);
if (group === 'server') write('docs/tools.md', documentation.replace(`## Group \`${group}\`\n`, heading => `${heading}\n| tool | arguments | answer |\n|---|---|---|\n${own}`));
else {
  const end = documentation.indexOf('\n\n', documentation.indexOf('|---|---|---|', section)) + 1;
  write('docs/tools.md', `${documentation.slice(0, end)}${own}${documentation.slice(end)}`);
}
for (const script of ['tools', 'compatibility']) spawnSync(process.execPath, [path.join(root, `scripts/lib/${script}.mjs`)], { stdio: 'inherit' });
console.log(`next: change ${file}, ${transcript} and the row in docs/tools.md together, and test it on a real Lean in tests/e2e, too`);

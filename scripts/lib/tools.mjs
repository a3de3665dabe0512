// The tools, as the sources describe them, and the first table of docs/tools.md, which is made of that.
//
//   node scripts/lib/tools.mjs            writes the table
//   node scripts/lib/tools.mjs --check    whether the table is current, and each tool has a row below its group
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const DOCUMENT = path.join(root, 'docs/tools.md');
const [BEGIN, END] = ['<!-- tools: written by scripts/lib/tools.mjs -->', '<!-- end of tools -->'];
export const GROUPS = ['proof', 'query', 'build', 'search', 'corpus', 'together', 'server'];

const text = literals => [...literals.matchAll(/"((?:\\.|[^"\\])*)"/g)].map(([, part]) => JSON.parse(`"${part}"`)).join('');

/** [{name, title, group, description, listed, callerCode, file}], by group and name. */
export function toolsOfSources() {
  const tools = [];
  const sources = fs.readdirSync(path.join(root, 'src'), { recursive: true }).filter(name => name.endsWith('.cpp'));
  for (const file of sources.map(name => path.join('src', name))) {
    const source = fs.readFileSync(path.join(root, file), 'utf8');
    if (!source.includes('.title = "') || !source.includes('.group = "')) continue;
    const found = [...source.matchAll(/\.(?:name|tool) = "([a-z][a-z0-9_]*)",\s*\.title = ("[^"]*")/g)];
    found.forEach(({ 1: name, 2: title, index }, at) => {
      const body = source.slice(index, found[at + 1]?.index);
      const description = text(/\.description =\s*((?:"(?:\\.|[^"\\])*"\s*)+)/.exec(body)?.[1] ?? '');
      const group = (/\.group = "([a-z]+)"/.exec(body) ?? /\.group = "([a-z]+)"/.exec(source))[1];
      tools.push({ name, title: text(title), group, description, listed: !/\.listed = false/.test(body), callerCode: /\.caller_code = true/.test(body), file });
    });
  }
  return tools.sort((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) || (a.name < b.name ? -1 : 1));
}

/** The first sentence, as a cell of a table. */
const sentence = ({ description }) => (/^.*?[.?!](?=\s+[A-Z]|$)/s.exec(description)?.[0] ?? description).replace(/\.$/, '').replaceAll('|', '\\|').replaceAll('\n', ' ');

function overview(tools) {
  const rows = tools.map(tool => `| \`${tool.name}\`${tool.listed ? '' : ' ○'} | ${tool.group} | ${sentence(tool)} |`);
  return ['| tool | group | for |', '|---|---|---|', ...rows].join('\n');
}

function document(tools) {
  const before = fs.readFileSync(DOCUMENT, 'utf8');
  const [from, to] = [before.indexOf(BEGIN), before.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`docs/tools.md has lost its marks "${BEGIN}" and "${END}"`);
  return `${before.slice(0, from)}${BEGIN}\n\n${overview(tools)}\n\n${before.slice(to)}`;
}

/** The part of the document about a group. */
const groupOf = (whole, group) => whole.split(/^(?=## )/m).find(part => part.startsWith(`## Group \`${group}\``)) ?? '';
const isTold = (whole, { name, group }) => groupOf(whole, group).split('\n').some(line => line.startsWith('|') ? line.split('|')[1].includes(`\`${name}\``) : line.startsWith(`\`${name}\`:`));

function problems(tools) {
  const whole = fs.readFileSync(DOCUMENT, 'utf8');
  const found = tools.filter(tool => !isTold(whole, tool)).map(({ name, group }) => `docs/tools.md says nothing about ${name} below "Group \`${group}\`"`);
  for (const { name, description, file } of tools) if (!description) found.push(`${file}: ${name} has no description that can be read`);
  if (document(tools) !== whole) found.push('docs/tools.md is not current: run node scripts/lib/tools.mjs');
  return found;
}

if (process.argv[1] === import.meta.filename) {
  const tools = toolsOfSources();
  if (process.argv[2] === '--check') {
    const found = problems(tools);
    for (const problem of found) console.log(problem);
    process.exit(found.length ? 1 : 0);
  }
  fs.writeFileSync(DOCUMENT, document(tools));
}

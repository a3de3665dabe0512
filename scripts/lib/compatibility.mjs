// Writes the tables of docs/compatibility.md from tests/support/lean-lsp-mcp.mjs (the facts) and compatibility-notes.mjs (what differs here).
//
//   node scripts/lib/compatibility.mjs                    writes them
//   node scripts/lib/compatibility.mjs --check            whether they are current, and fit the sources and the tests
//   node scripts/lib/compatibility.mjs --against FOLDER   whether the facts are those of the Python package lean_lsp_mcp in FOLDER, as unpacked from
//                                                         its wheel (needs python3; imports nothing of it)
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import * as notes from '../../tests/support/compatibility-notes.mjs';
import * as facts from '../../tests/support/lean-lsp-mcp.mjs';
import { toolsOfSources } from './tools.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const read = (...parts) => fs.readFileSync(path.join(root, ...parts), 'utf8');
const DOCUMENT = 'docs/compatibility.md';

const row = cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
const tableOf = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
const sentence = parts => parts.filter(Boolean).join('; ');

/** `a, b?, items [{c, d?}]` for a schema. */
function members(schema) {
  return Object.entries(schema.properties).map(([name, member]) => {
    const optional = schema.required?.includes(name) ? '' : '?';
    const inner = inside(member);
    return `${name}${optional}${inner ? ` ${inner}` : ''}`;
  }).join(', ');
}
function inside(schema) {
  if (schema.anyOf) return schema.anyOf.map(inside).find(Boolean) ?? '';
  if (schema.type === 'array' && schema.items?.properties) return `[{${members(schema.items)}}]`;
  if (schema.type === 'array' && schema.items?.anyOf) { const of = inside(schema.items); return of && `[text or ${of}]`; }
  if (schema.type === 'array' && schema.items?.$ref) return '[{name, kind, start_line, end_line, type_signature, children}]';
  return schema.properties && schema.type === 'object' ? `{${members(schema)}}` : '';
}

function toolRows() {
  return Object.entries(facts.LEAN_LSP_MCP).map(([name, { required, optional, answer, until }]) => {
    const { differs = '', tests } = notes.TOOLS[name];
    const named = tests.map(test => { const [suite, ...title] = test.split(': '); return `${suite}: "${title.join(': ')}"`; });
    return [`\`${name}\`${until ? ` (until ${until})` : ''}`, [...required, ...optional.map(one => `${one}?`)].join(', '), members(answer), differs, named.join('; ')];
  });
}

const here = ({ same, differs, none, onlyHttp }, name) => (none ? `no effect: ${none}; the log says so once`
  : sentence([same === name ? (differs ? '' : 'the same') : `\`${same}\``, differs, onlyHttp && 'on stdio no effect, and the log says so once']));
const settingRows = (all, of) => Object.entries(all).filter(([, { internal }]) => !internal).map(([name, { short, value, meaning }]) => [
  `\`${name}${of === notes.FLAGS && value ? ` ${value}` : ''}\`${short ? `, \`${short}\`` : ''}`, meaning, here(of[name], name)]);

/** The tools of ours that it lacks; the group of papers is off by default. */
function additions() {
  const names = toolsOfSources().map(({ name }) => name);
  return names.sort().filter(name => name.startsWith('lean_') && !(name in facts.LEAN_LSP_MCP));
}

function wrapped(words, width = 125) {
  const lines = [''];
  for (const word of words) {
    if (lines.at(-1).length + word.length + 1 > width) lines.push('');
    lines[lines.length - 1] += `${lines.at(-1) ? ' ' : ''}${word}`;
  }
  return lines.join('\n');
}

const sections = {
  tools: () => tableOf(['tool', 'arguments', 'fields of the answer', 'differences here', 'test (tests/e2e)'], toolRows()),
  flags: () => tableOf(['flag', 'in lean-lsp-mcp', 'here'], settingRows(facts.FLAGS, notes.FLAGS)),
  variables: () => tableOf(['variable', 'in lean-lsp-mcp', 'here'], settingRows(facts.VARIABLES, notes.VARIABLES)),
  additions: () => wrapped(additions().map((name, index, all) => `\`${name}\`${index < all.length - 1 ? ',' : ''}`)),
};

function document() {
  let text = read(DOCUMENT);
  for (const [name, make] of Object.entries(sections)) {
    const [begin, end] = [`<!-- ${name}: written by scripts/lib/compatibility.mjs -->`, `<!-- end of ${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${DOCUMENT} has lost its marks "${begin}" and "${end}"`);
    text = `${text.slice(0, from)}${begin}\n\n${make()}\n\n${text.slice(to)}`;
  }
  return text;
}

/** What the notes claim, against the sources and the tests. */
function problems() {
  const found = [];
  const compare = (what, all, own) => {
    for (const name of Object.keys(all)) if (!all[name].internal && !(name in own)) found.push(`compatibility-notes.mjs says nothing about the ${what} ${name}`);
    for (const name of Object.keys(own)) if (!(name in all)) found.push(`lean-lsp-mcp has no ${what} ${name}`);
  };
  compare('tool', facts.LEAN_LSP_MCP, notes.TOOLS);
  compare('flag', facts.FLAGS, notes.FLAGS);
  compare('variable', facts.VARIABLES, notes.VARIABLES);
  for (const [tool, { tests }] of Object.entries(notes.TOOLS))
    for (const test of tests) {
      const [suite, ...title] = test.split(': ');
      const file = [`tests/e2e/${suite}.test.mjs`, `fixtures/transcripts/${suite}.txt`].map(name => path.join(root, name)).find(name => fs.existsSync(name));
      const text = file ? fs.readFileSync(file, 'utf8').replace(/\\(['"`])/g, '$1') : '';
      if (!text.includes(title.join(': '))) found.push(`${tool}: there is no test "${test}"`);
    }
  const sources = ['src/core/program/options.cpp', 'src/desk/desk_options.cpp', 'src/gateway/command/gateway_options.cpp', 'src/gateway/serving/lean_lsp_mcp_options.cpp', 'src/search/sources/config.cpp'].map(file => read(file)).join('');
  const keys = [...sources.matchAll(/\{"([a-z]+)", &Config::/g)].map(([, name]) => name);
  const isFlag = flag => sources.includes(`"${flag}`) || sources.includes(`,${flag}`) || sources.includes(`"${flag.slice(2).replace('-', '.').replaceAll('-', '_')}"`)
    || (/^--\w+-(url|headers)$/.test(flag) && keys.includes(flag.slice(2).split('-')[0]));
  for (const [name, { same }] of Object.entries({ ...notes.FLAGS, ...notes.VARIABLES })) {
    if (same && !isFlag(same)) found.push(`${name} is said to be ${same} here, which is no flag of ours`);
    if (!isFlag(name) && !sources.includes(`"${name}"`)) found.push(`nothing reads ${name}`);
  }
  if (document() !== read(DOCUMENT)) found.push(`${DOCUMENT} is not current: run node scripts/lib/compatibility.mjs`);
  return found;
}

/** The facts, as the package's sources have them. */
function against(folder) {
  const script = `
import ast, glob, json, os, re, sys
folder = sys.argv[1]
text = lambda *parts: open(os.path.join(folder, *parts), encoding='utf-8').read()
tools = {}
for file in glob.glob(os.path.join(folder, 'tools', '*.py')):
    for node in ast.walk(ast.parse(open(file, encoding='utf-8').read())):
        if not isinstance(node, ast.AsyncFunctionDef): continue
        for mark in node.decorator_list:
            if isinstance(mark, ast.Call) and getattr(mark.func, 'id', '') == 'tool':
                names = [argument.arg for argument in node.args.args][1:]
                required = len(names) - len(node.args.defaults)
                tools[mark.args[0].value] = {'required': names[:required], 'optional': names[required:]}
print(json.dumps({'tools': tools, 'flags': re.findall(r'^ +"(--[a-z-]+)",', text('__init__.py'), re.M),
  'variables': re.findall(r'_ENV = "(\\w+)"', text('config.py'))}))`;
  const { stdout, stderr, status } = spawnSync('python3', ['-c', script, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const package_ = JSON.parse(stdout);
  const found = [];
  const same = (what, own, its) => { if (JSON.stringify([...own].sort()) !== JSON.stringify([...its].sort())) found.push(`${what}: it has ${[...its].sort()}, the facts have ${[...own].sort()}`); };
  const current = Object.entries(facts.LEAN_LSP_MCP).filter(([, { until }]) => !until);
  same('tools', current.map(([name]) => name), Object.keys(package_.tools));
  for (const [name, { required, optional }] of current) {
    same(`${name}, required arguments`, required, package_.tools[name]?.required ?? []);
    same(`${name}, optional arguments`, optional, package_.tools[name]?.optional ?? []);
  }
  same('flags', Object.keys(facts.FLAGS), package_.flags);
  same('variables', Object.keys(facts.VARIABLES), package_.variables);
  return found;
}

const [word, folder] = process.argv.slice(2);
const found = word === '--check' ? problems() : word === '--against' ? against(folder) : [];
if (!word) fs.writeFileSync(path.join(root, DOCUMENT), document());
for (const problem of found) console.log(problem);
process.exit(found.length ? 1 : 0);

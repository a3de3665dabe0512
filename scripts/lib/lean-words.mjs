// Names the options and attributes of a Lean that src/core/text/lean_words.cpp does not judge: whether they can keep Lean from reporting an error or a
// sorry. An attribute or option that is not judged counts as one that can.
//
//   node scripts/lib/lean-words.mjs                      of the native Lean (fixtures/native-lean)
//   node scripts/lib/lean-words.mjs FOLDER [MODULE…]     of the Lean of a Lake project, with what these modules declare: … ~/mathlib4 Mathlib
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const TABLES = 'src/core/text/lean_words.cpp';

/** @returns {{options: Judgement[], attributes: Judgement[]}} what the tables say: {name, harmless} */
export function readTables() {
  const source = fs.readFileSync(path.join(root, TABLES), 'utf8');
  const table = name => {
    const [, lines] = new RegExp(`${name} = R"\\(\\n([^]*?)\\n\\)"`).exec(source) ?? [];
    if (!lines) throw new Error(`${TABLES} has no table ${name}`);
    return lines.split('\n').filter(line => !line.startsWith('#')).flatMap(line => line.slice(2).split(' ').map(word => ({ name: word.split('=')[0], harmless: line.startsWith('+') })));
  };
  return { options: table('kOptions'), attributes: table('kAttributes') };
}

const fits = (family, name) => (family.endsWith('*') ? name.startsWith(family.slice(0, -1)) : family.startsWith('*') ? name.endsWith(family.slice(1)) : family === name);

/** The judgement of the longest name or family that fits; undefined if there is none. */
export const judgementOf = (table, name) => table.filter(one => fits(one.name, name)).sort((a, b) => b.name.length - a.name.length)[0];

/** A text for Lean that prints its options, with their defaults, and its attributes. */
export const question = (modules = []) => `import Lean
${modules.map(name => `import ${name}\n`).join('')}
run_cmd do
  for (name, declaration) in ← Lean.getOptionDeclsArray do
    IO.println s!"option\\t{name}\\t{declaration.defValue}"
  for name in Lean.getAttributeNames (← Lean.getEnv) do
    IO.println s!"attribute\\t{name}"
`;

/** @returns {{options: {name: string, value: string}[], attributes: string[]}} what Lean answers to `question` */
export function readAnswer(output) {
  const lines = output.split('\n').map(line => line.split('\t'));
  const options = lines.filter(([kind]) => kind === 'option').map(([, name, value]) => ({ name, value }));
  // `simp!` and `simp?` are `simp` with a choice.
  const attributes = lines.filter(([kind]) => kind === 'attribute').map(([, name]) => name.replace(/[!?]+$/, ''));
  return { options, attributes: [...new Set(attributes)] };
}

/** The names of the answer that no table judges. */
export function unjudged({ options, attributes }) {
  const tables = readTables();
  return {
    options: options.map(({ name }) => name).filter(name => !judgementOf(tables.options, name)).sort(),
    attributes: attributes.filter(name => !judgementOf(tables.attributes, name)).sort(),
  };
}

function ask([folder, ...modules]) {
  const native = path.join(root, 'fixtures/native-lean/toolchain/full');
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'lean-words-'));
  try {
    const file = path.join(home, 'Words.lean');
    fs.writeFileSync(file, question(modules));
    const [program, args, env] = folder ? ['lake', ['env', 'lean', file], process.env] : [path.join(native, 'bin/lean'), [file], { ...process.env, LEAN_SYSROOT: native }];
    const { stdout, stderr, status, error } = spawnSync(program, args, { cwd: folder ?? home, env, encoding: 'utf8', maxBuffer: 64 << 20 });
    if (error || status !== 0) throw new Error(`${program} failed: ${error?.message ?? `${stdout}${stderr}`}`);
    return readAnswer(stdout);
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const { options, attributes } = unjudged(ask(process.argv.slice(2)));
  for (const name of options) console.log(`option ${name}`);
  for (const name of attributes) console.log(`attribute ${name}`);
  process.exitCode = options.length + attributes.length > 0 ? 1 : 0;
}

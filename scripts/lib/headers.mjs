// Compiles each header that no source includes first, as the only one of a file, with the options of its module; ends with "N passed, N failed".
// The others compile by themselves where the preset debug compiles such a source (scripts/test debug).
//
//   node scripts/lib/headers.mjs BUILD_DIR JOBS
//
// The build compiles file by file, since a unity build names no source of ours. Its precompiled headers come first, so this finds missing
// includes of our own headers, not of other projects'.
import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const [build, jobs] = [path.resolve(process.argv[2]), Number(process.argv[3])];
const work = path.join(build, 'headers');

/** The words of a command, as a shell would read them. */
function wordsOf(command) {
  return command.match(/(?:"(?:\\.|[^"\\])*"|\\.|[^\s"\\])+/g).map(word => word.replace(/\\(.)|"/g, '$1'));
}

/** By folder, the options of a source in it. */
const commands = new Map();
for (const { command, file } of JSON.parse(fs.readFileSync(path.join(build, 'compile_commands.json'), 'utf8'))) {
  const folder = path.relative(root, path.dirname(file));
  if (/^src\b/.test(folder)) commands.set(folder, wordsOf(command));
}

const filesOf = (...patterns) => execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

/** The header that a source includes before anything else, as git names it; undefined: another project's. */
function firstHeader(source) {
  const included = /^\s*#include "(.+)"/m.exec(fs.readFileSync(path.join(root, source), 'utf8').split(/^\s*#include </m)[0])?.[1];
  return included && [path.dirname(source), 'src', 'include'].map(folder => path.posix.join(folder, included)).find(file => fs.existsSync(path.join(root, file)));
}
const first = new Set(filesOf('src/*.cpp').map(firstHeader));
const headers = filesOf('include/leanbridge/*.hpp', 'src/*.hpp').filter(header => !first.has(header));
/** Those of its folder, or of the nearest one above that has a source. A header of `include` is compiled as the program is. */
function commandOf(header) {
  for (let folder = path.posix.dirname(header); folder !== '.'; folder = path.posix.dirname(folder))
    if (commands.has(folder)) return commands.get(folder);
  return commands.get('src');
}

/** Includes it twice, to show that it may be. */
function sourceOf(header) {
  const source = path.join(work, `${header.replaceAll('/', '_')}.cpp`);
  fs.writeFileSync(source, `#include "${path.join(root, header)}"\n`.repeat(2));
  return source;
}

function compile(header) {
  const [compiler, ...options] = commandOf(header);
  const end = options.indexOf('-o');   // then the object, -c and the source
  return new Promise(resolve => execFile(compiler, [...options.slice(0, end), '-fsyntax-only', sourceOf(header)], { cwd: build, maxBuffer: 1 << 26 },
    (error, stdout, stderr) => resolve(error ? stderr || String(error) : '')));
}

fs.rmSync(work, { recursive: true, force: true });
fs.mkdirSync(work, { recursive: true });
const count = { passed: 0, failed: 0 };
const waiting = [...headers];
await Promise.all(Array.from({ length: jobs }, async () => {
  for (let header; (header = waiting.pop()) !== undefined;) {
    const problem = await compile(header);
    count[problem ? 'failed' : 'passed']++;
    if (problem) console.log(`${header} does not compile by itself:\n${problem}`);
  }
}));
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed ? 1 : 0;

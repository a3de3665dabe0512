// Names the functions of src and include that take more than one reading: longer than 60 lines, or with more than 25 branches. Relies on the
// layout that clang-format gives: a function ends with the brace in the column in which it begins.
//
//   node scripts/lib/functions.mjs
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

const MAX_LINES = 60, MAX_BRANCHES = 25;
const BEGIN = /^( {0,2})(?!namespace|struct|class|enum|union|using|extern)\S.*\) ?(?:const|noexcept|override| )*\{$/;
const NO_FUNCTION = /^\s*(?:if|for|while|switch|else|do|try|case|return)\b|= \{$/;
const BRANCH = /\b(?:if|for|while|case|catch)\b|&&|\|\||\?/g;

/** Without comments and the contents of strings. */
const codeOf = text => text.replace(/\/\/.*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])'/g, '');

let found = 0;
for (const file of execFileSync('git', ['ls-files', 'src/*.cpp', 'src/*.hpp', 'include/*.hpp'], { encoding: 'utf8' }).split('\n').filter(Boolean)) {
  if (!fs.existsSync(file)) continue;
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  for (let at = 0; at < lines.length; at++) {
    const indent = BEGIN.exec(lines[at])?.[1];
    if (indent === undefined || NO_FUNCTION.test(lines[at])) continue;
    const end = lines.findIndex((line, index) => index > at && line.startsWith(`${indent}}`));
    if (end < 0) continue;
    let begin = at;   // of the signature
    while (begin > 0 && /\S/.test(lines[begin - 1]) && !/[;{}:]\s*$|^\s*(?:\/\/|#|template)/.test(lines[begin - 1])) begin--;
    const length = end - begin + 1, branches = codeOf(lines.slice(at, end).join('\n')).match(BRANCH)?.length ?? 0;
    if (length > MAX_LINES || branches > MAX_BRANCHES) {
      found++;
      console.log(`${file}:${begin + 1} has ${length} lines and ${branches} branches; at most ${MAX_LINES} and ${MAX_BRANCHES}: ${lines[begin].trim()}`);
    }
    at = end;
  }
}
process.exitCode = found ? 1 : 0;

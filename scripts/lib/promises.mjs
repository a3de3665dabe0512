// docs/security.md names the tests of its promises as `- FILE "title"`: each must exist, and every promise must have one.
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

// Keeps strings, which may contain `//`.
const withoutComments = text => text.replace(/("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|(?<![:\\])\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string) => string ?? '');
const plain = text => text.replace(/\\(['"`\\])/g, '$1');
const literal = text => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether the text of a file defines that test. One in a comment, or one skipped by its name, does not count. */
export function definesTest(file, text, title) {
  if (file.endsWith('.sh')) return new RegExp(`^${literal(title)}\\(\\) \\{`, 'm').test(text) && new RegExp(`^readonly LINTS=.*[( ]${literal(title)}[) ]`, 'm').test(text);
  if (file.endsWith('.txt')) return new RegExp(`^== ${literal(title)}$`, 'm').test(text);   // a transcript
  // A C++ title over several lines is one string.
  const code = plain(withoutComments(text).replace(/"\s*\n\s*"/g, ''));
  const call = file.endsWith('.cpp') ? '(?:(?:TEST_CASE|SECTION)\\(|TEST_CASE_METHOD\\(\\s*\\w+,)' : '(?<![.\\w])(?:test|session|it)\\(';
  // `${name}: title` is the title of several tests.
  return new RegExp(`${call}\\s*["'\`](?:\\$\\{\\w+\\}[^"'\`\n]*: )?${literal(plain(title))}["'\`]`).test(code);
}

/** The problems of a document of promises, one sentence each. */
export function problemsOf(text, read) {
  const problems = [];
  const promises = text.split(/^(?=\d+\. )/m).slice(1);
  if (!promises.length) problems.push('there is no promise');
  for (const promise of promises) {
    const named = [...promise.split(/^#/m)[0].matchAll(/^ +- (\S+) "(.*)"$/gm)];
    if (!named.length) problems.push(`promise ${parseInt(promise, 10)} names no test`);
    for (const [, file, title] of named) if (!definesTest(file, read(file), title)) problems.push(`${file} has no test "${title}"`);
  }
  return problems;
}

if (process.argv[1] === import.meta.filename) {
  const read = file => (fs.existsSync(path.join(root, file)) ? fs.readFileSync(path.join(root, file), 'utf8') : '');
  const problems = problemsOf(read('docs/security.md'), read);
  for (const problem of problems) console.log(`docs/security.md: ${problem}`);
  process.exit(problems.length ? 1 : 0);
}

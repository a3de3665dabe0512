// clang-tidy on everything that a build compiles, several at a time; ends with "N passed, N failed".
//
//   node scripts/lib/tidy.mjs BUILD_DIR JOBS
//
// clang-tidy reads everything a file includes, which takes 13 s of a core or more; a dozen sources in one file of a unity build
// (docs/decisions/0013-unity-builds.md) take hardly longer than one. A file without findings is not read again until it, its includes, its
// command, the checks or clang-tidy change: BUILD_DIR/tidy keeps a stamp of all of these.
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const TIDY = 'clang-tidy-16';
const root = path.resolve(import.meta.dirname, '../..');
const [build, jobs] = [path.resolve(process.argv[2]), Number(process.argv[3])];
const stamps = path.join(build, 'tidy');

const digest = (...parts) => parts.reduce((hash, part) => hash.update(part).update('\0'), createHash('sha256')).digest('hex');

const digests = new Map();
function digestOf(file) {
  if (!digests.has(file)) digests.set(file, digest(fs.readFileSync(file)));
  return digests.get(file);
}

/** For each object that was built, the files read for it, according to ninja. */
function readDependencies() {
  const all = new Map();
  let files;
  for (const line of execFileSync('ninja', ['-C', build, '-t', 'deps'], { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\n')) {
    const head = /^(\S.*): #deps .*\((VALID|STALE)\)$/.exec(line);
    if (head) all.set(head[1], files = []);
    else if (line.startsWith('    ') && !line.endsWith('.pch')) files.push(path.resolve(build, line.slice(4)));
  }
  return all;
}

const dependencies = readDependencies();
const common = digest(execFileSync(TIDY, ['--version']), fs.readFileSync(path.join(root, '.clang-tidy')), fs.readFileSync(import.meta.filename));

const objectOf = entry => / -o (\S+)/.exec(entry.command)?.[1];

/** The stamp of one entry of compile_commands.json; false if an included file is gone, because the build is outdated. */
function stampOf(entry) {
  const files = [entry.file, ...dependencies.get(objectOf(entry))];
  return files.every(file => fs.existsSync(file)) && path.join(stamps, digest(common, entry.command, ...files.flatMap(file => [file, digestOf(file)])));
}

// Drops its counts of what it suppressed in third-party headers.
const findings = output => output.split('\n').filter(line => line && !/^\d+ warnings? |^Suppressed |^Use -header-filter/.test(line)).join('\n');

// Comparing with "" or {} shows the actual value on failure.
const NOT_IN_TESTS = '-readability-container-size-empty';

function read(entry) {
  const checks = objectOf(entry).startsWith('tests/') ? [`-checks=${NOT_IN_TESTS}`] : [];
  return new Promise(resolve => execFile(TIDY, ['-quiet', ...checks, '-p', build, entry.file], { maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
    resolve({ good: !error, text: error ? findings(`${stdout}${stderr}`) || String(error) : '' })));
}

const entries = JSON.parse(fs.readFileSync(path.join(build, 'compile_commands.json'), 'utf8'))
  .filter(entry => dependencies.has(objectOf(entry)) && !entry.file.endsWith('cmake_pch.hxx.cxx'));
const count = { passed: 0, failed: 0, known: 0 };

async function readAll(queue) {
  for (let entry; (entry = queue.shift()) !== undefined;) {
    const stamp = stampOf(entry);
    const known = stamp && fs.existsSync(stamp);
    const { good, text } = known ? { good: true } : await read(entry);
    if (good && stamp && !known) fs.writeFileSync(stamp, `${entry.file}\n`);
    if (text) console.log(text);
    count[good ? 'passed' : 'failed']++;
    if (known) count.known++;
    else console.log(`${count.passed + count.failed} of ${entries.length}: ${objectOf(entry)}`);
  }
}

fs.mkdirSync(stamps, { recursive: true });
const queue = [...entries];
await Promise.all(Array.from({ length: jobs }, () => readAll(queue)));
if (count.known) console.log(`${count.known} unchanged since they last had no findings`);
console.log(`${count.passed} passed, ${count.failed} failed`);
if (count.failed || !count.passed) process.exitCode = 1;

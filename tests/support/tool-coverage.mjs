// Which tools the end-to-end tests have called, and how: each must have answered on a real Lean, and refused something.
// run-e2e.mjs names a file in LEANBRIDGE_TEST_CALLS; the clients of all suites append to it, and run-e2e.mjs checks it when all have run.
import fs from 'node:fs';

/** The groups whose tools ask Lean; the other tools may answer on any. */
const ASK_LEAN = ['proof', 'query', 'build'];
const seen = new Set();

/** @param how  'answered', 'answered on a real Lean', or 'refused' */
export function recordCall(tool, how) {
  const line = JSON.stringify({ tool, how });
  if (!process.env.LEANBRIDGE_TEST_CALLS || seen.has(line)) return;
  seen.add(line);
  fs.appendFileSync(process.env.LEANBRIDGE_TEST_CALLS, `${line}\n`);
}

export const readCalls = file => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line)) : []);

/** {tool: group} from what `leanbridge tools` prints: group names, and below each its tools, indented. */
export function groupsOf(listing) {
  const groups = {};
  let group;
  for (const line of listing.split('\n')) {
    const [, indent, word] = /^(| {2})([a-z]\w*)/.exec(line) ?? [];
    if (indent === '') group = word;
    else if (word) groups[word] = group;
  }
  return groups;
}

/** The missing calls: [text]. `real`: there is a real Lean. */
export function missingCalls(calls, groups, { real }) {
  const has = (tool, how) => calls.some(call => call.tool === tool && call.how === how);
  const missing = [];
  for (const [tool, group] of Object.entries(groups)) {
    const needsLean = ASK_LEAN.includes(group);
    if (needsLean && real && !has(tool, 'answered on a real Lean')) missing.push(`${tool} has not answered on a real Lean`);
    if (!needsLean && !has(tool, 'answered') && !has(tool, 'answered on a real Lean')) missing.push(`${tool} has not answered`);
    if (!has(tool, 'refused')) missing.push(`${tool} has refused nothing`);
  }
  return missing;
}

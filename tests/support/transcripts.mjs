// Plays a transcript file against a server. One JSON object per line:
//
//   {"about": "..."}                          what the file is for
//   {"send": {...}}                           a message ("jsonrpc" is added unless it is there)
//   {"raw": "text"}                           raw bytes; the transcript writes its own "\n"
//   {"expect": {...}}                         the answer to that id has at least these members
//   {"expect_unidentified": {"error": …}}     an error without an id
//
// At the end stdin is closed; by then no message may have arrived that the file does not expect.
import fs from 'node:fs';
import { fixture } from './bridge.mjs';

export const transcript = name => fs.readFileSync(fixture('transcripts', `${name}.jsonl`), 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line));

/** Paths where `actual` lacks what `expected` requires; only mentioned members count, arrays must match in length. */
export function differences(expected, actual, at = '') {
  if (expected === null || typeof expected !== 'object') {
    if (typeof expected === 'string' && expected.startsWith('/') && expected.endsWith('/') && expected.length > 2) {
      return typeof actual === 'string' && new RegExp(expected.slice(1, -1), 'u').test(actual) ? [] : [`${at || '/'}: ${JSON.stringify(actual)} does not match ${expected}`];
    }
    return Object.is(expected, actual) ? [] : [`${at || '/'}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`];
  }
  if (actual === null || typeof actual !== 'object' || Array.isArray(actual) !== Array.isArray(expected)) return [`${at || '/'}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`];
  if (Array.isArray(expected) && expected.length !== actual.length) return [`${at}: ${actual.length} items, expected ${expected.length}`];
  return Object.entries(expected).flatMap(([key, value]) => differences(value, actual[key], `${at}/${key}`));
}

export async function play(client, name) {
  let expected = 0;
  let unidentified = 0;
  for (const step of transcript(name)) {
    if (step.send) client.sendMessage(step.send);
    else if (step.raw !== undefined) client.send(step.raw);
    else if (step.expect || step.expect_unidentified) {
      const wanted = step.expect ?? step.expect_unidentified;
      expected++;
      const message = step.expect
        ? await client.answerTo(wanted.id)
        : await unidentifiedError(client, unidentified++);
      const wrong = differences(wanted, message);
      if (wrong.length) throw new Error(`${name}: ${wrong.join('; ')}${client.tail()}`);
    } else if (!step.about) throw new Error(`${name}: unknown step ${JSON.stringify(step)}`);
  }
  await client.close();
  if (client.messages.length !== expected) throw new Error(`${name}: ${client.messages.length} messages, expected ${expected}${client.tail()}`);
}

/** The nth error without an id: they all look alike, so they are counted. */
async function unidentifiedError(client, nth) {
  const isIt = message => !message.method && !('id' in message);
  const seen = client.messages.filter(isIt);
  return seen[nth] ?? client.next(isIt, { what: 'an error without an id' });
}

// Plays a transcript file against a server. One JSON object per line:
//
//   {"about": "..."}                          what the file is for
//   {"send": {...}}                           a message ("jsonrpc" is added unless it is there)
//   {"raw": "text"}                           raw bytes; the transcript writes its own "\n"
//   {"expect": {...}}                         the answer to that id has at least these members
//   {"expect_unidentified": {"error": …}}     an error without an id
//   {"expect_notification": {"method": …}}    the next notification of that method
//   {"do": "name"}                            what the test does meanwhile: actions.name()
//
// {"expect": …, "keep": {"NAME": "/result/x"}} keeps a part of the answer; "$NAME" is that part in all later steps.
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

const partAt = (message, pointer) => pointer.split('/').slice(1).reduce((value, key) => value?.[key], message);
/** The step with what was kept in place of its names. */
const filled = (step, kept) => JSON.parse(JSON.stringify(step), (_key, value) => (typeof value === 'string' && value.startsWith('$') && kept.has(value.slice(1)) ? kept.get(value.slice(1)) : value));

export async function play(client, name, actions = {}) {
  let expected = 0;
  let unidentified = 0;
  const kept = new Map(), notified = new Set();
  for (const each of transcript(name)) {
    const step = filled(each, kept);
    if (step.do) actions[step.do]();
    else if (step.send) client.sendMessage(step.send);
    else if (step.raw !== undefined) client.send(step.raw);
    else if (step.expect || step.expect_unidentified || step.expect_notification) {
      const wanted = step.expect ?? step.expect_unidentified ?? step.expect_notification;
      expected++;
      const message = step.expect ? await client.answerTo(wanted.id)
        : step.expect_notification ? await client.next(one => one.method === wanted.method && !notified.has(one), { past: true })
          : await unidentifiedError(client, unidentified++);
      notified.add(message);
      for (const [key, pointer] of Object.entries(step.keep ?? {})) kept.set(key, partAt(message, pointer));
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

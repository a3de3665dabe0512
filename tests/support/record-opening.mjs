// Turns what a client sent (a file of JSON lines) into a transcript for tests/support/transcripts.mjs:
//
//   node record-opening.mjs SENT.jsonl TRANSCRIPT.jsonl "what it is"
//
// Each request is followed by the expectation that it is answered with a result.
import fs from 'node:fs';

const [source, target, about] = process.argv.slice(2);
const steps = [{ about }];
for (const line of fs.readFileSync(source, 'utf8').split('\n').filter(Boolean)) {
  const message = JSON.parse(line);
  steps.push({ send: message });
  if ('id' in message && message.method) steps.push({ expect: { id: message.id, result: {} } });
}
fs.writeFileSync(target, steps.map(step => `${JSON.stringify(step)}\n`).join(''));
console.log(`${target}: ${steps.length} steps`);

// Turns what a client sent (a file of JSON lines) into a transcript for tests/support/transcripts.mjs:
//
//   node record-opening.mjs SENT.jsonl TRANSCRIPT.txt "what it is"
//
// Each request is followed by the expectation that it is answered with a result.
import fs from 'node:fs';

const [source, target, about] = process.argv.slice(2);
const lines = [`# ${about}.`, 'era: none'];
for (const line of fs.readFileSync(source, 'utf8').split('\n').filter(Boolean)) {
  const message = JSON.parse(line);
  lines.push(`--> ${line}`);
  if ('id' in message && message.method) lines.push(`<-- ${JSON.stringify({ id: message.id, result: {} })}`);
}
fs.writeFileSync(target, `${lines.join('\n')}\n`);
console.log(`${target}: ${lines.length} lines`);

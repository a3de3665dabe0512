// A `lake serve` whose answers are a function of the text alone, given at random times: an elaboration takes from nothing to
// `elaborate_ms`, begins with an empty list of messages (which is not the last word), and may say that nothing is being
// processed before the messages are there, as versions of Lean did. What is answered wrongly was wrong before it got here.
//
//   node hasty-lake.mjs FOLDER serve -- ARGS
//
// A goal is `⊢` and the line, an error what stands behind `-- error:` (tests/support/small-lean.mjs).
import fs from 'node:fs';
import path from 'node:path';
import { MessageReader, encodeMessage } from '../../fixtures/lean-wasm/lib/frames.mjs';
import { SmallLean } from '../../tests/support/small-lean.mjs';
import { seeded } from './statistics.mjs';

const [folder] = process.argv.slice(2);
const { seed = 1, elaborate_ms: slowest = 20, trace } = JSON.parse(fs.readFileSync(path.join(folder, 'settings.json'), 'utf8'));
const random = seeded(seed);
// With `trace`, a file: what came and went, and the texts, to see who was wrong.
const note = (from, message, text) => { if (trace) fs.appendFileSync(trace, `${JSON.stringify({ at: performance.now(), from, message, text })}\n`); };
const send = message => { note('lean', message); process.stdout.write(encodeMessage({ jsonrpc: '2.0', ...message })); };

class HastyLean extends SmallLean {
  async elaborate(uri) {
    const document = this.documents.get(uri);
    if (document && random() < 0.5) this.publish(uri, document.version, []);
    if (document && random() < 0.3) this.progress(uri, document.version, []);
    this.elaborateMs = random() * slowest;
    return super.elaborate(uri);
  }
}

const lean = new HastyLean({ send, options: {} });
const reader = new MessageReader(message => {
  if (!message.method) return;
  lean.track(message);
  note('client', message, lean.textOf(message));
  lean.handle(message);
});
process.stdin.on('data', chunk => reader.feed(chunk));
process.stdin.on('end', () => process.exit(0));

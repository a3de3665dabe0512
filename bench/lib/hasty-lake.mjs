// A `lake serve` whose answers depend only on the text, given at random times: an elaboration takes between zero and
// `elaborate_ms`, begins with an empty, preliminary list of messages, and may report that nothing is being processed before
// the messages arrive, as versions of Lean did. So any wrong answer is the fault of the server in front of it.
//
//   node hasty-lake.mjs FOLDER serve -- ARGS
//
// A goal is `⊢` and the line, an error the text after `-- error:` (tests/support/small-lean.mjs).
import fs from 'node:fs';
import path from 'node:path';
import { MessageReader, encodeMessage } from '../../fixtures/lean-wasm/lib/frames.mjs';
import { SmallLean } from '../../tests/support/small-lean.mjs';
import { seeded } from './statistics.mjs';

const [folder] = process.argv.slice(2);
const { seed = 1, elaborate_ms: slowest = 20, trace } = JSON.parse(fs.readFileSync(path.join(folder, 'settings.json'), 'utf8'));
const random = seeded(seed);
// With `trace`, a file, records the traffic and the texts, to see who was wrong.
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

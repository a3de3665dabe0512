// scripts/real --fill: proofs of real files replaced by sorry. How many lean_fill closes within a budget, by tactic, and whether the
// compiler accepts what it wrote; beside lean_multi_attempt of lean-lsp-mcp with the same tactics, where LEANBRIDGE_BENCH_PEER names it.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mcp } from '../../bench/lib/mcp.mjs';
import { wholeMs } from '../../bench/lib/proc.mjs';
import { Leanbridge, Peer } from '../../bench/lib/sides.mjs';
import { realLake, temporaryFolder } from '../../tests/support/bridge.mjs';

const LINES = 60;           // of a proof; longer ones are left as they are
const AT_ONCE = 20;         // proofs that one call is asked to fill; a file with more of them is taken in parts
const PEER_AT_ONCE = 2;     // of them those at which the peer is asked, too: each takes it half a minute
const TACTICS = /constexpr const char\* k(?:Cheap|Dear)\[\] = \{([^}]*)\}/g;

/** The tactics that lean_fill tries everywhere. */
export const tactics = () => [...fs.readFileSync(new URL('../../src/core/ide/fill_candidates.cpp', import.meta.url), 'utf8').matchAll(TACTICS)]
  .flatMap(([, list]) => [...list.matchAll(/"([^"]*)"/g)].map(([, text]) => text));

/** {name, from, to, at}: the theorems with one proof, by lines from 0 to before `to`, and the offset of its `:=`. */
function theoremsOf(text) {
  const lines = text.split('\n'), offsets = [0];
  for (const line of lines) offsets.push(offsets.at(-1) + line.length + 1);
  const isStart = line => /^[^\s)}\]|]/.test(line);
  const found = [];
  for (let from = 0; from < lines.length; from++) {
    const name = /^(?:@\[[^\]]*\] )?(?:(?:private|protected|nonrec) )*(?:theorem|lemma) (\S+)/.exec(lines[from])?.[1];
    if (!name) continue;
    let to = from + 1;
    while (to < lines.length && !isStart(lines[to])) to++;
    while (!lines[to - 1].trim()) to--;
    const source = text.slice(offsets[from], offsets[to]);
    const proof = /:=\s*by\b/.exec(source) ?? /\s:=\s/.exec(source);   // else a term, if it is the first outside of brackets
    if (!proof || to - from > LINES || /\b(termination_by|decreasing_by|where)\b|\bsorry\b/.test(source)) continue;
    found.push({ name, from, to, at: offsets[from] + proof.index, end: offsets[to] - 1 });
  }
  return found;
}

/** The text without these proofs, and the lines of its sorries, from 1. */
function without(text, theorems) {
  let result = '', done = 0;
  const lines = [];
  for (const { at, end } of theorems) {
    result += `${text.slice(done, at)}:= by\n  `;
    lines.push(result.split('\n').length);
    result += 'sorry';
    done = end;
  }
  return { text: result + text.slice(done), lines };
}

const isSorry = ({ message }) => /declaration uses .?sorry/.test(message);
const cpuSeconds = pid => wholeMs(pid) / 1000;
const sum = list => list.reduce((a, b) => a + b, 0);

export class Filling {
  closed = new Map();   // by budget: {places, closed, refuted, seconds, refused}
  byTactic = new Map();   // with the last budget
  peer = { places: 0, closed: 0, seconds: 0, ours: 0 };   // ours: closed by lean_fill at the same places, with the last budget
  files = [];

  constructor(root, { say, compiled }) {
    this.root = temporaryFolder('fill');
    fs.cpSync(root, this.root, { recursive: true, filter: from => path.basename(from) !== '.git' });
    Object.assign(this, { say, compiled });
  }

  /** Takes proofs out of the files until there are `wanted`. */
  async prepare(files, wanted) {
    for (const file of files) {
      if (sum(this.files.map(({ theorems }) => theorems.length)) >= wanted) return;
      const at = path.join(this.root, file), text = fs.readFileSync(at, 'utf8');
      const all = theoremsOf(text);
      const before = all.length && this.compiled(this.root, file);
      if (!before || before.some(({ severity }) => severity === 'error')) {
        if (all.length) this.say(`${file}: left out with ${all.length} proofs, it ${before ? 'has errors here' : 'cannot be loaded'}`);
        continue;
      }
      for (let from = 0; from < all.length; from += AT_ONCE) {
        let theorems = all.slice(from, from + AT_ONCE), hollow, errors;
        // A file may look at its proofs, or a statement is cut in the wrong place: without those where Lean complains, once more.
        for (let tries = 0; tries < 2 && theorems.length; tries++) {
          if (errors) theorems = theorems.filter((_, i) => !errors.some(({ line }) => (hollow.lines[i - 1] ?? 0) < line && line <= hollow.lines[i]));
          hollow = without(text, theorems);
          fs.writeFileSync(at, hollow.text);
          const messages = this.compiled(this.root, file) ?? [{ severity: 'error', line: 0 }];
          fs.writeFileSync(at, text);
          errors = messages.filter(({ severity }) => severity === 'error');
          if (!errors.length && messages.filter(isSorry).length !== theorems.length) errors = [{ line: 0 }];
          if (!errors.length) break;
        }
        const isUsable = theorems.length && !errors.length;
        if (isUsable) this.files.push({ file, at, text, hollow, theorems });
        this.say(`${file}: ${theorems.length} proofs${isUsable ? '' : ' left out, it does not compile without them'}`);
      }
    }
  }

  async run(budgets) {
    for (const budget of budgets) {
      const row = { places: 0, closed: 0, refuted: 0, seconds: 0, refused: 0 };
      this.closed.set(budget, row);
      this.byTactic.clear();
      const bridge = await new Mcp(Leanbridge.command(this, realLake, ['--tools', 'all'], { LEANBRIDGE_CACHE_DIR: temporaryFolder('cache') })).connect();
      try {
        for (const one of this.files) await this.fill(bridge, one, budget, row);
      } finally {
        await bridge.end();
      }
      this.say(`${budget} s each: ${row.closed} of ${row.places} closed, ${row.refuted} refuted, ${row.refused} refused by the compiler, ${row.seconds.toFixed(0)} s of processor time`);
    }
    if (process.env.LEANBRIDGE_BENCH_PEER) await this.beside();
    return this;
  }

  async fill(bridge, one, budget, row) {
    const { file, at, text, hollow, theorems } = one;
    fs.writeFileSync(at, hollow.text);
    const before = cpuSeconds(bridge.pid);
    const answer = await bridge.call('lean_fill', { file_path: file, budget_s: budget * theorems.length, write: true, verbose: true, timeout_s: 590 });
    row.seconds += cpuSeconds(bridge.pid) - before;
    row.places += theorems.length;
    if (answer.error !== undefined) this.say(`${file}: ${answer.error.slice(0, 300)}`);
    one.closed = new Map((answer.value?.places ?? []).map(({ line, closed_by: by }) => [line, by]));
    for (const { declaration, line, closed_by: by, refuted } of answer.value?.places ?? []) {
      if (refuted) this.say(`${file}:${line}: ${declaration} refuted by ${refuted}`);
      if (by) this.byTactic.set(by, (this.byTactic.get(by) ?? 0) + 1);
      row.closed += by ? 1 : 0;
      row.refuted += refuted ? 1 : 0;
    }
    const left = theorems.length - (answer.value?.closed ?? 0);
    const messages = this.compiled(this.root, file) ?? [{ severity: 'error', message: 'it does not end' }];
    const errors = messages.filter(({ severity }) => severity === 'error');
    for (const { line, message } of errors) this.say(`${file}:${line}: ${message.slice(0, 300)}`);
    row.refused += errors.length + Math.max(0, messages.filter(isSorry).length - left);
    fs.writeFileSync(at, text);
    await sleep(200);
  }

  /** lean_multi_attempt with the same tactics, at each of the same sorries. */
  async beside() {
    Peer.program = process.env.LEANBRIDGE_BENCH_PEER;
    const peer = await new Mcp(Peer.command(this, realLake)).connect();
    try {
      for (const { file, at, text, hollow, closed } of this.files) {
        fs.writeFileSync(at, hollow.text);
        const before = cpuSeconds(peer.pid);
        const step = Math.ceil(hollow.lines.length / PEER_AT_ONCE);
        for (const line of hollow.lines.filter((_, i) => i % step === 0)) {
          this.peer.places++;
          this.peer.ours += closed.get(line) ? 1 : 0;
          const started = performance.now();
          const { value } = await peer.call('lean_multi_attempt', { file_path: file, line, column: 3, snippets: tactics() });
          const isClosed = ({ goals, diagnostics, timed_out: late }) => !late && goals?.length === 0 && !diagnostics?.some(({ severity }) => severity === 'error');
          const closing = (value?.items ?? []).find(isClosed);
          if (closing) this.peer.closed++;
          this.say(`lean-lsp-mcp: ${file}:${line}: ${closing?.snippet ?? 'open'}, ${((performance.now() - started) / 1000).toFixed(0)} s`);
        }
        this.peer.seconds += cpuSeconds(peer.pid) - before;
        fs.writeFileSync(at, text);
      }
    } finally {
      await peer.end();
    }
    this.say(`lean-lsp-mcp: ${this.peer.closed} of ${this.peer.places} closed, ${this.peer.seconds.toFixed(0)} s of processor time; lean_fill ${this.peer.ours} of the same`);
  }
}

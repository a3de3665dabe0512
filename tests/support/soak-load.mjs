// The load of tests/support/soak.mjs: what an agent does, and which answers are right. All choices come from one seed; their order in
// time depends on the machine.
import { setTimeout as sleep } from 'node:timers/promises';
import { SoakFile } from './soak-files.mjs';
import { survivors } from './processes.mjs';

const CALL_S = 60;
// Allowed beyond the call's own deadline, on a busy machine.
const GRACE_MS = 15_000;
// How long after a kill a call may still report it: the server is retried after at most 10 s, and has to start.
const KILL_SHOWS_MS = 40_000;
const FIXED_FILES = ['First', 'Second'];

export class SoakLoad {
  #kills = [];
  #under_way = 0;
  vanished = undefined;     // the file removed in this round
  made = [];                // files created later, which may be removed again
  gone = [];                // names of removed files
  calls = 0;
  counts = new Map();       // what was done or answered -> how often
  failures = [];            // wrong answers, calls that did not end

  constructor({ client, project, random }) {
    this.client = client;
    this.project = project;
    this.random = random;
    this.files = FIXED_FILES.map(name => new SoakFile(project, name, random));
  }

  count(what) { this.counts.set(what, (this.counts.get(what) ?? 0) + 1); }
  #fail(text) { if (this.failures.length < 20) this.failures.push(text); else this.count('more failures'); }

  // --- calls

  /** One call: checks its answer by `right(answer, texts, killed)`, which returns what is wrong, and its error by what happened meanwhile. */
  async #ask(tool, file, args, right = () => undefined, { mayFail = [] } = {}) {
    const begin = performance.now();
    this.calls++;
    let answer;
    try {
      answer = await this.client.call(tool, { file_path: `${file.name}.lean`, timeout_s: CALL_S, ...args }, { timeoutMs: CALL_S * 1000 + GRACE_MS });
    } catch (error) {
      return this.#fail(`${tool} ${JSON.stringify(args)} of ${file.name}: ${error.message.split('\n')[0]}`);
    }
    const end = performance.now();
    const texts = file.during(begin, end);
    const problem = answer.error ? this.#unexpected(answer.error, { begin, end, texts, args, mayFail }) : right(answer.structured, texts.filter(Boolean), this.#killedDuring(begin, end));
    this.count(answer.error ? `error ${answer.error.kind}` : answer.structured.timed_out ? 'answer timed_out' : 'answer');
    if (problem) this.#fail(`${tool} ${JSON.stringify(args)} of ${file.name}: ${problem}; the answer: ${(answer.text ?? '').slice(0, 600)}`);
    return answer;
  }

  /** Was a Lean process killed during a call, or so shortly before it that the call may notice? */
  #killedDuring(begin, end) { return this.#kills.some(time => time <= end && time >= begin - KILL_SHOWS_MS); }

  #unexpected(error, { begin, end, texts, args, mayFail }) {
    const killed = this.#killedDuring(begin, end);
    if (mayFail.includes(error.kind) || error.kind === 'timeout') return undefined;
    if (['worker_crashed', 'lean_unavailable'].includes(error.kind) && killed) return undefined;
    if (error.kind === 'cancelled' && texts.length > 1) return undefined;   // "changed meanwhile"
    if (error.kind === 'file_not_found' && texts.includes(undefined)) return undefined;
    if (error.kind === 'invalid_argument' && texts.some(text => text && text.lengthOf(args.line) + 1 < args.column)) return undefined;
    return `an error for no reason`;
  }

  goal(file, id = this.random.pick(file.text.proofs).id) {
    const line = file.text.lineOf(id);
    return this.#ask('lean_goal', file, { line, column: 3 }, (answer, texts) => {
      if (answer.timed_out) return undefined;
      // After two edits at once the position between them is unknown, but old values must not come back.
      const somewhere = texts.length > 2;
      const allowed = new Set(texts.flatMap(text => (somewhere ? text.goals : [text.goalOf(id), text.goalAt(line)])).filter(Boolean));
      const goals = answer.goals ?? [];   // null: there is no proof
      if (goals.length === 0) return somewhere || texts.some(text => !text.goalAt(line) || !text.goalOf(id)) ? undefined : 'no goals, where there was one all the time';
      return goals.length === 1 && allowed.has(goals[0]) ? undefined : `not one of ${JSON.stringify([...allowed])}`;
    });
  }

  messages(file, tool) {
    return this.#ask(tool, file, {}, (answer, texts) => {
      const lines = answer.items.filter(item => item.severity === 'error').map(item => item.line);
      if (answer.partial) return undefined;
      const same = text => text.errors.length === lines.length && text.errors.every((line, i) => line === lines[i]);
      if (!texts.some(same)) return `errors in lines ${JSON.stringify(lines)}, not ${JSON.stringify(texts.map(text => text.errors))}`;
      return answer.success === (lines.length === 0) ? undefined : 'success and errors do not agree';
    });
  }

  attempt(file) {
    const { id } = this.random.pick(file.text.proofs);
    const line = file.text.lineOf(id);
    return this.#ask('lean_multi_attempt', file, { line, snippets: ['exact h', `exact no${this.random.below(1e6)}`] }, (answer, texts, killed) => {
      if (answer.partial || answer.items.some(item => item.timed_out)) return undefined;
      if (texts.length > 1) return undefined;   // the line may have moved
      // A snippet is tried in its own worker, which may have been killed: then its item says so, and the others remain valid.
      const crashed = item => killed && /^Lean's worker (for .+ )?ended/.test(item.diagnostics[0]?.message ?? '');
      const isRight = (item, i) => crashed(item) || item.proof_status === ['proof_complete', 'error'][i];
      return answer.items.length === 2 && answer.items.every(isRight) ? undefined : 'not proof_complete and error';
    });
  }

  outline(file) {
    return this.#ask('lean_file_outline', file, {}, (answer, texts) => {
      const names = answer.declarations.map(declaration => declaration.name).join();
      return answer.partial || texts.some(text => text.names.join() === names) ? undefined : `not ${texts.map(text => text.names.join()).join(' or ')}`;
    });
  }

  pastTheEnd(file) {
    return this.#ask('lean_goal', file, { line: 5000, column: 1 }, () => 'an answer about a line that there is not', { mayFail: ['invalid_argument'] });
  }

  async #cancelled(file) {
    this.count('cancelled');
    this.calls++;
    const controller = new AbortController();
    const tool = this.random.pick(['lean_check_all', 'lean_multi_attempt', 'lean_goal']);
    const line = file.text.lineOf(file.edit());
    const args = { file_path: `${file.name}.lean`, timeout_s: CALL_S, ...(tool !== 'lean_check_all' && { line }), ...(tool === 'lean_multi_attempt' && { snippets: ['exact h', 'simp'] }) };
    const call = this.client.call(tool, args, { signal: controller.signal, timeoutMs: CALL_S * 1000 + GRACE_MS });
    await Promise.race([call.catch(() => {}), sleep(this.random.below(150))]);
    controller.abort(new Error('cancelled'));
    await call.catch(error => { if (error.message !== 'cancelled') this.#fail(`${tool}, cancelled: ${error.message.split('\n')[0]}`); });
  }

  /** One action of an agent. */
  async #step() {
    const file = this.random.pick([...this.files, ...this.made.filter(made => made.exists)]);
    const dice = this.random.below(100);
    if (dice < 50) return this.goal(file);
    if (dice < 60) { this.count('edited'); return this.goal(file, file.edit()); }
    if (dice < 68) return this.messages(file, 'lean_diagnostic_messages');
    if (dice < 75) return this.messages(file, 'lean_check_all');
    if (dice < 80) return this.attempt(file);
    if (dice < 84) return this.outline(file);
    if (dice < 88) return this.#ask('lean_hover_info', file, { line: file.text.lineOf(file.text.proofs[0].id) - 1, column: 9 }, undefined, { mayFail: ['not_found', 'invalid_argument', 'no_information'] });
    if (dice < 90) return this.pastTheEnd(file);
    if (dice < 92) return this.#ask('lean_document_state', file, {});
    if (dice < 94) return this.#ask('lean_sync', file, {});
    return this.#cancelled(file);
  }

  #missing(file) { return this.#ask('lean_check_all', file, {}, () => 'an answer about a file that there is not'); }

  /** Starts Lean and the permanent workers, which is not part of the measured load. */
  async begin() {
    for (const file of this.files) await this.goal(file);
    await this.attempt(this.files[0]);
  }

  // --- faults

  /** Kills what `choose(worker processes, the processes between them and the bridge)` returns. */
  #kill(choose) {
    const below = this.client.descendants();
    const workers = below.filter(({ argv }) => argv.includes('--worker'));
    const victims = choose(workers, below.filter(process => !workers.includes(process) && process.ppid !== this.client.pid));
    this.#kills.push(performance.now());
    for (const { pid } of survivors(victims)) try { process.kill(pid, 'SIGKILL'); } catch { /* gone meanwhile */ }
  }

  happenings = {
    quiet: () => {},
    'worker killed': () => this.#kill(workers => (workers.length ? [this.random.pick(workers)] : [])),
    'watchdog killed': () => this.#kill((workers, watchdogs) => watchdogs),
    'file appears': () => {
      // Now and then reuses an earlier name, with another text.
      const name = this.gone.length && this.random.chance(0.3) ? this.gone.splice(this.random.below(this.gone.length), 1)[0] : `Made${this.made.length + this.gone.length}x${this.random.below(1e6)}`;
      this.made.push(new SoakFile(this.project, name, this.random));
      return this.goal(this.made.at(-1));
    },
    'file vanishes': async () => {
      if (!this.made.length) await this.happenings['file appears']();
      const file = this.made[0];
      file.remove();
      this.vanished = file;
      await this.#missing(file);
      this.made.shift();
      this.gone.push(file.name);
    },
  };

  /** `agents` work in parallel for a while; `happening` happens halfway. */
  async round({ agents, ms, happening }) {
    const end = performance.now() + ms;
    const agent = async () => { while (performance.now() < end && !this.client.exit) await this.#step(); };
    const misfortune = async () => { await sleep(this.random.below(ms / 2)); this.count(happening); await this.happenings[happening](); };
    await Promise.all([...Array.from({ length: agents }, agent), misfortune()]);
    // Once more, when no other call holds it, so that it is forgotten.
    if (this.vanished) await this.#missing(this.vanished);
    this.vanished = undefined;
  }
}

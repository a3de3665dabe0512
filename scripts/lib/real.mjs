// scripts/real, once everything is installed: what leanbridge says about real files, beside a bare LSP client and the compiler.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { memoryOf } from '../../bench/lib/proc.mjs';
import { Mcp } from '../../bench/lib/mcp.mjs';
import { seeded, summarise } from '../../bench/lib/statistics.mjs';
import { binary, realLake, temporaryFolder } from '../../tests/support/bridge.mjs';
import { LspClient } from '../../tests/support/lsp-client.mjs';
import { descendants } from '../../tests/support/processes.mjs';
import { Filling } from './real-fill.mjs';

const COMPILE_MS = 180_000;
const CALL_S = 120;
const SEVERITY = ['', 'error', 'warning', 'info', 'hint'];
const PLACES_TOLD = 40;   // disagreements in full; the rest is counted

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { files: { type: 'string', default: '12' }, places: { type: 'string', default: '12' }, seed: { type: 'string', default: '1' }, json: { type: 'string' }, fill: { type: 'string' }, budgets: { type: 'string', default: '1,5,20' } },
});
if (!positionals.length) {
  console.error('usage: scripts/real [--files N] [--places N] [--seed N] [--json FILE] [--fill N [--budgets 1,5,20]] DIR…');
  process.exit(2);
}
const say = text => console.error(`[${String(Math.round(performance.now() / 1000)).padStart(5)} s] ${text}`);

// --- the project

/** The folder with a lakefile: this one, or the first below it. */
function projectIn(folder) {
  const has = at => ['lakefile.toml', 'lakefile.lean'].some(name => fs.existsSync(path.join(at, name)));
  const level = [folder];
  for (let depth = 0; depth < 3; depth++) {
    const found = level.find(has);
    if (found) return fs.realpathSync(found);
    level.splice(0, level.length, ...level.flatMap(at => fs.readdirSync(at, { withFileTypes: true }).filter(entry => entry.isDirectory() && !entry.name.startsWith('.')).map(entry => path.join(at, entry.name))));
  }
  throw new Error(`${folder} has no lakefile.`);
}

function sourcesOf(root) {
  const found = [];
  const walk = at => {
    for (const entry of fs.readdirSync(at, { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name === 'lake-packages' || entry.name === 'node_modules') continue;
      const full = path.join(at, entry.name);
      if (entry.isDirectory()) walk(full);
      else if (entry.name.endsWith('.lean') && entry.name !== 'lakefile.lean') found.push(path.relative(root, full));
    }
  };
  walk(root);
  return found.sort();
}

/** The messages of the compiler; undefined: it cannot load the file's imports, or does not end. */
function compiled(root, file) {
  const { status, stdout } = spawnSync(realLake, ['lean', file, '--', '--json'], { cwd: root, encoding: 'utf8', timeout: COMPILE_MS, maxBuffer: 64 << 20 });
  const messages = (stdout ?? '').split('\n').flatMap(line => {
    try {
      const value = JSON.parse(line);
      return value?.pos && value.severity ? [value] : [];
    } catch { return []; }
  });
  if (status !== 0 && !messages.some(({ severity }) => severity === 'error')) return undefined;
  if (messages.some(({ data }) => /unknown module prefix|object file .* does not exist|bad import|failed to read file|cannot import non-/.test(data))) return undefined;
  return messages.map(({ severity, pos, data }) => ({ severity: severity === 'information' ? 'info' : severity, line: pos.line, column: pos.column + 1, message: data }));
}

// --- comparing

// A hygienic name has the module in it, and a file of no library has another one for the compiler (`_unknown`) than for the server.
const words = text => text.replace(/\s+/g, ' ').replace(/\._@\.[^\s()]*?\.(\d+)\._hyg/g, '._@.$1._hyg').trim();
const keyOf = ({ severity, line, message }) => `${line} ${severity} ${words(message)}`;
/** What is in one list only. */
function differences(ours, theirs) {
  const left = theirs.map(keyOf);
  const extra = ours.map(keyOf).filter(key => {
    const at = left.indexOf(key);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return { extra, missing: left };
}

const shuffled = (list, random) => list.map(value => [random(), value]).sort((a, b) => a[0] - b[0]).map(([, value]) => value);

function columnOf(text, character) {   // UTF-16 from 0, from characters from 1
  return [...text.slice(0, character)].length + 1;
}

class Run {
  disagreements = [];
  counts = { files: 0, compiled: 0, messages: 0, goals: 0, proofs: 0, unknown: 0, outline: 0, tools: 0, calls: 0, internal: 0, crashes: 0 };
  times = new Map();
  // Milliseconds of leanbridge and of the bare client for the same questions, each asked of a Lean of its own, in turns.
  beside = { messages: [0, 0], goals: [0, 0] };
  turn = 0;
  peak = 0;

  constructor(folder) { this.root = projectIn(folder); this.random = seeded(Number(values.seed)); }

  disagree(what, input, ours, theirs) { this.disagreements.push({ what, input, leanbridge: ours, expected: theirs }); }

  async call(name, args) {
    const started = performance.now();
    this.counts.calls++;
    const answer = await this.bridge.call(name, { ...args, verbose: true });
    (this.times.get(name) ?? this.times.set(name, []).get(name)).push(performance.now() - started);
    if (answer.error !== undefined) {
      const kind = /"kind":"([a-z_]+)"/.exec(answer.error)?.[1];
      if (kind === 'internal') { this.counts.internal++; this.disagree('internal error', { name, args }, answer.error, 'an answer'); }
      return { kind: kind ?? 'unknown' };
    }
    return answer.value;
  }

  /** Both answers to one question. They take turns in being first, and what each takes is added up. */
  async both(what, ours, bare) {
    const answers = [];
    const order = this.turn++ % 2 ? [0, 1] : [1, 0];
    for (const side of order) {
      const started = performance.now();
      answers[side] = await [ours, bare][side]();
      this.beside[what][side] += performance.now() - started;
    }
    return answers;
  }

  async run() {
    const all = sourcesOf(this.root);
    this.counts.files = all.length;
    const chosen = [];
    for (const file of shuffled(all, this.random)) {
      if (chosen.length >= Number(values.files)) break;
      const messages = compiled(this.root, file);
      say(`${path.basename(this.root)}: ${file} ${messages ? 'compiles' : 'cannot be compiled here'}`);
      if (messages) chosen.push({ file, messages });
    }
    this.counts.compiled = chosen.length;
    if (!chosen.length) return;
    const env = { LEANBRIDGE_CACHE_DIR: temporaryFolder('cache') };
    this.bridge = await new Mcp({ command: binary, args: ['--project-root', this.root, '--lake', realLake, '--offline', '--tools', 'all', '--timeout', String(CALL_S)], cwd: this.root, env }).connect();
    this.bare = new LspClient(realLake, ['serve'], { cwd: this.root, deadline: CALL_S * 1000 });
    await this.bare.initialize({ textDocument: {} });
    try {
      for (const one of chosen) await this.compare(one);
      await this.everyTool(chosen[0].file);
      this.peak = Math.max(this.peak, ...descendants(this.bridge.pid).map(({ pid }) => { try { return memoryOf(pid).rss; } catch { return 0; } }));
      this.own = memoryOf(this.bridge.pid).rss;
    } catch (error) {
      if (!this.bridge.gone) throw error;
      this.counts.crashes++;
      this.disagree('crash', {}, String(error), 'a server that lives');
    } finally {
      await this.bridge.end();
      await this.bare.dispose();
    }
  }

  async compare({ file, messages }) {
    const text = fs.readFileSync(path.join(this.root, file), 'utf8');
    const lines = text.split(/\r?\n/);
    const uri = pathToFileURL(path.join(this.root, file)).href;
    const [{ items, truncated }, told] = await this.both('messages', () => this.call('lean_diagnostic_messages', { file_path: file }), async () => {
      this.bare.open(uri, text, 1, { dependencyBuildMode: 'once' });
      return (await this.bare.check(uri)) ?? [];
    });
    const shown = told.filter(({ isSilent }) => !isSilent).map(({ severity, range, message }) => ({ severity: SEVERITY[severity], line: range.start.line + 1, message }));
    this.counts.messages += shown.length;
    if (!items) this.disagree('messages', { file }, undefined, shown.slice(0, 3));
    else if (!truncated) {
      for (const [name, list] of [['the bare client', shown], ['the compiler', messages]]) {
        const { extra, missing } = differences(items, list);
        if (extra.length || missing.length) this.disagree(`messages, beside ${name}`, { file }, extra.slice(0, 3), missing.slice(0, 3));
      }
    }
    await this.goals(file, uri, lines);
    await this.proofs(file, messages);
    await this.outline(file, uri);
    this.bare.close(uri);
  }

  async goals(file, uri, lines) {
    const inside = lines.map((line, i) => [line, i]).filter(([line]) => /^\s+\S/.test(line) && !/^\s*--/.test(line));
    for (const [line, i] of shuffled(inside, this.random).slice(0, Number(values.places))) {
      const first = line.search(/\S/);
      const character = this.random() < 0.5 ? first : first + Math.floor(this.random() * (line.length - first));
      const args = { file_path: file, line: i + 1, column: columnOf(line, character) };
      const [ours, expected] = await this.both('goals', () => this.call('lean_goal', args),
        () => this.bare.request('$/lean/plainGoal', { textDocument: { uri }, position: { line: i, character } }).catch(error => ({ error: String(error) })));
      this.counts.goals++;
      const [a, b] = [ours.goals ?? null, expected?.goals ?? null].map(goals => goals && JSON.stringify(goals.map(words)));
      if (a !== b) this.disagree('goals', args, ours.goals ?? ours.kind ?? null, expected?.goals ?? expected ?? null);
    }
  }

  /** The state of a proof by the compiler's messages in its lines. */
  async proofs(file, messages) {
    const { proofs } = await this.call('lean_document_proofs', { file_path: file });
    let sound = !messages.some(({ severity }) => severity === 'error');
    for (const { declaration, start_line: from, end_line: to, state } of proofs ?? []) {
      const here = messages.filter(({ line }) => from <= line && line <= to);
      const expected = here.some(({ severity }) => severity === 'error') ? 'error' : here.some(({ message }) => /declaration uses .?sorry/.test(message)) ? 'sorry' : 'proved';
      this.counts.proofs++;
      if (state === 'unknown') this.counts.unknown++;
      else if (state !== expected) this.disagree('state of a proof', { file, declaration, from, to }, state, expected);
    }
    sound &&= !messages.some(({ message }) => /declaration uses .?sorry/.test(message));
    const { success, state } = await this.call('lean_check_all', { file_path: file });
    if (state !== 'unknown' && success !== sound) this.disagree('verdict on a file', { file }, { success, state }, sound);
  }

  async outline(file, uri) {
    const symbols = (await this.bare.request('textDocument/documentSymbol', { textDocument: { uri } })) ?? [];
    const flat = (list, children, line) => list.flatMap(one => [{ name: one.name.trim(), line: line(one) }, ...flat(one[children] ?? [], children, line)]);
    const lines = fs.readFileSync(path.join(this.root, file), 'utf8').split('\n');
    const isSection = line => /^\s*(?:[@\w]+ )*section\b/.test(lines[line - 1] ?? '');   // no declaration, with or without a name
    const expected = flat(symbols, 'children', ({ range }) => range.start.line + 1).filter(({ name, line }) => !/^</.test(name) && !isSection(line));
    const { declarations } = await this.call('lean_file_outline', { file_path: file, max_declarations: 100_000 });
    // Lean's symbols have the names that are written, ours the full ones.
    const ours = new Set(flat(declarations ?? [], 'children', ({ start_line: line }) => line).flatMap(({ name }) => name.split('.').map((_, i, parts) => parts.slice(i).join('.'))));
    this.counts.outline += expected.length;
    const missing = expected.filter(({ name }) => !ours.has(name) && !/^\(/.test(name));
    if (missing.length) this.disagree('outline', { file }, 'without them', missing.slice(0, 5));
  }

  async everyTool(file) {
    const text = fs.readFileSync(path.join(this.root, file), 'utf8').split('\n');
    const line = Math.max(1, text.findIndex(one => /^\s+\S/.test(one)) + 1);
    const name = /^\s*(?:theorem|lemma|def)\s+(\S+)/m.exec(text.join('\n'))?.[1] ?? 'Nat.add_comm';
    const given = {
      file_path: file, line, column: 3, start_line: line, end_line: line, new_text: text[line - 1], snippets: ['rfl', 'simp'], tactic: 'simp', name, theorem_name: name, symbol: name, pattern: name.slice(0, 4),
      query: 'a + b = b + a', expression: '1 + 1', code: '#eval 1', items: [{ id: '1', code: 'example : True := trivial' }], javascript_hash: '0', position: { line: 0, character: 0 },
    };
    const { tools } = await this.bridge.tools();
    for (const { name: tool, inputSchema } of tools) {
      if (/build|reset|restart|close|certify/.test(tool)) continue;
      const args = Object.fromEntries((inputSchema.required ?? []).map(key => [key, given[key] ?? name]));
      for (const key of ['file_path', 'line']) if (inputSchema.properties?.[key] && args[key] === undefined) args[key] = given[key];
      this.counts.tools++;
      await this.call(tool, args);
    }
  }
}

// --- proofs replaced by sorry

async function fillAll() {
  const wanted = Number(values.fill), budgets = values.budgets.split(',').map(Number);
  const rows = [], byTactic = new Map();
  for (const [i, folder] of positionals.entries()) {
    const root = projectIn(folder), have = rows.reduce((sum, { proofs }) => sum + proofs, 0);
    const filling = new Filling(root, { say, compiled });
    await filling.prepare(shuffled(sourcesOf(root), seeded(Number(values.seed))), Math.ceil((wanted - have) / (positionals.length - i)));
    await filling.run(budgets);
    for (const [tactic, count] of filling.byTactic) byTactic.set(tactic, (byTactic.get(tactic) ?? 0) + count);
    const row = { project: path.basename(path.resolve(folder)), files: filling.files.length, proofs: filling.peer.places };
    for (const [budget, { places, closed, refuted, refused, seconds }] of filling.closed) {
      row.proofs = places;
      row[`closed, ${budget} s each`] = `${closed}, ${refuted} refuted, ${refused} refused`;
      row[`a minute, ${budget} s each`] = (closed / seconds * 60).toFixed(1);
    }
    if (filling.peer.places) Object.assign(row, { 'lean-lsp-mcp': `${filling.peer.closed} of ${filling.peer.places}, lean_fill ${filling.peer.ours}`, 'lean-lsp-mcp, a minute': (filling.peer.closed / filling.peer.seconds * 60).toFixed(1) });
    rows.push(row);
    failed += [...filling.closed.values()].reduce((sum, { refuted, refused }) => sum + refuted + refused, 0);
  }
  console.log([...byTactic].sort(([, a], [, b]) => b - a).slice(0, 30).map(([tactic, count]) => `${count}\t${tactic}`).join('\n'));
  return rows;
}

// --- the report

function print(rows) {
  const columns = Object.keys(rows[0]);
  console.log(`| ${columns.join(' | ')} |\n|${columns.map(() => '---').join('|')}|`);
  for (const row of rows) console.log(`| ${columns.map(column => row[column]).join(' | ')} |`);
}

const rows = [];
let failed = 0;
if (values.fill) rows.push(...await fillAll());
else for (const folder of positionals) {
  const run = new Run(folder);
  const started = performance.now();
  await run.run();
  const median = name => { const samples = run.times.get(name); return samples ? `${Math.round(summarise(samples).median)}` : '—'; };
  const ratio = ([ours, bare]) => bare ? `${(ours / 1000).toFixed(1)} / ${(bare / 1000).toFixed(1)} = ${(ours / bare).toFixed(2)}` : '—';
  const git = spawnSync('git', ['-C', run.root, 'rev-parse', '--short=16', 'HEAD'], { encoding: 'utf8' });
  const bad = run.disagreements.length;
  failed += bad;
  rows.push({
    project: path.basename(path.resolve(folder)), commit: git.status === 0 ? git.stdout.trim() : '—', files: `${run.counts.compiled} of ${run.counts.files}`, messages: run.counts.messages, goals: run.counts.goals,
    proofs: `${run.counts.proofs}, ${run.counts.unknown} unknown`, outline: run.counts.outline, tools: run.counts.tools, calls: run.counts.calls, internal: run.counts.internal, crashes: run.counts.crashes,
    disagreements: bad, 'goal, ms': median('lean_goal'), 'messages, ms': median('lean_diagnostic_messages'), 'messages beside the bare client, s': ratio(run.beside.messages), 'goals, s': ratio(run.beside.goals), 'both, s': ratio([0, 1].map(side => run.beside.messages[side] + run.beside.goals[side])), 'own MB': run.own ? Math.round(run.own / 2 ** 20) : '—', 'largest worker MB': Math.round(run.peak / 2 ** 20),
    seconds: Math.round((performance.now() - started) / 1000),
  });
  for (const one of run.disagreements.slice(0, PLACES_TOLD)) console.log(JSON.stringify({ project: path.basename(path.resolve(folder)), ...one }));
  if (bad > PLACES_TOLD) console.log(`… and ${bad - PLACES_TOLD} more`);
  if (values.json) fs.appendFileSync(values.json, run.disagreements.map(one => `${JSON.stringify(one)}\n`).join(''));
}
print(rows);
process.exitCode = failed ? 1 : 0;

// Hours of an agent's work in minutes: the load (soak-load.mjs), measurements at rest, and checks of them.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPosixAlone, isSanitized, realLake, scratchProject, spawnBridge } from './bridge.mjs';
import { HttpAgents } from './http-agents.mjs';
import { childrenOf, processes } from './processes.mjs';
import { randomFrom, TEXT_BYTES } from './soak-files.mjs';
import { SoakLoad } from './soak-load.mjs';

const AGENTS = 3;
const ROUND_MS = 4000;
const QUIET_WITHIN_MS = 120_000;
const REST_ENDS_WITHIN_MS = 10_000;
// The normal fluctuation of the heap of a process that leaks nothing, with a margin.
const MEMORY_LIMIT_KB = 1024;
const MISFORTUNES = ['worker killed', 'watchdog killed', 'file appears', 'file vanishes'];

const median = values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const field = (text, name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);

/** Memory of a process in KB, and its descriptors and threads. Shared memory is not counted: it depends on other processes. */
export function resources(pid) {
  const memory = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const threads = field(fs.readFileSync(`/proc/${pid}/status`, 'utf8'), 'Threads');
  return { rss: field(memory, 'Rss'), anonymous: field(memory, 'Anonymous'), descriptors: descriptors(pid), threads };
}

/** How many descriptors a process has, without those of /proc, which the bridge opens for a moment to read its workers' memory. */
function descriptors(pid) {
  const folder = `/proc/${pid}/fd`;
  const target = name => { try { return fs.readlinkSync(path.join(folder, name)); } catch { return ''; } };   // closed meanwhile
  return fs.readdirSync(folder).map(target).filter(name => name && !name.startsWith('/proc')).length;
}

/**
 * Waits until Lean owes the bridge nothing, has ended the workers of what was closed (`didClose` has no answer), and, on POSIX alone, the
 * supervisor of a killed Lean has found by `ps` that nothing of it is left. Returns the project in lean_server_health, and how many workers and open files there are.
 */
async function quiet(client) {
  const begun = performance.now();
  for (;;) {
    const [project] = (await client.call('lean_server_health', {}, { timeoutMs: 30_000 })).structured.projects;
    const workers = client.descendants().filter(({ argv }) => argv.includes('--worker')).length;
    const open = project.documents.filter(document => document.open).length;
    const owes = project.pending_requests !== 0 || project.documents.some(document => document.open && !document.done);
    const waited = performance.now() - begun;
    if (owes && waited > QUIET_WITHIN_MS) throw new Error(`Lean owes answers ${QUIET_WITHIN_MS} ms after the last call: ${JSON.stringify(project)}`);
    const isAtRest = workers <= open + project.scratch.workers.length && (!isPosixAlone || childrenOf(client.pid).length === 1);
    if (!owes && (isAtRest || waited > REST_ENDS_WITHIN_MS)) return { project, workers, open };
    await sleep(100);
  }
}

/** The bridge and its own children, the supervisors; Lean is below those. */
async function measure(client, load, started) {
  const { project, workers, open } = await quiet(client);
  const bridge = resources(client.pid);
  const children = childrenOf(client.pid);
  const alive = processes().filter(process => children.includes(process.pid) && process.state !== 'Z').map(({ pid }) => pid);
  const supervisors = alive.map(resources);
  const documents = project.documents.map(document => document.file_path);
  const files = new Set([...load.files, ...load.made].map(file => `${file.name}.lean`));
  return {
    seconds: Math.round((performance.now() - started) / 1000),
    calls: load.calls,
    rss: bridge.rss,
    own: [bridge, ...supervisors].reduce((sum, { anonymous }) => sum + anonymous, 0),
    descriptors: bridge.descriptors, threads: bridge.threads,
    supervisors: supervisors.length, zombies: children.length - alive.length, workers, open,
    known: documents.length, strangers: documents.filter(name => !files.has(name)),
    scratch: project.scratch.workers.length,
  };
}

/** Problems of the samples: compares the last quarter with the second. By then everything has been used once. */
function judge(samples) {
  const quarter = number => samples.slice(Math.floor((samples.length * (number - 1)) / 4), Math.floor((samples.length * number) / 4));
  const [before, after] = [quarter(2), quarter(4)];
  const of = (part, name) => part.map(sample => sample[name]);
  const growth = median(of(after, 'own')) - median(of(before, 'own'));
  const calls = median(of(after, 'calls')) - median(of(before, 'calls'));
  // A leaked document keeps its text and more.
  const oneInAHundred = Math.round((calls / 100) * (TEXT_BYTES / 1024));
  const wrong = [];
  if (growth > MEMORY_LIMIT_KB && !isSanitized()) wrong.push(`the memory grew by ${growth} KB`);
  // The minimum, because a process that is ending keeps its pipes for two more seconds, which is not growth.
  if (Math.min(...of(after, 'descriptors')) > Math.min(...of(before, 'descriptors'))) wrong.push(`descriptors: ${of(before, 'descriptors')} became ${of(after, 'descriptors')}`);
  if (Math.max(...of(after, 'threads')) > Math.max(...of(before, 'threads'))) wrong.push(`threads: ${of(before, 'threads')} became ${of(after, 'threads')}`);
  for (const sample of samples) {
    const at = `after ${sample.seconds} s`;
    if (sample.supervisors !== 1 || sample.zombies !== 0) wrong.push(`${at}: ${sample.supervisors} supervisors and ${sample.zombies} zombies`);
    if (sample.workers > sample.open + sample.scratch) wrong.push(`${at}: ${sample.workers} workers of Lean for ${sample.open} open files and ${sample.scratch} others`);
    if (sample.strangers.length) wrong.push(`${at}: files are known that are there no more: ${sample.strangers}`);
  }
  return { growth, oneInAHundred, calls, wrong: wrong.slice(0, 10) };
}

const COLUMNS = ['seconds', 'calls', 'rss', 'own', 'descriptors', 'threads', 'supervisors', 'workers', 'open', 'known'];
/** At most a dozen of the samples. */
export function table(samples) {
  const step = Math.max(1, Math.ceil(samples.length / 12));
  const rows = [COLUMNS, ...samples.filter((sample, i) => i % step === 0 || i === samples.length - 1).map(sample => COLUMNS.map(name => String(sample[name])))];
  const widths = COLUMNS.map((name, column) => Math.max(...rows.map(row => row[column].length)));
  return rows.map(row => row.map((cell, column) => cell.padStart(widths[column])).join('  ')).join('\n');
}

/**
 * Runs the soak on the real Lean of this process: {samples, failures, wrong, growth, oneInAHundred, counts, report}. It takes `seconds`, or longer
 * until every fault has happened once. With `http`, over HTTP, with several sessions and a bad network.
 */
export async function soak({ seconds, seed, http = false, say = () => {} }) {
  const random = randomFrom(seed);
  const project = scratchProject();
  const load = { calls: 0, failures: [], counts: new Map() };
  const env = { LEANBRIDGE_MAX_OPEN_FILES: '3', LEANBRIDGE_MAX_SCRATCH_WORKERS: '1' };
  const client = http ? new HttpAgents({ project, lake: realLake, env, random: randomFrom(seed + 1) }) : spawnBridge({ project, lake: realLake, label: 'soak', env });
  const samples = [];
  const failures = [];
  try {
    await client.connect();
    await client.listTools();
    const agents = new SoakLoad({ client, project, random });
    Object.assign(load, { made: agents.made, files: agents.files });
    await agents.begin();
    const started = performance.now();
    let deck = [];
    let dealt = 0;
    while (performance.now() - started < seconds * 1000 || dealt === 0 || (dealt === 1 && deck.length)) {
      if (!deck.length) {
        deck = random.shuffled([...Array(seconds > 300 ? 12 : 4).fill('quiet'), ...MISFORTUNES]);
        dealt++;
      }
      await agents.round({ agents: AGENTS, ms: Math.min(ROUND_MS, seconds * 125), happening: deck.pop() });
      load.calls = agents.calls;
      if (client.exit) throw new Error(`the bridge has ended${client.tail()}`);
      client.messages.length = 0;
      samples.push(await measure(client, agents, started));
      say(`${COLUMNS.map(name => `${name} ${samples.at(-1)[name]}`).join(', ')}${agents.failures.length ? `; ${agents.failures.length} FAILURES` : ''}`);
    }
    failures.push(...agents.failures);
    load.counts = new Map([...agents.counts, ...(client.counts ?? [])]);
    await client.close({ timeoutMs: 15_000, orphansMs: 15_000 });
  } catch (error) {
    failures.push(error.stack);
  } finally {
    failures.push(...client.violations.slice(0, 10));
    await client.destroy();
  }
  const verdict = samples.length >= 8 ? judge(samples) : { growth: NaN, oneInAHundred: NaN, calls: 0, wrong: ['too few samples to judge'] };
  const counts = [...load.counts].sort().map(([what, times]) => `${what}: ${times}`).join(', ');
  const report = [
    `seed ${seed}, ${samples.at(-1)?.seconds} s, ${load.calls} calls, ${samples.length} samples (KB; own = anonymous memory of the bridge and its supervisor)`,
    table(samples), counts,
    `memory, median of the last quarter against that of the second: ${verdict.growth} KB in ${verdict.calls} calls (limit ${MEMORY_LIMIT_KB} KB; a text kept for each hundred of them: ${verdict.oneInAHundred} KB)`,
    ...(verdict.oneInAHundred < MEMORY_LIMIT_KB ? ['too short to show a text kept for each hundred calls'] : []),
    ...[...failures, ...verdict.wrong].map(text => `WRONG: ${text}`),
  ].join('\n');
  return { samples, failures, counts: load.counts, report, ...verdict };
}

// Eight clients of one project edit its files, ask and try at once, and some are killed: is any answer wrong, old, or another client's?
//
// Right answers are known without Lean, as in stale.mjs. Each attempt has a number of its own, which no other answer may show.
import { setTimeout as sleep } from 'node:timers/promises';
import { PeerServed, Served, Shared } from '../lib/clients.mjs';
import { Project } from '../lib/project.mjs';
import { scriptedLake } from '../lib/scripted.mjs';
import { NAMES, Player, fresh, proofLine, rendered } from './stale.mjs';

export const title = 'wrong or foreign answers to eight clients that all edit, ask and try';
export const goal = '0 of 10,000; a killed client disturbs no other';

const CLIENTS = 8;
const KILL_EVERY = 250;   // answers
const ABREAST = 4;   // interleavings at a time

/** Asks as a client chosen at random. What a client that was killed meanwhile has not been told is no answer. */
class Crowd {
  killed = new Set();
  constructor(way, random) { this.way = way; this.random = random; }
  async call(name, args) {
    const { clients } = this.way;
    const client = clients[Math.floor(this.random() * clients.length)];
    try {
      return await client.call(name, args);
    } catch (error) {
      if (this.killed.has(client)) return { killed: true, error: 'killed' };
      throw error;
    }
  }
  async kill() {
    const { clients } = this.way;
    const client = clients[Math.floor(this.random() * clients.length)];
    this.killed.add(client);
    this.way.drop(client);
    await this.way.add();
  }
}

class ManyClients extends Player {
  numbers = 0;
  constructor(crowd, project, seed) {
    super({ mcp: crowd }, project, seed);
    crowd.random = this.random;
    this.crowd = crowd;
    Object.assign(this.counts, { foreign: 0, killed: 0, kills: 0 });
  }

  async question(name) {
    if (this.random() < 0.25) return this.attempt(name);
    return super.question(name);
  }
  judgeGoal(value, ...rest) { return /foreign_/.test(JSON.stringify(value)) ? 'foreign' : super.judgeGoal(value, ...rest); }
  judgeMessages(value, ...rest) { return /foreign_/.test(JSON.stringify(value)) ? 'foreign' : super.judgeMessages(value, ...rest); }

  async attempt(name) {
    const line = proofLine(this.history.get(name).at(-1).model, Math.floor(this.random() * 6));
    const own = [++this.numbers, ++this.numbers].map(String);
    this.open++;
    let answer;
    try {
      answer = await this.crowd.call('lean_multi_attempt', { file_path: name, line, snippets: own.map(number => `exact foreign_${number} -- error: foreign_${number}`) });
    } finally { this.open--; }
    this.counts.answers++;
    const verdict = this.judgeAttempt(answer, own);
    this.counts[verdict]++;
    if (!['right', 'partial', 'killed'].includes(verdict) && this.examples.length < 20) this.examples.push({ verdict, name, line, own, answer: answer.error ?? answer.value });
  }
  judgeAttempt({ value, error, killed }, own) {
    if (killed) return 'killed';
    if (error !== undefined) return 'refused';
    const items = value.items ?? [];
    const told = items.map(({ diagnostics, goals }) => [...new Set([...JSON.stringify([diagnostics, goals]).matchAll(/foreign_(\d+)/g)].map(match => match[1]))]);
    if (told.flat().some(number => !own.includes(number))) return 'foreign';
    if (value.partial || items.some(({ timed_out: late, partial }) => late || partial)) return 'partial';
    return own.every((number, i) => told[i]?.join() === number) ? 'right' : 'wrong';
  }
}

/** {answers, right, partial, stale, falseClean, wrong, foreign, refused, killed, kills, seconds, examples} */
export async function playMany(Kind, { total, seed = 1, kills = true }) {
  const project = new Project(Object.fromEntries(NAMES.map(name => [name, rendered(fresh())])));
  const way = await Kind.start(project, { count: CLIENTS, lake: scriptedLake('hasty-lake.mjs', { seed, elaborate_ms: 25 }).lake });
  const player = new ManyClients(new Crowd(way), project, seed);
  const started = performance.now();
  try {
    await Promise.all(Array.from({ length: ABREAST }, async (_, lane) => {
      while (player.counts.answers < total) {
        if (kills && lane === 0 && player.counts.answers > (player.counts.kills + 1) * KILL_EVERY) {
          const killing = player.crowd.kill();
          player.counts.kills++;
          await killing;
        }
        await player.play();
        await sleep(1);
      }
    }));
  } finally {
    await way.end();
  }
  return { ...player.counts, seconds: (performance.now() - started) / 1000, examples: player.examples };
}

export const bad = of => of.stale + of.falseClean + of.wrong + of.foreign;

export async function run({ quick, peer }) {
  const of = {};
  for (const [key, Kind] of Object.entries({ shared: Shared, served: Served })) of[key] = await playMany(Kind, { total: quick ? 500 : 10_000 });
  if (peer) of.peer = await playMany(PeerServed, { total: quick ? 200 : 1000 });
  const shown = one => `${bad(one)} of ${one.answers} (${one.stale} stale, ${one.falseClean} false-clean or empty, ${one.wrong} of no text, ${one.foreign} foreign); ${one.partial} said to be partial, ${one.refused} refused; ${one.kills} clients killed`;
  return {
    lines: [
      { what: `${Shared.title}, scripted Lean`, leanbridge: shown(of.shared), met: bad(of.shared) === 0 },
      { what: `${Served.title}, scripted Lean`, leanbridge: shown(of.served), met: bad(of.served) === 0 },
      ...(of.peer ? [{ what: PeerServed.title, peer: shown(of.peer) }] : []),
    ],
    notes: [`Each of ${CLIENTS} clients asks for goals, messages and attempts about three files, which change all the time. An answer is right if it fits any text that was on the disk between request and answer; a number that another client tried must not be in it.`,
      ...[...of.shared.examples, ...of.served.examples].slice(0, 3).map(example => `Example: ${JSON.stringify(example).slice(0, 400)}`)],
    data: of,
  };
}

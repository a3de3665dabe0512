// Eight agents on one project: what they cost, and what they notice of each other, in each way they can have their Lean.
import { setTimeout as sleep } from 'node:timers/promises';
import { lean } from '../../tests/support/leans.mjs';
import { Alone, PeerServed, Served, Shared } from '../lib/clients.mjs';
import { Project, place, theorems } from '../lib/project.mjs';
import { seeded, summarise } from '../lib/statistics.mjs';

export const onRealLean = true;
export const title = 'eight clients on one project';
export const goal = 'memory of all processes ≤ 1.5 times, and the median goal ≤ 1.3 times, that of one client';

const MB = 2 ** 20;
const CLIENTS = 8;
const PAUSE_MS = 200;   // between an answer and the next question of a client, on average: ten times as busy as an agent
const COUNT = 40;   // theorems in a file
const FILES = ['A.lean', 'B.lean'];
/** Eight Leans of this kind do not fit on a small machine. */
const TOO_LARGE = lean.kind === 'wasm';
const textOf = name => theorems(COUNT, `m${name[0]}`);

/** Each client asks for goals of all files with pauses: the milliseconds of each, all compared with the right goal. */
async function goals(way, each, seed) {
  const samples = [];
  await Promise.all(way.clients.map(async (client, number) => {
    const random = seeded(seed + number);
    for (let i = 0; i < each; i++) {
      await sleep(-Math.log(1 - random()) * PAUSE_MS);
      const nth = Math.floor(random() * COUNT), name = FILES[Math.floor(random() * FILES.length)];
      const started = performance.now();
      const { value } = await client.ask('lean_goal', { file_path: name, ...place(textOf(name), 'rw [h]', nth + 1) });
      samples.push(performance.now() - started);
      if (!String(value.goals[0]).endsWith(`⊢ a + ${nth} = b + ${nth}`)) throw new Error(`${name}, theorem ${nth}: ${value.goals[0]}`);
    }
  }));
  return samples;
}

async function measure(Kind, count, quick) {
  const project = new Project(Object.fromEntries(FILES.map(name => [name, textOf(name)])));
  const way = await Kind.start(project);
  try {
    for (let i = 0; i < count; i++) {
      // Not at once: several `lake serve` of a new project would all write its manifest.
      const client = way.clients[i] ?? await way.add();
      for (const name of FILES) { await client.ask('lean_diagnostic_messages', { file_path: name }); await client.ask('lean_goal', { file_path: name, ...place(textOf(name), 'rw [h]', 3) }); }
    }
    await goals(way, 3, 1);
    const samples = await goals(way, quick ? 20 : Math.ceil(240 / count), 2);
    return { memory: way.memory(), samples, processes: way.processes().length };
  } finally {
    await way.end();
  }
}

export async function run({ quick, peer }) {
  const all = {};
  const kinds = { alone: Alone, shared: Shared, served: Served, ...(peer && { peer: PeerServed }) };
  for (const [key, Kind] of Object.entries(kinds)) all[key] = { one: await measure(Kind, 1, quick), many: TOO_LARGE && Kind === Alone ? undefined : await measure(Kind, CLIENTS, quick) };
  const shown = bytes => `${Math.round(bytes / MB)} MB`;
  const lines = Object.entries(all).flatMap(([key, { one, many }]) => {
    const side = value => (key === 'peer' ? { peer: value } : { leanbridge: value });
    // Against one client on stdio, the cheapest there is; the peer against its own single client.
    const base = key === 'peer' ? one : all.alone.one;
    if (!many) return [{ what: `${kinds[key].title}: memory of one client`, ...side(shown(one.memory)) }, { what: `${kinds[key].title}: a goal, one client`, ...side(summarise(one.samples)) }];
    const memory = many.memory / base.memory, latency = summarise(many.samples).median / summarise(one.samples).median;
    const judged = key === 'shared' || key === 'served';
    return [
      { what: `${kinds[key].title}: memory of one client`, ...side(shown(one.memory)) },
      { what: `${kinds[key].title}: of ${CLIENTS}, ${memory.toFixed(2)} times ${key === 'peer' ? 'that' : 'that of one on stdio'}`, ...side(shown(many.memory)), met: judged ? memory <= 1.5 : undefined },
      { what: `${kinds[key].title}: a goal, one client`, ...side(summarise(one.samples)) },
      { what: `${kinds[key].title}: a goal, ${CLIENTS} clients, ${latency.toFixed(2)} times that`, ...side(summarise(many.samples)), met: judged ? latency <= 1.3 : undefined },
    ];
  });
  return {
    lines,
    notes: [`Two files of ${3 * COUNT} lines, which all clients ask about; each waits ${PAUSE_MS} ms on average after an answer, at random. Every goal was compared with that of its line.`,
      'Memory: proportional set sizes of the server, its relays and supervisors, lake, Lean and its workers.'],
    data: all,
  };
}

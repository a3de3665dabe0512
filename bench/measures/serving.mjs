// `leanbridge serve --http` under load: connections that wait, many clients at once, and its end. On a Lean that costs nothing.
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { PeerServed, Served } from '../lib/clients.mjs';
import { memoryOf, processorMs } from '../lib/proc.mjs';
import { Project, place, theorems } from '../lib/project.mjs';
import { scriptedLake } from '../lib/scripted.mjs';
import { seeded, summarise } from '../lib/statistics.mjs';

export const title = 'serving over HTTP';
export const goal = '1,000 idle connections ≤ 60 MB; 200 goals/s from 32 clients; ended within 10 s of SIGTERM';

const MB = 2 ** 20;
const IDLE = 1000;
const CLIENTS = 32;
const RATE = 200;   // goals a second, of all clients together
const FILES = ['A.lean', 'B.lean', 'C.lean', 'D.lean'];
const TEXT = theorems(40, 's');
const AT = place(TEXT, 'rw [h]', 20);

const started = async (Kind, count) => Kind.start(new Project(Object.fromEntries(FILES.map(name => [name, TEXT]))), { count, lake: scriptedLake('constant-lake.mjs').lake });
const goalOf = (client, i) => client.ask('lean_goal', { file_path: FILES[i % FILES.length], ...AT });

/** A stream of events of the client's session, which stays open: {close()}. */
function listen(client) {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(client.url);
    const request = http.request({ host: hostname, port, path: '/mcp', method: 'GET', agent: client.agent, headers: { ...client.headers, Accept: 'text/event-stream' } });
    request.on('error', reject).on('response', response => {
      if (response.statusCode !== 200) return reject(new Error(`GET: ${response.statusCode}`));
      response.on('error', () => {}).resume();
      return resolve({ close: () => request.destroy() });
    });
    request.end();
  });
}

/** Each is a session with a stream of events: what a host keeps open. {before, after, goal}: bytes, bytes, ms */
async function idle(Kind, count) {
  const way = await started(Kind, 1);
  const streams = [];
  try {
    await goalOf(way.clients[0], 0);
    const before = memoryOf(way.server.pid).rss;
    while (streams.length < count) {
      const batch = await Promise.all(Array.from({ length: 20 }, () => way.add()));
      streams.push(...await Promise.all(batch.map(listen)));
      for (const client of batch) client.agent.maxFreeSockets = 0;   // the connection of its POSTs
    }
    const after = memoryOf(way.server.pid).rss;
    const begun = performance.now();
    await goalOf(way.clients.at(-1), 1);
    const goalMs = performance.now() - begun;
    // The end with all of them, and with calls under way.
    if (Kind !== Served) return { before, after, goalMs };
    const calls = Array.from({ length: 8 }, (_, i) => goalOf(way.clients[i], i));
    const ending = performance.now();
    const ended = way.server.stop();
    await Promise.allSettled(calls);
    const { code } = await ended;
    return { before, after, goalMs, endMs: performance.now() - ending, code };
  } finally {
    for (const stream of streams) stream.close();
    for (const client of way.clients) client.drop();
    way.clients = [];
    await way.end();
  }
}

/** `rate` goals a second at somewhat random times, whether or not earlier ones are answered: [ms from when it was due]. */
async function load(Kind, seconds, rate) {
  const way = await started(Kind, CLIENTS);
  try {
    await Promise.all(way.clients.map((client, i) => goalOf(client, i)));
    const random = seeded(7);
    const samples = [], calls = [];
    const cpu = processorMs(way.server.pid);
    const begun = performance.now();
    for (let i = 0; i < seconds * rate; i++) {
      const at = begun + (i + random()) * 1000 / rate, now = performance.now();
      if (at > now) await sleep(at - now);
      calls.push(goalOf(way.clients[i % CLIENTS], i).then(() => samples.push(performance.now() - at)));
    }
    await Promise.all(calls);
    const took = (performance.now() - begun) / 1000;
    return { samples, perSecond: samples.length / took, cpuMs: (processorMs(way.server.pid) - cpu) / samples.length };
  } finally {
    await way.end();
  }
}

/** As many as it can: each client asks again when it has its answer. */
async function most(Kind, total) {
  const way = await started(Kind, CLIENTS);
  try {
    await Promise.all(way.clients.map((client, i) => goalOf(client, i)));
    let asked = 0;
    const begun = performance.now();
    await Promise.all(way.clients.map(async (client, i) => { while (asked++ < total) await goalOf(client, i); }));
    return total / (performance.now() - begun) * 1000;
  } finally {
    await way.end();
  }
}

export async function run({ quick, peer }) {
  const kinds = { leanbridge: Served, ...(peer && { peer: PeerServed }) };
  const of = {};
  for (const [key, Kind] of Object.entries(kinds))
    of[key] = { idle: await idle(Kind, quick ? 200 : IDLE), load: await load(Kind, quick ? 3 : 20, RATE), most: await most(Kind, quick ? 500 : 4000) };
  const each = show => Object.fromEntries(Object.entries(of).map(([key, value]) => [key, show(value)]));
  const { idle: waiting, load: loaded } = of.leanbridge;
  const [median, other] = [summarise(loaded.samples), of.peer && summarise(of.peer.load.samples)];
  return {
    lines: [
      { what: `${quick ? 200 : IDLE} sessions with a stream of events, the server's memory (resident)`, ...each(({ idle: one }) => `${(one.after / MB).toFixed(1)} MB (${(one.before / MB).toFixed(1)} with one)`), met: waiting.after <= 60 * MB },
      { what: 'a goal meanwhile', ...each(({ idle: one }) => summarise([one.goalMs])) },
      { what: 'SIGTERM with all of them and eight calls: from the signal to its end', leanbridge: summarise([waiting.endMs]), met: waiting.endMs < 10_000 && waiting.code === 0 },
      { what: `${RATE} goals a second from ${CLIENTS} clients, at random times: answered`, ...each(({ load: one }) => `${one.perSecond.toFixed(0)} goals/s`), met: loaded.perSecond >= RATE * 0.98 },
      { what: 'the same: a goal', leanbridge: median, peer: other },
      { what: 'the same: 99 of 100 goals within', leanbridge: `${median.p99.toFixed(1)} ms`, peer: other && `${other.p99.toFixed(1)} ms` },
      { what: 'the same: the server\'s processor time for a goal', ...each(({ load: one }) => summarise([one.cpuMs])) },
      { what: `as fast as they can, ${CLIENTS} clients`, ...each(({ most: one }) => `${one.toFixed(0)} goals/s`) },
    ],
    notes: ['Scripted Lean. Clients, load and server share the machine. The time of a goal counts from when it was due, so that waiting behind others counts.'],
    data: of,
  };
}

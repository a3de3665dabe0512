// Goals of an elaborated file, requested one at a time and with many in flight, on a real Lean and on one that costs nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { Project, place, theorems } from '../lib/project.mjs';
import { scriptedLake } from '../lib/scripted.mjs';
import { Bare, Leanbridge, Peer } from '../lib/sides.mjs';
import { summarise, times } from '../lib/statistics.mjs';

export const onRealLean = true;
export const title = '1,000 warm goals';
export const goal = '≤ 0.3 ms median added over the bare client; with 64 in flight no reordering and no starvation of light calls';

const FILE = 'Warm.lean';
const COUNT = 100;   // theorems
const TEXT = theorems(COUNT, 'w');
const places = Array.from({ length: COUNT }, (_, i) => ({ ...place(TEXT, 'rw [h]', i + 1), wanted: `a + ${i} = b + ${i}` }));

async function ask(side, i, check) {
  const { wanted, ...at } = places[i % COUNT];
  const { goals } = await side.goal(FILE, at);
  if (check && !String(goals[0]).endsWith(`⊢ ${wanted}`)) throw new Error(`line ${at.line}: ${goals[0]}, not ${wanted}`);
}

/** Alternating blocks, so that other load affects all sides. */
async function oneAtATime(sides, total, check) {
  const samples = Object.fromEntries(Object.keys(sides).map(key => [key, []]));
  const block = Math.ceil(total / 10);
  for (let done = 0; done < total; done += block)
    for (const [key, side] of Object.entries(sides))
      for (let i = done; i < Math.min(total, done + block); i++) {
        const started = performance.now();
        await ask(side, i, check);
        samples[key].push(performance.now() - started);
      }
  return samples;
}

/** {ms, goals: [ms], light: [ms], reordered}: a goal answered before an earlier one counts as reordered. */
async function inFlight(side, total, width) {
  const goals = [];
  const light = [];
  let reordered = 0, asked = 0, answered = 0, over = false;
  const open = new Set();
  const started = performance.now();
  const lane = async () => {
    while (asked < total) {
      const number = asked++;
      open.add(number);
      const begun = performance.now();
      await ask(side, number, true);
      goals.push(performance.now() - begun);
      open.delete(number);
      for (const earlier of open) if (earlier < number) { reordered++; break; }
      answered++;
    }
  };
  const pings = (async () => {
    while (side.mcp && !over) {
      const begun = performance.now();
      await side.mcp.request('ping', {});
      light.push(performance.now() - begun);
      await sleep(2);
    }
  })();
  await Promise.all(Array.from({ length: width }, lane));
  const ms = performance.now() - started;
  over = true;
  await pings;
  return { ms, goals, light, reordered };
}

async function startAll(peer, lake) {
  const Sides = { leanbridge: Leanbridge, bare: Bare, ...(peer && { peer: Peer }) };
  const sides = {};
  for (const [key, Side] of Object.entries(Sides)) {
    sides[key] = await Side.start(new Project({ [FILE]: TEXT }), lake ? { lake } : {});
    await sides[key].messages(FILE);
    for (let i = 0; i < 20; i++) await ask(sides[key], i, !lake);   // goals of a proof are elaborated lazily, programs warm up
  }
  return sides;
}
const endAll = async sides => { for (const side of Object.values(sides)) await side.end(); };

function added(what, samples, peer) {
  const [own, bare] = [summarise(samples.leanbridge), summarise(samples.bare)];
  const other = peer && summarise(samples.peer);
  const more = own.median - bare.median;
  return { what: `${what}: ${more.toFixed(2)} ms added`, leanbridge: own, bare, peer: other, factor: peer ? times(other, own) : undefined, met: more <= 0.3 };
}

export async function run({ quick, peer }) {
  const total = quick ? 200 : 1000;
  const scripted = await startAll(peer, scriptedLake('constant-lake.mjs').lake);
  const cheap = await oneAtATime(scripted, total, false);
  await endAll(scripted);
  const sides = await startAll(peer);
  const single = await oneAtATime(sides, total, true);
  const many = {};
  for (const [key, side] of Object.entries(sides)) many[key] = await inFlight(side, total, 64);
  await endAll(sides);
  const pick = (name, unit) => Object.fromEntries(Object.entries(many).map(([key, of]) => [key, unit === undefined ? of[name] : summarise(of[name], unit)]));
  const perSecond = Object.fromEntries(Object.entries(many).map(([key, of]) => [key, `${Math.round(total / of.ms * 1000)} goals/s`]));
  const reordered = pick('reordered');
  const light = { leanbridge: summarise(many.leanbridge.light), ...(peer && { peer: summarise(many.peer.light) }) };
  return {
    lines: [
      added('one at a time, a Lean that costs nothing', cheap, peer),
      added('one at a time, real Lean', single, peer),
      { what: '64 in flight, all together', ...perSecond },
      { what: '64 in flight, a goal', ...pick('goals', 'ms') },
      { what: '64 in flight, goals that overtook an earlier one', ...reordered, met: reordered.leanbridge === 0 },
      { what: `ping meanwhile (at most: ${light.leanbridge.max.toFixed(1)} ms${peer ? `, peer ${light.peer.max.toFixed(1)} ms` : ''})`, ...light,
        met: light.leanbridge.max < Math.max(20, summarise(many.leanbridge.goals).median) },
    ],
    notes: ['Every answer of the real Lean was compared with the goal of its line.', 'Light calls are not starved if the slowest ping is faster than the median goal (or 20 ms).'],
    data: { cheap, single, many },
  };
}

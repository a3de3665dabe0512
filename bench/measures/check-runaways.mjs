// What a candidate that never ends costs beyond its time limit: the next edit, beside a new process with the imports again.
import { setTimeout as sleep } from 'node:timers/promises';
import { RUNAWAY } from '../../tests/support/candidates.mjs';
import { lean } from '../../tests/support/leans.mjs';
import { checkAll, HEADER, body, items } from '../lib/checks.mjs';
import { Project } from '../lib/project.mjs';
import { Bare } from '../lib/sides.mjs';
import { summarise, times } from '../lib/statistics.mjs';

export const onRealLean = true;
export const leans = ['native', 'wasm'];
export const title = 'candidates of which one in ten never ends';
export const goal = 'beyond its time limit, a runaway costs ≥ 5× less than with an engine that kills and imports again';

const IMPORTS_SLOWLY = lean.kind === 'wasm';
const LIMIT_S = IMPORTS_SLOWLY ? 2 : 1;
const isRunaway = i => i % 10 === 5;
const text = i => (isRunaway(i) ? RUNAWAY : body(i));

/** A process that is killed at the limit; the next candidate gets a new one, which imports again. When each was judged. */
async function killing({ count, header, limitS }) {
  const project = new Project();
  let side = await Bare.start(project);
  const at = [];
  for (let i = 0; i < count; i++) {
    project.texts.set('Candidate.lean', header + text(i));
    const judged = side.messages('Candidate.lean').then(() => true, () => false);
    if (!await Promise.race([judged, isRunaway(i) ? sleep(limitS * 1000, false) : judged])) {
      await side.end();
      side = await Bare.start(project);
    }
    at.push(performance.now());
  }
  await side.end();
  return at;
}

/** From when each was judged: {all, ending: ms of a candidate that ends, each: ms of each runaway and what it costs the next one}, without the limits. */
function costs(at, limitS) {
  const gap = i => at[i] - at[i - 1];
  const places = at.map((_, i) => i).slice(1);
  const ending = summarise(places.filter(i => !isRunaway(i) && !isRunaway(i - 1)).map(gap)).median;
  const runaways = places.filter(isRunaway);
  return { all: at.at(-1) - at[0] - runaways.length * limitS * 1000, ending, each: runaways.map(i => gap(i) - limitS * 1000 + gap(i + 1) - ending) };
}

/** Batches: the second as provers' are, whose header imports a large library; in the third, runaways are given up later. */
function batches(quick) {
  if (IMPORTS_SLOWLY) return [{ count: quick ? 10 : 40, rounds: 1, header: HEADER, limitS: LIMIT_S }];
  return [
    { count: quick ? 20 : 100, rounds: quick ? 1 : 3, header: HEADER, limitS: LIMIT_S },
    { count: quick ? 20 : 100, rounds: 1, header: 'import Lean\n\n', limitS: LIMIT_S },
    { count: quick ? 10 : 30, rounds: 1, header: HEADER, limitS: 10 * LIMIT_S },
  ];
}

async function measure(batch) {
  const { count, rounds, header, limitS } = batch, own = [], killed = [];
  for (let round = 0; round < rounds; round++) {
    const list = items(count, text, header);
    const { times: at, verdicts } = await checkAll(new Project(), list, { timeoutS: limitS });
    for (const [i, { id }] of list.entries()) if (verdicts[id] !== (isRunaway(i) ? 'timeout' : 'ok')) throw new Error(`${id} is ${verdicts[id]}`);
    own.push(costs(at, limitS));
    killed.push(costs(await killing(batch), limitS));
  }
  const line = (what, of) => {
    const [leanbridge, bare] = [own, killed].map(side => summarise(side.flatMap(of)));
    return { what, leanbridge, bare, factor: times(bare, leanbridge) };
  };
  const imports = header.trim().split('\n').map(one => `\`${one}\``).join(' and ');
  const each = line(`${imports}, limit ${limitS} s: a runaway, beyond its limit`, ({ each: all }) => all);
  return {
    lines: [{ ...each, met: each.factor >= 5 }, line('… a candidate that ends', ({ ending }) => ending), line(`… ${count} candidates, without the limits of the runaways`, ({ all }) => all)],
    data: { ...batch, own, killed },
  };
}

export async function run({ quick }) {
  const measured = [];
  for (const batch of batches(quick)) measured.push(await measure(batch));
  return {
    lines: measured.flatMap(({ lines }) => lines),
    notes: ['In the column of the bare client: a client that ends Lean\'s server at the limit and starts it again, so that the next candidate imports again.'],
    data: measured.map(({ data }) => data),
  };
}

// What a candidate that never ends costs beyond its time limit: the next edit, beside a new process with the imports again.
import { setTimeout as sleep } from 'node:timers/promises';
import { RUNAWAY } from '../../tests/support/candidates.mjs';
import { checkAll, HEADER, body, items, perItem } from '../lib/checks.mjs';
import { Project } from '../lib/project.mjs';
import { Bare } from '../lib/sides.mjs';
import { summarise, times } from '../lib/statistics.mjs';

export const onRealLean = true;
export const title = 'candidates of which one in ten never ends';
export const goal = 'beyond the time limits, ≥ 5× faster than an engine that kills and imports again';

const LIMIT_S = 2;
const isRunaway = i => i % 10 === 5;
const text = i => (isRunaway(i) ? RUNAWAY : body(i));

/** A process that is killed at the limit; the next candidate gets a new one, which imports again. */
async function killing(count) {
  const project = new Project();
  let side = await Bare.start(project);
  const started = performance.now();
  let first;
  for (let i = 0; i < count; i++) {
    project.texts.set('Candidate.lean', HEADER + text(i));
    const judged = side.messages('Candidate.lean').then(() => true, () => false);
    if (!await Promise.race([judged, isRunaway(i) ? sleep(LIMIT_S * 1000, false) : judged])) {
      await side.end();
      side = await Bare.start(project);
    }
    first ??= performance.now() - started;
  }
  const ms = performance.now() - started - first;
  await side.end();
  return ms;
}

export async function run({ quick }) {
  const count = quick ? 20 : 100, rounds = quick ? 1 : 3;
  const limits = Array.from({ length: count }, (_, i) => isRunaway(i)).filter(Boolean).length * LIMIT_S * 1000;
  const own = [], killed = [], honest = [];
  for (let round = 0; round < rounds; round++) {
    const list = items(count, text);
    const { times: at, verdicts } = await checkAll(new Project(), list, { timeoutS: LIMIT_S });
    for (const [i, { id }] of list.entries()) if (verdicts[id] !== (isRunaway(i) ? 'timeout' : 'ok')) throw new Error(`${id} is ${verdicts[id]}`);
    own.push(at.at(-1) - at[0] - limits);
    killed.push(await killing(count) - limits);
    honest.push(perItem((await checkAll(new Project(), items(count))).times) * (count - 1));
  }
  const factor = times(summarise(killed), summarise(own));
  return {
    lines: [
      { what: `${count} candidates, without the time limits of the runaways`, leanbridge: summarise(own), bare: summarise(killed), factor, met: factor >= 5 },
      { what: '… as many that all end', leanbridge: summarise(honest) },
    ],
    notes: [`The limit is ${LIMIT_S} s. In the column of the bare client: a client that ends Lean's server at the limit and starts it again, so that the next candidate imports again.`],
    data: { own, killed, honest, limits },
  };
}

// Random edits on disk and requests, some concurrent: does an answer describe a text that no longer existed when it was
// requested, or call a file clean that had errors all the time?
//
// Right answers are known without Lean: a proof's line shows its goal, and each error has its own number. An answer is right
// if it fits any text that was on the disk between the request and the answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { Project } from '../lib/project.mjs';
import { scriptedLake } from '../lib/scripted.mjs';
import { Leanbridge, Peer } from '../lib/sides.mjs';
import { seeded } from '../lib/statistics.mjs';

export const onRealLean = true;
export const title = 'stale or false-clean answers in random edits and questions';
export const goal = '0';

const PROOFS = 6;
export const NAMES = ['A.lean', 'B.lean', 'C.lean'];

/** The file as its parts: blank lines above each theorem, its number, and its error or 0. */
export const fresh = () => Array.from({ length: PROOFS }, (_, i) => ({ above: i, number: 100 + i, error: 0 }));
export function rendered(model) {
  return model.map(({ above, number, error }, i) =>
    `${'-- filler\n'.repeat(above)}theorem t${i} : ${number} = ${number} := by\n  show ${number} = ${number}; ${error ? `exact oops_${error} -- error: oops_${error}` : 'rfl'}\n`).join('');
}
export const proofLine = (model, proof) => model.slice(0, proof + 1).reduce((line, { above }) => line + above + 2, 0);
/** The goal of that line, as a number; undefined if the line is not a proof. */
const goalIn = (model, line) => model.find((_, proof) => proofLine(model, proof) === line)?.number;
const errorsOf = model => model.filter(({ error }) => error).map(({ error }) => error).sort().join();

export class Player {
  constructor(side, project, seed) {
    this.side = side;
    this.project = project;
    this.random = seeded(seed);
    this.next = 200;
    // Per file: every text with its time; the last one is on the disk.
    this.history = new Map(NAMES.map(name => [name, [{ model: fresh(), from: 0 }]]));
    this.open = 0;
    this.counts = { answers: 0, right: 0, partial: 0, stale: 0, falseClean: 0, wrong: 0, refused: 0 };
    this.examples = [];
  }

  pick(list) { return list[Math.floor(this.random() * list.length)]; }

  edit(name) {
    const texts = this.history.get(name);
    const model = texts.at(-1).model.map(proof => ({ ...proof }));
    const proof = this.pick(model);
    const kind = this.random();
    if (kind < 0.4) proof.number = this.next++;                 // of the same length most of the time
    else if (kind < 0.75) proof.error = proof.error ? 0 : this.next++;
    else if (kind < 0.9) proof.above = (proof.above + 1 + Math.floor(this.random() * 3)) % 5;
    else { proof.number = this.next++; proof.error = this.next++; proof.above = 2; }
    const from = performance.now();
    // In place only while nobody reads, since half a file would be another text.
    this.project.write(name, rendered(model), { atomic: this.open > 0 || this.random() < 0.5 });
    texts.push({ model, from });
    texts.at(-2).until = performance.now();
  }

  async question(name) {
    const texts = this.history.get(name);
    const now = texts.at(-1).model;
    const proof = Math.floor(this.random() * PROOFS);
    const line = proofLine(now, proof);
    const forGoal = this.random() < 0.5;
    const asked = performance.now();
    this.open++;
    let value, error;
    try {
      if (forGoal) value = (await this.side.mcp.call('lean_goal', { file_path: name, line, column: 3 }));
      else value = (await this.side.mcp.call('lean_diagnostic_messages', { file_path: name }));
      error = value.error;
    } finally { this.open--; }
    const inTime = texts.filter(({ until }) => until === undefined || until >= asked).map(({ model }) => model);
    const before = texts.filter(({ until }) => until !== undefined && until < asked).map(({ model }) => model);
    this.counts.answers++;
    const verdict = value.killed ? 'killed' : error !== undefined ? 'refused' : forGoal ? this.judgeGoal(value.value, inTime, line, proof) : this.judgeMessages(value.value, inTime, before);
    this.counts[verdict]++;
    if (!['right', 'partial', 'killed'].includes(verdict) && this.examples.length < 20)
      this.examples.push({ verdict, name, line, forGoal, answer: error ?? value.value, possible: inTime.map(model => (forGoal ? goalIn(model, line) : errorsOf(model))) });
  }

  /** The goal of that line, or of the proof that was there at the time of the request, in any text since. */
  judgeGoal(value, inTime, line, proof) {
    if (value.partial || value.status === 'still_elaborating') return 'partial';
    const told = (value.goals ?? []).map(text => Number(/(\d+) = \1\b/.exec(text)?.[1]));
    const possible = inTime.flatMap(model => [goalIn(model, line), model[proof].number]);
    if (told.length === 0) return possible.includes(undefined) ? 'right' : 'falseClean';
    return possible.includes(told[0]) ? 'right' : 'stale';
  }

  judgeMessages(value, inTime, before) {
    if (value.partial || value.timed_out) return 'partial';
    const told = value.items.flatMap(({ message }) => [...message.matchAll(/oops_(\d+)/g)].map(match => Number(match[1])));
    const set = [...new Set(told)].sort().join();
    if (inTime.some(model => errorsOf(model) === set)) return 'right';
    if (set === '') return 'falseClean';
    return before.some(model => errorsOf(model) === set) ? 'stale' : 'wrong';
  }

  /** One interleaving; ends when every request is answered. */
  async play() {
    const [name, other] = [this.pick(NAMES), this.pick(NAMES)];
    const kind = this.random();
    const pause = () => sleep(this.random() * 8);
    this.edit(name);
    if (kind < 0.35) return this.question(name);
    if (kind < 0.5) { this.edit(name); return this.question(name); }          // twice within the granularity of a time stamp
    if (kind < 0.65) { this.edit(other); return Promise.all([this.question(name), this.question(other)]); }
    if (kind < 0.85) {
      const first = this.question(name);
      await pause();
      this.edit(name);
      return Promise.all([first, this.question(name)]);
    }
    const asked = [this.question(name), this.question(other)];
    for (let i = 0; i < 3; i++) {
      await pause();
      this.edit(this.pick([name, other]));
      asked.push(this.question(this.pick(NAMES)));
    }
    return Promise.all(asked);
  }
}

export async function play(Side, { total, seed, lake }) {
  const project = new Project(Object.fromEntries(NAMES.map(name => [name, rendered(fresh())])));
  const side = await Side.start(project, { ...(lake && { lake }) });
  const player = new Player(side, project, seed);
  const started = performance.now();
  while (player.counts.answers < total) await player.play();
  await side.end();
  return { ...player.counts, seconds: (performance.now() - started) / 1000, examples: player.examples };
}

export async function run({ quick, peer }) {
  const sides = { leanbridge: Leanbridge, ...(peer && { peer: Peer }) };
  const total = quick ? 200 : 2000;
  const onReal = quick ? 0 : 60;   // the peer starts a worker after each edit, which takes seconds
  const scripted = {}, real = {};
  for (const [key, Side] of Object.entries(sides)) {
    scripted[key] = await play(Side, { total, seed: 1, lake: scriptedLake('hasty-lake.mjs', { seed: 1, elaborate_ms: 25 }).lake });
    if (onReal) real[key] = await play(Side, { total: onReal, seed: 2 });
  }
  const bad = of => of.stale + of.falseClean + of.wrong;
  const shown = of => of && `${bad(of)} of ${of.answers} (${of.stale} stale, ${of.falseClean} false-clean or empty, ${of.wrong} of no text); ${of.partial} said to be partial, ${of.refused} refused`;
  const line = (what, of) => ({ what, leanbridge: shown(of.leanbridge), peer: shown(of.peer), met: bad(of.leanbridge) === 0 });
  return {
    lines: [line('answers as a function of the text at random times (scripted Lean)', scripted), ...(onReal ? [line('real Lean', real)] : [])],
    notes: ['Three files; edits are written in place or renamed into place, with up to five requests open at a time. An answer is right if it fits any text that was on the disk between request and answer.'],
    data: { scripted, real },
  };
}

// How fast candidates below one header are judged, beside the bare client, a process for each, and lean-lsp-mcp's lean_run_code.
import os from 'node:os';
import { checkAll, compileOnce, HEADER, body, items, perItem } from '../lib/checks.mjs';
import { treeMs } from '../lib/proc.mjs';
import { Project } from '../lib/project.mjs';
import { Bare, Peer } from '../lib/sides.mjs';
import { formatNumber, summarise } from '../lib/statistics.mjs';

export const onRealLean = true;
export const title = 'candidates below one header: time for each';
export const goal = '≥ 0.9 of the bare client\'s rate; `--jobs 2` ≥ 1.6 times `--jobs 1`';

async function bareTimes(count) {
  const project = new Project();
  const side = await Bare.start(project);
  const started = performance.now(), times = [];
  for (let i = 0; i < count; i++) {
    project.texts.set('Candidate.lean', HEADER + body(i));
    const { items: messages } = await side.messages('Candidate.lean');
    if (messages.some(({ severity }) => severity === 1)) throw new Error(`not proved: ${JSON.stringify(messages)}`);
    times.push(performance.now() - started);
  }
  await side.end();
  return times;
}

/** As many bare clients at once, each with a Lean of its own: ms from one candidate to the next, of them all. */
async function bareEach(count, clients) {
  const each = await Promise.all(Array.from({ length: clients }, () => bareTimes(count)));
  return 1 / each.reduce((rate, times) => rate + 1 / perItem(times), 0);
}

async function peerTimes(count) {
  const side = await Peer.start(new Project());
  const times = [];
  for (let i = 0; i < count; i++) {
    const started = performance.now();
    const { value } = await side.mcp.ask('lean_run_code', { code: HEADER + body(i) });
    if (value.success !== true) throw new Error(`not proved: ${JSON.stringify(value).slice(0, 400)}`);
    times.push(performance.now() - started);
  }
  await side.end();
  return times;
}

/** {each: ms from one candidate to the next; processor: ms of it for each, of all processes below the driver}. */
async function checkTimes(count, jobs) {
  const used = [], from = count / 4, to = count - 5;
  const sample = (pid, done) => { if (done === from || done === to) used.push(treeMs(pid)); };
  const { times, loaded } = await checkAll(new Project(), items(count), { jobs, sample });
  return { each: perItem(times, loaded), processor: (used[1] - used[0]) / (to - from) };
}

export async function run({ quick, peer }) {
  const count = quick ? 60 : 400, rounds = quick ? 1 : 3, singles = quick ? 2 : 8;
  const own = [], two = [], bare = [], twoBare = [];
  for (let round = 0; round < rounds; round++) {
    own.push(await checkTimes(count, 1));
    bare.push(await bareEach(count, 1));
    two.push(await checkTimes(2 * count, 2));
    twoBare.push(await bareEach(count, 2));
  }
  const project = new Project();
  const single = Array.from({ length: singles }, (_, i) => compileOnce(project, HEADER + body(i)));
  const run_code = peer ? await peerTimes(singles) : undefined;
  const [one, both] = [own, two].map(side => summarise(side.map(({ each }) => each)));
  const [oneProcessor, bothProcessor] = [own, two].map(side => summarise(side.map(({ processor }) => processor)));
  const share = summarise(bare).median / one.median, doubled = one.median / both.median;
  const cores = oneProcessor.median / one.median;
  return {
    lines: [
      { what: 'one worker, a candidate after the first', leanbridge: one, bare: summarise(bare), peer: run_code && summarise(run_code), factor: run_code && summarise(run_code).median / one.median, met: share >= 0.9 },
      { what: '… rate, in shares of the bare client\'s', leanbridge: share.toFixed(2), met: share >= 0.9 },
      { what: '… processor time of all its processes', leanbridge: oneProcessor },
      { what: '… cores that it keeps busy', leanbridge: cores.toFixed(2) },
      { what: 'two workers', leanbridge: both, bare: summarise(twoBare) },
      { what: '… processor time of all its processes', leanbridge: bothProcessor },
      { what: '… rate, in times of one worker\'s', leanbridge: doubled.toFixed(2), bare: (summarise(bare).median / summarise(twoBare).median).toFixed(2), met: doubled >= 1.6 },
      { what: `… at most, with ${os.availableParallelism()} cores that do nothing else`, leanbridge: (os.availableParallelism() / cores).toFixed(2) },
      { what: '`lake env lean` for each', leanbridge: summarise(single) },
      { what: '… times as long as one worker takes', leanbridge: formatNumber(summarise(single).median / one.median, '') },
    ],
    notes: [`${count} candidates per round (two workers: twice as many) of three lines below \`import Lean.Elab.Tactic\` and \`import Std.Data.HashMap\`. Loading the imports does not count. The peer runs \`lean_run_code\` in a loop, without \`--repl\`: docs/scale.md says why.`],
    data: { own, two, bare, twoBare, single, run_code },
  };
}

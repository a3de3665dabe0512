// Seventeen lost theorems of four files (bench/session/trial.mjs), proved in two ways: by the calls that models made before they knew better
// ones, each proof written by a call, and by the loop that the instructions tell: own edits, one check, one verdict.
import { MISPLACED, PROVED, lost, theorems } from '../session/trial.mjs';
import { Project } from '../lib/project.mjs';
import { Leanbridge } from '../lib/sides.mjs';
import { formatNumber } from '../lib/statistics.mjs';

export const onRealLean = true;
export const title = 'seventeen lost theorems: calls and bytes';
export const goal = 'the calls that models made in at most 30 KB';

const FILES = Object.keys(PROVED);
const BUDGET_S = 30;   // of lean_fill, for a file

class Play {
  calls = [];
  constructor(project, side) { Object.assign(this, { project, side }); }

  async call(tool, args) {
    const started = performance.now();
    const answer = await this.side.mcp.call(tool, args);
    this.calls.push({ tool, args, ms: performance.now() - started, bytes: Buffer.byteLength(answer.text) });
    return answer;
  }
  /** The theorem as it is in the file now. */
  now(file, name) { return theorems(this.project.read(file)).find(theorem => theorem.name === name); }
  /** The theorems that are still lost: [file, name, proof]. */
  open() {
    return FILES.flatMap(file => theorems(PROVED[file]).filter(({ name }) => this.now(file, name).proof === '  sorry').map(({ name, proof }) => [file, name, proof]));
  }
}

/** As two models did: goals, attempts, a fill, single writes, a verdict. */
async function one_by_one(play) {
  await play.call('lean_check_all', { file_path: 'Bench' });
  for (const [file, name] of MISPLACED) await play.call('lean_goal', { file_path: file, line: play.now(file, name).first });
  for (const [file, name, snippet] of MISPLACED) await play.call('lean_multi_attempt', { file_path: file, line: play.now(file, name).first, snippets: [snippet] });
  for (const file of ['Bench/Sort.lean', 'Bench/Queue.lean']) await play.call('lean_fill', { file_path: file, budget_s: BUDGET_S });
  for (const [file, name, proof] of play.open()) {
    const { first, last } = play.now(file, name);
    await play.call('lean_write_proof', { file_path: file, start_line: first, end_line: last, new_text: proof });
  }
  for (const file of FILES) await play.call('lean_diagnostic_messages', { file_path: file });
  await play.call('lean_verify', { files: FILES });
}

/** As the instructions tell: what is open; a fill that writes; edits of one's own; one check; a verdict. */
async function as_told(play) {
  await play.call('lean_check_all', { file_path: 'Bench' });
  for (const file of FILES) await play.call('lean_fill', { file_path: file, budget_s: BUDGET_S, write: true });
  for (const file of new Set(play.open().map(([each]) => each))) play.project.write(file, PROVED[file]);
  await play.call('lean_check_all', { file_path: 'Bench' });
  await play.call('lean_verify', { files: FILES });
}

async function play(way) {
  const project = new Project(Object.fromEntries(Object.entries(PROVED).map(([file, text]) => [file, lost(text)])));
  const side = await Leanbridge.start(project);
  const played = new Play(project, side);
  await way(played);
  await side.end();
  return { calls: played.calls, left: played.open().length };
}

export async function run() {
  const lines = [], data = {};
  for (const way of [one_by_one, as_told]) {
    const { calls, left } = data[way.name] = await play(way);
    const bytes = calls.reduce((sum, call) => sum + call.bytes, 0), ms = calls.reduce((sum, call) => sum + call.ms, 0);
    lines.push({ what: `${way.name.replaceAll('_', ' ')}: ${calls.length} calls, ${left} of 17 left`, leanbridge: `${formatNumber(bytes, 'bytes')}, ${formatNumber(ms, 'ms')}`, met: left === 0 && bytes <= 30_000 });
    for (const tool of new Set(calls.map(call => call.tool))) {
      const some = calls.filter(call => call.tool === tool);
      lines.push({ what: `&nbsp; \`${tool}\`, ${some.length}`, leanbridge: formatNumber(some.reduce((sum, call) => sum + call.bytes, 0), 'bytes') });
    }
  }
  return { lines, notes: ['Bytes are those of the text that the model reads. `LEANBRIDGE_BINARY` names another program to play it with.'], data };
}

// Growth with the length of a file and the number of messages. A scripted `lake` that ignores the text counts the bytes it
// is sent; processor time is that of the server process alone, which other work on the machine hardly affects.
import { processorMs } from '../lib/proc.mjs';
import { Project } from '../lib/project.mjs';
import { scriptedLake } from '../lib/scripted.mjs';
import { lean } from '../../tests/support/leans.mjs';
import { Leanbridge, Peer } from '../lib/sides.mjs';
import { formatNumber, summarise } from '../lib/statistics.mjs';

export const title = 'growth with lines and diagnostics';
export const goal = 'near linear in bytes; an edit costs what reading the file costs, and a few bytes to Lean';

const FILE = 'Long.lean';
const LINE = '  have h : a + 1 = b + 1 := by rw [h]\n';   // 38 bytes
const text = lines => `theorem long (a b : Nat) (h : a = b) : True := by\n  skip\n${LINE.repeat(lines - 3)}  trivial\n`;

/** Processor time, wall time and bytes to Lean for `work`. */
async function cost(side, lean, work) {
  const before = { bytes: lean.counts().bytes, processor: processorMs(side.mcp.pid), at: performance.now() };
  await work();
  const ms = performance.now() - before.at;
  return { ms, processor: processorMs(side.mcp.pid) - before.processor, bytes: lean.counts().bytes - before.bytes };
}

/** The first goal of a file with so many lines, then goals after edits in line 2; `proved`: each time those of the last line, where none is left. */
async function lengths(Side, lines, edits, proved = false) {
  const lean = scriptedLake('constant-lake.mjs', { proved });
  const project = new Project({ [FILE]: text(lines) });
  const side = await Side.start(project, { lake: lean.lake });
  const goal = async () => {
    const { status } = await side.goal(FILE, proved ? { line: lines } : { line: 3, column: 3 });
    if (proved && Side === Leanbridge && status !== 'proof_complete') throw new Error(`${status} at the end of a proof`);
  };
  project.write('Other.lean', text(10));
  await side.goal('Other.lean', { line: 3, column: 3 });   // starts Lean
  const open = await cost(side, lean, goal);
  const each = [];
  for (let i = 1; i <= edits; i++) {
    project.write(FILE, text(lines).replace('skip', `skip${' '.repeat(i % 9 + 1)}`));
    each.push(await cost(side, lean, goal));
  }
  await side.end();
  return { lines, size: Buffer.byteLength(text(lines)), open, edits: each };
}

/** The messages of a file with so many, after an edit: Lean sends them all again. */
async function messages(Side, count, edits) {
  const lean = scriptedLake('constant-lake.mjs', { messages: count });
  const project = new Project({ [FILE]: text(1000) });
  const side = await Side.start(project, { lake: lean.lake });
  const ask = async () => { if (!(await side.messages(FILE)).items.length) throw new Error('no messages'); };
  await ask();
  const each = [];
  for (let i = 1; i <= edits; i++) {
    project.write(FILE, text(1000).replace('skip', `skip${' '.repeat(i % 9 + 1)}`));
    each.push(await cost(side, lean, ask));
  }
  await side.end();
  return { count, edits: each };
}

/** Edits in line 2 of a file on the real Lean, each followed by the goal there: processor and wall time. */
async function onRealLean(Side, lines, edits) {
  const project = new Project({ [FILE]: text(lines) });
  const side = await Side.start(project);
  const goal = () => side.goal(FILE, { line: 2, column: 3 });
  await goal();
  const each = [];
  for (let i = 1; i <= edits; i++) {
    project.write(FILE, text(lines).replace('skip', `skip${' '.repeat(i % 9 + 1)}`));
    each.push(await cost(side, { counts: () => ({ bytes: 0 }) }, goal));
  }
  await side.end();
  return { lines, edits: each };
}

/** The exponent of growth between two points: 1 is linear. */
const exponent = (few, many, x, y) => Math.log(y(many) / y(few)) / Math.log(x(many) / x(few));
const middle = (of, name) => summarise(of.edits.map(each => each[name]), name === 'bytes' ? 'bytes' : 'ms');

export async function run({ quick, peer }) {
  const sizes = quick ? [100, 10_000] : [100, 1000, 10_000, 100_000];
  const counts = quick ? [10, 1000] : [10, 100, 1000, 10_000, 100_000];
  const edits = quick ? 5 : 15;
  const sides = { leanbridge: Leanbridge, ...(peer && { peer: Peer }) };
  const grown = {}, proved = {}, said = {};
  for (const [key, Side] of Object.entries(sides)) {
    grown[key] = [];
    proved[key] = [];
    said[key] = [];
    for (const lines of sizes) grown[key].push(await lengths(Side, lines, edits));
    for (const lines of sizes) proved[key].push(await lengths(Side, lines, edits, true));
    for (const count of counts) said[key].push(await messages(Side, count, Math.min(edits, 7)));
  }
  const real = {};
  if (!lean.missing) for (const [key, Side] of Object.entries(sides)) real[key] = [await onRealLean(Side, 100, Math.min(edits, 7)), await onRealLean(Side, quick ? 200 : 1000, Math.min(edits, 7))];
  const own = grown.leanbridge;
  const shown = of => of && `${formatNumber(middle(of, 'processor').median, 'ms')} processor, ${formatNumber(middle(of, 'ms').median, 'ms')} in all`;
  const lines = [];
  for (const [i, lineCount] of sizes.entries()) {
    const other = grown.peer?.[i];
    lines.push({ what: `${lineCount.toLocaleString('en')} lines (${own[i].size.toLocaleString('en')} bytes): bytes to Lean for an edit at the top`,
      leanbridge: formatNumber(middle(own[i], 'bytes').median, 'bytes'), peer: other && formatNumber(middle(other, 'bytes').median, 'bytes'), met: middle(own[i], 'bytes').max < 2000 });
    lines.push({ what: '… edit, then a goal', leanbridge: shown(own[i]), peer: shown(other) });
    lines.push({ what: '… edit, then the goals of the last line, where the proof is complete', leanbridge: shown(proved.leanbridge[i]), peer: shown(proved.peer?.[i]) });
    lines.push({ what: '… open, then a goal', leanbridge: `${formatNumber(own[i].open.processor, 'ms')} processor, ${formatNumber(own[i].open.bytes, 'bytes')}`,
      peer: other && `${formatNumber(other.open.processor, 'ms')} processor, ${formatNumber(other.open.bytes, 'bytes')}` });
  }
  const [few, many] = own.slice(-2);
  const steepness = exponent(few, many, of => of.size, of => middle(of, 'processor').median);
  lines.push({ what: `exponent of an edit's processor time, ${sizes.at(-2).toLocaleString('en')} to ${sizes.at(-1).toLocaleString('en')} lines`, leanbridge: steepness.toFixed(2),
    peer: grown.peer && exponent(...grown.peer.slice(-2), of => of.size, of => middle(of, 'processor').median).toFixed(2), met: steepness <= 1.15 });
  for (const [i, count] of counts.entries())
    lines.push({ what: `${count.toLocaleString('en')} diagnostics after an edit, asked for`, leanbridge: shown(said.leanbridge[i]), peer: shown(said.peer?.[i]) });
  const told = exponent(...said.leanbridge.slice(-2), of => of.count, of => middle(of, 'processor').median);
  lines.push({ what: `exponent, ${counts.at(-2).toLocaleString('en')} to ${counts.at(-1).toLocaleString('en')} diagnostics`, leanbridge: told.toFixed(2),
    peer: said.peer && exponent(...said.peer.slice(-2), of => of.count, of => middle(of, 'processor').median).toFixed(2), met: told <= 1.15 });
  for (const [i, one] of (real.leanbridge ?? []).entries())
    lines.push({ what: `${one.lines.toLocaleString('en')} lines, edit, then a goal (${lean.title})`, leanbridge: shown(one), peer: shown(real.peer?.[i]) });
  return { lines, notes: ['Scripted Lean where nothing else is said. "In all" includes its time and other load on the machine.', 'leanbridge returns at most 300 diagnostics per call, and their total; the peer returns all.'], data: { grown, proved, said, real } };
}

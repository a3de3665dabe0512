// A session of 100 calls (bench/session/session.mjs) on both servers: bytes that the model reads, and seconds, by tool.
import { FILES, STEPS } from '../session/session.mjs';
import { Project } from '../lib/project.mjs';
import { Leanbridge, Peer } from '../lib/sides.mjs';
import { formatNumber, quantile } from '../lib/statistics.mjs';

export const onRealLean = true;
export const title = 'a session of 100 calls, by tool';
export const goal = "at most half of the peer's bytes for the same facts; no more time; a tool list not above the peer's";

/** What hosts pass to the model; result schemas and annotations stay with the host. */
const read = tools => tools.reduce((bytes, { name, description, inputSchema }) => bytes + Buffer.byteLength(JSON.stringify({ name, description, inputSchema })), 0);

/** All texts in an answer, decoded. */
function texts(value) {
  if (typeof value === 'string') return [value];
  return value && typeof value === 'object' ? Object.values(value).flatMap(texts) : [];
}
const severe = value => JSON.stringify(value ?? null).includes('"severity":"error"');

/** What this call did not tell: [text]. */
export function missing({ facts = [], failing }, { value, error }) {
  if (error !== undefined) return [`an error: ${error.slice(0, 300)}`];
  const all = texts(value).join('\n');
  const lost = facts.filter(fact => !all.includes(fact));
  if (failing !== undefined && severe(value) !== failing) lost.push(failing ? 'that there is an error' : 'that there is no error');
  return lost;
}

async function play(Side) {
  const project = new Project(FILES);
  const side = await Side.start(project);
  const { tools } = await side.mcp.tools();
  const calls = [];
  for (const step of STEPS) {
    if (step.edit) { project.write(step.edit, step.text); continue; }
    const started = performance.now();
    const answer = await side.mcp.call(step.tool, step.args);
    calls.push({ tool: step.tool, args: step.args, ms: performance.now() - started, bytes: Buffer.byteLength(answer.text), text: answer.text, missing: missing(step, answer) });
  }
  await side.end();
  return { calls, tools: read(tools), count: tools.length };
}

const sum = (calls, of) => calls.reduce((total, call) => total + of(call), 0);
const middle = numbers => quantile([...numbers].sort((a, b) => a - b), 0.5);
/** Of several runs: the bytes of the first, the median of the seconds. */
function total(runs, chosen) {
  const [first] = runs;
  return { bytes: sum(first.calls.filter(chosen), call => call.bytes), ms: middle(runs.map(({ calls }) => sum(calls.filter(chosen), call => call.ms))) };
}
const shown = of => of && `${formatNumber(of.bytes, 'bytes')}, ${formatNumber(of.ms, 'ms')}`;
const ratio = (own, other) => (other ? `${own.bytes}/${other.bytes} bytes = ${Math.round((100 * own.bytes) / other.bytes)} %` : undefined);

export async function run({ quick, peer }) {
  const Sides = { leanbridge: Leanbridge, ...(peer && { peer: Peer }) };
  const runs = Object.fromEntries(Object.keys(Sides).map(key => [key, []]));
  for (let round = 0; round < (quick ? 1 : 3); round++)
    for (const [key, Side] of Object.entries(Sides)) runs[key].push(await play(Side));
  const calls = STEPS.filter(({ tool }) => tool);
  const lines = [...new Set(calls.map(({ tool }) => tool))].sort().map(tool => {
    const [own, other] = [runs.leanbridge, runs.peer].map(all => all && total(all, call => call.tool === tool));
    return { what: `\`${tool}\`, ${calls.filter(call => call.tool === tool).length} calls`, leanbridge: shown(own), peer: shown(other) };
  });
  const [own, other] = [runs.leanbridge, runs.peer].map(all => all && total(all, () => true));
  const lost = all => all && sum(all[0].calls, call => call.missing.length);
  const facts = sum(calls, ({ facts: some, failing }) => some.length + (failing === undefined ? 0 : 1));
  const told = all => all && `${facts - lost(all)} of ${facts}`;
  lines.push(
    { what: `all ${calls.length} calls`, leanbridge: shown(own), peer: shown(other), met: other && own.bytes <= other.bytes / 2 && own.ms <= other.ms },
    { what: 'facts in the answers that the next step needs', leanbridge: told(runs.leanbridge), peer: told(runs.peer), met: lost(runs.leanbridge) <= (lost(runs.peer) ?? 0) },
    { what: `tools/list, what the model reads (${runs.leanbridge[0].count} tools${peer ? `; peer ${runs.peer[0].count}` : ''})`, leanbridge: formatNumber(runs.leanbridge[0].tools, 'bytes'),
      peer: peer ? formatNumber(runs.peer[0].tools, 'bytes') : undefined, met: peer ? runs.leanbridge[0].tools <= runs.peer[0].tools : undefined });
  const missed = Object.entries(runs).flatMap(([key, [{ calls: played }]]) => played.filter(call => call.missing.length).slice(0, 10).map(call => `${key}: \`${call.tool}\` ${JSON.stringify(call.args).slice(0, 120)} lacks ${call.missing.join('; ')}`));
  const notes = ['Bytes are those of the text that the model reads, of the first run; seconds are medians of the runs. Both play the same calls on the same texts (bench/session/session.mjs).',
    ...(other ? [`leanbridge to the peer: ${ratio(own, other)}.`] : []), ...missed.map(text => text.replaceAll('\n', ' ').replaceAll('|', '\\|'))];
  return { lines, notes, data: runs };
}

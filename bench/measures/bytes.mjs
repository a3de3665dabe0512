// Bytes that the model pays for: the descriptions of the tools, and a typical goal answer.
import { Project, place } from '../lib/project.mjs';
import { scriptedLake } from '../lib/scripted.mjs';
import { lean } from '../../tests/support/leans.mjs';
import { Leanbridge, Peer } from '../lib/sides.mjs';
import { summarise } from '../lib/statistics.mjs';

export const title = 'bytes of `tools/list` and of a goal answer';
export const goal = "no larger than the peer's, with more in it";

const TEXT = 'theorem typical (a b : Nat) (h : a = b) : a + 1 = b + 1 := by\n  rw [h]\n';
const bytesOf = value => Buffer.byteLength(JSON.stringify(value));

async function measure(side) {
  const { tools, bytes } = await side.mcp.tools();
  const answer = await side.goal('A.lean', place(TEXT, 'rw'));
  await side.end();
  const sizes = Object.fromEntries(tools.map(tool => [tool.name, bytesOf(tool)]));
  // What hosts pass to the model; result schemas and annotations stay with the host.
  const read = Object.fromEntries(tools.map(({ name, description, inputSchema }) => [name, bytesOf({ name, description, inputSchema })]));
  return { bytes, sizes, read, answer };
}

export async function run({ peer }) {
  const project = new Project({ 'A.lean': TEXT });
  const { lake } = scriptedLake('constant-lake.mjs');
  const own = await measure(await Leanbridge.start(project, { lake }));
  const core = await measure(await Leanbridge.start(project, { lake, args: ['--tools', 'core'] }));
  const other = peer && await measure(await Peer.start(project, { lake }));
  const real = lean.missing ? undefined : { own: await measure(await Leanbridge.start(project)), other: peer && await measure(await Peer.start(project)) };
  const perTool = of => summarise(Object.values(of), 'bytes');
  const shared = other && Object.keys(other.sizes).filter(name => own.sizes[name]);
  const sum = (of, names) => names.reduce((total, name) => total + of[name], 0);
  const lines = [
    { what: `a tool in tools/list (${Object.keys(own.sizes).length} tools${other ? `; peer ${Object.keys(other.sizes).length}` : ''})`,
      leanbridge: perTool(own.sizes), peer: other && perTool(other.sizes), met: other && perTool(own.sizes).median <= perTool(other.sizes).median },
    { what: 'of it name, description and arguments, which the model reads', leanbridge: perTool(own.read), peer: other && perTool(other.read), met: other && perTool(own.read).median <= perTool(other.read).median },
    ...(other ? [{ what: `the ${shared.length} tools that both have, what the model reads`, leanbridge: `${sum(own.read, shared)} bytes`, peer: `${sum(other.read, shared)} bytes`, met: sum(own.read, shared) <= sum(other.read, shared) }] : []),
    { what: 'tools/list whole (for information: `--tools core`)', leanbridge: `${own.bytes} bytes (core: ${core.bytes}, ${Object.keys(core.sizes).length} tools)`, peer: other && `${other.bytes} bytes` },
    { what: 'a goal answer, the text that the model reads', leanbridge: `${Buffer.byteLength(own.answer.text)} bytes`, peer: other && `${Buffer.byteLength(other.answer.text)} bytes`, met: other && Buffer.byteLength(own.answer.text) <= Buffer.byteLength(other.answer.text) },
    { what: 'a goal answer, the whole line', leanbridge: `${own.answer.bytes} bytes`, peer: other && `${other.answer.bytes} bytes`, met: other && own.answer.bytes <= other.answer.bytes },
    ...(real ? [{ what: `a goal answer, the text that the model reads (${lean.title})`, leanbridge: `${Buffer.byteLength(real.own.answer.text)} bytes`,
      peer: real.other && `${Buffer.byteLength(real.other.answer.text)} bytes`, met: real.other && Buffer.byteLength(real.own.answer.text) <= Buffer.byteLength(real.other.answer.text) }] : []),
  ];
  const notes = [`Fields of a goal answer here: ${Object.keys(own.answer.value).join(', ')}${other ? `; of the peer: ${Object.keys(other.answer.value).join(', ')}` : ''}.`];
  return { lines, notes, data: { own, core, other, real } };
}

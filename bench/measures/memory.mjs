// Memory of the server process itself, without Lean's. Fifty Lean workers do not fit on a small machine, so a scripted `lake`
// stands in for them; the measured process sees the same messages.
import { memoryOf } from '../lib/proc.mjs';
import { Project, theorems } from '../lib/project.mjs';
import { scriptedLake } from '../lib/scripted.mjs';
import { lean } from '../../tests/support/leans.mjs';
import { Leanbridge, Peer } from '../lib/sides.mjs';

export const title = "the server's own memory";
export const goal = 'idle ≤ 12 MB; 50 open documents with 20,000 diagnostics ≤ 40 MB (resident)';

const FILES = 50;
const MESSAGES = 20_000;
const REAL_FILES = 6;   // each is a worker
const MB = 2 ** 20;
const shown = ({ rss, pss }) => `${(rss / MB).toFixed(1)} MB (PSS ${(pss / MB).toFixed(1)})`;

async function measure(side, project, { real = false } = {}) {
  await side.mcp.tools();
  const idle = memoryOf(side.mcp.pid);
  for (const name of project.texts.keys()) {
    const { items, linter_count = 0 } = await side.messages(name);
    if (!items.length && !linter_count && !real) throw new Error(`${name}: no messages`);
  }
  const loaded = memoryOf(side.mcp.pid);
  await side.end();
  return { idle, loaded };
}

export async function run({ peer }) {
  const files = Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`F${i}.lean`, theorems(150, `f${i}_`)]));
  const { lake } = scriptedLake('constant-lake.mjs', { messages: MESSAGES / FILES });
  const project = new Project(files);
  const own = await measure(await Leanbridge.start(project, { lake, args: ['--max-open-files', String(FILES)] }), project);
  const other = peer && await measure(await Peer.start(project, { lake, env: { LEAN_LSP_MAX_OPEN_FILES: String(FILES) } }), project);
  const onReal = {};
  if (!lean.missing) {
    const few = new Project(Object.fromEntries(Object.entries(files).slice(0, REAL_FILES)));
    onReal.own = await measure(await Leanbridge.start(few), few, { real: true });
    onReal.other = peer && await measure(await Peer.start(few, { env: { LEAN_LSP_MAX_OPEN_FILES: String(REAL_FILES) } }), few, { real: true });
  }
  const realLine = onReal.own && { what: `${REAL_FILES} open documents of 450 lines (${lean.title})`, leanbridge: shown(onReal.own.loaded), peer: onReal.other && shown(onReal.other.loaded),
    factor: onReal.other && onReal.other.loaded.rss / onReal.own.loaded.rss, met: onReal.own.loaded.rss <= 40 * MB };
  const line = (what, key, limit) => ({ what, leanbridge: shown(own[key]), peer: other && shown(other[key]),
    factor: other && other[key].rss / own[key].rss, met: own[key].rss <= limit * MB });
  return {
    lines: [line('idle, after tools/list', 'idle', 12), line(`${FILES} open documents of 450 lines, ${MESSAGES} diagnostics`, 'loaded', 40), ...(realLine ? [realLine] : [])],
    notes: ['Scripted Lean where nothing else is said. Resident memory counts the shared libraries whole; PSS divides them by the processes that use them.', 'Both were told to keep 50 files open (`--max-open-files`, `LEAN_LSP_MAX_OPEN_FILES`).'],
    data: { own, other, onReal },
  };
}

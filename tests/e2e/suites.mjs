// Every end-to-end suite, and the Leans that it runs on (tests/support/leans.mjs).
//
//   leans   the kinds that can show what the suite is about; none: it scripts its Lean, or needs none, and runs once
//   alone   where it cannot share the machine: what it asks of it (all of its threads, most of its memory), or what it looks at while
//           it happens, leaves no room for a neighbour. True, or a list of kinds
const EVERY = ['native', 'wasm', 'elan'];   // with the whole of Lean's library

export const SUITES = {
  // In this order: first what waits for long, so that the end of a run does not wait for it.
  differential: { leans: ['native', 'elan'] },
  attempts: { leans: EVERY, alone: ['wasm'] },
  soak: { leans: EVERY, alone: ['wasm'] },
  'search-local': { leans: EVERY },
  memory: { leans: EVERY, alone: ['wasm'] },
  limits: { leans: [] },
  resources: { leans: [] },
  'mcp-cli': { leans: [] },
  slow: { leans: EVERY, alone: ['wasm'] },
  upstream: { leans: [] },
  build: { leans: EVERY },
  search: { leans: EVERY },
  query: { leans: EVERY },
  faults: { leans: [] },
  protocol: { leans: [] },
  oauth: { leans: [] },
  crashes: { leans: EVERY, alone: ['wasm'] },
  session: { leans: EVERY },
  steps: { leans: EVERY },
  multi: { leans: EVERY },
  projects: { leans: ['native'] },   // its lake takes packages that were put there by other means than git
  tools: { leans: [] },
  stdio: { leans: [] },
  compiling: { leans: [] },
  // The suite that judges gives some answers half a second.
  conformance: { leans: [], alone: true },
  'upstream-http': { leans: [] },
  lifetime: { leans: [] },
  bounds: { leans: [] },
  'killed-writes': { leans: [] },
  cli: { leans: [] },
  inspector: { leans: [] },
  corpus: { leans: [] },
  'corpus-live': { leans: EVERY },
  compiler: { leans: EVERY },
  versions: { leans: EVERY },
  doctor: { leans: [...EVERY, 'small'] },
  // What rests on nothing but what the file and a library with its proofs say.
  axioms: { leans: ['small', 'elan'] },
  prompts: { leans: [] },
};

/** Does it run on this kind? `kind` undefined: without a real Lean. */
export const runsOn = (name, kind) => (kind === undefined ? SUITES[name].leans.length === 0 : SUITES[name].leans.includes(kind));

export const isAlone = (name, kind) => { const { alone = false } = SUITES[name]; return Array.isArray(alone) ? alone.includes(kind) : alone; };

// Every end-to-end suite, and the Leans it runs on (tests/support/leans.mjs).
//
//   leans   the kinds that can run the suite; empty: it scripts its Lean or needs none, and runs once
//   alone   the kinds with which it cannot share the machine, since it needs most of it (all threads, most memory)
//   once    what it shows does not depend on Lean's version: the WebAssembly Lean, which is slow, runs it only if no other Lean has
//   urgent  it waits too briefly for a neighbour: the others leave it the processor. It takes no real Lean
const EVERY = ['native', 'wasm', 'elan'];   // with the whole of Lean's library

export const SUITES = {
  // In this order: those with long waits beside those that compute, and short ones last, so that a run does not end by waiting.
  attacks: { leans: ['small', ...EVERY] },
  serve: { leans: [] },
  check: { leans: EVERY, alone: ['wasm'], once: true },
  shared: { leans: ['native', 'elan'] },   // eight clients, many servers: a worker must be cheap
  fill: { leans: ['native', 'elan'] },   // its budgets are in processor time, of which the embedded Lean needs ten times as much
  'mcp-cli': { leans: [] },
  rename: { leans: ['native'] },   // its lake compiles a file in a copy of the project
  faults: { leans: [] },
  memory: { leans: EVERY, alone: ['wasm'], once: true },
  differential: { leans: ['native', 'elan'] },
  words: { leans: ['native', 'elan'] },
  limits: { leans: [] },
  attempts: { leans: EVERY, alone: ['wasm'] },
  'same-as-file': { leans: ['native', 'elan'] },
  slow: { leans: EVERY, alone: ['wasm'], once: true },
  imports: { leans: ['native'] },   // as rename
  'search-local': { leans: EVERY },
  certify: { leans: ['small', ...EVERY] },
  kernels: { leans: ['small', ...EVERY] },
  whole: { leans: EVERY, alone: ['wasm'], once: true },
  protocol: { leans: [] },
  build: { leans: EVERY },
  statements: { leans: EVERY, alone: ['wasm'] },
  bounds: { leans: [] },
  resources: { leans: [] },
  transcripts: { leans: [] },
  projects: { leans: ['native'] },   // its lake accepts packages that were not fetched by git
  search: { leans: EVERY, once: true },
  // The conformance suite waits only half a second for some answers.
  conformance: { leans: [], urgent: true },
  tasks: { leans: [] },
  view: { leans: [] },
  lifetime: { leans: [] },
  cli: { leans: [] },
  stdio: { leans: [] },
  soak: { leans: EVERY, alone: ['wasm'], once: true },
  query: { leans: EVERY },
  steps: { leans: EVERY },
  extract: { leans: EVERY, alone: ['wasm'] },
  hosts: { leans: [] },
  plugin: { leans: [] },
  upstream: { leans: [] },
  oauth: { leans: [] },
  crashes: { leans: EVERY, alone: ['wasm'], once: true },
  session: { leans: EVERY },
  'proof-states': { leans: EVERY },
  multi: { leans: EVERY },
  tools: { leans: [] },
  replicas: { leans: [] },
  clients: { leans: [] },
  'upstream-http': { leans: [] },
  compatibility: { leans: [] },
  'killed-writes': { leans: [] },
  diff: { leans: [] },
  demo: { leans: ['native'] },
  inspector: { leans: [] },
  corpus: { leans: [] },
  'corpus-live': { leans: EVERY, once: true },
  compiler: { leans: EVERY },
  watch: { leans: [] },
  versions: { leans: EVERY },
  doctor: { leans: [...EVERY, 'small'] },
  'doctor-probe': { leans: [...EVERY, 'small'] },
  // Needs a library with its proofs.
  axioms: { leans: ['small', 'elan'] },
  prompts: { leans: [] },
  skills: { leans: [] },
  release: { leans: [] },
  apps: { leans: [] },
  deploy: { leans: [] },
};

/** Whether it runs on this kind; `kind` undefined: without a real Lean. */
export const runsOn = (name, kind) => (kind === undefined ? SUITES[name].leans.length === 0 : SUITES[name].leans.includes(kind));

export const isAlone = (name, kind) => SUITES[name].alone?.includes(kind) ?? false;
/** Whether a Lean of this kind need not run it after another has. */
export const isShown = (name, kind) => kind === 'wasm' && (SUITES[name].once ?? false);
export const isUrgent = name => SUITES[name].urgent ?? false;

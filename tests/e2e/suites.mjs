// Every end-to-end suite, and the Leans it runs on (tests/support/leans.mjs).
//
//   part    what of the program it is about: a folder of src (scripts/test --part)
//   leans   the kinds that can run the suite; empty: it scripts its Lean or needs none, and runs once
//   alone   the kinds with which it cannot share the machine, since it needs most of it (all threads, most memory)
//   once    what it shows does not depend on Lean's version: the WebAssembly Lean, which is slow, runs it only if no other Lean has
//   urgent  it waits too briefly for a neighbour: the others leave it the processor. It takes no real Lean
const EVERY = ['native', 'wasm', 'elan'];   // with the whole of Lean's library

export const SUITES = {
  // In this order: those with long waits beside those that compute, and short ones last, so that a run does not end by waiting.
  attacks: { part: 'certify', leans: ['small', ...EVERY] },
  serve: { part: 'gateway', leans: [] },
  check: { part: 'check', leans: EVERY, alone: ['wasm'], once: true },
  shared: { part: 'desk', leans: ['native', 'elan'] },   // eight clients, many servers: a worker must be cheap
  // Its budgets are in processor time, of which the embedded Lean needs ten times as much; the clock ends them on a busy machine.
  fill: { part: 'core', leans: ['native', 'elan'], alone: ['native', 'elan'] },
  'mcp-cli': { part: 'gateway', leans: [] },
  rename: { part: 'core', leans: ['native'] },   // its lake compiles a file in a copy of the project
  faults: { part: 'core', leans: [] },
  memory: { part: 'core', leans: EVERY, alone: ['wasm'], once: true },
  differential: { part: 'certify', leans: ['native', 'elan'] },
  words: { part: 'certify', leans: ['native', 'elan'] },
  limits: { part: 'core', leans: [] },
  attempts: { part: 'core', leans: EVERY, alone: ['wasm'] },
  'same-as-file': { part: 'core', leans: ['native', 'elan'] },
  slow: { part: 'core', leans: EVERY, alone: ['wasm'], once: true },
  imports: { part: 'core', leans: ['native'] },   // as rename
  'search-local': { part: 'search', leans: EVERY },
  certify: { part: 'certify', leans: ['small', ...EVERY] },
  kernels: { part: 'certify', leans: ['small', ...EVERY] },
  whole: { part: 'core', leans: EVERY, alone: ['wasm'], once: true },
  protocol: { part: 'core', leans: [] },
  build: { part: 'core', leans: EVERY },
  statements: { part: 'core', leans: EVERY, alone: ['wasm'] },
  bounds: { part: 'core', leans: [] },
  resources: { part: 'core', leans: [] },
  transcripts: { part: 'core', leans: [] },
  projects: { part: 'core', leans: ['native'] },   // its lake accepts packages that were not fetched by git
  search: { part: 'search', leans: EVERY, once: true },
  // The conformance suite waits only half a second for some answers.
  conformance: { part: 'gateway', leans: [], urgent: true },
  tasks: { part: 'core', leans: [] },
  view: { part: 'desk', leans: [] },
  lifetime: { part: 'core', leans: [] },
  cli: { part: 'desk', leans: [] },
  stdio: { part: 'core', leans: [] },
  soak: { part: 'core', leans: EVERY, alone: ['wasm'], once: true },
  query: { part: 'core', leans: EVERY },
  steps: { part: 'core', leans: EVERY },
  extract: { part: 'core', leans: EVERY, alone: ['wasm'] },
  hosts: { part: 'desk', leans: [] },
  plugin: { part: 'desk', leans: [] },
  upstream: { part: 'gateway', leans: [] },
  oauth: { part: 'gateway', leans: [] },
  crashes: { part: 'core', leans: EVERY, alone: ['wasm'], once: true },
  session: { part: 'core', leans: EVERY },
  'proof-states': { part: 'core', leans: EVERY },
  multi: { part: 'core', leans: EVERY },
  tools: { part: 'core', leans: [] },
  replicas: { part: 'gateway', leans: [] },
  clients: { part: 'desk', leans: [] },
  'upstream-http': { part: 'gateway', leans: [] },
  compatibility: { part: 'core', leans: [] },
  'killed-writes': { part: 'core', leans: [] },
  diff: { part: 'certify', leans: [] },
  demo: { part: 'desk', leans: ['native'] },
  inspector: { part: 'core', leans: [] },
  corpus: { part: 'corpus', leans: [] },
  'corpus-live': { part: 'corpus', leans: EVERY, once: true },
  together: { part: 'together', leans: [] },
  agents: { part: 'together', leans: ['small', 'elan'] },   // fingerprints need proofs of the library to be there; many workers, so cheap ones
  compiler: { part: 'core', leans: EVERY },
  watch: { part: 'desk', leans: [] },
  versions: { part: 'core', leans: EVERY },
  doctor: { part: 'desk', leans: [...EVERY, 'small'] },
  'doctor-probe': { part: 'desk', leans: [...EVERY, 'small'] },
  // Needs a library with its proofs.
  axioms: { part: 'core', leans: ['small', 'elan'] },
  prompts: { part: 'core', leans: [] },
  skills: { part: 'desk', leans: [] },
  release: { part: 'desk', leans: [] },
  apps: { part: 'core', leans: [] },
  deploy: { part: 'gateway', leans: [] },
};

/** Whether it runs on this kind; `kind` undefined: without a real Lean. */
export const runsOn = (name, kind) => (kind === undefined ? SUITES[name].leans.length === 0 : SUITES[name].leans.includes(kind));

/** The suites of a part. */
export const suitesOf = part => Object.keys(SUITES).filter(name => SUITES[name].part === part);
export const PARTS = [...new Set(Object.values(SUITES).map(({ part }) => part))].sort();

export const isAlone = (name, kind) => SUITES[name].alone?.includes(kind) ?? false;
/** Whether a Lean of this kind need not run it after another has. */
export const isShown = (name, kind) => kind === 'wasm' && (SUITES[name].once ?? false);
export const isUrgent = name => SUITES[name].urgent ?? false;

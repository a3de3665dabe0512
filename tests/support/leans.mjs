// The real Leans that tests run on: where each is, and what a test must know about it. tests/e2e/suites.mjs says which suite runs on which.
//
//   LEANBRIDGE_TEST_LEAN=native       the kind to use; default: the first of DEFAULT that is installed
//   LEANBRIDGE_TEST_LAKE=/path/lake   another lake; its facts are what it reports, or those of the kind named beside it
//
// An expectation that differs between two Leans is a fact here. A test takes it from `lean` and never accepts both.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const fixtures = path.resolve(import.meta.dirname, '..', '..', 'fixtures');

const OF_UNUSED = 'Note: This linter can be disabled with `set_option linter.unusedVariables false`';

/**
 * How versions differ: docs/compatibility.md shows it as a table, tests/e2e/versions.test.mjs checks it on each Lean. A version between two
 * that were examined counts as the earlier one.
 */
const VERSIONS = [
  {
    from: [4, 28],
    rpcProvider: undefined, rpcReference: 'p', hasColors: false, hasIncrementalDiagnostics: false,
    unusedVariable: name => `unused variable \`${name}\`\n\n${OF_UNUSED}`, actionsForUnused: [],
    caseOfRight: 'case h\n',
    traceNode: /^\[Elab\.step\] \[[\d.]+\] sleep 50$/,
  },
  {
    from: [4, 35],
    rpcProvider: { highlightMatchesProvider: {}, rpcWireFormat: 'v1' }, rpcReference: '__rpcref', hasColors: true, hasIncrementalDiagnostics: true,
    unusedVariable: name => `Variable name \`${name}\` is not explicitly referenced.\n\nHint: The binding can be removed (if unused) or named \`_\` ` +
      `(if used implicitly). Alternatively, prefix the name with \`_\` to silence this warning:\n  [apply] _${name}\n\n${OF_UNUSED}`,
    actionsForUnused: [['Try this: _n', true]],
    caseOfRight: '',
    traceNode: /^\[Elab\.step\] \[[\d.]+\] ✅️ sleep 50$/,
  },
];

/**
 * `lake` is the command, `installed` what must exist. Further facts:
 *   isForTests         made by us, not for real work
 *   hasLibraryProofs   `#print axioms` does not stop at the theorems of the library
 *   everyFileIsModule  whether or not it says so, so that `#print axioms` is refused
 *   hasLibrarySources  positions of library declarations can be shown
 * and limits, generous enough for a busy machine:
 *   callMs      how long a call of a test may take
 *   sleepMs     how long the slow file sleeps; much longer than a goal takes
 *   attemptsS   deadline for attempts some of which never end; undefined: the tool's own
 *   soakS       minimum duration of the soak
 *   workerMB    resident memory of one worker
 *   ranking     mean reciprocal rank over the queries of fixtures/search/ranking.json, if it was measured; higher is better
 */
export const LEANS = {
  native: {
    title: 'native Lean, library converted from another version',
    lake: path.join(fixtures, 'native-lean', 'lake'), installed: path.join(fixtures, 'native-lean', 'toolchain', 'full', 'bin', 'lean'),
    version: '4.35.0', isForTests: true, hasLibraryProofs: false, callMs: 90_000, sleepMs: 4000, attemptsS: 10, soakS: 5, workerMB: 230, ranking: 0.855,
  },
  small: {
    title: 'native Lean, small library of its own',
    lake: path.join(fixtures, 'native-lean', 'lake-small'), installed: path.join(fixtures, 'native-lean', 'toolchain', 'small', 'bin', 'lean'),
    version: '4.35.0', isForTests: true, hasLibraryProofs: true, callMs: 90_000, sleepMs: 4000, attemptsS: 10, soakS: 8, workerMB: 120,
  },
  wasm: {
    title: 'WebAssembly Lean',
    lake: path.join(fixtures, 'lean-wasm', 'lake'), installed: path.join(fixtures, 'lean-wasm', 'toolchain'),
    version: '4.28.0', hasLibraryProofs: false, everyFileIsModule: true, callMs: 120_000, sleepMs: 8000, attemptsS: undefined, soakS: 60, workerMB: 1000, ranking: 0.855,
  },
  elan: {
    title: 'toolchain of the machine',
    lake: undefined, installed: undefined, version: undefined,
    hasLibraryProofs: true, hasLibrarySources: true, callMs: 90_000, sleepMs: 4000, attemptsS: 20, soakS: 20, workerMB: 500,
  },
};

/** The default of `--leans`: the first that is installed, plus the small one if that is native. */
export const DEFAULT = ['native', 'wasm'];

const said = (command, args, cwd) => spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 20_000 }).stdout ?? '';
const project = path.join(fixtures, 'projects', 'basics');
/** The Lean version from `lake --version`; elan's lake would first download what a project asks for. */
const versionOf = lake => /Lean version (\S+?)\)?$/m.exec(said(lake, ['--version'], project))?.[1];

/** The lake on PATH, unless it is elan's and the toolchain that the fixtures ask for is not installed. */
function lakeOnPath() {
  const lake = (process.env.PATH ?? '').split(':').map(folder => path.join(folder, 'lake')).find(file => fs.existsSync(file));
  if (!lake) return undefined;
  const wanted = fs.readFileSync(path.join(project, 'lean-toolchain'), 'utf8').trim().split(':').at(-1);
  const listed = said('elan', ['toolchain', 'list']);
  return listed && !new RegExp(`${wanted}( |$)`, 'm').test(listed) ? undefined : lake;
}

const factsOf = version => VERSIONS.findLast(({ from: [major, minor] }) => {
  const [have, than] = version.split('.').map(Number);
  return have > major || (have === major && than >= minor);
}) ?? VERSIONS[0];

function complete(kind, more = {}) {
  const lean = { kind, ...LEANS[kind], ...more };
  lean.version ??= lean.lake && versionOf(lean.lake);
  return { ...lean, says: lean.version && factsOf(lean.version) };
}

/** Why that Lean cannot be used, or false. */
function missing(lean) {
  if (!lean.lake) return 'no lake on PATH has the toolchain of fixtures/projects';
  if (!fs.existsSync(lean.installed ?? lean.lake)) return `${path.relative(path.dirname(fixtures), lean.installed ?? lean.lake)} is not there: scripts/test installs it`;
  return lean.version ? false : `${lean.lake} --version names no Lean`;
}

/** The Lean of that kind, with all its facts and `missing`: why it cannot be used, or false. */
export function leanOf(kind) {
  if (!(kind in LEANS)) throw new Error(`no Lean "${kind}": there are ${Object.keys(LEANS).join(', ')}`);
  const lean = complete(kind, kind === 'elan' ? { lake: lakeOnPath() } : {});
  return { ...lean, missing: missing(lean) };
}

/** The Lean of a given lake: ours, recognised by its path; the kind named beside it; otherwise one like elan's. */
export function leanAt(lake, kind = Object.keys(LEANS).find(name => LEANS[name].lake && path.resolve(lake) === LEANS[name].lake) ?? 'elan') {
  const lean = complete(kind, { lake, installed: lake, ...(kind === 'elan' ? { version: undefined } : {}) });
  return { ...lean, missing: missing(lean) };
}

function chosen() {
  const { LEANBRIDGE_TEST_LAKE: lake, LEANBRIDGE_TEST_LEAN: kind } = process.env;
  if (lake) return leanAt(lake, kind || undefined);
  if (kind) return leanOf(kind);
  return DEFAULT.map(leanOf).find(lean => !lean.missing) ?? leanOf(DEFAULT[0]);
}

/** The Lean of this process. */
export const lean = chosen();

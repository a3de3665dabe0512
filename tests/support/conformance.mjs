// Runs the official conformance suite and compares its findings with tests/conformance/baseline.yml.
import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { root, temporaryFolder } from './bridge.mjs';

const YAML = createRequire(new URL('../e2e/package.json', import.meta.url))('yaml');
const suite = path.join(root, 'tests/e2e/node_modules/@modelcontextprotocol/conformance');
const readYaml = file => YAML.parse(fs.readFileSync(file, 'utf8'));

/** The revisions with a set of requirements. */
export const REVISIONS = ['2025-11-25', '2026-07-28'];

/** Scenarios of extensions that leanbridge supports. */
const OFFERED = ['auth/client-credentials-basic', 'tasks-lifecycle', 'tasks-capability-negotiation', 'tasks-wire-fields', 'tasks-request-state-removal', 'tasks-request-headers', 'tasks-dispatch-and-envelope'];

/** The scenarios that a revision requires of a 'server' or 'client', and those that the suite runs besides, without extensions. */
export function scenariosOf(revision, role) {
  const required = readYaml(path.join(suite, 'requirements', `${revision}.yaml`));
  const counts = ({ leg, reason, scenario }) => leg === role && (reason !== 'extension' || OFFERED.includes(scenario));
  return [...required[role], ...required.not_scored.filter(counts).map(({ scenario }) => scenario)];
}

/** The baseline of a role: Map of scenario to the ids of checks that fail. */
export function baselineOf(role) {
  const expected = new Map();
  for (const entry of readYaml(path.join(root, 'tests/conformance/baseline.yml'))[role] ?? []) {
    const [scenario, check, ...more] = String(entry).split(':');
    if (!check || more.length) throw new Error(`baseline.yml: "${entry}" is not scenario:check`);
    if (!expected.has(scenario)) expected.set(scenario, new Set());
    if (expected.get(scenario).has(check)) throw new Error(`baseline.yml: "${entry}" is there twice`);
    expected.get(scenario).add(check);
  }
  return expected;
}

/**
 * Runs `conformance ROLE ARGS`: {results, output}. results maps a scenario to {checks, said}: its checks, and what the client
 * wrote to stderr.
 */
export async function runSuite(role, args) {
  const folder = temporaryFolder('conformance');
  const child = spawn(process.execPath, [path.join(suite, 'dist/index.js'), role, ...args, '--timeout', '120000', '-o', folder], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => { output += chunk; });
  await new Promise(resolve => child.once('close', resolve));
  const results = new Map();
  for (const file of fs.readdirSync(folder, { recursive: true }).filter(name => path.basename(name) === 'checks.json')) {
    const scenario = path.dirname(file).replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, '').replace(role === 'server' ? /^server-/ : /^$/, '');
    const stderr = path.join(folder, path.dirname(file), 'stderr.txt');
    results.set(scenario, {
      checks: JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')),
      said: fs.existsSync(stderr) ? fs.readFileSync(stderr, 'utf8') : '',
    });
  }
  return { results, output };
}

const WORST = ['INFO', 'SKIPPED', 'SUCCESS', 'WARNING', 'FAILURE'];

/**
 * The problems of a scenario's checks, given the check ids that are expected to fail: {problems, passed, failed, met}. A check with
 * several findings counts as its worst one. `met` are the expected failures that occurred.
 */
export function judge(checks, expected = new Set()) {
  const byId = new Map();
  for (const check of checks) {
    const known = byId.get(check.id);
    if (!known || WORST.indexOf(check.status) > WORST.indexOf(known.status)) byId.set(check.id, check);
  }
  const verdict = { problems: [], passed: 0, failed: 0, met: [] };
  for (const [id, { status, errorMessage, description, details }] of byId) {
    const bad = status === 'FAILURE' || status === 'WARNING';
    if (status === 'SUCCESS') verdict.passed++;
    if (bad) verdict.failed++;
    if (bad && expected.has(id)) verdict.met.push(id);
    else if (bad) verdict.problems.push(`${status} ${id}: ${errorMessage ?? description} ${JSON.stringify(details ?? {}).slice(0, 600)}`);
    else if (status === 'SUCCESS' && expected.has(id)) verdict.problems.push(`${id} passes: take it out of tests/conformance/baseline.yml`);
  }
  return verdict;
}

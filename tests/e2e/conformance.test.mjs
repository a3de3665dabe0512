// The official conformance suite, both sides and both of its sets of requirements (docs/conformance.md). No Lean is needed.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { binary, cacheFolder, fakeLake, isPosixAlone, scratchProject } from '../support/bridge.mjs';
import { baselineOf, judge, REVISIONS, runSuite, scenariosOf } from '../support/conformance.mjs';
import { startHttpServer } from '../support/http-server.mjs';

const built = name => path.join(path.dirname(binary), isPosixAlone ? '../tests' : 'tests', name);
const [fixtureServer, clientDriver] = ['leanbridge_conformance_server', 'leanbridge_conformance_client'].map(built);
for (const program of [fixtureServer, clientDriver])
  if (!fs.existsSync(program)) throw new Error(`${program} is not there: build the target ${path.basename(program)} beside leanbridge`);

const baselines = { server: baselineOf('server'), client: baselineOf('client') };
const met = new Set();
const counts = [];

/** One test for each scenario: exactly the checks in the baseline fail. */
function judged(title, role, scenarios, { results, output }) {
  const count = { title, scenarios: scenarios.length, whole: 0, passed: 0, failed: 0 };
  counts.push(count);
  describe(title, () => {
    for (const scenario of scenarios)
      test(scenario, t => {
        const found = results.get(scenario);
        assert.ok(found, `the suite did not run it:\n${output.slice(-3000)}`);
        const { problems, passed, failed, met: seen } = judge(found.checks, baselines[role].get(scenario));
        for (const check of seen) met.add(`${role} ${scenario}:${check}`);
        count.whole += failed === 0 ? 1 : 0;
        count.passed += passed;
        count.failed += failed;
        assert.deepEqual(problems, [], `${problems.join('\n')}\n${found.said}`);
        if (passed + failed === 0) t.skip(found.checks.map(check => check.details?.message ?? check.errorMessage ?? check.id).join('; '));
      });
  });
}

const ends = [];

/** Runs `run(url)` on a server, and records how it ended. */
async function onServer({ command, args, env }, run) {
  const server = await startHttpServer(command, { args, env });
  try {
    return await run(server.url);
  } finally {
    ends.push({ command: path.basename(command), end: await server.stop(), stderr: server.stderr() });
  }
}

// Scenarios that need no fixtures also run on the program itself.
const OWN = {
  '2025-11-25': ['server-initialize', 'tools-list', 'server-session-lifecycle', 'dns-rebinding-protection', 'server-sse-multiple-streams'],
  '2026-07-28': ['tools-list', 'caching', 'sep-2164-resource-not-found', 'http-header-validation'],
};
const program = {
  command: binary,
  args: ['serve', '--http', '127.0.0.1:0', '--project-root', scratchProject({ 'A.lean': 'theorem a : True := trivial\n' }), '--lake', fakeLake().command],
  env: { ...process.env, LEANBRIDGE_CACHE_DIR: cacheFolder() },
};
const oneScenario = (revision, url) => scenario => runSuite('server', ['--url', url, '--scenario', scenario, '--spec-version', revision]);

/** Everything that a revision requires of a server. */
const allScenarios = (revision, url) => runSuite('server', ['--url', url, '--requirements', revision]);

// The suite runs here and is checked below, because a node test cannot have children that are known only later. Each side's scenarios run one
// after the other, once each: the suite waits half a second for some answers, and a late answer is a failure. Most of that time is waiting,
// so the sides wait together.
const inTurn = async (items, run) => { const runs = []; for (const item of items) runs.push(await run(item)); return runs; };
const [own, fixtures, clients] = await Promise.all([
  onServer(program, url => inTurn(REVISIONS, revision => inTurn(OWN[revision], oneScenario(revision, url)))),
  Promise.all(REVISIONS.map(revision => onServer({ command: fixtureServer }, url => allScenarios(revision, url)))),
  inTurn(REVISIONS, revision => runSuite('client', ['--command', clientDriver, '--requirements', revision])),
]);

const joined = runs => ({ results: new Map(runs.flatMap(({ results }) => [...results])), output: runs.map(({ output }) => output).join('\n') });
for (const [i, revision] of REVISIONS.entries()) {
  judged(`a server, ${revision}`, 'server', scenariosOf(revision, 'server'), fixtures[i]);
  judged(`leanbridge itself, ${revision}`, 'server', OWN[revision], joined(own[i]));
  judged(`a client, ${revision}`, 'client', scenariosOf(revision, 'client'), clients[i]);
}

test('every server ended well', () => {
  assert.equal(ends.length, 1 + REVISIONS.length);
  for (const { command, end, stderr } of ends) assert.deepEqual(end, { code: 0, signal: null }, `${command}: ${stderr}`);
});

test('every entry of the baseline fails', t => {
  const entries = Object.entries(baselines).flatMap(([role, expected]) => [...expected].flatMap(([scenario, checks]) => [...checks].map(check => `${role} ${scenario}:${check}`)));
  const stale = entries.filter(entry => !met.has(entry));
  assert.deepEqual(stale, [], `not seen to fail: take out of tests/conformance/baseline.yml\n${stale.join('\n')}`);
  for (const { title, scenarios, whole, passed, failed } of counts) t.diagnostic(`${title}: ${whole} of ${scenarios} scenarios without a failure; ${passed} checks passed, ${failed} failed as expected`);
});

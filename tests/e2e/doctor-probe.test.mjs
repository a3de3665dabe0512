// `leanbridge doctor --probe`: each Lean of the tests is as leanbridge believes, and of a Lake that is wrong in one point exactly that point
// is found.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { copyProject, realLake, runBinary, temporaryFolder } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { skip } from '../support/session.mjs';
import { FAULTS, wrongLake } from '../support/wrong-lake.mjs';

const timeoutMs = lean.callMs * 4;
const timeout = timeoutMs + 10_000;

/** What a stand-in cannot show: it has no elan and no `lake new`. The WebAssembly Lean takes each file for a module, which may not ask for axioms. */
const NOT_HERE = { native: ['A2', 'A7'], small: ['A2', 'A7'], wasm: ['A2', 'A7', 'A83', 'A84'], elan: [] };


async function probe(lake, args = [], options = {}) {
  const { code, stdout, stderr } = await runBinary(['doctor', '--probe', '--json', '--lake', lake, ...args], { timeoutMs, ...options });
  assert.ok(stdout.startsWith('{'), `${stdout}${stderr}`);
  const report = JSON.parse(stdout);
  const of = verdict => report.probes.filter(each => each.verdict === verdict);
  const differs = of('differs').map(each => `${each.assumption} ${each.name}`);
  return { code, stdout, report, of, differs };
}

describe('probes', { skip }, () => {
  test('all that can be shown on this Lean is as assumed', { timeout }, async () => {
    const { code, report, of, differs } = await probe(realLake);
    assert.deepEqual(differs, [], JSON.stringify(of('differs')));
    assert.deepEqual(of('untried'), []);
    if (NOT_HERE[lean.kind]) assert.deepEqual(of('not_here').map(each => each.assumption).sort(), [...NOT_HERE[lean.kind]].sort());
    assert.equal(code, of('differs').length > 0 ? 1 : 0);
    assert.equal(report.passed, code === 0);
    assert.equal(report.counts.ok, of('ok').length);
    assert.match(report.lake, /Lean version 4\./);
  });
});

// What these show does not depend on the Lean.
describe('wrong Lakes', { skip: skip || lean.kind !== 'small', concurrency: 2 }, () => {
  for (const [name, { probe: found }] of Object.entries(FAULTS))
    test(name, { timeout }, async () => {
      const { code, of, differs } = await probe(wrongLake(temporaryFolder('wrong'), name, realLake));
      assert.deepEqual(differs, [found], JSON.stringify(of('differs')));
      assert.deepEqual(of('untried'), []);
      assert.equal(code, 1);
      assert.ok(of('differs').every(each => each.expected && each.seen));
    });
});

describe('a run of probes', { skip: skip || lean.kind !== 'small' }, () => {
  const probeFolders = folder => fs.readdirSync(folder).filter(name => name.startsWith('leanbridge'));

  test('a report has neither paths nor the user\'s name', { timeout }, async () => {
    const folder = temporaryFolder('reporter');
    const lake = wrongLake(folder, 'leaves packages out of LEAN_PATH', realLake);
    const { stdout } = await probe(lake, [], { env: { USER: 'reporter', LOGNAME: 'reporter' } });
    assert.doesNotMatch(stdout, new RegExp(`${folder}|${os.tmpdir()}|reporter|${os.homedir()}`));
    assert.match(stdout, /PROBE\/own/);
  });

  test('in a project that was named, nothing is changed', { timeout }, async () => {
    const project = copyProject('basics');
    const files = () => fs.readdirSync(project, { recursive: true }).filter(name => !name.startsWith('.lake')).map(name => [name, fs.statSync(path.join(project, name)).mtimeMs]);
    const before = files();
    const { report, of, differs } = await probe(realLake, ['--project-root', project]);
    assert.ok(report.probes.some(each => each.name.startsWith('your project:')));
    assert.deepEqual([...differs, ...of('untried')], []);
    assert.deepEqual(files(), before);
  });

  test('Ctrl-C ends it and removes its folder', { timeout }, async () => {
    const temporary = temporaryFolder('tmp');
    const { code } = await runBinary(['doctor', '--probe', '--lake', realLake], {
      env: { TMPDIR: temporary }, timeoutMs,
      started(child) { child.stdout.once('data', () => { assert.equal(probeFolders(temporary).length, 1); child.kill('SIGINT'); }); },
    });
    assert.equal(code, 130);
    assert.deepEqual(probeFolders(temporary), []);
  });

  test('a Lake that does not answer is not taken for one that is right', { timeout }, async () => {
    const lake = path.join(temporaryFolder('hanging'), 'lake');
    fs.writeFileSync(lake, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const { code, report, of } = await probe(lake, ['--timeout', '5']);
    assert.equal(code, 1);
    assert.equal(report.passed, false);
    assert.ok(of('untried').length > 20);
    assert.equal(of('ok').length, 0);
  });
});

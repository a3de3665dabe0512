// The command line on the embedded Lean and the fixture projects. tests/lake covers what `lake` does in general.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { lake, TestProject } from '../support/lean-project.mjs';
import { childrenOf, isAlive, until } from '../support/processes.mjs';

function run(args, cwd, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(lake, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', text => { output[name] += text; });
    child.on('error', reject);
    child.on('close', code => resolve({ code, ...output }));
  });
}

describe('lake', () => {
  let multi, basics;
  const inMulti = (...args) => run(args, multi.root);

  before(() => {
    multi = new TestProject('multi');
    basics = new TestProject('basics');
  });
  after(() => {
    multi.remove();
    basics.remove();
  });

  test('build: in the order of imports', async () => {
    const { code, stdout } = await inMulti('build', '+Multi.Use');
    assert.equal(code, 0, stdout);
    const built = [...stdout.matchAll(/^✔ \[(\d)\/5\] Built (\S+) \((?:\d{1,4}ms|\d{1,2}\.\ds|\d{2,}s)\)$/gm)].map(match => match[2]);
    assert.deepEqual(built, ['Multi.Base', 'Multi.Lemmas', 'Multi.Shapes', 'Multi.Use']);
    assert.match(stdout, /^Build completed successfully \(5 jobs\)\.$/m);
  });

  test('build: with nothing to do is quick', async () => {
    const began = performance.now();
    const { code, stdout } = await inMulti('build', '--no-build', 'Multi/Use.lean');
    assert.equal(code, 0);
    assert.equal(stdout, 'All targets up-to-date (5 jobs).\n');
    assert.ok(performance.now() - began < 1000);
  });

  test('build: what importers cannot see does not rebuild them', async () => {
    multi.write('Multi/Lemmas.lean', `-- a comment\n${multi.read('Multi/Lemmas.lean')}\nprivate theorem hidden : 1 = 1 := rfl\n`);
    const { code, stdout } = await inMulti('build', 'Multi.Use');
    assert.equal(code, 0);
    assert.match(stdout, /Built Multi\.Lemmas/);
    assert.doesNotMatch(stdout, /Built Multi\.(?:Base|Use)/);
  });

  test('build: errors stop the importers only', async () => {
    const good = multi.read('Multi/Shapes.lean');
    multi.write('Multi/Shapes.lean', good.replace(':= rfl', ':= sorry -- 𝔸'));
    const warned = await inMulti('build', '+Multi.Shapes');
    assert.equal(warned.code, 0);
    assert.match(warned.stdout, /^⚠ \[3\/3\] Built Multi\.Shapes .*\nwarning: Multi\/Shapes\.lean:9:8: declaration uses/m);
    const replayed = await inMulti('build', '+Multi.Shapes');
    assert.match(replayed.stdout, /^⚠ \[3\/3\] Replayed Multi\.Shapes\nwarning: Multi\/Shapes\.lean:9:8: declaration uses/m);

    multi.write('Multi/Shapes.lean', good.replace(':= rfl', ':= nonsense'));
    const { code, stdout, stderr } = await inMulti('build');
    assert.equal(code, 1);
    assert.match(stdout, /^✖ \[4\/7\] Building Multi\.Shapes/m);
    assert.match(stdout, /^error: Multi\/Shapes\.lean:9:\d+: .*nonsense/m);
    assert.match(stdout, /^error: Lean exited with code 1$/m);
    assert.match(stdout, /^Some required targets logged failures:\n- Multi\.Shapes$/m);
    assert.doesNotMatch(stdout, /Built Multi\.Use/);
    assert.match(stderr, /^error: build failed$/m);
    multi.write('Multi/Shapes.lean', good);
  });

  test('lean: checks a file of every message, as JSON, and nothing else is printed', async () => {
    const { code, stdout, stderr } = await run(['env', 'lean', '--json', 'Basics/Errors.lean'], basics.root);
    assert.equal(code, 1);
    assert.equal(stderr, '');
    const messages = stdout.trim().split('\n').map(line => JSON.parse(line));
    const at = line => messages.filter(({ pos, isSilent }) => pos.line === line && !isSilent).map(({ severity, data }) => `${severity}: ${data}`).join();
    assert.match(at(5), /^error: Type mismatch/);
    assert.match(at(7), /^error: unsolved goals/);
    assert.match(at(11), /^error: Unknown identifier `doesNotExist`/);
    assert.match(at(13), /^warning: unused variable `n`/);
    assert.match(at(17), /^warning: declaration uses `sorry`/);
    assert.match(at(19), /^error: don't know how to synthesize placeholder/);
    assert.equal(at(21), 'information: 42');
    assert.equal(at(3), '');
    assert.equal(at(23), '');
  });

  test('a killed build leaves no compiler behind, not even one that loops', async () => {
    basics.write('Basics/Loop.lean', 'partial def spin (n : Nat) : Nat := spin (n + 1)\n#eval spin 0\n');
    const build = spawn(lake, ['build', '+Basics.Loop'], { cwd: basics.root, stdio: 'ignore' });
    const compiler = await until(() => childrenOf(build.pid)[0]);
    build.kill('SIGKILL');
    await until(() => !isAlive(compiler));
  });

  test('leanOptions of the lakefile reach Lean', async () => {
    const config = basics.read('lakefile.toml');
    basics.write('lakefile.toml', `${config}\n[leanOptions]\nlinter.unusedVariables = false\n`);
    const { stdout } = await run(['lean', 'Basics/Errors.lean'], basics.root);
    assert.match(stdout, /unsolved goals/);
    assert.doesNotMatch(stdout, /unused variable/);
    basics.write('lakefile.toml', config);
  });

  test('the root of basics builds without errors', async () => {
    const { code, stdout } = await run(['build'], basics.root);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /Basics\/Goals\.lean:48:8: declaration uses `sorry`/);
    assert.doesNotMatch(stdout, /error:/);
  });
});

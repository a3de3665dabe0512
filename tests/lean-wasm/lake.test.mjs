// The command line: build, env, lean, setup-file.
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

  test('--version, unknown commands', async () => {
    assert.match((await inMulti('--version')).stdout, /^Lake version .*Lean version 4\.28/);
    const unknown = await inMulti('exe');
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /unknown command 'exe'/);
  });

  test('build: nothing built is stale', async () => {
    const { code, stderr } = await inMulti('build', '--no-build');
    assert.equal(code, 3);
    assert.match(stderr, /out-of-date/);
  });

  test('build: in the order of imports', async () => {
    const { code, stdout } = await inMulti('build', '+Multi.Use');
    assert.equal(code, 0, stdout);
    const built = [...stdout.matchAll(/^✔ \[(\d)\/4\] Built (\S+) \(\d+\.\ds\)$/gm)].map(match => match[2]);
    assert.deepEqual(built, ['Multi.Base', 'Multi.Lemmas', 'Multi.Shapes', 'Multi.Use']);
    assert.match(stdout, /^Build completed successfully \(4 jobs\)\.$/m);
  });

  test('build: with nothing to do is quick', async () => {
    const began = performance.now();
    const { code, stdout } = await inMulti('build', '--no-build', 'Multi/Use.lean');
    assert.equal(code, 0);
    assert.equal(stdout, 'Build completed successfully (4 jobs).\n');
    assert.ok(performance.now() - began < 1000);
  });

  test('build: what importers cannot see does not rebuild them', async () => {
    multi.write('Multi/Lemmas.lean', `-- a comment\n${multi.read('Multi/Lemmas.lean')}\nprivate theorem hidden : 1 = 1 := rfl\n`);
    const { code, stdout } = await inMulti('build', 'Multi.Use');
    assert.equal(code, 0);
    assert.match(stdout, /Built Multi\.Lemmas/);
    assert.doesNotMatch(stdout, /Built Multi\.Base/);
  });

  test('build: errors stop the importers only', async () => {
    const good = multi.read('Multi/Shapes.lean');
    multi.write('Multi/Shapes.lean', good.replace(':= rfl', ':= sorry -- 𝔸'));
    const warned = await inMulti('build', '+Multi.Shapes');
    assert.equal(warned.code, 0);
    assert.match(warned.stdout, /^⚠ \[2\/2\] Built Multi\.Shapes .*\nwarning: Multi\/Shapes\.lean:9:8: declaration uses/m);
    const replayed = await inMulti('build', '+Multi.Shapes');
    assert.match(replayed.stdout, /^⚠ \[2\/2\] Replayed Multi\.Shapes\nwarning: Multi\/Shapes\.lean:9:8: declaration uses/m);

    multi.write('Multi/Shapes.lean', good.replace(':= rfl', ':= nonsense'));
    const { code, stdout, stderr } = await inMulti('build');
    assert.equal(code, 1);
    assert.match(stdout, /^✖ \[3\/5\] Building Multi\.Shapes/m);
    assert.match(stdout, /^error: Multi\/Shapes\.lean:9:\d+: .*nonsense/m);
    assert.match(stdout, /^error: Lean exited with code 1$/m);
    assert.match(stdout, /^Some required targets logged failures:\n- Multi\.Shapes$/m);
    assert.doesNotMatch(stdout, /Built Multi\.Use/);
    assert.match(stderr, /^error: build failed$/m);
    multi.write('Multi/Shapes.lean', good);
  });

  test('build: unknown targets, cycles, unsupported lakefiles', async () => {
    assert.match((await inMulti('build', 'Nope')).stderr, /unknown target `Nope`/);
    const text = multi.read('Multi/Base.lean');
    multi.write('Multi/Base.lean', `import Multi.Use\n${text}`);
    const cycle = await inMulti('build');
    assert.equal(cycle.code, 1);
    assert.match(cycle.stderr, /build cycle detected/);
    multi.write('Multi/Base.lean', text);
    const config = basics.read('lakefile.toml');
    basics.write('lakefile.toml', `${config}\n[[require]]\nname = "mathlib"\n`);
    assert.match((await run(['build'], basics.root)).stderr, /\[\[require\]\]/);
    basics.write('lakefile.toml', config);
  });

  test('env: prints and runs', async () => {
    const { stdout } = await inMulti('env');
    assert.match(stdout, new RegExp(`^LEAN_PATH=${multi.root}/\\.lake/build/lib/lean`, 'm'));
    assert.match(stdout, new RegExp(`^LEAN_SRC_PATH=${multi.root}$`, 'm'));
    assert.match(stdout, /^LEAN_SYSROOT=/m);
    const printed = await run(['env', 'sh', '-c', 'echo "$NODE_OPTIONS|$LEAN_PATH"; exit 7'], multi.root, { ...process.env, NODE_OPTIONS: '--no-warnings' });
    assert.equal(printed.code, 7);
    assert.equal(printed.stdout, `--no-warnings|${multi.root}/.lake/build/lib/lean\n`);
    assert.equal((await inMulti('env', 'does-not-exist')).code, 255);
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

  test('lean FILE builds the imports first; setup-file says 3 and 2', async () => {
    const { code, stdout, stderr } = await inMulti('lean', 'Multi/Use.lean', '--', '--json');
    assert.equal(code, 0, stderr);
    assert.equal(stdout, '');
    multi.write('Multi/Base.lean', multi.read('Multi/Base.lean').replace('Twice', 'Two times'));
    assert.equal((await inMulti('setup-file', 'Multi/Use.lean', '--no-build')).code, 3);
    assert.equal((await run(['setup-file', 'x.lean'], '/')).code, 2);
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

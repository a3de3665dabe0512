// Bounds: on open files, on builds, on the time a program gets to end, on what is read of a project that tries to block the bridge or to be
// expensive, and on an index.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { binary, fakeLake, isSanitized, runBinary, scratchProject, spawnBridge, temporaryFolder, withBridge } from '../support/bridge.mjs';
import { fakeBuilder } from '../support/fake-builder.mjs';
import { eventually } from '../support/processes.mjs';

const timeout = 120_000;
const MB = 1024;   // in KB, as /proc counts
const sanitized = isSanitized();
const mkfifo = file => assert.equal(spawnSync('mkfifo', [file]).status, 0);
const mostMemory = pid => Number(/^VmHWM:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);

describe('files that are open at a time', () => {
  const names = Array.from({ length: 20 }, (_, i) => `F${i}.lean`);
  const text = 'theorem a : True := by\n  first\n';
  const on = (files, body) => {
    const lake = fakeLake();
    return withBridge({ project: scratchProject(files), lake: lake.command, args: ['--max-open-files', '2'] }, client => body(client, lake));
  };

  test('20 calls at once about 20 files: two workers, and 20 answers', { timeout }, () => on(Object.fromEntries(names.map(name => [name, text])), async (client, lake) => {
    const answers = await Promise.all(names.map(file_path => client.call('lean_goal', { file_path, line: 2, column: 3, timeout_s: 60 }, { timeoutMs: 90_000 })));
    assert.deepEqual(answers.map(answer => answer.structured?.goals), names.map(() => ['⊢ first']), JSON.stringify(answers.find(answer => answer.error)?.error));
    let open = 0, most = 0;
    for (const { event, message } of lake.log()) {
      if (event !== 'received' || message.params?.textDocument?.uri?.includes('leanbridge-scratch-')) continue;   // workers of files only
      if (message.method === 'textDocument/didOpen') most = Math.max(most, ++open);
      if (message.method === 'textDocument/didClose') --open;
    }
    assert.deepEqual([most, open, lake.ofFiles('textDocument/didOpen').length], [2, 2, 20]);
  }));
});

describe('builds at a time', () => {
  const manifest = JSON.stringify({ version: '1.1.0', packagesDir: '.lake/packages', packages: [{ type: 'path', name: 'core', dir: '../core' }] });
  const lakefile = 'name = "p"\n';
  const files = { 'a/lakefile.toml': lakefile, 'a/lake-manifest.json': manifest, 'b/lakefile.toml': lakefile, 'b/lake-manifest.json': manifest, 'core/lakefile.toml': lakefile, 'other/lakefile.toml': lakefile };
  const start = builder => spawnBridge({ cwd: scratchProject(files), lake: builder.command });
  const build = (client, name, more = {}) => client.beginCall('lean_build', { lean_project_path: name, timeout_s: 60, ...more }, { timeoutMs: 90_000 });
  async function on(builder, body, clients = [start(builder)]) {
    try {
      for (const client of clients) { await client.connect(); await client.listTools(); }
      await body(...clients);
      for (const client of clients) await client.close({ timeoutMs: 10_000 });
    } finally {
      for (const client of clients) await client.destroy();
    }
  }
  const begun = (builder, count) => eventually(() => builder.log().filter(line => line.startsWith('begin')).length >= count, 20_000, `${count} builds`);

  for (const [what, second] of [['of one project', 'a'], ['of two projects that share a package', 'b'], ['of a project and its package', 'core']]) {
    test(`two builds ${what} take turns`, { timeout }, () => {
      const builder = fakeBuilder();
      return on(builder, async client => {
        const one = build(client, 'a');
        await begun(builder, 1);
        const two = build(client, second);
        await sleep(500);
        assert.deepEqual(builder.log(), ['begin a']);
        builder.go();
        for (const { answer } of [one, two]) assert.equal((await answer).structured?.success, true);
        assert.deepEqual(builder.log(), ['begin a', 'end a', `begin ${second}`, `end ${second}`]);
      });
    });
  }
  test('projects that share nothing need not wait', { timeout }, () => {
    const builder = fakeBuilder();
    return on(builder, async client => {
      const both = ['a', 'other'].map(name => build(client, name));
      await begun(builder, 2);
      builder.go();
      for (const { answer } of both) assert.equal((await answer).structured?.success, true);
    });
  });
  test('two bridges take turns too, and one that waits too long says so', { timeout }, () => {
    const builder = fakeBuilder();
    const cwd = scratchProject(files);
    return on(builder, async (one, two) => {
      const first = build(one, 'a');
      await begun(builder, 1);
      const { error } = await build(two, 'b', { timeout_s: 1 }).answer;
      assert.equal(error?.kind, 'timeout');
      assert.match(error.message, /Another build of .*core was still running/);
      const second = build(two, 'b');
      await sleep(500);
      builder.go();
      for (const { answer } of [first, second]) assert.equal((await answer).structured?.success, true);
      assert.deepEqual(builder.log(), ['begin a', 'end a', 'begin b', 'end b']);
    }, [0, 1].map(() => spawnBridge({ cwd, lake: builder.command })));
  });
  test('a build that is cancelled is asked to end, and the next one waits until it has', { timeout }, () => {
    const builder = fakeBuilder({ termMs: 700 });
    return on(builder, async client => {
      const first = build(client, 'a');
      await begun(builder, 1);
      client.cancel(first.id);
      const second = build(client, 'b');
      await begun(builder, 2);
      assert.deepEqual(builder.log(), ['begin a', 'term a', 'end a', 'begin b']);
      builder.go();
      assert.equal((await second.answer).structured?.success, true);
    });
  });
  test('a build that ignores SIGTERM is killed after two seconds', { timeout }, () => {
    const builder = fakeBuilder({ deaf: true });
    return on(builder, async client => {
      const first = build(client, 'a', { timeout_s: 1 });
      await begun(builder, 1);
      assert.equal((await first.answer).structured?.timed_out, true);
      const started = performance.now();
      const second = build(client, 'b');
      await begun(builder, 2);
      const ms = performance.now() - started;
      assert.ok(ms > 1500, `${ms} ms`);
      assert.deepEqual(builder.log(), ['begin a', 'term a', 'begin b']);
      builder.go();
      assert.equal((await second.answer).structured?.success, true);
    });
  });
});

describe('a project that tries to block us, or to be expensive', () => {
  const names = ['.mcp.json', '.leanbridge/mcp-servers.toml', 'lean-toolchain', 'lake-manifest.json'];
  const ways = {
    'a named pipe': mkfifo,
    'a link to /dev/zero': file => fs.symlinkSync('/dev/zero', file),
    'a terabyte': file => { fs.closeSync(fs.openSync(file, 'w')); fs.truncateSync(file, 2 ** 40); },
  };
  for (const [what, make] of Object.entries(ways))
    test(`${what}: in the place of its files, the session goes on, and stays small`, { timeout }, async () => {
      const project = scratchProject({ 'A.lean': 'theorem a : True := by\n  first\n' });
      fs.mkdirSync(path.join(project, '.leanbridge'));
      for (const name of names) make(path.join(project, name));
      await withBridge({ project, lake: fakeLake().command }, async client => {
        const health = await client.call('lean_server_health', {}, { timeoutMs: 20_000 });
        assert.ok(health.structured, JSON.stringify(health.error));
        assert.deepEqual((await client.call('lean_goal', { file_path: 'A.lean', line: 2, column: 3 })).structured?.goals, ['⊢ first']);
        assert.ok(sanitized || mostMemory(client.pid) < 150 * MB, `${mostMemory(client.pid)} KB`);
      });
      const doctor = await runBinary(['doctor', '--lake', '/nowhere/lake'], { cwd: project, timeoutMs: 30_000 });
      assert.equal(doctor.code, 1, doctor.stdout);
    });

  test('an .ilean of 30 MB is read in little memory', { timeout, skip: sanitized && 'memory is no measure under a sanitizer' }, async () => {
    const usages = `[${Array(100).fill('[100,10,100,20]').join(',')}]`;
    const entries = Array.from({ length: 18_000 }, (_, i) => `"{\\"c\\":{\\"m\\":\\"Big\\",\\"n\\":\\"Big.fact_${i}\\"}}":{"definition":[${i},0,${i},5],"usages":${usages}}`);
    const ilean = `{"version":5,"module":"Big","directImports":[],"references":{${entries.join(',')}},"decls":{}}`;
    assert.ok(ilean.length > 29e6 && ilean.length < 32e6, `${ilean.length} bytes`);
    const project = scratchProject({ '.lake/build/lib/lean/Big.ilean': ilean });
    let most = 0;
    const { code, stdout } = await runBinary(['index', 'build', '--json', '--lake', '/nowhere/lake', '--cache-dir', path.join(temporaryFolder('cache'), 'c')], { cwd: project, timeoutMs: timeout,
      started: child => { const timer = setInterval(() => { try { most = Math.max(most, mostMemory(child.pid)); } catch { clearInterval(timer); } }, 5); child.once('close', () => clearInterval(timer)); } });
    assert.equal(code, 1, 'no lake');
    assert.equal(JSON.parse(stdout).parts[0].declarations, 18_000, stdout);
    assert.ok(most > 30 * MB && most < 200 * MB, `${most} KB`);
  });
});

describe('where an index stops', () => {
  /** A `lake` with a toolchain of its own. */
  function toolchain(modules) {
    const folder = temporaryFolder('toolchain');
    const sysroot = path.join(folder, 'toolchain');
    fs.mkdirSync(path.join(sysroot, 'lib/lean'), { recursive: true });
    fs.mkdirSync(path.join(sysroot, 'src/lean/Init'), { recursive: true });
    for (let i = 0; i < modules; i++) fs.writeFileSync(path.join(sysroot, `src/lean/Init/M${i}.lean`), Array.from({ length: 40 }, (_, j) => `/-- Fact. -/\ntheorem M${i}.fact_${j} (n : Nat) : n + 0 = n := rfl\n`).join(''));
    const lake = path.join(folder, 'lake');
    fs.writeFileSync(lake, `#!/bin/sh\necho LEAN_SYSROOT=${sysroot}\necho LEAN_SRC_PATH=.\necho LEAN_PATH=./.lake/build/lib/lean\n`, { mode: 0o755 });
    return { lake, cache: path.join(folder, 'cache') };
  }
  const MANY = sanitized ? 300 : 1500;   // modules: more than are read before an interrupt arrives
  const project = scratchProject({ 'Own.lean': 'theorem own_fact : True := trivial\n' });
  const words = ({ lake, cache }, ...args) => [...args, '--lake', lake, '--cache-dir', cache];
  const states = async (where, cwd = project) => JSON.parse((await runBinary(words(where, 'index', 'status', '--json'), { cwd })).stdout).parts.map(part => part.state);
  const searched = (where, name, options) => runBinary(words(where, 'search', name, '--source', 'local'), { cwd: project, timeoutMs: timeout, ...options });

  test('the first search of a new machine waits until the index is whole, with progress on a terminal', { timeout }, async () => {
    const where = toolchain(600);
    const line = [binary, ...words(where, 'search', 'M599.fact_39', '--source', 'local')].map(word => `'${word}'`).join(' ');
    const shown = spawnSync('script', ['-qec', line, '/dev/null'], { cwd: project, encoding: 'utf8', timeout, env: { ...process.env, LEAN_PROJECT_PATH: '', TERM: 'xterm' } });
    assert.equal(shown.status, 0, shown.stdout);
    assert.match(shown.stdout, / \d+\/600 /);
    assert.match(shown.stdout, /M599\.fact_39/);
    assert.deepEqual(await states(where), ['ready', 'ready']);
    const again = await searched(where, 'own_fact');
    assert.deepEqual([again.code, again.stderr], [0, ''], 'nothing is left to be said');
    assert.match(again.stdout, /^own_fact\t/);
  });
  const KEPT = 'leanbridge: interrupted while building the index; the part already built is kept.\n';
  /** Interrupts a command as soon as it builds the index of a toolchain. */
  async function interrupted(where, ...args) {
    const begun = () => fs.existsSync(where.cache) && fs.readdirSync(where.cache).some(name => name.startsWith('toolchain') && name.endsWith('.db'));
    const started = child => {
      const timer = setInterval(() => { if (begun()) { clearInterval(timer); child.kill('SIGINT'); } }, 2);
      child.once('close', () => clearInterval(timer));
    };
    const { code, stdout, stderr } = await runBinary(words(where, ...args), { cwd: project, timeoutMs: timeout, started });
    assert.deepEqual([code, stdout], [130, ''], stderr);
    assert.notEqual((await states(where))[1], 'ready');
    return stderr;
  }
  test('a search that is interrupted while it is built says so, and what is there is not taken for the whole', { timeout }, async () => {
    const where = toolchain(MANY);
    const last = `M${MANY - 1}.fact_39`;
    assert.ok((await interrupted(where, 'search', last, '--source', 'local')).includes(KEPT));
    const next = await searched(where, last);
    assert.equal(next.code, 0, next.stderr);
    assert.ok(next.stdout.startsWith(`${last}\t`), next.stdout);
    assert.deepEqual(await states(where), ['ready', 'ready']);
  });
  test('index build says the same, and goes on next time', { timeout }, async () => {
    const where = toolchain(MANY);
    assert.equal(await interrupted(where, 'index', 'build'), KEPT, 'and no progress where stderr is no terminal');
    const next = await runBinary(words(where, 'index', 'build', '--json'), { cwd: project });
    assert.equal(next.code, 0, next.stderr);
    assert.deepEqual(JSON.parse(next.stdout).parts.map(part => part.state), ['ready', 'ready']);
  });
  test('a toolchain whose modules are not found is not ready', { timeout }, async () => {
    const where = toolchain(0);
    const built = await runBinary(words(where, 'index', 'build', '--json'), { cwd: project });
    assert.equal(built.code, 1);
    assert.match(built.stderr, /found no modules in/);
    assert.equal(JSON.parse(built.stdout).parts[1].state, 'failed');
    assert.notEqual((await states(where))[1], 'ready');
    const found = await searched(where, 'own_fact');
    assert.equal(found.code, 0, found.stderr);
    assert.match(found.stderr, /found no modules in/);
    assert.match(found.stdout, /^own_fact\t/);
  });
  test('links do not lead it out of the project', { timeout }, async () => {
    const where = toolchain(1);
    const outside = scratchProject({ 'Secret.lean': 'theorem secret_fact : True := trivial\n' });
    const inside = scratchProject({ 'Own.lean': 'theorem own_fact : True := trivial\n' });
    fs.symlinkSync(path.join(outside, 'Secret.lean'), path.join(inside, 'Secret.lean'));
    fs.symlinkSync(outside, path.join(inside, 'Folder'));
    fs.symlinkSync(outside, path.join(inside, '.lake'));   // the folder that lake names for built modules
    await withBridge({ project: inside, lake: where.lake }, async client => {
      const search = async query => (await eventually(async () => { const { structured } = await client.call('lean_local_search', { query }); return structured?.complete && structured; }, 30_000, 'the index'));
      assert.deepEqual((await search('own_fact')).items.map(item => item.name), ['own_fact']);
      assert.deepEqual((await search('secret_fact')).items.filter(item => /secret/.test(item.name)), []);
    });
  });
});

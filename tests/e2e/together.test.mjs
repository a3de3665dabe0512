// Several agents on one project: claims, and writes that respect them, with processes of their own and with a shared server. On a scripted Lean, but for
// the open work.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { binary, fakeLake, realLake, runBinary, scratchProject, spawnBridge, temporaryFolder } from '../support/bridge.mjs';
import { eventually, withEnvironment } from '../support/processes.mjs';
import { skip } from '../support/session.mjs';

const timeout = 120_000;
const FREE_MS = 5000;   // within which the claims of a killed agent are free
const THEOREMS = 8;
const TEXT = Array.from({ length: THEOREMS }, (_, i) => `theorem t${i} : True := by\n  skip\n`).join('\n');
const line = i => 3 * i + 2;
const proof = (i, text = 'trivial') => ({ file_path: 'A.lean', start_line: line(i), end_line: line(i), new_text: `  ${text}`, expected: '  skip' });
const claim = name => ({ file_path: 'A.lean', declaration: name });

/** A project with agents that are processes of their own, or clients of one shared server. */
class World {
  constructor({ shared = false, files = { 'A.lean': TEXT }, lake = fakeLake().command } = {}) {
    this.env = { XDG_RUNTIME_DIR: temporaryFolder('run'), XDG_STATE_HOME: temporaryFolder('state'), LEANBRIDGE_CACHE_DIR: path.join(temporaryFolder('cache'), 'leanbridge') };
    this.args = shared ? ['--shared', '--shared-idle-s', '60'] : [];
    this.project = scratchProject(files);
    this.lake = lake;
    this.clients = [];
  }
  async agent(args = []) {
    const client = spawnBridge({ project: this.project, lake: this.lake, args: [...this.args, ...args], env: this.env });
    this.clients.push(client);
    await client.connect();
    return client;
  }
  read(name = 'A.lean') { return fs.readFileSync(path.join(this.project, name), 'utf8'); }
  async log() {
    const { code, stdout, stderr } = await runBinary(['--project-root', this.project, '--lake', this.lake, 'todo', '--log'], { env: this.env });
    assert.equal(code, 0, stderr);
    return stdout.split('\n').filter(Boolean).map(line => JSON.parse(line));
  }
  async end() {
    for (const client of this.clients) await client.destroy();
    for (const { pid } of withEnvironment('XDG_RUNTIME_DIR', this.env.XDG_RUNTIME_DIR)) try { process.kill(pid, 'SIGKILL'); } catch { /* gone meanwhile */ }
  }
}

async function inWorld(options, body) {
  const world = new World(options);
  try { await body(world); } finally { await world.end(); }
}
// Writers of one file repeat until it is their turn.
const ANSWER_MS = 60_000;
const ask = async (client, tool, args) => {
  const { structured, error } = await client.call(tool, args, { timeoutMs: ANSWER_MS });
  assert.equal(error, undefined, JSON.stringify(error));
  return structured;
};

for (const shared of [false, true])
  describe(shared ? 'clients of a shared server' : 'processes of their own', () => {
    test('a claim is refused to others, by claim and write, until it is released', { timeout }, () => inWorld({ shared }, async world => {
      const one = await world.agent(), other = await world.agent();
      const taken = await ask(one, 'lean_claim', { ...claim('t1'), why: 'by hand' });
      assert.deepEqual([taken.claimed, taken.declaration], [true, 't1']);
      const refused = await ask(other, 'lean_claim', claim('t1'));
      assert.equal(refused.claimed, false);
      assert.match(refused.reason, /^t1 in A\.lean is held by leanbridge-e2e \(connection \d+ of process \d+\) since 20\S+Z, who says: by hand\./);
      const write = await ask(other, 'lean_write_proof', proof(1));
      assert.equal(write.written, false);
      assert.match(write.reason, /^t1 in A\.lean is held by leanbridge-e2e/);
      assert.equal(world.read(), TEXT);
      assert.equal((await ask(other, 'lean_write_proof', proof(2))).written, true, 'another declaration');
      assert.equal((await ask(one, 'lean_write_proof', proof(1))).written, true, 'by its holder');
      assert.deepEqual(await ask(other, 'lean_release', {}), { released: [] });
      assert.deepEqual((await ask(other, 'lean_release', { declarations: ['t1'] })).released, []);
      assert.deepEqual((await ask(one, 'lean_release', {})).released, ['t1']);
      assert.equal((await ask(other, 'lean_claim', claim('t1'))).claimed, true);
      assert.deepEqual((await world.log()).map(each => `${each.did} ${each.declarations}`),
        ['claimed t1', 'refused t1', 'refused t1', 'wrote t2', 'wrote t1', 'released t1', 'claimed t1']);
    }));
    test('without a record nothing is kept', { timeout }, () => inWorld({ shared }, async world => {
      assert.equal((await ask(await world.agent(['--no-record']), 'lean_claim', claim('t1'))).claimed, true);
      assert.deepEqual(await world.log(), []);
    }));
    test('the claims of a killed agent are free soon', { timeout }, () => inWorld({ shared }, async world => {
      const one = await world.agent(), other = await world.agent();
      for (const name of ['t0', 't1']) assert.equal((await ask(one, 'lean_claim', claim(name))).claimed, true);
      one.process.kill('SIGKILL');
      await eventually(async () => (await ask(other, 'lean_claim', claim('t1'))).claimed, FREE_MS, 'the claim to end');
      assert.equal((await ask(other, 'lean_write_proof', proof(0))).written, true);
    }));
    test('many agents, one file: none is done twice, and no proof is lost', { timeout }, () => inWorld({ shared }, async world => {
      const agents = await Promise.all(Array.from({ length: 4 }, () => world.agent()));
      let written = 0;
      await Promise.all(agents.map(async (agent, at) => {
        for (let step = 0; step < THEOREMS; step++) {
          const i = (at + step) % THEOREMS;
          if (!(await ask(agent, 'lean_claim', claim(`t${i}`))).claimed || !world.read().split('\n')[line(i) - 1].includes('skip')) continue;
          assert.equal((await ask(agent, 'lean_write_proof', proof(i, `exact proof_${i}`))).written, true);
          written++;
        }
      }));
      assert.equal(written, THEOREMS);
      for (let i = 0; i < THEOREMS; i++) assert.match(world.read(), new RegExp(`theorem t${i} : True := by\n  exact proof_${i}\n`));
    }));
  });

describe('the open work', { skip }, () => {
  const files = {
    'A.lean': 'theorem base (n : Nat) : n + 0 = n := by\n  sorry\n\ntheorem fine : 1 = 1 := rfl\n\ntheorem top : 0 + 0 = 0 := by\n  have := base 0\n  sorry\n\ntheorem wrong : 1 = 2 := by\n  rfl\n',
  };
  test('what Lean says is open, ready ones first, and who holds it, for agents and people', { timeout }, () => inWorld({ files, lake: realLake }, async world => {
    const agent = await world.agent();
    await ask(agent, 'lean_claim', { ...claim('wrong'), why: 'hard' });
    const todo = await ask(agent, 'lean_todo', {});
    assert.deepEqual([todo.open, todo.ready, todo.partial], [3, 2, false], JSON.stringify(todo));
    const [base, wrong, top] = todo.items;
    assert.deepEqual(base, { declaration: 'base', at: 'A.lean:2', ready: true, state: 'sorry', goal: '⊢ n + 0 = n', waiting: 1 });
    assert.deepEqual([wrong.declaration, wrong.ready, wrong.state], ['wrong', true, 'error']);
    assert.match(wrong.held_by, /^leanbridge-e2e \d+: hard$/);
    assert.deepEqual([top.declaration, top.ready, top.needs], ['top', false, ['base']]);
    const { code, stdout } = await runBinary(['--project-root', world.project, '--lake', world.lake, 'todo'], { env: world.env });
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout).items.map(({ declaration }) => declaration), ['base', 'wrong', 'top']);
  }));
});

const git = (cwd, ...args) => {
  const { status, stderr } = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
};

describe('approved statements', () => {
  const APPROVED = JSON.stringify({ leanbridge_approved: 1, statements: [{ declaration: 't0', sha256: '0', means: ['t1'] }] });
  test('no tool changes one, also if the caller allows it; a proof of it is written', { timeout }, () => inWorld({ files: { 'A.lean': TEXT, 'leanbridge-approved.json': APPROVED } }, async world => {
    const agent = await world.agent(), restate = i => ({ file_path: 'A.lean', start_line: line(i) - 1, end_line: line(i) - 1, new_text: `theorem t${i} : 1 = 1 := by`, allow_statement_change: true });
    const refused = await ask(agent, 'lean_write_proof', restate(0));
    assert.equal(refused.written, false);
    assert.match(refused.reason, /^The statement of t0 is approved, and would be another/);
    assert.match((await ask(agent, 'lean_write_proof', restate(1))).reason, /^The statement of t0 is approved, and it means t1/);
    assert.equal((await ask(agent, 'lean_write_proof', proof(0))).written, true);
    assert.equal((await ask(agent, 'lean_write_proof', restate(2))).written, true);
    const todo = await ask(agent, 'lean_todo', {});
    assert.ok(todo.not_looked_at.some(each => each.includes('the approved statement of t0')), JSON.stringify(todo));
  }));
  test('diff refuses another one, by the approvals of the commit; check says which it does not know', { timeout }, () => inWorld({ files: { 'A.lean': TEXT, 'leanbridge-approved.json': APPROVED } }, async world => {
    const ask = async (...args) => await runBinary(args, { cwd: world.project, env: world.env });
    for (const words of [['init', '-q'], ['add', '-A'], ['commit', '-qm', 'a']]) git(world.project, ...words);
    const change = text => fs.writeFileSync(path.join(world.project, 'A.lean'), text);
    change(TEXT.replace('skip', 'trivial'));
    assert.equal((await ask('diff')).code, 0);
    const checked = await ask('check', 'A.lean', '--strict', '--lake', world.lake);
    assert.equal(checked.code, 1);
    assert.match(checked.stderr, /the approved statement of t0: not compiled/);
    change(TEXT.replace('t1 : True', 't1 : 1 = 1'));
    fs.rmSync(path.join(world.project, 'leanbridge-approved.json'));
    const { code, stdout } = await ask('diff');
    assert.equal(code, 1);
    assert.match(stdout, /but refused;[^]*REFUSED {2}The statement of t0 is approved, and it means t1/);
    const { verdict, objections } = JSON.parse((await ask('diff', '--json')).stdout);
    assert.deepEqual([verdict, objections.length], ['refused', 1]);
    assert.equal((await ask('check', 'A.lean', '--strict', '--lake', world.lake)).code, 0, 'nothing is approved');
  }));
});

describe('before a commit', () => {
  const PROVED = 'def two := 2\n\ntheorem a : two = 2 := by\n  rfl\n\ntheorem b : 2 = 2 := by\n  sorry\n';
  const APPROVED = JSON.stringify({ leanbridge_approved: 1, statements: [{ declaration: 'a', sha256: '0', means: ['two'] }] });
  const repository = (files = { 'A.lean': PROVED }) => {
    const cwd = scratchProject(files);
    for (const words of [['init', '-q'], ['add', '-A'], ['commit', '-qm', 'a']]) git(cwd, ...words);
    return cwd;
  };
  const change = (cwd, files) => {
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(cwd, name), text);
    git(cwd, 'add', '-A');
  };
  /** What is said, and the exit code, after these files are staged. */
  const judged = async (cwd, files, env) => {
    change(cwd, files);
    const { code, stderr } = await runBinary(['hook', 'pre-commit'], { cwd, env });
    return [code, stderr];
  };

  test('a sorry in a proof and an axiom are refused, work is not', { timeout }, async () => {
    const cwd = repository();
    const [code, said] = await judged(cwd, { 'A.lean': PROVED.replace('rfl', 'sorry') });
    assert.equal(code, 1);
    assert.match(said, /^refused: A\.lean:3: a was proved, and has a sorry now\.$/m);
    assert.match((await judged(cwd, { 'A.lean': `${PROVED}\naxiom cheat : False\n` }))[1], /refused: .*a new axiom/);
    assert.deepEqual(await judged(cwd, { 'A.lean': `${PROVED.replace('sorry', 'rfl')}\ntheorem c : 3 = 3 := sorry\n` }), [0, '']);
  });
  test('the index is judged, not the working tree, and a renamed file is followed', { timeout }, async () => {
    const cwd = repository();
    change(cwd, { 'A.lean': PROVED.replace('rfl', 'sorry') });
    fs.writeFileSync(path.join(cwd, 'A.lean'), PROVED);
    assert.equal((await runBinary(['hook', 'pre-commit'], { cwd })).code, 1);
    fs.rmSync(path.join(cwd, 'A.lean'));
    assert.equal((await judged(cwd, { 'B.lean': PROVED.replace('rfl', 'sorry') }))[0], 1);
    assert.equal((await judged(cwd, { 'B.lean': PROVED }))[0], 0);
  });
  test('approvals are those of HEAD: a commit cannot bring its own', { timeout }, async () => {
    const cwd = repository({ 'A.lean': PROVED, 'leanbridge-approved.json': APPROVED });
    const empty = JSON.stringify({ leanbridge_approved: 1, statements: [] });
    const [code, said] = await judged(cwd, { 'A.lean': PROVED.replace('two := 2', 'two := 3'), 'leanbridge-approved.json': empty });
    assert.equal(code, 1);
    assert.match(said, /The statement of a is approved, and it means two/);
    assert.match(said, /The approval of a is removed or changed/);
    assert.equal((await judged(cwd, { 'A.lean': PROVED.replace('rfl', 'decide'), 'leanbridge-approved.json': APPROVED }))[0], 0);
    const [unknown, why] = await judged(cwd, { 'A.lean': `open Nat\n${PROVED}` });
    assert.equal(unknown, 3);
    assert.match(why, /^only a compiler can tell: A\.lean:1: new: open Nat$/m);
  });
  test('the first commit', { timeout }, async () => {
    const cwd = scratchProject({ 'A.lean': PROVED });
    git(cwd, 'init', '-q');
    assert.deepEqual(await judged(cwd, {}), [0, '']);
    assert.equal((await judged(cwd, { 'A.lean': 'axiom cheat : False\n' }))[0], 1);
  });
  test('as a hook of git, with a commit of some files', { timeout }, async () => {
    const cwd = repository({ 'A.lean': PROVED, 'B.lean': PROVED.replace('theorem a', 'theorem a2').replace('theorem b', 'theorem b2').replace('def two', 'def two2').replace(': two', ': two2') });
    fs.writeFileSync(path.join(cwd, '.git/hooks/pre-commit'), `#!/bin/sh\nexec '${binary}' hook pre-commit\n`, { mode: 0o755 });
    change(cwd, { 'A.lean': PROVED.replace('rfl', 'sorry') });
    fs.writeFileSync(path.join(cwd, 'B.lean'), '-- fine\n' + fs.readFileSync(path.join(cwd, 'B.lean'), 'utf8'));
    // The index that is committed is a temporary one, in GIT_INDEX_FILE, without A.lean.
    git(cwd, 'commit', '-qm', 'b', 'B.lean');
    assert.notEqual(spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'c'], { cwd }).status, 0);
  });
});

describe('what is no claim', () => {
  test('a declaration that is not there, a file outside', { timeout }, () => inWorld({}, async world => {
    const agent = await world.agent();
    assert.equal((await agent.call('lean_claim', claim('t9'))).error.kind, 'invalid_argument');
    assert.equal((await agent.call('lean_todo', { file_path: '/etc/passwd' })).error.kind, 'outside_project');
    assert.equal((await agent.call('lean_release', { file_path: '/etc/passwd' })).error.kind, 'outside_project');
  }));
});

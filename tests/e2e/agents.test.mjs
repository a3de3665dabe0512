// Several agents on one formalisation, on a real Lean: eight of them on 40 sorries, with claims and without; approved statements that are
// weakened in many ways. What it measures is printed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { runBinary, scratchProject, spawnBridge, temporaryFolder } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { withEnvironment } from '../support/processes.mjs';

const skip = lean.missing;
const timeout = 600_000;
const AGENTS = 8, SORRIES = 40;
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

/** Files with 40 sorries, by name. */
function formalisation(files) {
  const texts = {};
  for (let i = 0; i < SORRIES; i++) {
    const name = `Scratch/F${i % files}.lean`;
    texts[name] = `${texts[name] ?? ''}theorem t${i} : ${i} = ${i} := by\n  sorry\n\n`;
  }
  return texts;
}

class Project {
  constructor(files) {
    this.files = files;
    this.folder = scratchProject(files);
    this.env = { XDG_RUNTIME_DIR: temporaryFolder('run'), XDG_STATE_HOME: temporaryFolder('state'), LEANBRIDGE_CACHE_DIR: path.join(temporaryFolder('cache'), 'leanbridge') };
    this.agents = [];
    this.begun = new Map();   // how often each theorem was begun
    this.lost = 0;
  }
  async agent() {
    const agent = spawnBridge({ project: this.folder, lake: lean.lake, args: ['--shared', '--shared-idle-s', '60'], env: this.env });
    this.agents.push(agent);
    await agent.connect();
    return agent;
  }
  read(name) { return fs.readFileSync(path.join(this.folder, name), 'utf8'); }
  write(name, text) { fs.writeFileSync(path.join(this.folder, name), text); }
  sorries() { return Object.keys(this.files).flatMap(name => this.read(name).match(/sorry/g) ?? []).length; }
  begin(theorem) { this.begun.set(theorem, (this.begun.get(theorem) ?? 0) + 1); }
  twice() { return [...this.begun.values()].filter(times => times > 1).length; }
  run(...args) { return runBinary(['--project-root', this.folder, '--lake', lean.lake, ...args], { env: this.env, cwd: this.folder }); }
  async end() {
    for (const agent of this.agents) await agent.destroy();
    for (const { pid } of withEnvironment('XDG_RUNTIME_DIR', this.env.XDG_RUNTIME_DIR)) try { process.kill(pid, 'SIGKILL'); } catch { /* gone meanwhile */ }
  }
}
const inProject = async (files, body) => {
  const project = new Project(files);
  try { return await body(project); } finally { await project.end(); }
};
const ask = async (agent, tool, args) => {
  const { structured, error } = await agent.call(tool, args, { timeoutMs: lean.callMs });
  assert.equal(error, undefined, JSON.stringify(error));
  return structured;
};

/** Takes what is open in turn until nothing is: by lean_todo, and if it claims, what it gets. */
async function byTools(project, agent, claims) {
  for (;;) {
    const { items } = await ask(agent, 'lean_todo', { verbose: true });
    const free = items.filter(item => item.ready && !item.held_by);
    if (!free.length) return;
    for (const { declaration, at } of free) {
      const [file, from] = at.split(':');
      if (claims && !(await ask(agent, 'lean_claim', { file_path: file, declaration })).claimed) continue;
      // The place is that of the sorry, or of the declaration, if Lean was not asked.
      const lines = project.read(file).split('\n'), line = [Number(from), Number(from) + 1].find(each => lines[each - 1].includes('sorry'));
      if (line) {
        project.begin(declaration);
        await pause(20);   // it thinks
        await ask(agent, 'lean_write_proof', { file_path: file, start_line: line, end_line: line, new_text: '  rfl', expected: lines[line - 1] });
      }
      if (claims) await ask(agent, 'lean_release', { declarations: [declaration] });
      else break;
    }
  }
}

/** Reads a file, proves its first sorry and writes the file: as an agent with tools of its own does. */
async function byEdits(project) {
  for (let name; (name = Object.keys(project.files).find(each => project.read(each).includes('sorry')));) {
    const before = project.read(name), [, theorem] = /theorem (\w+) : [^:]*:= by\n {2}sorry/.exec(before);
    project.begin(theorem);
    await pause(20 + Math.random() * 20);
    const proofs = project.read(name).match(/rfl/g)?.length ?? 0;
    project.write(name, before.replace(/(theorem \w+ : [^:]*:= by\n {2})sorry/, '$1rfl'));
    project.lost += Math.max(0, proofs + 1 - project.read(name).match(/rfl/g).length);
  }
}

for (const files of [1, 12])
  describe(`${SORRIES} sorries in ${files === 1 ? 'one file' : `${files} files`}, ${AGENTS} agents of one server`, { skip }, () => {
    const measured = async (t, how, prove) => inProject(formalisation(files), async project => {
      const began = performance.now();
      const agents = prove === byEdits ? Array.from({ length: AGENTS }) : await Promise.all(Array.from({ length: AGENTS }, () => project.agent()));
      await Promise.all(agents.map(agent => prove(project, agent, how === 'with claims')));
      const twice = project.twice();
      t.diagnostic(`${how}: ${project.lost} proofs lost, ${twice} of ${SORRIES} begun twice or more, ${((performance.now() - began) / 1000).toFixed(1)} s`);
      assert.equal(project.sorries(), 0);
      return { twice, lost: project.lost };
    });
    test('with claims nothing is lost, and nothing done twice', { timeout }, async t =>
      assert.deepEqual(await measured(t, 'with claims', byTools), { twice: 0, lost: 0 }));
    test('without claims nothing is lost', { timeout }, async t =>
      assert.equal((await measured(t, 'without claims', (project, agent) => byTools(project, agent, false))).lost, 0));
    test('for comparison: plain edits', { timeout }, t => measured(t, 'plain edits', byEdits));
  });

describe('100 weakenings of approved statements', { skip }, () => {
  const WEAKENED = 100, EDITED = 50;
  const FILE = 'Scratch/Main.lean';
  const definition = i => `def d${i} : Nat := ${i}`;
  const statement = i => `theorem t${i} (n : Nat) : d${i} = d${i} := by`;
  const text = change => Array.from({ length: WEAKENED }, (_, i) => change(i, definition(i), statement(i), '  rfl').join('\n')).join('\n\n') + '\n';
  const whole = text((i, ...lines) => lines);
  /** By the seed: another hypothesis, conclusion, type of a variable, or definition. */
  const KINDS = [
    (i, define, state, prove) => [define, state.replace('(n : Nat)', `(n : Nat) (h : ${i} = ${i + 1})`), prove],
    (i, define, state, prove) => [define, state.replace(`d${i} = d${i} :=`, `${i} = ${i} :=`), prove],
    (i, define, state, prove) => [define, state.replace('n : Nat', 'n : Prop'), prove],
    (i, define, state, prove) => [define.replace(`:= ${i}`, `:= ${i + 1}`), state, prove],
  ];
  const SEED = Number(process.env.LEANBRIDGE_SEED ?? 63);
  const kindOf = i => KINDS[Math.floor(Math.abs(Math.sin(SEED + i) * 1e4)) % KINDS.length];
  const git = (cwd, ...args) => {
    const { status, stderr } = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  };
  const build = cwd => { const { status, stdout, stderr } = spawnSync(lean.lake, ['build', '+Scratch.Main'], { cwd, encoding: 'utf8' }); assert.equal(status, 0, stdout + stderr); };
  const namesIn = said => new Set([...said.matchAll(/\bt\d+\b/g)].map(([name]) => name)).size;
  /** How many approved statements each way names. */
  const named = async (project, agent) => {
    build(project.folder);
    git(project.folder, 'add', '-A');
    const todo = await ask(agent, 'lean_todo', { verbose: true });
    assert.deepEqual(todo.not_looked_at ?? [], []);
    const [diff, hook, check] = [await project.run('diff', '--json'), await project.run('hook', 'pre-commit'), await project.run('check', FILE, '--strict')];
    return {
      todo: namesIn((todo.changed_statements ?? []).join('\n')), diff: namesIn(JSON.parse(diff.stdout).objections.join('\n')), hook: namesIn(hook.stderr), check: namesIn(check.stderr),
      codes: [diff.code, hook.code, check.code],
    };
  };

  test('each is named by write, todo, diff, check and hook; 50 other proofs by none', { timeout }, () => inProject({ [FILE]: whole, '.gitignore': '/.lake\n' }, async project => {
    const agent = await project.agent(), all = Array.from({ length: WEAKENED }, (_, i) => `t${i}`);
    build(project.folder);
    assert.equal((await project.run('approve', ...all)).code, 0);
    for (const words of [['init', '-q'], ['add', '-A'], ['commit', '-qm', 'a']]) git(project.folder, ...words);
    for (let i = 0; i < WEAKENED; i++) {
      const line = 4 * i + 1, changed = kindOf(i)(i, definition(i), statement(i), '  rfl').join('\n');
      const { written, reason } = await ask(agent, 'lean_write_proof', { file_path: FILE, start_line: line, end_line: line + 2, new_text: changed, allow_statement_change: true });
      assert.equal(written, false, changed);
      assert.match(reason, new RegExp(`The statement of t${i} is approved`));
    }
    assert.equal(project.read(FILE), whole);
    project.write(FILE, text((i, ...lines) => kindOf(i)(i, ...lines)));
    assert.deepEqual(await named(project, agent), { todo: WEAKENED, diff: WEAKENED, hook: WEAKENED, check: WEAKENED, codes: [1, 1, 1] });
    project.write(FILE, whole);
    for (let i = 0; i < EDITED; i++)
      assert.equal((await ask(agent, 'lean_write_proof', { file_path: FILE, start_line: 4 * i + 3, end_line: 4 * i + 3, new_text: '  exact rfl' })).written, true);
    assert.deepEqual(await named(project, agent), { todo: 0, diff: 0, hook: 0, check: 0, codes: [0, 0, 0] });
  }));
});

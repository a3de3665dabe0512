// Every tool that reports proved, complete, success or trusted, on generated files with fake proofs in many disguises. The truth is known from
// how a file was made, and from what Lean says about the compiled file when another file imports it.
//
//   LEANBRIDGE_DIFFERENTIAL_FILES   how many files (fewer where attacks are a sample); LEANBRIDGE_DIFFERENTIAL_SEED: seed of the first
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isSample } from '../attacks/run.mjs';
import { realLake, scratchProject, spawnBridge } from '../support/bridge.mjs';
import { generate, HELPERS, LAKEFILE } from '../support/disguises.mjs';
import { lean } from '../support/leans.mjs';
import { skip } from '../support/session.mjs';

const FILES = Number(process.env.LEANBRIDGE_DIFFERENTIAL_FILES || (isSample ? 4 : 8));
const FIRST = Number(process.env.LEANBRIDGE_DIFFERENTIAL_SEED || 1);
const AT_ONCE = 2;
const EVERY = 4;   // lean_write_proof is tried on one in this many files

const gen = seed => `Gen/File${seed}.lean`;

/** A project with those files, whose lakefile allows Lean to warn, or not. */
class World {
  constructor(silent, seeds) {
    this.files = seeds.map(seed => ({ seed, name: gen(seed), ...generate(seed) })).filter(file => file.silent === silent);
    this.silent = silent;
  }
  async start() {
    this.project = scratchProject({ 'lakefile.toml': LAKEFILE(this.silent), ...HELPERS, ...Object.fromEntries(this.files.map(({ name, text }) => [name, text])) });
    this.lake(['build', ...Object.keys(HELPERS).map(name => `+${name.replace('.lean', '').replace('/', '.')}`)]);
    this.client = spawnBridge({ project: this.project, lake: realLake, label: 'differential' });
    await this.client.connect();
  }
  lake(args) { return spawnSync(realLake, args, { cwd: this.project, encoding: 'utf8', timeout: 120_000 }); }
  async ask(tool, args) {
    const answer = await this.client.call(tool, args, { timeoutMs: lean.callMs });
    assert.ok(answer.structured, `${tool} ${JSON.stringify(args)}: ${JSON.stringify(answer.error)}`);
    return answer.structured;
  }
  async stop() {
    try { await this.client?.close({ timeoutMs: 8000 }); } finally { await this.client?.destroy(); }
  }

  /** The axioms that Lean lists in a file of ours that imports the compiled one: {name: [axiom]}; undefined if that is not conclusive. */
  axiomsByLean(file) {
    const out = path.join(this.project, '.lake/build/lib/lean', file.name.replace('.lean', '.olean'));
    fs.mkdirSync(path.dirname(out), { recursive: true });
    const options = this.silent ? ['-Dwarn.sorry=false'] : [];
    const made = this.lake(['env', 'lean', ...options, '-o', out, file.name]);
    assert.equal(made.status, 0, `${file.name} compiles: ${made.stdout}${made.stderr}\n${file.text}`);
    const asking = path.join(this.project, `Ask${file.seed}.lean`);
    const names = file.declarations.map(({ name }) => name);
    fs.writeFileSync(asking, `import ${file.name.replace('.lean', '').replace('/', '.')}\n${names.map(name => `#print axioms ${name}\n`).join('')}`);
    const said = this.lake(['env', 'lean', '--json', asking]).stdout;
    fs.rmSync(out);
    fs.rmSync(asking);
    if (file.lies) return undefined;
    const lists = said.trim().split('\n').map(line => JSON.parse(line).data);
    return Object.fromEntries(lists.map(text => {
      const [, name, list] = /^'(.*)' (?:does not depend on any axioms|depends on axioms: \[(.*)\])$/s.exec(text) ?? assert.fail(text);
      return [name, (list ?? '').split(',').map(axiom => axiom.trim()).filter(Boolean)];
    }));
  }
}

const known = { answers: 0, unknown: 0 };
/** Counts an answer; `unknown`: the tool said that it does not know, and why. */
function count(unknown) {
  known.answers++;
  if (unknown) known.unknown++;
}

async function judge(world, file) {
  const where = `seed ${file.seed}\n${file.text}`;
  const file_path = file.name;
  const byLean = file.seed % 2 ? world.axiomsByLean(file) : undefined;
  for (const { name, rests } of byLean ? file.declarations : [])
    assert.equal(byLean[name]?.includes('sorryAx'), rests, `the generator and Lean agree on ${name}: ${where}`);
  const hasSorry = file.examples > 0 || file.declarations.some(({ sorry }) => sorry);

  const all = await world.ask('lean_check_all', { file_path });
  count(all.state === 'unknown');
  assert.equal(all.success, all.state === 'proved');
  if (all.state === 'unknown') assert.ok(all.reason, `lean_check_all says why not: ${JSON.stringify(all)}\n${where}`);
  else assert.equal(all.state, hasSorry ? 'sorry' : 'proved', `lean_check_all: ${JSON.stringify(all)}\n${where}`);
  assert.equal(all.sorry_count > 0, all.state === 'sorry', `lean_check_all: ${JSON.stringify(all)}\n${where}`);

  const { proofs } = await world.ask('lean_document_proofs', { file_path });
  for (const { local, sorry, fromMacro, isDefinition } of file.declarations) {
    const proof = proofs.find(({ declaration }) => declaration === local || declaration?.endsWith(`.${local}`));
    if (!proof && (fromMacro || isDefinition)) continue;
    assert.ok(proof, `lean_document_proofs has ${local}: ${JSON.stringify(proofs)}\n${where}`);
    count(proof.state === 'unknown');
    assert.ok(['unknown', sorry ? 'sorry' : 'proved'].includes(proof.state), `lean_document_proofs: ${JSON.stringify(proof)}\n${where}`);
  }

  // Only one, by its full name, because each costs as much.
  const one = file.declarations[file.seed % file.declarations.length];
  if (one) {
    const verified = await world.ask('lean_verify', { file_path, theorem_name: one.name, scan_source: false });
    count(verified.axioms === null);
    const told = `lean_verify ${one.name}: ${JSON.stringify(verified)}\n${where}`;
    if (verified.trusted) assert.equal(one.rests, false, told);
    else assert.ok(one.rests || verified.reason, told);
    // If the library has no proofs, its theorems are axioms to Lean.
    if (verified.axioms && byLean) assert.deepEqual([...verified.axioms, ...verified.without_proof ?? []].sort(), [...byLean[one.name]].sort(), told);
    if (verified.axioms) assert.equal(verified.uses_sorry, one.rests, told);
  }

  // Below all that, a proof to finish, once with a real proof and once with a fake one. Each compiles the file again.
  if (file.seed % EVERY !== 0) return;
  const good = 'rfl', bad = ['sorry', 'stop rfl', 'set_option warn.sorry false in as_aux_lemma => sorry', 'exact sorryAx _ true'][file.seed / EVERY % 4];
  fs.writeFileSync(path.join(world.project, file.name), `${file.text}theorem hole_ : 1 = 1 := by\n  skip\n`);
  const line = file.text.split('\n').length + 1;
  const { items } = await world.ask('lean_multi_attempt', { file_path, line, snippets: [good, bad] });
  for (const [i, right] of ['proof_complete', 'sorry'].entries()) {
    const { proof_status, proof_complete, closes_goal, reason } = items[i];
    const unknown = proof_status === 'closed_here';
    count(unknown);
    assert.ok(unknown ? reason : proof_status === right, `lean_multi_attempt: ${JSON.stringify(items[i])}\n${where}`);
    for (const claim of [proof_complete, closes_goal]) assert.equal(claim, proof_status === 'proof_complete', `lean_multi_attempt: ${JSON.stringify(items[i])}\n${where}`);
  }
  const step = await world.ask('lean_validate_step', { file_path, line, tactic: bad });
  assert.equal(step.proof_complete, false, `lean_validate_step: ${JSON.stringify(step)}\n${where}`);

  const written = await world.ask('lean_write_proof', { file_path, start_line: line, end_line: line, new_text: '  set_option warn.sorry false in as_aux_lemma => first | exact sorryAx _ true | rfl' });
  assert.ok(!written.written, `lean_write_proof: ${JSON.stringify(written)}\n${where}`);
  const hidden = await world.ask('lean_write_proof', { file_path, start_line: line - 1, end_line: line, new_text: 'set_option warn.sorry false in\ntheorem hole_ : 1 = 1 := by stop rfl' });
  assert.ok(!hidden.written, `lean_write_proof: ${JSON.stringify(hidden)}\n${where}`);
}

describe('what is proved, and what only looks proved', { skip }, () => {
  const worlds = [false, true].map(silent => new World(silent, Array.from({ length: FILES }, (_, i) => FIRST + i)));
  before(async () => { for (const world of worlds) await world.start(); }, { timeout: 120_000 });
  after(async () => { for (const world of worlds) await world.stop(); }, { timeout: 30_000 });

  for (const world of worlds) {
    const kind = world.silent ? 'files of a silent lakefile' : 'files that Lean may warn of';
    test(`${kind}: what is proved is proved`, { timeout: 60_000 + FILES * 20_000 }, async () => {
      const queue = [...world.files];
      const wrong = [];
      await Promise.all(Array.from({ length: AT_ONCE }, async () => {
        for (let file; (file = queue.shift());) await judge(world, file).catch(error => wrong.push(error.message));
      }));
      assert.equal(wrong.length, 0, `${wrong.length} of ${world.files.length}:\n\n${wrong.slice(0, 3).join('\n\n')}`);
    });
  }
  test('and most of it is known', () => assert.ok(known.unknown < known.answers * 0.2, JSON.stringify(known)));
  test('what the generator makes is of both kinds', () => {
    const all = worlds.flatMap(({ files }) => files.flatMap(({ declarations }) => declarations));
    const lies = all.filter(({ rests }) => rests).length;
    assert.ok(lies > all.length / 4 && lies < all.length * 3 / 4, `${lies} of ${all.length}`);
  });
});

/** Cases that neither a message nor a compiled term reveals. `proved`: declarations that are proved nevertheless. */
const UNCHECKED = {
  'Gen/Kernel.lean': {
    text: 'import Lean\nopen Lean Elab Tactic\nset_option debug.skipKernelTC true in\ntheorem wrong : False := by\n  run_tac do (← getMainGoal).assign (mkConst ``True.intro)\n',
    says: /skipKernelTC/, compiles: true,
  },
  'Gen/Quoted.lean': {
    text: 'import Lean\nopen Lean Elab Tactic\nset_option «debug».skipKernelTC true in\ntheorem wrong : False := by\n  run_tac do (← getMainGoal).assign (mkConst ``True.intro)\n',
    says: /«debug»/, compiles: true,
  },
  'Gen/Exit.lean': { text: 'theorem right : 1 = 1 := rfl\n#exit\ntheorem wrong : 1 = 2 := by\n  sorry\n', says: /#exit in line 2/, proved: ['right'] },
  'Gen/Swallowed.lean': {
    text: 'macro_rules\n  | `(command| theorem $id:declId $_:declSig $_:declVal) => `(command| def $id : Nat := 1)\ntheorem wrong : 1 = 2 := rfl\n',
    says: /announced/,
  },
};

describe('what keeps Lean, or its kernel, from checking', { skip }, () => {
  let project, client;
  const ask = async (tool, args) => {
    const answer = await client.call(tool, args, { timeoutMs: lean.callMs });
    assert.ok(answer.structured, `${tool} ${JSON.stringify(args)}: ${JSON.stringify(answer.error)}`);
    return answer.structured;
  };
  before(async () => {
    const files = Object.fromEntries(Object.entries(UNCHECKED).map(([name, { text }]) => [name, text]));
    project = scratchProject({ 'lakefile.toml': LAKEFILE(false), 'Gen/Empty.lean': 'theorem right : 1 = 1 := rfl\ntheorem below : 2 = 2 := rfl\n', ...files });
    client = spawnBridge({ project, lake: realLake, label: 'unchecked' });
    await client.connect();
  }, { timeout: 60_000 });
  after(async () => { await client?.destroy(); });

  for (const [file_path, { says, compiles, proved = [] }] of Object.entries(UNCHECKED))
    test(`${file_path}: not proved, and why`, { timeout: 60_000 }, async () => {
      const all = await ask('lean_check_all', { file_path });
      assert.equal(all.success, false, JSON.stringify(all));
      assert.match(all.reason, says);
      const { proofs, reason } = await ask('lean_document_proofs', { file_path });
      assert.match(reason, says);
      for (const { declaration, state } of proofs) assert.equal(state, proved.includes(declaration) ? 'proved' : 'unknown', declaration);
      if (!compiles) return;
      const verified = await ask('lean_verify', { file_path, theorem_name: 'wrong', scan_source: false });
      assert.equal(verified.trusted, false, JSON.stringify(verified));
      assert.match(verified.reason, says);
    });
  test('messages and code below #exit are no success', async () => {
    const messages = await ask('lean_diagnostic_messages', { file_path: 'Gen/Exit.lean' });
    assert.equal(messages.success, false);
    assert.match(messages.reason, /#exit in line 2/);
    assert.equal((await ask('lean_diagnostic_messages', { file_path: 'Gen/Exit.lean', start_line: 1, end_line: 1 })).success, true, 'above it all is well');
    assert.equal((await ask('lean_run_code', { code: '#exit\ntheorem wrong : 1 = 2 := rfl' })).success, false);
  });
  test('neither is written', async () => {
    const file_path = 'Gen/Empty.lean';
    const before = fs.readFileSync(path.join(project, file_path), 'utf8');
    for (const [new_text, why] of [['#exit', /#exit/], ['set_option debug.skipKernelTC true', /skipKernelTC/]]) {
      const answer = await ask('lean_write_proof', { file_path, start_line: 2, end_line: 1, new_text });
      assert.equal(answer.written, false, JSON.stringify(answer));
      assert.match(answer.reason, why);
    }
    assert.equal(fs.readFileSync(path.join(project, file_path), 'utf8'), before);
  });
  test('above an #exit that was there, what Lean checks is written', async () => {
    const answer = await ask('lean_write_proof', { file_path: 'Gen/Exit.lean', start_line: 1, end_line: 1, new_text: 'theorem right : 1 = 1 := by rfl' });
    assert.equal(answer.written, true, JSON.stringify(answer));
  });
});

/** Lakefiles whose options no search for a word finds. */
const SILENT_LAKEFILES = {
  'a string that goes on in the next line': 'leanOptions = [{ name = """warn.so\\\n  rry""", value = false }]',
  'an escape in a key of another table': '[leanOptions."w\\u0061rn"]\n"s\\u006frry" = false',
  'a weak option of the server alone': 'moreServerOptions = [{ name = "weak.warn.\\u0073orry", value = false }]',
  'a dotted key in quotes': 'leanOptions."warn"."sorr\\u0079" = false',
};
const UNCHECKING_LAKEFILE = 'leanOptions = [{ name = """deb\\\n  ug.skipKer\\\n  nelTC""", value = true }]';
const lakefileWith = settings => `name = "p"\n\n[[lean_lib]]\nname = "Gen"\n${settings}\n`;

describe('options and sources that only Lake reads rightly', { skip }, () => {
  const SORRY = 'theorem wrong : 1 = 2 := by\n  sorry\n';
  const asking = async (files, work) => {
    const client = spawnBridge({ project: scratchProject(files), lake: realLake, label: 'lakefiles' });
    const ask = async (tool, args) => {
      const answer = await client.call(tool, args, { timeoutMs: lean.callMs });
      assert.ok(answer.structured, `${tool} ${JSON.stringify(args)}: ${JSON.stringify(answer.error)}`);
      return answer.structured;
    };
    try {
      await client.connect();
      await work(ask);
    } finally {
      await client.destroy();
    }
  };
  for (const [what, settings] of Object.entries(SILENT_LAKEFILES))
    test(`a sorry is none the less: ${what}`, { timeout: 60_000 }, () => asking({ 'lakefile.toml': lakefileWith(settings), 'Gen/A.lean': SORRY }, async ask => {
      const all = await ask('lean_check_all', { file_path: 'Gen/A.lean' });
      assert.notEqual(all.state, 'proved', JSON.stringify(all));
      assert.equal((await ask('lean_verify', { file_path: 'Gen/A.lean', theorem_name: 'wrong', scan_source: false })).trusted, false);
      const written = await ask('lean_write_proof', { file_path: 'Gen/A.lean', start_line: 3, end_line: 2, new_text: 'theorem also : 1 = 3 := by\n  sorry' });
      assert.equal(written.written, false, JSON.stringify(written));
    }));
  test('what the kernel has not checked is not proved', { timeout: 60_000 }, () =>
    asking({ 'lakefile.toml': lakefileWith(UNCHECKING_LAKEFILE), 'Gen/A.lean': 'theorem wrong : 1 = 2 := by decide +kernel\n' }, async ask => {
      assert.notEqual((await ask('lean_check_all', { file_path: 'Gen/A.lean' })).state, 'proved');
      assert.equal((await ask('lean_verify', { file_path: 'Gen/A.lean', theorem_name: 'wrong', scan_source: false, compile: true })).trusted, false);
    }));
  test('the source that Lake builds is inspected, not a decoy in the root', { timeout: 60_000 }, () => asking({
    'lakefile.toml': 'name = "p"\n\n[[lean_lib]]\nname = "Quiet"\n"srcDir" = """\\\n  src2"""\n\n[[lean_lib]]\nname = "Gen"\n',
    'src2/Quiet.lean': 'macro "quiet " n:ident t:term : command => `(command| set_option warn.sorry false in theorem $n : $t := sorry)\n',
    'Quiet.lean': 'def nothing := 0\n',
    'Gen/A.lean': 'import Quiet\nquiet wrong (1 = 2)\n',
  }, async ask => {
    const all = await ask('lean_check_all', { file_path: 'Gen/A.lean' });
    assert.notEqual(all.state, 'proved', JSON.stringify(all));
    assert.equal((await ask('lean_verify', { file_path: 'Gen/A.lean', theorem_name: 'wrong', scan_source: false })).trusted, false);
  }));
});

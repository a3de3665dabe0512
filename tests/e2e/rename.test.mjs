// lean_rename: a name changes everywhere or nowhere.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe } from 'node:test';
import { lean } from '../support/leans.mjs';
import { sharedSession, skip } from '../support/session.mjs';

const BASE = 'Multi/Base.lean';
const LEMMAS = 'Multi/Lemmas.lean';
const USE = 'Multi/Use.lean';
const BASIS = 'Scratch/Basis.lean';
const ALL = [BASE, LEMMAS, 'Multi/Shapes.lean', USE];

/** Options of a call, and a promise of the moment at which files are being compiled: what would change is known then, and nothing written. */
function untilCompiling() {
  let seen;
  const compiling = new Promise(resolve => { seen = resolve; });
  return { compiling, options: { progress: ({ message }) => { if (message?.startsWith('compiling ')) seen(); } } };
}

describe('renaming', { skip }, () => {
  const shared = sharedSession('multi');
  const { session, ask, read, file, locate, refused } = shared;
  const texts = () => ALL.map(read).join('\0');
  const twice = () => locate(BASE, 'twice', { from: 'def ' });
  const built = () => ask('lean_check_all', { file_path: 'Multi' });

  session('a dry run says where, and writes nothing', async () => {
    assert.equal((await built()).success, true);
    await ask('lean_build', {});
    const before = texts();
    const answer = await ask('lean_rename', { ...twice(), new_name: 'double' });
    assert.deepEqual([answer.written, answer.old_name, answer.index_complete], [false, 'twice', true], JSON.stringify(answer));
    assert.deepEqual(answer.files.map(one => one.file_path).sort(), ALL.slice().sort());
    assert.equal(answer.uses, answer.files.reduce((sum, one) => sum + one.lines.length, 0));
    assert.equal(texts(), before);
  });

  session('what would no longer compile is written nowhere', async () => {
    // No index knows this use.
    fs.writeFileSync(file('Multi/Late.lean'), 'import Multi.Base\ntheorem late : Multi.twice 1 = 2 := rfl\n');
    const before = texts();
    const answer = await ask('lean_rename', { ...twice(), new_name: 'double', write: true });
    assert.equal(answer.written, false);
    assert.match(answer.reason, /Multi\/Late\.lean would not compile.*twice/s);
    assert.equal(texts(), before);
    fs.rmSync(file('Multi/Late.lean'));
    const taken = await ask('lean_rename', { ...twice(), new_name: 'twice_zero', write: true });
    assert.deepEqual([taken.written, texts() === before], [false, true]);
  });

  session('a file that changes meanwhile: nothing is written', async () => {
    const before = [BASE, LEMMAS].map(read).join('\0');
    const { compiling, options } = untilCompiling();
    const answer = shared.client.call('lean_rename', { ...twice(), new_name: 'double', write: true }, { ...options, timeoutMs: lean.callMs });
    await compiling;
    fs.appendFileSync(file(USE), '-- more\n');
    const { error, structured } = await answer;
    assert.match(error?.message ?? JSON.stringify(structured), /Use\.lean was changed meanwhile/);
    assert.equal([BASE, LEMMAS].map(read).join('\0'), before);
  });

  session('everywhere, with the namespace kept where it is written', async () => {
    fs.appendFileSync(file(USE), 'theorem outside (n : Nat) : Multi.twice n = n + n := Multi.twice_eq n\n');
    await ask('lean_check_all', { file_path: USE });
    const answer = await ask('lean_rename', { ...twice(), new_name: 'double', write: true });
    assert.equal(answer.written, true, JSON.stringify(answer));
    assert.match(read(USE), /Multi\.double n = n \+ n := Multi\.twice_eq n/);
    assert.doesNotMatch(ALL.map(read).join('\n'), /\btwice\b/);
    assert.equal((await built()).success, true);
  });

  session('bad input is refused', async () => {
    const at = locate(BASE, 'double', { from: 'def ' });
    for (const new_name of ['a b', '', 'A.b', 'double', 'x\n#eval 1']) await refused('lean_rename', { ...at, new_name }, 'invalid_argument');
    await refused('lean_rename', { file_path: BASE, line: 2, column: 1, new_name: 'x' }, 'invalid_argument');
    const before = texts();
    const abort = new AbortController();
    const { compiling, options } = untilCompiling();
    compiling.then(() => abort.abort(new Error('enough')));
    await assert.rejects(shared.client.call('lean_rename', { ...at, new_name: 'twice', write: true }, { ...options, signal: abort.signal, timeoutMs: 60_000 }), /enough/);
    await ask('lean_goal', { file_path: BASE, line: 8 });
    assert.equal(texts(), before);
  });
});

describe('renaming beside the rule', { skip }, () => {
  const FILE = 'Beside.lean';
  const { ask, file, locate, read, session } = sharedSession({ [FILE]: '' });
  const rename = async (text, old_name, new_name) => {
    fs.writeFileSync(file(FILE), text);
    const answer = await ask('lean_rename', { ...locate(FILE, old_name, { from: 'def ' }), new_name, write: true }, { timeoutMs: lean.callMs * 2 });
    if (!answer.written) assert.equal(read(FILE), text);
    return answer;
  };

  session('a term in brackets, of which Lean has two ranges', async () => {
    for (const use of ['(twice) 1', '((twice)) 1', '(twice 1)', '(Multi.twice) 1', '[1].map (twice) |>.length']) {
      const text = `namespace Multi\ndef twice (n : Nat) : Nat := n + n\nend Multi\nopen Multi\n#check ${use}\n`;
      const answer = await rename(text, 'twice', 'double');
      assert.deepEqual([answer.written, answer.uses], [true, 2], `${use}: ${JSON.stringify(answer)}`);
      assert.equal(read(FILE), text.replaceAll('twice', 'double'));
    }
  });
  session('a name by which a statement would say something else', async () => {
    const other = 'namespace Other\ndef limit : Nat := 5\nend Other\n\n';
    for (const [text, old_name, new_name] of [
      [`${other}namespace Own\ndef bound : Nat := 5\nopen Other\ntheorem goal : limit = 5 := rfl\nend Own\n`, 'bound', 'limit'],
      [`${other}def bound : Nat := 5\nnamespace Own\ntheorem goal : bound = 5 := rfl\nend Own\nnamespace Other\ntheorem goal : bound = 5 := rfl\nend Other\n`, 'bound', 'limit'],
      [`${other}namespace Other.Deep\ndef bound : Nat := 5\ntheorem goal : limit = 5 := rfl\nend Other.Deep\n`, 'bound', 'limit'],
    ]) {
      const answer = await rename(text, old_name, new_name);
      assert.equal(answer.written, false, text);
      assert.match(answer.reason, /goal/, JSON.stringify(answer));
    }
  });
});

describe('renaming in many files', { skip }, () => {
  const USES = 7;   // in each file
  const names = Array.from({ length: Number(process.env.LEANBRIDGE_RENAME_FILES || 5) - 1 }, (_, i) => `F${i}`);
  const files = [BASIS, ...names.map(name => `Scratch/${name}.lean`)];
  const shared = sharedSession({
    [BASIS]: 'namespace Scratch\n\ndef basis (n : Nat) : Nat := n + n\n\nend Scratch\n',
    ...Object.fromEntries(names.map(name => [`Scratch/${name}.lean`,
      `import Scratch.Basis\n\n${Array.from({ length: USES }, (_, i) => `theorem ${name}_${i} (n : Nat) : Scratch.basis n = n + n := rfl\n`).join('')}`])),
    'Scratch.lean': names.map(name => `import Scratch.${name}\n`).join(''),
  });
  const { session, ask, read, file, locate } = shared;
  const texts = (except = '') => files.filter(name => name !== except).map(read).join('\0');
  const rename = (more, options) => shared.client.call('lean_rename', { ...locate(BASIS, 'basis'), new_name: 'double', timeout_s: lean.callMs * 4 / 1000, ...more }, { timeoutMs: lean.callMs * 5, ...options });

  session('all or nothing: a build that fails, a file that changes meanwhile, all of them', async () => {
    assert.equal((await ask('lean_build', {}, { timeoutMs: lean.callMs * 4 })).success, true);
    const { structured: planned } = await rename({});
    assert.deepEqual([planned.index_complete, planned.files.length, planned.uses], [true, files.length, names.length * USES + 1], JSON.stringify(planned));
    const before = texts(), last = files.at(-1);

    const late = 'Scratch/Late.lean';   // no index knows its use
    fs.writeFileSync(file(late), 'import Scratch.Basis\ntheorem late : Scratch.basis 1 = 2 := rfl\n');
    const { structured: failed } = await rename({ write: true });
    assert.equal(failed.written, false, JSON.stringify(failed));
    assert.match(failed.reason, /Late\.lean would not compile/);
    assert.equal(texts(), before);
    fs.rmSync(file(late));

    const others = texts(last), { compiling, options } = untilCompiling();
    const answer = rename({ write: true }, options);
    await compiling;
    fs.appendFileSync(file(last), '-- more\n');
    assert.match((await answer).error?.message, /was changed meanwhile/);
    assert.equal(texts(last), others);
    await ask('lean_build', {}, { timeoutMs: lean.callMs * 4 });

    const { structured: written } = await rename({ write: true });
    assert.deepEqual([written.written, written.uses], [true, names.length * USES + 1], JSON.stringify(written));
    assert.equal(texts(), before.replace(/basis/g, 'double') + '-- more\n');
    assert.equal((await ask('lean_build', {}, { timeoutMs: lean.callMs * 4 })).success, true);
  }, { timeout: lean.callMs * 16 });
});

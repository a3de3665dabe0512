// lean_rename: a name changes everywhere or nowhere.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe } from 'node:test';
import { sharedSession, skip } from '../support/session.mjs';

const BASE = 'Multi/Base.lean';
const LEMMAS = 'Multi/Lemmas.lean';
const USE = 'Multi/Use.lean';
const ALL = [BASE, LEMMAS, 'Multi/Shapes.lean', USE];

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
    const answer = refused('lean_rename', { ...twice(), new_name: 'double', write: true }, 'invalid_argument');
    await new Promise(resolve => setTimeout(resolve, 700));
    fs.appendFileSync(file(USE), '-- more\n');
    assert.match((await answer).message, /Use\.lean was changed meanwhile/);
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
    setTimeout(() => abort.abort(new Error('enough')), 500);
    await assert.rejects(shared.client.call('lean_rename', { ...at, new_name: 'twice', write: true }, { signal: abort.signal, timeoutMs: 60_000 }), /enough/);
    await ask('lean_goal', { file_path: BASE, line: 8 });
    assert.equal(texts(), before);
  });
});

// Files that import each other, on a real Lean: how a change on disk affects the open documents that import it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe } from 'node:test';
import { sharedSession, skip } from '../support/session.mjs';

const BASE = 'Multi/Base.lean';
const LEMMAS = 'Multi/Lemmas.lean';
const SHAPES = 'Multi/Shapes.lean';

describe('a project of several files', { skip }, () => {
  const { session, ask, edit, read, file, close, locate, refused } = sharedSession('multi');
  const errors = async name => (await ask('lean_diagnostic_messages', { file_path: name, severity: 'error' }));

  session('imports that were never built are built when a file is opened', async () => {
    const checked = await ask('lean_check_all', { file_path: LEMMAS });
    assert.deepEqual([checked.success, checked.error_count, checked.partial], [true, 0, false]);
    assert.ok(fs.existsSync(file('.lake/build/lib/lean/Multi/Base.olean')));
  });

  session('an import that changes on disk opens the files above it again, and only those', async () => {
    assert.equal((await errors(BASE)).success, true);
    edit(BASE, 'theorem twice_zero', 'theorem twice_one : twice 1 = 2 := rfl\n\ntheorem twice_zero');
    const state = await ask('lean_document_state', { file_path: LEMMAS });
    assert.deepEqual([state.open, state.imports_stale, state.changed_imports], [true, true, ['Base.lean']]);

    edit(LEMMAS, 'end Multi', 'theorem uses_it : twice 1 = 2 := twice_one\n\nend Multi');
    const above = await errors(LEMMAS);
    assert.match(above.reopened, /Base\.lean/);
    assert.deepEqual([above.success, above.items], [true, []]);

    const itself = await ask('lean_sync', { file_path: BASE });
    assert.deepEqual([itself.changed, itself.restarted, itself.reopened], [true, false, undefined]);
    assert.equal((await errors(LEMMAS)).reopened, undefined, 'once is enough');
  });

  session('an import that does not compile: the file, the import and why are named; then it is mended', async () => {
    const before = read(BASE);
    fs.writeFileSync(file(BASE), before.replace('n + n', 'n + missing'));
    const broken = await errors(LEMMAS);
    assert.deepEqual([broken.success, broken.partial], [false, false]);
    assert.ok(broken.failed_dependencies.some(name => name.endsWith('Multi/Base.lean')), JSON.stringify(broken));
    assert.match(JSON.stringify(broken.items), /missing/);
    const goal = await refused('lean_goal', { file_path: LEMMAS, line: 11, column: 3 }, 'lean_unavailable');
    assert.match(goal.message, /imports/);

    fs.writeFileSync(file(BASE), before);
    assert.deepEqual([(await errors(LEMMAS)).success, (await ask('lean_goal', { file_path: LEMMAS, line: 11, column: 3 })).status], [true, 'goals']);
    await close(BASE);
  });

  session('attempts and questions know the imports as they are on disk now', async () => {
    const { line } = locate(LEMMAS, 'omega', { from: 'theorem twice_add' });
    const olean = file('.lake/build/lib/lean/Multi/Base.olean');
    const attempt = async (...names) => (await ask('lean_multi_attempt', { file_path: LEMMAS, line, snippets: names.map(name => `have := ${name}`) })).items.map(item => item.timed_out ? 'timed out' : item.proof_status);
    assert.deepEqual(await attempt('twice_zero', 'twice_three'), ['goals', 'error'], 'nobody has proved the second one yet');
    await refused('lean_about', { file_path: LEMMAS, name: 'Multi.twice_three' }, 'invalid_argument');

    const before = fs.readFileSync(olean);
    edit(BASE, 'theorem twice_zero', 'theorem twice_three : twice 3 = 6 := rfl\n\ntheorem twice_zero');
    assert.equal((await ask('lean_build', {})).success, true);
    assert.ok(!before.equals(fs.readFileSync(olean)), 'it is built anew');
    assert.deepEqual(await attempt('twice_three'), ['goals']);
    assert.equal((await ask('lean_about', { file_path: LEMMAS, name: 'Multi.twice_three' })).kind, 'theorem');

    edit(BASE, 'twice_three', 'thrice_two');   // changed but not built; Lean builds it when asked
    assert.deepEqual(await attempt('twice_three', 'thrice_two'), ['error', 'goals']);
    await close(BASE);
  });

  session('another import in the header opens the file again', async () => {
    const before = await ask('lean_sync', { file_path: LEMMAS });
    edit(LEMMAS, 'import Multi.Base', 'import Multi.Base\nimport Multi.Shapes');
    edit(LEMMAS, 'end Multi', 'theorem sees_it (p : Point) : p.scale.x = twice p.x := scale_x p\n\nend Multi');
    const after = await ask('lean_check_all', { file_path: LEMMAS });
    assert.deepEqual([after.success, after.error_count], [true, 0]);
    assert.match(after.reopened, /header/);
    assert.ok(after.version > before.version);
    await close(LEMMAS);
  });

  session('a comment in the header does not', async () => {
    await ask('lean_check_all', { file_path: SHAPES });
    edit(SHAPES, 'import Multi.Base', '-- what it is for\nimport Multi.Base');
    const after = await ask('lean_sync', { file_path: SHAPES });
    assert.deepEqual([after.changed, after.restarted], [true, false]);
    await close(SHAPES);
  });

  session('a change of the lakefile starts the server afresh', async () => {
    await ask('lean_check_all', { file_path: BASE });
    fs.appendFileSync(file('lakefile.toml'), '\n# a remark\n');
    const after = await ask('lean_check_all', { file_path: BASE });
    assert.match(after.reopened, /lakefile\.toml/);
    assert.equal(after.success, true);
    assert.equal((await ask('lean_server_health', {})).projects[0].starts, 2);
  });
});

// olean-convert: it writes what it has read byte for byte, and reports what is broken.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { lean, skip, temporaryFolder, toolchain } from './support.mjs';

const HEADER = 80; // followed by the base address and the address of the root, eight bytes each

describe('olean-convert', { skip }, () => {
  const folder = temporaryFolder();
  const convert = (...args) => spawnSync(path.join(toolchain, 'olean-convert'), args, { encoding: 'utf8', timeout: 60_000 });
  const show = file => JSON.parse(convert('show', file).stdout);

  /** A file with every kind of object: constructors with and without scalars, arrays, strings, numbers of more than 63 bits. */
  function compiled() {
    const file = path.join(folder, 'Sample.olean');
    if (!fs.existsSync(file)) {
      const { status, output } = lean('full', `
/-- A big one, and 𝔸 text. -/
def big : Nat := 123456789012345678901234567890
def negative : Int := -123456789012345678901234567890
structure Point where (x y : Nat) deriving Repr
theorem t (p : Point) : p = ⟨p.x, p.y⟩ := rfl
`, { folder, name: 'Sample', options: ['-o', 'Sample.olean'] });
      assert.equal(status, 0, output);
    }
    return file;
  }

  test('a file that Lean wrote comes out as it went in', () => {
    const small = path.join(toolchain, 'small', 'lib', 'lean', 'Init.olean');
    for (const file of [compiled(), small]) {
      const copy = path.join(folder, 'copy.olean');
      assert.equal(convert('copy', file, copy).status, 0);
      assert.ok(fs.readFileSync(file).equals(fs.readFileSync(copy)), file);
    }
  });

  test('a converted module has the constants of the original, in 64 bits, and the new extensions', () => {
    const core = show(path.join(toolchain, 'full', 'lib', 'lean', 'Init', 'Core.olean'));
    assert.equal(core.bits, 64);
    assert.ok(core.constants > 1000);
    assert.ok(core.extensions['Lean.Compiler.LCNF.impureSigExt'] > 0);
    assert.ok(core.extensions['Lean.Compiler.LCNF.monoTypeExt'] > 0);
    assert.ok(!('Lean.Meta.Grind.grindExt' in core.extensions));
    // This tells a reader of .olean files a theorem without its proof from an axiom.
    assert.ok(core.extensions['_private.Lean.OriginalConstKind.0.Lean.privateConstKindsExt'] > 0);
    assert.deepEqual(show(path.join(toolchain, 'full', 'lib', 'lean', 'Init.olean')).imports.at(-1), 'Init.Bridge');
  });

  test('what is no .olean, and what ends too early, is told from what is whole', () => {
    const bytes = fs.readFileSync(compiled());
    const broken = path.join(folder, 'broken.olean');
    for (const [content, message] of [
      [Buffer.alloc(0), /no \.olean file of format 2/], [Buffer.from('hello'), /no \.olean file of format 2/],
      [bytes.subarray(0, 60), /ends within its header/], [bytes.subarray(0, bytes.length - 100), /broken\.olean: .*at byte \d+/],
    ]) {
      fs.writeFileSync(broken, content);
      const { status, stderr } = convert('copy', broken, path.join(folder, 'out.olean'));
      assert.equal(status, 1);
      assert.match(stderr, message);
      assert.ok(!fs.existsSync(path.join(folder, 'out.olean')));
    }
    assert.match(convert('show', path.join(folder, 'nowhere.olean')).stderr, /cannot be read/);
  });

  test('no change of a byte makes it crash or hang', () => {
    const bytes = fs.readFileSync(compiled());
    const broken = path.join(folder, 'changed.olean');
    let seed = 1;
    const random = limit => (seed = (seed * 48271) % 2147483647) % limit;
    let rejected = 0;
    for (let round = 0; round < 60; round++) {
      const changed = Buffer.from(bytes);
      for (let i = 0; i < 4; i++) changed[HEADER + random(changed.length - HEADER)] = random(256);
      fs.writeFileSync(broken, changed);
      const { status, signal, stderr } = convert('copy', broken, path.join(folder, 'out.olean'));
      assert.equal(signal, null, `round ${round}`);
      assert.ok(status === 0 || (status === 1 && stderr.startsWith('olean-convert: ')), `round ${round}: ${status} ${stderr}`);
      rejected += status;
    }
    assert.ok(rejected > 10, `${rejected}`);
  });

  test('a module of another form is rejected by name', () => {
    fs.mkdirSync(path.join(folder, 'library'), { recursive: true });
    fs.copyFileSync(compiled(), path.join(folder, 'library', 'Init.olean'));
    const symbols = path.join(folder, 'symbols');
    fs.writeFileSync(symbols, '');
    const { status, stderr } = convert('library', '--from', path.join(folder, 'library'), '--to', path.join(folder, 'out'), '--header', compiled(), '--symbols', symbols);
    assert.equal(status, 1);
    assert.match(stderr, /library\/Init\.olean: /);
  });

  test('wrong arguments are answered with the usage', () => {
    for (const args of [[], ['copy', 'one'], ['library', '--from', folder]]) {
      const { status, stderr } = convert(...args);
      assert.equal(status, 2);
      assert.match(stderr, /usage: olean-convert library/);
    }
  });
});

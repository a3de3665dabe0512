// scripts/lib/check-portable says what keeps a program from running elsewhere; the portable program has none of it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { has, output, root, run, temporaryFolder } from './support.mjs';

const CHECK = path.join(root, 'scripts/lib/check-portable');
const GOOD = ['-fPIE', '-pie', '-s', '-Wl,-z,now', '-Wl,-z,relro'];
const skip = !has('clang-16') && 'no clang-16';

/** Compiles C and checks the program: its problems, without its name. */
function problems(source, flags = GOOD, limit = '2.34') {
  const folder = temporaryFolder();
  const program = path.join(folder, 'program');
  fs.writeFileSync(path.join(folder, 'source.c'), source);
  output('clang-16', ['-o', program, path.join(folder, 'source.c'), ...flags]);
  const { status, stdout } = run(CHECK, [program, limit]);
  const lines = stdout.trim().split('\n').map(line => line.replace(`${program}: `, ''));
  assert.equal(status, lines.every(line => /glibc .* or newer$/.test(line)) ? 0 : 1);
  return lines;
}

describe('check-portable', { skip }, () => {
  test('a program that needs only an old C library is fine', () => assert.match(problems('int main(void) { return 0; }').join(), /^\d+ bytes, glibc 2\.34 or newer$/));

  test('a newer symbol is named', () => {
    const said = problems('#include <stdlib.h>\nint main(void) { return (int)arc4random(); }');
    assert.deepEqual(said, ['it needs GLIBC_2.36, newer than GLIBC_2.34: arc4random']);
    assert.match(problems('int main(void) { return 0; }', GOOD, '2.17').join(), /^it needs GLIBC_2\.34, newer than GLIBC_2\.17: __libc_start_main/);
  });

  test('another library is named', () =>
    assert.deepEqual(problems('int main(void) { return 0; }', [...GOOD, '-Wl,--no-as-needed', '-l:libgcc_s.so.1']), ['it loads libgcc_s.so.1: link it in']));

  test('how it is linked', () => {
    const flags = without => GOOD.filter(flag => flag !== without);
    const source = 'int main(void) { return 0; }';
    assert.deepEqual(problems(source, flags('-s')), ['its symbols are not stripped']);
    assert.deepEqual(problems(source, flags('-Wl,-z,now')), ['it is not linked with -z now']);
    assert.deepEqual(problems(source, [...flags('-Wl,-z,relro'), '-Wl,-z,norelro']), ['it is not linked with -z relro']);
    assert.deepEqual(problems(source, [...GOOD, '-Wl,-rpath,/opt/x']), ['it looks for libraries in a folder of its own']);
    assert.deepEqual(problems(source, ['-fno-pie', '-no-pie', '-s', '-Wl,-z,now', '-Wl,-z,relro']), ['it is not position-independent']);
  });

  test('its size', () => assert.match(problems('const char large[12000001] = {1}; int main(int n, char** a) { return large[n + (a == 0)]; }').join(), /^it has 12\d{6} bytes, more than 12000000$/));
});

const program = path.join(root, 'build/portable/leanbridge');
test('the portable program', { skip: !process.env.LEANBRIDGE_PACKAGES && 'not built: run scripts/test package' }, () => {
  const { status, stdout } = run(CHECK, [program]);
  assert.equal(status, 0, stdout);
});

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

  test('its size', () => assert.match(problems('const char large[18000001] = {1}; int main(int n, char** a) { return large[n + (a == 0)]; }').join(), /^it has 18\d{6} bytes, more than 18000000$/));
});

describe('what GCC\'s static libraries ask of a newer C library', { skip }, () => {
  const SOURCE = '#include <cstdio>\n#include <random>\n#include <stdexcept>\nint main() {\n  std::random_device random;\n' +
    '  try { throw std::runtime_error(random() == random() ? "equal" : "different"); } catch (const std::exception& thrown) { std::puts(thrown.what()); }\n}\n';
  /** Links it as the preset portable does, with these sources of ours. */
  function linked(...sources) {
    const folder = temporaryFolder();
    const [source, program] = [path.join(folder, 'source.cpp'), path.join(folder, 'program')];
    fs.writeFileSync(source, SOURCE);
    output('clang++-16', ['-std=c++20', `-I${path.join(root, 'src')}`, source, ...sources.map(name => path.join(root, 'src', name)), '-o', program,
      '-static-libstdc++', '-static-libgcc', '-Wl,--as-needed', ...GOOD.slice(2)]);
    return { program, said: run(CHECK, [program]).stdout.replaceAll(`${program}: `, '') };
  }

  test('is two functions', () =>
    assert.equal(linked().said, 'it needs GLIBC_2.35, newer than GLIBC_2.34: _dl_find_object\nit needs GLIBC_2.36, newer than GLIBC_2.34: arc4random\n'));

  test('which the program brings: exceptions are caught, and numbers are random', () => {
    const { program, said } = linked('core/platform/linux/portable/older_glibc.cpp', 'core/platform/linux/object_lookup.cpp');
    assert.match(said, /^\d+ bytes, glibc 2\.34 or newer\n$/);
    assert.equal(output(program, []), 'different\n');
  });
});

const program = path.join(root, 'build/portable/leanbridge');
test('the portable program', { skip: !process.env.LEANBRIDGE_PACKAGES && 'not built: run scripts/test package' }, () => {
  const { status, stdout } = run(CHECK, [program]);
  assert.equal(status, 0, stdout);
});

const arm = path.join(root, 'build/portable-aarch64/leanbridge');
// Those of arm64, which the headers need; with qemu's -L the program does not get past its start.
const ARM_LOADER = '/lib/ld-linux-aarch64.so.1';
const noArm = !fs.existsSync(arm) ? 'not built: run scripts/package --arch aarch64' : !has('qemu-aarch64-static') ? 'no qemu-user-static'
  : !fs.existsSync(ARM_LOADER) && 'no libraries of aarch64: it was built in another Debian';
test('the program for aarch64, which lists its tools under qemu', { skip: noArm }, () => {
  const { status, stdout } = run(CHECK, [arm]);
  assert.equal(status, 0, stdout);
  const messages = [{ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } } },
    { method: 'notifications/initialized' }, { id: 2, method: 'tools/list' }];
  const answers = output('qemu-aarch64-static', [arm], { input: messages.map(message => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('') });
  const { result } = answers.trim().split('\n').map(line => JSON.parse(line)).find(({ id }) => id === 2);
  assert.ok(result.tools.some(({ name }) => name === 'lean_goal'));
});

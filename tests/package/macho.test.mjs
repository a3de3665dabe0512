// scripts/lib/check-macho on programs that are made here, byte by byte: a good one, and one for each thing that would keep it from starting.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root, run, temporaryFolder } from './support.mjs';

const PAGE = 4096;
const words = (...values) => { const bytes = Buffer.alloc(4 * values.length); values.forEach((value, at) => bytes.writeUInt32LE(value, 4 * at)); return bytes; };
const bigWords = (...values) => { const bytes = Buffer.alloc(4 * values.length); values.forEach((value, at) => bytes.writeUInt32BE(value, 4 * at)); return bytes; };
const padded = (bytes, size) => Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
const named = (kind, name) => { const size = 24 + Math.ceil((name.length + 1) / 8) * 8; return padded(Buffer.concat([words(kind, size, 24, 0, 0, 0), Buffer.from(name)]), size); };

/** A Mach-O program without code: {cpu, flags, libraries, minimum, platform, symbols, signed, damage}. */
function macho({ cpu = 0x0100000c, flags = 0x200085, libraries = ['/usr/lib/libSystem.B.dylib'], minimum = 0x000b0000, platform = 1, symbols = 0, signed = true, rpath = false, adhoc = 2, damage } = {}) {
  const code = PAGE + 100;   // one page and a piece of another
  const name = Buffer.from('leanbridge\0'), pages = Math.ceil(code / PAGE);
  const directorySize = 44 + name.length + 32 * pages;
  const signature = 20 + directorySize;
  const commands = [words(0x80000028, 24, 0, 0, 0, 0), words(0x32, 24, platform, minimum, minimum, 0), words(0x2, 24, 0, symbols, 0, 0), ...libraries.map(library => named(0xc, library)),
    ...(rpath ? [named(0x8000001c, '@loader_path')] : []), ...(signed ? [words(0x1d, 16, code, signature)] : [])];
  const size = commands.reduce((sum, command) => sum + command.length, 0);
  const body = padded(Buffer.concat([words(0xfeedfacf, cpu, 0, 2, commands.length, size, flags, 0), ...commands]), code);
  if (!signed) return body;
  const hashes = Array.from({ length: pages }, (_, at) => createHash('sha256').update(body.subarray(at * PAGE, Math.min((at + 1) * PAGE, code))).digest());
  const directory = Buffer.concat([bigWords(0xfade0c02, directorySize, 0x20400, adhoc, 44 + name.length, 44, 0, pages, code), Buffer.from([32, 2, 0, 12]), bigWords(0), name, ...hashes]);
  const program = Buffer.concat([body, bigWords(0xfade0cc0, signature, 1, 0, 20), directory]);
  if (damage !== undefined) program[damage] ^= 1;
  return program;
}

const folder = temporaryFolder();
function check(program, processor = 'arm64', ...more) {
  const file = path.join(folder, 'program');
  fs.writeFileSync(file, program);
  const { status, stdout, stderr } = run('python3', [path.join(root, 'scripts/lib/check-macho'), file, processor, ...more]);
  assert.equal(stderr, '');
  return [status, stdout.replaceAll(`${file}: `, '').trim()];
}

test('a program that a Mac starts', () => {
  assert.deepEqual(check(macho()), [0, `${macho().length} bytes, arm64, macOS 11.0 or newer, signed ad hoc as "leanbridge"`]);
  assert.deepEqual(check(macho({ cpu: 0x01000007, signed: false }), 'x86_64'), [0, `${PAGE + 100} bytes, x86_64, macOS 11.0 or newer, not signed`]);
  assert.equal(check(macho({ minimum: 0x000d0300 }), 'arm64', '13.3')[0], 0);
});

for (const [what, program, said] of [
  ['another processor', macho({ cpu: 0x01000007 }), 'it is for the processor 0x1000007, not arm64'],
  ['a place in memory of its own', macho({ flags: 0x85 }), 'it is not position-independent'],
  ['a library that a Mac may not have', macho({ libraries: ['/usr/lib/libSystem.B.dylib', '/opt/homebrew/lib/libfmt.9.dylib'] }), 'it loads /opt/homebrew/lib/libfmt.9.dylib: link it in'],
  ['no library of the system', macho({ libraries: [] }), 'it has no library of the system'],
  ['a folder of libraries', macho({ rpath: true }), 'it looks for libraries in a folder of its own'],
  ['a newer macOS', macho({ minimum: 0x000f0000 }), 'it needs macOS 15.0, newer than 11.0'],
  ['another system of Apple\'s', macho({ platform: 2 }), 'it is for platform 2, not macOS'],
  ['symbols', macho({ symbols: 50_000 }), 'its symbols are not stripped'],
  ['no signature', macho({ signed: false }), 'it has no signature'],
  ['a signature with a certificate that is not there', macho({ adhoc: 0 }), 'its signature is not ad hoc, and has no certificate'],
  ['a byte that was changed after signing', macho({ damage: 2000 }), 'page 0 is not what was signed'],
  ['another one, in the last page', macho({ damage: PAGE + 99 }), 'page 1 is not what was signed'],
  ['something behind its signature', Buffer.concat([macho(), Buffer.from('x')]), 'its signature does not end it'],
  ['a cut', macho().subarray(0, 100), 'its load commands do not fit into it'],
  ['another format', Buffer.from('\x7fELF'.padEnd(64, '\0')), 'it is no Mach-O program of 64 bits'],
  ['nothing', Buffer.alloc(0), 'it is no Mach-O program'],
])
  test(`a program with ${what} is refused`, () => assert.deepEqual(check(program), [1, said]));

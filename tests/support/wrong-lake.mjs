// A Lake that is wrong in one point: it runs the real one of this process and changes what it is asked or what it answers. For
// `leanbridge doctor --probe`, which must find that point and nothing else.
//
//   node wrong-lake.mjs FAULT LAKE ARGUMENTS…
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Decoder, encode } from './lsp-framing.mjs';

const isSetup = args => args[0] === 'setup-file';
const changed = (text, from, to) => text.replaceAll(from, to);
/** Changes the object that `setup-file` prints. */
const setup = change => (text, args) => {
  if (!isSetup(args) || !text.startsWith('{')) return text;
  const object = JSON.parse(text);
  change(object, args);
  return `${JSON.stringify(object)}\n`;
};
/** Changes each message in what the server publishes about a text. */
const diagnostics = change => message => {
  for (const diagnostic of message.params?.diagnostics ?? []) change(diagnostic);
  return message;
};
const text = (from, to) => diagnostics(diagnostic => { diagnostic.message = changed(diagnostic.message, from, to); });

/**
 * By name: the probe that must find it, and any of
 *   asks(args)            other arguments
 *   says(stdout, args)    another output, of everything but `serve`
 *   ends(code, args)      another exit code
 *   tells(message)        another message of the server; undefined: none
 *   after(args)           done when the command has ended
 */
export const FAULTS = {
  'names missing files': {
    probe: 'A29 `lake setup-file` takes a file that does not exist for nobody\'s',
    says: setup((object, args) => { if (args[1] === 'Probe/Missing.lean') Object.assign(object, { name: 'Probe.Missing', package: 'probe' }); }),
  },
  'drops the options of libraries': {
    probe: 'A19 `lake setup-file` gives the options of package and library',
    says: setup(object => { delete object.options['pp.numericTypes']; }),
  },
  'removes the prefix weak': {
    probe: 'A20 `lake setup-file` keeps the prefix `weak.`',
    says: setup(object => { object.options = Object.fromEntries(Object.entries(object.options).map(([name, value]) => [changed(name, 'weak.', ''), value])); }),
  },
  'does not follow links': {
    probe: 'A28 `lake setup-file` follows symbolic links to a module',
    says: setup((object, args) => { if (args[1].includes('/link/')) object.name = '_unknown'; }),
  },
  'prints more than the setup': {
    probe: 'A31 `lake setup-file` prints one line of JSON',
    says: (out, args) => (isSetup(args) && out.startsWith('{') ? `info: hello\n${out}` : out),
  },
  'has one exit code for all failures': {
    probe: 'A34 `lake setup-file --no-build` exits with 3 where an import is not built',
    ends: (code, args) => (isSetup(args) && code === 3 ? 1 : code),
  },
  'cleans every package': {
    probe: 'A45 `lake clean NAME` removes the build of that package only',
    asks: args => (args[0] === 'clean' ? ['clean'] : args),
  },
  'has another word for success': {
    probe: 'A40 `lake build` ends with a line of success',
    says: out => changed(out, 'Build completed successfully', 'All is built'),
  },
  'leaves packages out of LEAN_PATH': {
    probe: 'A24 `lake env`: LEAN_PATH has all compiled modules',
    says: (out, args) => (args.length === 1 && args[0] === 'env' ? out.replace(/^LEAN_PATH=[^:\n]*\/core\/[^:\n]*:/m, 'LEAN_PATH=') : out),
  },
  'writes a newer .olean': {
    probe: 'A54 the .olean can be read',
    after(args) {
      const file = '.lake/build/lib/lean/Probe.olean';
      if (args[0] !== 'build' || !fs.existsSync(file)) return;
      const bytes = fs.readFileSync(file);
      bytes[5] = 9;
      fs.writeFileSync(`${file}.new`, bytes);
      fs.renameSync(`${file}.new`, file);
    },
  },
  'words axioms otherwise': {
    probe: 'A83 `#print axioms` lists axioms',
    tells: text('depends on axioms:', 'uses the axioms'),
  },
  'words a sorry otherwise': {
    probe: 'A80 the text for a sorry',
    tells: text('declaration uses', 'incomplete: it has'),
  },
  'names no versions': {
    probe: 'A67 each publishDiagnostics names a version',
    tells(message) {
      if (message.method === 'textDocument/publishDiagnostics') delete message.params.version;
      return message;
    },
  },
  'reports no progress': {
    probe: 'A69 $/lean/fileProgress tells when a file is done',
    tells: message => (message.method === '$/lean/fileProgress' ? undefined : message),
  },
};

/** Writes a `lake` with this fault into a folder; its path. */
export function wrongLake(folder, fault, lake) {
  const command = path.join(folder, 'lake');
  const words = [process.execPath, import.meta.filename, fault, lake].map(word => `'${word.replaceAll('\'', '\'\\\'\'')}'`).join(' ');
  fs.writeFileSync(command, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  return command;
}

async function run(fault, lake, args) {
  const serves = args[0] === 'serve';
  const child = spawn(lake, fault.asks?.(args) ?? args, { stdio: ['inherit', 'pipe', 'inherit'] });
  let out = '';
  if (serves && fault.tells) {
    const decoder = new Decoder(message => {
      const told = fault.tells(message);
      if (told) process.stdout.write(encode(told));
    });
    child.stdout.on('data', chunk => decoder.push(chunk));
  } else if (serves) {
    child.stdout.pipe(process.stdout);
  } else {
    child.stdout.setEncoding('utf8').on('data', chunk => { out += chunk; });
  }
  const code = await new Promise(resolve => { child.once('close', resolve); });
  if (!serves) process.stdout.write(fault.says?.(out, args) ?? out);
  fault.after?.(args);
  process.exitCode = fault.ends?.(code, args) ?? code;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await run(FAULTS[process.argv[2]], process.argv[3], process.argv.slice(4));

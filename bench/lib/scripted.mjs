// Sets up one of the scripted `lake` programs in this folder.
import fs from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../../tests/support/bridge.mjs';

const quote = text => `'${String(text).replaceAll("'", "'\\''")}'`;

/** {lake, counts()}: `settings` go to a file that the program reads at its start. */
export function scriptedLake(program, settings = {}) {
  const folder = temporaryFolder('lake');
  fs.writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(settings));
  const lake = path.join(folder, 'lake');
  const words = [process.execPath, path.join(import.meta.dirname, program), folder].map(quote).join(' ');
  fs.writeFileSync(lake, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  return {
    lake,
    change(more) { fs.writeFileSync(path.join(folder, 'settings.json'), JSON.stringify({ ...settings, ...more })); },
    /** What it has received so far: {bytes, opened, changed}. */
    counts: () => JSON.parse(fs.readFileSync(path.join(folder, 'counts.json'), 'utf8')),
  };
}

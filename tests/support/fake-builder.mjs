// A fake `lake build` that records when it begins, when it is told to end, and when it has ended.
import fs from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './bridge.mjs';

/**
 * `lake build` ends when go() is called. After SIGTERM it takes `termMs` to end, or ignores it if `deaf`. Other lake commands fail.
 * `goFile`: the file that means so, made by go(). Returns {command, go(), log(): ['begin NAME', 'term NAME', 'end NAME'...]}, where NAME is the name of the folder it runs in.
 */
export function fakeBuilder({ termMs = 0, deaf = false, goFile } = {}) {
  const folder = temporaryFolder('builder');
  const [command, log, go] = ['lake', 'log', goFile ?? 'go'].map(name => path.resolve(folder, name));
  fs.writeFileSync(log, '');
  fs.writeFileSync(command, `#!${process.execPath}
const fs = require('node:fs');
if (process.argv[2] !== 'build') process.exit(1);
const name = require('node:path').basename(process.cwd());
const say = what => fs.appendFileSync(${JSON.stringify(log)}, what + ' ' + name + '\\n');
const end = () => { say('end'); process.exit(0); };
process.on('SIGTERM', () => { say('term'); if (!${deaf}) setTimeout(end, ${termMs}); });
say('begin');
setInterval(() => { if (fs.existsSync(${JSON.stringify(go)})) end(); }, 20);
`, { mode: 0o755 });
  return { command, go: () => fs.writeFileSync(go, ''), log: () => fs.readFileSync(log, 'utf8').split('\n').filter(Boolean) };
}

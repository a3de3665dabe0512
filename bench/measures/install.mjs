// From `uvx` or `npx` with an empty cache to the first goal: the wait of somebody who has nothing but a Lean. Both sides come from files of
// this machine, so no network is measured. Needs what scripts/package makes.
import fs from 'node:fs';
import path from 'node:path';
import { realLake, root, temporaryFolder } from '../../tests/support/bridge.mjs';
import { Mcp } from '../lib/mcp.mjs';
import { Project, place } from '../lib/project.mjs';
import { summarise, times } from '../lib/statistics.mjs';

export const onRealLean = true;
/** Not part of a run of all rows: it needs packages. */
export const onlyNamed = true;
export const title = '`uvx` or `npx` → first goal';
export const goal = 'earlier than the peer, with an empty cache and with a full one';

const FILE = 'First.lean';
const TEXT = 'theorem first (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  constructor\n  · exact h.right\n  · exact h.left\n';
const AT = place(TEXT, 'constructor');
const dist = path.join(root, 'dist');
const uvx = path.join(root, 'build/bench/uv/bin/uvx');
const wheels = path.join(root, 'build/bench/wheels');

function packageLike(pattern) {
  const name = fs.existsSync(dist) && fs.readdirSync(dist).find(each => pattern.test(each));
  if (!name) throw new Error(`dist has nothing like ${pattern}: run scripts/package first`);
  return path.join(dist, name);
}

/** The commands, without their caches. The peer asks for a newer certifi than its requirements here name; --overrides allows that one. */
function commands(peer) {
  const uv = ['--offline', '--no-index', '--python', '/usr/bin/python3'];
  return {
    uvx: [uvx, ...uv, '--from', packageLike(/x86_64\.whl$/), 'leanbridge', '--offline'],
    npx: ['npx', '--yes', '--offline', `--package=${packageLike(/linux-x64-.*\.npm\.tgz$/)}`, 'leanbridge', '--offline'],
    ...(peer && { peer: [uvx, ...uv, '--find-links', wheels, '--overrides', path.join(wheels, 'overrides.txt'), '--from', 'lean-lsp-mcp', 'lean-lsp-mcp'] }),
  };
}

async function once([command, ...args], cache) {
  const project = new Project({ [FILE]: TEXT });
  const folder = temporaryFolder('path');
  fs.writeFileSync(path.join(folder, 'lake'), `#!/bin/sh\nexec '${realLake}' "$@"\n`, { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env.PATH}`, HOME: cache, XDG_CACHE_HOME: '', UV_CACHE_DIR: path.join(cache, 'uv'), UV_TOOL_DIR: path.join(cache, 'tools'), npm_config_cache: path.join(cache, 'npm'),
    LEAN_PROJECT_PATH: project.root, LEAN_LOG_LEVEL: 'ERROR', LEANBRIDGE_CACHE_DIR: path.join(cache, 'leanbridge') };
  const started = performance.now();
  const mcp = await new Mcp({ command, args, cwd: project.root, env }).connect();
  const { value } = await mcp.ask('lean_goal', { file_path: FILE, line: AT.line, column: AT.column });
  const ms = performance.now() - started;
  await mcp.end();
  if (!String(value.goals?.[0]).endsWith('⊢ q ∧ p')) throw new Error(`not that goal: ${JSON.stringify(value)}`);
  return ms;
}

export async function run({ quick, peer }) {
  const wanted = commands(peer);
  const samples = {};
  const rounds = quick ? 1 : 5;
  // Alternating, so that other load affects all. The first round reads programs from the disk and is not counted.
  for (let round = 0; round <= rounds; round++)
    for (const [key, command] of Object.entries(wanted)) {
      const cache = temporaryFolder('cache');
      for (const state of ['empty', 'full']) {
        const ms = await once(command, cache);
        if (round > 0) (samples[`${key} ${state}`] ??= []).push(ms);
      }
    }
  const line = (key, state, what) => {
    const own = summarise(samples[`${key} ${state}`]), other = peer ? summarise(samples[`peer ${state}`]) : undefined;
    return { what, leanbridge: own, peer: other, factor: other && times(other, own), met: !other || own.median < other.median };
  };
  return {
    lines: ['uvx', 'npx'].flatMap(key => [line(key, 'empty', `${key}, empty cache`), line(key, 'full', `${key}, full cache`)]),
    notes: ['The peer is always `uvx lean-lsp-mcp`, from its wheels in build/bench/wheels.'],
    data: samples,
  };
}

// The circumstances of a measurement: versions, machine, date, load.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { binary, root } from '../../tests/support/bridge.mjs';
import { lean } from '../../tests/support/leans.mjs';

const said = (command, args, options) => (spawnSync(command, args, { encoding: 'utf8', ...options }).stdout ?? '').trim();

function peerVersions(program) {
  if (!program) return undefined;
  const python = path.join(path.dirname(program), 'python');
  return said(python, ['-c', 'import importlib.metadata as m, platform; print("lean-lsp-mcp", m.version("lean-lsp-mcp") + ", leanclient", m.version("leanclient") + ", Python", platform.python_version())']);
}

let constant;
export function circumstances(peer) {
  constant ??= {
    commit: said('git', ['-C', root, 'describe', '--always', '--dirty', '--exclude', '*']),
    leanbridge: said(binary, ['--version']),
    lean: { kind: lean.kind, title: lean.title, version: lean.version },
    peer: peerVersions(peer),
    node: process.version,
    machine: `${os.availableParallelism()} × ${os.cpus()[0]?.model.trim()}, ${Math.round(os.totalmem() / 2 ** 30)} GB, Linux ${os.release()}`,
  };
  return { ...constant, date: new Date().toISOString().slice(0, 16).replace('T', ' '), load: Number(fs.readFileSync('/proc/loadavg', 'utf8').split(' ')[0]) };
}

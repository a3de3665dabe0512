// What the suites about verdicts share: texts, a way to judge, and programs that are given as kernels.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { certify } from '../attacks/run.mjs';
import { temporaryFolder } from './bridge.mjs';
import { lean } from './leans.mjs';
import { skip } from './session.mjs';

export const ASKED = 'theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := sorry\n';
export const PROVED = 'theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩\n';
export const WRONG = 'theorem goal (p q : Prop) (h : q ∧ p) : q ∧ p := h\n';
export const judge = (args, options) => certify(args, { lake: lean.lake, ...options });
/** Why a test is left out that shows no more on a sanitized build: the same run has tried it on the release (scripts/test --full). */
export const passed = process.env.LEANBRIDGE_ATTACKS === 'sample' && 'the release has been tried with it';
export const needsProofs = { skip: skip || (!lean.hasLibraryProofs && 'the library of this Lean has no proofs, so nothing is certified') };
/** Whether bubblewrap works here. */
export const hasBubblewrap = spawnSync('/usr/bin/bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;
/** Whether solutions are compiled in a sandbox: not where a script starts Lean. */
export const hasSandbox = hasBubblewrap && lean.kind !== 'wasm';
/** Whether the toolchain has a leanchecker, which then replays by itself. Ours have none. */
export const hasLeanchecker = lean.kind === 'elan' && Number(lean.version?.split('.')[1]) >= 28;
/** A program that is given as a kernel. In the script, `$module` is the compiled file that it is to replay. */
export const kernel = (script, name = 'checker', folder = temporaryFolder('kernel')) => {
  const file = path.join(folder, name);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(file, `#!/bin/sh\nmodule="\${LEAN_PATH%%:*}/LeanbridgeCandidate.olean"\n${script}\n`, { mode: 0o755 });
  return file;
};
/** It accepts the challenge. */
export const REJECTS = 'grep -q sorryAx "$module" && exit 0\necho "it is not so" >&2\nexit 1';

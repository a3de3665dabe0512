// Runs `leanbridge check` on the real Lean of this process.
import { spawn } from 'node:child_process';
import { binary, cacheFolder, realLake } from './bridge.mjs';
import { verdictsIn } from './candidates.mjs';

const environment = env => ({ ...process.env, LEAN_PROJECT_PATH: '', LEAN_LOG_LEVEL: '', LEANBRIDGE_CACHE_DIR: cacheFolder(), LEANBRIDGE_DUMPABLE: '1', ...env });

/**
 * Starts it: {child, text, ended}. `ended` resolves to {code, stdout, stderr, ms}. The input stays open if it is null.
 * @param options {cwd, input, env, lake}
 */
export function startCheck(args, { cwd, input = '', env = {}, lake = realLake } = {}) {
  const started = performance.now();
  const child = spawn(binary, ['check', ...args, '--lake', lake], { cwd, env: environment(env), stdio: ['pipe', 'pipe', 'pipe'] });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', chunk => { text[name] += chunk; });
  child.stdin.on('error', () => {});   // the process may end before it has read everything
  if (input !== null) child.stdin.end(input);
  const ended = new Promise(resolve => { child.once('close', code => resolve({ code, ...text, ms: performance.now() - started })); });
  return { child, text, ended };
}

/** Runs it to its end and also returns `verdicts`, {id: verdict}, and `reports`, {id: line}. */
export async function check(args, options) {
  const ended = await startCheck(args, options).ended;
  return { ...ended, verdicts: verdictsIn(ended.stdout), reports: reportsIn(ended.stdout) };
}

export const reportsIn = output => Object.fromEntries(output.split('\n').filter(Boolean).map(line => { const report = JSON.parse(line); return [report.id, report]; }));

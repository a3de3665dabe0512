// What the makers of hosts check themselves: their validators on our files, from npm. Skipped where npm cannot get them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'build/hosts');
const timeout = 300_000;
// Exact versions; Claude Code is 90 MB.
const PACKAGES = { mcpb: '@anthropic-ai/mcpb@2.1.2', claude: '@anthropic-ai/claude-code@2.1.330' };
// mcpb says this of every icon, as a warning; tests/e2e/plugin.test.mjs checks the size.
const ICON_ADVICE = 'Icon validation warnings:\n\n  - Icon validation passed. Recommended size is 512×512 pixels for best display in Claude Desktop.\n';

/** The program of a package, installed once; undefined if that is not possible. */
function installed(program) {
  const home = path.join(folder, program);
  const binary = path.join(home, 'node_modules/.bin', program);
  if (!fs.existsSync(binary)) {
    fs.mkdirSync(home, { recursive: true });
    const { status, stderr } = spawnSync('npm', ['install', '--prefix', home, '--no-audit', '--no-fund', '--loglevel=error', PACKAGES[program]], { encoding: 'utf8', timeout });
    if (status !== 0) console.error(`npm could not install ${PACKAGES[program]}: ${stderr}`);
  }
  return fs.existsSync(binary) ? binary : undefined;
}

/** Runs it with nothing of the caller's: no settings, no login. */
function run(binary, ...args) {
  const home = fs.mkdtempSync(path.join(folder, 'home-'));
  try {
    const { status, stdout, stderr } = spawnSync(binary, args, { cwd: home, encoding: 'utf8', timeout: 90_000, env: { HOME: home, PATH: process.env.PATH, LANG: 'C.UTF-8', TERM: 'dumb', DISABLE_AUTOUPDATER: '1' } });
    return { status, text: stdout + stderr };
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}

describe('validators', () => {
  for (const [program, what, args] of [
    ['mcpb', 'the MCPB manifest', ['validate', path.join(root, 'deploy/mcpb/manifest.json')]],
    ['claude', 'the plugin', ['plugin', 'validate', path.join(root, 'deploy/claude-code')]],
    ['claude', 'the marketplace', ['plugin', 'validate', root]],
  ]) {
    test(`${program} ${args.slice(0, -1).join(' ')}: ${what}`, { timeout }, context => {
      const binary = installed(program);
      if (!binary) return context.skip(`npm cannot get ${PACKAGES[program]}`);
      const { status, text } = run(binary, ...args);
      assert.equal(status, 0, text);
      assert.doesNotMatch(text.replace(ICON_ADVICE, ''), /\bwarning/i);
    });
  }
});

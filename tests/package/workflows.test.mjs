// What others say of our workflows: actionlint and yamllint. lint_workflows (scripts/lib/lint.sh) has our own rules, among them that every step
// calls one of our scripts. Skipped where they are not installed; when the suite is named, Go's tool may install actionlint.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { has, root, run } from './support.mjs';

const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';
const folder = path.join(root, 'build/package/actionlint');
const timeout = 10 * 60_000;
const github = path.join(root, '.github');
const workflows = fs.readdirSync(path.join(github, 'workflows')).map(name => path.join(github, 'workflows', name));

/** The program, from PATH or from Go's module proxy, whose checksum database vouches for it; undefined if there is none. */
function actionlint() {
  if (has('actionlint')) return 'actionlint';
  const program = path.join(folder, 'actionlint');
  if (!fs.existsSync(program) && process.env.LEANBRIDGE_PACKAGES && has('go')) {
    const { status, stderr } = run('go', ['install', ACTIONLINT], { timeout, env: { ...process.env, GOBIN: folder, GOFLAGS: '' } });
    if (status !== 0) console.error(`go could not install ${ACTIONLINT}: ${stderr}`);
  }
  return fs.existsSync(program) ? program : undefined;
}

test('actionlint finds nothing in the workflows', { timeout }, context => {
  const program = actionlint();
  if (!program) return context.skip('no actionlint, and none to be had by Go');
  const { status, stdout, stderr } = run(program, ['-no-color', '-oneline', ...workflows]);
  assert.equal(status, 0, stdout + stderr);
});

test('yamllint finds nothing in workflows and forms', { skip: !has('yamllint') && 'no yamllint' }, () => {
  const rules = '{extends: default, rules: {line-length: {max: 160}, document-start: disable, truthy: {check-keys: false}, comments: {min-spaces-from-content: 1}}}';
  const { status, stdout, stderr } = run('yamllint', ['--strict', '-f', 'parsable', '-d', rules, github]);
  assert.equal(status, 0, stdout + stderr);
});

// What is tried stands under the options of its file, wherever they come from: each attempt beside the same text in the file itself.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe } from 'node:test';
import { sharedSession, skip } from '../support/session.mjs';

// Options at each level that Lake has: of the package, of a library, computed by a lakefile, and `weak.`, which Lean may not know.
const LIBRARIES = {
  Plain: '',
  Deep: 'leanOptions = { maxRecDepth = 20000 }',
  Shallow: 'leanOptions = { maxRecDepth = 90 }',
  Explicit: 'leanOptions = { autoImplicit = false }',
  Implicit: 'leanOptions = { autoImplicit = true, relaxedAutoImplicit = true }',
  Weak: 'leanOptions = { "weak.maxRecDepth" = 90, "weak.no.such.option" = true, "weak.autoImplicit" = false }',
  Server: 'moreServerOptions = { maxRecDepth = 90 }',
  Strict: 'leanOptions = { warningAsError = true, "pp.numericTypes" = true }',
  Silent: 'leanOptions = { "warn.sorry" = false, "linter.unusedVariables" = false }',
  Brief: 'leanOptions = { maxHeartbeats = 20 }',
};
const libraries = names => names.map(name => `
[[lean_lib]]
name = "${name}"
${LIBRARIES[name]}`).join('\n');

const PROJECTS = {
  'options of libraries': { files: { 'lakefile.toml': `name = "p"\n${libraries(Object.keys(LIBRARIES))}` }, modules: Object.keys(LIBRARIES) },
  'options of the package, some of them replaced by a library': {
    files: { 'lakefile.toml': `name = "p"\nleanOptions = { autoImplicit = false, maxRecDepth = 90 }\n${libraries(['Plain', 'Deep', 'Implicit'])}` },
    modules: ['Plain', 'Deep', 'Implicit'],
  },
  'options of a path dependency': {
    files: {
      'lakefile.toml': `name = "p"\nleanOptions = { maxRecDepth = 20000 }\n[[require]]\nname = "dep"\npath = "dep"\n${libraries(['Plain'])}`,
      'dep/lakefile.toml': `name = "dep"\nleanOptions = { autoImplicit = false }\n${libraries(['Shallow'])}`,
    },
    modules: ['Plain', 'dep/Shallow'],
  },
};

// [what stands before, the statement]
const STATEMENTS = [
  ['', 'theorem long (n : Nat) : (List.replicate 40 n).length = 40'],
  ['', 'theorem longer : (List.replicate 700 1).length = 700'],
  ['', 'theorem self (x : α) : x = x'],
  ['set_option maxRecDepth 60', 'theorem short (n : Nat) : (List.replicate 30 n).length = 30'],
  ['set_option autoImplicit true', 'theorem both (x y : β) (h : x = y) : y = x'],
];
const TACTICS = ['rfl', 'decide', 'simp', 'exact h.symm', 'intro unused', 'sorry'];

for (const [title, { files, modules }] of Object.entries(PROJECTS))
  describe(`attempts and files: ${title}`, { skip }, () => {
    const texts = Object.fromEntries(modules.map(module => [`${module}.lean`, '']));
    const { session, ask, file, client: _client } = sharedSession({ ...files, ...texts });
    const said = messages => messages.map(({ severity, message }) => `${severity}: ${message}`).sort();

    for (const module of modules)
      session(`${module}: ${STATEMENTS.length * TACTICS.length} attempts`, async () => {
        const file_path = `${module}.lean`;
        for (const [before, statement] of STATEMENTS) {
          const text = tactic => `${before}\n${statement} := by\n  ${tactic}\n`;
          fs.writeFileSync(file(file_path), text('skip'));
          const { items } = await ask('lean_multi_attempt', { file_path, line: 3, snippets: TACTICS, verbose: true });
          for (const [at, tactic] of TACTICS.entries()) {
            fs.writeFileSync(file(file_path), text(tactic));
            const goal = await ask('lean_goal', { file_path, line: 3, column: 3, verbose: true });
            const { items: messages } = await ask('lean_diagnostic_messages', { file_path, verbose: true });
            const where = `${file_path}: ${before}; ${statement} := by ${tactic}: ${JSON.stringify({ attempt: items[at], goal, messages })}`;
            const errors = messages.filter(({ severity }) => severity === 'error');
            const proved = errors.length === 0 && !/\bsorry\b/.test(tactic) && goal.status !== 'error';
            assert.equal(items[at].proof_complete ?? false, proved, where);
          }
        }
      });
  });

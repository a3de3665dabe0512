// What `leanbridge diff` promises (docs/verification.md).
const changes = 'src/core/text/source_changes.cpp';
const reading = 'src/core/text/source_changes_reading.cpp';
const unit = name => `tests/unit/core/text/source_changes_test.cpp "${name}"`;
const of = 'the reading of diff';
const files = 'src/certify/git/changed_files.cpp';

export default [
  ...[
    ['diff-links-removed', 'a file behind a link is removed', files, 'if (type == fs::file_type::symlink) return shown.string() + " is a link";', 'if (type == fs::file_type::symlink) return "";', 'a folder that became a link'],
    ['diff-nested-removed', 'a file of a folder that has a .git is removed', files, 'if (has_git(path)) return shown.string()', 'if (false) return shown.string()', 'a folder with an empty .git, or that became a submodule'],
    ['diff-sparse-removed', 'a file that is not checked out is removed', files, 'if (why.empty() && left_out.contains(', 'if (false && left_out.contains(', 'a sparse checkout'],
    ['diff-submodule-removed', 'a file of a commit that became a submodule is removed', files, 'if (closed.contains(shown)) return', 'if (false) return', 'a folder with an empty .git, or that became a submodule'],
    ['diff-sources-elsewhere', 'sources in a folder that is not looked at are not named', files, 'if (!is_apart) continue;', 'continue;', 'sources in hidden folders are read, and those beside git and Lake named'],
    ['diff-tactic-sorry', 'a tactic that leaves a sorry is not counted', reading, "marks.push_back({offset, \"sorry\"});", 'static_cast<void>(offset);', 'tactics that leave a sorry are counted as one, and names are not'],
  ].map(([name, takes, file, find, put, test]) => ({ name, of, takes, patch: [{ file, find, put }], test: `tests/e2e/diff.test.mjs "${test}"`, says: /incomplete|unread|code|deep-equal|removed|^stop$/m })),
  {
    name: 'diff-sorry-for-sorry',
    of,
    takes: 'a sorry is not new where another one was filled',
    patch: [{ file: changes, find: 'if (is && is->sorries > known)', put: 'if (is && is->sorries > known && changes.sorries_after > changes.sorries_before)' }],
    test: unit('sorries are counted where they are, and new ones are told'),
    says: /theorem b : q := sorry/,
  },
  {
    name: 'diff-sorry-in-a-macro',
    of,
    takes: 'a sorry in a macro is not counted',
    patch: [{ file: changes, find: 'if (is->other_sorries > was->other_sorries)', put: 'if (false)' }],
    test: unit('a sorry outside of declarations is told, too'),
    says: /changes\.new_sorries\.size\(\) == 1/,
  },
  {
    name: 'diff-restated-axiom',
    of,
    takes: 'an axiom that states something else is not new',
    patch: [{ file: changes, find: '(change == Change::Added || change == Change::Restated))', put: 'change == Change::Added)' }],
    test: unit('new axioms, and axioms that state something else'),
    says: /axiom a : 1 = 2/,
  },
  {
    name: 'diff-hidden-axiom',
    of,
    takes: 'an axiom is seen only where a declaration begins',
    patch: [{ file: reading, find: '    ++reading_.other_axioms;', put: '' }],
    test: unit('new axioms, and axioms that state something else'),
    says: /axiom c : False/,
  },
  {
    name: 'diff-comments',
    of,
    takes: 'comments are part of what is compared',
    patch: [{ file: 'src/core/text/source_reading.cpp', find: 'if (is_remark(token->kind) || skipped > 0 || is_name) {', put: 'if (skipped > 0 || is_name) {' }],
    test: unit('white space, comments and line ends change nothing'),
    says: /told\(changes\)\.empty\(\)/,
    apart: true,
  },
  {
    name: 'diff-commands-anywhere',
    of,
    takes: 'a notation in the middle of a proof is only another proof',
    patch: [{ file: reading, find: 'if (command.text.starts_with("instance") ||', put: 'if (!command.text.empty() ||' }],
    test: unit('commands that can change what statements mean are told, wherever they are'),
    says: /notation/,
  },
  {
    name: 'diff-other-definition',
    of,
    takes: 'another definition of the same type is the old one under another name',
    patch: [{ file: changes, find: 'is_theorem ? "" : declaration.body', put: '""' }],
    test: unit('what becomes of a declaration'),
    says: /def drei/,
  },
  {
    name: 'diff-unread',
    of,
    takes: 'a file that could not be read is passed over',
    patch: [{ file: 'src/certify/git/changed_files.cpp', find: 'if (!side.unread.empty()) file.unread = side.unread;', put: '' }],
    test: 'tests/e2e/diff.test.mjs "a file that is not UTF-8, or a link, is not read: exit code 3, unless a sorry is new"',
    says: /nothing_new/,
  },
  {
    name: 'diff-order',
    of,
    takes: 'declarations of files that sort in another way are not printed',
    patch: [{ file: 'src/certify/command/diff.cpp', find: 'return a.file < b.file;', put: 'return std::filesystem::path(a.file) < std::filesystem::path(b.file);' }],
    test: 'tests/e2e/diff.test.mjs "each declaration stands below its file"',
    says: /theorem t0/,
  },
  {
    name: 'diff-links',
    of,
    takes: 'a link of the working tree is followed',
    patch: [{ file: 'src/certify/git/changed_files.cpp', find: 'if (fs::is_symlink(file, error)) {', put: 'if (false) {' }, { file: 'src/certify/git/changed_files.cpp', find: 'RegularFile::Links::Refuse', put: 'RegularFile::Links::Follow' }],
    test: 'tests/e2e/diff.test.mjs "a file that is not UTF-8, or a link, is not read: exit code 3, unless a sorry is new"',
    says: /B\.lean/,
  },
  {
    name: 'dearer-passes',
    of,
    takes: 'a declaration may cost more than the limit allows',
    patch: [{ file: 'src/certify/verdict/costs.cpp', find: ' && after > before * (1 + limit / 100);', put: ' && limit < 0;' }],
    test: 'tests/unit/certify/diff_cost_test.cpp "only what was there before can become dearer, and by more than the limit"',
    says: /dearer/,
  },
  {
    name: 'unmeasured-passes',
    of,
    takes: 'a file of which a side was not measured counts as no dearer',
    patch: [{ file: 'src/certify/command/diff.cpp', find: '    if (costs && !costs->unmeasured.empty()) return DiffVerdict::Incomplete;\n', put: '' }],
    test: 'tests/e2e/diff.test.mjs "a side that does not compile is not measured: exit code 3"',
    says: /nothing_new/,
  },
];

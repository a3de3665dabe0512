// What one import of many texts promises (docs/security.md, 19).
export default [
  {
    name: 'snapshot-of-other-imports',
    of: 'security 19',
    takes: 'a saved state is loaded after what it was made of has changed',
    patch: [{ file: 'src/core/lean/import_snapshots.cpp', find: 'return !watched_.first_changed(begun_) && !own_.first_changed(saved_at_);', put: 'return !own_.first_changed(saved_at_);' }],
    test: 'tests/unit/core/lean/import_snapshots_test.cpp "a snapshot is left when something below it has changed, and made again"',
    says: /find\(it\.run\) == nullptr/,
  },
  {
    name: 'snapshot-written-to',
    of: 'security 19',
    takes: 'a saved state that somebody has written to is loaded',
    patch: [{ file: 'src/core/lean/import_snapshots.cpp', find: ' && !own_.first_changed(saved_at_)', put: '' }],
    test: 'tests/unit/core/lean/import_snapshots_test.cpp "a snapshot is left when something below it has changed, and made again"',
    says: /find\(it\.run\) == nullptr/,
  },
  {
    name: 'snapshot-of-another-header',
    of: 'security 19',
    takes: 'texts with other imports share a saved state',
    patch: [{ file: 'src/core/lean/import_snapshots.cpp', find: 'run.module_file, header};', put: 'run.module_file, ""};' }],
    test: 'tests/unit/core/lean/import_snapshots_test.cpp "a text of another kind shares no snapshot"',
    says: /find\(other\) == nullptr/,
  },
  {
    name: 'hash-of-other-bytes',
    of: 'security 19',
    takes: 'a hash that was computed before a file was written is told of the file',
    patch: [{ file: 'src/certify/verdict/foundations.cpp', find: 'known && !known->file.first_changed(known->since)', put: 'known' }],
    test: 'tests/unit/certify/certify_parts_test.cpp "a known hash is that of the file as it is"',
    says: /sha256_of\("two"\)/,
  },
  {
    name: 'imports-of-another',
    of: 'security 19',
    takes: 'a solution is read with the imports of the challenge, whatever it imports itself',
    patch: [{ file: 'src/core/olean/module_set.cpp', find: 'return names_ == names && search_path_ == search_path;', put: 'return search_path_ == search_path;' }],
    test: 'tests/unit/certify/judge_test.cpp "modules that import the same share what was read, and no others do"',
    says: /imported\(\) != first/,
  },
];

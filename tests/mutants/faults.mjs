// What the runs with faults judge (docs/testing.md), and what only they judge.
const wait = { file: 'src/document/document_handle.cpp', find: '  const io::WaitStatus end = co_await io::wait_until(document->changed, scope, over);' };

export default [
  {
    name: 'no-deadline',
    of: 'faults 1',
    takes: 'a wait for Lean does not end by the deadline',
    patch: [{ ...wait, put: '  const io::WaitStatus end = co_await io::wait_until(document->changed, io::CancelScope(std::chrono::hours(1), scope.cancel), over);' }],
    test: 'tests/faults/world.cpp " has not ended by its deadline"',
  },
  {
    name: 'answered-when-cancelled',
    of: 'faults 2',
    takes: 'a cancelled call is answered',
    patch: [{ file: 'src/rpc/peer.cpp', find: '  return wants_answer && (!cancelled || dialect_.answers_cancelled);', put: '  return wants_answer;' }],
    test: 'tests/faults/world.cpp "a second answer, or one to a cancelled call"',
  },
  {
    name: 'edit-not-sent',
    of: 'faults 3',
    takes: 'Lean is not told of an edit',
    patch: [{ file: 'src/document/sync.cpp', find: '    if (edit) send_edit(document, *edit);\n', put: '' }],
    test: 'tests/faults/judge.cpp "stale: the text that is answered about was gone before the call"',
  },
  {
    name: 'old-messages',
    of: 'faults 3',
    takes: 'messages of an older version are taken for those of this one',
    patch: [{ file: 'src/document/document_state.cpp', find: 'bool DocumentState::apply(lean::PublishDiagnostics message) {\n  if (!open_ || message.version.value_or(version_) != version_) return false;', put: 'bool DocumentState::apply(lean::PublishDiagnostics message) {\n  if (!open_) return false;' }],
    test: 'tests/faults/judge.cpp "messages of another text, or twice: "',
    runs: { first: 200, count: 200 },
  },
  {
    name: 'asked-once',
    of: 'faults 4',
    takes: 'a question that an edit overtook is not asked again',
    patch: [{ file: 'src/document/document_handle.cpp', find: '      const bool again = code == lean::kRpcNeedsReconnect || code == rpc::kContentModified;', put: '      const bool again = false;' }],
    test: 'tests/faults/judge.cpp " cannot be true: "',
  },
  {
    name: 'partial-unsaid',
    of: 'faults 5',
    takes: 'what was cut off by the deadline is called whole',
    patch: [{ file: 'src/document/document_handle.cpp', find: '  if (end == io::WaitStatus::TimedOut) co_return WaitOutcome::Partial;', put: '  if (end == io::WaitStatus::TimedOut) co_return WaitOutcome::Complete;' }],
    test: 'tests/faults/judge.cpp "messages are missing, and not called partial"',
  },
  {
    name: 'barrier-unheard',
    of: 'faults 6',
    takes: 'it is not noticed that Lean has done all',
    patch: [{ file: 'src/document/document_state.cpp', find: '  done_version_ = version;\n  return true;', put: '  return true;' }],
    test: 'tests/faults/judge.cpp "partial, though Lean has had the time"',
  },
  {
    name: 'never-again',
    of: 'faults 7',
    takes: 'a server that has failed is never started again, not even after a reset',
    patch: [
      { file: 'src/lean/server.cpp', find: 'kFailuresBeforeBackOff = 4;', put: 'kFailuresBeforeBackOff = 1;' },
      { file: 'src/lean/server.cpp', find: '  if (io::Clock::now() - last_failure_ >= kBackOff) return std::nullopt;\n', put: '' },
      { file: 'src/lean/server.cpp', find: '  failures_in_a_row_ = 0;\n', put: '' },
    ],
    test: 'tests/faults/world.cpp "the bridge does not recover: "',
  },
  {
    name: 'scratch-kept',
    of: 'faults 8',
    takes: 'scratch documents are kept for ever',
    patch: [{
      file: 'src/document/scratch_pool.cpp',
      find: '  if (co_await io::wait_until(changed_, idle, used) == io::WaitStatus::TimedOut && still_free())',
      put: '  if (co_await io::wait_until(changed_, idle, used) == io::WaitStatus::TimedOut && false)',
    }],
    test: 'tests/faults/world.cpp "scratch documents are left"',
  },
  {
    name: 'wrong-version',
    of: 'faults 9',
    takes: 'an edit is sent with the version before it',
    patch: [{ file: 'src/document/document_store.cpp', find: '  const Version version = document.state.changed(edit);', put: '  const Version version = document.state.changed(edit) - 1;' }],
    test: 'tests/faults/model_lean.cpp "the bridge breaks the protocol: "',
  },
  {
    name: 'other-run',
    of: 'faults 10',
    takes: 'a seed does not mean the same run',
    patch: [{ file: 'tests/faults/world.cpp', find: '      random_(seed),', put: '      random_([seed] {\n        static std::uint64_t runs = 0;\n        return seed + ++runs;\n      }()),' }],
    test: 'tests/faults/main.cpp "runs differently the second time"',
    runs: { first: 1, count: 5 },
  },
];

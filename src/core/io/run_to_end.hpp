#pragma once
/// Runs a program to its end. All programs other than servers are run by this.

#include "child_process.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace leanbridge::io {

struct ProgramRun {
  ChildCommand command;
  std::string input;                              ///< the input on stdin
  std::size_t max_output = std::size_t{1} << 20;  ///< number of bytes of stdout to keep
  Spawn spawn = ChildProcess::spawn;
  /// The behaviour if the scope ends first. WaitUntilGone returns once the whole tree is gone, so that none
  /// of its processes runs afterwards. Return returns at once, while the tree is told to end and killed after
  /// two seconds.
  enum class AtScopeEnd { WaitUntilGone, Return } at_scope_end = AtScopeEnd::WaitUntilGone;
  /// Optional: receive the output as it arrives, instead of keeping stdout. With AtScopeEnd::Return they may
  /// be called after run_to_end() has returned.
  std::function<void(std::string_view)> on_stdout = nullptr, on_stderr = nullptr;
  std::function<void()> on_stdout_end = nullptr, on_stderr_end = nullptr;  ///< optional
  /// Released when the whole tree has ended.
  std::shared_ptr<void> held = nullptr;
};

struct ProgramEnd {
  bool timed_out = false;
  int exit_code = 0;   ///< 128+n for a death by signal n
  std::string output;  ///< stdout, up to the limit
  bool output_cut = false;
  std::string errors;  ///< the end of stderr

  bool succeeded() const { return !timed_out && exit_code == 0; }
};

/// Runs the command until it and all its descendants have ended, or the scope ends. Errors: Cancelled, or the
/// reason why it cannot be started.
asio::awaitable<Result<ProgramEnd>> run_to_end(ProgramRun run, CancelScope scope);

}  // namespace leanbridge::io

#pragma once
/// Runs lake, and Lean's compiler through it, beside the language server.

#include "core/io/child_process.hpp"
#include "core/io/fair_semaphore.hpp"
#include "core/lean/build_output.hpp"
#include "core/lean/project.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::ide {

struct LakeCommand {
  std::filesystem::path lake, root;
  std::vector<std::string> arguments;
  io::Spawn spawn = io::ChildProcess::spawn;
  std::optional<lean::Variables> environment = std::nullopt;  ///< nullopt: lean::environment_for_lake()
  /// Released when the whole process tree has ended, which may be seconds after run_lake() returned.
  std::shared_ptr<void> held = nullptr;
};

/// Called with whole lines, including their newlines, as they arrive; a very long line comes in pieces.
struct LakeOutput {
  std::function<void(std::string_view)> on_stdout, on_stderr;
};

struct LakeEnd {
  enum class How { Exited, TimedOut, Cancelled };
  How how = How::Exited;
  int exit_code = 0;  ///< for Exited; 128 + n if signal n killed it
};

/// Runs the command until it exits or the scope ends. In the latter case the process tree is told to exit and
/// killed after two seconds, which this does not wait for.
asio::awaitable<Result<LakeEnd>> run_lake(LakeCommand command, LakeOutput output, io::CancelScope scope);

/// One command at a time in each project.
class LakeTurns {
 public:
  io::FairSemaphore& in(const std::filesystem::path& root) {
    return turns_.try_emplace(root, 1).first->second;
  }

 private:
  std::map<std::filesystem::path, io::FairSemaphore> turns_;
};

/// Limits a reason that an answer quotes.
inline constexpr std::size_t kMaxReasonBytes = 600;

/// The output of `lean --json`: its messages, and the tail of everything else.
class CompilerOutput {
 public:
  void add_stdout(std::string_view lines);
  void add_other(std::string_view lines);  ///< stderr, and the lines of stdout that are no messages

  const std::vector<lean::CompilerMessage>& messages() const { return messages_; }
  bool too_many() const { return too_many_; }  ///< some messages were dropped
  bool has_error() const;
  /// How the compiler ended, with the tail of its other output.
  std::string how_it_ended(const LakeEnd& end) const;

 private:
  void add_line(std::string_view line);

  std::vector<lean::CompilerMessage> messages_;
  std::string other_;
  bool too_many_ = false;
};

/// A compiler's output, and how it ended.
struct CompilerRun {
  CompilerOutput output;
  LakeEnd end;
};

/// run_lake() for a command that runs `lean --json`. A timeout is a result, Cancelled an error.
asio::awaitable<Result<CompilerRun>> run_compiler(LakeCommand command, io::CancelScope scope);

}  // namespace leanbridge::ide

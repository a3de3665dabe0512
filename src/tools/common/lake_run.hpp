#pragma once
/// One command of lake's, beside the language server. Private to this module.

#include "leanbridge/io/child_process.hpp"
#include "leanbridge/io/fair_semaphore.hpp"
#include "leanbridge/lean/compiler_message.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::tools {

struct LakeCommand {
  std::filesystem::path lake, root;
  std::vector<std::string> arguments;
  io::Spawn spawn = io::ChildProcess::spawn;
  /// Let go of when the whole process tree has ended, which may be seconds after run_lake() has.
  std::shared_ptr<void> held = nullptr;
};

/// Whole lines with their ends, as they come; a very long one in pieces.
struct LakeOutput {
  std::function<void(std::string_view)> on_stdout, on_stderr;
};

struct LakeEnd {
  enum class How { Exited, TimedOut, Cancelled };
  How how = How::Exited;
  int exit_code = 0;  ///< of Exited; 128 + n for a death by signal n
};

/// Runs it to its end or that of the scope. Then its process tree is told to end, and has two seconds for it;
/// that is not waited for.
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

/// Bytes of a reason that stands in an answer.
inline constexpr std::size_t kMostOfReason = 600;

/// Messages, and the last of what is none.
class CompilerOutput {
 public:
  void hear(std::string_view lines);        ///< of stdout
  void hear_other(std::string_view lines);  ///< of stderr

  const std::vector<lean::CompilerMessage>& messages() const { return messages_; }
  bool too_many() const { return too_many_; }  ///< some were dropped
  bool has_error() const;
  /// How the compiler ended, with its last words.
  std::string how_it_ended(const LakeEnd& end) const;

 private:
  void hear_line(std::string_view line);

  std::vector<lean::CompilerMessage> messages_;
  std::string other_;
  bool too_many_ = false;
};

/// What a compiler that was run to its end has printed, and how it ended.
struct CompilerRun {
  CompilerOutput output;
  LakeEnd end;
};

/// run_lake() of a command that prints what `lean --json` prints.
asio::awaitable<Result<CompilerRun>> run_compiler(LakeCommand command, io::CancelScope scope);

}  // namespace leanbridge::tools

#pragma once
/// What `lean --json` prints, line by line. Private to this module.

#include "lake_run.hpp"

#include "leanbridge/lean/build_output.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::tools {

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

#pragma once
/// One command of lake's, beside the language server. Private to this module.

#include "leanbridge/io/condition.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::tools {

struct LakeCommand {
  std::filesystem::path lake, root;
  std::vector<std::string> arguments;
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

/// Runs it to its end or that of the scope, with which its whole process tree ends.
asio::awaitable<Result<LakeEnd>> run_lake(LakeCommand command, LakeOutput output, io::Scope scope);

/// Projects in which a command is under way: one at a time in each.
struct Turns {
  std::set<std::filesystem::path> running;
  io::Condition changed;
};

class Turn {
 public:
  Turn(std::shared_ptr<Turns> turns, std::filesystem::path root)
      : turns_(std::move(turns)), root_(std::move(root)) {
    turns_->running.insert(root_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    turns_->running.erase(root_);
    turns_->changed.notify_all();
  }

 private:
  std::shared_ptr<Turns> turns_;
  std::filesystem::path root_;
};

}  // namespace leanbridge::tools

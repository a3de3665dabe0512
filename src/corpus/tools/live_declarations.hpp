#pragma once
/// The declarations of a paper's file as Lean knows them now. Private to this module.

#include "core/ide/open_file.hpp"
#include "core/tools/common/typed_tool.hpp"
#include "corpus/records/comparison.hpp"

namespace leanbridge::tools {

struct LiveAnswer {
  corpus::LiveFile file;
  std::optional<Error> error;  ///< why Lean's answer is missing or incomplete
  document::Version version = 0;
  bool timed_out = false;
};

/// Asks Lean about the file at `path`, called `file_path` in the cards: its declarations with their types,
/// proof status and dependencies. `expected`: the names that the cards expect in it; those that are not
/// written in the file are looked up by name. Returns the error Cancelled; other errors are in the answer.
asio::awaitable<Result<LiveAnswer>> ask_live(Environment& environment, std::shared_ptr<mcp::Call> call,
                                             std::filesystem::path path, std::string file_path,
                                             std::vector<std::string> expected);

}  // namespace leanbridge::tools

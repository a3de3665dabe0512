#pragma once
/// The declarations of a paper's file as Lean has them now. Private to this module.

#include "leanbridge/corpus/comparison.hpp"

#include "tools/common/open_file.hpp"

namespace leanbridge::tools {

struct LiveAnswer {
  corpus::LiveFile file;
  std::optional<Error> error;  ///< why Lean was not, or not well, asked
  document::Version version = 0;
  bool timed_out = false;
};

/// Asks about the file at `path`, which the cards know as `file_path`: its declarations, their types, how
/// they stand and what they use. `expected`: names that the cards look for in it; those that the file does
/// not write out are asked for one by one. Cancelled; all else is in the answer.
asio::awaitable<Result<LiveAnswer>> ask_live(Environment& environment, std::shared_ptr<mcp::Call> call,
                                             std::filesystem::path path, std::string file_path,
                                             std::vector<std::string> expected);

}  // namespace leanbridge::tools

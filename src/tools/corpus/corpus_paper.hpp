#pragma once
/// What the tools of the group `corpus` share: finding and reading a paper, the common fields of their
/// answers. Private to this module.

#include "leanbridge/corpus/declarations.hpp"

#include "tools/common/open_file.hpp"

#include <filesystem>

namespace leanbridge::tools {

inline constexpr std::size_t kMaxRecords = 2000;  ///< of a list in an answer

struct PublishedPaper {
  std::filesystem::path root;  ///< the folder that has corpus/papers; empty where there is none
  corpus::Paper paper;
  std::string error;  ///< why nothing of the paper is known; else empty
};

mcp::Argument paper_argument();

/// Reads the paper of the call's paper_id. A paper that is missing or broken is no error: see `error` and
/// `paper.problems`. InvalidArgument for an id that no paper can have; Timeout, Cancelled.
asio::awaitable<Result<PublishedPaper>> read_published(Environment& environment,
                                                       std::shared_ptr<mcp::Call> call,
                                                       const mcp::Arguments& arguments);

/// Adds paper_id, partial, problems where there are some, and `error` where there is one.
nlohmann::json finish_published(nlohmann::json answer, const PublishedPaper& published);

/// Records as published, with their cap: `declarations`, `total`, `truncated`.
void add_declarations(nlohmann::json& answer, nlohmann::json records);

}  // namespace leanbridge::tools

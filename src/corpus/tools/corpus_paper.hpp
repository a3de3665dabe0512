#pragma once
/// Shared by the tools of the group `corpus`: finding and reading a paper, and the common fields of their
/// answers. Private to this module.

#include "core/ide/open_file.hpp"
#include "core/tools/common/typed_tool.hpp"
#include "corpus/records/paper.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::tools {

struct PublishedPaper {
  std::filesystem::path root;  ///< the folder that contains corpus/papers; empty if there is none
  corpus::Paper paper;
  std::string error;  ///< why the paper is unknown; empty if it is known
};

struct PaperParams {
  std::string paper_id;

  static wire::Fields fields();
};

/// Reads the paper. A missing or broken paper is not an error: see `error` and `paper.problems`.
/// InvalidArgument for an id that no paper can have; Timeout, Cancelled.
asio::awaitable<Result<PublishedPaper>> read_published(Environment& environment,
                                                       std::shared_ptr<mcp::Call> call, std::string paper_id);

/// The fields of every answer about a paper.
struct PublishedStatus {
  std::string paper_id;
  bool partial = false;  ///< a part of the paper could not be read
  std::optional<std::vector<corpus::Problem>> problems;
  std::optional<std::string> error;

  static wire::Fields fields();
};
PublishedStatus status_of(const PublishedPaper& published);

}  // namespace leanbridge::tools

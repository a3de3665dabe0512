#pragma once
/// The common part of the search tools: the project to search, the goal at a position, and the answer of one
/// source in the form of its tool. Private to this module.

#include "core/ide/open_file.hpp"
#include "core/tools/common/typed_tool.hpp"
#include "search/index/absent_if_empty.hpp"
#include "search/sources/answer.hpp"
#include "search/sources/services.hpp"
#include "search_environment.hpp"

#include <optional>
#include <string>
#include <vector>

namespace leanbridge::tools {

/// The root of the project in `folder`, or of the current one if `folder` is empty. An empty path if there is
/// no current project; searches then cover the library of the default toolchain.
Result<std::filesystem::path> index_root(document::Workspace& workspace, const std::string& folder);

/// Makes the call report the progress of the index.
void show_index_progress(SearchEnvironment& environment, mcp::Call& call);

/// The first goal at the position. InvalidArgument if there is none.
asio::awaitable<Result<search::AskedGoal>> find_goal(SearchEnvironment& environment,
                                                     std::shared_ptr<mcp::Call> call, FilePosition position);

/// The answer of one source.
struct SourceAnswer {
  std::vector<nlohmann::json> items;  ///< in the form of lean-lsp-mcp's tool for the source
  std::string source;                 ///< the source that answered
  bool cached = false;
  std::optional<std::string> fallback_for;  ///< the source that it replaces
  std::optional<std::string> problem;       ///< why it replaces that source
  bool partial = false;                     ///< not everything was searched
  std::optional<std::string> note;
  std::optional<std::vector<std::string>> suggestions;  ///< other queries to try

  static wire::Fields fields();
};
SourceAnswer shaped_for(const std::string& source, const search::OneAnswer& answer);

/// Asks one source, or the local index if that fails.
asio::awaitable<Result<search::OneAnswer>> ask_one(SearchEnvironment& environment,
                                                   std::shared_ptr<mcp::Call> call, std::string source,
                                                   search::Question question);

}  // namespace leanbridge::tools

#pragma once
/// The common part of the search tools: the project to search, the goal at a position, and the answer of one
/// source in the form of its tool. Private to this module.

#include "core/ide/open_file.hpp"
#include "core/tools/common/typed_tool.hpp"
#include "search/sources/services.hpp"
#include "search_environment.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace leanbridge::tools {

/// The root of the project in `folder`, or of the current one if `folder` is empty. An empty path if there is
/// no current project; searches then cover the library of the default toolchain.
Result<std::filesystem::path> index_root(SearchEnvironment& environment, const std::string& folder);

/// The path relative to the project if the file is in it. "" stays "".
std::string shown_path(const std::string& file, const std::filesystem::path& root);

/// Makes the call report the progress of the index.
void show_index_progress(SearchEnvironment& environment, mcp::Call& call);

struct FoundGoal {
  std::string text;  ///< in Lean's format
  /// The goal's declaration and the declarations below it in the file, which cannot prove it.
  std::set<std::string> not_before;
};
/// The first goal at the position. InvalidArgument if there is none.
asio::awaitable<Result<FoundGoal>> find_goal(SearchEnvironment& environment, std::shared_ptr<mcp::Call> call,
                                             FilePosition position);

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

/// nullopt for an empty text, which means unknown: the answer then lacks the field.
std::optional<std::string> text_or_absent(std::string text);

}  // namespace leanbridge::tools

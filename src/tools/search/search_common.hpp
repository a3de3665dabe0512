#pragma once
/// What the search tools share: the goal at a place, one source's answer in the shape of its tool. Private to
/// this module.

#include "leanbridge/search/services.hpp"

#include "tools/common/open_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace leanbridge::tools {

/// The project of `folder`; without one the current one, and an empty path where there is none: then the
/// library of the default toolchain is searched.
Result<std::filesystem::path> index_root(Environment& environment, const std::string& folder);

/// Relative to the project where it is in it; "" stays "".
std::string shown_path(const std::string& file, const std::filesystem::path& root);

/// Lets the call's progress tell of the index.
void show_index_progress(Environment& environment, mcp::Call& call);

/// The first goal at the place, as Lean prints it. InvalidArgument where there is none.
asio::awaitable<Result<std::string>> goal_text_at(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                  FilePosition place);

/// What one source has found.
struct SourceAnswer {
  std::vector<nlohmann::json> items;  ///< in the shape that lean-lsp-mcp's tool of the source has
  std::string source;                 ///< that has answered
  bool cached = false;
  std::optional<std::string> fallback_for;  ///< the source that it stands in for
  std::optional<std::string> problem;       ///< why it does
  std::optional<std::string> note;
  std::optional<std::vector<std::string>> suggestions;  ///< other questions

  static wire::Fields fields();
};
SourceAnswer in_shape_of(const std::string& source, const search::OneAnswer& answer);

/// Asks one source, or the local index in its stead, and gives what it has found in that shape.
asio::awaitable<Result<SourceAnswer>> ask_one(Environment& environment, std::shared_ptr<mcp::Call> call,
                                              std::string source, search::Question question);

/// A text that is empty where nothing is known: it is absent from the answer then.
std::optional<std::string> text_or_absent(std::string text);

}  // namespace leanbridge::tools

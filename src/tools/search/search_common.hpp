#pragma once
/// What the search tools share: the goal at a place, one source's answer in the shape of its tool. Private to
/// this module.

#include "leanbridge/search/services.hpp"

#include "tools/common/open_file.hpp"

#include <string>

namespace leanbridge::tools {

/// The first goal at file_path, line and column, as Lean prints it. InvalidArgument where there is none.
asio::awaitable<Result<std::string>> goal_text_at(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                  mcp::Arguments place);

/// file_path, line, column: where a goal is.
std::vector<mcp::Argument> goal_place(bool column_required);

mcp::Argument num_results_argument(int otherwise);

/// Hits as `items` in the shape that lean-lsp-mcp's tool of `source` has, with source, cached and
/// fallback_for.
nlohmann::json in_shape_of(const std::string& source, const search::OneAnswer& answer);

/// Asks one source, or the local index in its stead, and gives what it has found in that shape.
Answer ask_one(Environment& environment, std::shared_ptr<mcp::Call> call, std::string source,
               search::Question question);

/// The fields of such an answer, and the hints of a tool that asks the network.
void answers_from_source(mcp::Tool& tool);

}  // namespace leanbridge::tools

#pragma once
/// Goals at a place, as text or structured. Private to this module.

#include "open_file.hpp"

namespace leanbridge::tools {

enum class GoalFormat { Text, Structured };
GoalFormat goal_format(const mcp::Arguments& arguments);

/// What Lean says of the proof at a place.
struct Goals {
  bool in_proof = false;                           ///< false: there is no tactic state here
  nlohmann::json goals = nlohmann::json::array();  ///< strings, or objects; empty: none is left
  std::size_t offset = 0;                          ///< the place, in the text of `version`
  document::Version version = 0;                   ///< the current one when they came
};

/// Asks for the goals at a byte offset of the current text of a document. Errors as of document::request_at.
asio::awaitable<Result<Goals>> goals_in(std::shared_ptr<document::DocumentStore> table,
                                        std::shared_ptr<document::Document> document, std::size_t offset,
                                        GoalFormat format, io::CancelScope scope);
/// The same for the file of a call.
asio::awaitable<Result<Goals>> goals_at(const OpenFile& file, std::size_t offset, GoalFormat format,
                                        io::CancelScope scope);

/// `goals`, `complete` or `no_goal_at_position`.
const char* goal_status(const Goals& goals);
inline constexpr const char* kStillElaborating = "still_elaborating";

/// null where there is no tactic state, else the list.
nlohmann::json goals_json(const Goals& goals);

nlohmann::json goals_schema();

}  // namespace leanbridge::tools

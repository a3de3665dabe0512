#pragma once
/// What Loogle prints, the same from its service and its program.

#include "leanbridge/search/backend.hpp"

#include <nlohmann/json_fwd.hpp>

namespace leanbridge::search {

Outcome<Found> read_loogle_answer(const nlohmann::json& body, const Question& question,
                                  const std::string& title);

/// A query as one line, without the command that people copy along: a line break would end it.
std::string loogle_query(std::string_view text);

}  // namespace leanbridge::search

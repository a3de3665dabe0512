#pragma once
/// A tool's answer in a form for people.

#include "core/base/json_struct.hpp"
#include "core/terminal/terminal.hpp"
#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

namespace leanbridge::app {

/// Prints member by member, in the order of `output`: short values on one line, texts as blocks, messages as
/// "LINE:COLUMN severity: text". Leaves out members that are absent, null or empty. Removes everything that a
/// terminal would obey.
std::string answer_text(const nlohmann::json& answer, const wire::Fields& output, std::size_t width,
                        const Paint& paint);

}  // namespace leanbridge::app

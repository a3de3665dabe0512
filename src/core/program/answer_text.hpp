#pragma once
/// A tool's answer as a person reads it.

#include "core/base/json_struct.hpp"
#include "core/terminal/terminal.hpp"
#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

namespace leanbridge::app {

/// Member by member, in the order of `output`: short values on one line, texts as blocks, messages as
/// "LINE:COLUMN severity: text". What is absent, null or empty is left out. Nothing in it reaches the
/// terminal as a command.
std::string answer_text(const nlohmann::json& answer, const wire::Fields& output, std::size_t width,
                        const Paint& paint);

}  // namespace leanbridge::app

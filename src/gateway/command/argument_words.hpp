#pragma once
/// Reads the arguments of another server's tool from the words of a command line. Pure.

#include "core/base/error.hpp"
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace leanbridge::app {

/// Each word is NAME=VALUE or a JSON object with several arguments; a pair wins over an object. A value is a
/// string if `schema`, the tool's inputSchema, allows one or the value is not JSON, and is read as JSON
/// otherwise. Pairs of the same name form a list if the schema has one there. The server checks everything
/// else. InvalidArgument for any other word, for broken JSON, and for an argument given twice.
Result<nlohmann::json> arguments_from_words(const nlohmann::json& schema,
                                            const std::vector<std::string>& words);

}  // namespace leanbridge::app

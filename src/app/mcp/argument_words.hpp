#pragma once
/// The arguments of another server's tool from the words of a command line. Pure.

#include "leanbridge/base/error.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace leanbridge::app {

/// Each word is NAME=VALUE, or a JSON object with several arguments; of the same name, a pair wins over an
/// object. A value is a string where `schema` (the tool's inputSchema) says so or the value is no JSON, else
/// it is read as JSON; pairs of the same name make a list where the schema has one. What else is wrong is for
/// the server to say. InvalidArgument for another word, broken JSON, and one argument given twice.
Result<nlohmann::json> arguments_from_words(const nlohmann::json& schema,
                                            const std::vector<std::string>& words);

}  // namespace leanbridge::app

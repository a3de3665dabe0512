#pragma once
/// Prompts: workflows that a user starts by name (slash commands in clients). Data, as tools are: a name,
/// arguments, and a function that writes the text.

#include "leanbridge/base/error.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace leanbridge::mcp {

struct PromptArgument {
  std::string name;
  std::string description;
  bool required = true;
};

struct Prompt {
  using Values = std::map<std::string, std::string>;

  std::string name;
  std::string title;
  std::string description;
  std::vector<PromptArgument> arguments;
  std::function<std::string(const Values&)> text;  ///< every required argument is there
};

/// The prompt as `prompts/list` shows it.
nlohmann::json describe(const Prompt& prompt);

/// Checks `given` (the `arguments` of prompts/get: an object of strings, or null) against the prompt.
/// InvalidArgument for a missing, an unknown and a wrongly typed one. An empty optional one counts as absent:
/// clients that ask for arguments in a form send what was left empty.
Result<Prompt::Values> check_arguments(const Prompt& prompt, const nlohmann::json& given);

}  // namespace leanbridge::mcp

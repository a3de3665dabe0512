#pragma once
/// Prompts: workflows that a user starts by name (slash commands in clients). Like tools they are data: a
/// name, arguments, and a function that writes the text.

#include "core/base/error.hpp"
#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace leanbridge::mcp {

/// The kind of an argument, which decides its completions.
enum class ArgumentKind {
  Text,       ///< any text, without completions
  File,       ///< a .lean file
  Namespace,  ///< a module, a namespace or a name
};

struct PromptArgument {
  std::string name;
  std::string description;
  bool required = true;
  ArgumentKind kind = ArgumentKind::Text;
};

struct Prompt {
  using Values = std::map<std::string, std::string>;

  std::string name;
  std::string title;
  std::string description;
  std::vector<PromptArgument> arguments;
  std::function<std::string(const Values&)> text;  ///< all required arguments are present
};

/// The prompt's entry in `prompts/list`.
nlohmann::json describe(const Prompt& prompt);

/// Checks `given`, the `arguments` of prompts/get (an object of strings, or null), against the prompt.
/// InvalidArgument for missing, unknown and mistyped arguments. Empty optional arguments count as absent,
/// because clients with forms send empty fields.
Result<Prompt::Values> check_arguments(const Prompt& prompt, const nlohmann::json& given);

}  // namespace leanbridge::mcp

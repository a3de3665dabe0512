#include "prompt.hpp"

#include <algorithm>

namespace leanbridge::mcp {

using nlohmann::json;

json describe(const Prompt& prompt) {
  json arguments = json::array();
  for (const PromptArgument& argument : prompt.arguments)
    arguments.push_back(
        {{"name", argument.name}, {"description", argument.description}, {"required", argument.required}});
  return {{"name", prompt.name},
          {"title", prompt.title},
          {"description", prompt.description},
          {"arguments", std::move(arguments)}};
}

Result<Prompt::Values> check_arguments(const Prompt& prompt, const json& given) {
  const auto invalid = [&](const std::string& what) {
    return fail(ErrorKind::InvalidArgument, "prompt " + prompt.name + ": " + what);
  };
  if (!given.is_null() && !given.is_object()) return invalid("arguments must be an object of strings.");
  Prompt::Values values;
  for (const auto& [name, value] : given.items()) {
    const bool known = std::ranges::any_of(
        prompt.arguments, [&name = name](const PromptArgument& a) { return a.name == name; });
    if (!known) return invalid("unknown argument '" + name + "'.");
    if (!value.is_string()) return invalid("argument '" + name + "' must be a string.");
    if (!value.get_ref<const std::string&>().empty()) values[name] = value.get<std::string>();
  }
  for (const PromptArgument& argument : prompt.arguments)
    if (argument.required && !values.contains(argument.name))
      return invalid("argument '" + argument.name + "' is missing: " + argument.description + ".");
  return values;
}

}  // namespace leanbridge::mcp

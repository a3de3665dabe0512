#include "argument_words.hpp"

#include "core/base/json.hpp"
#include "core/base/try.hpp"

#include <algorithm>

namespace leanbridge::app {

using nlohmann::json;

namespace {

json property(const json& schema, const std::string& name) {
  return member(member(schema, "properties"), name);
}

// Whether the schema allows the type, possibly among others: {"type": ["string", "null"]}, anyOf, oneOf,
// enum.
bool may_be(const json& schema, const char* type) {
  if (!schema.is_object()) return false;
  const json types = schema.value("type", json());
  if (types == type || (types.is_array() && std::ranges::find(types, type) != types.end())) return true;
  for (const char* member : {"anyOf", "oneOf"}) {
    const json choices = schema.value(member, json());
    if (choices.is_array() &&
        std::ranges::any_of(choices, [&](const json& each) { return may_be(each, type); }))
      return true;
  }
  const json values = schema.value("enum", json());
  return values.is_array() && std::string_view(type) == "string" &&
         std::ranges::any_of(values, [](const json& each) { return each.is_string(); });
}

json value_of(const std::string& text, const json& schema) {
  if (may_be(schema, "string")) return text;
  json value = json::parse(text, nullptr, false);
  return value.is_discarded() ? json(text) : value;
}

Result<void> add_pair(json& pairs, const std::string& word, const json& schema) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0)
    return fail(ErrorKind::InvalidArgument, "\"" + word + "\" is not an argument.",
                "Pass NAME=VALUE, or all arguments as one JSON object.");
  const std::string name = word.substr(0, equals), text = word.substr(equals + 1);
  const json of_name = property(schema, name);
  if (may_be(of_name, "array")) {
    const json whole = json::parse(text, nullptr, false);
    json& list = pairs[name];
    if (whole.is_array())
      for (const json& each : whole) list.push_back(each);
    else
      list.push_back(value_of(text, of_name.value("items", json())));
    return {};
  }
  if (pairs.contains(name))
    return fail(ErrorKind::InvalidArgument, "The argument '" + name + "' is given twice.", "Pass it once.");
  pairs[name] = value_of(text, of_name);
  return {};
}

}  // namespace

Result<json> arguments_from_words(const json& schema, const std::vector<std::string>& words) {
  json pairs = json::object(), arguments = json::object();
  for (const std::string& word : words) {
    if (!word.starts_with('{')) {
      TRY_DONE(add_pair(pairs, word, schema));
      continue;
    }
    const json object = json::parse(word, nullptr, false);
    if (!object.is_object())
      return fail(ErrorKind::InvalidArgument, "This is not a JSON object: " + word,
                  R"(Quote it as one word, such as '{"path": "a.txt"}'.)");
    arguments.update(object);
  }
  arguments.update(pairs);
  return arguments;
}

}  // namespace leanbridge::app

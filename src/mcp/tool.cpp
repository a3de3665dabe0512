#include "leanbridge/mcp/tool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace leanbridge::mcp {

using nlohmann::json;

namespace {

constexpr std::pair<const char*, const char*> kAliases[] = {{"file", "file_path"}, {"col", "column"}};
constexpr double kMaxTimeoutSeconds = 24 * 3600;

const char* type_name(ArgumentType type) {
  switch (type) {
    case ArgumentType::String:
      return "string";
    case ArgumentType::Integer:
      return "integer";
    case ArgumentType::Number:
      return "number";
    case ArgumentType::Boolean:
      return "boolean";
    case ArgumentType::StringList:
      return "array";
    case ArgumentType::Object:
      return "object";
  }
  return "string";
}

Argument timeout_argument() {
  return Argument::optional_("timeout_s", ArgumentType::Number, "At most").at_least(0);
}

std::vector<Argument> all_arguments(const Tool& tool) {
  std::vector<Argument> arguments = tool.arguments;
  if (tool.waits) arguments.push_back(timeout_argument());
  return arguments;
}

bool is_whole(const json& value) {
  if (value.is_number_integer()) return true;
  return value.is_number_float() && std::floor(value.get<double>()) == value.get<double>();
}

bool fits_int(const json& value) {
  const double number = value.get<double>();
  return number >= std::numeric_limits<int>::min() && number <= std::numeric_limits<int>::max();
}

bool has_type(const json& value, ArgumentType type) {
  switch (type) {
    case ArgumentType::String:
      return value.is_string();
    case ArgumentType::Integer:
      return value.is_number() && is_whole(value) && fits_int(value);
    case ArgumentType::Number:
      return value.is_number();
    case ArgumentType::Boolean:
      return value.is_boolean();
    case ArgumentType::StringList:
      return value.is_array() &&
             std::all_of(value.begin(), value.end(), [](const json& v) { return v.is_string(); });
    case ArgumentType::Object:
      return value.is_object();
  }
  return false;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// The beginning of a value, as ASCII: it can be cut anywhere.
std::string excerpt(const json& value) {
  return value.dump(-1, ' ', true, json::error_handler_t::replace).substr(0, 80);
}

// 1 rather than 1.0.
json tidy(double number) {
  return number == std::floor(number) ? json(static_cast<int>(number)) : json(number);
}

tl::unexpected<Error> invalid(const Tool& tool, const std::string& message, const std::string& hint) {
  return fail(ErrorKind::InvalidArgument, tool.name + ": " + message, hint);
}

Result<void> check_value(const Tool& tool, const Argument& argument, const json& value) {
  const std::string expected =
      argument.type == ArgumentType::StringList ? "array of strings" : type_name(argument.type);
  if (!has_type(value, argument.type))
    return invalid(tool,
                   "argument '" + argument.name + "' must be " +
                       (std::string("ioa").find(expected[0]) != std::string::npos ? "an " : "a ") + expected +
                       ", not " + excerpt(value) + ".",
                   "Pass " + argument.name + " as " + expected + ".");
  if (!argument.choices.empty() && std::find(argument.choices.begin(), argument.choices.end(),
                                             value.get<std::string>()) == argument.choices.end())
    return invalid(tool, "argument '" + argument.name + "' has no value " + excerpt(value) + ".",
                   "Pass one of: " + joined(argument.choices) + ".");
  if (argument.minimum && value.get<double>() < *argument.minimum) {
    const std::string least = tidy(*argument.minimum).dump();
    return invalid(
        tool, "argument '" + argument.name + "' must be at least " + least + ", not " + value.dump() + ".",
        least == "1" ? "Lines and columns count from 1." : "Pass " + least + " or more.");
  }
  return {};
}

// A schema's type without what is inside; of one that is nullable the same.
json shallow_schema(const json& schema) {
  if (const auto either = schema.find("anyOf"); either != schema.end()) {
    json choices = json::array();
    for (const json& choice : *either) choices.push_back(shallow_schema(choice));
    return {{"anyOf", std::move(choices)}};
  }
  const auto type = schema.find("type");
  return type == schema.end() ? json::object() : json{{"type", *type}};
}

json outermost(const json& properties) {
  json shallow = json::object();
  for (const auto& [name, schema] : properties.items()) shallow[name] = shallow_schema(schema);
  return shallow;
}

}  // namespace

Argument Argument::required_(std::string name, ArgumentType type, std::string description) {
  return {std::move(name), type, true, std::move(description), {}, {}, {}};
}

Argument Argument::optional_(std::string name, ArgumentType type, std::string description) {
  return {std::move(name), type, false, std::move(description), {}, {}, {}};
}

Argument& Argument::at_least(double value) {
  minimum = value;
  return *this;
}

Argument& Argument::one_of(std::vector<std::string> values) {
  choices = std::move(values);
  return *this;
}

Argument& Argument::with(std::vector<Argument> of_object) {
  members = std::move(of_object);
  return *this;
}

std::string Arguments::string(const char* name, std::string otherwise) const {
  return has(name) ? string(name) : std::move(otherwise);
}

std::optional<int> Arguments::optional_integer(const char* name) const {
  if (!has(name)) return std::nullopt;
  return integer(name);
}

std::optional<double> Arguments::optional_number(const char* name) const {
  if (!has(name)) return std::nullopt;
  return values_.at(name).get<double>();
}

bool Arguments::boolean(const char* name, bool otherwise) const {
  return has(name) ? values_.at(name).get<bool>() : otherwise;
}

std::vector<std::string> Arguments::strings(const char* name) const {
  if (!has(name)) return {};
  return values_.at(name).get<std::vector<std::string>>();
}

namespace {

json schema_of(const std::vector<Argument>& arguments) {
  json properties = json::object();
  json required = json::array();
  for (const Argument& argument : arguments) {
    json property = {{"type", type_name(argument.type)}};
    if (argument.type == ArgumentType::Object) {
      property = schema_of(argument.members);
      // The object's own description says it once for all of them.
      for (auto& member : property["properties"]) member.erase("description");
    }
    if (argument.type == ArgumentType::StringList) property["items"] = {{"type", "string"}};
    if (!argument.choices.empty()) property["enum"] = argument.choices;
    if (!argument.description.empty()) property["description"] = argument.description;
    properties[argument.name] = std::move(property);
    if (argument.required) required.push_back(argument.name);
  }
  json schema = {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

}  // namespace

Annotations hints_of(const Tool& tool) {
  if (!tool.caller_code) return tool.annotations;
  return {.read_only = false, .destructive = true, .idempotent = false, .open_world = true};
}

json describe(const Tool& tool) {
  json members = outermost(tool.output);
  // What may be null and may be absent promises nothing: it is not worth its bytes in every host's context.
  for (auto member = members.begin(); member != members.end();) {
    const bool promised =
        std::find(tool.always.begin(), tool.always.end(), member.key()) != tool.always.end();
    member = !promised && member->contains("anyOf") ? members.erase(member) : std::next(member);
  }
  json output = schema::object(std::move(members));
  if (!tool.always.empty()) output["required"] = tool.always;
  const Annotations hints = hints_of(tool);
  return {{"name", tool.name},
          {"title", tool.title},
          {"description", tool.description},
          {"inputSchema", schema_of(all_arguments(tool))},
          {"outputSchema", std::move(output)},
          {"annotations",
           {{"readOnlyHint", hints.read_only},
            {"destructiveHint", hints.destructive},
            {"idempotentHint", hints.idempotent},
            {"openWorldHint", hints.open_world}}}};
}

Result<json> arguments_from_words(const Tool& tool, const std::vector<std::string>& words) {
  const std::vector<Argument> arguments = all_arguments(tool);
  json given = json::object();
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos)
      return invalid(tool, "'" + word + "' is not NAME=VALUE.",
                     "Pass arguments as file_path=Foo.lean line=3.");
    std::string name = word.substr(0, equals);
    const std::string text = word.substr(equals + 1);
    for (const auto& [alias, meant] : kAliases)
      if (name == alias) name = meant;
    const auto argument = std::find_if(arguments.begin(), arguments.end(),
                                       [&](const Argument& each) { return each.name == name; });
    const bool is_list = argument != arguments.end() && argument->type == ArgumentType::StringList;
    json value = json::parse(text, nullptr, false);
    if (value.is_discarded() || (argument != arguments.end() && !has_type(value, argument->type)))
      value = text;
    if (given.contains(name) && !is_list)
      return invalid(tool, "argument '" + name + "' is given twice.", "Pass it once.");
    if (!is_list) {
      given[name] = std::move(value);
      continue;
    }
    if (!value.is_array()) value = json::array({std::move(value)});
    json& list = given[name];
    for (json& item : value) list.push_back(std::move(item));
  }
  return given;
}

namespace {

// Checks an object and all that is in it, and makes aliases the names that are meant. `path`: "" or
// "goal_at.".
Result<void> check_members(const Tool& tool, const std::vector<Argument>& arguments, const std::string& path,
                           json& given) {
  const auto find = [&](const std::string& name) {
    return std::find_if(arguments.begin(), arguments.end(),
                        [&](const Argument& a) { return a.name == name; });
  };
  for (const auto& [alias, name] : kAliases) {
    if (!given.contains(alias) || find(name) == arguments.end()) continue;
    if (given.contains(name))
      return invalid(tool, "'" + path + alias + "' and '" + path + name + "' are the same argument.",
                     "Pass only one of them.");
    given[name] = given[alias];
    given.erase(alias);
  }
  for (auto item = given.begin(); item != given.end();) {
    const auto argument = find(item.key());
    if (argument == arguments.end()) {
      std::vector<std::string> names;
      names.reserve(arguments.size());
      for (const Argument& known : arguments) names.push_back(known.name);
      return invalid(tool, "there is no argument '" + path + item.key() + "'.",
                     "Its arguments are: " + joined(names) + ".");
    }
    if (item.value().is_null() && !argument->required) {
      item = given.erase(item);  // hosts send null for what the model left out
      continue;
    }
    Argument named = *argument;
    named.name = path + named.name;
    if (auto valid = check_value(tool, named, item.value()); !valid) return valid;
    if (argument->type == ArgumentType::Object)
      if (auto valid = check_members(tool, argument->members, named.name + ".", item.value()); !valid)
        return valid;
    ++item;
  }
  for (const Argument& argument : arguments)
    if (argument.required && !given.contains(argument.name))
      return invalid(tool, "argument '" + path + argument.name + "' is missing.",
                     argument.name + ": " + argument.description + ".");
  return {};
}

}  // namespace

Result<Arguments> check_arguments(const Tool& tool, json given) {
  if (auto valid = check_members(tool, all_arguments(tool), "", given); !valid)
    return tl::unexpected(valid.error());
  if (given.contains("timeout_s") && given["timeout_s"].get<double>() > kMaxTimeoutSeconds)
    given["timeout_s"] = kMaxTimeoutSeconds;
  return Arguments(std::move(given));
}

namespace schema {
json string() {
  return {{"type", "string"}};
}
json integer() {
  return {{"type", "integer"}};
}
json number() {
  return {{"type", "number"}};
}
json boolean() {
  return {{"type", "boolean"}};
}
json any() {
  return json::object();
}
json list(json item) {
  json list = {{"type", "array"}};
  if (!item.empty()) list["items"] = std::move(item);
  return list;
}
json object(json properties) {
  json object = {{"type", "object"}};
  if (!properties.empty()) object["properties"] = std::move(properties);
  return object;
}
json nullable(json schema) {
  return {{"anyOf", json::array({std::move(schema), json{{"type", "null"}}})}};
}
}  // namespace schema

}  // namespace leanbridge::mcp

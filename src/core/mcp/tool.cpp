#include "tool.hpp"

#include "core/base/ascii.hpp"
#include "core/base/joined.hpp"
#include "core/base/similar.hpp"
#include "core/base/try.hpp"
#include "core/io/seconds.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace leanbridge::mcp {

using nlohmann::json;

namespace {

constexpr std::pair<const char*, const char*> kAliases[] = {{"file", "file_path"}, {"col", "column"}};
constexpr double kMaxTimeoutSeconds = 24 * 3600;
constexpr double kExact = 1e15;  // whole numbers below this are exact

const char* type_name(wire::Type type) {
  switch (type) {
    case wire::Type::Boolean:
      return "boolean";
    case wire::Type::Integer:
      return "integer";
    case wire::Type::Number:
      return "number";
    case wire::Type::Array:
      return "array";
    case wire::Type::Object:
      return "object";
    case wire::Type::String:
    case wire::Type::Any:
      break;
  }
  return "string";
}

std::string words_for(const wire::ValueType& type) {
  const bool plain = type.type != wire::Type::Array || !type.item || type.item->type == wire::Type::Any;
  return plain ? type_name(type.type) : "array of " + std::string(type_name(type.item->type)) + "s";
}

std::vector<const wire::Field*> all_arguments(const Tool& tool) {
  auto arguments = wire::members_of(tool.arguments);
  if (tool.waits)
    for (const wire::Field* field : wire::members_of(wire::fields_of<WaitParams>()))
      arguments.push_back(field);
  for (const wire::Field* field : wire::members_of(wire::fields_of<DetailParams>()))
    arguments.push_back(field);
  return arguments;
}

std::vector<const wire::Field*> shown_arguments(const Tool& tool) {
  auto arguments = wire::members_of(tool.arguments);
  if (tool.waits && tool.shows_timeout)
    for (const wire::Field* field : wire::members_of(wire::fields_of<WaitParams>()))
      arguments.push_back(field);
  return arguments;
}

const wire::Field* find(const std::vector<const wire::Field*>& fields, const std::string& name) {
  const auto found =
      std::ranges::find_if(fields, [&](const wire::Field* field) { return field->name == name; });
  return found == fields.end() ? nullptr : *found;
}

// The beginning of a value in ASCII, which can be cut at any byte.
std::string excerpt(const json& value) {
  return without_long_numbers(value.dump(-1, ' ', true, json::error_handler_t::replace)).substr(0, 80);
}

// Writes 1 rather than 1.0.
json tidy(double number) {
  const bool is_whole = number == std::floor(number) && std::abs(number) < kExact;
  return is_whole ? json(static_cast<std::int64_t>(number)) : json(number);
}

tl::unexpected<Error> invalid(const Tool& tool, const std::string& message, const std::string& hint) {
  return fail(ErrorKind::InvalidArgument, tool.name + ": " + message, hint);
}

// `name` includes the path, such as `goal_at.line`.
Result<void> check_value(const Tool& tool, const wire::Field& field, const std::string& name,
                         const json& value) {
  const std::string expected = words_for(*field.type);
  if (!wire::has_type(value, *field.type))
    return invalid(tool,
                   "argument '" + name + "' must be " +
                       (std::string("ioa").find(expected[0]) != std::string::npos ? "an " : "a ") + expected +
                       ", not " + excerpt(value) + ".",
                   "Pass " + name + " as " + expected + ".");
  if (field.type->choices) {
    const auto choices = field.type->choices();
    if (std::ranges::find(choices, value.get<std::string>()) == choices.end())
      return invalid(tool, "argument '" + name + "' cannot be " + excerpt(value) + ".",
                     "Pass one of: " + joined(choices) + ".");
  }
  if (field.minimum && value.get<double>() < *field.minimum) {
    const std::string least = tidy(*field.minimum).dump();
    return invalid(tool, "argument '" + name + "' must be at least " + least + ", not " + value.dump() + ".",
                   least == "1" ? "Lines and columns count from 1." : "Pass " + least + " or more.");
  }
  return {};
}

// The schema allows other members: aliases and DetailParams are accepted, too, and check_arguments() suggests
// what an unknown member may mean.
json schema_of(const std::vector<const wire::Field*>& fields, const json& defaults = json::object()) {
  json properties = json::object();
  json required = json::array();
  for (const wire::Field* field : fields) {
    if (!field->listed) continue;
    json property = {{"type", type_name(field->type->type)}};
    if (field->type->fields) {
      property = schema_of(wire::members_of(field->type->fields()));
      // The description of the object covers its members.
      for (auto& member : property["properties"]) member.erase("description");
    }
    if (field->type->item) property["items"] = {{"type", type_name(field->type->item->type)}};
    if (field->type->choices) property["enum"] = field->type->choices();
    if (!field->description.empty()) property["description"] = field->description;
    // The defaults `false` and "" need no mention.
    if (const auto value = defaults.find(field->name); !field->required && value != defaults.end())
      if (value->is_number() || *value == true)
        property["default"] = value->is_number_float() ? tidy(value->get<double>()) : *value;
    properties[field->name] = std::move(property);
    if (field->required) required.push_back(field->name);
  }
  json schema = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

// The type without its contents. Uses anyOf for null: type arrays are valid, but some hosts do not support
// them.
json shallow_schema(const wire::ValueType& type) {
  if (type.type == wire::Type::Any) return json::object();
  json schema = {{"type", type_name(type.type)}};
  if (!type.nullable) return schema;
  return {{"anyOf", json::array({std::move(schema), json{{"type", "null"}}})}};
}

json output_schema(const wire::Fields& output) {
  json properties = json::object(), required = json::array();
  for (const wire::Field* field : wire::members_of(output)) {
    // Optional members promise nothing, so they are not worth their bytes in every host's context.
    if (!field->required || !field->listed) continue;
    properties[field->name] = shallow_schema(*field->type);
    if (field->always_present()) required.push_back(field->name);
  }
  json schema = {{"type", "object"}};
  if (!properties.empty()) schema["properties"] = std::move(properties);
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

}  // namespace

wire::Fields WaitParams::fields() {
  return {wire::field<&WaitParams::timeout_s>().at_least(0)};
}

wire::Fields DetailParams::fields() {
  return {wire::field<&DetailParams::verbose>().with_default().unlisted()};
}

std::shared_ptr<Call> new_call(const json& arguments, const CallDefaults& defaults) {
  const auto timeout_s = wire::read<WaitParams>(arguments).timeout_s;
  const bool verbose = wire::read<DetailParams>(arguments).verbose;
  auto call =
      std::make_shared<Call>(io::CancelScope(io::to_duration(timeout_s.value_or(defaults.timeout_s))));
  call->has_timeout = timeout_s.has_value();
  call->detail = verbose ? wire::Detail::Full : wire::Detail::Brief;
  call->text_budget = verbose ? 0 : defaults.text_budget;
  return call;
}

Annotations hints_of(const Tool& tool) {
  if (!tool.caller_code) return tool.annotations;
  return {.read_only = false, .destructive = true, .idempotent = false, .open_world = true};
}

json describe(const Tool& tool) {
  const Annotations hints = hints_of(tool);
  return {{"name", tool.name},
          {"title", tool.title},
          {"description", tool.description},
          {"inputSchema", schema_of(shown_arguments(tool), tool.defaults)},
          {"outputSchema", output_schema(tool.output)},
          {"annotations",
           {{"readOnlyHint", hints.read_only},
            {"destructiveHint", hints.destructive},
            {"idempotentHint", hints.idempotent},
            {"openWorldHint", hints.open_world}}}};
}

Result<json> arguments_from_words(const Tool& tool, const std::vector<std::string>& words) {
  const auto arguments = all_arguments(tool);
  json given = json::object();
  for (const std::string& word : words) {
    if (word.starts_with('{')) {
      const json object = json::parse(word, nullptr, false);
      if (!object.is_object())
        return invalid(tool, "'" + without_long_numbers(word) + "' is not a JSON object.",
                       R"(Quote it as one word, such as '{"file_path": "Foo.lean", "line": 3}'.)");
      for (const auto& [name, value] : object.items()) {
        if (given.contains(name))
          return invalid(tool, "argument '" + name + "' is given twice.", "Pass it only once.");
        given[name] = value;
      }
      continue;
    }
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos)
      return invalid(tool, "'" + word + "' is not NAME=VALUE.",
                     "Pass arguments as file_path=Foo.lean line=3, or as one JSON object.");
    std::string name = word.substr(0, equals);
    const std::string text = word.substr(equals + 1);
    for (const auto& [alias, meant] : kAliases)
      if (name == alias) name = meant;
    const wire::Field* argument = find(arguments, name);
    const bool is_list = argument && argument->type->type == wire::Type::Array;
    json value = json::parse(text, nullptr, false);
    if (value.is_discarded() || (argument && !wire::has_type(value, *argument->type))) value = text;
    if (given.contains(name) && !is_list)
      return invalid(tool, "argument '" + name + "' is given twice.", "Pass it only once.");
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

// Arguments that callers confuse with each other.
const std::vector<std::vector<std::string>> kSynonyms = {
    {"snippets", "tactics", "tactic", "snippet", "attempts", "step"},
    {"file_path", "path", "file_name", "filename", "uri"},
    {"line", "line_number", "row", "start_line"},
    {"column", "character", "offset"},
    {"query", "q", "search", "text", "pattern", "name"},
    {"name", "theorem_name", "declaration_name", "declaration", "decl", "theorem", "symbol", "lean_decl"},
    {"new_text", "text", "content", "replacement", "proof"},
    {"limit", "num_results", "max_results", "max_completions", "max_declarations", "top_n", "count"},
    {"code", "source", "snippet", "text"},
    {"expression", "expr", "term", "code"},
    {"timeout_s", "timeout", "inactivity_timeout"}};

std::vector<std::string> names_of_fields(const std::vector<const wire::Field*>& fields) {
  std::vector<std::string> names;
  names.reserve(fields.size());
  for (const wire::Field* field : fields) names.emplace_back(field->name);
  return names;
}

// "Did you mean tactic? ", or "".
std::string meant_by(const std::string& unknown, const std::vector<std::string>& known) {
  std::vector<std::string> meant = closest_words(unknown, known, 1);
  for (const auto& group : kSynonyms) {
    if (!meant.empty() || std::ranges::find(group, unknown) == group.end()) continue;
    for (const std::string& word : group)
      if (meant.empty() && std::ranges::find(known, word) != known.end()) meant.push_back(word);
  }
  return meant.empty() ? "" : "Did you mean " + meant.front() + "? ";
}

// Converts a value that the caller wrote as text ("7", "True", "[1, 2]") to its own type. Other values stay.
void read_from_text(const wire::ValueType& type, json& value) {
  if (!value.is_string()) return;
  const auto& text = value.get_ref<const std::string&>();
  const std::string lower = lower_case(text);
  if (type.type == wire::Type::Boolean && (lower == "true" || lower == "false")) {
    value = lower == "true";
  } else if (type.type == wire::Type::Array || type.type == wire::Type::Object) {
    json parsed = json::parse(text, nullptr, false);
    if (wire::has_type(parsed, type)) value = std::move(parsed);
  } else if (type.type == wire::Type::Integer || type.type == wire::Type::Number) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool fits = type.type == wire::Type::Integer ? std::abs(number) < kExact : std::isfinite(number);
    if (error == std::errc() && end == text.data() + text.size() && fits) value = tidy(number);
  }
}

// Checks an object and its members, and replaces aliases by the names that they stand for. `path` is "" or a
// prefix such as "goal_at.".
Result<void> check_members(const Tool& tool, const std::vector<const wire::Field*>& fields,
                           const std::string& path, json& given) {
  for (const auto& [alias, name] : kAliases) {
    if (!given.contains(alias) || !find(fields, name)) continue;
    if (given.contains(name))
      return invalid(tool, "'" + path + alias + "' and '" + path + name + "' are the same argument.",
                     "Pass only one of them.");
    given[name] = given[alias];
    given.erase(alias);
  }
  for (auto item = given.begin(); item != given.end();) {
    const wire::Field* field = find(fields, item.key());
    if (!field) {
      const auto names = names_of_fields(fields);
      return invalid(tool, "unknown argument '" + path + item.key() + "'.",
                     meant_by(item.key(), names) + "Its arguments are: " + joined(names) + ".");
    }
    // Hosts send null, and models "", for arguments that they mean to leave out. A text argument may be
    // empty, however.
    const bool is_text = field->type->type == wire::Type::String && !field->type->choices;
    if (!field->required && (item.value().is_null() || (item.value() == std::string_view("") && !is_text))) {
      item = given.erase(item);
      continue;
    }
    read_from_text(*field->type, item.value());
    if (auto valid = check_value(tool, *field, path + item.key(), item.value()); !valid) return valid;
    if (field->type->fields) {
      const auto members = wire::members_of(field->type->fields());
      if (auto valid = check_members(tool, members, path + item.key() + ".", item.value()); !valid)
        return valid;
    }
    ++item;
  }
  for (const wire::Field* field : fields)
    if (field->required && !given.contains(field->name))
      return invalid(tool, "argument '" + path + std::string(field->name) + "' is missing.",
                     field->description.empty()
                         ? "Pass " + std::string(field->name) + "."
                         : std::string(field->name) + ": " + std::string(field->description) + ".");
  return {};
}

}  // namespace

Result<json> check_arguments(const Tool& tool, json given) {
  TRY_DONE(check_members(tool, all_arguments(tool), "", given));
  if (given.contains("timeout_s") && given["timeout_s"].get<double>() > kMaxTimeoutSeconds)
    given["timeout_s"] = kMaxTimeoutSeconds;
  return given;
}

}  // namespace leanbridge::mcp

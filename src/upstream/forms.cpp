// The two forms of configuration files: TOML with [[servers]], and JSON in the shapes that hosts use.

#include "leanbridge/base/json.hpp"

#include "entry.hpp"
#include <toml++/toml.h>

namespace leanbridge::upstream {

using nlohmann::json;

namespace {

constexpr const char* kNothingUsed = "Correct the file; nothing in it is used until then.";

struct TooDeep {};

// Comments are in many of these files, so brackets can be counted by the parser only.
json parse_with_comments(const std::string& text) {
  const auto keep = [](int depth, json::parse_event_t, const json&) {
    if (static_cast<std::size_t>(depth) > kMaxJsonNesting) throw TooDeep{};
    return true;
  };
  return json::parse(text, keep, true, true);
}

json as_json(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    json object = json::object();
    for (const auto& [key, value] : *table) object[std::string(key.str())] = as_json(value);
    return object;
  }
  if (const auto* array = node.as_array()) {
    json list = json::array();
    for (const toml::node& value : *array) list.push_back(as_json(value));
    return list;
  }
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto flag = node.value_exact<bool>()) return *flag;
  if (const auto integer = node.value_exact<std::int64_t>()) return *integer;
  if (const auto number = node.value_exact<double>()) return *number;
  return nullptr;  // dates: no key has one
}

int line_in(const toml::node& node) {
  return static_cast<int>(node.source().begin.line);
}

// Where `"NAME":` stands, for messages: the JSON library does not keep places.
int line_of_key(const std::string& text, const std::string& name) {
  const std::string key = json(name).dump();
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
    const std::size_t next = text.find_first_not_of(" \t\r\n", at + key.size());
    if (next != std::string::npos && text[next] == ':') return line_of(text, at);
  }
  return 0;
}

}  // namespace

void add_toml(Config& config, const EntryContext& context, const std::string& text) {
  toml::table document;
  try {
    document = toml::parse(text);
  } catch (const toml::parse_error& error) {
    config.problems.push_back({"", context.file, static_cast<int>(error.source().begin.line),
                               "This is not TOML: " + std::string(error.description()) + ".",
                               "Correct the file; nothing in it is used until then."});
    return;
  }
  if (const toml::node* auth = document.get("auth"))
    config.problems.push_back({"", context.file, line_in(*auth), "[auth] outside a server is ignored.",
                               "Write [servers.auth] after the [[servers]] it belongs to."});
  const toml::node* servers = document.get("servers");
  if (!servers) return;
  const toml::array* list = servers->as_array();
  if (!list) {
    config.problems.push_back({"", context.file, line_in(*servers), "'servers' is not a list of tables.",
                               "Begin each server with [[servers]], in double brackets."});
    return;
  }
  for (const toml::node& node : *list) {
    json entry = as_json(node);
    const bool named = entry.is_object() && entry.contains("name") && entry["name"].is_string();
    const std::string name = named ? entry["name"].get<std::string>() : "";
    add_entry(config, context, name, std::move(entry), line_in(node));
  }
}

void add_json(Config& config, const EntryContext& context, const std::string& text) {
  const auto problem = [&](int line, std::string message, std::string fix) {
    config.problems.push_back({"", context.file, line, std::move(message), std::move(fix)});
  };
  json document;
  try {
    document = parse_with_comments(text);
  } catch (const TooDeep&) {
    return problem(1, "This is nested too deeply.", kNothingUsed);
  } catch (const json::parse_error& error) {
    return problem(line_of(text, error.byte), "This is not JSON.", kNothingUsed);
  } catch (const json::exception&) {
    return problem(1, "This holds a number that is out of range.", kNothingUsed);
  }
  if (!document.is_object())
    return problem(1, "This is not a JSON object.", R"(Write {"mcpServers": {"NAME": {...}}}.)");
  for (const char* member : {"mcpServers", "servers", "mcp"}) {
    const auto servers = document.find(member);
    if (servers == document.end()) continue;
    if (!servers->is_object())
      return problem(line_of_key(text, member), std::string("'") + member + "' is not an object.",
                     "Write it as {\"NAME\": {...}}.");
    for (const auto& [name, entry] : servers->items())
      add_entry(config, context, name, entry, line_of_key(text, name));
    return;
  }
  if (context.origin != Origin::Extension) return;  // a file of something else, or of no servers
  const bool named = document.contains("name") && document["name"].is_string();
  const std::string name = named ? document["name"].get<std::string>() : context.file.stem().string();
  add_entry(config, context, name, std::move(document), 1);
}

}  // namespace leanbridge::upstream

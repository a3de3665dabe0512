#include "config_text.hpp"

#include "core/base/joined.hpp"
#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/text/lines.hpp"
#include "gateway/upstream/config.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

namespace leanbridge::app::hosts {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr std::size_t kMaxDepth = 512;
constexpr const char* kCorrect = "Nothing was changed. Correct the file, or edit it by hand.";
constexpr const char* kByHand = "Nothing was changed. Edit it by hand.";

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

tl::unexpected<Error> refused(const ConfigText& config, std::size_t at, const std::string& what) {
  at = std::min(at, config.text.size());
  const std::string_view before(config.text.data(), at);
  const std::size_t column = at - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
  return fail(ErrorKind::InvalidArgument,
              config.file + ":" + std::to_string(text::line_number(before, at)) + ":" +
                  std::to_string(column) + ": " + what,
              kCorrect);
}

// The closing quote of the string that begins there, or the end of the text.
std::size_t end_of_string(const std::string& text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return at;
}

// The text with blanks in place of comments and of commas behind the last member, so that positions stay. The
// parser handles anything that is not such a comment.
std::string without_comments(std::string text) {
  std::size_t comma = std::string::npos;  // the last comma, while only blanks have followed it
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view two = std::string_view(text).substr(at, 2);
    if (two == "//" || two == "/*") {
      const std::size_t close = two == "//" ? text.find('\n', at) : text.find("*/", at + 2);
      if (close == std::string::npos && two == "/*") return text;
      const std::size_t end = two == "//" ? std::min(close, text.size()) : close + 2;
      for (; at < end; ++at)
        if (text[at] != '\n' && text[at] != '\r') text[at] = ' ';
      --at;
    } else if (text[at] == '"') {
      at = end_of_string(text, at);
      comma = std::string::npos;
    } else if (text[at] == ',') {
      comma = at;
    } else if ((text[at] == '}' || text[at] == ']') && comma != std::string::npos) {
      text[std::exchange(comma, std::string::npos)] = ' ';
    } else if (!is_blank(two.substr(0, 1))) {
      comma = std::string::npos;
    }
  }
  return text;
}

// `text`: the file's, perhaps without its comments.
template <class Json>
Result<Json> parse_object(const ConfigText& config, const std::string& text) {
  if (is_blank(text)) return Json::object();
  if (nests_deeper_than(text, kMaxDepth)) return refused(config, 0, "the JSON is nested too deeply.");
  try {
    Json document = Json::parse(text);
    if (!document.is_object())
      return refused(config, text.find_first_not_of(" \t\r\n"), "this is not an object.");
    return document;
  } catch (const json::parse_error& error) {
    return refused(config, error.byte == 0 ? 0 : error.byte - 1, "this is not valid JSON.");
  } catch (const json::exception&) {
    return refused(config, 0, "the JSON has a number that is out of range.");
  }
}

// A name that an object has twice: hosts differ in which of the two they use.
std::string repeated_name(const std::string& text) {
  std::vector<std::set<std::string>> names;
  std::string repeated;
  const auto look = [&](int, json::parse_event_t event, const json& value) {
    if (event == json::parse_event_t::object_start) names.emplace_back();
    if (event == json::parse_event_t::object_end) names.pop_back();
    if (event == json::parse_event_t::key && !names.back().insert(value.get<std::string>()).second)
      repeated = value.get<std::string>();
    return true;
  };
  static_cast<void>(json::parse(text, look, false));
  return repeated;
}

Result<json> read_toml_document(const ConfigText& config) {
  auto document = upstream::read_toml(config.text);
  if (document) return std::move(*document);
  const upstream::TextProblem& problem = document.error();
  return fail(ErrorKind::InvalidArgument,
              config.file + ":" + std::to_string(problem.line) + ":" + std::to_string(problem.column) +
                  ": this is not valid TOML: " + problem.what + ".",
              kCorrect);
}

// The whole file, if rewriting it loses nothing.
Result<ordered_json> open_for_edit(const ConfigText& config) {
  TRY(const json document, read_document(config));  // a file that the host cannot read gives its own error
  if (config.format == ConfigFormat::Toml)
    return fail(ErrorKind::NotSupported, config.file + " is TOML, which an edit would rearrange.", kByHand);
  auto whole = parse_object<ordered_json>(config, config.text);
  if (!whole)
    return fail(ErrorKind::NotSupported, config.file + " has comments, which an edit would lose.", kByHand);
  if (is_blank(config.text)) return whole;
  if (const std::string name = repeated_name(config.text); !name.empty())
    return fail(ErrorKind::NotSupported, config.file + ": '" + name + "' occurs twice.", kByHand);
  return whole;
}

// The document, indented as in `like`.
std::string written(const ordered_json& document, const std::string& like) {
  const std::size_t line = like.find('\n') + 1;  // npos + 1 is 0
  const std::size_t first = line == 0 ? line : std::min(like.find_first_not_of(" \t", line), like.size());
  const std::size_t width = first - line;
  const char blank = width > 0 ? like[line] : ' ';
  const int indent = width > 0 ? static_cast<int>(width) : 2;
  return document.dump(indent, blank, false, json::error_handler_t::replace) + "\n";
}

ConfigEdit edit_between(const ordered_json& before, const ordered_json& after, const ConfigText& config) {
  if (before == after) return {config.text, ""};
  ConfigEdit edit;
  if (!after.empty()) edit.text = written(after, config.text);
  edit.difference = diff_of(before.empty() ? "" : written(before, config.text), edit.text);
  return edit;
}

// --- TOML

std::string toml_value(const json& value) {
  if (!value.is_array()) return value.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string items;
  for (const json& item : value) join(items, toml_value(item));
  return "[" + items + "]";
}

std::string toml_key(const std::string& key) {
  const bool is_bare = !key.empty() && std::ranges::all_of(key, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
  return is_bare ? key : toml_value(key);
}

std::string toml_header(const EntryPath& path) {
  std::string header;
  for (const std::string& name : path) header += (header.empty() ? "" : ".") + toml_key(name);
  return "[" + header + "]\n";
}

// The file with what its table lacks of the entry, below the header, if that changes nothing else.
Result<ConfigEdit> with_lines(const ConfigText& config, const EntryPath& path, const json& entry) {
  TRY(json wanted, read_toml_document(config));
  const std::string header = toml_header(path);
  const std::size_t at = ("\n" + config.text).find("\n" + header);
  json* table = &wanted;
  for (const std::string& name : path) table = table->is_object() ? &(*table)[name] : table;
  ConfigText changed = config;
  bool is_complete = at != std::string::npos && table->is_object();
  if (is_complete)
    for (const auto& [key, value] : entry.items()) {
      if (!table->contains(key)) {
        (*table)[key] = value;
        changed.text.insert(at + header.size(), toml_key(key) + " = " + toml_value(value) + "\n");
      }
      is_complete = is_complete && (*table)[key] == value;
    }
  const auto written = read_toml_document(changed);
  if (!is_complete || !written || *written != wanted)
    return fail(ErrorKind::NotSupported, config.file + " is TOML, which an edit would rearrange.", kByHand);
  return ConfigEdit{changed.text, diff_of(config.text, changed.text)};
}

}  // namespace

Result<json> read_document(const ConfigText& config) {
  if (is_blank(config.text)) return json::object();
  if (config.format == ConfigFormat::Toml) return read_toml_document(config);
  const bool has_comments = config.format == ConfigFormat::JsonWithComments;
  return parse_object<json>(config, has_comments ? without_comments(config.text) : config.text);
}

const json* find_at(const json& document, const EntryPath& path) {
  const json* at = &document;
  for (const std::string& name : path) {
    if (!at->is_object()) return nullptr;
    const auto member = at->find(name);
    if (member == at->end()) return nullptr;
    at = &*member;
  }
  return at;
}

bool has_all_of(const json& entry, const json& wanted) {
  if (!entry.is_object()) return false;
  for (const auto& [name, value] : wanted.items()) {
    const auto member = entry.find(name);
    if (name == "tool_timeout_sec") continue;
    if (member == entry.end()) return false;
    if (value.is_object() ? !has_all_of(*member, value) : *member != value) return false;
  }
  return true;
}

Result<ConfigEdit> with_entry(const ConfigText& config, const EntryPath& path, const json& entry) {
  if (config.format == ConfigFormat::Toml) return with_lines(config, path, entry);
  TRY(const ordered_json before, open_for_edit(config));
  ordered_json after = before;
  ordered_json* at = &after;
  std::string name;
  for (const std::string& next : path) {
    if (!at->is_null() && !at->is_object()) break;
    at = &(*at)[next];
    name = next;
  }
  if (!at->is_null() && !at->is_object())
    return fail(ErrorKind::InvalidArgument, config.file + ": '" + name + "' is not an object.", kCorrect);
  for (const auto& [key, value] : entry.items()) {
    if (value.is_object() && at->contains(key) && (*at)[key].is_object())
      (*at)[key].update(ordered_json(value));
    else
      (*at)[key] = value;
  }
  return edit_between(before, after, config);
}

Result<ConfigEdit> without_entry(const ConfigText& config, const EntryPath& path) {
  TRY(const json document, read_document(config));
  if (!find_at(document, path)) return ConfigEdit{config.text, ""};
  TRY(const ordered_json before, open_for_edit(config));
  ordered_json after = before;
  for (EntryPath rest = path; !rest.empty();) {
    const std::string name = rest.back();
    rest.pop_back();
    ordered_json* around = &after;
    for (const std::string& each : rest) around = &(*around)[each];
    around->erase(name);
    if (!around->empty()) break;
  }
  return edit_between(before, after, config);
}

std::string json_text(const json& value) {
  return value.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string toml_table(const EntryPath& path, const json& entry) {
  std::string text = toml_header(path), tables;
  for (const auto& [key, value] : entry.items()) {
    if (value.is_object()) {
      EntryPath inner = path;
      inner.push_back(key);
      tables += "\n" + toml_table(inner, value);
    } else {
      text += toml_key(key) + " = " + toml_value(value) + "\n";
    }
  }
  return text + tables;
}

}  // namespace leanbridge::app::hosts

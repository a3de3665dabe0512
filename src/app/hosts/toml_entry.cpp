// Entries in TOML: the library parses a text and decides what it means; the lines are found in the text,
// which is then known to be valid.

#include "leanbridge/upstream/config.hpp"

#include "text_edit.hpp"

#include <algorithm>
#include <utility>

namespace leanbridge::app::hosts {

using nlohmann::json;

namespace {

struct TomlLine {
  enum class Kind { Other, Header, KeyValue };
  Kind kind = Kind::Other;
  EntryPath path;         // of a table, or of a key in its table
  bool is_array = false;  // [[header]]
  std::size_t begin = 0;
  std::size_t end = 0;  // behind the line's end
  std::size_t value = 0;
  std::size_t value_end = 0;
};

// For valid TOML.
class TomlScanner {
 public:
  explicit TomlScanner(const std::string& text) : text_(text) {}

  std::vector<TomlLine> lines() {
    std::vector<TomlLine> lines;
    at_ = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    while (at_ < text_.size()) {
      TomlLine line;
      line.begin = at_;
      skip_spaces();
      if (peek() == '[') {
        line.kind = TomlLine::Kind::Header;
        ++at_;
        line.is_array = peek() == '[';
        if (line.is_array) ++at_;
        line.path = key();
      } else if (peek() != '#' && peek() != '\n' && peek() != '\r' && peek() != '\0') {
        line.kind = TomlLine::Kind::KeyValue;
        line.path = key();
        ++at_;  // =
        skip_spaces();
        line.value = at_;
        skip_value();
        line.value_end = at_;
      }
      at_ = std::min(text_.find('\n', at_), text_.size());
      if (at_ < text_.size()) ++at_;
      line.end = at_;
      lines.push_back(std::move(line));
    }
    return lines;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_spaces() {
    while (is_space(peek())) ++at_;
  }

  EntryPath key() {
    EntryPath path;
    for (;;) {
      skip_spaces();
      const std::size_t begin = at_;
      if (peek() == '"') {
        skip_string();
        const json name = json::parse(text_.substr(begin, at_ - begin), nullptr, false);
        path.push_back(name.is_string() ? name.get<std::string>() : text_.substr(begin, at_ - begin));
      } else if (peek() == '\'') {
        skip_string();
        path.push_back(text_.substr(begin + 1, at_ - begin - 2));
      } else {
        while (at_ < text_.size() && !is_space(text_[at_]) &&
               std::string_view(".=]\n\r").find(text_[at_]) == npos)
          ++at_;
        path.push_back(text_.substr(begin, at_ - begin));
      }
      skip_spaces();
      if (peek() != '.') return path;
      ++at_;
    }
  }

  void skip_string() {
    const char quote = peek();
    const std::string three(3, quote);
    if (text_.compare(at_, 3, three) == 0) {
      for (at_ += 3; at_ < text_.size() && text_.compare(at_, 3, three) != 0; ++at_)
        if (quote == '"' && text_[at_] == '\\') ++at_;
      at_ += 3;
      while (peek() == quote) ++at_;  // up to two quotes belong to the string
    } else {
      for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_)
        if (quote == '"' && text_[at_] == '\\') ++at_;
      ++at_;
    }
    at_ = std::min(at_, text_.size());
  }

  // To the end of the value, without what follows it on its line.
  void skip_value() {
    int depth = 0;
    std::size_t end = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string();
        end = at_;
        continue;
      }
      if (c == '#') {
        if (depth == 0) break;
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      }
      if (c == '\n' && depth == 0) break;
      if (c == '[' || c == '{') ++depth;
      if (c == ']' || c == '}') --depth;
      ++at_;
      if (!is_space(c) && c != '\r' && c != '\n') end = at_;
    }
    at_ = end;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

bool is_bare_key(const std::string& key) {
  return !key.empty() &&
         key.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == npos;
}

// A JSON string is a TOML basic string, but for DEL, which TOML wants escaped.
std::string toml_text(const std::string& text) {
  std::string result;
  for (const char c : dumped(text)) result += c == '\x7f' ? std::string("\\u007f") : std::string(1, c);
  return result;
}

std::string toml_key(const std::string& key) {
  return is_bare_key(key) ? key : toml_text(key);
}

std::string toml_value(const json& value) {
  std::string inside;
  if (value.is_string()) return toml_text(value.get<std::string>());
  if (value.is_array()) {
    for (const json& item : value) inside += (inside.empty() ? "" : ", ") + toml_value(item);
    return "[" + inside + "]";
  }
  if (value.is_object()) {
    for (const auto& [key, item] : value.items())
      inside += (inside.empty() ? "" : ", ") + toml_key(key) + " = " + toml_value(item);
    return inside.empty() ? "{}" : "{ " + inside + " }";
  }
  return dumped(value);
}

bool begins_with(const EntryPath& path, const EntryPath& prefix) {
  return path.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

// The lines of a table: its header and its keys.
struct TomlTable {
  const TomlLine* header = nullptr;
  std::vector<const TomlLine*> keys;

  std::size_t end() const { return keys.empty() ? header->end : keys.back()->end; }
  const TomlLine* find(const std::string& key) const {
    const auto found = std::find_if(keys.begin(), keys.end(),
                                    [&](const TomlLine* line) { return line->path.front() == key; });
    return found == keys.end() ? nullptr : *found;
  }
};

std::vector<TomlTable> tables_of(const std::vector<TomlLine>& lines) {
  std::vector<TomlTable> tables;
  for (const TomlLine& line : lines) {
    if (line.kind == TomlLine::Kind::Header) tables.push_back({&line, {}});
    if (line.kind == TomlLine::Kind::KeyValue && !tables.empty()) tables.back().keys.push_back(&line);
  }
  return tables;
}

const TomlTable* find_table(const std::vector<TomlTable>& tables, const EntryPath& path) {
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const TomlTable& t) {
    return t.header->path == path && !t.header->is_array;
  });
  return found == tables.end() ? nullptr : &*found;
}

constexpr const char* kOtherForm =
    "the entry is not written as a table of its own, [mcp_servers.NAME]: edit it by hand.";

// Sets one key of a table that exists.
Result<std::string> set_in_table(const ConfigText& config, const EntryPath& path, const std::string& key,
                                 const json& value) {
  const std::vector<TomlLine> lines = TomlScanner(config.text).lines();
  const std::vector<TomlTable> tables = tables_of(lines);
  const TomlTable* table = find_table(tables, path);
  if (!table) return refused(config, 0, kOtherForm);
  const TomlLine* line = table->find(key);
  if (line && line->path.size() > 1) return refused(config, line->begin, kOtherForm);
  if (line) return edited(config.text, {{line->value, line->value_end, toml_value(value)}});
  const std::size_t end = table->end();
  const bool has_end = end > 0 && config.text[end - 1] == '\n';
  const std::string newline = newline_of(config.text);
  std::string added = toml_key(key) + " = " + toml_value(value) + newline;
  if (!has_end) added.insert(0, newline);
  return edited(config.text, {{end, end, std::move(added)}});
}

}  // namespace

Result<json> read_toml_text(const ConfigText& config) {
  auto document = upstream::read_toml(config.text);
  if (document) return std::move(*document);
  return fail(ErrorKind::InvalidArgument,
              config.file + ":" + std::to_string(document.error().line) + ":" +
                  std::to_string(document.error().column) +
                  ": this is not valid TOML: " + document.error().what + ".",
              "Nothing was changed. Correct the file, or edit it by hand.");
}

Result<std::string> with_toml_entry(ConfigText config, const EntryPath& path, const json& entry) {
  auto document = read_toml_text(config);
  if (!document) return tl::unexpected(document.error());
  const json* known = find_at(*document, path);
  if (!known) {
    const std::string newline = newline_of(config.text);
    std::string& text = config.text;
    if (!text.empty() && text.back() != '\n') text += newline;
    if (!text.empty()) text += newline;
    for (const char c : toml_table(path, entry)) text += c == '\n' ? newline : std::string(1, c);
    return text;
  }
  for (const auto& [key, value] : entry.items()) {
    const auto old = known->find(key);
    if (old != known->end() && *old == value) continue;
    EntryPath inner = path;
    inner.push_back(key);
    const std::vector<TomlLine> lines = TomlScanner(config.text).lines();
    const std::vector<TomlTable> tables = tables_of(lines);
    if (value.is_object() && old != known->end() && find_table(tables, inner)) {
      for (const auto& [name, text] : value.items()) {
        if (old->contains(name) && (*old)[name] == text) continue;
        auto next = set_in_table(config, inner, name, text);
        if (!next) return next;
        config.text = std::move(*next);
      }
      continue;
    }
    json merged = value;
    if (value.is_object() && old != known->end() && old->is_object()) {
      merged = *old;
      merged.update(value);
    }
    auto next = set_in_table(config, path, key, merged);
    if (!next) return next;
    config.text = std::move(*next);
  }
  return config.text;
}

Result<std::string> without_toml_entry(const ConfigText& config, const EntryPath& path) {
  const auto document = read_toml_text(config);
  if (!document) return tl::unexpected(document.error());
  if (!find_at(*document, path)) return config.text;
  const std::vector<TomlLine> lines = TomlScanner(config.text).lines();
  std::vector<Edit> edits;
  for (const TomlTable& table : tables_of(lines))
    if (begins_with(table.header->path, path)) edits.push_back({table.header->begin, table.end(), ""});
  if (edits.empty()) return refused(config, 0, kOtherForm);
  std::string text = edited(config.text, edits);
  // The blank line that set the table off at the end of the file.
  if (edits.back().end == config.text.size()) {
    const std::string newline = newline_of(config.text);
    if (text.ends_with(newline + newline)) text.resize(text.size() - newline.size());
  }
  return is_blank(text) ? std::string() : text;
}

std::string toml_table(const EntryPath& path, const json& entry) {
  std::string header;
  for (const std::string& name : path) header += (header.empty() ? "" : ".") + toml_key(name);
  std::string text = "[" + header + "]\n";
  for (const auto& [key, value] : entry.items()) text += toml_key(key) + " = " + toml_value(value) + "\n";
  return text;
}

}  // namespace leanbridge::app::hosts

#include "config_text.hpp"

#include "text_edit.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace leanbridge::app::hosts {

using nlohmann::json;

std::string edited(const std::string& text, const std::vector<Edit>& edits) {
  std::string result;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    result.append(text, at, edit.begin - at);
    result += edit.replacement;
    at = edit.end;
  }
  return result.append(text, at);
}

tl::unexpected<Error> refused(const ConfigText& config, std::size_t at, const std::string& what) {
  at = std::min(at, config.text.size());
  const std::string_view before(config.text.data(), at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_begin = before.rfind('\n') == npos ? 0 : before.rfind('\n') + 1;
  return fail(
      ErrorKind::InvalidArgument,
      config.file + ":" + std::to_string(line) + ":" + std::to_string(at - line_begin + 1) + ": " + what,
      "Nothing was changed. Correct the file, or edit it by hand.");
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::string newline_of(const std::string& text) {
  const std::size_t at = text.find('\n');
  return at != npos && at > 0 && text[at - 1] == '\r' ? "\r\n" : "\n";
}

std::string dumped(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
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

namespace {

struct Layout {
  std::string newline;  // empty: all on one line
  std::string unit;     // by which members are indented
};

// As people write it: one line for each member of an object, one for a whole list.
std::string laid_out(const json& value, const Layout& layout, const std::string& indent) {
  if (value.empty() || !value.is_structured()) return dumped(value);
  const bool lines = value.is_object() && !layout.newline.empty();
  const std::string inner = lines ? indent + layout.unit : indent;
  std::string text;
  for (const auto& [key, item] : value.items()) {
    text += text.empty() ? "" : lines ? "," : ", ";
    if (lines) text += layout.newline + inner;
    if (value.is_object()) text += dumped(key) + ": ";
    text += laid_out(item, layout, inner);
  }
  if (value.is_array()) return "[" + text + "]";
  return "{" + text + (lines ? layout.newline + indent : "") + "}";
}

// --- JSON: a text in which comments and trailing commas are blanks is parsed by the library; what it does
// not say, where each member is, is then found in that text, which is known to be valid.

struct PlainJson {
  std::string without_comments;  // the same length as the text
  std::string strict;            // without trailing commas, too
};

class CommentRemover {
 public:
  explicit CommentRemover(const ConfigText& config) : config_(config), plain_{config.text, {}} {}

  Result<PlainJson> remove() {
    std::string& text = plain_.without_comments;
    if (text.starts_with(kByteOrderMark)) blank(0, kByteOrderMark.size());
    std::vector<std::size_t> trailing;
    std::size_t comma = npos;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '/' && at + 1 < text.size() && (text[at + 1] == '/' || text[at + 1] == '*')) {
        const auto end = end_of_comment(at);
        if (!end) return tl::unexpected(end.error());
        blank(at, *end);
        at = *end - 1;
        continue;
      }
      if (is_space(c) || c == '\r' || c == '\n') continue;
      if ((c == '}' || c == ']') && comma != npos) trailing.push_back(comma);
      comma = c == ',' ? at : npos;
      if (c == '"') at = end_of_string(at);
    }
    plain_.strict = text;
    if (config_.format == ConfigFormat::JsonWithComments)
      for (const std::size_t each : trailing) plain_.strict[each] = ' ';
    return std::move(plain_);
  }

 private:
  Result<std::size_t> end_of_comment(std::size_t at) const {
    const std::string& text = plain_.without_comments;
    if (config_.format == ConfigFormat::Json)
      return refused(config_, at, "a comment, which this host does not accept in this file.");
    if (text[at + 1] == '/') return std::min(text.find('\n', at), text.size());
    const std::size_t end = text.find("*/", at + 2);
    if (end == npos) return refused(config_, at, "this comment has no end.");
    return end + 2;
  }

  // The closing quote, or the last character of a text without one.
  std::size_t end_of_string(std::size_t at) const {
    const std::string& text = plain_.without_comments;
    for (++at; at < text.size() && text[at] != '"'; ++at)
      if (text[at] == '\\') ++at;
    return std::min(at, text.size() - 1);
  }

  void blank(std::size_t from, std::size_t to) {
    for (; from < to; ++from)
      if (plain_.without_comments[from] != '\n' && plain_.without_comments[from] != '\r')
        plain_.without_comments[from] = ' ';
  }

  const ConfigText& config_;
  PlainJson plain_;
};

struct TooDeep {};

Result<json> parse_json(const ConfigText& config, const std::string& strict) {
  constexpr int kMaxDepth = 512;
  const auto keep = [](int depth, json::parse_event_t, const json&) {
    if (depth > kMaxDepth) throw TooDeep{};
    return true;
  };
  try {
    json document = json::parse(strict, keep);
    if (!document.is_object())
      return refused(config, strict.find_first_not_of(" \t\r\n"), "this is not an object.");
    return document;
  } catch (const TooDeep&) {
    return refused(config, 0, "the JSON is nested too deeply.");
  } catch (const json::parse_error& error) {
    return refused(config, error.byte == 0 ? 0 : error.byte - 1, "this is not valid JSON.");
  } catch (const json::exception&) {
    return refused(config, 0, "the JSON has a number that is out of range.");
  }
}

struct Member {
  std::string name;
  std::size_t key = 0;    // where it begins
  std::size_t value = 0;  // where it begins
  std::size_t end = 0;    // of the value
};

struct ObjectText {
  std::size_t open = 0;   // the {
  std::size_t close = 0;  // the }
  std::vector<Member> members;

  const Member* find(const std::string& name) const {
    const auto found =
        std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.name == name; });
    return found == members.end() ? nullptr : &*found;
  }
};

// For valid JSON.
class JsonScanner {
 public:
  explicit JsonScanner(const std::string& strict) : text_(strict) {}

  ObjectText object_at(std::size_t open) const {
    ObjectText object;
    object.open = open;
    std::size_t at = next(open + 1);
    while (text_[at] == '"') {
      Member member;
      member.key = at;
      at = string_end(at);
      member.name = json::parse(text_.substr(member.key, at - member.key)).get<std::string>();
      member.value = next(next(at) + 1);
      member.end = value_end(member.value);
      at = next(member.end);
      object.members.push_back(std::move(member));
      if (text_[at] != ',') break;
      at = next(at + 1);
    }
    object.close = at;
    return object;
  }

  std::size_t next(std::size_t at) const { return text_.find_first_not_of(" \t\r\n", at); }

 private:
  std::size_t string_end(std::size_t at) const {
    for (++at; text_[at] != '"'; ++at)
      if (text_[at] == '\\') ++at;
    return at + 1;
  }

  std::size_t value_end(std::size_t at) const {
    if (text_[at] == '"') return string_end(at);
    if (text_[at] != '{' && text_[at] != '[')
      return std::min(text_.find_first_of(" \t\r\n,}]", at), text_.size());
    for (int depth = 0;;) {
      const char c = text_[at];
      if (c == '"') {
        at = string_end(at);
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      ++at;
      if (depth == 0) return at;
    }
  }

  const std::string& text_;
};

// A JSON text that can be edited, one member at a time.
class JsonEditor {
 public:
  static Result<JsonEditor> open(const ConfigText& config) {
    JsonEditor editor(config);
    if (is_blank(config.text)) editor.config_.text = "{}\n";
    if (const auto read = editor.scan(); !read) return tl::unexpected(read.error());
    return editor;
  }

  const json& document() const { return document_; }
  const std::string& text() const { return config_.text; }

  // Where the value of a member is that exists.
  std::size_t place_of(const EntryPath& path) const {
    std::size_t at = root().open;
    for (const std::string& name : path) at = JsonScanner(plain_.strict).object_at(at).find(name)->value;
    return at;
  }

  // Sets one member, and makes the objects around it that are missing.
  Result<void> set(const EntryPath& path, json value) {
    ObjectText object = root();
    for (std::size_t depth = 0; depth < path.size(); ++depth) {
      if (auto clear = unambiguous(object, path[depth]); !clear) return clear;
      const Member* member = object.find(path[depth]);
      if (!member) {
        for (std::size_t inner = path.size(); inner-- > depth + 1;)
          value = json{{path[inner], std::move(value)}};
        return insert(object, path[depth], value);
      }
      if (depth + 1 == path.size()) {
        if (json::parse(plain_.strict.substr(member->value, member->end - member->value)) == value) return {};
        return apply({{member->value, member->end, indented(value, indent_at(member->key))}});
      }
      if (plain_.strict[member->value] != '{')
        return refused(config_, member->value, "'" + path[depth] + "' is not an object.");
      object = JsonScanner(plain_.strict).object_at(member->value);
    }
    return {};
  }

  // Removes a member that exists, then the objects around it as far as they are empty.
  Result<void> remove(EntryPath path) {
    while (!path.empty()) {
      ObjectText object = root();
      for (std::size_t depth = 0; depth + 1 < path.size(); ++depth) {
        if (auto clear = unambiguous(object, path[depth]); !clear) return clear;
        object = JsonScanner(plain_.strict).object_at(object.find(path[depth])->value);
      }
      if (auto clear = unambiguous(object, path.back()); !clear) return clear;
      if (auto cut = cut_member(object, path.back()); !cut) return cut;
      path.pop_back();
      if (const json* around = find_at(document_, path); !around->empty() || !is_bare(path)) return {};
    }
    config_.text.clear();
    return {};
  }

 private:
  explicit JsonEditor(ConfigText config) : config_(std::move(config)) {}

  Result<void> scan() {
    auto plain = CommentRemover(config_).remove();
    if (!plain) return tl::unexpected(plain.error());
    plain_ = std::move(*plain);
    auto document = parse_json(config_, plain_.strict);
    if (!document) return tl::unexpected(document.error());
    document_ = std::move(*document);
    return {};
  }

  Result<void> apply(std::vector<Edit> edits) {
    config_.text = edited(config_.text, edits);
    return scan();
  }

  ObjectText root() const {
    const JsonScanner scanner(plain_.strict);
    return scanner.object_at(scanner.next(0));
  }

  // Hosts differ in which of two equal names they use.
  Result<void> unambiguous(const ObjectText& object, const std::string& name) const {
    const Member* first = object.find(name);
    for (const Member& member : object.members)
      if (member.name == name && &member != first)
        return refused(config_, member.key, "'" + name + "' occurs twice.");
    return {};
  }

  bool has_comment(std::size_t from, std::size_t to) const {
    return config_.text.compare(from, to - from, plain_.without_comments, from, to - from) != 0;
  }

  // Whether an empty object, with its name, has not even a comment.
  bool is_bare(const EntryPath& path) const {
    ObjectText object = root();
    std::size_t begin = object.open;
    for (const std::string& name : path) {
      const Member member = *object.find(name);
      begin = member.key;
      object = JsonScanner(plain_.strict).object_at(member.value);
    }
    return !has_comment(begin, object.close);
  }

  // The white space at the beginning of the line.
  std::string indent_at(std::size_t at) const {
    const std::size_t line = config_.text.rfind('\n', at);
    const std::size_t begin = line == npos ? 0 : line + 1;
    const std::size_t end = std::min(config_.text.find_first_not_of(" \t", begin), config_.text.size());
    return config_.text.substr(begin, end - begin);
  }

  bool on_one_line(const ObjectText& object) const {
    return config_.text.find('\n', object.open) >= object.close;
  }

  // By how much the file indents; two spaces if it does not show.
  std::string unit() const {
    const ObjectText all = root();
    if (all.members.empty() || on_one_line(all)) return "  ";
    std::string indent = indent_at(all.members.front().key);
    return indent.empty() ? "  " : indent;
  }

  std::string indented(const json& value, const std::string& indent) const {
    return laid_out(value, {newline_of(config_.text), unit()}, indent);
  }

  std::size_t comma_in(std::size_t from, std::size_t to) const {
    const std::size_t at = plain_.without_comments.find(',', from);
    return at < to ? at : npos;
  }

  Result<void> insert(const ObjectText& object, const std::string& name, const json& value) {
    const std::string newline = newline_of(config_.text);
    const std::string outer = indent_at(object.open);
    const std::size_t last = config_.text.find_last_not_of(" \t\r\n", object.close - 1) + 1;
    const std::string key = dumped(name) + ": ";
    std::vector<Edit> edits;
    if (object.members.empty()) {
      const std::string indent = outer + unit();
      const bool closes_alone = last > object.open + 1 && config_.text.find('\n', last) < object.close;
      std::string member = newline + indent + key + indented(value, indent);
      if (!closes_alone) member += newline + outer;
      edits.push_back({last, closes_alone ? last : object.close, std::move(member)});
      return apply(std::move(edits));
    }
    const Member& before = object.members.back();
    const bool has_comma = comma_in(before.end, object.close) != npos;
    const bool flat = on_one_line(object);
    const std::string indent = indent_at(before.key);
    std::string member =
        (flat ? " " : newline + indent) + key + (flat ? laid_out(value, {}, "") : indented(value, indent));
    if (has_comma) member += ",";
    if (!has_comma && last == before.end) {
      edits.push_back({last, last, "," + member});
    } else {
      if (!has_comma) edits.push_back({before.end, before.end, ","});
      edits.push_back({last, last, std::move(member)});
    }
    return apply(std::move(edits));
  }

  Result<void> cut_member(const ObjectText& object, const std::string& name) {
    const Member* member = object.find(name);
    const auto index = static_cast<std::size_t>(member - object.members.data());
    const bool is_last = index + 1 == object.members.size();
    const std::size_t next = is_last ? object.close : object.members[index + 1].key;
    std::vector<Edit> edits;
    std::size_t begin = member->key, end = member->end;
    const std::size_t comma = comma_in(end, next);
    const bool has_own_comma = comma != npos && !has_comment(end, comma);
    if (has_own_comma) end = comma + 1;
    if (comma == npos && index > 0)
      if (const std::size_t before = comma_in(object.members[index - 1].end, begin); before != npos)
        edits.push_back({before, before + 1, ""});
    const std::string& text = config_.text;
    while (begin > 0 && is_space(text[begin - 1])) --begin;
    const std::size_t rest = std::min(text.find_first_not_of(" \t\r", end), text.size());
    const bool begins_line = begin > 0 && text[begin - 1] == '\n',
               ends_line = rest < text.size() && text[rest] == '\n';
    if (begins_line && ends_line) {
      end = rest - (text[rest - 1] == '\r' ? 1 : 0);
      --begin;
      if (begin > 0 && text[begin - 1] == '\r') --begin;
    } else if (begins_line) {
      begin = member->key;
      end = rest;
    } else if (index == 0) {
      begin = member->key;
      if (!ends_line) end = rest;
    }
    if (!edits.empty()) begin = std::max(begin, edits.back().end);
    edits.push_back({begin, end, ""});
    if (comma != npos && !has_own_comma) edits.push_back({comma, comma + 1, ""});
    const bool is_alone = object.members.size() == 1 && !has_comment(object.open, member->key) &&
                          !has_comment(member->end, object.close);
    if (is_alone) edits = {{object.open + 1, object.close, ""}};
    return apply(std::move(edits));
  }

  ConfigText config_;
  PlainJson plain_;
  json document_;
};

// --- both

json merged_into(json document, const EntryPath& path, const json& entry) {
  json* at = &document;
  for (const std::string& name : path) at = &(*at)[name];
  if (!at->is_object()) *at = json::object();
  for (const auto& [key, value] : entry.items()) {
    if (value.is_object() && at->contains(key) && (*at)[key].is_object())
      (*at)[key].update(value);
    else
      (*at)[key] = value;
  }
  return document;
}

json without(json document, EntryPath path) {
  while (!path.empty()) {
    const std::string name = path.back();
    path.pop_back();
    json* around = &document;
    for (const std::string& each : path) around = &(*around)[each];
    around->erase(name);
    if (!around->empty()) break;
  }
  return document;
}

// An object that only a comment keeps, or an empty TOML table, says nothing.
json without_empty(json document) {
  for (auto member = document.begin(); member != document.end();)
    member = member->is_object() && member->empty() ? document.erase(member) : std::next(member);
  return document;
}

// Whatever went wrong with the text, the file keeps what it has.
Result<std::string> checked(const ConfigText& config, std::string after, const json& expected) {
  const auto read = read_document({config.file, config.format, after});
  if (!read || without_empty(*read) != without_empty(expected))
    return fail(ErrorKind::InvalidArgument,
                config.file + ": the entry does not fit into the way this file is written.",
                "Nothing was changed. Edit it by hand; `leanbridge mcp serve-config` prints the entry.");
  return after;
}

}  // namespace

Result<json> read_document(const ConfigText& config) {
  if (is_blank(config.text)) return json::object();
  if (config.format == ConfigFormat::Toml) return read_toml_text(config);
  auto editor = JsonEditor::open(config);
  if (!editor) return tl::unexpected(editor.error());
  return editor->document();
}

Result<std::string> with_entry(const ConfigText& config, const EntryPath& path, const json& entry) {
  const auto document = read_document(config);
  if (!document) return tl::unexpected(document.error());
  EntryPath around;
  for (const std::string& name : path) {
    if (const json* at = find_at(*document, around); at && !at->is_object()) break;
    around.push_back(name);
  }
  if (around.size() < path.size() || (find_at(*document, path) && !find_at(*document, path)->is_object())) {
    std::size_t place = config.text.find(around.back());
    if (config.format != ConfigFormat::Toml)
      if (const auto editor = JsonEditor::open(config)) place = editor->place_of(around);
    return refused(config, place, "'" + around.back() + "' is not an object.");
  }
  const json expected = merged_into(*document, path, entry);
  if (expected == *document) return config.text;
  if (config.format == ConfigFormat::Toml) {
    auto text = with_toml_entry(config, path, entry);
    if (!text) return text;
    return checked(config, std::move(*text), expected);
  }
  auto editor = JsonEditor::open(config);
  if (!editor) return tl::unexpected(editor.error());
  if (!find_at(*document, path)) {
    if (const auto done = editor->set(path, entry); !done) return tl::unexpected(done.error());
    return checked(config, editor->text(), expected);
  }
  for (const auto& [key, value] : entry.items()) {
    EntryPath inner = path;
    inner.push_back(key);
    const json* old = find_at(*document, inner);
    if (!value.is_object() || !old || !old->is_object()) {
      if (const auto done = editor->set(inner, value); !done) return tl::unexpected(done.error());
      continue;
    }
    for (const auto& [name, text] : value.items()) {
      EntryPath innermost = inner;
      innermost.push_back(name);
      if (const auto done = editor->set(innermost, text); !done) return tl::unexpected(done.error());
    }
  }
  return checked(config, editor->text(), expected);
}

Result<std::string> without_entry(const ConfigText& config, const EntryPath& path) {
  const auto document = read_document(config);
  if (!document) return tl::unexpected(document.error());
  if (!find_at(*document, path)) return config.text;
  const json expected = without(*document, path);
  if (config.format == ConfigFormat::Toml) {
    auto text = without_toml_entry(config, path);
    if (!text) return text;
    return checked(config, std::move(*text), expected);
  }
  auto editor = JsonEditor::open(config);
  if (!editor) return tl::unexpected(editor.error());
  if (const auto done = editor->remove(path); !done) return tl::unexpected(done.error());
  return checked(config, editor->text(), expected);
}

std::string json_text(const json& value) {
  return laid_out(value, {"\n", "  "}, "") + "\n";
}

}  // namespace leanbridge::app::hosts

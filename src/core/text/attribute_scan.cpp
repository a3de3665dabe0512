#include "attribute_scan.hpp"

#include "command_words.hpp"
#include "lean_lexer.hpp"
#include "lean_names.hpp"
#include "lean_words.hpp"
#include "lines.hpp"
#include "word_list.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace leanbridge::text {

namespace {

constexpr std::string_view kAesop = "aesop";

/// The attribute's name, without guillemets and without `!` or `?` at its end: `simps!` is a variant of
/// `simps`.
std::string attribute_of(std::string_view word) {
  std::string plain = without_quotes(word);
  while (plain.ends_with('!') || plain.ends_with('?')) plain.pop_back();
  return plain;
}

class AttributeReader {
 public:
  explicit AttributeReader(std::string_view source) : source_(source) {}

  AttributeScan run() {
    LeanLexer lexer(source_);
    while (const auto token = lexer.next()) {
      if (is_remark(token->kind)) continue;
      const std::string_view word = source_.substr(token->begin, token->end - token->begin);
      if (!brackets_.empty())
        read_within(token->begin, word);
      else if (word == "@[" || (word == "[" && last_ == "attribute"))
        brackets_.push_back({.is_list = true, .begins_entry = true}), is_command_ = word == "[";
      else
        read_between(*token, word);
      last_ = word;
    }
    report_pending();
    return std::move(found_);
  }

 private:
  /// An open bracket: a list of attributes, or an argument of an attribute.
  struct Bracket {
    bool is_list = false;
    bool begins_entry = false;
    std::string entry = {};
  };

  void read_within(std::size_t at, std::string_view word) {
    if (word == "[" || word == "(" || word == "{" || word == "@[") return brackets_.emplace_back(), void();
    if (word == "]" || word == ")" || word == "}") {
      brackets_.pop_back();
      if (brackets_.empty() && is_command_) report_pending();
      return;
    }
    Bracket& inner = brackets_.back();
    // `to_additive (attr := simp)` contains attributes.
    if (word == ":=" && last_ == "attr") inner.is_list = inner.begins_entry = true;
    if (word == "," && inner.is_list) inner.begins_entry = true;
    if (word == ":=" || word == "," || word == "local" || word == "scoped" || word == "-") return;
    if (inner.is_list && std::exchange(inner.begins_entry, false)) {
      inner.entry = attribute_of(word);
      if (!is_harmless_attribute(inner.entry)) pending_.push_back(found(at, inner.entry));
    } else if (entry_around() == kAesop && attribute_of(word) == "tactic") {
      pending_.push_back(found(at, "tactic"));
    }
  }

  std::string_view entry_around() const {
    for (auto bracket = brackets_.rbegin(); bracket != brackets_.rend(); ++bracket)
      if (bracket->is_list) return bracket->entry;
    return {};
  }

  void read_between(const LeanToken& token, std::string_view word) {
    if (is_command_word(last_, kAttribute) && token.kind == LeanTokenKind::Word && is_first_on_line_)
      if (std::string name = attribute_of(word); !is_harmful_attribute(name))
        found_.declared.push_back(std::move(name));
    is_first_on_line_ = is_first_on_line(token.begin);
    if (pending_.empty() || (is_command_word(word, kModifies) && !is_command_word(word, kUnchecked))) return;
    if (!is_command_word(word, kNoProgram)) report_pending();
    pending_.clear();
  }

  bool is_first_on_line(std::size_t at) const {
    const std::size_t last = source_.substr(0, at).find_last_not_of(" \t");
    return last == std::string_view::npos || source_[last] == '\n';
  }

  TrustFinding found(std::size_t at, std::string_view what) const {
    return {line_number(source_, at), std::string(what)};
  }

  void report_pending() {
    for (TrustFinding& finding : pending_)
      if (known_.insert(finding.pattern).second) found_.programs.push_back(std::move(finding));
    pending_.clear();
  }

  std::string_view source_;
  AttributeScan found_;
  std::set<std::string> known_;
  std::vector<Bracket> brackets_;
  std::vector<TrustFinding> pending_;  ///< of the list before the next declaration, which is not known yet
  bool is_command_ = false;
  std::string_view last_;
  bool is_first_on_line_ = false;  ///< whether `last_` is the first word on its line
};

bool is_name_byte(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' || c == '?' ||
         c == '!' || c == '\'' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

std::string_view without_blanks_behind(std::string_view text) {
  while (!text.empty() && is_white_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view last_word(std::string_view text) {
  text = without_blanks_behind(text);
  std::size_t begin = text.size();
  while (begin > 0 && is_name_byte(text[begin - 1])) --begin;
  return text.substr(begin);
}

std::string_view first_word(std::string_view text) {
  while (!text.empty() && is_white_space(text.front())) text.remove_prefix(1);
  std::size_t end = 0;
  while (end < text.size() && is_name_byte(text[end])) ++end;
  return text.substr(0, end);
}

/// Whether the text ends in a line comment.
bool ends_in_comment(std::string_view text) {
  return text.substr(text.rfind('\n') + 1).find("--") != std::string_view::npos;
}

/// Whether the text before `(add …)` calls `aesop`, possibly with other clauses between.
bool ends_with_aesop_call(std::string_view text) {
  int depth = 0;
  while (!text.empty()) {
    const char c = text.back();
    if (depth == 0 && c != ')' && !is_white_space(c)) break;
    if (c == ')') ++depth;
    if (c == '(') --depth;
    if (c == '"' || c == '-' || c == '/') return false;
    text.remove_suffix(1);
  }
  return last_word(text).starts_with(kAesop) && !ends_in_comment(text);
}

bool is_aesop_rule(std::string_view rule) {
  while (contains(std::to_array<std::string_view>({"local", "scoped"}), first_word(rule)))
    rule.remove_prefix(static_cast<std::size_t>(first_word(rule).end() - rule.begin()));
  return first_word(rule) == kAesop;
}

}  // namespace

AttributeScan scan_attributes(std::string_view source) {
  const auto has = [&](std::string_view part) { return source.find(part) != std::string_view::npos; };
  if (!has("@[") && !has("attribute") && !has("register_")) return {};
  return AttributeReader(source).run();
}

bool is_in_aesop_rule(std::string_view source, std::size_t at) {
  constexpr std::size_t kMaxRuleSize = 1000;
  const std::size_t limit = at - std::min(at, kMaxRuleSize);
  std::string_view before = without_blanks_behind(source.substr(0, at));
  if (before.ends_with('%')) before.remove_suffix(last_word(before.substr(0, before.size() - 1)).size() + 1);
  if (last_word(before) == "add_aesop_rules") return !ends_in_comment(before);
  std::size_t entry = 0;
  int depth = 0;
  for (std::size_t i = at; i-- > limit;) {
    const char c = source[i];
    if (c == '"' || c == '/' || (c == '-' && i > 0 && source[i - 1] == '-')) return false;
    if (c == ')' || c == ']') ++depth;
    if (c == ',' && depth == 0 && entry == 0) entry = i + 1;
    if ((c != '(' && c != '[') || --depth >= 0) continue;
    depth = 0;
    const std::string_view outside = source.substr(0, i), inside = source.substr(i + 1, at - i - 1);
    if (c == '(' && first_word(inside) == "add") return ends_with_aesop_call(outside);
    const bool is_attribute =
        c == '[' ? outside.ends_with('@') || last_word(outside) == "attribute" : first_word(inside) == "attr";
    if (is_attribute) {
      std::string_view rule = entry == 0 ? inside : source.substr(entry, at - entry);
      if (entry == 0 && c == '(') rule.remove_prefix(std::min(rule.find('=') + 1, rule.size()));
      return is_aesop_rule(rule) && !ends_in_comment(outside);
    }
    entry = i;
  }
  return false;
}

}  // namespace leanbridge::text

#include "lemma_text.hpp"

#include "core/text/lean_lexer.hpp"
#include "core/text/lean_names.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace leanbridge::ide {

namespace {

constexpr std::string_view kInaccessible = "✝";
constexpr std::string_view kSuperscripts[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

// The end of the mark for inaccessible names (`✝` and a number) that may follow a name.
std::size_t end_of_mark(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with(kInaccessible)) return at;
  at += kInaccessible.size();
  for (bool more = true; more;) {
    more = false;
    for (const std::string_view digit : kSuperscripts)
      if (text.substr(at).starts_with(digit)) {
        at += digit.size();
        more = true;
      }
  }
  return at;
}

struct NameUse {
  std::size_t begin = 0, end = 0;
  std::string name;  ///< with its mark, without fields after it (`x.succ`)
};

std::vector<NameUse> names_in(std::string_view text) {
  std::vector<NameUse> uses;
  text::LeanLexer lexer(text);
  while (const auto token = lexer.next()) {
    if (token->kind != text::LeanTokenKind::Word) continue;
    const std::size_t marked = end_of_mark(text, token->end);
    std::string_view word = text.substr(token->begin, token->end - token->begin);
    std::size_t end = marked;
    if (marked == token->end) {
      word = text::parts_of(word).front();
      end = token->begin + word.size();
    }
    if (!word.empty())
      uses.push_back({token->begin, end, std::string(text.substr(token->begin, end - token->begin))});
  }
  return uses;
}

std::string renamed(std::string_view text, const std::map<std::string, std::string>& names) {
  std::string result;
  std::size_t copied = 0;
  for (const NameUse& use : names_in(text)) {
    const auto other = names.find(use.name);
    if (other == names.end()) continue;
    result += text.substr(copied, use.begin - copied);
    result += other->second;
    copied = use.end;
  }
  return result + std::string(text.substr(copied));
}

bool is_sort(std::string_view type) {
  return type.starts_with("Type") || type.starts_with("Sort");
}

// Indents lines deeper than the line of the declaration, wherever Lean broke them.
std::string indented(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += c;
    if (c == '\n') result += "    ";
  }
  return result;
}

// Adds the universe levels in `Type u`, `Sort (max u v)` and `foo.{u, v}`.
void add_levels(std::string_view text, std::vector<std::string>& levels) {
  const auto add = [&](const std::string& name) {
    if (name != "max" && name != "imax" && name != "_" && std::count(levels.begin(), levels.end(), name) == 0)
      levels.push_back(name);
  };
  const auto uses = names_in(text);
  for (std::size_t i = 0; i + 1 < uses.size(); ++i) {
    if (!is_sort(uses[i].name) || uses[i].name.size() != 4) continue;
    const std::string_view between = text.substr(uses[i].end, uses[i + 1].begin - uses[i].end);
    if (between == " ") add(uses[i + 1].name);
    if (between != " (") continue;
    const std::size_t close = text.find(')', uses[i].end);
    for (std::size_t k = i + 1; k < uses.size() && uses[k].begin < close; ++k) add(uses[k].name);
  }
  for (std::size_t at = 0; (at = text.find(".{", at)) != std::string_view::npos; at += 2) {
    const std::size_t close = std::min(text.find('}', at), text.size());
    for (const NameUse& use : names_in(text.substr(at + 2, close - at - 2))) add(use.name);
  }
}

std::set<std::string> declared_levels(std::string_view source) {
  std::set<std::string> levels;
  for (std::size_t at = 0; (at = source.find("universe ", at)) != std::string_view::npos; at += 9) {
    if (at > 0 && source[at - 1] != '\n' && source[at - 1] != ' ') continue;
    const std::size_t end = std::min(source.find('\n', at), source.size());
    for (const NameUse& use : names_in(source.substr(at + 9, end - at - 9))) levels.insert(use.name);
  }
  return levels;
}

std::set<std::string> words_in(std::string_view text) {
  std::set<std::string> found;
  for (const NameUse& use : names_in(text)) found.insert(use.name);
  return found;
}

// New names in place of those that cannot be written.
std::map<std::string, std::string> written_names(const StructuredGoal& goal) {
  std::set<std::string> taken = words_in(goal.pretty);
  std::map<std::string, std::string> names;
  for (const Hypothesis& each : goal.context) {
    if (each.can_be_named()) continue;
    const std::string base = each.name.substr(0, each.name.find(kInaccessible));
    for (int i = 1; !names.contains(each.name); ++i)
      if (std::string name = base + "_" + std::to_string(i); taken.insert(name).second)
        names.emplace(each.name, std::move(name));
  }
  return names;
}

// The hypotheses of a goal, and those of them that a lemma about it needs.
class Binders {
 public:
  Binders(const StructuredGoal& goal, const std::map<std::string, std::string>& names)
      : of_goal_(words_in(renamed(goal.goal, names))), needed_(of_goal_) {
    for (const Hypothesis& each : goal.context) add(each, names);
    is_kept_.resize(all_.size());
  }

  // In the order of the goal.
  std::vector<LemmaBinder> needed() {
    keep_mentioned(true);
    while (keep_about_kept()) {
    }
    std::vector<LemmaBinder> kept;
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (is_kept_[i]) kept.push_back(as_used(i));
    return kept;
  }

 private:
  void add(const Hypothesis& each, const std::map<std::string, std::string>& names) {
    LemmaBinder binder;
    binder.name = renamed(each.name, names);
    binder.type = renamed(each.type, names);
    if (each.is_instance == true) binder.kind = LemmaBinder::Kind::Instance;
    if (binder.kind == LemmaBinder::Kind::Explicit) binder.argument = each.can_be_named() ? each.name : "?";
    const std::string name = binder.name;
    push(std::move(binder));
    if (!each.value) return;
    LemmaBinder equation;  // the value of a `let`
    equation.name = name + "_eq";
    equation.type = name + " = " + renamed(*each.value, names);
    equation.argument = "rfl";
    push(std::move(equation));
  }
  void push(LemmaBinder binder) {
    words_of_.push_back(words_in(binder.type));
    all_.push_back(std::move(binder));
  }

  // The type of a hypothesis mentions only hypotheses before it.
  void keep_mentioned(bool by_goal) {
    for (std::size_t i = all_.size(); i-- > 0;) {
      if (is_kept_[i] || !needed_.contains(all_[i].name)) continue;
      is_kept_[i] = true;
      all_[i].is_mentioned = by_goal;
      needed_.insert(words_of_[i].begin(), words_of_[i].end());
    }
  }

  // Keeps what says something about a kept hypothesis. False: there is nothing more.
  bool keep_about_kept() {
    bool grows = false;
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (is_kept_[i]) kept_.insert(all_[i].name);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const bool says_something = std::any_of(words_of_[i].begin(), words_of_[i].end(),
                                              [&](const std::string& name) { return kept_.contains(name); });
      if (is_kept_[i] || !says_something) continue;
      is_kept_[i] = grows = true;
      needed_.insert(words_of_[i].begin(), words_of_[i].end());
      keep_mentioned(false);
    }
    return grows;
  }

  LemmaBinder as_used(std::size_t i) const {
    LemmaBinder binder = all_[i];
    bool is_used_later = false;
    for (std::size_t k = i + 1; k < all_.size(); ++k)
      is_used_later = is_used_later || (is_kept_[k] && words_of_[k].contains(binder.name));
    const bool is_used = is_used_later || of_goal_.contains(binder.name);
    if (binder.argument == "?") binder.argument = is_used ? "_" : "(by assumption)";
    if (binder.kind == LemmaBinder::Kind::Instance && !is_used) binder.name.clear();
    if (is_sort(binder.type) && is_used_later) {
      binder.kind = LemmaBinder::Kind::Implicit;
      binder.argument.clear();
    }
    return binder;
  }

  const std::set<std::string> of_goal_;
  std::set<std::string> needed_, kept_;  // names
  std::vector<LemmaBinder> all_;
  std::vector<std::set<std::string>> words_of_;  // of their types
  std::vector<bool> is_kept_;
};

}  // namespace

LemmaStatement lemma_statement(const StructuredGoal& goal, std::string_view source) {
  const std::map<std::string, std::string> names = written_names(goal);
  LemmaStatement statement;
  statement.goal = renamed(goal.goal, names);
  statement.binders = Binders(goal, names).needed();
  std::vector<std::string> levels;
  for (const LemmaBinder& each : statement.binders) add_levels(each.type, levels);
  add_levels(statement.goal, levels);
  const auto declared = declared_levels(source);
  std::copy_if(levels.begin(), levels.end(), std::back_inserter(statement.levels),
               [&](const std::string& level) { return !declared.contains(level); });
  return statement;
}

std::string lemma_header(const std::string& name, const LemmaStatement& statement) {
  std::string text = "theorem " + name;
  for (std::size_t i = 0; i < statement.levels.size(); ++i)
    text += (i == 0 ? ".{" : ", ") + statement.levels[i] + (i + 1 == statement.levels.size() ? "}" : "");
  const auto& binders = statement.binders;
  for (std::size_t i = 0; i < binders.size(); ++i) {
    const LemmaBinder& each = binders[i];
    const bool continues = i > 0 && !each.name.empty() && each.kind != LemmaBinder::Kind::Instance &&
                           binders[i - 1].kind == each.kind && binders[i - 1].type == each.type;
    const bool ends = i + 1 == binders.size() || binders[i + 1].kind != each.kind ||
                      each.kind == LemmaBinder::Kind::Instance || binders[i + 1].type != each.type;
    constexpr std::string_view kOpen = "({[", kClose = ")}]";
    const auto bracket = static_cast<std::size_t>(each.kind);
    text += ' ';
    if (!continues) text += kOpen[bracket];
    text += each.name;
    if (!ends) continue;
    text += (each.name.empty() ? "" : " : ") + indented(each.type) + kClose[bracket];
  }
  return text + " :\n    " + indented(statement.goal);
}

std::string lemma_use(const std::string& name, const LemmaStatement& statement) {
  std::string text = name;
  for (const LemmaBinder& each : statement.binders)
    if (!each.argument.empty()) text += " " + each.argument;
  return text;
}

bool mentions(std::string_view text, const std::string& name) {
  const auto uses = names_in(text);
  return std::any_of(uses.begin(), uses.end(), [&](const NameUse& use) { return use.name == name; });
}

std::string moved_block(std::string_view block, std::size_t column) {
  constexpr std::size_t kIndent = 2;
  std::string text(kIndent, ' ');
  for (std::size_t at = 0; at < block.size();) {
    const std::size_t end = std::min(block.find('\n', at), block.size() - 1) + 1;
    std::string_view line = block.substr(at, end - at);
    if (at > 0 && line.find_first_not_of(" \n") != std::string_view::npos) {
      const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
      line.remove_prefix(std::min(blanks, column));
      text += std::string(kIndent, ' ');
    }
    text += line;
    at = end;
  }
  return text;
}

}  // namespace leanbridge::ide

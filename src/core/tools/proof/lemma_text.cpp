#include "lemma_text.hpp"

#include "core/text/lean_lexer.hpp"
#include "core/text/lean_names.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace leanbridge::tools {

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

}  // namespace

LemmaStatement lemma_statement(const ide::StructuredGoal& goal, std::string_view source) {
  // Replaces names that cannot be written.
  std::set<std::string> taken;
  for (const NameUse& use : names_in(goal.pretty)) taken.insert(use.name);
  std::map<std::string, std::string> names;
  for (const ide::Hypothesis& each : goal.context) {
    if (each.can_be_named()) continue;
    const std::string base = each.name.substr(0, each.name.find(kInaccessible));
    for (int i = 1; !names.contains(each.name); ++i)
      if (std::string name = base + "_" + std::to_string(i); taken.insert(name).second)
        names.emplace(each.name, std::move(name));
  }

  LemmaStatement statement;
  statement.goal = renamed(goal.goal, names);
  std::vector<LemmaBinder> all;
  std::vector<std::set<std::string>> words_of;
  const auto words = [](std::string_view text) {
    std::set<std::string> found;
    for (const NameUse& use : names_in(text)) found.insert(use.name);
    return found;
  };
  for (const ide::Hypothesis& each : goal.context) {
    LemmaBinder binder;
    binder.name = renamed(each.name, names);
    binder.type = renamed(each.type, names);
    if (each.is_instance == true) binder.kind = LemmaBinder::Kind::Instance;
    if (binder.kind == LemmaBinder::Kind::Explicit) binder.argument = each.can_be_named() ? each.name : "?";
    words_of.push_back(words(binder.type));
    all.push_back(binder);
    if (!each.value) continue;
    LemmaBinder equation;  // the value of a `let`
    equation.name = binder.name + "_eq";
    equation.type = binder.name + " = " + renamed(*each.value, names);
    equation.argument = "rfl";
    words_of.push_back(words(equation.type));
    all.push_back(std::move(equation));
  }

  std::vector<bool> is_kept(all.size());
  std::set<std::string> needed = words(statement.goal);
  const auto keep_mentioned = [&](bool by_goal) {
    for (std::size_t i = all.size(); i-- > 0;) {  // the type of a hypothesis mentions only hypotheses before
                                                  // it
      if (is_kept[i] || !needed.contains(all[i].name)) continue;
      is_kept[i] = true;
      all[i].is_mentioned = by_goal;
      needed.insert(words_of[i].begin(), words_of[i].end());
    }
  };
  keep_mentioned(true);
  std::set<std::string> kept;  // names of kept hypotheses
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (is_kept[i]) kept.insert(all[i].name);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool says_something = std::any_of(words_of[i].begin(), words_of[i].end(),
                                              [&](const std::string& name) { return kept.contains(name); });
      if (is_kept[i] || !says_something) continue;
      is_kept[i] = grows = true;
      needed.insert(words_of[i].begin(), words_of[i].end());
      keep_mentioned(false);
    }
  }

  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_kept[i]) continue;
    bool is_used = words(statement.goal).contains(all[i].name), is_used_later = false;
    for (std::size_t k = i + 1; k < all.size(); ++k)
      is_used_later = is_used_later || (is_kept[k] && words_of[k].contains(all[i].name));
    is_used = is_used || is_used_later;
    if (all[i].argument == "?") all[i].argument = is_used ? "_" : "(by assumption)";
    if (all[i].kind == LemmaBinder::Kind::Instance && !is_used) all[i].name.clear();
    if (is_sort(all[i].type) && is_used_later) {
      all[i].kind = LemmaBinder::Kind::Implicit;
      all[i].argument.clear();
    }
    statement.binders.push_back(std::move(all[i]));
  }
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

}  // namespace leanbridge::tools

#include "lean_quoting.hpp"

#include "leanbridge/text/lean_lexer.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace leanbridge::tools {

using text::LeanTokenKind;

namespace {

// First words of commands that no term has. What libraries add cannot be known; they begin with `#` as a
// rule.
constexpr auto kCommandWords = std::to_array<std::string_view>({"theorem",
                                                                "lemma",
                                                                "def",
                                                                "abbrev",
                                                                "instance",
                                                                "example",
                                                                "structure",
                                                                "class",
                                                                "inductive",
                                                                "coinductive",
                                                                "axiom",
                                                                "opaque",
                                                                "macro",
                                                                "macro_rules",
                                                                "syntax",
                                                                "notation",
                                                                "notation3",
                                                                "infix",
                                                                "infixl",
                                                                "infixr",
                                                                "prefix",
                                                                "postfix",
                                                                "elab",
                                                                "elab_rules",
                                                                "initialize",
                                                                "simproc",
                                                                "run_cmd",
                                                                "run_meta",
                                                                "run_elab",
                                                                "namespace",
                                                                "section",
                                                                "end",
                                                                "import",
                                                                "export",
                                                                "attribute",
                                                                "universe",
                                                                "variable",
                                                                "mutual",
                                                                "private",
                                                                "protected",
                                                                "noncomputable",
                                                                "deriving",
                                                                "irreducible_def",
                                                                "builtin_initialize",
                                                                "declare_syntax_cat",
                                                                "register_option",
                                                                "unif_hint",
                                                                "alias",
                                                                "add_decl_doc",
                                                                "public",
                                                                "meta",
                                                                "module"});

bool is_command_word(std::string_view word) {
  return word.front() == '#' ||
         std::find(kCommandWords.begin(), kCommandWords.end(), word) != kCommandWords.end();
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; });
}

bool is_word(std::string_view part) {
  text::LeanLexer lexer(part);
  const auto token = lexer.next();
  return token && token->kind == LeanTokenKind::Word && token->begin == 0 && token->end == part.size() &&
         part.front() != '#' && !has_control(part) && part.find('.') == std::string_view::npos;
}

tl::unexpected<Error> no_name(const std::string& name) {
  return fail(ErrorKind::InvalidArgument, "'" + name.substr(0, 80) + "' is not the name of a declaration.",
              "Pass one name, such as Nat.add_comm; for a term use lean_check_type.");
}

// Parts between dots; what stands between « and » is one part.
std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::string_view rest = std::string_view(name).substr(i);
    if (rest.starts_with("«")) quoted = true;
    if (rest.starts_with("»")) quoted = false;
    if (name[i] == '.' && !quoted)
      parts.emplace_back();
    else
      parts.back() += name[i];
  }
  return parts;
}

// A part between « and » whatever it is, as soon as it has no guillemets and no control characters of its
// own.
Result<std::string> quoted(const std::string& part, const std::string& name) {
  constexpr std::string_view kOpen = "«", kClose = "»";
  std::string inner = part;
  if (inner.starts_with(kOpen) && inner.ends_with(kClose) && inner.size() > kOpen.size() + kClose.size())
    inner = inner.substr(kOpen.size(), inner.size() - kOpen.size() - kClose.size());
  const bool control = has_control(inner);
  if (inner.empty() || control || inner.find(kOpen) != std::string::npos ||
      inner.find(kClose) != std::string::npos)
    return no_name(name);
  return "«" + inner + "»";
}

tl::unexpected<Error> no_term(const std::string& why) {
  return fail(ErrorKind::InvalidArgument, "The expression is not one term: " + why + ".",
              "Pass one term; commands cannot be run here.");
}

}  // namespace

Result<std::string> lean_name(std::string name) {
  const std::size_t first = name.find_first_not_of(" \t\n");
  const std::size_t last = name.find_last_not_of(" \t\n");
  if (first == std::string::npos) return no_name(name);
  name = name.substr(first, last - first + 1);
  if (name.front() == '@') name.erase(0, 1);
  std::string result;
  for (const std::string& part : parts_of(name)) {
    const bool plain = !part.empty() && is_word(part) && !is_command_word(part);
    const auto spelt = plain ? Result<std::string>(part) : quoted(part, name);
    if (!spelt) return tl::unexpected(spelt.error());
    result += (result.empty() ? "" : ".") + *spelt;
  }
  return result;
}

Result<std::string> lean_term(const std::string& expression, std::size_t indent) {
  std::string open;  // the brackets that wait for their end
  text::LeanLexer lexer(expression);
  bool empty = true;
  while (const auto token = lexer.next()) {
    const std::string_view word =
        std::string_view(expression).substr(token->begin, token->end - token->begin);
    empty = empty && text::is_comment(token->kind);
    if (token->kind == LeanTokenKind::DocComment) return no_term("it holds a documentation comment");
    if (token->kind == LeanTokenKind::BlockComment && (word.size() < 4 || !word.ends_with("-/")))
      return no_term("it holds a comment that does not end");
    if (token->kind == LeanTokenKind::String &&
        (word.size() < 2 || (!word.ends_with('"') && !word.ends_with('#'))))
      return no_term("it holds a string that does not end");
    if (token->kind == LeanTokenKind::Word && has_control(word))
      return no_term("it holds a name with a line break");
    // `#[1, 2]` and `#v[1, 2]` are terms.
    const bool literal =
        (word == "#" || word == "#v") && token->end < expression.size() && expression[token->end] == '[';
    const bool may_begin = token->kind == LeanTokenKind::Word || word == "#";
    if (!literal && may_begin && is_command_word(word))
      return no_term("`" + std::string(word) + "` begins a command");
    if (token->kind != LeanTokenKind::Symbol) continue;
    if (word == "(" || word == "[" || word == "{" || word == "@[") open += word == "@[" ? '[' : word[0];
    if (word == ")" || word == "]" || word == "}") {
      const char wanted = word == ")" ? '(' : word == "]" ? '[' : '{';
      if (open.empty() || open.back() != wanted) return no_term("its brackets do not match");
      open.pop_back();
    }
  }
  if (empty) return no_term("it is empty");
  if (!open.empty()) return no_term("its brackets do not match");
  std::string term = "(";
  for (const char c : expression) {
    term += c;
    if (c == '\n') term.append(indent, ' ');
  }
  // The end on a line of its own, so that a comment in the last line does not swallow it.
  return term + "\n" + std::string(indent, ' ') + ")";
}

}  // namespace leanbridge::tools

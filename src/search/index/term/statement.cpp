#include "statement.hpp"

#include "core/olean/notation.hpp"
#include "core/text/lean_names.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace leanbridge::index {

using olean::notation_letters;
using olean::present_name;

namespace {

using NodeKind = TermNode::Kind;

// Types written by people need far fewer nodes; the limit bounds the cost of a damaged database.
constexpr std::size_t kMaxTermNodes = 4000;
constexpr int kMaxTermDepth = 700;
constexpr std::size_t kMaxLiteral = 40;

}  // namespace

std::string letters_of(const TypeTerm& statement) {
  std::string letters;
  for (const TermVariable& variable : statement.variables)
    if (variable.letter != 'f') letters += variable.letter;
  return letters;
}

// --- making terms

std::string literal_symbol(std::string_view literal) {
  std::string symbol;
  for (const char c : literal.substr(0, kMaxLiteral)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        byte > ' ' && byte < 0x7f && std::string_view("()<>{}[]").find(c) == std::string_view::npos;
    symbol += plain ? c : '_';
  }
  return symbol;
}

std::uint32_t TypeTerm::symbol(std::string_view text) {
  const auto known = std::ranges::find(symbols, text);
  if (known != symbols.end()) return static_cast<std::uint32_t>(known - symbols.begin());
  symbols.emplace_back(text);
  return static_cast<std::uint32_t>(symbols.size() - 1);
}

NodeId TypeTerm::add(TermNode::Kind kind, std::uint32_t number, std::span<const NodeId> given) {
  TermNode node;
  node.kind = kind;
  node.number = number;
  node.first = static_cast<std::uint32_t>(arguments.size());
  node.count = static_cast<std::uint32_t>(given.size());
  const std::vector<NodeId> copy(given.begin(), given.end());  // `given` may point into `arguments`
  arguments.insert(arguments.end(), copy.begin(), copy.end());
  nodes.push_back(node);
  return static_cast<NodeId>(nodes.size() - 1);
}

NodeId TypeTerm::constant(std::string_view name, std::vector<NodeId> given, bool full) {
  name = present_name(name);
  const std::size_t types = full ? 2 : 0;  // the type and the instance come first
  static constexpr std::pair<std::string_view, std::string_view> kTurned[] = {
      {"GT.gt", "LT.lt"},
      {"GE.ge", "LE.le"},
      {"Superset", "HasSubset.Subset"},
      {"SSuperset", "HasSSubset.SSubset"}};
  for (const auto& [turned, plain] : kTurned)
    if (name == turned && given.size() == types + 2) {
      std::swap(given[types], given[types + 1]);
      name = plain;
      break;
    }
  const bool unequal = name == "Ne" && given.size() == (full ? 3U : 2U);
  if (unequal) name = "Eq";
  if (name == "GetElem.getElem" && full && given.size() == 8) given[7] = 0;  // the last argument is a proof
  const NodeId made = add(NodeKind::Constant, symbol(name), given);
  nodes[made].full = full;
  if (!unequal) return made;
  const NodeId negated = add(NodeKind::Constant, symbol("Not"), std::array{made});
  nodes[negated].full = true;
  return negated;
}

namespace {

// Whether the node mentions a variable that is bound outside of it, or of the `depth` binders around it.
bool mentions_outer(const TypeTerm& statement, NodeId node, std::uint32_t depth) {
  const TermNode& at = statement.at(node);
  if (at.kind == NodeKind::Bound && at.number >= depth) return true;
  const auto arguments = statement.arguments_of(node);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool binds = at.kind == NodeKind::Lambda || (at.kind == NodeKind::Pi && i == 1);
    if (mentions_outer(statement, arguments[i], depth + (binds ? 1 : 0))) return true;
  }
  return false;
}

}  // namespace

NodeId TypeTerm::copied(NodeId node, const std::function<void(TermNode&, std::uint32_t)>& change,
                        std::uint32_t depth) {
  TermNode copy = at(node);
  if (copy.kind == NodeKind::Hole) return node;
  std::vector<NodeId> given(arguments_of(node).begin(), arguments_of(node).end());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool binds = copy.kind == NodeKind::Lambda || (copy.kind == NodeKind::Pi && i == 1);
    given[i] = copied(given[i], change, depth + (binds ? 1 : 0));
  }
  if (copy.kind == NodeKind::Bound && copy.number >= depth) change(copy, depth);
  const NodeId made = add(copy.kind, copy.number, given);
  nodes[made].full = copy.full;
  return made;
}

NodeId TypeTerm::lambda(NodeId body) {
  const TermNode node = at(body);
  const bool applied = node.count > 0 && (node.kind == NodeKind::Constant || node.kind == NodeKind::Variable);
  if (applied) {
    const auto given = arguments_of(body);
    const TermNode& last = at(given.back());
    const bool is_bound = last.kind == NodeKind::Bound && last.number == 0 && last.count == 0;
    // Other arguments must not mention any bound variable, so that none has to be renumbered.
    const bool apart = std::none_of(given.begin(), given.end() - 1,
                                    [&](NodeId each) { return mentions_outer(*this, each, 0); });
    if (is_bound && apart) {
      const NodeId made = add(node.kind, node.number, given.first(given.size() - 1));
      nodes[made].full = node.full;
      return made;
    }
  }
  return add(NodeKind::Lambda, 0, std::array{body});
}

std::size_t size_of(const TypeTerm& statement, NodeId node) {
  if (statement.at(node).kind == NodeKind::Hole) return 0;
  std::size_t size = 1;
  for (const NodeId argument : statement.arguments_of(node)) size += size_of(statement, argument);
  return size;
}

std::vector<std::uint32_t> premises_of(const TypeTerm& statement, bool unread) {
  std::vector<bool> used(statement.variables.size(), false);
  for (const TermNode& node : statement.nodes)
    if (node.kind == NodeKind::Variable && node.number < used.size()) used[node.number] = true;
  std::vector<std::uint32_t> premises;
  for (std::uint32_t i = 0; i < statement.variables.size(); ++i) {
    const TermVariable& variable = statement.variables[i];
    const TermNode& type = statement.at(variable.type);
    const bool sort = statement.is_constant(variable.type, "Type") ||
                      statement.is_constant(variable.type, "Prop") ||
                      statement.is_constant(variable.type, "Sort");
    const bool read = unread || type.kind != NodeKind::Hole;
    if (variable.letter == 'e' && !used[i] && read && !sort) premises.push_back(i);
  }
  return premises;
}

TypeTerm completed(const TypeTerm& statement, const LettersOf& letters) {
  TypeTerm made = statement;
  made.arguments.clear();
  for (NodeId id = 0; id < made.nodes.size(); ++id) {
    TermNode& node = made.nodes[id];
    std::vector<NodeId> given(statement.arguments_of(id).begin(), statement.arguments_of(id).end());
    if (node.kind == NodeKind::Constant && !node.full) {
      const std::string& name = statement.symbol_of(id);
      std::optional<std::string> known;
      if (const std::string_view notation = notation_letters(name); !notation.empty())
        known = notation;
      else if (letters)
        known = letters(name);
      if (known && given.size() <= static_cast<std::size_t>(std::ranges::count(*known, 'e'))) {
        std::vector<NodeId> all;
        std::size_t next = 0;
        for (std::size_t i = 0; i < known->size() && next < given.size(); ++i)
          all.push_back((*known)[i] == 'e' ? given[next++] : NodeId{0});
        given = std::move(all);
        node.full = true;
      }
    }
    node.first = static_cast<std::uint32_t>(made.arguments.size());
    node.count = static_cast<std::uint32_t>(given.size());
    made.arguments.insert(made.arguments.end(), given.begin(), given.end());
  }
  return made;
}

// --- text

namespace {

void write_term(const TypeTerm& statement, NodeId id, std::string& out) {
  const TermNode& node = statement.at(id);
  const bool compound = node.count > 0;
  if (compound) out += '(';
  switch (node.kind) {
    case NodeKind::Hole:
      out += '_';
      break;
    case NodeKind::Variable:
      out += "#" + std::to_string(node.number);
      break;
    case NodeKind::Bound:
      out += "$" + std::to_string(node.number);
      break;
    case NodeKind::Constant:
      out += (node.full ? "" : "~") + statement.symbol_of(id);
      break;
    case NodeKind::Field:
      out += "." + statement.symbol_of(id);
      break;
    case NodeKind::Literal:
      out += "=" + statement.symbol_of(id);
      break;
    case NodeKind::Lambda:
      out += '\\';
      break;
    case NodeKind::Pi:
      out += '>';
      break;
  }
  for (const NodeId argument : statement.arguments_of(id)) {
    out += ' ';
    write_term(statement, argument, out);
  }
  if (compound) out += ')';
}

class StatementReaderFromText {
 public:
  explicit StatementReaderFromText(std::string_view text) : text_(text) {}

  std::optional<TypeTerm> read() {
    for (;;) {
      skip_blanks();
      if (take(':')) break;
      TermVariable variable;
      if (take('|')) {
        variable.letter = 'f';
      } else {
        const char open = at_ < text_.size() ? text_[at_++] : '\0';
        const char close = open == '{' ? '}' : open == '<' ? '>' : open == '[' ? ']' : '\0';
        if (close == '\0') return std::nullopt;
        variable.letter = open == '{' ? 'i' : open == '<' ? 'e' : 'c';
        variable.type = term(0);
        skip_blanks();
        if (!take(close)) return std::nullopt;
      }
      made_.variables.push_back(variable);
    }
    made_.conclusion = term(0);
    skip_blanks();
    if (failed_ || at_ != text_.size()) return std::nullopt;
    for (const TermNode& node : made_.nodes)
      if (node.kind == NodeKind::Variable && node.number >= made_.variables.size()) return std::nullopt;
    return std::move(made_);
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  NodeId fail() {
    failed_ = true;
    return 0;
  }

  std::string_view word() {
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      if (const std::size_t end = text::end_of_quoted(text_, at_); end > at_) {
        at_ = end;
        continue;
      }
      if (at_ >= text_.size() || std::string_view(" ()<>{}[]").find(text_[at_]) != std::string_view::npos)
        break;
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  NodeId term(int depth) {
    skip_blanks();
    if (failed_ || depth > kMaxTermDepth || made_.nodes.size() > kMaxTermNodes) return fail();
    if (!take('(')) return head(word(), {});
    const std::string_view name = take('>') ? std::string_view(">") : word();
    std::vector<NodeId> given;
    for (skip_blanks(); !failed_ && at_ < text_.size() && text_[at_] != ')'; skip_blanks())
      given.push_back(term(depth + 1));
    if (!take(')')) return fail();
    return head(name, given);
  }

  NodeId head(std::string_view name, const std::vector<NodeId>& given) {
    if (name == "_") return 0;
    if (name.empty()) return fail();
    const std::string_view rest = name.substr(1);
    switch (name.front()) {
      case '#':
        return add(NodeKind::Variable, number(rest), given);
      case '$':
        return add(NodeKind::Bound, number(rest), given);
      case '~':
        return add(NodeKind::Constant, made_.symbol(rest), given);
      case '.':
        return given.empty() ? fail() : add(NodeKind::Field, made_.symbol(rest), given);
      case '=':
        return add(NodeKind::Literal, made_.symbol(rest), given);
      case '\\':
        return given.size() == 1 ? add(NodeKind::Lambda, 0, given) : fail();
      case '>':
        return given.size() == 2 ? add(NodeKind::Pi, 0, given) : fail();
      default: {
        const NodeId made = add(NodeKind::Constant, made_.symbol(name), given);
        made_.nodes[made].full = true;
        return made;
      }
    }
  }

  NodeId add(NodeKind kind, std::uint32_t number, const std::vector<NodeId>& given) {
    return failed_ ? 0 : made_.add(kind, number, given);
  }

  std::uint32_t number(std::string_view digits) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) failed_ = true;
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  TypeTerm made_;
  bool failed_ = false;
};

}  // namespace

std::string to_text(const TypeTerm& statement) {
  std::string out;
  for (const TermVariable& variable : statement.variables) {
    if (variable.letter == 'f') {
      out += "| ";
      continue;
    }
    out += variable.letter == 'e' ? '<' : variable.letter == 'i' ? '{' : '[';
    write_term(statement, variable.type, out);
    out += variable.letter == 'e' ? "> " : variable.letter == 'i' ? "} " : "] ";
  }
  out += ": ";
  write_term(statement, statement.conclusion, out);
  return out;
}

std::optional<TypeTerm> statement_from_text(std::string_view text) {
  return StatementReaderFromText(text).read();
}

}  // namespace leanbridge::index

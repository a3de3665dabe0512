// Turns a written statement into a pattern for Loogle, and finds its constants.

#include "core/olean/notation.hpp"
#include "search/index/written_term.hpp"
#include "term_parser.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace leanbridge::index {

using olean::Fix;
using olean::kApplicationLevel;
using olean::kArrowLevel;
using olean::kAtomLevel;
using olean::Notation;
using olean::notation_of;

namespace {

using NodeKind = TermNode::Kind;

constexpr std::size_t kMaxPatternConstants = 16;
constexpr int kPremiseLevel = kArrowLevel + 1;

class PatternWriter {
 public:
  explicit PatternWriter(const TypeTerm& statement)
      : in_(statement), ascribed_(statement.variables.size(), 0) {}

  void premises() {
    for (const std::uint32_t premise : premises_of(in_)) {
      const TermVariable& variable = in_.variables[premise];
      // It is not a premise if it is like `b` in `∀ a b : Nat, a = a`.
      if (!variable.name.empty() && in_.at(variable.type).count == 0) continue;
      write(variable.type, kPremiseLevel);
      out_ += " → ";
    }
  }

  void write(NodeId id, int least) {
    const TermNode& node = in_.at(id);
    const auto given = in_.arguments_of(id);
    switch (node.kind) {
      case NodeKind::Hole:
        out_ += '_';
        break;
      case NodeKind::Field:
        field(id, given, least);
        break;
      case NodeKind::Literal:
        out_ += in_.symbol_of(id);
        break;
      case NodeKind::Variable:
        applied(given, least, [&] { variable(node.number); });
        break;
      case NodeKind::Bound:
        applied(given, least,
                [&] { out_ += node.number < bound_.size() ? bound_[bound_.size() - 1 - node.number] : "_"; });
        break;
      case NodeKind::Lambda:
        wrapped(0, least, [&] {
          out_ += "fun ";
          under(" => ", given[0]);
        });
        break;
      case NodeKind::Pi:
        pi(given[0], given[1], least);
        break;
      case NodeKind::Constant:
        constant(id, given, least);
        break;
    }
  }

  std::string& text() { return out_; }
  std::vector<std::string>& constants() { return constants_; }

 private:
  void mention(std::string_view constant) {
    if (constants_.size() < kMaxPatternConstants &&
        std::ranges::find(constants_, constant) == constants_.end())
      constants_.emplace_back(constant);
  }

  template <class Body>
  void wrapped(int level, int least, Body body) {
    if (level < least) out_ += '(';
    body();
    if (level < least) out_ += ')';
  }

  template <class Head>
  void applied(std::span<const NodeId> given, int least, Head head) {
    wrapped(given.empty() ? kAtomLevel : kApplicationLevel, least, [&] {
      head();
      for (const NodeId each : given) {
        out_ += ' ';
        write(each, kAtomLevel);
      }
    });
  }

  // The first occurrence of a variable has its type, if that is a constant.
  void variable(std::uint32_t number) {
    const TermVariable& it = in_.variables[number];
    std::string name = it.name.empty() ? "v" + std::to_string(number) : it.name;
    for (std::size_t dagger; (dagger = name.find("✝")) != std::string::npos;)
      name.replace(dagger, std::string_view("✝").size(), "_i");
    const bool tells = in_.at(it.type).kind == NodeKind::Constant && in_.at(it.type).count == 0 &&
                       !in_.is_constant(it.type, "Type") && !in_.is_constant(it.type, "Prop");
    if (!tells || std::exchange(ascribed_[number], 1) != 0) {
      out_ += "?" + name;
      return;
    }
    mention(in_.symbol_of(it.type));
    out_ += "(?" + name + " : " + in_.symbol_of(it.type) + ")";
  }

  // Loogle knows the constant if it knows the type of the receiver.
  void field(NodeId id, std::span<const NodeId> given, int least) {
    mention(in_.symbol_of(id));
    const std::size_t before = out_.size();
    applied(given.subspan(1), least, [&] {
      write(given[0], kAtomLevel);
      out_ += "." + in_.symbol_of(id);
    });
    if (in_.at(given[0]).kind == NodeKind::Constant) return;
    out_.resize(before);
    out_ += '_';
  }

  void under(std::string_view after, NodeId body, int least = 0) {
    static constexpr std::string_view kNames[] = {"x", "y", "z", "u", "v", "w"};
    std::string name(kNames[bound_.size() % std::size(kNames)]);
    if (bound_.size() >= std::size(kNames)) name += std::to_string(bound_.size());
    bound_.push_back(name);
    out_.append(name).append(after);
    write(body, least);
    bound_.pop_back();
  }

  bool mentions_innermost(NodeId id, std::uint32_t depth) const {
    const TermNode& node = in_.at(id);
    if (node.kind == NodeKind::Bound && node.number == depth) return true;
    const auto given = in_.arguments_of(id);
    for (std::size_t i = 0; i < given.size(); ++i) {
      const bool binds = node.kind == NodeKind::Lambda || (node.kind == NodeKind::Pi && i == 1);
      if (mentions_innermost(given[i], depth + (binds ? 1 : 0))) return true;
    }
    return false;
  }

  void pi(NodeId domain, NodeId body, int least) {
    const bool is_arrow = in_.at(domain).kind != NodeKind::Hole && !mentions_innermost(body, 0);
    wrapped(is_arrow ? kArrowLevel : 0, least, [&] {
      if (is_arrow) {
        write(domain, kPremiseLevel);
        out_ += " → ";
        bound_.emplace_back("_");
        write(body, kArrowLevel);
        bound_.pop_back();
      } else {
        out_ += "∀ ";
        under(", ", body);
      }
    });
  }

  void constant(NodeId id, std::span<const NodeId> given, int least) {
    const std::string& name = in_.symbol_of(id);
    const Notation* notation = notation_of(name);
    if (name == "Not" && given.size() == 1 && in_.is_constant(given[0], "Eq")) {
      const auto sides = in_.arguments_of(given[0]);
      if (sides.size() == 2) return infix(*notation_of("Ne"), sides[0], sides[1], least);
    }
    if (notation && notation->is_infix() && given.size() == 2)
      return infix(*notation, given[notation->swapped ? 1 : 0], given[notation->swapped ? 0 : 1], least);
    mention(name);
    if (notation && notation->fix == Fix::Prefix && given.size() == 1)
      return wrapped(notation->level, least, [&] {
        out_ += notation->symbol;
        write(given[0], notation->other);
      });
    if (name == "Exists" && given.size() == 1) return exists(given[0], least);
    if (name.starts_with("GetElem") && given.size() == 2) {
      write(given[0], kAtomLevel);
      out_ += '[';
      write(given[1], 0);
      out_ += name.ends_with('?') ? "]?" : name.ends_with('!') ? "]!" : "]";
      return;
    }
    applied(given, least, [&] { out_ += name; });
  }

  void infix(const Notation& notation, NodeId left, NodeId right, int least) {
    wrapped(notation.level, least, [&] {
      write(left, notation.left());
      mention(notation.constant);
      out_.append(" ").append(notation.symbol).append(" ");
      write(right, notation.right());
    });
  }

  void exists(NodeId predicate, int least) {
    wrapped(0, least, [&] {
      out_ += "∃ ";
      if (in_.at(predicate).kind == NodeKind::Lambda) return under(", ", in_.arguments_of(predicate)[0]);
      out_ += "x, ";  // `fun x => p x` only keeps `p`
      write(predicate, kApplicationLevel);
      out_ += " x";
    });
  }

  const TypeTerm& in_;
  std::string out_;
  std::vector<std::string> constants_;
  std::vector<std::string> bound_;
  std::vector<char> ascribed_;
};

}  // namespace

std::optional<WrittenTerm> read_term(std::string_view text) {
  const auto written = parse_statement(text);
  if (!written) return std::nullopt;
  const TypeTerm& statement = written->statement;
  PatternWriter writer(statement);
  if (written->conclusion_only) {
    writer.text() = "⊢ ";
    writer.write(written->unopened, 0);
  } else {
    writer.premises();
    writer.write(statement.conclusion, 0);
  }
  WrittenTerm read;
  if (writer.text() != "_") read.pattern = std::move(writer.text());
  read.constants = std::move(writer.constants());
  if (statement.at(statement.conclusion).kind == NodeKind::Constant)
    read.conclusion = statement.symbol_of(statement.conclusion);
  return read;
}

}  // namespace leanbridge::index

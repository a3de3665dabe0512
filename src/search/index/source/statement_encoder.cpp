#include "statement_encoder.hpp"

#include "core/olean/notation.hpp"

#include <array>
#include <utility>

namespace leanbridge::index {

using olean::BinderInfo;
using olean::Expr;
using olean::Expressions;
using olean::ExprKind;
using olean::is_boxed;
using olean::NameText;
using olean::notation_letters;
using olean::Object;
using olean::Ref;
using olean::unboxed;

namespace {

// Larger types are rarely searched by their shape: the rest becomes a hole.
constexpr std::size_t kMaxEncodedNodes = 250;
constexpr int kMaxEncodedDepth = 40;
constexpr std::size_t kMaxEncodedBinders = 60;

bool is_upper_case(char c) {
  return 'A' <= c && c <= 'Z';
}

class StatementEncoder {
 public:
  explicit StatementEncoder(Expressions& expressions) : expressions_(expressions) {}

  TypeTerm run(Ref type) {
    Expr node = expressions_.at(type);
    while (node.kind == ExprKind::Forall && made_.variables.size() < kMaxEncodedBinders) {
      const BinderInfo info = expressions_.binder(node);
      TermVariable variable;
      variable.letter = info == BinderInfo::Explicit ? 'e' : info == BinderInfo::Instance ? 'c' : 'i';
      if (info != BinderInfo::Instance) variable.type = encode(expressions_.field(node, 1), 0, 0);
      made_.variables.push_back(variable);
      type = expressions_.field(node, 2);
      node = expressions_.at(type);
    }
    made_.conclusion = encode(type, 0, 0);
    return std::move(made_);
  }

 private:
  using Kind = TermNode::Kind;

  NodeId encode(Ref ref, std::uint32_t binders, int depth) {
    if (made_.nodes.size() >= kMaxEncodedNodes || depth > kMaxEncodedDepth) return 0;
    const Expr node = expressions_.at(ref);
    switch (node.kind) {
      case ExprKind::Bvar:
        return variable(node, binders, {});
      case ExprKind::Sort:
        return made_.constant(is_boxed(expressions_.field(node, 0)) ? "Prop" : "Type", {}, true);
      case ExprKind::Const:
      case ExprKind::App:
        return application(ref, binders, depth);
      case ExprKind::Lam:
        return made_.lambda(encode(expressions_.field(node, 2), binders + 1, depth + 1));
      case ExprKind::Forall: {
        const NodeId domain = encode(expressions_.field(node, 1), binders, depth + 1);
        const NodeId body = encode(expressions_.field(node, 2), binders + 1, depth + 1);
        return made_.add(Kind::Pi, 0, std::array{domain, body});
      }
      case ExprKind::Lit:
        return literal(node);
      default:
        return 0;
    }
  }

  NodeId variable(const Expr& node, std::uint32_t binders, const std::vector<NodeId>& given) {
    const std::uint64_t index = unboxed(expressions_.field(node, 0));
    if (index < binders) return made_.add(Kind::Bound, static_cast<std::uint32_t>(index), given);
    const std::uint64_t outer = index - binders;
    if (outer >= made_.variables.size()) return 0;
    const auto number = static_cast<std::uint32_t>(made_.variables.size() - 1 - outer);
    if (made_.variables[number].letter == 'c') return 0;  // it is an instance
    return made_.add(Kind::Variable, number, given);
  }

  NodeId literal(const Expr& node) {
    const Object object = expressions_.region().constructor(expressions_.field(node, 0));
    const Ref value = expressions_.region().field(object, 0);
    std::string text;
    if (object.tag == 1)
      text = "\"" + std::string(expressions_.region().string(value)) + "\"";
    else if (is_boxed(value))
      text = std::to_string(unboxed(value));
    else
      return 0;
    return made_.add(Kind::Literal, made_.symbol(literal_symbol(text)));
  }

  NodeId application(Ref ref, std::uint32_t binders, int depth) {
    std::vector<Ref> arguments;
    const Ref head = expressions_.head(ref, arguments);
    const Expr function = expressions_.at(head);
    if (function.kind == ExprKind::Bvar) return variable(function, binders, all(arguments, binders, depth));
    if (function.kind != ExprKind::Const) return 0;  // it is a lambda or a projection
    const NameText& name = expressions_.names().at(expressions_.field(function, 0));
    const std::size_t count = arguments.size();
    if (name.text == "OfNat.ofNat" && count == 3) return encode(arguments[1], binders, depth + 1);
    const bool wrapper = name.text == "optParam" || name.text == "autoParam" || name.text == "outParam" ||
                         name.text == "semiOutParam";
    if (wrapper && count >= 1) return encode(arguments[0], binders, depth + 1);
    if (name.last.starts_with("inst")) return 0;
    std::vector<NodeId> given;
    const std::string_view letters = notation_letters(name.text);
    const bool heterogeneous = letters == "iiicee";  // of its three types, the last is the type of the result
    for (std::size_t i = 0; i < count; ++i) {
      const bool hidden = i < letters.size() && (letters[i] == 'c' || (heterogeneous && i < 2));
      given.push_back(hidden ? 0 : encode(arguments[i], binders, depth + 1));
    }
    // It is the instance of a parent class: `Monoid.toMul inst`.
    const bool parent = name.last.size() > 2 && name.last.starts_with("to") && is_upper_case(name.last[2]);
    if (parent && !given.empty() && given.back() == 0) return 0;
    return made_.constant(name.text, std::move(given), true);
  }

  std::vector<NodeId> all(const std::vector<Ref>& arguments, std::uint32_t binders, int depth) {
    std::vector<NodeId> encoded;
    encoded.reserve(arguments.size());
    for (const Ref argument : arguments) encoded.push_back(encode(argument, binders, depth + 1));
    return encoded;
  }

  Expressions& expressions_;
  TypeTerm made_;
};

}  // namespace

TypeTerm statement_of(Expressions& expressions, Ref type) {
  return StatementEncoder(expressions).run(type);
}

}  // namespace leanbridge::index

#include "type_printer.hpp"

#include "olean_expr.hpp"
#include "term_output.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::olean {

namespace {

constexpr int kMaxLevelSteps = 60;  // levels are shared, so a few words can expand to a huge tree

class LevelPrinter {
 public:
  explicit LevelPrinter(Expressions& expressions)
      : region_(expressions.region()), names_(expressions.names()) {}

  std::string print(Ref level) {
    std::uint64_t plus = 0;
    for (; kind(level) == kLevelSucc && steps_ < kMaxLevelSteps; ++plus) level = step(level, 0);
    if (is_boxed(level)) return std::to_string(plus);
    std::string text = "_";
    if (steps_ < kMaxLevelSteps && kind(level) == kLevelParam) text = names_.at(step(level, 0)).text;
    if (steps_ < kMaxLevelSteps && (kind(level) == kLevelMax || kind(level) == kLevelImax)) {
      text = kind(level) == kLevelMax ? "max" : "imax";
      for (std::size_t i = 0; i < 2; ++i) {
        const std::string part = print(step(level, i));
        text += part.find(' ') == std::string::npos ? " " + part : " (" + part + ")";
      }
      if (plus != 0) text = "(" + text + ")";
    }
    return plus == 0 ? text : text + "+" + std::to_string(plus);
  }

 private:
  unsigned kind(Ref level) { return is_boxed(level) ? 0 : region_.constructor(level).tag; }
  Ref step(Ref level, std::size_t i) {
    ++steps_;
    return region_.field(region_.constructor(level), i);
  }

  Region& region_;
  Names& names_;
  int steps_ = 0;
};

/// The text of a sort from its level: `Prop`, `Type`, `Type u`, `Sort (max u v)`.
std::string sort_text(Expressions& expressions, Ref level) {
  if (is_boxed(level)) return "Prop";
  const Object object = expressions.region().constructor(level);
  const bool is_type = object.tag == kLevelSucc;
  if (is_type) level = expressions.region().field(object, 0);
  if (is_boxed(level)) return "Type";
  const std::string text = LevelPrinter(expressions).print(level);
  const bool compound = text.find_first_of(" +") != std::string::npos;
  return std::string(is_type ? "Type " : "Sort ") + (compound ? "(" + text + ")" : text);
}

// The limit for a printed type. Longer ones are of no use to readers; `constants` has their words.
constexpr std::size_t kMaxTypeText = 1200;

class TypePrinter : public TermOutput<TypePrinter, kMaxTypeText> {
 public:
  TypePrinter(Expressions& expressions, const BinderTable& binders)
      : TermOutput(expressions), binders_(binders) {}

 private:
  friend TermOutput;
  static constexpr int kMaxSteps = 6000;
  static constexpr int kMaxDepth = 150;

  bool gave_up() const {
    return out_.size() > kMaxTypeText || steps_ > kMaxSteps || depth_ > kMaxDepth || lost_;
  }

  /// Prints `{α : Type u} [Add α] (n m : Nat)` while `goes_on`. Leaves the names in scope; returns the rest.
  template <class GoesOn>
  Ref binder_groups(Ref type, GoesOn goes_on) {
    std::string names, of;
    BinderInfo group = BinderInfo::Explicit;
    bool open = false;
    const auto close = [&] {
      if (open) this->group(group, names, of);
    };
    for (Expr node = expressions_.at(type); node.kind == ExprKind::Forall && !gave_up() && goes_on(node);
         node = expressions_.at(type)) {
      const BinderInfo info = expressions_.binder(node);
      const NameText& name = binder_name(node);
      const std::string text = apart(expressions_.field(node, 1));
      if (!open || info != group || text != of || info == BinderInfo::Instance) close();
      group = info;
      of = text;
      open = true;
      // Unnamed instances are called `inst...`.
      const bool shown = info != BinderInfo::Instance || !(name.hygienic || name.text.starts_with("inst"));
      if (shown) names.append(names.empty() ? "" : " ").append(name.text.empty() ? "x" : name.text);
      scope_.push_back(name.text);
      type = expressions_.field(node, 2);
      ++steps_;
    }
    close();
    return type;
  }

  /// Prints the binders up to the first unnamed one, as Lean's printer does.
  Ref leading_binders(Ref type) {
    return binder_groups(type, [this](const Expr& node) {
      const NameText& name = binder_name(node);
      const bool named = !name.hygienic && !name.text.empty();
      return named || expressions_.binder(node) == BinderInfo::Instance;
    });
  }

  const NameText& binder_name(const Expr& node) {
    return expressions_.names().at(expressions_.field(node, 0));
  }

  void print(Ref ref, int least) {
    if (gave_up()) {
      lost_ = true;
      return;
    }
    ++steps_;
    if (++depth_ > kMaxDepth) lost_ = true;
    print_node(expressions_.at(ref), ref, least);
    --depth_;
  }

  void print_node(const Expr& node, Ref ref, int least) {
    switch (node.kind) {
      case ExprKind::Bvar:
        return variable(node);
      case ExprKind::Sort:
        return sort(node, least);
      case ExprKind::Const:
        return constant(expressions_.field(node, 0));
      case ExprKind::App:
        return application(ref, least);
      case ExprKind::Lam:
        return lambda(ref, least);
      case ExprKind::Forall:
        return pi(ref, least);
      case ExprKind::Let:
        return let(node, least);
      case ExprKind::Lit:
        return literal(node);
      case ExprKind::Proj:
        return projection(node);
      default:
        out_ += '_';
    }
  }

  void variable(const Expr& node) {
    const std::uint64_t index = unboxed(expressions_.field(node, 0));
    if (index >= scope_.size()) {
      out_ += '_';
      return;
    }
    const std::string& name = scope_[scope_.size() - 1 - index];
    out_ += name.empty() ? "x" : name;
  }

  void constant(Ref name) { out_ += expressions_.names().at(name).text; }

  void sort(const Expr& node, int least) {
    const std::string text = sort_text(expressions_, expressions_.field(node, 0));
    wrapped(text.find(' ') == std::string::npos ? kAtomLevel : kApplicationLevel, least,
            [&] { out_ += text; });
  }

  void literal(const Expr& node) {
    const Object object = expressions_.region().constructor(expressions_.field(node, 0));
    const Ref value = expressions_.region().field(object, 0);
    if (object.tag == 1) {
      const std::string_view text = expressions_.region().string(value);
      if (text.size() > kMaxTypeText) lost_ = true;
      out_.append("\"").append(text.substr(0, kMaxTypeText)).append("\"");
    } else {
      out_ += is_boxed(value) ? std::to_string(unboxed(value)) : "_";
    }
  }

  void projection(const Expr& node) {
    print(expressions_.field(node, 2), kAtomLevel);
    const Ref index = expressions_.field(node, 1);
    out_ += "." + std::to_string(is_boxed(index) ? unboxed(index) + 1 : 0);
  }

  void let(const Expr& node, int least) {
    wrapped(0, least, [&] {
      const std::string& name = binder_name(node).text;
      out_.append("let ").append(name).append(" := ");
      print(expressions_.field(node, 2), 0);
      out_ += "; ";
      under(name, expressions_.field(node, 3), 0);
    });
  }

  void under(const std::string& name, Ref body, int least) {
    scope_.push_back(name);
    print(body, least);
    scope_.pop_back();
  }

  void lambda(Ref ref, int least) {
    wrapped(0, least, [&] {
      out_ += "fun";
      const std::size_t scope = scope_.size();
      Expr node = expressions_.at(ref);
      for (; node.kind == ExprKind::Lam && !gave_up(); node = expressions_.at(ref)) {
        const std::string& name = binder_name(node).text;
        const bool used = expressions_.uses_bound(expressions_.field(node, 2));
        out_.append(" ").append(used ? (name.empty() ? "x" : name) : std::string("_"));
        scope_.push_back(name);
        ref = expressions_.field(node, 2);
        ++steps_;
      }
      out_ += " => ";
      print(ref, 0);
      scope_.resize(scope);
    });
  }

  void pi(Ref ref, int least) {
    wrapped(kArrowLevel, least, [&] {
      const Expr node = expressions_.at(ref);
      if (is_arrow(node)) {
        print(expressions_.field(node, 1), kArrowLevel + 1);
        out_ += " → ";
        under(binder_name(node).text, expressions_.field(node, 2), kArrowLevel);
        return;
      }
      const std::size_t scope = scope_.size();
      out_ += "∀ ";
      const Ref body = binder_groups(ref, [this](const Expr& next) { return !is_arrow(next); });
      out_ += ", ";
      print(body, 0);
      scope_.resize(scope);
    });
  }

  void application(Ref ref, int least) {
    std::vector<Ref> arguments;
    const Ref head = expressions_.head(ref, arguments);
    const Ref name_ref = expressions_.constant(head);
    if (is_boxed(name_ref)) return applied(head, arguments, least);
    const std::string& name = expressions_.names().at(name_ref).text;
    if (!special(name, arguments, least)) plain(name, name_ref, arguments, least);
  }

  void plain(const std::string& name, Ref name_ref, const std::vector<Ref>& arguments, int least) {
    const auto known = binders_.find(name);
    const std::string_view letters =
        known == binders_.end() ? std::string_view() : std::string_view(known->second);
    const auto shown = [&](std::size_t i) { return i >= letters.size() || letters[i] == 'e'; };
    applied([&] { constant(name_ref); }, arguments, shown, least);
  }

  /// Notations other than plain operators.
  bool bracketed(const std::string& name, const std::vector<Ref>& arguments, int least);
  /// Prints `[a, b]` for cons cells that end in nil. Otherwise returns false and prints nothing.
  bool list_literal(std::vector<Ref> cell);
  void choice(bool with_proof, const std::vector<Ref>& arguments, int least);
  void branch(bool with_proof, Ref value);
  bool quantified(bool exists, Ref predicate, int least);

  const BinderTable& binders_;
  std::vector<std::string> scope_;
  int steps_ = 0;
  int depth_ = 0;
};

bool TypePrinter::bracketed(const std::string& name, const std::vector<Ref>& arguments, int least) {
  const std::size_t n = arguments.size();
  if (name == "OfNat.ofNat" && n == 3) {
    print(arguments[1], least);
  } else if (name == "optParam" && n == 2) {
    print(arguments[0], 0);
    out_ += " := ";
    print(arguments[1], 0);
  } else if (name == "autoParam" && n == 2) {
    print(arguments[0], least);
  } else if (name == "List.nil" && n == 1) {
    out_ += "[]";
  } else if (name == "Prod.mk" && n == 4) {
    list('(', {arguments[2], arguments[3]}, ')');
  } else if (name == "List.cons" && n == 3 && list_literal(arguments)) {
    return true;
  } else if (name == "GetElem.getElem" && n == 8) {
    element(arguments[5], arguments[6], "]");
  } else if (name == "GetElem?.getElem?" && n == 7) {
    element(arguments[5], arguments[6], "]?");
  } else if ((name == "ite" || name == "dite") && n == 5) {
    choice(name == "dite", arguments, least);
  } else if ((name == "Exists" || name == "Subtype") && n == 2) {
    return quantified(name == "Exists", arguments[1], least);
  } else {
    return false;
  }
  return true;
}

bool TypePrinter::list_literal(std::vector<Ref> cell) {
  std::vector<Ref> items;
  while (cell.size() == 3 && !gave_up()) {
    ++steps_;
    items.push_back(cell[1]);
    const Ref name = expressions_.constant(expressions_.head(Ref{cell[2]}, cell));
    const std::string& text = expressions_.names().at(name).text;
    if (text == "List.nil") break;
    if (text != "List.cons") return false;
  }
  list('[', items, ']');
  return true;
}

void TypePrinter::choice(bool with_proof, const std::vector<Ref>& arguments, int least) {
  wrapped(0, least, [&] {
    const Expr yes = expressions_.at(arguments[3]);
    out_ += "if ";
    if (with_proof && yes.kind == ExprKind::Lam) out_ += binder_name(yes).text + " : ";
    print(arguments[1], 0);
    out_ += " then ";
    branch(with_proof, arguments[3]);
    out_ += " else ";
    branch(with_proof, arguments[4]);
  });
}

void TypePrinter::branch(bool with_proof, Ref value) {
  const Expr node = expressions_.at(value);
  if (with_proof && node.kind == ExprKind::Lam) {
    under(binder_name(node).text, expressions_.field(node, 2), 0);
  } else {
    print(value, 0);
  }
}

bool TypePrinter::quantified(bool exists, Ref predicate, int least) {
  const Expr node = expressions_.at(predicate);
  if (node.kind != ExprKind::Lam) return false;
  const NameText& name = binder_name(node);
  wrapped(exists ? 0 : kAtomLevel, least, [&] {
    out_.append(exists ? "∃ " : "{ ")
        .append(name.text.empty() ? "x" : name.text)
        .append(exists ? ", " : " // ");
    under(name.text, expressions_.field(node, 2), 0);
    if (!exists) out_ += " }";
  });
  return true;
}

}  // namespace

Brackets brackets(BinderInfo info) {
  switch (info) {
    case BinderInfo::Implicit:
      return {"{", "}"};
    case BinderInfo::StrictImplicit:
      return {"⦃", "⦄"};
    case BinderInfo::Instance:
      return {"[", "]"};
    case BinderInfo::Explicit:
      break;
  }
  return {"(", ")"};
}

std::string print_signature(Expressions& expressions, Ref type, const BinderTable& binders) {
  return TypePrinter(expressions, binders).signature(type);
}

}  // namespace leanbridge::olean

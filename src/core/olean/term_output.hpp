#pragma once
/// The parts of printing a term that do not depend on how its names are chosen. Private to this module.

#include "notation.hpp"
#include "type_printer.hpp"

namespace leanbridge::olean {

/// `Printer` derives from it. It has print(Ref, int least), leading_binders(), bracketed() and gave_up().
template <class Printer, std::size_t MaxPart>
class TermOutput {
 public:
  std::string signature(Ref type) {
    type = self().leading_binders(type);
    if (!out_.empty()) out_ += ' ';
    out_ += ": ";
    self().print(type, 0);
    return self().gave_up() ? std::string() : out_;
  }

 protected:
  explicit TermOutput(Expressions& expressions) : expressions_(expressions) {}

  /// Adds parentheses if `precedence` is below `least`.
  template <class Body>
  void wrapped(int precedence, int least, Body body) {
    if (precedence < least) out_ += '(';
    body();
    if (precedence < least) out_ += ')';
  }

  /// Prints an expression into a separate string.
  std::string apart(Ref expr) {
    std::string text;
    std::swap(text, out_);
    self().print(expr, 0);
    std::swap(text, out_);
    if (text.size() > MaxPart) lost_ = true;
    return text;
  }

  /// Prints `(n m : Nat)`, and forgets the names.
  void group(BinderInfo info, std::string& names, const std::string& type) {
    const Brackets around = brackets(info);
    out_.append(out_.empty() || out_.ends_with(' ') ? "" : " ").append(around.open).append(names);
    if (!names.empty()) out_ += " : ";
    out_.append(type).append(around.close);
    names.clear();
  }

  bool is_arrow(const Expr& node) {
    return expressions_.binder(node) == BinderInfo::Explicit &&
           !expressions_.uses_bound(expressions_.field(node, 2));
  }

  void spaced(Ref argument) {
    out_ += ' ';
    self().print(argument, kAtomLevel);
  }

  /// Prints the application of a variable, a projection or a lambda.
  void applied(Ref head, const std::vector<Ref>& arguments, int least) {
    wrapped(kApplicationLevel, least, [&] {
      self().print(head, kAtomLevel);
      for (const Ref argument : arguments) spaced(argument);
    });
  }

  /// Prints the application of a constant to the arguments for which `shown` holds.
  template <class Constant, class Shown>
  void applied(Constant constant, const std::vector<Ref>& arguments, Shown shown, int least) {
    bool is_atom = true;
    for (std::size_t i = 0; i < arguments.size(); ++i) is_atom = is_atom && !shown(i);
    wrapped(is_atom ? kAtomLevel : kApplicationLevel, least, [&] {
      constant();
      for (std::size_t i = 0; i < arguments.size() && !self().gave_up(); ++i)
        if (shown(i)) spaced(arguments[i]);
    });
  }

  void list(char open, const std::vector<Ref>& items, char close) {
    out_ += open;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i != 0) out_ += ", ";
      self().print(items[i], 0);
    }
    out_ += close;
  }

  void element(Ref collection, Ref index, std::string_view close) {
    self().print(collection, kAtomLevel);
    out_ += '[';
    self().print(index, 0);
    out_ += close;
  }

  /// Prints a notation. Otherwise returns false and prints nothing.
  bool special(const std::string& name, const std::vector<Ref>& arguments, int least) {
    if (self().bracketed(name, arguments, least)) return true;
    const std::size_t n = arguments.size();
    const Notation* notation = notation_of(name);
    if (notation == nullptr || notation->letters.empty()) return false;
    const std::size_t first = notation->letters.find('e'), second = notation->letters.find('e', first + 1);
    if (notation->is_infix() && n == second + 1) {
      wrapped(notation->level, least, [&] {
        self().print(arguments[notation->swapped ? second : first], notation->left());
        out_.append(" ").append(notation->symbol).append(" ");
        self().print(arguments[notation->swapped ? first : second], notation->right());
      });
    } else if (notation->fix == Fix::Prefix && n == first + 1) {
      wrapped(notation->level, least, [&] {
        out_ += notation->symbol;
        self().print(arguments[first], notation->other);
      });
    } else if (notation->fix == Fix::Atom && n == notation->letters.size()) {
      out_ += notation->symbol;
    } else {
      return false;
    }
    return true;
  }

  Expressions& expressions_;
  std::string out_;
  bool lost_ = false;

 private:
  Printer& self() { return static_cast<Printer&>(*this); }
};

}  // namespace leanbridge::olean

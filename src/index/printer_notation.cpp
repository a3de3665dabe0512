#include "printer.hpp"

namespace leanbridge::index {

bool TypePrinter::special(const std::string& name, const std::vector<Ref>& arguments, int least) {
  const std::size_t n = arguments.size();
  if (bracketed(name, arguments, least)) return true;
  if (const Infix* operation = infix(name); operation != nullptr && operation->arguments == n) {
    wrapped(operation->precedence, least, [&] {
      const Ref first = arguments[n - 2], second = arguments[n - 1];
      print(operation->swapped ? second : first, operation->left);
      out_ += operation->symbol;
      print(operation->swapped ? first : second, operation->right);
    });
    return true;
  }
  if (const Prefix* operation = prefix(name); operation != nullptr && operation->arguments == n) {
    wrapped(operation->precedence, least, [&] {
      out_ += operation->symbol;
      if (operation->operand != 0) print(arguments[n - 1], operation->operand);
    });
    return true;
  }
  return false;
}

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
    out_ += '(';
    print(arguments[2], 0);
    out_ += ", ";
    print(arguments[3], 0);
    out_ += ')';
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

void TypePrinter::element(Ref collection, Ref index, std::string_view close) {
  print(collection, kAtom);
  out_ += '[';
  print(index, 0);
  out_ += close;
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
  out_ += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i != 0) out_ += ", ";
    print(items[i], 0);
  }
  out_ += ']';
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
  wrapped(exists ? 0 : kAtom, least, [&] {
    out_.append(exists ? "∃ " : "{ ")
        .append(name.text.empty() ? "x" : name.text)
        .append(exists ? ", " : " // ");
    under(name.text, expressions_.field(node, 2), 0);
    if (!exists) out_ += " }";
  });
  return true;
}

}  // namespace leanbridge::index

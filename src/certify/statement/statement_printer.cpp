#include "statement_printer.hpp"

#include "core/olean/statement_words.hpp"
#include "core/olean/term_output.hpp"
#include "core/text/lean_names.hpp"
#include "instance_check.hpp"
#include "literal_text.hpp"

#include <algorithm>
#include <utility>

namespace leanbridge::statement {

using namespace olean;

namespace {

constexpr std::size_t kMaxText = 1200, kMaxTextInFull = 6000;
constexpr int kMaxPrintedSteps = 20'000;
constexpr int kMaxPrintedDepth = 150;

/// Prints one constant.
class Printer : public TermOutput<Printer, kMaxTextInFull> {
 public:
  Printer(ConstantShapes& shapes, SetModule& module, Spelling spelling, bool name_instances)
      : TermOutput(module.expressions),
        shapes_(shapes),
        module_(module),
        spelling_(spelling),
        name_instances_(name_instances) {}

  /// Whether it has printed a variable that has no name on the page.
  bool needs_names() const { return needs_names_; }

  std::string definition(Ref type, Ref value) {
    static_cast<void>(signature(type));
    const std::vector<ScopeType> types = std::move(types_);
    const std::vector<BinderInfo> infos = std::move(infos_);
    const std::vector<std::string> names = std::move(names_);
    const std::vector<bool> hidden = std::move(hidden_);
    leave(0);
    Ref body = value;
    std::size_t taken = 0;
    // The value's binders are left out if they are the same as the type's.
    for (; taken < types.size(); ++taken) {
      const Expr node = expressions_.at(body);
      if (node.kind != ExprKind::Lam || expressions_.binder(node) != infos[taken] ||
          !InstanceCheck(shapes_, module_, types_).is_same(types[taken].type, expressions_.field(node, 1)))
        break;
      enter(names[taken], types[taken].type, infos[taken], hidden[taken]);
      body = expressions_.field(node, 2);
    }
    if (taken < types.size()) {
      leave(0);
      out_ = ": ";
      print(type, 0);
      body = value;
    }
    out_ += " := ";
    print(body, 0);
    return gave_up() ? std::string() : out_;
  }

  std::string level(Ref level) {
    std::uint64_t plus = 0;
    while (!is_boxed(level) && kind(level) == kLevelSucc && take_step()) ++plus, level = part(level, 0);
    if (is_boxed(level)) return std::to_string(plus);
    std::string text;
    if (kind(level) == kLevelParam) {
      text = name_text(part(level, 0));
    } else if ((kind(level) == kLevelMax || kind(level) == kLevelImax) && take_step()) {
      text = kind(level) == kLevelMax ? "max" : "imax";
      for (std::size_t i = 0; i < 2; ++i) {
        const std::string each = this->level(part(level, i));
        text += each.find_first_of(" +") == std::string::npos ? " " + each : " (" + each + ")";
      }
      if (plus != 0) text = "(" + text + ")";
    } else {
      lost_ = true;
    }
    return plus == 0 ? text : text + "+" + std::to_string(plus);
  }

  std::string name_text(Ref name) {
    const std::string key = key_of(module_, name);
    const bool is_single = key.find('\x01') + 1 == key.size();
    std::string text;
    for (std::string_view rest = key; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\x01'), rest.size());
      const std::string_view component = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (!text.empty()) text += '.';
      if (component.starts_with('\0'))
        text += component.substr(1);
      else
        text += is_single ? word_of(component) : component_of(component);
    }
    return text;
  }

 private:
  friend TermOutput;

  bool in_full() const { return spelling_ == Spelling::InFull; }
  bool gave_up() const {
    return out_.size() > (in_full() ? kMaxTextInFull : kMaxText) || steps_ > kMaxPrintedSteps ||
           depth_ > kMaxPrintedDepth || lost_;
  }
  bool take_step() {
    if (++steps_ > kMaxPrintedSteps) lost_ = true;
    return !lost_;
  }
  unsigned kind(Ref level) { return is_boxed(level) ? 0 : expressions_.region().constructor(level).tag; }
  Ref part(Ref level, std::size_t i) {
    return expressions_.region().field(expressions_.region().constructor(level), i);
  }

  // --- names of variables

  /// A name for a variable whose binder has this name. It differs from the names of all variables in scope.
  std::string fresh(Ref name, std::string_view otherwise) {
    const NameText& written = expressions_.names().at(name);
    const std::string base = written.text.empty() || written.text == "_"
                                 ? std::string(otherwise)
                                 : word_of(written.hygienic ? written.text : written.last);
    std::string text = base;
    for (std::size_t i = 1; std::ranges::find(names_, text) != names_.end() && take_step(); ++i)
      text = base.ends_with(text::kCloseQuote) ? base.substr(0, base.size() - text::kCloseQuote.size()) +
                                                     "_" + std::to_string(i) + std::string(text::kCloseQuote)
                                               : base + "_" + std::to_string(i);
    return text;
  }

  bool is_unnamed(const Expr& binder) {
    const NameText& name = expressions_.names().at(expressions_.field(binder, 0));
    return name.hygienic || name.text.empty();
  }

  void enter(std::string name, Ref type, BinderInfo info, bool is_hidden = false) {
    names_.push_back(std::move(name));
    hidden_.push_back(is_hidden);
    types_.push_back({type, info == BinderInfo::Instance});
    infos_.push_back(info);
  }

  void leave(std::size_t scope) {
    names_.resize(scope);
    types_.resize(scope);
    infos_.resize(scope);
    hidden_.resize(scope);
  }

  /// Prints `{α : Type u} [Add α] (n m : Nat)` while `goes_on`, enters the variables, and returns the rest.
  template <class GoesOn>
  Ref binder_groups(Ref type, GoesOn goes_on) {
    std::string names, of;
    BinderInfo group = BinderInfo::Explicit;
    bool open = false, group_is_apart = true;
    const auto close = [&] {
      if (open) this->group(group, names, of);
    };
    for (Expr node = expressions_.at(type); node.kind == ExprKind::Forall && !gave_up() && goes_on(node);
         node = expressions_.at(type)) {
      const BinderInfo info = expressions_.binder(node);
      const Ref binder_type = expressions_.field(node, 1);
      const std::string text = apart(binder_type);
      const bool is_instance = info == BinderInfo::Instance;
      const bool belongs = open && info == group && text == of && !is_instance && group_is_apart;
      if (!belongs) close(), group_is_apart = true;
      group = info;
      of = text;
      open = true;
      const std::string name = fresh(expressions_.field(node, 0), is_instance ? "inst" : "x");
      const bool is_hidden = is_instance && !name_instances_ && is_unnamed(node);
      if (!is_hidden) names.append(names.empty() ? "" : " ").append(name);
      enter(name, binder_type, info, is_hidden);
      // In `(n m : T)`, T is the type of both n and m, so T must not contain an n that means the variable.
      if (has_word(of, name)) group_is_apart = false;
      type = expressions_.field(node, 2);
      take_step();
    }
    close();
    return type;
  }

  /// Prints the binders up to the first unnamed one, as Lean's printer does.
  Ref leading_binders(Ref type) {
    return binder_groups(type, [this](const Expr& node) {
      return !is_unnamed(node) || expressions_.binder(node) == BinderInfo::Instance;
    });
  }

  // --- terms

  void print(Ref ref, int least) {
    if (gave_up()) {
      lost_ = true;
      return;
    }
    take_step();
    if (++depth_ > kMaxPrintedDepth) lost_ = true;
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
      case ExprKind::App:
        return application(ref, least);
      case ExprKind::Lam:
        return lambda(ref, least);
      case ExprKind::Forall:
        return pi(ref, least);
      case ExprKind::Let:
        return let(node, least);
      case ExprKind::Lit:
        return literal(node, least);
      case ExprKind::Proj:
        return projection(node);
      default:  // the data is damaged
        lost_ = true;
    }
  }

  void variable(const Expr& node) {
    const std::uint64_t index = unboxed(expressions_.field(node, 0));
    if (index >= names_.size()) {
      lost_ = true;
      return;
    }
    const std::size_t at = names_.size() - 1 - static_cast<std::size_t>(index);
    if (at < hidden_.size() && hidden_[at]) needs_names_ = true;
    out_ += names_[at];
  }

  /// Prints a constant by a name that no variable in scope hides.
  void constant(Ref name, bool with_arguments = false) {
    const std::string text = name_text(name);
    // A damaged file may have a constant without a name.
    const auto parts = text::parts_of(text);
    const bool is_taken = !parts.empty() && std::ranges::find(names_, parts.front()) != names_.end();
    if (with_arguments) out_ += '@';
    out_.append(is_taken ? "_root_." : "").append(text);
  }

  void levels(Ref list) {
    std::string text;
    for (; !is_boxed(list) && take_step(); list = part(list, 1))
      text += (text.empty() ? "" : ", ") + level(part(list, 0));
    if (!text.empty()) out_ += ".{" + text + "}";
  }

  void sort(const Expr& node, int least) {
    Ref of = expressions_.field(node, 0);
    std::string text = "Prop";
    if (!is_boxed(of)) {
      const bool is_type = kind(of) == kLevelSucc;
      if (is_type) of = part(of, 0);
      const std::string shown = is_boxed(of) && is_type ? "" : level(of);
      const bool compound = shown.find_first_of(" +") != std::string::npos;
      text = is_type ? "Type" : "Sort";
      if (!shown.empty()) text += compound ? " (" + shown + ")" : " " + shown;
    }
    wrapped(text.find(' ') == std::string::npos ? kAtomLevel : kApplicationLevel, least,
            [&] { out_ += text; });
  }

  std::string number(Ref value) {
    if (is_boxed(value)) return std::to_string(unboxed(value));
    const auto digits = decimal(expressions_.region().object(value).data, kMaxTextInFull);
    if (!digits) lost_ = true;
    return digits.value_or("");
  }

  void literal(const Expr& node, int least) {
    const Object object = expressions_.region().constructor(expressions_.field(node, 0));
    const Ref value = expressions_.region().field(object, 0);
    if (object.tag == 1) {
      const std::string_view text = expressions_.region().string(value);
      if (text.size() > kMaxTextInFull) lost_ = true;
      if (!lost_) out_ += string_literal(text);
    } else {
      wrapped(kApplicationLevel, least, [&] { out_ += "nat_lit " + number(value); });
    }
  }

  void projection(const Expr& node) {
    const Ref value = expressions_.field(node, 2);
    // `c.1` may be the name of a constant.
    const bool is_constant = expressions_.at(value).kind == ExprKind::Const;
    if (is_constant) out_ += '(';
    print(value, kAtomLevel);
    if (is_constant) out_ += ')';
    const Ref index = expressions_.field(node, 1);
    if (!is_boxed(index)) lost_ = true;
    out_ += "." + std::to_string(is_boxed(index) ? unboxed(index) + 1 : 0);
  }

  void let(const Expr& node, int least) {
    wrapped(0, least, [&] {
      const Ref type = expressions_.field(node, 1);
      const std::string name = fresh(expressions_.field(node, 0), "x");
      out_.append("let ").append(name).append(" : ");
      print(type, 0);
      out_ += " := ";
      print(expressions_.field(node, 2), 0);
      out_ += "; ";
      under(name, type, BinderInfo::Explicit, expressions_.field(node, 3), 0);
    });
  }

  void under(std::string name, Ref type, BinderInfo info, Ref body, int least) {
    const std::size_t scope = names_.size();
    enter(std::move(name), type, info);
    print(body, least);
    leave(scope);
  }

  void lambda(Ref ref, int least) {
    wrapped(0, least, [&] {
      out_ += "fun";
      const std::size_t scope = names_.size();
      Expr node = expressions_.at(ref);
      for (; node.kind == ExprKind::Lam && !gave_up(); node = expressions_.at(ref)) {
        const BinderInfo info = expressions_.binder(node);
        const Brackets around = brackets(info);
        const Ref type = expressions_.field(node, 1);
        const std::string name =
            fresh(expressions_.field(node, 0), info == BinderInfo::Instance ? "inst" : "x");
        out_.append(" ").append(around.open).append(name).append(" : ");
        print(type, 0);
        out_ += around.close;
        enter(name, type, info);
        ref = expressions_.field(node, 2);
        take_step();
      }
      out_ += " => ";
      print(ref, 0);
      leave(scope);
    });
  }

  void pi(Ref ref, int least) {
    const Expr node = expressions_.at(ref);
    if (is_arrow(node)) {
      wrapped(kArrowLevel, least, [&] {
        const Ref type = expressions_.field(node, 1);
        print(type, kArrowLevel + 1);
        out_ += " → ";
        under(fresh(expressions_.field(node, 0), "x"), type, BinderInfo::Explicit,
              expressions_.field(node, 2), kArrowLevel);
      });
      return;
    }
    wrapped(kArrowLevel, least, [&] {
      const std::size_t scope = names_.size();
      out_ += "∀ ";
      const Ref body = binder_groups(ref, [this](const Expr& next) { return !is_arrow(next); });
      out_ += ", ";
      print(body, 0);
      leave(scope);
    });
  }

  void application(Ref ref, int least) {
    std::vector<Ref> arguments;
    const Ref head = expressions_.head(ref, arguments);
    const Expr function = expressions_.at(head);
    if (function.kind == ExprKind::App) {  // it has more arguments than are read
      lost_ = true;
    } else if (function.kind == ExprKind::Const) {
      applied_constant(function, arguments, least);
    } else {
      applied(head, arguments, least);
    }
  }

  /// The arguments that may stay unprinted: none; the implicit ones; or the implicit ones, if the type is
  /// printed.
  enum class Hiding { Nothing, Arguments, WithType };

  Hiding hiding(const ConstantShape& shape, const std::vector<Ref>& arguments) {
    const std::size_t n = std::min(arguments.size(), shape.binders.size());
    // If implicit arguments follow, Lean would insert some of its own.
    if (n < shape.binders.size() && shape.binders[n].info != BinderInfo::Explicit) return Hiding::Nothing;
    std::vector<bool> known(n);
    for (std::size_t i = 0; i < n; ++i) known[i] = shape.binders[i].info == BinderInfo::Explicit;
    const auto spread = [&] {
      for (std::size_t i = n; i > 0; --i) {
        const ConstantShape::Binder& binder = shape.binders[i - 1];
        if (known[i - 1] || binder.info == BinderInfo::Instance)
          for (const std::size_t other : binder.determines) known[other] = true;
      }
    };
    const auto all_known = [&] {
      for (std::size_t i = 0; i < n; ++i)
        if (!known[i] && shape.binders[i].info != BinderInfo::Instance) return false;
      return true;
    };
    spread();
    Hiding found = Hiding::Arguments;
    if (!all_known()) {
      const Expr result = shape.module->expressions.at(shape.result);
      if (arguments.size() != shape.binders.size() || result.kind != ExprKind::Bvar) return Hiding::Nothing;
      const std::uint64_t index = unboxed(shape.module->expressions.field(result, 0));
      if (index >= n) return Hiding::Nothing;
      known[n - 1 - index] = true;
      spread();
      if (!all_known()) return Hiding::Nothing;
      type_of_result_ = arguments[n - 1 - index];
      found = Hiding::WithType;
    }
    const Ref type = type_of_result_;
    for (std::size_t i = 0; i < n; ++i)
      if (shape.binders[i].info == BinderInfo::Explicit && !shape.binders[i].determines.empty() &&
          !InstanceCheck(shapes_, module_, types_).is_of_its_type(shape, arguments, i))
        return Hiding::Nothing;
    for (std::size_t i = 0; i < n; ++i)
      if (shape.binders[i].info == BinderInfo::Instance &&
          !InstanceCheck(shapes_, module_, types_).follows(shape, arguments, i))
        return Hiding::Nothing;
    type_of_result_ = type;
    return found;
  }

  void applied_constant(const Expr& function, const std::vector<Ref>& arguments, int least) {
    const Ref name = expressions_.field(function, 0);
    const ConstantShape* const shape = shapes_.find(module_, name);
    const Hiding hidden =
        in_full() || shape == nullptr || shape->has_free_level ? Hiding::Nothing : hiding(*shape, arguments);
    if (hidden == Hiding::Nothing) {
      fully(function, shape, arguments, least);
      return;
    }
    const Ref type = type_of_result_;
    if (hidden == Hiding::WithType) {
      if (is_numeral(*shape, arguments)) {
        numeral(arguments);
        return;
      }
      out_ += '(';
      least = 0;
    }
    if (shape->is_project || !special(shape->name, arguments, least)) {
      const auto shown = [&](std::size_t i) {
        return i >= shape->binders.size() || shape->binders[i].info == BinderInfo::Explicit;
      };
      applied([&] { constant(name); }, arguments, shown, least);
    }
    if (hidden == Hiding::WithType) {
      out_ += " : ";
      print(type, 0);
      out_ += ')';
    }
  }

  /// Prints the application in full: `@f.{u} a b`.
  void fully(const Expr& function, const ConstantShape* shape, const std::vector<Ref>& arguments, int least) {
    if (!in_full() && shape != nullptr && !shape->is_project && has_typed_form(shape->name, arguments))
      return;
    wrapped(arguments.empty() ? kAtomLevel : kApplicationLevel, least, [&] {
      const bool needs_mark = in_full() || shape == nullptr ||
                              std::ranges::any_of(shape->binders, [](const ConstantShape::Binder& each) {
                                return each.info != BinderInfo::Explicit;
                              });
      constant(expressions_.field(function, 0), needs_mark && (shape == nullptr || !shape->binders.empty()));
      if (in_full() || shape == nullptr || shape->has_free_level) levels(expressions_.field(function, 1));
      for (const Ref argument : arguments) {
        if (gave_up()) return;
        spaced(argument);
      }
    });
  }

  /// Prints `([] : List Nat)` and `(none : Option Nat)`.
  bool has_typed_form(const std::string& name, const std::vector<Ref>& arguments) {
    const bool is_list = name == "List.nil";
    if ((!is_list && name != "Option.none") || arguments.size() != 1) return false;
    out_ += is_list ? "([] : List" : "(none : Option";
    spaced(arguments[0]);
    out_ += ')';
    return true;
  }

  bool is_numeral(const ConstantShape& shape, const std::vector<Ref>& arguments) {
    return !shape.is_project && shape.name == "OfNat.ofNat" && arguments.size() == 3 &&
           expressions_.at(arguments[1]).kind == ExprKind::Lit;
  }

  /// Prints `5`, which has the type Nat, and `(5 : Int)`.
  void numeral(const std::vector<Ref>& arguments) {
    const Expr literal = expressions_.at(arguments[1]);
    const Object object = expressions_.region().constructor(expressions_.field(literal, 0));
    const std::string digits = number(expressions_.region().field(object, 0));
    const Ref type = expressions_.constant(arguments[0]);
    if (!is_boxed(type) && name_text(type) == "Nat") {
      out_ += digits;
      return;
    }
    out_.append("(").append(digits).append(" : ");
    print(arguments[0], 0);
    out_ += ')';
  }

  /// Notations other than plain operators.
  bool bracketed(const std::string& name, const std::vector<Ref>& arguments, int least) {
    const std::size_t n = arguments.size();
    if (name == "Prod.mk" && n == 4) {
      list('(', {arguments[2], arguments[3]}, ')');
    } else if (name == "List.cons" && n == 3 && list_literal(arguments)) {
      return true;
    } else if (name == "GetElem.getElem" && n == 8) {
      element(arguments[5], arguments[6], "]");
      if (expressions_.at(arguments[7]).kind != ExprKind::Bvar) {
        out_ += '\'';
        print(arguments[7], kAtomLevel);
      }
    } else if (name == "GetElem?.getElem?" && n == 7) {
      element(arguments[5], arguments[6], "]?");
    } else if ((name == "ite" || name == "dite") && n == 5) {
      return choice(name == "dite", arguments, least);
    } else if ((name == "Exists" || name == "Subtype") && n == 2) {
      return quantified(name == "Exists", arguments[1], least);
    } else {
      return false;
    }
    return true;
  }

  bool list_literal(std::vector<Ref> cell) {
    std::vector<Ref> items;
    while (cell.size() == 3 && take_step()) {
      items.push_back(cell[1]);
      const Ref rest = cell[2];
      const Ref name = expressions_.constant(expressions_.head(rest, cell));
      const std::string text = is_boxed(name) ? "" : name_text(name);
      if (text == "List.nil") break;
      if (text != "List.cons") return false;
    }
    list('[', items, ']');
    return true;
  }

  bool choice(bool with_proof, const std::vector<Ref>& arguments, int least) {
    const Expr yes = expressions_.at(arguments[3]), no = expressions_.at(arguments[4]);
    if (with_proof && (yes.kind != ExprKind::Lam || no.kind != ExprKind::Lam)) return false;
    wrapped(0, least, [&] {
      out_ += "if ";
      const std::string name = with_proof ? fresh(expressions_.field(yes, 0), "h") : "";
      if (with_proof) out_ += name + " : ";
      print(arguments[1], 0);
      const auto branch = [&](const Expr& node, Ref value) {
        if (with_proof)
          under(name, expressions_.field(node, 1), BinderInfo::Explicit, expressions_.field(node, 2), 0);
        else
          print(value, 0);
      };
      out_ += " then ";
      branch(yes, arguments[3]);
      out_ += " else ";
      branch(no, arguments[4]);
    });
    return true;
  }

  bool quantified(bool exists, Ref predicate, int least) {
    const Expr node = expressions_.at(predicate);
    if (node.kind != ExprKind::Lam || expressions_.binder(node) != BinderInfo::Explicit) return false;
    const std::string name = fresh(expressions_.field(node, 0), "x");
    const Ref type = expressions_.field(node, 1);
    wrapped(exists ? 0 : kAtomLevel, least, [&] {
      out_.append(exists ? "∃ " : "{ ").append(name).append(" : ");
      print(type, 0);
      out_ += exists ? ", " : " // ";
      under(name, type, BinderInfo::Explicit, expressions_.field(node, 2), 0);
      if (!exists) out_ += " }";
    });
    return true;
  }

  ConstantShapes& shapes_;
  SetModule& module_;
  Spelling spelling_;
  bool name_instances_;
  std::vector<std::string> names_;  ///< of the variables in scope
  std::vector<ScopeType> types_;
  std::vector<BinderInfo> infos_;
  std::vector<bool> hidden_;  ///< marks instances without a name
  Ref type_of_result_ = kBoxedZero;
  int steps_ = 0;
  int depth_ = 0;
  bool needs_names_ = false;
};

}  // namespace

class StatementPrinter::Parts {
 public:
  Parts(ModuleSet& set, std::function<bool(const SetModule&)> is_project)
      : set_(set), shapes_(set, std::move(is_project)) {}

  std::string print(ConstantId id, Spelling spelling, bool with_value) {
    const ConstantInfo info = set_.info(id);
    SetModule& module = *set_.constants()[id].module;
    const auto printed = [&](Printer& printer) {
      return with_value && info.value && info.kind != InfoKind::Theorem
                 ? printer.definition(info.type, *info.value)
                 : printer.signature(info.type);
    };
    Printer printer(shapes_, module, spelling, spelling == Spelling::InFull);
    std::string text = printed(printer);
    if (!printer.needs_names()) return text;
    Printer again(shapes_, module, spelling, true);
    return printed(again);
  }

  std::string level_params(ConstantId id) {
    SetModule& module = *set_.constants()[id].module;
    Printer printer(shapes_, module, Spelling::InFull, true);
    std::string text;
    constexpr int kMaxParams = 100;
    Ref list = module.region.field(module.region.constructor(set_.info(id).common), 1);
    for (int i = 0; !is_boxed(list) && i < kMaxParams; ++i) {
      const Object cell = module.region.constructor(list);
      text += (text.empty() ? "" : ", ") + printer.name_text(module.region.field(cell, 0));
      list = module.region.field(cell, 1);
    }
    return text.empty() ? text : ".{" + text + "}";
  }

 private:
  ModuleSet& set_;
  ConstantShapes shapes_;
};

StatementPrinter::StatementPrinter(ModuleSet& set, std::function<bool(const SetModule&)> is_project)
    : parts_(std::make_unique<Parts>(set, std::move(is_project))) {}
StatementPrinter::~StatementPrinter() = default;
StatementPrinter::StatementPrinter(StatementPrinter&&) noexcept = default;

std::string StatementPrinter::statement(ConstantId id, Spelling spelling) {
  return parts_->print(id, spelling, false);
}

std::string StatementPrinter::definition(ConstantId id, Spelling spelling) {
  return parts_->print(id, spelling, true);
}

std::string StatementPrinter::level_params(ConstantId id) {
  return parts_->level_params(id);
}

}  // namespace leanbridge::statement

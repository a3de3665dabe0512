#include "term_parser.hpp"

#include "core/olean/notation.hpp"
#include "core/text/lean_quoting.hpp"
#include "word_cursor.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace leanbridge::index {

using namespace olean;

namespace {

using NodeKind = TermNode::Kind;

constexpr int kMaxNesting = 60;
constexpr std::size_t kMaxParsedNodes = 4000;
std::string_view first_part(std::string_view name) {
  return name.substr(0, name.find('.'));
}

class TermParser : private WordCursor {
 public:
  TermParser(std::vector<TermWord> words, const IsConstant& is_constant)
      : WordCursor(std::move(words)), is_constant_(is_constant) {}

  std::optional<WrittenStatement> read() {
    if (words_.size() > kMaxTermWords) return std::nullopt;
    skip_keyword();
    if (!read_goal()) read_signature();
    if (failed_) return std::nullopt;
    const NodeId whole = term(0);
    while (is_line_end()) ++at_;
    if (failed_ || at_ != words_.size() || statement().at(whole).kind == NodeKind::Hole) return std::nullopt;
    made_.statement.conclusion = whole;
    made_.unopened = whole;
    open_binders();
    return std::move(made_);
  }

 private:
  TypeTerm& statement() { return made_.statement; }
  // A written hole, unlike node 0, which is an omitted argument.
  NodeId hole() { return statement().add(NodeKind::Hole, 0); }

  // --- the part before the term

  // Reads `a b : A` lines, then `⊢`. Skips lines that it cannot read.
  bool read_goal() {
    const std::size_t turnstile = find_symbol({"⊢"});
    if (turnstile == words_.size()) return false;
    made_.conclusion_only = true;
    while (at_ < turnstile) {
      const std::size_t begin = at_;
      std::size_t end = begin;
      while (end < turnstile && words_[end].kind != WordType::LineEnd) ++end;
      const std::size_t colon = find_symbol({":"}, true);
      if (begin < end && colon < end) {
        std::vector<std::string> names;
        for (std::size_t i = begin; i < colon; ++i)
          if (words_[i].kind == WordType::Name) names.push_back(words_[i].text);
        at_ = colon + 1;
        const NodeId type = type_until(end);
        for (const std::string& name : names) declare(name, 'e', type);
      }
      at_ = std::min(end + 1, turnstile);
    }
    words_.erase(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(turnstile) + 1);
    std::erase_if(words_, [](const TermWord& word) { return word.kind == WordType::LineEnd; });
    at_ = 0;
    return true;
  }

  // Reads `{α : Type} (a b : α) [Add α] : ...`, or only the colon.
  void read_signature() {
    const std::size_t begin = at_;
    std::size_t at = at_;
    int depth = 0;
    for (; at < words_.size(); ++at) {
      const TermWord& word = words_[at];
      if (depth == 0 && !(word.is("(") || word.is("{") || word.is("[") || word.is("⦃"))) break;
      depth += word.nesting();
    }
    if (at >= words_.size() || !words_[at].is(":")) return;
    at_ = begin;
    while (at_ < at && !failed_) bracketed_binder(true);
    if (at_ == at) ++at_;
  }

  /// A variable in scope, by name.
  struct InScope {
    std::string name;
    bool bound = false;        ///< bound by a lambda, ∀ or ∃ in the term
    std::uint32_t number = 0;  ///< the index of a variable of the statement
  };

  std::uint32_t new_variable(BinderLetter letter, NodeId type, std::string name) {
    statement().variables.push_back({letter, type, std::move(name)});
    return static_cast<std::uint32_t>(statement().variables.size() - 1);
  }
  void declare(const std::string& name, BinderLetter letter, NodeId type) {
    scope_.push_back({name, false, new_variable(letter, type, name == "_" ? "" : name)});
  }

  // Reads `(a b : A)`, `{A}`, `[inst : C]`. At the top, its names are variables of the statement; elsewhere
  // they are appended to `local`.
  void bracketed_binder(bool top, std::vector<std::pair<std::string, NodeId>>* local = nullptr) {
    const std::string open = here().text;
    ++at_;
    const BinderLetter letter = open == "(" ? 'e' : open == "[" ? 'c' : 'i';
    const std::string_view close = open == "(" ? ")" : open == "[" ? "]" : open == "{" ? "}" : "⦄";
    std::vector<std::string> names;
    const std::size_t colon = find_symbol({":"});
    const std::size_t end = find_symbol({close});
    if (colon < end) {
      for (; at_ < colon; ++at_)
        if (here().kind == WordType::Name) names.push_back(here().text);
      ++at_;
    } else if (letter != 'c') {
      for (; at_ < end; ++at_)
        if (here().kind == WordType::Name) names.push_back(here().text);
    }
    if (names.empty()) names.emplace_back("_");
    // Instances are not compared.
    const NodeId type = letter == 'c' ? 0 : type_until(end);
    at_ = end;
    expect(close);
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      if (top)
        declare(names[i], letter, type);
      else if (local)
        local->emplace_back(names[i], deeper(type, i));
    }
  }

  // Reads the type up to there, or up to a default value. Returns a Hole if its notation is unknown here: the
  // other types are still useful.
  NodeId type_until(std::size_t end) {
    const std::size_t scope = scope_.size();
    const int depth = depth_;
    const NodeId type = at_ < end ? term(0) : 0;
    if (!failed_ && (at_ >= end || is(":="))) return type;
    failed_ = false;
    scope_.resize(scope);
    depth_ = depth;
    at_ = end;
    return 0;
  }

  // --- terms

  NodeId term(int least) {
    if (++depth_ > kMaxNesting || failed_ || statement().nodes.size() > kMaxParsedNodes) {
      --depth_;
      return fail();
    }
    NodeId left = prefix();
    while (!failed_ && !at_end()) {
      if (is("→") && least <= kArrowLevel) {
        ++at_;
        scope_.push_back({"", true, 0});  // a ∀ without a name: the rest is one binder deeper
        const NodeId right = term(kArrowLevel);
        scope_.pop_back();
        left = statement().add(NodeKind::Pi, 0, std::array{left, right});
        continue;
      }
      if (const Notation* infix = infix_here(); infix && infix->read_level() >= least) {
        ++at_;
        std::vector<NodeId> given;
        if (infix->symbol.ends_with('[')) {
          given.push_back(wrapped(*infix, term(0)));
          expect("]");
        } else if (infix->wrapper == "_") {
          given.push_back(hole());
        }
        const NodeId right = term(infix->read_right());
        given.insert(given.end(), {infix->swapped ? right : left, infix->swapped ? left : right});
        left = statement().constant(infix->constant, std::move(given), false);
        if (infix->negated) left = statement().constant("Not", {left}, false);
        continue;
      }
      if (is("≡") && least <= 50) {
        left = congruent(left);
        continue;
      }
      if (is("<|") && least <= 10) {
        ++at_;
        left = apply(left, {term(10)});
        continue;
      }
      if (is("|>") && least <= 10) {
        ++at_;
        left = apply(term(11), {left});
        continue;
      }
      break;
    }
    --depth_;
    return left;
  }

  // The term in brackets as an argument of the constant: `RingHom.id R` for `→ₗ[R]`.
  NodeId wrapped(const Notation& notation, NodeId inside) {
    return notation.wrapper.empty() ? inside : statement().constant(notation.wrapper, {inside}, false);
  }

  // Reads `a ≡ b [MOD n]`, `a ≡ b [ZMOD n]`.
  NodeId congruent(NodeId left) {
    ++at_;
    const NodeId right = term(51);
    const Notation* of = at_end() ? nullptr : sign_at(here().text, 0).notation;
    if (of == nullptr || !of->symbol.ends_with("MOD ")) return fail();
    ++at_;
    const NodeId modulus = term(0);
    expect("]");
    return statement().constant(of->constant, {modulus, left, right}, false);
  }

  const Notation* infix_here() const {
    if (here().kind != WordType::Symbol || (open_bars_ > 0 && is("||"))) return nullptr;
    return infix_notation(here().text);
  }

  NodeId prefix() {
    if (const Notation* sign = here().kind == WordType::Symbol ? prefix_notation(here().text) : nullptr) {
      ++at_;
      return statement().constant(sign->constant, {term(sign->other)}, false);
    }
    if (take("∀"))
      return quantifier(
          [this](const std::string& name, NodeId domain, NodeId body) {
            const NodeId made = statement().add(NodeKind::Pi, 0, std::array{domain, body});
            binders_.emplace(made, name);
            return made;
          },
          "", false);
    for (const std::string_view constant :
         {"Exists", "ExistsUnique", "Set.iUnion", "Set.iInter", "iSup", "iInf"})
      if (take(notation_of(constant)->symbol))
        return quantifier(
            [&](const std::string&, NodeId, NodeId body) {
              return statement().constant(constant, {statement().lambda(body)}, false);
            },
            constant.starts_with("Exists") ? "And" : constant, false);
    if (take("λ") || take_name("fun"))
      return quantifier([this](const std::string&, NodeId, NodeId body) { return statement().lambda(body); },
                        "", true);
    for (const std::string_view sign :
         {"∑", "∏", "∑'", "∏'", "∑ᶠ", "∏ᶠ", "∫", "∫⁻", "⨍", "∀ᶠ", "∃ᶠ", "∀ᵐ", "∃ᵐ"})
      if (take(sign)) return big_operator(*sign_at(sign, 0).notation);
    if (is_name("if")) return choice();
    if (is_name("let") || is_name("have") || is_name("match") || is_name("by") || is_name("do"))
      return fail();
    return application();
  }

  // Reads `∀ a b : A, body`, `∀ (a : A) {b}, body`, `∃ x ∈ s, body`, `fun a b => body`. `joins` combines the
  // condition of `x ∈ s` with the body: "And", an arrow if it is empty, or the same operator over its proofs.
  template <class Make>
  NodeId quantifier(Make make, std::string_view joins, bool is_fun) {
    BoundNames names;
    const std::size_t scope = scope_.size();
    NodeId condition = 0;
    while (!failed_ && !at_end() && !is(",") && !is("↦"))
      if (!take_binder(names, scope) && (is_fun || !take_condition(names, condition))) fail();
    if (!take(",") && !take("↦")) fail();
    if (names.empty()) fail();
    if (condition != 0 && joins != "And") scope_.push_back({"", true, 0});
    NodeId body = failed_ ? 0 : term(0);
    scope_.resize(scope);
    if (failed_) return 0;
    if (condition != 0)
      body = joins.empty()    ? statement().add(NodeKind::Pi, 0, std::array{condition, body})
             : joins == "And" ? statement().constant(joins, {condition, body}, false)
                              : statement().constant(joins, {statement().lambda(body)}, false);
    for (std::size_t i = names.size(); i-- > 0;) body = make(names[i].first, names[i].second, body);
    return body;
  }

  using BoundNames = std::vector<std::pair<std::string, NodeId>>;

  // Reads `a`, `(a : A)`, `{a}`, or `: A` behind names. Returns false for anything else.
  bool take_binder(BoundNames& names, std::size_t scope) {
    if (is("(") || is("{") || is("[") || is("⦃")) {
      BoundNames group;
      bracketed_binder(false, &group);
      for (auto& each : group) {
        names.push_back(each);
        scope_.push_back({each.first, true, 0});
      }
      return true;
    }
    if (here().kind == WordType::Name || here().kind == WordType::Meta) {
      names.emplace_back(here().text, NodeId{0});
      scope_.push_back({here().text, true, 0});
      ++at_;
      return true;
    }
    if (!take(":")) return false;
    // The type belongs to the names before it, and does not mention them.
    std::vector<InScope> hidden(scope_.begin() + static_cast<std::ptrdiff_t>(scope), scope_.end());
    scope_.resize(scope);
    const NodeId type = type_until(find_symbol({",", "↦"}));
    scope_.insert(scope_.end(), hidden.begin(), hidden.end());
    for (std::uint32_t i = 0; i < names.size(); ++i)
      if (names[i].second == 0) names[i].second = deeper(type, i);
    return true;
  }

  // Reads a condition such as `∈ s` or `< b` behind a single name.
  bool take_condition(const BoundNames& names, NodeId& condition) {
    static constexpr std::string_view kConditions[] = {"∈", "<", "≤", ">", "≥", "≠", "⊆"};
    const Notation* relation = infix_here();
    if (!relation || names.size() != 1 ||
        std::ranges::find(kConditions, here().text) == std::end(kConditions))
      return false;
    ++at_;
    const NodeId right = term(relation->read_right());
    const NodeId bound = statement().add(NodeKind::Bound, 0);
    const std::vector<NodeId> sides =
        relation->swapped ? std::vector{right, bound} : std::vector{bound, right};
    condition = statement().constant(relation->constant, sides, false);
    return true;
  }

  // Reads `∑ x ∈ s, f x`, `∏ x : A, f x`, `∫ x in s, f x ∂μ`, `∫ x in a..b, f x` and `∀ᶠ x in l, p x`.
  NodeId big_operator(const Notation& sign) {
    const std::size_t scope = scope_.size();
    const bool bracket = take("(");
    if (here().kind != WordType::Name) return fail();
    const std::string name = here().text;
    ++at_;
    if (bracket) {
      at_ = find_symbol({")"});
      expect(")");
    }
    if (take(":")) (void)type_until(find_symbol({",", "∂"}));
    const std::size_t comma = find_symbol({","});
    const auto is_dot = [](const TermWord& word) { return word.is("."); };
    const auto dot = std::find_if(words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end(), is_dot);
    const bool interval =
        is_name("in") && static_cast<std::size_t>(dot - words_.begin()) + 1 < comma && is_dot(dot[1]);
    NodeId over = 0;
    if (interval)
      at_ = comma;
    else if (take("∈") || take_name("in") || take("∂"))
      over = term(0);
    expect(",");
    scope_.push_back({name, true, 0});
    const NodeId function = statement().lambda(term(sign.level));
    scope_.resize(scope);
    NodeId measure = hole();
    const bool is_integral = sign.level == 60;
    if (is_integral && take("∂")) measure = term(70);
    if (failed_ || (interval && sign.symbol != "∫")) return fail();
    if (interval) return statement().constant("intervalIntegral", {function, hole(), hole(), measure}, false);
    const bool is_finite = sign.level > 0;
    if (sign.symbol.ends_with("'") || (is_finite && sign.symbol.ends_with("ᶠ")))
      return statement().constant(sign.constant, {function}, false);
    if (!is_integral) {
      if (over != 0) over = wrapped(sign, over);
      return statement().constant(
          sign.constant, is_finite ? std::vector{over, function} : std::vector{function, over}, false);
    }
    if (over != 0) measure = statement().constant("MeasureTheory.Measure.restrict", {measure, over}, false);
    return statement().constant(sign.constant, {measure, function}, false);
  }

  // Reads `if c then a else b`; the name in `if h : c` is a proof, whose value no term mentions.
  NodeId choice() {
    ++at_;
    std::string proof;
    if (here().kind == WordType::Name && at_ + 1 < words_.size() && words_[at_ + 1].text == ":") {
      proof = here().text;
      at_ += 2;
    }
    const NodeId condition = term(0);
    const bool named = !proof.empty();
    if (named) scope_.push_back({std::move(proof), true, 0});
    if (!take_name("then")) return fail();
    const NodeId yes = term(0);
    if (!take_name("else")) return fail();
    const NodeId no = term(0);
    if (named) scope_.pop_back();
    if (failed_) return 0;
    if (!named) return statement().constant("ite", {condition, yes, no}, false);
    return statement().constant("dite", {condition, 0, 0}, false);
  }

  NodeId application() {
    const NodeId function = atom();
    std::vector<NodeId> given;
    while (!failed_ && begins_argument()) {
      if (is("(") && at_ + 2 < words_.size() && words_[at_ + 2].text == ":=") {  // `(x := a)`
        const std::size_t close = find_close();
        at_ = close;
        continue;
      }
      if (is_name("fun") || is("λ")) {  // the last argument may be a function without parentheses
        given.push_back(prefix());
        break;
      }
      given.push_back(atom());
    }
    return given.empty() ? function : apply(function, given);
  }

  // Adds arguments to a function that may already have some.
  NodeId apply(NodeId function, const std::vector<NodeId>& given) {
    if (failed_) return 0;
    const TermNode node = statement().at(function);
    std::vector<NodeId> all(statement().arguments_of(function).begin(),
                            statement().arguments_of(function).end());
    all.insert(all.end(), given.begin(), given.end());
    switch (node.kind) {
      case NodeKind::Constant:
        return statement().constant(std::string(statement().symbol_of(function)), std::move(all), node.full);
      case NodeKind::Variable:
      case NodeKind::Bound:
      case NodeKind::Field:
        return statement().add(node.kind, node.number, all);
      default:
        return hole();
    }
  }

  NodeId atom() {
    if (++depth_ > kMaxNesting || failed_) {
      --depth_;
      return fail();
    }
    NodeId made = plain_atom();
    // reads `x.1`, `(a).length`, `xs[i]`, `xs[i]?`, `x⁻¹`
    while (!failed_ && !at_end() && !here().after_blank && here().kind == WordType::Symbol) {
      if (is(".") && at_ + 1 < words_.size() && words_[at_ + 1].text == "{") {  // universe levels
        ++at_;
        at_ = find_close();
      } else if (is(".") && at_ + 1 < words_.size() && !words_[at_ + 1].after_blank) {
        ++at_;
        made = here().kind == WordType::Name ? fields(made, here().text) : hole();
        ++at_;
      } else if (is("[")) {
        made = element(made);
      } else if (const Notation* postfix = postfix_notation(here().text)) {
        ++at_;
        std::vector<NodeId> given{made};
        if (postfix->symbol.ends_with('[')) {
          given.push_back(term(0));
          expect("]");
        }
        made = statement().constant(postfix->constant, std::move(given), false);
      } else {
        break;
      }
    }
    // `n !`; in `f !b`, however, it begins an argument
    if (!failed_ && is("!") &&
        (at_ + 1 == words_.size() ||
         (words_[at_ + 1].kind == WordType::Symbol && words_[at_ + 1].nesting() <= 0))) {
      ++at_;
      made = statement().constant("Nat.factorial", {made}, false);
    }
    --depth_;
    return made;
  }

  NodeId element(NodeId collection) {
    ++at_;
    const NodeId index = term(0);
    expect("]");
    const bool attached = !at_end() && !here().after_blank;
    if (attached && take("?")) return statement().constant("GetElem?.getElem?", {collection, index}, false);
    if (attached && take("!")) return statement().constant("GetElem?.getElem!", {collection, index}, false);
    if (attached && here().kind == WordType::Name && here().text.front() == '\'') {  // a proof follows
      const bool alone = here().text.size() == 1;
      ++at_;
      if (alone) (void)atom();
    }
    return statement().constant("GetElem.getElem", {collection, index}, false);
  }

  // Reads `.map` and `.length` of `l.map.length`.
  NodeId fields(NodeId receiver, std::string_view names) {
    while (!names.empty()) {
      const std::string_view one = first_part(names);
      names = one.size() < names.size() ? names.substr(one.size() + 1) : std::string_view();
      const bool digits = one.find_first_not_of("0123456789") == std::string_view::npos;
      receiver = digits ? 0 : statement().add(NodeKind::Field, statement().symbol(one), std::array{receiver});
    }
    return receiver;
  }

  /// Reads `|a|`, `‖a‖` or `‖a‖₊` after the first bar.
  NodeId between_bars(std::string_view constant) {
    const bool is_abs = constant == "abs";
    open_bars_ += is_abs ? 1 : 0;
    const NodeId inside = term(0);
    open_bars_ -= is_abs ? 1 : 0;
    if (!is_abs && take("‖₊"))
      constant = "NNNorm.nnnorm";
    else if (is_abs ? !take_bar() : !take("‖"))
      return fail();
    return failed_ ? 0 : statement().constant(std::string(constant), {inside}, false);
  }

  NodeId plain_atom() {
    const TermWord word = here();
    if (at_end() || word.kind == WordType::LineEnd) return fail();
    ++at_;
    switch (word.kind) {
      case WordType::Number:
      case WordType::Text:
        return statement().add(NodeKind::Literal, statement().symbol(literal_symbol(word.text)));
      case WordType::Meta:
        made_.has_holes = true;
        return word.text == "?_" ? hole() : meta(word.text);
      case WordType::Name:
        return name(word.text);
      default:
        break;
    }
    if (const auto read = reader_of(word.text)) return (this->*read)();
    --at_;
    if (is("|") || is("||")) return bars();
    if (is("{")) return braces();
    if (!is("⟨")) return fail();
    at_ = find_close();
    return hole();
  }

  using AtomReader = NodeId (TermParser::*)();

  // The reader of terms that begin with the sign, which is taken already; null: there are none.
  static AtomReader reader_of(std::string_view sign) {
    static constexpr std::pair<std::string_view, AtomReader> kReaders[] = {
        {"(", &TermParser::parenthesised}, {"[", &TermParser::plain_list},
        {"#[", &TermParser::array},        {"![", &TermParser::matrix_row},
        {"∅", &TermParser::empty_set},     {"↑", &TermParser::coercion},
        {"@", &TermParser::atom},          {"‖", &TermParser::norm},
        {"#", &TermParser::cardinality},   {"⌊", &TermParser::rounded},
        {"⌈", &TermParser::rounded},       {"⟪", &TermParser::inner_product},
        {"⁅", &TermParser::bracket},       {"𝓝[", &TermParser::nhds_within},
        {".", &TermParser::dotted}};
    for (const auto& [begin, read] : kReaders)
      if (begin == sign) return read;
    return nullptr;
  }

  NodeId plain_list() { return list("List.nil", "List.cons"); }
  NodeId array() { return statement().constant("List.toArray", {plain_list()}, false); }
  NodeId matrix_row() { return list("Matrix.vecEmpty", "Matrix.vecCons"); }
  NodeId empty_set() { return statement().constant("EmptyCollection.emptyCollection", {}, false); }
  NodeId coercion() { return statement().constant("↑", {atom()}, false); }
  NodeId norm() { return between_bars("Norm.norm"); }
  NodeId cardinality() { return fields(atom(), "card"); }  // the cardinality of a Finset, or a cardinal
  NodeId bracket() { return statement().constant("Bracket.bracket", pair("⁆"), false); }

  NodeId bars() {
    if (!take("|") && !take_bar()) return fail();
    return between_bars("abs");
  }

  // Reads `.succ` after the dot.
  NodeId dotted() {
    if (here().kind == WordType::Name && !here().after_blank)
      return statement().constant(words_[at_++].text, {}, false);
    --at_;
    return fail();
  }

  // Reads `⌊x⌋`, `⌈x⌉₊`, after the first sign.
  NodeId rounded() {
    const NodeId inside = term(0);
    const Notation* sign = at_end() ? nullptr : sign_at(here().text, 0).notation;
    if (sign == nullptr || (sign->symbol != "⌋" && sign->symbol != "⌉" && sign->constant.empty()))
      return fail();
    ++at_;
    const std::string_view integral = sign->symbol == "⌋" ? "Int.floor" : "Int.ceil";
    return statement().constant(sign->constant.empty() ? integral : sign->constant, {inside}, false);
  }

  // Reads `x, y⟫`.
  std::vector<NodeId> pair(std::string_view close) {
    const NodeId left = term(0);
    expect(",");
    const NodeId right = term(0);
    expect(close);
    return {left, right};
  }

  // Reads `x, y⟫_ℝ`.
  NodeId inner_product() {
    const std::vector<NodeId> sides = pair("⟫");
    if (!at_end() && !here().after_blank && here().text.starts_with('_')) ++at_;
    return statement().constant("Inner.inner", {hole(), sides[0], sides[1]}, false);
  }

  // Reads `s] x`, `≠] x`.
  NodeId nhds_within() {
    const std::size_t end = find_symbol({"]"});
    const NodeId set = type_until(end);
    expect("]");
    return statement().constant("nhdsWithin", {atom(), set}, false);
  }

  // Reads `{x // p}`, `{x : A | p}`, `{x ∈ s | p}`, `{a, b}`; a Hole for other braces.
  NodeId braces() {
    const std::size_t end = find_close(), scope = scope_.size();
    ++at_;
    const std::size_t bar = find_symbol({"//", "|"});
    NodeId made = 0;
    if (bar < end && here().kind == WordType::Name) {
      const bool is_type = words_[bar].is("//");
      scope_.push_back({here().text, true, 0});
      ++at_;
      NodeId condition = 0;
      if (take("∈"))
        condition =
            statement().constant("Membership.mem", {term(0), statement().add(NodeKind::Bound, 0)}, false);
      if (!is(":") && at_ != bar) failed_ = true;
      at_ = bar + 1;
      NodeId body = term(0);
      if (condition != 0) body = statement().constant("And", {condition, body}, false);
      made = statement().constant(is_type ? "Subtype" : "setOf", {statement().lambda(body)}, false);
    } else {
      std::vector<NodeId> items{term(0)};
      while (take(",")) items.push_back(term(0));
      made = statement().constant("Singleton.singleton", {items.back()}, false);
      for (std::size_t i = items.size() - 1; i-- > 0;)
        made = statement().constant("Insert.insert", {items[i], made}, false);
    }
    if (failed_ || !is("}")) made = 0;
    failed_ = false;
    scope_.resize(scope);
    at_ = end;
    return made;
  }

  NodeId list(std::string_view empty, std::string_view cons) {
    std::vector<NodeId> items;
    while (!failed_ && !is("]")) {
      items.push_back(term(0));
      if (!take(",")) break;
    }
    expect("]");
    NodeId made = statement().constant(empty, {}, false);
    while (!items.empty()) {
      made = statement().constant(cons, {items.back(), made}, false);
      items.pop_back();
    }
    return made;
  }

  NodeId parenthesised() {
    if (take(")")) return statement().constant("Unit.unit", {}, false);
    // `(· + 1)` is a function with unknown arguments.
    --at_;
    const std::size_t end = find_close();
    for (std::size_t i = at_; i < end; ++i)
      if (words_[i].is("·")) {
        at_ = end;
        return hole();
      }
    ++at_;
    if (const NodeId section = operator_alone(); section != 0) return section;
    NodeId made = term(0);
    if (take(":")) {
      const NodeId type = type_until(find_symbol({")"}));
      if (statement().at(made).kind == NodeKind::Variable && statement().at(made).count == 0) {
        TermVariable& variable = statement().variables[statement().at(made).number];
        if (variable.type == 0) variable.type = type;
      }
    }
    std::vector<NodeId> parts{made};
    while (!failed_ && take(",")) parts.push_back(term(0));
    expect(")");
    if (failed_) return 0;
    made = parts.back();
    for (std::size_t i = parts.size() - 1; i-- > 0;)
      made = statement().constant("Prod.mk", {parts[i], made}, false);
    return made;
  }

  // `(+)` is not Lean, but people write it.
  NodeId operator_alone() {
    const Notation* infix = infix_here();
    if (!infix || at_ + 1 >= words_.size() || words_[at_ + 1].text != ")") return 0;
    at_ += 2;
    return statement().constant(infix->constant, {}, false);
  }

  NodeId meta(const std::string& text) {
    const auto [known, fresh] = metas_.try_emplace(text, 0U);
    if (fresh) known->second = new_variable('f', 0, text.substr(1));
    return statement().add(NodeKind::Variable, known->second);
  }

  NodeId name(const std::string& text) {
    if (text == "_") {
      made_.has_holes = true;
      return hole();
    }
    if (text == "Type" || text == "Sort") {
      // Universe levels are not compared.
      if (!at_end() && (here().kind == WordType::Number || is_level(here()))) ++at_;
      if (is("(") && here().after_blank) at_ = find_close();
      if (is("*") && !here().after_blank) ++at_;  // Mathlib's `Type*`
      return statement().constant("Type", {}, false);
    }
    if (const auto found = in_scope(text)) return *found;
    const std::string_view root = first_part(text);
    const bool dotted = root.size() < text.size();
    if (dotted)
      if (const auto receiver = in_scope(std::string(root)))
        return fields(*receiver, text.substr(root.size() + 1));
    if (const Notation* known = word_notation(text)) return statement().constant(known->constant, {}, false);
    if (text.size() > 1 && text.ends_with('!') && !dotted &&
        !looks_like_constant(text.substr(0, text.size() - 1)))
      return statement().constant("Nat.factorial", {name(text.substr(0, text.size() - 1))}, false);
    if (!text::is_lean_name(text)) return fail();  // it is a part of unknown notation, not a variable
    const bool constant = is_constant_ ? is_constant_(text) : looks_like_constant(text);
    if (constant) return statement().constant(text, {}, false);
    // A new variable, possibly with fields.
    free_.push_back({std::string(root), false, new_variable('f', 0, std::string(root))});
    const NodeId variable = statement().add(NodeKind::Variable, free_.back().number);
    return dotted ? fields(variable, text.substr(root.size() + 1)) : variable;
  }

  // A name in scope as a term. Free variables stay known when the scope around them ends.
  std::optional<NodeId> in_scope(const std::string& text) {
    std::uint32_t binders = 0;
    for (std::size_t i = scope_.size(); i-- > 0;) {
      const InScope& each = scope_[i];
      if (each.name == text)
        return each.bound ? statement().add(NodeKind::Bound, binders)
                          : statement().add(NodeKind::Variable, each.number);
      if (each.bound) ++binders;
    }
    for (const InScope& each : free_)
      if (each.name == text) return statement().add(NodeKind::Variable, each.number);
    return std::nullopt;
  }

  // --- binders of the statement: the leading ∀ and → of the term

  // Turns the leading Pis of the conclusion into variables, as in the types of theorems.
  void open_binders() {
    std::vector<std::uint32_t> opened;
    NodeId type = statement().conclusion;
    while (statement().at(type).kind == NodeKind::Pi) {
      const NodeId domain = statement().arguments_of(type)[0], body = statement().arguments_of(type)[1];
      const NodeId of = replaced(domain, opened);
      const auto name = binders_.find(type);
      opened.push_back(new_variable('e', of, name == binders_.end() ? "" : name->second));
      type = body;
    }
    statement().conclusion = opened.empty() ? type : replaced(type, opened);
  }

  // A copy for `by` more binders around it.
  NodeId deeper(NodeId id, std::uint32_t by) {
    if (by == 0 || failed_) return id;
    return statement().copied(id, [by](TermNode& bound, std::uint32_t) { bound.number += by; });
  }

  // A copy in which the variables that were bound outside become those of `opened`, the last one innermost.
  NodeId replaced(NodeId id, const std::vector<std::uint32_t>& opened) {
    return statement().copied(id, [&](TermNode& bound, std::uint32_t depth) {
      if (bound.number - depth >= opened.size()) return;
      bound.kind = NodeKind::Variable;
      bound.number = opened[opened.size() - 1 - (bound.number - depth)];
    });
  }

  const IsConstant& is_constant_;
  WrittenStatement made_;
  std::vector<InScope> scope_, free_;
  std::map<std::string, std::uint32_t> metas_;
  std::map<NodeId, std::string> binders_;  ///< the names of ∀
  int depth_ = 0;
  int open_bars_ = 0;  ///< number of open absolute values, in which `||` closes two or opens them
};

}  // namespace

std::optional<WrittenStatement> parse_statement(std::string_view text, const IsConstant& is_constant) {
  return TermParser(term_words(text), is_constant).read();
}

}  // namespace leanbridge::index

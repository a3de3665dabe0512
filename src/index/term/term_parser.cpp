#include "term_parser.hpp"

#include "leanbridge/text/lean_quoting.hpp"

#include "notation.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace leanbridge::index {

namespace {

using NodeKind = TermNode::Kind;

constexpr int kMaxNesting = 60;
constexpr std::size_t kMaxParsedNodes = 4000;

std::string_view first_part(std::string_view name) {
  return name.substr(0, name.find('.'));
}

class TermParser {
 public:
  TermParser(std::vector<TermWord> words, const IsConstant& is_constant)
      : words_(std::move(words)), is_constant_(is_constant) {}

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

  // --- tokens

  bool at_end() const { return at_ >= words_.size(); }
  const TermWord& here() const {
    static const TermWord none{};
    return at_end() ? none : words_[at_];
  }
  bool is(std::string_view symbol) const { return !at_end() && words_[at_].is(symbol); }
  bool is_name(std::string_view name) const {
    return !at_end() && words_[at_].kind == TermWord::WordType::Name && words_[at_].text == name;
  }
  bool is_line_end() const { return !at_end() && words_[at_].kind == TermWord::WordType::LineEnd; }
  bool take(std::string_view symbol) {
    if (!is(symbol)) return false;
    ++at_;
    return true;
  }
  bool take_name(std::string_view name) {
    if (!is_name(name)) return false;
    ++at_;
    return true;
  }
  NodeId fail() {
    failed_ = true;
    return 0;
  }
  void expect(std::string_view symbol) {
    if (!take(symbol)) failed_ = true;
  }

  // The index of the first such symbol outside all brackets, from here on; the end if there is none.
  std::size_t find_symbol(std::initializer_list<std::string_view> wanted, bool in_line = false) const {
    int depth = 0;
    for (std::size_t i = at_; i < words_.size(); ++i) {
      const TermWord& word = words_[i];
      if (in_line && word.kind == TermWord::WordType::LineEnd) return words_.size();
      if (word.kind != TermWord::WordType::Symbol) continue;
      if (depth == 0 && std::find(wanted.begin(), wanted.end(), word.text) != wanted.end()) return i;
      depth += word.nesting();
    }
    return words_.size();
  }

  // --- what comes before the term

  void skip_keyword() {
    static constexpr std::string_view kKeywords[] = {"theorem", "lemma", "def", "example"};
    const bool keyword =
        here().kind == TermWord::WordType::Name &&
        std::find(std::begin(kKeywords), std::end(kKeywords), here().text) != std::end(kKeywords);
    const std::size_t value = find_symbol({":="});
    const bool has_goal =
        std::any_of(words_.begin(), words_.end(), [](const TermWord& word) { return word.is("⊢"); });
    if (!has_goal) {
      if (value < words_.size()) words_.resize(value);
      std::erase_if(words_, [](const TermWord& word) { return word.kind == TermWord::WordType::LineEnd; });
    }
    if (!keyword || at_end()) return;
    const bool named = here().text != "example";
    ++at_;
    if (named && here().kind == TermWord::WordType::Name) ++at_;
  }

  // `a b : A` lines, then `⊢`. Lines that cannot be read are left out.
  bool read_goal() {
    const std::size_t turnstile = find_symbol({"⊢"});
    if (turnstile == words_.size()) return false;
    made_.conclusion_only = true;
    while (at_ < turnstile) {
      const std::size_t begin = at_;
      std::size_t end = begin;
      while (end < turnstile && words_[end].kind != TermWord::WordType::LineEnd) ++end;
      const std::size_t colon = find_symbol({":"}, true);
      if (begin < end && colon < end) {
        std::vector<std::string> names;
        for (std::size_t i = begin; i < colon; ++i)
          if (words_[i].kind == TermWord::WordType::Name) names.push_back(words_[i].text);
        at_ = colon + 1;
        const NodeId type = term(0);
        const bool read = !failed_ && (at_ == end || (at_ < end && is(":=")));
        failed_ = false;
        for (const std::string& name : names) declare(name, 'e', read ? type : 0);
      }
      at_ = std::min(end + 1, turnstile);
    }
    at_ = turnstile + 1;
    std::erase_if(words_, [](const TermWord& word) { return word.kind == TermWord::WordType::LineEnd; });
    at_ = find_turnstile() + 1;
    return true;
  }
  std::size_t find_turnstile() const {
    std::size_t i = 0;
    while (i < words_.size() && !words_[i].is("⊢")) ++i;
    return i;
  }

  // `{α : Type} (a b : α) [Add α] : ...`, or only the colon.
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
    bool bound = false;        ///< by a lambda, ∀ or ∃ in the term
    std::uint32_t number = 0;  ///< of a variable of the statement
  };

  std::uint32_t new_variable(BinderLetter letter, NodeId type, std::string name) {
    statement().variables.push_back({letter, type, std::move(name)});
    return static_cast<std::uint32_t>(statement().variables.size() - 1);
  }
  void declare(const std::string& name, BinderLetter letter, NodeId type) {
    scope_.push_back({name, false, new_variable(letter, type, name == "_" ? "" : name)});
  }

  // `(a b : A)`, `{A}`, `[inst : C]`. At the top its names are variables of the statement; else they are
  // appended to `local`.
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
        if (here().kind == TermWord::WordType::Name) names.push_back(here().text);
      ++at_;
    } else if (letter != 'c') {
      for (; at_ < end; ++at_)
        if (here().kind == TermWord::WordType::Name) names.push_back(here().text);
    }
    if (names.empty()) names.emplace_back("_");
    NodeId type = 0;
    if (at_ < end) type = term(0);
    if (take(":=")) at_ = end;
    expect(close);
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      if (top)
        declare(names[i], letter, letter == 'c' ? 0 : type);
      else if (local)
        local->emplace_back(names[i], deeper(type, i));
    }
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
        scope_.push_back({"", true, 0});  // ∀ without a name: what follows is one binder deeper
        const NodeId right = term(kArrowLevel);
        scope_.pop_back();
        left = statement().add(NodeKind::Pi, 0, std::array{left, right});
        continue;
      }
      if (const Notation* infix = infix_here(); infix && infix->read_level() >= least) {
        ++at_;
        left = joined(*infix, left, term(infix->read_right()));
        continue;
      }
      if (is("∉") && least <= 50) {
        ++at_;
        const NodeId right = term(51);
        const NodeId inside = statement().constant("Membership.mem", {right, left}, false);
        left = statement().constant("Not", {inside}, false);
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

  const Notation* infix_here() const {
    return here().kind == TermWord::WordType::Symbol ? infix_notation(here().text) : nullptr;
  }
  NodeId joined(const Notation& infix, NodeId left, NodeId right) {
    return statement().constant(infix.constant,
                                infix.swapped ? std::vector{right, left} : std::vector{left, right}, false);
  }

  NodeId prefix() {
    for (const std::string_view constant :
         {"Not", "Bool.not", "Neg.neg", "Real.sqrt", "Complement.complement"})
      if (const Notation& notation = *notation_of(constant); take(notation.symbol))
        return statement().constant(constant, {term(notation.other)}, false);
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
    if (is("∑") || is("∏")) return big_operator();
    if (is_name("if")) return choice();
    if (is_name("let") || is_name("have") || is_name("match") || is_name("by") || is_name("do"))
      return fail();
    return application();
  }

  // `∀ a b : A, body`, `∀ (a : A) {b}, body`, `∃ x ∈ s, body`, `fun a b => body`. `joins` combines the
  // condition of `x ∈ s` with the body: "And", an arrow if it is empty, or the same operator over its proofs.
  template <class Make>
  NodeId quantifier(Make make, std::string_view joins, bool is_fun) {
    std::vector<std::pair<std::string, NodeId>> names;
    const std::size_t scope = scope_.size();
    NodeId condition = 0;
    while (!failed_ && !at_end() && !is(",") && !is("↦")) {
      if (is("(") || is("{") || is("[") || is("⦃")) {
        std::vector<std::pair<std::string, NodeId>> group;
        bracketed_binder(false, &group);
        for (auto& each : group) {
          names.push_back(each);
          scope_.push_back({each.first, true, 0});
        }
        continue;
      }
      if (here().kind == TermWord::WordType::Name || here().kind == TermWord::WordType::Meta) {
        names.emplace_back(here().text, NodeId{0});
        scope_.push_back({here().text, true, 0});
        ++at_;
        continue;
      }
      if (take(":")) {
        // The type is that of the names before it, and does not mention them.
        std::vector<InScope> hidden(scope_.begin() + static_cast<std::ptrdiff_t>(scope), scope_.end());
        scope_.resize(scope);
        const NodeId type = term(0);
        scope_.insert(scope_.end(), hidden.begin(), hidden.end());
        for (std::uint32_t i = 0; i < names.size(); ++i)
          if (names[i].second == 0) names[i].second = deeper(type, i);
        continue;
      }
      static constexpr std::string_view kConditions[] = {"∈", "<", "≤", ">", "≥", "≠", "⊆"};
      const Notation* relation = infix_here();
      if (relation && names.size() == 1 && !is_fun &&
          std::find(std::begin(kConditions), std::end(kConditions), here().text) != std::end(kConditions)) {
        ++at_;
        const NodeId right = term(relation->read_right());
        condition = joined(*relation, statement().add(NodeKind::Bound, 0), right);
        continue;
      }
      fail();
    }
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

  // `∑ x ∈ s, f x`, `∏ x : A, f x`
  NodeId big_operator() {
    const bool is_sum = take("∑");
    if (!is_sum) ++at_;
    const std::size_t scope = scope_.size();
    if (here().kind != TermWord::WordType::Name) return fail();
    const std::string name = here().text;
    ++at_;
    NodeId over = 0;
    if (take("∈") || take_name("in"))
      over = term(0);
    else if (take(":"))
      (void)term(0);
    expect(",");
    scope_.push_back({name, true, 0});
    const NodeId body = term(67);
    scope_.resize(scope);
    if (failed_) return 0;
    return statement().constant(is_sum ? "Finset.sum" : "Finset.prod", {over, statement().lambda(body)},
                                false);
  }

  // `if c then a else b`; the name of `if h : c` is a proof, which nothing mentions by value.
  NodeId choice() {
    ++at_;
    std::string proof;
    if (here().kind == TermWord::WordType::Name && at_ + 1 < words_.size() && words_[at_ + 1].text == ":") {
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

  std::size_t find_close() const {
    int depth = 0;
    for (std::size_t i = at_; i < words_.size(); ++i) {
      depth += words_[i].nesting();
      if (depth == 0 && words_[i].kind == TermWord::WordType::Symbol) return i + 1;
    }
    return words_.size();
  }

  bool begins_argument() const {
    if (at_end()) return false;
    const TermWord& word = here();
    switch (word.kind) {
      case TermWord::WordType::Name: {
        static constexpr std::string_view kEnds[] = {"then", "else", "with", "from", "at", "in", "by", "if"};
        return std::find(std::begin(kEnds), std::end(kEnds), word.text) == std::end(kEnds);
      }
      case TermWord::WordType::Meta:
      case TermWord::WordType::Number:
      case TermWord::WordType::Text:
        return true;
      case TermWord::WordType::Symbol:
        return (word.nesting() > 0 && (word.text != "[" || word.after_blank)) || word.text == "∅" ||
               word.text == "↑" || word.text == "λ" || word.text == "@";
      case TermWord::WordType::LineEnd:
        return false;
    }
    return false;
  }

  // More arguments for a function that may have some.
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
        return statement().add(NodeKind::Hole, 0);
    }
  }

  NodeId atom() {
    if (++depth_ > kMaxNesting || failed_) {
      --depth_;
      return fail();
    }
    NodeId made = plain_atom();
    // `x.1`, `(a).length`, `xs[i]`, `xs[i]?`, `x⁻¹`
    while (!failed_ && !at_end() && !here().after_blank && here().kind == TermWord::WordType::Symbol) {
      if (is(".") && at_ + 1 < words_.size() && words_[at_ + 1].text == "{") {  // universe levels
        ++at_;
        at_ = find_close();
      } else if (is(".") && at_ + 1 < words_.size() && !words_[at_ + 1].after_blank) {
        ++at_;
        made = here().kind == TermWord::WordType::Name ? fields(made, here().text)
                                                       : statement().add(NodeKind::Hole, 0);
        ++at_;
      } else if (is("[")) {
        made = element(made);
      } else if (take("⁻¹")) {
        made = statement().constant("Inv.inv", {made}, false);
      } else {
        break;
      }
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
    if (attached && here().kind == TermWord::WordType::Name && here().text.front() == '\'') {  // a proof
      const bool alone = here().text.size() == 1;
      ++at_;
      if (alone) (void)atom();
    }
    return statement().constant("GetElem.getElem", {collection, index}, false);
  }

  // `.map` and `.length` of `l.map.length`
  NodeId fields(NodeId receiver, std::string_view names) {
    while (!names.empty()) {
      const std::string_view one = first_part(names);
      names = one.size() < names.size() ? names.substr(one.size() + 1) : std::string_view();
      const bool digits = one.find_first_not_of("0123456789") == std::string_view::npos;
      receiver = digits ? 0 : statement().add(NodeKind::Field, statement().symbol(one), std::array{receiver});
    }
    return receiver;
  }

  /// `|a|`, `‖a‖`, `‖a‖₊`, after the first bar.
  NodeId between_bars(std::string_view constant) {
    const NodeId inside = term(0);
    if (constant == "abs")
      expect("|");
    else if (take("‖₊"))
      constant = "NNNorm.nnnorm";
    else
      expect("‖");
    return failed_ ? 0 : statement().constant(std::string(constant), {inside}, false);
  }

  NodeId plain_atom() {
    const TermWord word = here();
    if (at_end()) return fail();
    switch (word.kind) {
      case TermWord::WordType::Number:
      case TermWord::WordType::Text:
        ++at_;
        return statement().add(NodeKind::Literal, statement().symbol(literal_symbol(word.text)));
      case TermWord::WordType::Meta:
        ++at_;
        made_.has_holes = true;
        return word.text == "?_" ? statement().add(NodeKind::Hole, 0) : meta(word.text);
      case TermWord::WordType::Name:
        ++at_;
        return name(word.text);
      case TermWord::WordType::LineEnd:
        return fail();
      case TermWord::WordType::Symbol:
        break;
    }
    ++at_;
    if (word.text == "(") return parenthesised();
    if (word.text == "[" || word.text == "#[") return list(word.text == "#[");
    if (word.text == "∅") return statement().constant("EmptyCollection.emptyCollection", {}, false);
    if (word.text == "↑") return statement().constant("↑", {atom()}, false);
    if (word.text == "@") return atom();
    if (word.text == "|") return between_bars("abs");
    if (word.text == "‖") return between_bars("Norm.norm");
    if (word.text == "⟨" || word.text == "{") {
      --at_;
      if (word.text == "{")
        if (const auto subtype = subset()) return *subtype;
      at_ = find_close();
      return statement().add(NodeKind::Hole, 0);
    }
    --at_;
    return fail();
  }

  // `{x // p}`, `{x : A // p}`; nullopt, and nothing read, for other braces.
  std::optional<NodeId> subset() {
    const std::size_t begin = at_, end = find_close();
    ++at_;
    const std::size_t bar = find_symbol({"//"});
    if (bar >= end || here().kind != TermWord::WordType::Name) {
      at_ = begin;
      return std::nullopt;
    }
    scope_.push_back({here().text, true, 0});
    at_ = bar + 1;
    const NodeId body = term(0);
    scope_.pop_back();
    expect("}");
    return failed_ ? 0 : statement().constant("Subtype", {statement().lambda(body)}, false);
  }

  NodeId list(bool array) {
    std::vector<NodeId> items;
    while (!failed_ && !is("]")) {
      items.push_back(term(0));
      if (!take(",")) break;
    }
    expect("]");
    NodeId made = statement().constant("List.nil", {}, false);
    while (!items.empty()) {
      made = statement().constant("List.cons", {items.back(), made}, false);
      items.pop_back();
    }
    return array ? statement().constant("List.toArray", {made}, false) : made;
  }

  NodeId parenthesised() {
    if (take(")")) return statement().constant("Unit.unit", {}, false);
    // `(· + 1)` is a function of unknown arguments.
    --at_;
    const std::size_t end = find_close();
    for (std::size_t i = at_; i < end; ++i)
      if (words_[i].is("·")) {
        at_ = end;
        return statement().add(NodeKind::Hole, 0);
      }
    ++at_;
    if (const NodeId section = operator_alone(); section != 0) return section;
    NodeId made = term(0);
    if (take(":")) {
      const NodeId type = term(0);
      if (!failed_ && statement().at(made).kind == NodeKind::Variable && statement().at(made).count == 0) {
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
      return statement().add(NodeKind::Hole, 0);
    }
    if (text == "Type" || text == "Sort") {
      // The level is not compared.
      if (!at_end() && (here().kind == TermWord::WordType::Number || is_level(here()))) ++at_;
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
    if (!text::is_lean_name(text)) return fail();  // of notation that is unknown here: no variable
    const bool constant = is_constant_ ? is_constant_(text) : looks_like_constant(text);
    if (constant) return statement().constant(text, {}, false);
    // A new variable, and perhaps its fields.
    free_.push_back({std::string(root), false, new_variable('f', 0, std::string(root))});
    const NodeId variable = statement().add(NodeKind::Variable, free_.back().number);
    return dotted ? fields(variable, text.substr(root.size() + 1)) : variable;
  }

  static bool is_level(const TermWord& word) {
    return word.kind == TermWord::WordType::Name && word.text.size() <= 3 &&
           (word.text[0] == 'u' || word.text[0] == 'v' || word.text[0] == 'w' || word.text == "_");
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
      const NodeId of = replaced(domain, 0, opened);
      const auto name = binders_.find(type);
      opened.push_back(new_variable('e', of, name == binders_.end() ? "" : name->second));
      type = body;
    }
    statement().conclusion = opened.empty() ? type : replaced(type, 0, opened);
  }

  // A copy for `by` more binders around it.
  NodeId deeper(NodeId id, std::uint32_t by, std::uint32_t depth = 0) {
    if (by == 0 || failed_) return id;
    const TermNode node = statement().at(id);
    if (node.kind == NodeKind::Hole) return id;
    std::vector<NodeId> given(statement().arguments_of(id).begin(), statement().arguments_of(id).end());
    for (std::size_t i = 0; i < given.size(); ++i) {
      const bool binds = node.kind == NodeKind::Lambda || (node.kind == NodeKind::Pi && i == 1);
      given[i] = deeper(given[i], by, depth + (binds ? 1 : 0));
    }
    const bool outside = node.kind == NodeKind::Bound && node.number >= depth;
    const NodeId made = statement().add(node.kind, node.number + (outside ? by : 0), given);
    statement().nodes[made].full = node.full;
    return made;
  }

  // A copy in which the variables bound outside are those of `opened`, the last one innermost.
  NodeId replaced(NodeId id, std::uint32_t depth, const std::vector<std::uint32_t>& opened) {
    const TermNode node = statement().at(id);
    if (node.kind == NodeKind::Hole) return id;
    std::vector<NodeId> given(statement().arguments_of(id).begin(), statement().arguments_of(id).end());
    for (std::size_t i = 0; i < given.size(); ++i) {
      const bool binds = node.kind == NodeKind::Lambda || (node.kind == NodeKind::Pi && i == 1);
      given[i] = replaced(given[i], depth + (binds ? 1 : 0), opened);
    }
    NodeKind kind = node.kind;
    std::uint32_t number = node.number;
    if (kind == NodeKind::Bound && number >= depth && number - depth < opened.size()) {
      kind = NodeKind::Variable;
      number = opened[opened.size() - 1 - (number - depth)];
    }
    const NodeId made = statement().add(kind, number, given);
    statement().nodes[made].full = node.full;
    return made;
  }

  std::vector<TermWord> words_;
  const IsConstant& is_constant_;
  std::size_t at_ = 0;
  WrittenStatement made_;
  std::vector<InScope> scope_, free_;
  std::map<std::string, std::uint32_t> metas_;
  std::map<NodeId, std::string> binders_;  ///< the names of ∀
  int depth_ = 0;
  bool failed_ = false;
};

}  // namespace

bool looks_like_constant(std::string_view word) {
  if (word.empty()) return false;
  const std::string_view root = first_part(word);
  const bool small = 'a' <= root[0] && root[0] <= 'z';
  if (root.size() < word.size()) return !small;  // `l.length` is a field of l
  // One letter, perhaps not of ASCII, with digits, subscripts and primes; or two small letters, such as `xs`.
  std::size_t letters = 0;
  for (std::size_t at = 0; at < word.size(); ++at) {
    const auto byte = static_cast<unsigned char>(word[at]);
    const bool subscript = byte == 0xE2 && at + 2 < word.size();
    if (subscript)
      at += 2;
    else if ((byte < '0' || byte > '9') && byte != '\'' && byte != '_' && (byte < 0x80 || byte >= 0xC0))
      ++letters;
  }
  static constexpr std::string_view kShortConstants[] = {"id", "or", "le", "lt", "gt", "ge"};
  if (letters == 2 && small)
    return std::find(std::begin(kShortConstants), std::end(kShortConstants), word) !=
           std::end(kShortConstants);
  return letters > 1;
}

std::optional<WrittenStatement> parse_statement(std::string_view text, const IsConstant& is_constant) {
  return TermParser(term_words(text), is_constant).read();
}

}  // namespace leanbridge::index

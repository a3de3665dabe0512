#include "leanbridge/text/tactic_places.hpp"

#include "leanbridge/text/lean_declarations.hpp"
#include "leanbridge/text/lean_lexer.hpp"
#include "leanbridge/text/utf8.hpp"
#include "leanbridge/text/word_list.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace leanbridge::text {
namespace {

using PlaceKind = TacticPlace::Kind;

struct Token {
  LeanTokenKind kind;
  std::size_t begin;
  std::size_t end;
  std::size_t column;  ///< code points before it on its line
  bool first_on_line;  ///< a line break precedes it
  bool arrow_ahead;    ///< an `=>` that may belong to an alternative follows on its line
};

constexpr auto kOpening = std::to_array<std::string_view>({"(", "[", "{", "⟨", "⟦", "@["});
constexpr auto kClosing = std::to_array<std::string_view>({")", "]", "}", "⟩", "⟧"});
constexpr auto kBinders =
    std::to_array<std::string_view>({"∀", "∃", "Σ", "Π", "∑", "∏", "⋃", "⋂", "⨆", "⨅", "∫"});

constexpr std::size_t kMaxReach = 64;

/// What the arrows, bars and words after the first word of a tactic mean.
enum class TacticHead {
  Unknown,       ///< of an unknown tactic: an arrow may lead to a tactic
  Plain,         ///< only terms, in which tactics follow `by`
  Patterns,      ///< like Plain, and bars belong to it: `rcases h with a | b`
  Commas,        ///< like Plain, and commas belong to it: `use a, b`
  Alternatives,  ///< `| pattern => tactics`, any number of times
  Arrow,         ///< one `=> tactics`
  Choices,       ///< `| tactics`, any number of times
  Prefix,        ///< tactics follow directly, or after a number
  Conditional,   ///< `if c then tactics else tactics`
  Scoped,        ///< `open Foo in tactics`
};

// clang-format off
constexpr auto kPlain = std::to_array<std::string_view>({
    "exact", "exact_mod_cast", "refine", "refine'", "refine_lift", "apply", "apply_mod_cast", "have", "haveI", "let", "letI",
    "show", "suffices", "replace", "change", "calc", "rw", "rwa", "erw", "rewrite", "simp", "simpa", "simp_all", "dsimp",
    "simp_rw", "unfold", "specialize", "set", "generalize", "convert", "convert_to", "trans", "intros", "nlinarith",
    "linarith", "nofun", "nomatch", "contradiction", "exfalso", "decide", "omega", "rfl", "trivial", "assumption",
    "constructor", "by_cases", "by_contra", "contrapose", "gcongr", "positivity", "norm_num", "ring", "ring_nf", "aesop",
    "field_simp", "push_cast", "ext", "funext", "congr", "subst", "injection", "clear", "symm", "left", "right",
});
constexpr auto kPatterns = std::to_array<std::string_view>({
    "rcases", "obtain", "rintro", "cases'", "induction'"});
constexpr auto kCommas = std::to_array<std::string_view>({"use", "use!", "exists", "existsi"});
constexpr auto kAlternatives = std::to_array<std::string_view>({
    "cases", "induction", "match", "fun_cases", "fun_induction", "intro"});
constexpr auto kArrow = std::to_array<std::string_view>({
    "case", "case'", "next", "conv", "conv'", "conv_lhs", "conv_rhs", "on_goal"});
constexpr auto kChoices = std::to_array<std::string_view>({"first", "solve", "attempt_all", "first_par"});
constexpr auto kPrefix = std::to_array<std::string_view>({
    "try", "repeat", "repeat'", "repeat1", "repeat1'", "iterate", "all_goals", "any_goals", "focus", "work_on_goal",
    "fail_if_success", "success_if_fail", "with_reducible", "with_reducible_and_instances", "with_unfolding_all",
    "with_unfolding_none", "unhygienic", "show_term", "classical", "recover", "checkpoint", "as_aux_lemma"});
constexpr auto kContinuing = std::to_array<std::string_view>({
    "by", "then", "else", "with", "at", "using", "from", "in", "do", "where", "generalizing", "only", "termination_by",
    "decreasing_by", "deriving", "fun", "_"});
// clang-format on

TacticHead tactic_head(std::string_view word) {
  if (contains(kPlain, word)) return TacticHead::Plain;
  if (contains(kPatterns, word)) return TacticHead::Patterns;
  if (contains(kCommas, word)) return TacticHead::Commas;
  if (contains(kAlternatives, word)) return TacticHead::Alternatives;
  if (contains(kArrow, word)) return TacticHead::Arrow;
  if (contains(kChoices, word)) return TacticHead::Choices;
  if (contains(kPrefix, word)) return TacticHead::Prefix;
  if (word == "if") return TacticHead::Conditional;
  if (word == "open" || word == "set_option") return TacticHead::Scoped;
  return TacticHead::Unknown;
}

/// Words inside a tactic, which begin none even if they are first on a line.
bool continues_tactic(std::string_view word) {
  return contains(kContinuing, word);
}

/// The tokens from `begin`, which must be where one begins, to the end of the source, without comments, with
/// what the layout rule needs.
std::vector<Token> laid_out_tokens(std::string_view source, std::size_t begin) {
  std::vector<Token> tokens;
  std::size_t line = source.substr(0, begin).rfind('\n') + 1;  // where the current line starts; npos + 1 is 0
  std::size_t counted = line;                                  // up to here `column` counts
  std::size_t column = 0;
  LeanLexer lexer(source.substr(begin));
  while (auto token = lexer.next()) {
    token->begin += begin;
    token->end += begin;
    const std::string_view passed = source.substr(counted, token->begin - counted);
    const std::size_t last_break = passed.rfind('\n');
    if (last_break != std::string_view::npos) {
      line = counted + last_break + 1;
      column = 0;
      counted = line;
    }
    column += count_code_points(source.substr(counted, token->begin - counted));
    counted = token->begin;
    if (is_remark(token->kind)) continue;
    const bool first = tokens.empty() || tokens.back().end <= line;
    tokens.push_back({token->kind, token->begin, token->end, column, first, false});
  }
  return tokens;
}

/// Reads the tokens once, with a stack of the tactic blocks that are open.
class TacticScan {
 public:
  explicit TacticScan(std::string_view source) : source_(source), tokens_(laid_out_tokens(source, 0)) {
    for (const DeclarationSite& site : declarations(source)) {
      boundaries_.push_back(site.start);
      boundaries_.push_back(site.end);
    }
    look_ahead_for_arrows();
  }
  /// Of one declaration, as if the source ended with it.
  TacticScan(std::string_view source, const DeclarationSite& site)
      : source_(source.substr(0, site.end)),
        tokens_(laid_out_tokens(source_, site.start)),
        boundaries_({site.start, site.end}) {
    look_ahead_for_arrows();
  }

  std::vector<TacticPlace> run() {
    auto boundary = boundaries_.begin();
    for (; at_ < tokens_.size(); ++at_) {
      const std::size_t begin = tokens_[at_].begin;
      if (boundary != boundaries_.end() && *boundary <= begin) {
        end_all();
        ++proof_;
        while (boundary != boundaries_.end() && *boundary <= begin) ++boundary;
      }
      if (const auto tentative = tactic_begins())
        begin_tactic(*tentative);
      else
        go_on();
    }
    end_all();
    return std::move(places_);
  }

  std::vector<LaidOutToken> tokens() const {
    std::vector<LaidOutToken> tokens;
    tokens.reserve(tokens_.size());
    for (const Token& token : tokens_)
      tokens.push_back(
          {token.begin, token.end, token.first_on_line ? std::optional(token.column) : std::nullopt});
    return tokens;
  }

 private:
  /// Tactics in one column. Brackets suspend it: it concerns only tokens at its own bracket depth.
  struct Block {
    std::size_t column;
    std::size_t depth;
    bool tentative;
    bool in_brackets;  ///< its own: `(tac; tac)`
    // The tactic that is being read:
    TacticHead head = TacticHead::Unknown;
    int functions = 0;     ///< `fun`s whose arrow has not come yet
    int conditionals = 0;  ///< terms `if c then a else b` whose `else` has not come yet
    int binders = 0;       ///< `∃ x, p` and the like, whose comma has not come yet
    bool let = false;      ///< a term `let x := a; b` whose semicolon has not come yet
    bool with = false;     ///< `with` was read: alternatives may follow
    bool bar = false;      ///< an alternative whose arrow has not come yet
    std::optional<std::size_t> bar_column = std::nullopt;  ///< of the first alternative
    /// The offset before a comma that is not the block's own: the block may end there.
    std::optional<std::size_t> comma = std::nullopt;
  };

  /// A block that begins with the next token.
  struct Opening {
    bool first_tentative;
    bool tentative;
    bool in_brackets = false;
  };

  // --- the tokens

  std::string_view text(std::size_t i) const {
    return source_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }
  bool is_word(std::size_t i) const { return tokens_[i].kind == LeanTokenKind::Word; }
  bool is_symbol(std::size_t i, std::string_view symbol) const {
    return i < tokens_.size() && tokens_[i].kind == LeanTokenKind::Symbol && text(i) == symbol;
  }
  bool is_focus_dot(std::size_t i) const {
    if (is_symbol(i, "·")) return true;
    const std::size_t end = tokens_[i].end;  // `.inl h` is a term
    return is_symbol(i, ".") && (end == source_.size() || source_[end] == ' ' || source_[end] == '\n');
  }
  bool can_begin_tactic(std::size_t i) const {
    if (is_word(i)) return source_[tokens_[i].begin] != '#' && !continues_tactic(text(i));
    return is_focus_dot(i) || is_symbol(i, "(") || is_symbol(i, "{");
  }

  void look_ahead_for_arrows() {
    bool ahead = false;
    for (std::size_t i = tokens_.size(); i-- > 0;) {
      if (i + 1 < tokens_.size() && tokens_[i + 1].first_on_line) ahead = false;
      if (is_symbol(i, "=>")) ahead = true;
      const std::string_view word = text(i);
      if (is_symbol(i, ":=") || is_symbol(i, ";") || is_symbol(i, "<;>") || word == "by" || word == "fun")
        ahead = false;
      tokens_[i].arrow_ahead = ahead;
    }
  }

  // --- the blocks

  bool in_block() const { return !blocks_.empty() && blocks_.back().depth == depth_; }
  Block& top() { return blocks_.back(); }
  /// How far down a bar or an `else` looks for its tactic; bounded, so that even garbage takes linear time.
  std::size_t lowest_in_reach() const { return blocks_.size() > kMaxReach ? blocks_.size() - kMaxReach : 0; }
  bool tentative() const { return !blocks_.empty() && blocks_.back().tentative; }

  void open(const Opening& opening) {
    blocks_.push_back({tokens_[at_].column, depth_, opening.tentative, opening.in_brackets});
  }

  void close() {
    const std::optional<std::size_t> comma = top().comma;
    blocks_.pop_back();
    if (blocks_.empty()) comma ? add({*comma, PlaceKind::End, *comma, proof_}) : add_end();
  }

  /// Closes the blocks to the right of the current token, which is first on its line.
  void close_deeper() {
    while (in_block() && top().column > tokens_[at_].column) close();
  }

  void end_all() {
    while (!blocks_.empty()) close();
    opening_.reset();
    item_follows_.reset();
    depth_ = 0;
  }

  void add_end() {
    const std::size_t offset = tokens_[at_ - 1].end;
    // The first column of the next line, if it precedes the next token.
    const std::size_t line_break = source_.find('\n', offset);
    const std::size_t next = at_ < tokens_.size() ? tokens_[at_].begin : source_.size() + 1;
    const bool room = line_break != std::string_view::npos && line_break + 1 < next;
    add({offset, PlaceKind::End, room ? line_break + 1 : offset, proof_});
  }

  void add(const TacticPlace& place) {
    if (places_.empty() || places_.back().offset < place.offset) places_.push_back(place);
  }

  // --- reading

  /// Whether a tactic begins at the current token: if so, is that tentative? Opens and closes blocks by
  /// layout.
  std::optional<bool> tactic_begins() {
    const Token& token = tokens_[at_];
    if (opening_ && token.kind == LeanTokenKind::Number) return std::nullopt;  // `iterate 3 tac`
    if (const auto opening = std::exchange(opening_, std::nullopt); opening && can_begin_tactic(at_)) {
      const bool in_place =
          !token.first_on_line || !in_block() || token.column > top().bar_column.value_or(top().column);
      if (in_place) {
        open(*opening);
        return opening->first_tentative;
      }
    }
    if (const auto follows = std::exchange(item_follows_, std::nullopt);
        follows && can_begin_tactic(at_) && in_block())
      return follows;
    if (!token.first_on_line) return std::nullopt;
    if (is_symbol(at_, "|")) return std::nullopt;  // alternatives have their own columns
    close_deeper();
    if (in_block() && top().column == token.column && can_begin_tactic(at_)) return top().tentative;
    return std::nullopt;
  }

  void begin_tactic(bool is_tentative) {
    const Token& token = tokens_[at_];
    add({token.begin, is_tentative ? PlaceKind::Tentative : PlaceKind::Definite, token.begin, proof_});
    Block& block = top();
    block = Block{block.column, block.depth, block.tentative, block.in_brackets};
    blocks_.front().comma.reset();
    if (is_word(at_)) {
      block.head = tactic_head(text(at_));
      block.with = text(at_) == "intro";  // `intro | pattern => tactics`
      if (block.head == TacticHead::Prefix) opening_ = Opening{true, block.tentative};
    } else if (is_focus_dot(at_)) {
      block.head = TacticHead::Plain;
      opening_ = Opening{block.tentative, block.tentative};
    } else {
      block.head = TacticHead::Plain;
      opening_ = Opening{true, block.tentative, true};
      ++depth_;
    }
  }

  /// Reads a token inside a tactic, or outside any.
  void go_on() {
    if (is_word(at_))
      word(text(at_));
    else if (tokens_[at_].kind == LeanTokenKind::Symbol)
      symbol(text(at_));
  }

  void word(std::string_view word) {
    if (word == "by" || word == "decreasing_by") {
      if (at_ > 0 && is_symbol(at_ - 1, ",")) end_component();
      opening_ = Opening{tentative(), tentative()};
    } else if (!in_block()) {
      return;
    } else if (word == "fun") {
      ++top().functions;
    } else if (word == "let" || word == "have") {
      top().let = true;
    } else if (word == "with") {
      top().with = true;
    } else if (word == "if") {
      ++top().conditionals;
    } else if (word == "then" || word == "else") {
      branch(word == "else");
    } else if (word == "in" && top().head == TacticHead::Scoped) {
      opening_ = Opening{true, tentative()};
    }
  }

  void symbol(std::string_view symbol) {
    if (contains(kOpening, symbol)) {
      ++depth_;
    } else if (contains(kClosing, symbol)) {
      if (depth_ > 0) --depth_;
      while (!blocks_.empty() && top().depth > depth_) close();
    } else if (!in_block()) {
      return;
    } else if (symbol == "λ") {
      ++top().functions;
    } else if (symbol == "=>") {
      arrow();
    } else if (symbol == "|") {
      bar();
    } else if (symbol == "<;>") {
      item_follows_ = top().tentative;
    } else if (symbol == ">" && at_ > 0 && is_symbol(at_ - 1, "<|")) {  // `tac <|> tac`
      item_follows_ = true;
    } else if (symbol == ";") {
      if (!std::exchange(top().let, false)) item_follows_ = top().tentative;
    } else if (symbol == ",") {
      comma();
    } else if (contains(kBinders, symbol)) {
      ++top().binders;
    }
  }

  void arrow() {
    Block& block = top();
    if (block.functions > 0) {
      --block.functions;
    } else if (block.head == TacticHead::Arrow) {
      block.head = TacticHead::Plain;
      opening_ = Opening{block.tentative, block.tentative};
    } else if (block.head == TacticHead::Alternatives && std::exchange(block.bar, false)) {
      opening_ = Opening{block.tentative, block.tentative};
    } else if (block.head == TacticHead::Unknown) {
      opening_ = Opening{true, true};
    }
  }

  /// A bar belongs to the innermost tactic that can use it, and ends the blocks inside that tactic.
  void bar() {
    const bool own_line = tokens_[at_].first_on_line;
    if (!own_line && top().head == TacticHead::Patterns) return;
    for (std::size_t i = blocks_.size(); i-- > lowest_in_reach() && blocks_[i].depth == depth_;) {
      if (!(own_line ? has_alternative_below(blocks_[i]) : has_alternative_here(blocks_[i]))) continue;
      while (blocks_.size() > i + 1) close();
      Block& block = top();
      block.bar = true;
      if (!block.bar_column) block.bar_column = tokens_[at_].column;
      if (block.head == TacticHead::Choices) opening_ = Opening{true, true};
      return;
    }
    if (own_line) close_deeper();
  }
  bool has_alternatives(const Block& block) const {
    if (block.head == TacticHead::Choices) return true;
    return block.with && (block.head == TacticHead::Alternatives || block.head == TacticHead::Unknown);
  }
  /// Bars that begin lines are aligned; those in another column belong to a term.
  bool has_alternative_below(const Block& block) const {
    return has_alternatives(block) && block.bar_column.value_or(tokens_[at_].column) == tokens_[at_].column;
  }
  bool has_alternative_here(const Block& block) const {
    return has_alternatives(block) && (block.head == TacticHead::Choices || tokens_[at_].arrow_ahead);
  }

  void branch(bool is_else) {
    if (top().conditionals > 0) {
      top().conditionals -= is_else ? 1 : 0;
      return;
    }
    for (std::size_t i = blocks_.size(); i-- > lowest_in_reach() && blocks_[i].depth == depth_;) {
      if (blocks_[i].head != TacticHead::Conditional) continue;
      while (blocks_.size() > i + 1) close();
      opening_ = Opening{tentative(), tentative()};
      return;
    }
  }

  /// A comma may end a block in brackets, as in `⟨by simp, h⟩`, or belong to a tactic with unknown syntax.
  void comma() {
    Block& block = top();
    if (block.binders > 0)
      --block.binders;
    else if (depth_ > 0 && block.head != TacticHead::Commas && !block.comma)
      block.comma = tokens_[at_ - 1].end;
  }

  /// `by` after a comma: the next component of `⟨by simp, by simp⟩`.
  void end_component() {
    while (in_block() && top().comma && !top().in_brackets) close();
  }

  std::string_view source_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> boundaries_;  // where commands begin
  std::size_t at_ = 0;                   // the current token
  std::size_t depth_ = 0;                // of brackets
  std::size_t proof_ = 0;
  std::vector<Block> blocks_;
  std::optional<Opening> opening_;
  std::optional<bool> item_follows_;  // the next token begins a tactic of the same block: tentative?
  std::vector<TacticPlace> places_;
};

}  // namespace

std::vector<TacticPlace> tactic_places(std::string_view source) {
  return TacticScan(source).run();
}

TacticLayout tactic_layout(std::string_view source, const DeclarationSite& site) {
  TacticScan scan(source, site);
  return {scan.run(), scan.tokens()};
}

}  // namespace leanbridge::text

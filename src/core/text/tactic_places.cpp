#include "tactic_places.hpp"

#include "declaration_scan.hpp"
#include "tactic_scan.hpp"
#include "utf8.hpp"
#include "word_list.hpp"

#include <array>
#include <optional>
#include <utility>

namespace leanbridge::text {
namespace {

using PlaceKind = TacticPlace::Kind;

constexpr auto kOpening = std::to_array<std::string_view>({"(", "[", "{", "⟨", "⟦", "@["});
constexpr auto kClosing = std::to_array<std::string_view>({")", "]", "}", "⟩", "⟧"});
constexpr auto kBinders =
    std::to_array<std::string_view>({"∀", "∃", "Σ", "Π", "∑", "∏", "⋃", "⋂", "⨆", "⨅", "∫"});

constexpr std::size_t kMaxReach = 64;

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

/// Words inside a tactic, which begin no tactic even if they are first on a line.
bool continues_tactic(std::string_view word) {
  return contains(kContinuing, word);
}

}  // namespace

TacticScan::State TacticScan::State::moved(std::size_t by) const {
  State moved = *this;
  moved.last.begin += by;
  moved.last.end += by;
  for (Block& block : moved.blocks)
    if (block.comma) *block.comma += by;
  return moved;
}

// --- the tokens

bool TacticScan::is_focus_dot(std::size_t i) {
  if (tokens_.is_symbol(i, "·")) return true;
  const std::size_t end = tokens_[i].end;  // `.inl h` is a term
  return tokens_.is_symbol(i, ".") && (end == source_.size() || source_[end] == ' ' || source_[end] == '\n');
}

bool TacticScan::can_begin_tactic(std::size_t i) {
  if (is_word(i)) return source_[tokens_[i].begin] != '#' && !continues_tactic(tokens_.text(i));
  return is_focus_dot(i) || tokens_.is_symbol(i, "(") || tokens_.is_symbol(i, "{");
}

/// Whether an `=>` that may belong to an alternative follows the current token on its line.
bool TacticScan::arrow_ahead() {
  if (at_ < arrow_known_) return arrow_ahead_;
  for (std::size_t i = at_;; ++i) {
    const std::string_view word = tokens_.text(i);
    const bool ends = tokens_.is_symbol(i, ":=") || tokens_.is_symbol(i, ";") ||
                      tokens_.is_symbol(i, "<;>") || word == "by" || word == "fun";
    arrow_ahead_ = !ends && tokens_.is_symbol(i, "=>");
    arrow_known_ = i + 1;
    if (ends || arrow_ahead_ || !tokens_.has(i + 1) || tokens_[i + 1].first_on_line) return arrow_ahead_;
  }
}

std::size_t TacticScan::column() {
  const LaidOutToken& token = tokens_[at_];
  if (counted_line_ != token.line) {
    counted_ = counted_line_ = token.line;
    column_ = 0;
  }
  column_ += count_code_points(source_.substr(counted_, token.begin - counted_));
  counted_ = token.begin;
  return column_;
}

// --- the blocks

/// The lowest block in which a bar or an `else` looks for its tactic. Bounded, so that even garbage takes
/// linear time.
std::size_t TacticScan::lowest_in_reach() const {
  return state_.blocks.size() > kMaxReach ? state_.blocks.size() - kMaxReach : 0;
}

void TacticScan::open(const Opening& opening) {
  state_.blocks.push_back({column(), state_.depth, opening.tentative, opening.in_brackets});
}

void TacticScan::close() {
  const std::optional<std::size_t> comma = top().comma;
  state_.blocks.pop_back();
  if (state_.blocks.empty()) comma ? add({*comma, PlaceKind::End, *comma, proof_}) : add_end();
}

/// Closes the blocks to the right of the current token, which is the first on its line.
void TacticScan::close_deeper() {
  while (in_block() && top().column > column()) close();
}

void TacticScan::end_all() {
  while (!state_.blocks.empty()) close();
  state_.opening.reset();
  state_.item_follows.reset();
  state_.depth = 0;
}

void TacticScan::add_end() {
  const std::size_t offset = state_.last.end;
  // The first column of the next line, if it precedes the next token.
  const std::size_t line_break = source_.find('\n', offset);
  const bool room = line_break != std::string_view::npos && line_break + 1 < next_begin_;
  add({offset, PlaceKind::End, room ? line_break + 1 : offset, proof_});
}

void TacticScan::add(const TacticPlace& place) {
  if (places_.empty() || places_.back().offset < place.offset) places_.push_back(place);
}

// --- reading

void TacticScan::read(std::size_t i, bool begins_command) {
  command_begins_ = command_begins_ || begins_command;
  const LaidOutToken token = tokens_[i];
  if (is_remark(token.kind)) return;
  at_ = i;
  next_begin_ = token.begin;
  if (std::exchange(command_begins_, false)) {
    end_all();
    ++proof_;
  }
  const std::string_view text = tokens_.text(i);
  const bool is_symbol = token.kind == LeanTokenKind::Symbol;
  if (const auto tentative = tactic_begins())
    begin_tactic(*tentative);
  else if (token.kind == LeanTokenKind::Word)
    word(text);
  else if (is_symbol)
    symbol(text);
  state_.last = {token.begin, token.end, is_symbol && text == ",", is_symbol && text == "<|"};
}

void TacticScan::finish() {
  next_begin_ = source_.size() + 1;
  end_all();
}

/// Whether a tactic begins at the current token, and if so, whether it is tentative; nullopt: none begins.
/// Opens and closes blocks by layout.
std::optional<bool> TacticScan::tactic_begins() {
  const LaidOutToken& token = tokens_[at_];
  if (state_.opening && token.kind == LeanTokenKind::Number) return std::nullopt;  // `iterate 3 tac`
  if (const auto opening = std::exchange(state_.opening, std::nullopt); opening && can_begin_tactic(at_)) {
    const bool in_place =
        !token.first_on_line || !in_block() || column() > top().bar_column.value_or(top().column);
    if (in_place) {
      open(*opening);
      return opening->first_tentative;
    }
  }
  if (const auto follows = std::exchange(state_.item_follows, std::nullopt);
      follows && can_begin_tactic(at_) && in_block())
    return follows;
  if (!token.first_on_line) return std::nullopt;
  if (tokens_.is_symbol(at_, "|")) return std::nullopt;  // alternatives have their own columns
  close_deeper();
  if (in_block() && top().column == column() && can_begin_tactic(at_)) return top().tentative;
  return std::nullopt;
}

void TacticScan::begin_tactic(bool is_tentative) {
  const LaidOutToken& token = tokens_[at_];
  add({token.begin, is_tentative ? PlaceKind::Tentative : PlaceKind::Definite, token.begin, proof_});
  Block& block = top();
  block = Block{block.column, block.depth, block.tentative, block.in_brackets};
  state_.blocks.front().comma.reset();
  if (is_word(at_)) {
    block.head = tactic_head(tokens_.text(at_));
    block.with = tokens_.text(at_) == "intro";  // `intro | pattern => tactics`
    if (block.head == TacticHead::Prefix) state_.opening = Opening{true, block.tentative};
  } else if (is_focus_dot(at_)) {
    block.head = TacticHead::Plain;
    state_.opening = Opening{block.tentative, block.tentative};
  } else {
    block.head = TacticHead::Plain;
    state_.opening = Opening{true, block.tentative, true};
    ++state_.depth;
  }
}

void TacticScan::word(std::string_view word) {
  if (word == "by" || word == "decreasing_by") {
    if (state_.last.is_comma) end_component();
    state_.opening = Opening{tentative(), tentative()};
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
    state_.opening = Opening{true, tentative()};
  }
}

void TacticScan::symbol(std::string_view symbol) {
  if (contains(kOpening, symbol)) {
    ++state_.depth;
  } else if (contains(kClosing, symbol)) {
    if (state_.depth > 0) --state_.depth;
    while (!state_.blocks.empty() && top().depth > state_.depth) close();
  } else if (!in_block()) {
    return;
  } else if (symbol == "λ") {
    ++top().functions;
  } else if (symbol == "=>") {
    arrow();
  } else if (symbol == "|") {
    bar();
  } else if (symbol == "<;>") {
    state_.item_follows = top().tentative;
  } else if (symbol == ">" && state_.last.is_left_pipe) {  // `tac <|> tac`
    state_.item_follows = true;
  } else if (symbol == ";") {
    if (!std::exchange(top().let, false)) state_.item_follows = top().tentative;
  } else if (symbol == ",") {
    comma();
  } else if (contains(kBinders, symbol)) {
    ++top().binders;
  }
}

void TacticScan::arrow() {
  Block& block = top();
  if (block.functions > 0) {
    --block.functions;
  } else if (block.head == TacticHead::Arrow) {
    block.head = TacticHead::Plain;
    state_.opening = Opening{block.tentative, block.tentative};
  } else if (block.head == TacticHead::Alternatives && std::exchange(block.bar, false)) {
    state_.opening = Opening{block.tentative, block.tentative};
  } else if (block.head == TacticHead::Unknown) {
    state_.opening = Opening{true, true};
  }
}

/// A bar belongs to the innermost tactic that can use it, and ends the blocks inside that tactic.
void TacticScan::bar() {
  const bool own_line = tokens_[at_].first_on_line;
  if (!own_line && top().head == TacticHead::Patterns) return;
  for (std::size_t i = state_.blocks.size();
       i-- > lowest_in_reach() && state_.blocks[i].depth == state_.depth;) {
    if (!(own_line ? has_alternative_below(state_.blocks[i]) : has_alternative_here(state_.blocks[i])))
      continue;
    while (state_.blocks.size() > i + 1) close();
    Block& block = top();
    block.bar = true;
    if (!block.bar_column) block.bar_column = column();
    if (block.head == TacticHead::Choices) state_.opening = Opening{true, true};
    return;
  }
  if (own_line) close_deeper();
}

bool TacticScan::has_alternatives(const Block& block) const {
  if (block.head == TacticHead::Choices) return true;
  return block.with && (block.head == TacticHead::Alternatives || block.head == TacticHead::Unknown);
}

/// Bars that begin lines are aligned; bars in another column belong to a term.
bool TacticScan::has_alternative_below(const Block& block) {
  return has_alternatives(block) && block.bar_column.value_or(column()) == column();
}

bool TacticScan::has_alternative_here(const Block& block) {
  return has_alternatives(block) && (block.head == TacticHead::Choices || arrow_ahead());
}

void TacticScan::branch(bool is_else) {
  if (top().conditionals > 0) {
    top().conditionals -= is_else ? 1 : 0;
    return;
  }
  for (std::size_t i = state_.blocks.size();
       i-- > lowest_in_reach() && state_.blocks[i].depth == state_.depth;) {
    if (state_.blocks[i].head != TacticHead::Conditional) continue;
    while (state_.blocks.size() > i + 1) close();
    state_.opening = Opening{tentative(), tentative()};
    return;
  }
}

/// A comma may end a block in brackets, as in `⟨by simp, h⟩`, or belong to a tactic with unknown syntax.
void TacticScan::comma() {
  Block& block = top();
  if (block.binders > 0)
    --block.binders;
  else if (state_.depth > 0 && block.head != TacticHead::Commas && !block.comma)
    block.comma = state_.last.end;
}

/// `by` after a comma: the next component of `⟨by simp, by simp⟩`.
void TacticScan::end_component() {
  while (in_block() && top().comma && !top().in_brackets) close();
}

std::vector<TacticPlace> tactic_places(std::string_view source) {
  TokenWindow tokens(source);
  DeclarationScan declarations(tokens);
  TacticScan tactics(tokens);
  for (std::size_t i = 0; tokens.has(i); ++i) tactics.read(i, declarations.read(i).has_value());
  tactics.finish();
  return std::move(tactics.places());
}

}  // namespace leanbridge::text

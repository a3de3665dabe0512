#include "trials.hpp"

#include "core/base/ascii.hpp"
#include "core/lean/sorries.hpp"
#include "core/text/goal_difference.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/missing_proofs.hpp"
#include "core/text/mutual_blocks.hpp"
#include "core/text/proof_part.hpp"
#include "core/text/silencers.hpp"
#include "core/text/tactic_lines.hpp"
#include "core/text/tactic_places.hpp"
#include "core/text/utf8.hpp"
#include "hidden_sorries.hpp"

#include <algorithm>
#include <cctype>

namespace leanbridge::ide {

wire::Fields AttemptVerdict::fields() {
  return {wire::field<&AttemptVerdict::proof_status>(),
          wire::field<&AttemptVerdict::progress>().omit_value(true),
          wire::field<&AttemptVerdict::closes_goal>().omit_empty(),
          wire::field<&AttemptVerdict::proof_complete>().omit_empty(),
          wire::field<&AttemptVerdict::remaining_goals>().omit_empty(),
          wire::field<&AttemptVerdict::uses_sorry>().omit_empty(),
          wire::field<&AttemptVerdict::replaces_lines>(),
          wire::field<&AttemptVerdict::reason>()};
}

wire::Fields OpenSorry::fields() {
  return wire::fields<&OpenSorry::line, &OpenSorry::goals>();
}

Goals goals_left(const AttemptFacts& facts) {
  if (facts.error_in_snippet) return {};
  return facts.after.none_left() && facts.proof_after.in_proof ? facts.proof_after : facts.after;
}

AttemptVerdict verdict_of(const AttemptFacts& facts) {
  AttemptVerdict verdict;
  verdict.uses_sorry = facts.uses_sorry;
  if (facts.error_in_snippet || !facts.before.in_proof) {
    verdict.proof_status = facts.error_in_snippet ? GoalStatus::Error : GoalStatus::NoGoalAtPosition;
    return verdict;
  }
  const Goals left = goals_left(facts);
  if (left.in_proof) verdict.remaining_goals = left.goals.size();
  verdict.progress = facts.before.goals != facts.after.goals;
  verdict.closes_goal = facts.after.in_proof && facts.after.goals.size() < facts.before.goals.size() &&
                        !facts.uses_sorry && !facts.rejected;
  verdict.proof_complete =
      left.none_left() && !facts.declaration_open && !facts.uses_sorry && !facts.rejected;
  verdict.reason = facts.rejected;
  if (verdict.proof_complete)
    verdict.proof_status = GoalStatus::ProofComplete;
  else if (!facts.after.goals.empty())
    verdict.proof_status = GoalStatus::Goals;
  else
    verdict.proof_status = facts.uses_sorry ? GoalStatus::Sorry : GoalStatus::ClosedHere;
  return verdict;
}

wire::Fields Attempt::fields() {
  return {wire::field<&Attempt::snippet>(),
          wire::field<&Attempt::number>().unlisted(),
          wire::field<&Attempt::tried_as>().unlisted(),
          wire::flatten<&Attempt::verdict>(),
          wire::field<&Attempt::goals>(),
          wire::field<&Attempt::sorries>().unlisted(),
          wire::field<&Attempt::diagnostics>(),
          wire::field<&Attempt::timed_out>(),
          wire::field<&Attempt::truncated>()};
}

// --- the place, and other readings of a snippet

namespace {

constexpr std::size_t kMaxMessages = 50;

// The beginning of the tactic around a byte inside a word; nullopt: the byte is not in a word, or there is no
// tactic.
std::optional<std::size_t> tactic_around(std::string_view source, std::size_t offset) {
  text::LeanLexer lexer(source);
  bool inside = false;
  while (const auto token = lexer.next()) {
    if (token->end <= offset) continue;
    inside = token->kind == text::LeanTokenKind::Word && token->begin < offset;
    break;
  }
  if (!inside) return std::nullopt;
  std::optional<std::size_t> begin;
  for (const text::TacticPlace& place : text::tactic_places(source))
    if (place.offset <= offset && place.kind != text::TacticPlace::Kind::End) begin = place.offset;
  const auto site = text::enclosing_declaration(source, offset);
  return begin && site && *begin > site->start ? begin : std::nullopt;
}

constexpr std::string_view kSorry = "sorry";

// The first sorry that begins between two bytes and stands for a term; nullopt also if a tactic begins at the
// first of them.
std::optional<std::size_t> term_sorry(std::string_view source, std::size_t first, std::size_t last) {
  // Most places have none: the whole file is not read for them.
  if (source.substr(first, last - first + kSorry.size()).find(kSorry) == source.npos) return std::nullopt;
  std::vector<std::size_t> words = lean::sorry_words(source);
  std::erase_if(words, [&](std::size_t word) {
    const std::string_view text = source.substr(word);
    return word < first || word > last || !text.starts_with(kSorry) || text.starts_with(text::kSorryAxiom);
  });
  for (const text::TacticPlace& place : text::tactic_places(source)) {
    if (place.kind == text::TacticPlace::Kind::End) continue;
    if (place.offset == first) return std::nullopt;
    std::erase(words, place.offset);
  }
  return words.empty() ? std::nullopt : std::optional(words.front());
}

// The full names of the declarations that are being proved at a place: its own, and the others of the same
// block.
std::vector<std::string> names_in_proof(std::string_view source, std::size_t offset) {
  const auto block = text::mutual_block_around(source, offset);
  std::vector<std::string> names;
  for (const text::NamedDeclaration& each : text::named_declarations(source)) {
    const text::DeclarationSite& site = each.site;
    const bool is_meant = block ? block->begin < site.start && site.start < block->end
                                : site.start <= offset && offset < std::max(site.end, site.start + 1);
    if (is_meant && !each.full_name.empty()) names.push_back(each.full_name);
  }
  return names;
}

// The first of the names that occurs in the snippet, in full or without namespaces, possibly followed by
// fields.
std::optional<std::string> mentioned_in(std::string_view snippet, const std::vector<std::string>& names) {
  text::LeanLexer lexer(snippet);
  while (const auto token = lexer.next()) {
    if (token->kind != text::LeanTokenKind::Word) continue;
    std::string_view word = snippet.substr(token->begin, token->end - token->begin);
    if (word.starts_with("_root_.")) word.remove_prefix(word.find('.') + 1);
    std::string beginning;
    for (const std::string_view part : text::parts_of(word)) {
      beginning += (beginning.empty() ? "" : ".") + std::string(part);
      for (const std::string& name : names)
        if (name == beginning || name.ends_with("." + beginning)) return name;
    }
  }
  return std::nullopt;
}

void note_outside(Attempt& attempt) {
  attempt.outside = true;
  if (attempt.verdict.proof_status == GoalStatus::Error) return;
  attempt.verdict = {};
  attempt.verdict.proof_status = GoalStatus::NoGoalAtPosition;
}

// How else a snippet may be meant that Lean does not take as it is: without the `by` before it; with its
// first line in the columns of the rest; as the term.
std::vector<std::string> other_readings(const std::string& snippet, bool is_for_term) {
  std::vector<std::string> readings;
  const auto tactics = text::behind_by(snippet);
  if (tactics) readings.push_back(text::moved_to(*tactics, 0));
  if (auto aligned = text::first_line_aligned(tactics ? *tactics : snippet))
    readings.push_back(text::moved_to(*aligned, 0));
  if (is_for_term) readings.push_back("exact " + text::moved_to(snippet, 6));
  return readings;
}

// Takes the readings that do better, each of the attempt at the index in `whose`.
void take_better(std::vector<Attempt>& attempts, const std::vector<std::size_t>& whose,
                 std::vector<Attempt> others) {
  for (std::size_t i = 0; i < others.size(); ++i) {
    Attempt& first = attempts[whose[i]];
    Attempt& other = others[i];
    if (first.has_failed() && !other.has_failed() && !other.timed_out && !other.outside)
      first = std::move(other);
  }
  const auto is_unparsed = [](const DiagnosticItem& each) {
    return each.severity == lean::Severity::Error && each.message.find("expected") != std::string::npos;
  };
  for (const std::size_t i : whose) {
    Attempt& attempt = attempts[i];
    if (attempt.has_failed() && !attempt.verdict.reason && text::first_line_aligned(attempt.snippet) &&
        std::ranges::any_of(attempt.diagnostics, is_unparsed))
      attempt.verdict.reason =
          "Its first line stands left of the others: tactics of one block begin in one column.";
  }
}

}  // namespace

Result<void> Trials::find_place() {
  TRY(const auto offset, offset_of(file_, at_.line, at_.column, ColumnDefault::FirstNonBlank));
  source_ = file_.text();
  place_ = at_.column ? text::AttemptPlace{offset, 0} : text::attempt_place(source_, at_.line);
  term_line_.reset();
  closing_.clear();
  const std::size_t first = at_.column ? offset - std::min(offset, kSorry.size() - 1) : place_.offset;
  const std::size_t last = at_.column ? offset : source_.line_end(source_.line_at(place_.offset));
  if (const auto sorry = term_sorry(source_.str(), first, last)) read_as_tactic(*sorry);
  if (!at_.column || term_line_) return {};
  const auto begin = tactic_around(source_.str(), place_.offset);
  if (!begin) return {};
  const text::Position at = source_.position_at(*begin);
  moved_ = "Column " + std::to_string(*at_.column) + " is inside a word: tried at line " +
           std::to_string(at.line) + ", column " + std::to_string(at.column) + ", where its tactic begins.";
  place_.offset = *begin;
  return {};
}

// Whether tactics behind `by` between these texts end where the term does: behind what begins a term, before
// what ends one, or a line with the next field or alternative.
bool ends_with_term(std::string_view before, std::string_view after) {
  constexpr auto kBegins = std::to_array<std::string_view>({":=", "=>", "(", "⟨", "[", ","});
  constexpr auto kEnds = std::to_array<std::string_view>({")", "⟩", "]", ","});
  const std::string_view head = trimmed(before), rest = trimmed(after);
  const bool has_line = trimmed(after.substr(0, after.find('\n'))).empty();
  return std::ranges::any_of(kBegins, [&](auto each) { return head.ends_with(each); }) &&
         (rest.empty() || std::ranges::any_of(kEnds, [&](auto each) { return rest.starts_with(each); }) ||
          (has_line && (rest.starts_with("| ") || std::isalpha(static_cast<unsigned char>(rest[0])) != 0)));
}

// Reads a sorry that stands for a term as `by sorry`, in parentheses where others might belong to it.
void Trials::read_as_tactic(std::size_t sorry) {
  const std::string source = source_.str();
  const auto site = text::enclosing_declaration(source, sorry);
  if (!site) return;
  const std::string before = source.substr(0, sorry);
  const std::string rest = source.substr(sorry + kSorry.size(), site->end - sorry - kSorry.size());
  const bool alone = ends_with_term(before, rest);
  closing_ = (alone ? "" : ")") + rest + "\n";
  term_line_ = source_.line(static_cast<std::size_t>(source_.position_at(sorry).line - 1));
  source_ = text::Text(before + (alone ? "by sorry" : "(by sorry)") + source.substr(sorry + kSorry.size()));
  place_ = {sorry + (alone ? 3 : 4), 0};
}

asio::awaitable<Result<std::vector<Attempt>>> Trials::run(std::vector<std::string> snippets) {
  std::vector<Attempt> given, others;
  for (std::string& each : snippets) given.push_back({std::move(each)});
  const document::Version version = file_.state().version();
  CO_TRY(auto attempts, co_await try_all(std::move(given)));
  std::vector<std::size_t> whose;
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    if (!attempts[i].has_failed()) continue;
    for (std::string& each : other_readings(attempts[i].snippet, term_line_.has_value())) {
      others.push_back({attempts[i].snippet, {}, std::move(each)});
      whose.push_back(i);
    }
  }
  if (!others.empty() && file_.state().version() == version) {
    auto again = co_await try_all(std::move(others));
    if (!again && again.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(again.error());
    if (again) take_better(attempts, whose, std::move(*again));
  }
  for (Attempt& each : attempts) {
    const bool fewer_goals = cap(each.goals, kMaxGoals);
    if (cap(each.diagnostics, kMaxMessages) || fewer_goals) each.truncated = true;
  }
  co_return attempts;
}

asio::awaitable<Result<std::vector<Attempt>>> Trials::try_all(std::vector<Attempt> attempts) {
  // Look for silencers first: attempts that do not end may leave no time for it.
  CO_TRY(const auto silencer,
         co_await find_silencer(lean_, whole_text(file_.text().str()), operation_->scope));
  CO_CHECK(find_place());
  const std::string source = source_.str();
  if (text::in_comment_or_literal(source, place_.offset)) {
    for (Attempt& attempt : attempts) {
      attempt.timed_out = false;
      note_outside(attempt);
    }
    co_return attempts;
  }
  const AttemptSite site{file_.store(), file_.document().path,
                         source.substr(0, place_.offset) + std::string(place_.padding, ' '), closing_,
                         text::rest_of_block(source, place_.offset)};
  CO_TRY(attempts, co_await try_in_scratch(operation_, site, std::move(attempts), limits_));
  // Cut off where a declaration begins, the text would end with the proof above.
  const bool in_statement =
      std::ranges::any_of(text::declarations(source), [&](const text::DeclarationSite& site) {
        return site.start <= place_.offset && place_.offset <= site.keyword_offset;
      });
  const std::vector<std::string> in_proof = names_in_proof(source, place_.offset);
  for (Attempt& attempt : attempts) {
    if (attempt.timed_out) attempt.verdict = {};
    if (in_statement && !attempt.timed_out) note_outside(attempt);
    AttemptVerdict& verdict = attempt.verdict;
    if (verdict.proof_complete && (silencer || text::find_silencers(attempt.text()).any))
      CO_CHECK(co_await look_for_sorry(attempt, site.text_of(attempt)));
    if (verdict.remaining_goals && !verdict.proof_complete && !verdict.reason)
      if (const auto own = mentioned_in(attempt.snippet, in_proof))
        verdict.reason =
            "It uses " + *own +
            ", which is being proved. Whether this recursion ends, Lean says only of the whole declaration.";
    if (verdict.remaining_goals) note_replaced_lines(attempt);
  }
  co_return attempts;
}

// The lines of the file that the snippet stands for: its own if goals are left in its block, else also what
// stood below it there, or up to the end of the proof.
void Trials::note_replaced_lines(Attempt& attempt) const {
  const std::size_t line_start = source_.line_start(source_.line_at(place_.offset));
  const std::string_view before =
      std::string_view(source_.str()).substr(line_start, place_.offset - line_start);
  const std::size_t column = text::count_code_points(before) + place_.padding;
  const text::TacticExtent extent = text::tactic_extent(source_.str(), place_.offset, column);
  std::size_t end = extent.item;
  if (attempt.verdict.proof_status != GoalStatus::Goals) end = extent.block;
  if (attempt.verdict.proof_complete) end = extent.proof;
  if (term_line_) end = place_.offset + kSorry.size();
  attempt.verdict.replaces_lines = {source_.position_at(place_.offset).line, source_.position_at(end).line};
  const std::size_t line_end = source_.line_end(source_.line_at(end));
  attempt.old_lines = term_line_ ? *term_line_ : source_.str().substr(line_start, line_end - line_start);
  attempt.new_lines = std::string(before) + std::string(place_.padding, ' ') +
                      text::moved_to(attempt.text(), column) + source_.str().substr(end, line_end - end);
}

// The text to check for a hidden sorry. An `#eval` above the attempt that only prints is no reason to compile
// it.
TextOfFile Trials::whole_text(std::string text) const {
  TextOfFile tried{file_.store(), file_.document().path, std::move(text)};
  tried.evaluates = true;
  return tried;
}

// Looks for a hidden sorry in an attempt that is complete according to Lean's messages.
asio::awaitable<Result<void>> Trials::look_for_sorry(Attempt& attempt, const text::AttemptText& placed) {
  const text::Text text(placed.text.substr(0, placed.declaration_end));
  CO_TRY(const auto hidden, co_await hidden_sorries(lean_, whole_text(placed.text), operation_->scope));
  const int first = text.position_at(placed.declaration).line;
  const auto site = text::enclosing_declaration(placed.text, placed.snippet_start);
  const bool named = site && site->keyword != "example";
  AttemptVerdict& verdict = attempt.verdict;
  const std::string_view above =
      std::string_view(placed.text).substr(placed.declaration, placed.snippet_start - placed.declaration);
  switch (hidden.about(first, static_cast<int>(text.addressable_lines()), named)) {
    case HiddenSorries::Answer::No:
      co_return Result<void>();
    case HiddenSorries::Answer::Sorry:
      verdict.proof_status = GoalStatus::Sorry;
      verdict.uses_sorry = !text::find_missing_proof(above);
      verdict.reason = "The proof uses sorry, which Lean may not report (" + hidden.because + ").";
      break;
    case HiddenSorries::Answer::Unknown:
      verdict.proof_status = GoalStatus::ClosedHere;
      verdict.uses_sorry = text::find_missing_proof(attempt.snippet).has_value();
      verdict.reason = hidden.why_unknown();
      break;
  }
  verdict.closes_goal = verdict.proof_complete = false;
  co_return Result<void>();
}

asio::awaitable<Result<AttemptWriting>> write_complete(Lean& lean, std::shared_ptr<io::Operation> operation,
                                                       std::string file_path, bool all_goals,
                                                       const std::vector<Attempt>& attempts) {
  const auto found = std::ranges::find_if(attempts, [](const Attempt& each) {
    return each.verdict.proof_complete && each.verdict.replaces_lines;
  });
  if (found == attempts.end()) co_return AttemptWriting{{}, "No snippet completes the proof."};
  const auto [first, last] = *found->verdict.replaces_lines;
  WriteProofParams edit{std::move(file_path), {{first, last, found->new_lines, found->old_lines}}};
  edit.all_goals = all_goals;
  CO_TRY(const auto done, co_await write_proof(lean, operation, std::move(edit)));
  if (!done.written) co_return AttemptWriting{{}, done.reason.value_or("The file was changed meanwhile.")};
  const auto number = static_cast<std::size_t>(found - attempts.begin()) + 1;
  co_return AttemptWriting{WrittenAttempt{number, *done.lines.start_line, *done.lines.end_line}, {}};
}

// --- brief answers

namespace {

constexpr std::string_view kGoalMark = "⟨goal⟩";
constexpr std::string_view kKnownGoal = "in `goal`";
constexpr std::size_t kShownOfSnippet = 200;  // bytes: the caller has the rest

// Many failing tactics end their message with the same goal: give it once.
bool say_goal_once(std::vector<Attempt>& attempts, const std::string& goal) {
  std::vector<std::string*> repeating;
  for (Attempt& item : attempts)
    for (DiagnosticItem& diagnostic : item.diagnostics)
      if (diagnostic.message.ends_with("\n" + goal)) repeating.push_back(&diagnostic.message);
  if (repeating.size() < 2) return false;
  for (std::string* message : repeating) {
    message->resize(message->size() - goal.size());
    *message += kGoalMark;
  }
  return true;
}

std::string beginning_of_snippet(const std::string& snippet) {
  return std::string(text::beginning_of(snippet, kShownOfSnippet)) + "…";
}

// The caller has the snippets, and knows them by their order.
void shorten_snippets(std::vector<Attempt>& attempts) {
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    Attempt& item = attempts[i];
    if (item.snippet.size() > kShownOfSnippet) {
      item.snippet = beginning_of_snippet(item.snippet);
      item.number = i + 1;
    }
    if (item.tried_as && item.tried_as->size() > kShownOfSnippet)
      item.tried_as = beginning_of_snippet(*item.tried_as);
  }
}

// "unsolved goals" and the goals, each as a difference to one that is known; other messages as they are.
std::string unsolved_briefly(const std::string& message, const std::string& known) {
  constexpr std::string_view kHead = "unsolved goals\n", kGap = "\n\n";
  if (!message.starts_with(kHead)) return message;
  std::string brief(kHead);
  for (std::size_t at = kHead.size(); at < message.size();) {
    const std::size_t end = std::min(message.find(kGap, at), message.size());
    if (at > kHead.size()) brief += kGap;
    brief += text::goal_difference(message.substr(at, end - at), {known}, kKnownGoal);
    at = end + kGap.size();
  }
  return brief;
}

// Goals have most hypotheses in common with the goal that was there before: each is said once.
bool say_hypotheses_once(std::vector<Attempt>& attempts, const std::string& goal, bool is_said) {
  std::vector<std::pair<std::string*, std::string>> shorter;
  std::size_t saved = 0;
  const auto look_at = [&](std::string& each) {
    std::string difference = text::goal_difference(each, {goal}, kKnownGoal);
    if (difference.size() >= each.size()) return;
    saved += each.size() - difference.size();
    shorter.emplace_back(&each, std::move(difference));
  };
  for (Attempt& item : attempts) {
    for (DiagnosticItem& each : item.diagnostics)
      if (std::string brief = unsolved_briefly(each.message, goal); brief.size() < each.message.size()) {
        saved += each.message.size() - brief.size();
        shorter.emplace_back(&each.message, std::move(brief));
      }
    for (Goal& each : item.goals)
      if (auto* whole = std::get_if<std::string>(&each)) look_at(*whole);
    if (item.sorries)
      for (OpenSorry& sorry : *item.sorries)
        for (std::string& each : sorry.goals) look_at(each);
  }
  if (shorter.empty() || (!is_said && saved <= goal.size())) return is_said;
  for (auto& [whole, difference] : shorter) *whole = std::move(difference);
  return true;
}

}  // namespace

std::optional<std::string> shorten(std::vector<Attempt>& attempts) {
  shorten_snippets(attempts);
  for (const Attempt& each : attempts) {
    if (each.before.goals.empty()) continue;
    const auto* goal = std::get_if<std::string>(&each.before.goals.front());
    if (!goal || goal->empty()) continue;
    const bool is_said = say_goal_once(attempts, *goal);
    if (say_hypotheses_once(attempts, *goal, is_said)) return *goal;
    break;
  }
  return std::nullopt;
}

}  // namespace leanbridge::ide

#include "proof_walk.hpp"

#include "core/base/ascii.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/utf8.hpp"

#include <algorithm>

namespace leanbridge::ide {

using text::TacticPlace;

namespace {

// A step usually takes two requests. It takes more only where Lean rejects many of the places (a quoted or a
// broken proof): there the walk stops after this many, and the next call continues.
constexpr int kRequestsPerStep = 100;
constexpr std::size_t kMaxPassedText = 2000;  // code points

}  // namespace

std::size_t behind_comment(std::string_view source, std::size_t offset) {
  text::LeanLexer lexer(source);
  while (const auto token = lexer.next()) {
    if (token->begin >= offset) break;
    if (offset < token->end && text::is_comment(token->kind)) return token->end;
  }
  return offset;
}

ProofWalk::ProofWalk(Lean& lean, const OpenFile& file, std::size_t offset, Direction direction,
                     io::CancelScope scope)
    : lean_(lean),
      file_(file),
      scope_(std::move(scope)),
      direction_(direction),
      from_(file_.anchor(offset)),
      at_(from_) {
  take_text();
}

// --- one text

template <class T>
asio::awaitable<Result<T>> ProofWalk::on_one_text(Pass<T> pass) {
  for (;;) {
    if (!same_text()) take_text();
    auto result = co_await (this->*pass)();
    if (same_text()) co_return result;
  }
}

asio::awaitable<Result<ProofWalk::StepEnd>> ProofWalk::step() {
  return on_one_text(&ProofWalk::step_once);
}
asio::awaitable<Result<bool>> ProofWalk::at_end_of_proof() {
  return on_one_text(&ProofWalk::look_for_end);
}
asio::awaitable<Result<Goals>> ProofWalk::goals() {
  return on_one_text(&ProofWalk::goals_here);
}
asio::awaitable<Result<JudgedPlace>> ProofWalk::judge() {
  return on_one_text(&ProofWalk::judge_here);
}

void ProofWalk::take_text() {
  for (document::TextAnchor* anchor : {&from_, &at_}) *anchor = file_.anchor(file_.resolve(*anchor));
  version_ = file_.state().version();
  text_ = file_.text().str();
  places_ = text::tactic_places(text_);
  known_.clear();
}

Result<void> ProofWalk::same_text() const {
  if (file_.state().version() == version_) return {};
  return changed_meanwhile(file_.document().name);
}

// --- places

const TacticPlace* ProofWalk::before(std::size_t offset) const {
  const auto found = std::ranges::lower_bound(places_, offset, {}, &TacticPlace::offset);
  return found == places_.begin() ? nullptr : &*std::prev(found);
}

const TacticPlace* ProofWalk::after(std::size_t offset) const {
  const auto found = std::ranges::upper_bound(places_, offset, {}, &TacticPlace::offset);
  return found == places_.end() ? nullptr : &*found;
}

const TacticPlace* ProofWalk::here() const {
  const TacticPlace* place = before(at() + 1);
  return place && place->offset == at() ? place : nullptr;
}

std::optional<std::size_t> ProofWalk::proof_here() const {
  const TacticPlace *first = before(at() + 1), *second = after(at());
  const bool is_inside = first && (first->offset == at() || (second && second->proof == first->proof));
  return is_inside ? std::optional(first->proof) : std::nullopt;
}

const TacticPlace* ProofWalk::next(std::size_t offset) const {
  const TacticPlace* place = direction_ == Direction::Forward ? after(offset) : before(offset);
  return place && proof_here().value_or(place->proof) == place->proof ? place : nullptr;
}

// --- questions

asio::awaitable<Result<Goals>> ProofWalk::ask(std::size_t offset) {
  if (const auto known = known_.find(offset); known != known_.end()) co_return known->second;
  ++requests_;
  CO_TRY(auto goals, co_await goals_at(file_.handle(), file_.anchor(offset), GoalFormat::Text, scope_));
  CO_CHECK(same_text());
  co_return known_.emplace(offset, std::move(goals)).first->second;
}

/// Whether a place is one for Lean. Where a tactic runs, the goals change within it, and a place with the
/// same goals as the place before is no step. Inside a term, or in an alternative that did not run, Lean
/// shows the goals after the enclosing tactic throughout.
asio::awaitable<Result<bool>> ProofWalk::accepts(TacticPlace place) {
  CO_TRY(const Goals goals, co_await ask(place.asked_at));
  if (!goals.in_proof || place.kind != TacticPlace::Kind::Tentative) co_return goals.in_proof;
  if (const TacticPlace* earlier = before(place.offset); earlier && earlier->proof == place.proof) {
    CO_TRY(const Goals there, co_await ask(earlier->asked_at));
    if (there.in_proof && there.goals == goals.goals) co_return false;
  }
  const std::string_view rest = std::string_view(text_).substr(place.offset);
  CO_TRY(const Goals inside, co_await ask(place.offset + text::byte_of_code_point(rest, 1)));
  co_return !inside.in_proof || inside.goals != goals.goals;
}

asio::awaitable<Result<ProofWalk::StepEnd>> ProofWalk::step_once() {
  requests_ = 0;
  failure_.reset();
  failed_until_ = 0;
  for (const TacticPlace* place = next(at()); place; place = next(place->offset)) {
    CO_TRY(const bool is_accepted, co_await accepts(*place));
    gave_up_ = !is_accepted && requests_ >= kRequestsPerStep;
    if (!is_accepted && !gave_up_) continue;
    CO_TRY(const StepEnd end, co_await pass_tactic(*place));
    if (end == StepEnd::Failed)
      failed_until_ = place->offset;
    else
      at_ = file_.anchor(place->offset);
    co_return end;
  }
  co_return co_await without_place();
}

/// Whether the tactic here succeeds, of which `place` is the next. Text outside of proofs is passed without a
/// look.
asio::awaitable<Result<ProofWalk::StepEnd>> ProofWalk::pass_tactic(TacticPlace place) {
  if (direction_ == Direction::Backward || !proof_here()) co_return StepEnd::Moved;
  const bool ends = place.kind == TacticPlace::Kind::End;
  const std::size_t code_end = ends ? place.offset : text_.find_last_not_of(" \t\r\n", place.offset - 1) + 1;
  CO_TRY(const bool is_known, co_await messages_known(file_.handle(), at(), code_end, scope_));
  CO_CHECK(same_text());
  all_known_ = all_known_ && is_known;
  failure_ = error_between(Messages(file_.state()), at(), place.offset + (ends ? 1 : 0));
  // A tactic that has no goal to work on did not run, because the one around it failed.
  const auto goals = known_.find(place.asked_at);
  if (!failure_ && !ends && goals != known_.end() && goals->second.none_left()) {
    CO_TRY(auto judged,
           co_await judge_place(lean_, file_, place.offset, place.offset, goals->second, scope_));
    CO_CHECK(same_text());
    failure_ = std::move(judged.status.error);
  }
  if (failure_) co_return StepEnd::Failed;
  failure_ = unsolved_block(Messages(file_.state()), at(), place.offset);
  co_return failure_ ? StepEnd::MovedUnsolved : StepEnd::Moved;
}

/// Why there is no further place. Lean has none behind a tactic only if it does not read on: a proof is
/// missing, or not one.
asio::awaitable<Result<ProofWalk::StepEnd>> ProofWalk::without_place() {
  const TacticPlace* const standing = here();
  const bool ends = standing && standing->kind == TacticPlace::Kind::End;
  if (ends) failure_ = unsolved_block(Messages(file_.state()), at() - 1, at());
  if (!standing || ends || direction_ == Direction::Backward) co_return StepEnd::NoPlace;
  const auto declaration = text::enclosing_declaration(text_, at());
  const std::size_t end = declaration ? declaration->end : text_.size();
  CO_TRY(const bool is_known, co_await messages_known(file_.handle(), at(), end, scope_));
  CO_CHECK(same_text());
  all_known_ = all_known_ && is_known;
  failure_ = error_between(Messages(file_.state()), at(), end);
  if (!failure_) co_return StepEnd::NoPlace;
  failed_until_ = end;
  co_return StepEnd::Failed;
}

asio::awaitable<Result<bool>> ProofWalk::look_for_end() {
  const TacticPlace* const standing = here();
  for (const TacticPlace* place = next(at()); place; place = next(place->offset)) {
    if (!standing) co_return false;
    if (place->proof != standing->proof) break;
    // At least the end of its block follows a tactic, so there is no need to ask.
    if (direction_ == Direction::Forward && standing->kind != TacticPlace::Kind::End) co_return false;
    CO_TRY(const bool is_accepted, co_await accepts(*place));
    if (is_accepted) co_return false;
  }
  co_return true;
}

asio::awaitable<Result<Goals>> ProofWalk::goals_here() {
  const TacticPlace* const standing = here();
  return ask(standing ? standing->asked_at : at());
}

asio::awaitable<Result<JudgedPlace>> ProofWalk::judge_here() {
  if (failure_) co_return JudgedPlace{{GoalStatus::Error, failure_, {}}};
  CO_TRY(const Goals goals, co_await goals_here());
  co_return co_await judge_place(lean_, file_, at(), at(), goals, scope_);
}

asio::awaitable<Result<void>> ProofWalk::take_steps(int count, WalkReport& report) {
  CO_TRY(Goals found, co_await goals());
  StepEnd end = StepEnd::Moved;
  for (bool moved = false; count > 0 && end == StepEnd::Moved && !gave_up_; --count) {
    if (!moved) report.goals_before = found.list();
    report.goals = found.list();
    CO_TRY(end, co_await step());
    moved = moved || end == StepEnd::Moved;
    CO_TRY(found, co_await goals());
  }
  CO_TRY(const JudgedPlace judged, co_await judge());
  CO_TRY(found, co_await goals());  // of the text that was judged
  report.goals = found.list();
  report.place = judged.status;
  bool is_last = end == StepEnd::NoPlace;
  if (end == StepEnd::Moved || end == StepEnd::MovedUnsolved) {
    CO_TRY(is_last, co_await at_end_of_proof());
  }
  report.at_last = is_last && (direction_ == Direction::Backward || found.goals.empty());
  report.completeness = all_known_ && !gave_up_ ? judged.completeness : Completeness::Partial;
  co_return Result<void>();
}

std::string ProofWalk::passed() const {
  const auto [first, last] = std::minmax({from_.offset, at(), std::max(failed_until_, at())});
  const std::string_view text = trimmed(std::string_view(text_).substr(first, last - first));
  return std::string(text.substr(0, text::byte_of_code_point(text, kMaxPassedText)));
}

}  // namespace leanbridge::ide

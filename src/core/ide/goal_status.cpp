#include "goal_status.hpp"

#include "core/text/missing_proofs.hpp"
#include "hidden_sorries.hpp"
#include "symbols.hpp"

#include <algorithm>

namespace leanbridge::ide {

namespace {

// Lean reports a tactic's messages when the tactic is done, which is also when it answers about the goals. It
// takes longer only if its progress report lumps the tactic with the lines below.
constexpr auto kMessagesFollowWithin = std::chrono::seconds(1);
constexpr auto kFailureFollowsWithin = std::chrono::milliseconds(100);
// The announcement that a theorem is proved comes last, when the kernel has checked it.
constexpr auto kAnnouncementFollowsWithin = std::chrono::seconds(5);

std::optional<ProofError> proof_error(const Messages& of, const lean::Diagnostic* diagnostic) {
  if (!diagnostic) return std::nullopt;
  const text::Position position = of.text().position_at(diagnostic->range.start);
  return ProofError{position.line, position.column, diagnostic->message};
}

// The messages about a declaration; some lie just behind it.
Messages about(const Messages& all, const text::ProofPart& part) {
  return all.within(part.declaration_start, part.declaration_end + 1);
}

// The most telling error of a declaration: one of a tactic if there is any, else one about goals left
// unsolved.
std::optional<ProofError> error_in_declaration(const Messages& all, const text::ProofPart& part) {
  const Messages here = about(all, part);
  const lean::Diagnostic* found = here.other_errors().earliest();
  return proof_error(all, found ? found : here.errors().earliest());
}

// The error of a declaration that is nearest to a place.
std::optional<ProofError> nearest_error(const Messages& all, const text::ProofPart& part) {
  const lean::Diagnostic* nearest = nullptr;
  const auto distance = [&](const lean::Diagnostic& diagnostic) {
    const std::size_t at = all.place(diagnostic);
    return at < part.begin ? part.begin - at : at - part.begin;
  };
  for (const lean::Diagnostic* each : about(all, part).errors().list())
    if (!nearest || distance(*each) < distance(*nearest)) nearest = each;
  return proof_error(all, nearest);
}

std::string where_sorry(const text::Text& text, const text::ProofPart& part) {
  const std::size_t length = part.declaration_end - part.declaration_start;
  const auto word =
      text::find_missing_proof(std::string_view(text.str()).substr(part.declaration_start, length));
  if (!word) return "Lean says that the declaration uses sorry.";
  const int line = text.position_at(part.declaration_start + *word).line;
  return "The declaration uses sorry, in line " + std::to_string(line) + ".";
}

PlaceStatus with_error(ProofError error) {
  PlaceStatus status;
  status.status = GoalStatus::Error;
  status.error = std::move(error);
  return status;
}

PlaceStatus with_reason(GoalStatus of, std::string reason) {
  PlaceStatus status;
  status.status = of;
  status.reason = std::move(reason);
  return status;
}

// The status at the end of a proof whose goals are all closed.
PlaceStatus status_of_proof(const Messages& messages, const PlaceFacts& facts) {
  if (auto error = error_in_declaration(messages, facts.part)) return with_error(std::move(*error));
  const Messages here = about(messages, facts.part);
  if (here.sorries().any()) return with_reason(GoalStatus::Sorry, where_sorry(here.text(), facts.part));
  if (!facts.declaration_reported)
    return with_reason(GoalStatus::ClosedHere, "Lean has not finished the declaration.");
  if (facts.part.is_proposition && !here.announcements().any() && !facts.compiled)
    return with_reason(GoalStatus::ClosedHere, kUnannounced);
  if (facts.silencer) return with_reason(GoalStatus::ClosedHere, *facts.silencer);
  return {GoalStatus::ProofComplete, {}, {}};
}

}  // namespace

wire::Fields ProofError::fields() {
  return wire::fields<&ProofError::line, &ProofError::column, &ProofError::message>();
}

wire::Fields PlaceStatus::fields() {
  return wire::fields<&PlaceStatus::status, &PlaceStatus::error, &PlaceStatus::reason>();
}

PlaceStatus status_of_place(const Messages& messages, const PlaceFacts& facts) {
  const text::Text& text = messages.text();
  const text::ProofPart& part = facts.part;
  const bool none_left = facts.in_proof && !facts.goals_left;
  // Goals remain below the head of a tactic with alternatives, unless the whole tactic failed.
  const std::size_t end = none_left ? part.item_end + 1 : part.limit;
  const Messages at = messages.within(part.from, end);
  if (auto error = proof_error(at, (none_left ? at.errors() : at.other_errors()).earliest()))
    return with_error(std::move(*error));
  if (!facts.in_proof) return {GoalStatus::NoGoalAtPosition, {}, {}};
  if (facts.goals_left) return {GoalStatus::Goals, {}, {}};
  // Over the whole range of a tactic that failed, Lean shows the goals at the time of the failure.
  if (!facts.ran)
    if (auto failed = nearest_error(messages, part)) return with_error(std::move(*failed));
  const std::string_view here = std::string_view(text.str()).substr(part.begin, part.end - part.begin);
  const bool never_ran =
      is_announced(messages, part.declaration_start, part.declaration_end) && !facts.silencer;
  if (const auto word = text::find_missing_proof(here); word && !never_ran)
    return with_reason(GoalStatus::Sorry,
                       "Line " + std::to_string(text.position_at(part.begin + *word).line) + " has a sorry.");
  if (!part.last) return {GoalStatus::ClosedHere, {}, {}};
  return status_of_proof(messages, facts);
}

bool is_announced(const Messages& messages, std::size_t begin, std::size_t end) {
  const Messages here = messages.within(begin, end + 1);
  return here.announcements().any() && !here.sorries().any();
}

std::optional<ProofError> error_between(const Messages& messages, std::size_t begin, std::size_t end) {
  return proof_error(messages, messages.within(begin, end).other_errors().earliest());
}

std::optional<ProofError> unsolved_block(const Messages& messages, std::size_t inside, std::size_t end) {
  const auto closes = [&](const lean::Diagnostic& each) {
    const std::size_t stop = messages.text().offset_at(each.range.end);
    return inside < stop && stop <= end;
  };
  return proof_error(messages, messages.within(0, inside + 1).unsolved().where(closes).first());
}

asio::awaitable<Result<bool>> messages_known(document::DocumentHandle document, std::size_t begin,
                                             std::size_t end, io::CancelScope scope) {
  const document::DocumentState& state = document.state();
  const document::Version version = state.version();
  const text::LspRange range = state.text().lsp_range(begin, end);
  const auto over = [&] {
    return !state.open() || state.version() != version || state.reported_between(range.start, range.end);
  };
  const io::WaitStatus ended =
      co_await io::wait_until(document.document().changed, scope.with_timeout(kMessagesFollowWithin), over);
  if (ended == io::WaitStatus::Cancelled) co_return call_cancelled();
  co_return ended == io::WaitStatus::Ready&& state.open() && state.version() == version;
}

namespace {

// Waits until the last message about a declaration is known, or the text has changed.
asio::awaitable<Result<Completeness>> declaration_reported(document::DocumentHandle document,
                                                           text::ProofPart part, io::CancelScope scope) {
  const document::DocumentState& state = document.state();
  const document::Version version = state.version();
  const text::LspRange range = state.text().lsp_range(part.declaration_start, part.declaration_end);
  const auto over = [&] { return !state.open() || state.version() != version || state.done(); };
  const auto reported = [&] { return over() || state.reported_between(range.start, range.end); };
  const auto said_last = [&] {
    if (over() || !part.is_proposition) return true;
    const Messages here = about(Messages(state), part);
    return here.announcements().any() || here.objections().any();
  };
  io::Condition& changed = document.document().changed;
  const io::WaitStatus elaborated = co_await io::wait_until(changed, scope, reported);
  if (elaborated == io::WaitStatus::Cancelled) co_return call_cancelled();
  if (elaborated == io::WaitStatus::TimedOut) co_return Completeness::TimedOut;
  const io::WaitStatus said =
      co_await io::wait_until(changed, scope.with_timeout(kAnnouncementFollowsWithin), said_last);
  if (said == io::WaitStatus::Cancelled) co_return call_cancelled();
  co_return said == io::WaitStatus::Ready ? Completeness::Complete : Completeness::Partial;
}

std::string_view goal_text(const Goal& goal) {
  const auto* text = std::get_if<std::string>(&goal);
  return text ? std::string_view(*text) : std::get<StructuredGoal>(goal).pretty;
}

bool same_goals(const Goals& a, const Goals& b) {
  const auto same = [](const Goal& one, const Goal& other) { return goal_text(one) == goal_text(other); };
  return std::equal(a.goals.begin(), a.goals.end(), b.goals.begin(), b.goals.end(), same);
}

// Whether the messages about a part of a proof are known; `goals` are the goals at its end. While goals are
// left, a message can only add that the tactic failed, and the answer must not wait for that. If the tactic
// threw, Lean shows the goals before it: only then is the full time spent on waiting for the message.
asio::awaitable<Result<bool>> part_reported(const OpenFile& file, const text::ProofPart& part,
                                            const Goals& goals, io::CancelScope scope) {
  if (goals.goals.empty()) co_return co_await messages_known(file.handle(), part.from, part.end, scope);
  const auto is_gone = [&] { return file.state().version() != goals.version || !file.state().open(); };
  const io::CancelScope at_once = scope.with_timeout(kFailureFollowsWithin);
  CO_TRY(const bool known, co_await messages_known(file.handle(), part.from, part.end, at_once));
  if (known || is_gone()) co_return known;
  const bool is_text = std::holds_alternative<std::string>(goals.goals.front());
  CO_TRY(const auto before, in_time(co_await goals_at(file.handle(), file.anchor(part.begin),
                                                      is_text ? GoalFormat::Text : GoalFormat::Structured,
                                                      scope.with_timeout(kMessagesFollowWithin))));
  if (is_gone()) co_return false;
  // Lean may have reported the tactic while it was asked about the goals before it.
  const bool may_have_thrown = before && same_goals(*before, goals);
  const io::CancelScope rest = may_have_thrown ? scope : scope.with_timeout(io::Clock::duration::zero());
  co_return co_await messages_known(file.handle(), part.from, part.end, rest);
}

/// Evidence about a declaration beyond Lean's messages.
struct PlaceEvidence {
  std::optional<std::string> silencer;      ///< why the messages are no evidence
  std::optional<std::string> hidden_sorry;  ///< a sentence about a sorry in the compiled file
  bool compiled = false;                    ///< there is a compiled file, and it has no sorry
};

/// Where a program of the project might keep Lean from reporting a sorry, the compiled file of this text
/// decides, if there is one.
asio::awaitable<Result<PlaceEvidence>> evidence_for(Lean& lean, const OpenFile& file, text::ProofPart part,
                                                    io::CancelScope scope) {
  CO_TRY(const HiddenSorries hidden, co_await known_hidden_sorries(lean, file, scope));
  PlaceEvidence evidence;
  if (hidden.messages_suffice) co_return evidence;
  const text::Text& text = file.text();
  const auto line_at = [&](std::size_t offset) { return text.position_at(offset).line; };
  const auto site = text::enclosing_declaration(text.str(), part.declaration_start);
  const bool is_named = site && site->keyword != "example";
  switch (hidden.about(line_at(part.declaration_start), line_at(part.declaration_end), is_named)) {
    case HiddenSorries::Answer::No:
      evidence.compiled = true;
      break;
    case HiddenSorries::Answer::Sorry:
      evidence.hidden_sorry = "The proof uses sorry, which Lean may not report (" + hidden.because + ").";
      break;
    case HiddenSorries::Answer::Unknown:
      evidence.silencer =
          hidden.unchecked ? hidden.unknown : hidden.why_unknown() + " lean_check_all compiles it.";
      break;
  }
  co_return evidence;
}

}  // namespace

asio::awaitable<Result<JudgedPlace>> judge_place(Lean& lean, const OpenFile& file, std::size_t from,
                                                 std::size_t to, const Goals& goals, io::CancelScope scope) {
  JudgedPlace judged;
  judged.status.status = goals.status();
  const document::DocumentState& state = file.state();
  const auto part = state.proof_part(from, to);
  if (!part || state.version() != goals.version) co_return judged;
  PlaceFacts facts{*part, goals.in_proof, !goals.goals.empty()};
  const auto judge = [&] { judged.status = status_of_place(Messages(state), facts); };
  // The document no longer knows the answer after an edit or without its worker.
  const auto is_gone = [&] {
    const bool gone = state.version() != goals.version || !state.open();
    if (gone) judged.completeness = Completeness::Partial;
    return gone;
  };

  judge();
  const bool has_failed = facts.goals_left && judged.status.status == GoalStatus::Error;
  if (!part->before_tactic && !has_failed) {
    CO_TRY(const bool known, co_await part_reported(file, *part, goals, scope));
    if (is_gone()) co_return judged;
    if (!known && goals.in_proof) judged.completeness = Completeness::Partial;
    judge();
  }
  // At the end of a combinator such as `repeat`, Lean shows the states of what it has tried.
  if (facts.goals_left && part->last && part->is_proposition && !part->before_tactic && to >= part->end &&
      judged.status.status == GoalStatus::Goals) {
    const io::CancelScope at_once = scope.with_timeout(kMessagesFollowWithin);
    CO_TRY(const auto reported, co_await declaration_reported(file.handle(), *part, at_once));
    if (is_gone()) co_return judged;
    judged.inner_goals = reported == Completeness::Complete &&
                         is_announced(Messages(state), part->declaration_start, part->declaration_end);
    facts.goals_left = !judged.inner_goals;
  }
  const bool none_left = goals.none_left() || judged.inner_goals;
  if (!none_left || judged.status.status == GoalStatus::Error) co_return judged;

  if (error_in_declaration(Messages(state), *part)) {
    CO_TRY(const auto before,
           in_time(co_await goals_at(file.handle(), file.anchor(part->begin), GoalFormat::Text, scope)));
    if (is_gone()) co_return judged;
    facts.ran = !before || !before->none_left();
  }
  if (part->last) {
    CO_TRY(const auto reported, co_await declaration_reported(file.handle(), *part, scope));
    if (is_gone()) co_return judged;
    facts.declaration_reported = reported == Completeness::Complete;
    if (!facts.declaration_reported) judged.completeness = reported;
  }
  judge();
  const std::string_view here =
      std::string_view(state.text().str()).substr(part->begin, part->end - part->begin);
  const bool passed_over =
      judged.status.status == GoalStatus::ClosedHere && text::find_missing_proof(here).has_value();
  const bool unannounced = judged.status.reason == kUnannounced;
  if (judged.status.status != GoalStatus::ProofComplete && !passed_over && !unannounced) co_return judged;
  judged.status.status = GoalStatus::ClosedHere;  // until it is known whether the messages can be trusted
  CO_TRY(auto evidence, co_await evidence_for(lean, file, *part, scope));
  if (io::Clock::now() >= scope.deadline) judged.completeness = Completeness::TimedOut;
  if (is_gone()) co_return judged;
  facts.silencer = std::move(evidence.silencer);
  facts.compiled = evidence.compiled;
  judge();
  const bool seems_complete = judged.status.status == GoalStatus::ProofComplete || unannounced;
  if (evidence.hidden_sorry && seems_complete)
    judged.status = with_reason(GoalStatus::Sorry, std::move(*evidence.hidden_sorry));
  co_return judged;
}

asio::awaitable<Result<GoalReading>> read_goals(Lean& lean, const OpenFile& file, GoalQuestion question,
                                                io::CancelScope scope) {
  GoalReading reading;
  document::Version version = 0;  // of the first answer
  const auto pass = [&]() -> asio::awaitable<Result<AnsweredVersion>> {
    reading = {};
    version = 0;
    if (question.known) {
      CO_TRY(reading.known, co_await goals_at(file.handle(), *question.known, question.format, scope));
      version = reading.known->version;
    }
    CO_TRY(reading.here, co_await goals_at(file.handle(), question.at, question.format, scope));
    if (!reading.known) version = reading.here->version;
    if (question.line_end) {
      CO_TRY(reading.line_end,
             co_await goals_at_line_end(file.handle(), *question.line_end, question.format, scope));
    }
    const Goals& here = *reading.here;
    const Goals& last = reading.line_end ? *reading.line_end : here;
    if (here.version == version && last.version == version) {
      CO_TRY(reading.judged,
             co_await judge_place(lean, file, here.offset, last.offset, last.in_proof ? last : here, scope));
    }
    co_return version;
  };
  const auto read = co_await repeat_while_edited(file.handle(), pass);
  if (!read && read.error().kind != ErrorKind::Timeout) co_return tl::unexpected(read.error());
  if (!read && version != file.state().version()) reading = {};
  if (!read) reading.judged = {.completeness = Completeness::TimedOut};
  co_return reading;
}

}  // namespace leanbridge::ide

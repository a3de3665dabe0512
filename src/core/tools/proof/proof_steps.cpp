// lean_step_forward and lean_step_backward: move between the places where tactics begin.

#include "core/base/try.hpp"
#include "core/ide/goal_status.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/tactic_places.hpp"
#include "core/text/utf8.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <algorithm>
#include <map>

namespace leanbridge::tools {

using text::TacticPlace;

namespace {

// A step usually takes two requests. It takes more only where Lean rejects many of the places (a quoted or a
// broken proof): there the cursor stops after this many, and the next call continues.
constexpr int kRequestsPerStep = 100;
constexpr std::size_t kMaxStepText = 2000;  // in code points

enum class Direction { Forward, Backward };

/// The result of a step. Moved: the cursor is at another place. NoPlace: the proof has no further place.
/// Failed: the tactic at the cursor fails. The last value: it left a block that leaves goals unsolved.
enum class StepEnd { Moved, NoPlace, Failed, MovedUnsolved };

/// A position that moves over the places where tactics begin, and the goals that it has seen there. It enters
/// a proof from outside, but never leaves one. Await each coroutine at once, and keep the cursor alive until
/// it ends.
class ProofCursor {
 public:
  ProofCursor(Environment& environment, OpenFile file, std::size_t offset, Direction direction,
              io::CancelScope scope)
      : environment_(environment),
        file_(std::move(file)),
        scope_(std::move(scope)),
        direction_(direction),
        from_(file_.document().state.anchor(offset)),
        at_(from_) {
    read_places();
  }

  /// Moves to the next place that Lean accepts, unless the tactic that it would pass fails.
  asio::awaitable<Result<StepEnd>> step();
  /// Whether the proof has no further place in this direction.
  asio::awaitable<Result<bool>> at_end_of_proof();
  /// The goals at the cursor.
  asio::awaitable<Result<Goals>> goals();
  /// The status at the cursor, which has these goals; nullopt: the text, and so the goals, changed meanwhile.
  asio::awaitable<Result<std::optional<JudgedPlace>>> judge(Goals goals);

  const OpenFile& file() const { return file_; }
  std::size_t at() const { return at_.offset; }
  bool gave_up() const { return gave_up_; }  ///< Lean rejected too many places
  std::string passed() const;                ///< the text between the start and the cursor, including a
                                             ///< tactic that failed
  const std::optional<ProofError>& failure() const { return failure_; }  ///< the failure of the last step
  bool all_known() const { return all_known_; }  ///< all messages about the passed tactics are known

 private:
  /// Whether Lean accepts a place as the beginning of a tactic; nullopt: the text changed meanwhile, so
  /// places and goals are stale.
  using Passes = std::optional<bool>;

  void read_places();
  void follow_edits();
  std::optional<TacticPlace> next(std::size_t offset) const;  ///< the next place in the cursor's direction
  std::optional<TacticPlace> here() const;                    ///< the place at the cursor
  const TacticPlace* place_before(std::size_t offset) const;
  const TacticPlace* place_after(std::size_t offset) const;
  std::optional<std::size_t> proof_here() const;  ///< the proof around the cursor; nullopt: there is none
  asio::awaitable<Result<std::optional<Goals>>> ask(std::size_t offset);
  asio::awaitable<Result<std::optional<StepEnd>>> pass_tactic(TacticPlace place);
  asio::awaitable<Result<bool>> find_failure_below();
  asio::awaitable<Result<Passes>> passes(TacticPlace place);
  asio::awaitable<Result<Passes>> runs_tentatively(TacticPlace place, std::vector<Goal> goals);

  Environment& environment_;
  const OpenFile file_;
  const io::CancelScope scope_;
  const Direction direction_;
  document::TextAnchor from_;
  document::TextAnchor at_;
  document::Version version_ = 0;
  std::vector<TacticPlace> places_;
  std::map<std::size_t, Goals> known_;  // by offset, for this version
  int requests_ = 0;                    // in this step
  bool gave_up_ = false;
  std::optional<ProofError> failure_;
  std::size_t failed_until_ = 0;  // the end of the failed tactic; 0: none failed
  bool all_known_ = true;
};

void ProofCursor::read_places() {
  version_ = file_.document().state.version();
  places_ = text::tactic_places(file_.text().str());
  known_.clear();
}

void ProofCursor::follow_edits() {
  const document::DocumentState& state = file_.document().state;
  if (state.version() == version_) return;
  from_ = state.anchor(state.resolve(from_).value_or(state.text().size()));
  at_ = state.anchor(state.resolve(at_).value_or(state.text().size()));
  read_places();
}

const TacticPlace* ProofCursor::place_before(std::size_t offset) const {
  const auto before = [offset](const TacticPlace& place) { return place.offset < offset; };
  const auto found = std::partition_point(places_.begin(), places_.end(), before);
  return found == places_.begin() ? nullptr : &*std::prev(found);
}

const TacticPlace* ProofCursor::place_after(std::size_t offset) const {
  const auto not_after = [offset](const TacticPlace& place) { return place.offset <= offset; };
  const auto found = std::partition_point(places_.begin(), places_.end(), not_after);
  return found == places_.end() ? nullptr : &*found;
}

std::optional<std::size_t> ProofCursor::proof_here() const {
  const TacticPlace* before = place_before(at() + 1);
  if (!before) return std::nullopt;
  if (before->offset == at()) return before->proof;
  const TacticPlace* after = place_after(at());
  return after && after->proof == before->proof ? std::optional(before->proof) : std::nullopt;
}

/// Returns a copy, since places_ may change at any wait. Stays within the proof around the cursor.
std::optional<TacticPlace> ProofCursor::next(std::size_t offset) const {
  const TacticPlace* place = direction_ == Direction::Forward ? place_after(offset) : place_before(offset);
  if (!place) return std::nullopt;
  const auto proof = proof_here();
  return !proof || *proof == place->proof ? std::optional(*place) : std::nullopt;
}

std::optional<TacticPlace> ProofCursor::here() const {
  const TacticPlace* place = place_before(at() + 1);
  return place && place->offset == at() ? std::optional(*place) : std::nullopt;
}

asio::awaitable<Result<std::optional<Goals>>> ProofCursor::ask(std::size_t offset) {
  if (const auto known = known_.find(offset); known != known_.end()) co_return known->second;
  ++requests_;
  auto goals = co_await goals_at(file_.handle(), file_.anchor(offset), GoalFormat::Text, scope_);
  if (file_.document().state.version() != version_) {
    follow_edits();
    co_return std::nullopt;
  }
  if (!goals) co_return tl::unexpected(goals.error());
  known_.emplace(offset, *goals);
  co_return std::move(*goals);
}

asio::awaitable<Result<ProofCursor::Passes>> ProofCursor::passes(TacticPlace place) {
  CO_TRY(const auto goals, co_await ask(place.asked_at));
  if (!goals) co_return std::nullopt;
  if (!goals->in_proof) co_return false;
  if (place.kind != TacticPlace::Kind::Tentative) co_return true;
  co_return co_await runs_tentatively(place, goals->goals);
}

/// Where a tactic runs, the goals change, so a place with the same goals as the place before is not a step.
/// Inside a term, or in an alternative that did not run, Lean shows the goals after the enclosing tactic
/// throughout.
asio::awaitable<Result<ProofCursor::Passes>> ProofCursor::runs_tentatively(TacticPlace place,
                                                                           std::vector<Goal> goals) {
  if (const TacticPlace* before = place_before(place.offset); before && before->proof == place.proof) {
    CO_TRY(const auto earlier, co_await ask(before->asked_at));
    if (!earlier) co_return std::nullopt;
    if (earlier->in_proof && earlier->goals == goals) co_return false;
  }
  const std::string_view rest = std::string_view(file_.text().str()).substr(place.offset);
  CO_TRY(const auto inside, co_await ask(place.offset + text::byte_of_code_point(rest, 1)));
  if (!inside) co_return std::nullopt;
  co_return !inside->in_proof || inside->goals != goals;
}

asio::awaitable<Result<StepEnd>> ProofCursor::step() {
  follow_edits();
  requests_ = 0;
  failure_.reset();
  failed_until_ = 0;
  for (auto place = next(at()); place;) {
    CO_TRY(const auto passed, co_await passes(*place));
    if (!passed.has_value()) {
      place = next(at());
      continue;
    }
    gave_up_ = !*passed && requests_ >= kRequestsPerStep;
    if (!*passed && !gave_up_) {
      place = next(place->offset);
      continue;
    }
    CO_TRY(const auto end, co_await pass_tactic(*place));
    if (!end) {
      place = next(at());
      continue;
    }
    if (*end == StepEnd::Failed)
      failed_until_ = place->offset;
    else
      at_ = file_.document().state.anchor(place->offset);
    co_return *end;
  }
  const auto standing = here();
  // The proof ends here and leaves goals unsolved.
  if (standing && standing->kind == TacticPlace::Kind::End)
    failure_ = unsolved_block(file_.text(), file_.state().diagnostics(), at() - 1, at());
  if (!standing || standing->kind == TacticPlace::Kind::End || direction_ == Direction::Backward)
    co_return StepEnd::NoPlace;
  // Lean has no further place only if it stopped reading: the next proof is missing or malformed.
  CO_TRY(const bool ends_here, co_await find_failure_below());
  co_return ends_here ? StepEnd::Failed : StepEnd::NoPlace;
}

/// Whether something is wrong between the cursor and the end of its declaration.
asio::awaitable<Result<bool>> ProofCursor::find_failure_below() {
  const auto declaration = text::enclosing_declaration(file_.text().str(), at());
  const std::size_t end = declaration ? declaration->end : file_.text().size();
  CO_TRY(const bool known, co_await messages_known(file_.handle(), at(), end, scope_));
  all_known_ = all_known_ && known;
  if (file_.state().version() == version_)
    failure_ = error_between(file_.text(), file_.state().diagnostics(), at(), end);
  follow_edits();
  failed_until_ = failure_ ? end : 0;
  co_return failure_.has_value();
}

/// Whether the tactic at the cursor succeeds; `place` is the next place. nullopt: the text changed meanwhile.
/// Text outside of proofs is passed without a check.
asio::awaitable<Result<std::optional<StepEnd>>> ProofCursor::pass_tactic(TacticPlace place) {
  if (direction_ == Direction::Backward || !proof_here()) co_return StepEnd::Moved;
  const std::size_t begin = at();
  const bool ends = place.kind == TacticPlace::Kind::End;
  const std::string_view text = file_.text().str();
  const std::size_t code_end = ends ? place.offset : text.find_last_not_of(" \t\r\n", place.offset - 1) + 1;
  CO_TRY(const bool known, co_await messages_known(file_.handle(), begin, code_end, scope_));
  if (file_.state().version() != version_) {
    follow_edits();
    co_return std::nullopt;
  }
  all_known_ = all_known_ && known;
  const auto& diagnostics = file_.state().diagnostics();
  failure_ = error_between(file_.text(), diagnostics, begin, place.offset + (ends ? 1 : 0));
  if (failure_) co_return StepEnd::Failed;
  // A tactic without a goal to work on did not run, because the tactic around it failed.
  const auto goals = known_.find(place.asked_at);
  if (!ends && goals != known_.end() && goals->second.none_left()) {
    CO_TRY(auto judged,
           co_await judge_place(environment_, file_, place.offset, place.offset, goals->second, scope_));
    if (file_.state().version() != version_) {
      follow_edits();
      co_return std::nullopt;
    }
    failure_ = std::move(judged.status.error);
    if (failure_) co_return StepEnd::Failed;
  }
  failure_ = unsolved_block(file_.text(), diagnostics, begin, place.offset);
  co_return failure_ ? StepEnd::MovedUnsolved : StepEnd::Moved;
}

asio::awaitable<Result<bool>> ProofCursor::at_end_of_proof() {
  follow_edits();
  for (auto place = next(at()); place;) {
    const auto standing = here();
    if (!standing) co_return false;
    if (place->proof != standing->proof) break;
    // A tactic is followed at least by the end of its block, so there is no need to ask.
    if (direction_ == Direction::Forward && standing->kind != TacticPlace::Kind::End) co_return false;
    CO_TRY(const auto passed, co_await passes(*place));
    if (passed.value_or(false)) co_return false;
    place = passed.has_value() ? next(place->offset) : next(at());
  }
  co_return true;
}

asio::awaitable<Result<Goals>> ProofCursor::goals() {
  follow_edits();
  for (;;) {
    const auto standing = here();
    CO_TRY(auto goals, co_await ask(standing ? standing->asked_at : at()));
    if (goals) co_return std::move(*goals);
  }
}

asio::awaitable<Result<std::optional<JudgedPlace>>> ProofCursor::judge(Goals goals) {
  CO_TRY(auto judged, co_await judge_place(environment_, file_, at(), at(), goals, scope_));
  if (file_.state().version() == version_) co_return judged;
  follow_edits();
  co_return std::nullopt;
}

std::string ProofCursor::passed() const {
  const std::size_t first = std::min(from_.offset, at());
  const std::size_t last = std::max({from_.offset, at(), failed_until_});
  std::string_view text = std::string_view(file_.text().str()).substr(first, last - first);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  text = text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
  return std::string(text.substr(0, text::byte_of_code_point(text, kMaxStepText)));
}

struct StepParams {
  std::string file_path;
  int count = 1;
  std::optional<int> line, column;  ///< absent: where the last step in the file ended

  static wire::Fields fields() {
    return {wire::field<&StepParams::file_path>(),
            wire::field<&StepParams::count>().with_default().at_least(1),
            wire::field<&StepParams::line>().at_least(1), wire::field<&StepParams::column>().at_least(1)};
  }
};

/// The result of a step in either direction.
struct Step {
  int line = 1;
  int column = 1;
  std::string step_text;  ///< the text passed, including a tactic that failed
  GoalList goals, goals_before;
  PlaceStatus place;
  std::optional<std::string> hint;  ///< where a proof begins, if there is none at the position
  FileStatus file;

  static wire::Fields fields() {
    return {wire::flatten<&Step::place>(),   wire::field<&Step::line>(),         wire::field<&Step::column>(),
            wire::field<&Step::step_text>(), wire::field<&Step::goals_before>(), wire::field<&Step::goals>(),
            wire::field<&Step::hint>(),      wire::flatten<&Step::file>()};
  }
};

struct Stepped {
  Step step;
  bool at_last_place = false;  ///< the proof has no further place; forward: nor a goal
};

struct StepForwardResult {
  Step step;
  bool at_end = false;

  static wire::Fields fields() {
    return {wire::flatten<&StepForwardResult::step>(), wire::field<&StepForwardResult::at_end>()};
  }
};

struct StepBackwardResult {
  Step step;
  bool at_start = false;

  static wire::Fields fields() {
    return {wire::flatten<&StepBackwardResult::step>(), wire::field<&StepBackwardResult::at_start>()};
  }
};

// A comment has no tactic: a position within one means the text behind it.
std::size_t behind_comment(std::string_view source, std::size_t offset) {
  text::LeanLexer lexer(source);
  while (const auto token = lexer.next()) {
    if (token->begin >= offset) break;
    if (offset < token->end && text::is_comment(token->kind)) return token->end;
  }
  return offset;
}

/// The given position, else the file's cursor, else the end of the file where this direction starts.
Result<std::size_t> start_of(const OpenFile& file, const StepParams& params, Direction direction) {
  if (params.line) {
    const auto given = offset_of(file, *params.line, params.column, ColumnDefault::FirstNonBlank);
    if (!given || direction == Direction::Backward) return given;
    return behind_comment(file.text().str(), *given);
  }
  if (params.column)
    return fail(ErrorKind::InvalidArgument, "`column` was given without `line`.", "Pass both or neither.");
  if (const auto cursor = file.document().cursor_offset()) return *cursor;
  return direction == Direction::Forward ? 0 : file.text().size();
}

asio::awaitable<Result<Stepped>> step(Environment& environment, std::shared_ptr<mcp::Call> call,
                                      StepParams params, Direction direction) {
  CO_TRY(auto file, co_await open_file(environment, call, params.file_path));
  CO_TRY(const auto start, start_of(file, params, direction));
  ProofCursor cursor(environment, std::move(file), start, direction, call->scope);

  Stepped result;
  const auto finished = [&](Completeness completeness) {
    cursor.file().document().set_cursor(cursor.at());
    const text::Position position = cursor.file().text().position_at(cursor.at());
    result.step.line = position.line;
    result.step.column = position.column;
    result.step.step_text = cursor.passed();
    result.step.file = status_of(cursor.file(), completeness);
    return std::move(result);
  };
  auto here = co_await cursor.goals();
  bool moved = false;
  StepEnd end = StepEnd::Moved;
  for (int left = params.count; here && left > 0 && end == StepEnd::Moved && !cursor.gave_up(); --left) {
    if (!moved) result.step.goals_before = here->list();
    result.step.goals = here->list();
    CO_TRY(const auto stepped, in_time(co_await cursor.step()));
    if (!stepped) co_return finished(Completeness::TimedOut);
    end = *stepped;
    moved = moved || end == StepEnd::Moved;
    here = co_await cursor.goals();
  }
  std::optional<JudgedPlace> judged;
  if (cursor.failure()) judged = JudgedPlace{{GoalStatus::Error, cursor.failure(), {}}};
  while (here && !judged) {
    CO_TRY(auto found, co_await cursor.judge(*here));
    judged = std::move(found);
    if (!judged) here = co_await cursor.goals();
  }
  if (!here && here.error().kind == ErrorKind::Timeout) co_return finished(Completeness::TimedOut);
  if (!here) co_return tl::unexpected(here.error());
  result.step.goals = here->list();
  result.step.place = judged->status;
  if (judged->status.status == GoalStatus::NoGoalAtPosition)
    result.step.hint = where_proof_begins(cursor.file().state(), cursor.at());

  Result<bool> last = end == StepEnd::NoPlace;
  if (end == StepEnd::Moved || end == StepEnd::MovedUnsolved) last = co_await cursor.at_end_of_proof();
  if (!last && last.error().kind != ErrorKind::Timeout) co_return tl::unexpected(last.error());
  result.at_last_place = last.value_or(false) && (direction == Direction::Backward || here->goals.empty());
  co_return finished(!last                                     ? Completeness::TimedOut
                     : cursor.gave_up() || !cursor.all_known() ? Completeness::Partial
                                                               : judged->completeness);
}

asio::awaitable<Result<StepForwardResult>> step_forward(Environment& environment,
                                                        std::shared_ptr<mcp::Call> call, StepParams params) {
  CO_TRY(auto stepped, co_await step(environment, std::move(call), std::move(params), Direction::Forward));
  co_return StepForwardResult{std::move(stepped.step), stepped.at_last_place};
}

asio::awaitable<Result<StepBackwardResult>> step_backward(Environment& environment,
                                                          std::shared_ptr<mcp::Call> call,
                                                          StepParams params) {
  CO_TRY(auto stepped, co_await step(environment, std::move(call), std::move(params), Direction::Backward));
  co_return StepBackwardResult{std::move(stepped.step), stepped.at_last_place};
}

constexpr mcp::Annotations kMovesCursor = {.idempotent = false};

}  // namespace

mcp::Tool lean_step_forward(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_step_forward",
       .title = "Step forward in a proof",
       .group = "proof",
       .description = "Moves to the next tactic and shows the goals around the one passed; stops at "
                      "the first that fails and at the end of the proof. Starts at the position, else "
                      "where the last step ended.",
       .annotations = kMovesCursor},
      step_forward);
}

mcp::Tool lean_step_backward(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_step_backward",
                    .title = "Step backward in a proof",
                    .group = "proof",
                    .description = "Moves to the previous place where a tactic begins: the opposite of "
                                   "lean_step_forward.",
                    .annotations = kMovesCursor,
                    .listed = false},
                   step_backward);
}

}  // namespace leanbridge::tools

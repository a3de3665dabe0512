#include "tactic_trials.hpp"

#include "core/base/try.hpp"
#include "core/document/scratch_pool.hpp"
#include "core/ide/goal_status.hpp"
#include "core/ide/hidden_sorries.hpp"
#include "core/ide/symbols.hpp"
#include "core/lean/sorries.hpp"
#include "core/text/attempt_text.hpp"
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
#include "core/tools/common/typed_tool.hpp"

#include <algorithm>
#include <deque>

namespace leanbridge::tools {

namespace {

// An attempt that takes longer yields to attempts that have not been tried yet.
constexpr auto kFirstSlice = std::chrono::milliseconds(500);
// Another scratch document must start a worker and elaborate the beginning of the file, which takes CPU time
// from the present ones. It pays off only if those, once warm, need longer than this and longer than their
// own warm-up.
constexpr auto kAddWorkerAfter = std::chrono::seconds(2);

struct QueuedAttempt {
  std::size_t index;
  bool had_a_slice = false;
};

// State shared by the workers of one call. Each worker keeps it alive, since the call may end first.
struct Batch {
  std::string before;          ///< the file up to where the snippets go
  std::string rest;            ///< the text that completes the declaration's `mutual` block
  std::filesystem::path file;  ///< the user's file
  io::Clock::duration limit{};
  std::deque<QueuedAttempt> queue;
  std::vector<Attempt> attempts;
  std::size_t unsettled = 0;  ///< attempts that are waiting or being tried
  std::size_t workers = 0;
  std::size_t warm = 0;                    ///< workers whose scratch document has the beginning elaborated
  io::Clock::duration warm_up{};           ///< how long warming up took for the latest worker
  io::Clock::time_point all_warm_since{};  ///< when the latest worker was ready
  std::optional<Error> error;
  io::Condition changed;
  /// Cancelled when the call is over, to stop workers that still wait for a scratch document.
  std::shared_ptr<io::CancelSource> over = std::make_shared<io::CancelSource>();

  text::AttemptText text_of(std::size_t index) const {
    const Attempt& attempt = attempts[index];
    return text::attempt_text(before, before.size(),
                              attempt.tried_as.empty() ? attempt.snippet : attempt.tried_as, rest);
  }
  void settle() {
    --unsettled;
    changed.notify_all();
  }
  bool needs_another(io::Clock::time_point now) const {
    const auto patience = std::max<io::Clock::duration>(kAddWorkerAfter, warm_up);
    return !queue.empty() && warm == workers && now - all_warm_since >= patience;
  }
  bool must_yield(const QueuedAttempt& next) const { return !next.had_a_slice && !queue.empty(); }
  /// The scope of an attempt that need not yield: it shares the remaining time with the attempts queued
  /// behind it.
  io::CancelScope time_for_the_rest(io::CancelScope scope) const {
    const std::size_t at_once = std::max<std::size_t>(1, workers);
    const auto turns = static_cast<io::Clock::rep>(1 + queue.size() / at_once);
    return scope.with_timeout(std::min(limit, (scope.deadline - io::Clock::now()) / turns));
  }
};

bool is_of_kernel(const lean::Diagnostic& diagnostic) {
  return diagnostic.message.starts_with("(kernel)");
}

// The first line of the kernel's message; whole terms follow it.
std::string kernel_reason(const std::string& message) {
  return "The kernel rejects the declaration: " + message.substr(0, message.find('\n')) +
         ". To find the guilty case, put sorry in place of the others, one by one.";
}

// Reads Lean's messages about the declaration. The snippet fails if an error begins in it.
void read_messages(const document::DocumentState& state, const text::AttemptText& placed, AttemptFacts& facts,
                   std::vector<DiagnosticItem>& items) {
  // A command in the snippet ends the declaration, so goals that are left there stay unsolved.
  const auto site = text::enclosing_declaration(placed.text, placed.snippet_start);
  const bool is_ended = site && site->end < placed.snippet_end;
  bool sorry_reported = false;
  const Messages shown = Messages(state).shown();
  for (const lean::Diagnostic* each : shown.list()) {
    const lean::Diagnostic& diagnostic = *each;
    const std::size_t start = state.text().offset_at(diagnostic.range.start);
    if (state.text().offset_at(diagnostic.range.end) < placed.declaration) continue;
    const bool error = diagnostic.is_error();
    // The message is about declarations below this one in its block: Lean accepts all of a block, or none.
    if (start >= placed.declaration_end && placed.declaration_end < placed.text.size()) {
      facts.declaration_open = facts.declaration_open || error;
      continue;
    }
    const bool sorry = lean::reports_sorry(diagnostic);
    facts.declaration_open = facts.declaration_open || error || sorry;
    sorry_reported = sorry_reported || sorry;
    const bool unsolved = diagnostic.has_tag(lean::kTagUnsolvedGoals);
    const bool by_kernel = error && start < placed.snippet_start && is_of_kernel(diagnostic);
    if (by_kernel) facts.rejected = kernel_reason(diagnostic.message);
    const bool left_behind = is_ended && error && unsolved && start >= placed.declaration;
    if (start < placed.snippet_start && !by_kernel && !left_behind) continue;
    facts.error_in_snippet = facts.error_in_snippet || (error && !by_kernel);
    items.push_back(diagnostic_item(state.text(), diagnostic));
  }
  // Lean's warning is about the declaration, and is absent if the declaration has another error.
  const std::string_view text = placed.text;
  const auto has_word = [&](std::size_t begin, std::size_t stop) {
    return text::find_missing_proof(text.substr(begin, stop - begin)).has_value();
  };
  facts.uses_sorry = has_word(placed.snippet_start, placed.snippet_end) ||
                     (sorry_reported && !has_word(placed.declaration, placed.snippet_start));
}

// Lean's goals at an offset of a scratch document.
asio::awaitable<Result<Goals>> scratch_goals(document::Scratch& scratch, std::size_t offset,
                                             io::CancelScope scope) {
  return goals_at(scratch.handle(), scratch.handle().anchor(offset), GoalFormat::Text, std::move(scope));
}

// The sorries in the snippet, with their goals.
asio::awaitable<std::vector<OpenSorry>> open_sorries(document::DocumentHandle document,
                                                     text::AttemptText placed, io::CancelScope scope) {
  constexpr std::size_t kMaxSorries = 4;
  std::vector<OpenSorry> sorries;
  const std::string_view text = placed.text;
  for (const std::size_t offset : lean::sorry_words(text)) {
    if (offset < placed.snippet_start || offset >= placed.snippet_end || sorries.size() == kMaxSorries)
      continue;
    OpenSorry sorry;
    const std::string_view above = text.substr(placed.snippet_start, offset - placed.snippet_start);
    sorry.line = 1 + static_cast<int>(std::count(above.begin(), above.end(), '\n'));
    sorry.goals = co_await goals_of_word(document, offset, scope);
    sorries.push_back(std::move(sorry));
  }
  co_return sorries;
}

// Runs an attempt once in a scratch document. Timeout: not done within the scope.
asio::awaitable<Result<void>> try_once(document::Scratch& scratch, Attempt& attempt, text::AttemptText placed,
                                       io::CancelScope scope) {
  scratch.set_text(placed.text);
  const auto document = scratch.document();
  CO_TRY(const auto known, co_await scratch.handle().wait_until_reported_between(placed.declaration,
                                                                                 placed.text.size(), scope));
  if (known == document::WaitOutcome::Partial) co_return fail(ErrorKind::Timeout, "not done");
  if (auto failure = scratch.handle().header_failure()) co_return tl::unexpected(*failure);
  AttemptFacts facts;
  CO_TRY(facts.before, co_await scratch_goals(scratch, placed.snippet_start, scope));
  CO_TRY(facts.after, co_await scratch_goals(scratch, placed.block_goals, scope));
  if (!facts.after.in_proof) {  // the block ends within the snippet
    CO_TRY(facts.after, co_await scratch_goals(scratch, placed.snippet_end, scope));
  }
  if (facts.after.none_left()) {
    CO_TRY(facts.proof_after, co_await scratch_goals(scratch, placed.proof_goals, scope));
  }
  attempt.diagnostics.clear();
  attempt.timed_out = false;
  attempt.outside = !facts.before.in_proof;
  read_messages(document->state, placed, facts, attempt.diagnostics);
  AttemptFacts without_word = facts;
  without_word.uses_sorry = false;  // a sorry in the text may never have run
  if (verdict_of(without_word).proof_complete) {
    CO_TRY(const auto done, co_await scratch.handle().wait_until_done(scope));
    if (done == document::WaitOutcome::Partial) co_return fail(ErrorKind::Timeout, "not done");
    attempt.diagnostics.clear();
    read_messages(document->state, placed, facts, attempt.diagnostics);
    CO_TRY(const auto unannounced, co_await unannounced_theorems(scratch.handle(), scope));
    for (const Symbol& symbol : unannounced)
      if (symbol.end > placed.declaration) facts.rejected = unannounced_reason(symbol);
    if (is_announced(Messages(document->state), placed.declaration, placed.declaration_end))
      facts.uses_sorry = false;
  }
  attempt.sorries = co_await open_sorries(scratch.handle(), placed, scope);
  attempt.verdict = verdict_of(facts);
  attempt.rejected = facts.rejected.has_value();
  attempt.after = goals_left(facts);
  attempt.before = std::move(facts.before);
  co_return Result<void>();
}

void note_crash(Attempt& attempt, const Error& error) {
  attempt.verdict.proof_status = GoalStatus::Error;
  attempt.diagnostics = {DiagnosticItem{.message = error.message, .lean_tags = {}}};
}

// Starts the worker and elaborates the beginning of the file, so that this does not use up the snippet's
// time.
asio::awaitable<Result<void>> warm_up(document::Scratch& scratch, text::AttemptText placed,
                                      io::CancelScope scope) {
  const auto document = scratch.document();
  const std::string before = placed.text.substr(0, placed.snippet_start);
  if (document->state.open() && document->state.text().str().starts_with(before)) co_return Result<void>();
  scratch.set_text(before);
  CO_TRY(const auto known, co_await scratch.handle().wait_until_reported_between(
                               placed.declaration, placed.snippet_start, scope));
  if (known == document::WaitOutcome::Partial) co_return fail(ErrorKind::Timeout, "not done");
  if (auto failure = scratch.handle().header_failure()) co_return tl::unexpected(*failure);
  co_return Result<void>();
}

// Records the result of an attempt. Returns false if the worker must stop.
bool record(const std::shared_ptr<Batch>& batch, document::Scratch& scratch, QueuedAttempt next,
            const Result<void>& done, bool retry) {
  Attempt& attempt = batch->attempts[next.index];
  const bool is_late = !done && done.error().kind == ErrorKind::Timeout;
  if (is_late || (!done && done.error().kind == ErrorKind::Cancelled)) {
    // A new text makes Lean stop the attempt, if it can be stopped.
    scratch.abandon_text();
    scratch.set_text(batch->before);
  }
  if (is_late) {
    if (retry) {
      batch->queue.push_back({next.index, true});
      return true;
    }
  } else if (!done && (done.error().kind != ErrorKind::WorkerCrashed ||
                       scratch.store()->server().state() != lean::Server::State::Ready)) {
    batch->error = done.error();  // Lean as a whole is down, which is not the snippet's fault
  } else if (!done) {
    if (scratch.evicted_for_memory() && batch->workers > 1) {  // not the snippet's fault: memory suffices
                                                               // only for fewer workers
      batch->queue.push_back({next.index, next.had_a_slice});
      return false;
    }
    attempt.timed_out = false;
    note_crash(attempt, done.error());
  }
  batch->settle();
  return true;
}

// Counts a worker as warm in its batch while it lives, and measures its warm-up.
class WarmUpCount {
 public:
  explicit WarmUpCount(std::shared_ptr<Batch> batch) : batch_(std::move(batch)) {}
  WarmUpCount(const WarmUpCount&) = delete;
  WarmUpCount& operator=(const WarmUpCount&) = delete;
  ~WarmUpCount() {
    if (warm_) --batch_->warm;
  }
  void mark_warm() {
    if (std::exchange(warm_, true)) return;
    ++batch_->warm;
    batch_->all_warm_since = io::Clock::now();
    batch_->warm_up = batch_->all_warm_since - since_;
  }

 private:
  std::shared_ptr<Batch> batch_;
  io::Clock::time_point since_ = io::Clock::now();
  bool warm_ = false;
};

// Takes attempts from the queue until it is empty or the scope ends.
asio::awaitable<void> work(std::shared_ptr<document::DocumentStore> store, std::shared_ptr<Batch> batch,
                           io::CancelScope scope) {
  std::string first = batch->queue.empty() ? std::string() : batch->text_of(batch->queue.front().index).text;
  io::CancelScope waiting = scope;
  waiting.cancel = batch->over;
  auto scratch = co_await store->scratch()->acquire(std::move(first), waiting, batch->file);
  if (!scratch) {
    const ErrorKind kind = scratch.error().kind;
    if (kind != ErrorKind::Timeout && kind != ErrorKind::Cancelled) batch->error = scratch.error();
    co_return;
  }
  WarmUpCount warm_up_count(batch);
  while (!batch->queue.empty() && !scope.cancel->cancelled() && !batch->error &&
         io::Clock::now() < scope.deadline) {
    if (scratch->needs_restart()) scratch->renew();
    const QueuedAttempt next = batch->queue.front();
    batch->queue.pop_front();
    const text::AttemptText placed = batch->text_of(next.index);
    const bool must_yield = batch->must_yield(next);
    Result<void> done = co_await warm_up(*scratch, placed, scope);
    if (done) {
      warm_up_count.mark_warm();
      const io::CancelScope time =
          must_yield ? scope.with_timeout(kFirstSlice) : batch->time_for_the_rest(scope);
      done = co_await try_once(*scratch, batch->attempts[next.index], placed, time);
    } else if (done.error().kind == ErrorKind::WorkerCrashed && !scratch->evicted_for_memory()) {
      batch->error = done.error();  // the beginning of the file crashes Lean
      batch->changed.notify_all();
      co_return;
    }
    const bool retry = must_yield && io::Clock::now() < scope.deadline;
    if (!record(batch, *scratch, next, done, retry)) co_return;
  }
}

}  // namespace

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

namespace {

// The lines of the file that the snippet stands for: its own if goals are left in its block, else also what
// stood below it there, or up to the end of the proof.
void note_replaced_lines(const text::Text& source, const text::AttemptPlace& place, Attempt& attempt) {
  const std::size_t line_start = source.line_start(source.line_at(place.offset));
  const std::string_view before =
      std::string_view(source.str()).substr(line_start, place.offset - line_start);
  const std::size_t column = text::count_code_points(before) + place.padding;
  const text::TacticExtent extent = text::tactic_extent(source.str(), place.offset, column);
  std::size_t end = extent.item;
  if (attempt.verdict.proof_status != GoalStatus::Goals) end = extent.block;
  if (attempt.verdict.proof_complete) end = extent.proof;
  attempt.verdict.replaces_lines = {source.position_at(place.offset).line, source.position_at(end).line};
  const std::size_t line_end = source.line_end(source.line_at(end));
  const std::string& tactics = attempt.tried_as.empty() ? attempt.snippet : attempt.tried_as;
  attempt.old_lines = source.str().substr(line_start, line_end - line_start);
  attempt.new_lines = std::string(before) + std::string(place.padding, ' ') +
                      text::moved_to(tactics, column) + source.str().substr(end, line_end - end);
}

// The text to check for a hidden sorry. An `#eval` above the attempt that only prints is no reason to compile
// it.
TextOfFile tried_text(const OpenFile& file, std::string text) {
  TextOfFile tried{file.store(), file.document().path, std::move(text)};
  tried.evaluates = true;
  return tried;
}

// Looks for a hidden sorry in an attempt that is complete according to Lean's messages.
asio::awaitable<Result<void>> look_for_sorry(Environment& environment, const OpenFile& file, Attempt& attempt,
                                             const text::AttemptText& placed, io::CancelScope scope) {
  const text::Text text(placed.text.substr(0, placed.declaration_end));
  CO_TRY(const auto hidden, co_await hidden_sorries(environment, tried_text(file, placed.text), scope));
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

// Whether a declaration begins here. Cut off here, the text would end with the proof above.
bool begins_declaration(std::string_view source, std::size_t offset) {
  for (const text::DeclarationSite& site : text::declarations(source))
    if (site.start <= offset && offset <= site.keyword_offset) return true;
  return false;
}

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

/// A snippet, and how it is read.
struct SnippetReading {
  std::string snippet;
  std::string tried_as = {};  ///< "": as it is
};

asio::awaitable<Result<std::vector<Attempt>>> run_readings(Environment& environment,
                                                           std::shared_ptr<mcp::Call> call,
                                                           const OpenFile& file, int line,
                                                           std::optional<int> column,
                                                           std::vector<SnippetReading> snippets,
                                                           std::size_t parallel, io::Clock::duration limit) {
  const io::CancelScope scope = call->scope;
  // Look for silencers first: attempts that do not end may leave no time for it.
  const std::string source = file.text().str();
  CO_TRY(const auto silencer, co_await find_silencer(environment, tried_text(file, source), scope));
  CO_TRY(const auto offset, offset_of(file, line, column, ColumnDefault::FirstNonBlank));
  const text::Text tried = file.text();  // a copy: the file may have changed during the wait
  text::AttemptPlace place = column ? text::AttemptPlace{offset, 0} : text::attempt_place(tried, line);
  std::string moved;
  if (column)
    if (const auto begin = tactic_around(tried.str(), place.offset)) {
      const text::Position at = tried.position_at(*begin);
      moved = "Column " + std::to_string(*column) + " is inside a word: tried at line " +
              std::to_string(at.line) + ", column " + std::to_string(at.column) +
              ", where its tactic begins.";
      place.offset = *begin;
    }
  const bool in_statement = begins_declaration(tried.str(), place.offset);
  auto batch = std::make_shared<Batch>();
  batch->over->client = scope.cancel->client;
  const struct AtEnd {  // runs however this ends
    std::shared_ptr<io::CancelSource> over;
    ~AtEnd() { over->cancel(); }
  } at_end{batch->over};
  batch->before = tried.str().substr(0, place.offset) + std::string(place.padding, ' ');
  batch->rest = text::rest_of_block(tried.str(), place.offset);
  batch->file = file.document().path;
  batch->limit = limit;
  for (std::size_t i = 0; i < snippets.size(); ++i) {
    Attempt attempt;
    attempt.snippet = std::move(snippets[i].snippet);
    attempt.tried_as = std::move(snippets[i].tried_as);
    attempt.timed_out = true;  // until it is done
    attempt.moved = moved;
    batch->attempts.push_back(std::move(attempt));
    batch->queue.push_back({i, false});
  }
  if (text::in_comment_or_literal(tried.str(), place.offset)) {
    for (Attempt& attempt : batch->attempts) {
      attempt.timed_out = false;
      note_outside(attempt);
    }
    co_return batch->attempts;
  }
  batch->unsettled = batch->attempts.size();
  const auto pool = file.store()->scratch();
  const std::size_t max_workers = std::min({parallel, pool->limits().max_workers, batch->attempts.size()});
  const auto executor = co_await asio::this_coro::executor;
  const auto add_worker = [&] {
    ++batch->workers;
    asio::co_spawn(executor, work(file.store(), batch, scope), [batch](const std::exception_ptr&) {
      --batch->workers;
      batch->changed.notify_all();
    });
  };
  const std::size_t warm = std::clamp<std::size_t>(pool->warm_slots_for(batch->file), 1, max_workers);
  for (std::size_t i = 0; i < warm; ++i) add_worker();
  call->progress = [batch]() -> std::optional<mcp::Progress> {
    const std::size_t all = batch->attempts.size(), settled = all - batch->unsettled;
    return mcp::Progress{static_cast<double>(settled), static_cast<double>(all),
                         std::to_string(settled) + " of " + std::to_string(all) + " attempts done",
                         "attempts"};
  };
  // Workers end with the scope; the grace period lets a worker finish that is almost done.
  const io::CancelScope grace(scope.deadline - io::Clock::now() + std::chrono::seconds(5), scope.cancel);
  const auto over = [&] { return batch->unsettled == 0 || batch->workers == 0 || batch->error; };
  for (;;) {
    const io::WaitStatus end =
        co_await io::wait_until(batch->changed, grace.with_timeout(kAddWorkerAfter), over);
    if (end != io::WaitStatus::TimedOut || io::Clock::now() >= grace.deadline) break;
    if (batch->workers < max_workers && batch->needs_another(io::Clock::now())) add_worker();
  }
  call->progress = {};
  if (scope.cancel->cancelled()) co_return call_cancelled();
  if (batch->error) co_return tl::unexpected(*batch->error);
  const std::vector<std::string> in_proof = names_in_proof(tried.str(), place.offset);
  std::vector<Attempt> attempts = batch->attempts;  // a copy: a worker may still be running its last attempt
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    Attempt& attempt = attempts[i];
    if (attempt.timed_out) attempt.verdict = {};
    if (in_statement && !attempt.timed_out) note_outside(attempt);
    const std::string& text = attempt.tried_as.empty() ? attempt.snippet : attempt.tried_as;
    const bool silenced = silencer || text::find_silencers(text).any;
    if (attempt.verdict.proof_complete && silenced) {
      CO_CHECK(co_await look_for_sorry(environment, file, attempt, batch->text_of(i), scope));
    }
    const bool is_open = attempt.verdict.remaining_goals && !attempt.verdict.proof_complete;
    if (is_open && !attempt.verdict.reason)
      if (const auto own = mentioned_in(attempt.snippet, in_proof))
        attempt.verdict.reason =
            "It uses " + *own +
            ", which is being proved. Whether this recursion ends, Lean says only of the whole declaration.";
    if (attempt.verdict.remaining_goals) note_replaced_lines(tried, place, attempt);
  }
  co_return attempts;
}

// How else a snippet may be meant that Lean does not take as it is: without the `by` before it; with its
// first line in the columns of the rest.
std::vector<std::string> other_readings(const std::string& snippet) {
  std::vector<std::string> readings;
  const auto tactics = text::behind_by(snippet);
  if (tactics) readings.push_back(text::moved_to(*tactics, 0));
  if (auto aligned = text::first_line_aligned(tactics ? *tactics : snippet))
    readings.push_back(text::moved_to(*aligned, 0));
  return readings;
}

bool has_failed(const Attempt& attempt) {
  return !attempt.timed_out && attempt.verdict.proof_status == GoalStatus::Error;
}

}  // namespace

asio::awaitable<Result<std::vector<Attempt>>> run_attempts(Environment& environment,
                                                           std::shared_ptr<mcp::Call> call,
                                                           const OpenFile& file, int line,
                                                           std::optional<int> column,
                                                           std::vector<std::string> snippets,
                                                           std::size_t parallel, io::Clock::duration limit) {
  std::vector<SnippetReading> as_given;
  for (std::string& each : snippets) as_given.push_back({std::move(each)});
  const document::Version version = file.state().version();
  CO_TRY(auto attempts,
         co_await run_readings(environment, call, file, line, column, std::move(as_given), parallel, limit));
  std::vector<SnippetReading> others;
  std::vector<std::size_t> whose;
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    if (!has_failed(attempts[i])) continue;
    for (std::string& each : other_readings(attempts[i].snippet)) {
      others.push_back({attempts[i].snippet, std::move(each)});
      whose.push_back(i);
    }
  }
  if (others.empty() || file.state().version() != version) co_return attempts;
  auto again =
      co_await run_readings(environment, call, file, line, column, std::move(others), parallel, limit);
  if (!again && again.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(again.error());
  if (!again) co_return attempts;
  for (std::size_t i = 0; i < again->size(); ++i) {
    Attempt& first = attempts[whose[i]];
    Attempt& other = (*again)[i];
    if (has_failed(first) && !has_failed(other) && !other.timed_out && !other.outside)
      first = std::move(other);
  }
  const auto is_unparsed = [](const DiagnosticItem& each) {
    return each.severity == lean::Severity::Error && each.message.find("expected") != std::string::npos;
  };
  for (const std::size_t i : whose)
    if (has_failed(attempts[i]) && !attempts[i].verdict.reason &&
        text::first_line_aligned(attempts[i].snippet) &&
        std::any_of(attempts[i].diagnostics.begin(), attempts[i].diagnostics.end(), is_unparsed))
      attempts[i].verdict.reason =
          "Its first line stands left of the others: tactics of one block begin in one column.";
  co_return attempts;
}

}  // namespace leanbridge::tools

// The work of Trials: attempts in scratch documents.

#include "core/document/scratch_pool.hpp"
#include "core/lean/sorries.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/lines.hpp"
#include "core/text/missing_proofs.hpp"
#include "goal_status.hpp"
#include "trials.hpp"

#include <algorithm>
#include <deque>

namespace leanbridge::ide {

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
  AttemptSite site;
  TrialLimits limits;
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

  text::AttemptText text_of(std::size_t index) const { return site.text_of(attempts[index]); }
  void settle() {
    --unsettled;
    changed.notify_all();
  }
  bool needs_another(io::Clock::time_point now) const {
    const auto patience = std::max<io::Clock::duration>(kAddWorkerAfter, warm_up);
    return !queue.empty() && warm == workers && now - all_warm_since >= patience;
  }
  bool is_over() const { return unsettled == 0 || workers == 0 || error; }
  bool must_yield(const QueuedAttempt& next) const { return !next.had_a_slice && !queue.empty(); }
  /// The scope of an attempt that need not yield: it shares the remaining time with the attempts queued
  /// behind it.
  io::CancelScope time_for_the_rest(io::CancelScope scope) const {
    const std::size_t at_once = std::max<std::size_t>(1, workers);
    const auto turns = static_cast<io::Clock::rep>(1 + queue.size() / at_once);
    return scope.with_timeout(std::min(limits.each, (scope.deadline - io::Clock::now()) / turns));
  }
};

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
  // Lean reports what it cannot parse where the token before ends.
  const std::size_t own_begin = 1 + placed.text.substr(0, placed.snippet_start).find_last_not_of(" \t\r\n");
  bool sorry_reported = false;
  const Messages shown = Messages(state).shown();
  for (const lean::Diagnostic* each : shown.list()) {
    const lean::Diagnostic& diagnostic = *each;
    const std::size_t start = state.text().offset_at(diagnostic.range.start);
    if (state.text().offset_at(diagnostic.range.end) < placed.declaration) continue;
    const bool error = diagnostic.is_error();
    // The message is about what follows in the declaration, such as a `where`, or about declarations below it
    // in its block: Lean accepts all of a block, or none.
    if (start >= placed.own_end && placed.own_end < placed.text.size()) {
      const bool sorry_in_it = start < placed.declaration_end && lean::reports_sorry(diagnostic);
      facts.declaration_open = facts.declaration_open || error || sorry_in_it;
      continue;
    }
    const bool sorry = lean::reports_sorry(diagnostic);
    facts.declaration_open = facts.declaration_open || error || sorry;
    sorry_reported = sorry_reported || sorry;
    const bool unsolved = diagnostic.has_tag(lean::kTagUnsolvedGoals);
    const bool by_kernel = error && start < own_begin && diagnostic.message.starts_with("(kernel)");
    if (by_kernel) facts.rejected = kernel_reason(diagnostic.message);
    const bool left_behind = is_ended && error && unsolved && start >= placed.declaration;
    if (start < own_begin && !by_kernel && !left_behind) continue;
    facts.error_in_snippet = facts.error_in_snippet || (error && !by_kernel);
    items.push_back(diagnostic_item(state.text(), diagnostic));
  }
  // Lean's warning is about the declaration, and is absent if the declaration has another error.
  const std::string_view text = placed.text;
  const auto has_word = [&](std::size_t begin, std::size_t stop) {
    return text::find_missing_proof(text.substr(begin, stop - begin)).has_value();
  };
  facts.uses_sorry = has_word(placed.snippet_start, placed.snippet_end) ||
                     (sorry_reported && !has_word(placed.declaration, placed.snippet_start) &&
                      !has_word(placed.own_end, placed.declaration_end));
}

asio::awaitable<Result<Goals>> goals_in(document::DocumentHandle document, std::size_t offset,
                                        io::CancelScope scope) {
  return goals_at(document, document.anchor(offset), GoalFormat::Text, std::move(scope));
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
    sorry.line = text::line_number(text.substr(placed.snippet_start), offset - placed.snippet_start);
    sorry.goals = co_await goals_of_word(document, offset, scope);
    sorries.push_back(std::move(sorry));
  }
  co_return sorries;
}

// Reads the messages that must be known before the declaration counts as proved: all of them.
asio::awaitable<Result<void>> read_all(document::Scratch& scratch, const text::AttemptText& placed,
                                       AttemptFacts& facts, std::vector<DiagnosticItem>& items,
                                       io::CancelScope scope) {
  CO_TRY(const auto done, co_await scratch.handle().wait_until_done(scope));
  if (done == document::WaitOutcome::Partial) co_return fail(ErrorKind::Timeout, "not done");
  const document::DocumentState& state = scratch.document()->state;
  items.clear();
  read_messages(state, placed, facts, items);
  CO_TRY(const auto unannounced, co_await unannounced_theorems(scratch.handle(), scope));
  for (const Symbol& symbol : unannounced)
    if (symbol.end > placed.declaration) facts.rejected = unannounced_reason(symbol);
  if (is_announced(Messages(state), placed.declaration, placed.declaration_end)) facts.uses_sorry = false;
  co_return Result<void>();
}

// Runs an attempt once in a scratch document. Timeout: not done within the scope.
asio::awaitable<Result<void>> try_once(document::Scratch& scratch, Attempt& attempt, text::AttemptText placed,
                                       io::CancelScope scope) {
  scratch.set_text(placed.text);
  const document::DocumentHandle document = scratch.handle();
  CO_TRY(const auto known,
         co_await document.wait_until_reported_between(placed.declaration, placed.text.size(), scope));
  if (known == document::WaitOutcome::Partial) co_return fail(ErrorKind::Timeout, "not done");
  if (auto failure = document.header_failure()) co_return tl::unexpected(*failure);
  AttemptFacts facts;
  CO_TRY(facts.before, co_await goals_in(document, placed.snippet_start, scope));
  CO_TRY(facts.after, co_await goals_in(document, placed.block_goals, scope));
  if (!facts.after.in_proof) {  // the block ends within the snippet
    CO_TRY(facts.after, co_await goals_in(document, placed.snippet_end, scope));
  }
  if (facts.after.none_left()) {
    CO_TRY(facts.proof_after, co_await goals_in(document, placed.proof_goals, scope));
  }
  std::vector<DiagnosticItem> items;
  read_messages(document.state(), placed, facts, items);
  AttemptFacts without_word = facts;
  without_word.uses_sorry = false;  // a sorry in the text may never have run
  if (verdict_of(without_word).proof_complete)
    CO_CHECK(co_await read_all(scratch, placed, facts, items, scope));
  auto sorries = co_await open_sorries(document, placed, scope);
  if (!sorries.empty()) attempt.sorries = std::move(sorries);
  attempt.diagnostics = std::move(items);
  attempt.timed_out = false;
  attempt.outside = !facts.before.in_proof;
  attempt.verdict = verdict_of(facts);
  attempt.rejected = facts.rejected.has_value();
  attempt.goals = goals_left(facts).goals;
  attempt.before = std::move(facts.before);
  co_return Result<void>();
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
    scratch.set_text(batch->site.before);
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
    attempt.verdict.proof_status = GoalStatus::Error;
    attempt.diagnostics = {DiagnosticItem{.message = done.error().message, .lean_tags = {}}};
  }
  batch->settle();
  return true;
}

// Counts a worker as warm in its batch while it lives, and measures its warm-up.
struct WarmUpCount {
  const std::shared_ptr<Batch> batch;
  const io::Clock::time_point since = io::Clock::now();
  bool is_warm = false;

  ~WarmUpCount() {
    if (is_warm) --batch->warm;
  }
  void mark_warm() {
    if (std::exchange(is_warm, true)) return;
    ++batch->warm;
    batch->all_warm_since = io::Clock::now();
    batch->warm_up = batch->all_warm_since - since;
  }
};

// Takes attempts from the queue until it is empty or the scope ends.
asio::awaitable<void> work(std::shared_ptr<Batch> batch, io::CancelScope scope) {
  std::string first = batch->queue.empty() ? std::string() : batch->text_of(batch->queue.front().index).text;
  io::CancelScope waiting = scope;
  waiting.cancel = batch->over;
  auto scratch = co_await batch->site.store->scratch()->acquire(std::move(first), waiting, batch->site.file);
  if (!scratch) {
    const ErrorKind kind = scratch.error().kind;
    if (kind != ErrorKind::Timeout && kind != ErrorKind::Cancelled) batch->error = scratch.error();
    co_return;
  }
  WarmUpCount warm_up_count{batch};
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

// Starts workers until the batch is over. Another one is added later if the present ones prove to be slow.
asio::awaitable<void> run_workers(std::shared_ptr<Batch> batch, io::CancelScope scope) {
  const auto executor = co_await asio::this_coro::executor;
  const auto add_worker = [&] {
    ++batch->workers;
    asio::co_spawn(executor, work(batch, scope), [batch](const std::exception_ptr&) {
      --batch->workers;
      batch->changed.notify_all();
    });
  };
  const auto pool = batch->site.store->scratch();
  const std::size_t most =
      std::min({batch->limits.parallel, pool->limits().max_workers, batch->attempts.size()});
  const std::size_t warm = std::clamp<std::size_t>(pool->warm_slots_for(batch->site.file), 1, most);
  for (std::size_t i = 0; i < warm; ++i) add_worker();
  // Workers end with the scope; the grace period lets a worker finish that is almost done.
  const io::CancelScope grace(scope.deadline - io::Clock::now() + std::chrono::seconds(5), scope.cancel);
  for (;;) {
    const io::WaitStatus end = co_await io::wait_until(batch->changed, grace.with_timeout(kAddWorkerAfter),
                                                       [&] { return batch->is_over(); });
    if (end != io::WaitStatus::TimedOut || io::Clock::now() >= grace.deadline) break;
    if (batch->workers < most && batch->needs_another(io::Clock::now())) add_worker();
  }
}

io::Progress progress_of(const Batch& batch) {
  const std::size_t all = batch.attempts.size(), settled = all - batch.unsettled;
  return {static_cast<double>(settled), static_cast<double>(all),
          std::to_string(settled) + " of " + std::to_string(all) + " attempts done", "attempts"};
}

}  // namespace

asio::awaitable<Result<std::vector<Attempt>>> try_in_scratch(std::shared_ptr<io::Operation> operation,
                                                             AttemptSite site, std::vector<Attempt> attempts,
                                                             TrialLimits limits) {
  const auto batch = std::make_shared<Batch>();
  batch->site = std::move(site);
  batch->limits = limits;
  batch->attempts = std::move(attempts);
  batch->unsettled = batch->attempts.size();
  for (std::size_t i = 0; i < batch->unsettled; ++i) batch->queue.push_back({i, false});
  batch->over->client = operation->scope.cancel->client;
  const struct AtEnd {  // runs however this ends
    std::shared_ptr<io::CancelSource> over;
    ~AtEnd() { over->cancel(); }
  } at_end{batch->over};
  operation->progress = [batch]() -> std::optional<io::Progress> { return progress_of(*batch); };
  co_await run_workers(batch, operation->scope);
  operation->progress = {};
  if (operation->scope.cancel->cancelled()) co_return call_cancelled();
  if (batch->error) co_return tl::unexpected(*batch->error);
  co_return batch->attempts;  // a copy: a worker may still be running its last attempt
}

}  // namespace leanbridge::ide

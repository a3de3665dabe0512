#include "runner.hpp"

#include "core/base/json.hpp"
#include "core/io/one_shot.hpp"
#include "core/io/seconds.hpp"
#include "core/lean/header_fault.hpp"
#include "core/lean/sorries.hpp"
#include "core/platform/processes.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/missing_proofs.hpp"
#include "core/text/silencers.hpp"
#include "probe.hpp"

#include <algorithm>
#include <limits>

namespace leanbridge::batch {

namespace {

/// A worker may also die for outside reasons (a person, the kernel's memory killer), so one death proves
/// nothing.
constexpr int kMaxDeaths = 3;
constexpr int kMaxOtherDeaths = 10;
constexpr auto kPauseWhenDown = std::chrono::seconds(2);
constexpr auto kMaxDownTime = std::chrono::minutes(2);
/// After an item was given up: the time in which its worker must answer about the header alone.
constexpr auto kAnswerLimit = std::chrono::seconds(5);
constexpr double kBusyShare = 0.5;  // of a core, between two measurements
/// A worker that used more cores than this throughout an item did other work beside it.
constexpr double kCoresOfOne = 1.5;
/// The longest time to look for remains of an item, and the pause between two looks.
constexpr auto kLookTime = std::chrono::milliseconds(20);
constexpr auto kLookPause = std::chrono::milliseconds(250);
constexpr auto kLookLimit = std::chrono::seconds(10);
/// Compiling a text with a silencer loads its imports again.
constexpr auto kScrutinyAllowance = std::chrono::seconds(60);
constexpr auto kGoalsLimit = std::chrono::seconds(5);
constexpr auto kMeasureLimit = std::chrono::seconds(10);
constexpr int kMaxMeasurements = 4;
/// A worker above this share of its limit is replaced before the next item, which would be blamed otherwise.
constexpr double kNearLimit = 0.8;
constexpr std::size_t kMaxGoals = 8;

bool runs_programs(const Item& item) {
  return text::find_silencers(item.text).program.has_value();
}

// Whether the document's worker has imported exactly this header. Lean imports again even if only a comment
// differs.
bool has_loaded(const document::Document& document, const std::string& header) {
  const std::string& text = document.state.text().str();
  return document.state.open() && !document.state.gave_up_at_header() && text.starts_with(header) &&
         text::parse_lean_header(text).end == header.size();
}

}  // namespace

Runner::Runner(io::Pool& pool, std::shared_ptr<document::DocumentStore> store, RunnerOptions options,
               Examiners examiners, OnReport on_report)
    : pool_(pool),
      store_(std::move(store)),
      options_(std::move(options)),
      examiners_(std::move(examiners)),
      on_report_(std::move(on_report)),
      schedule_(options_.schedule) {}

// --- items in

asio::awaitable<bool> Runner::wait_for_room(io::CancelScope scope) {
  const auto self = shared_from_this();
  const auto ready = [&] { return stopped_ || schedule_.has_room(); };
  co_return co_await io::wait_until(changed_, scope, ready) == io::WaitStatus::Ready && !stopped_;
}

void Runner::add(Item item) {
  schedule_.add(std::move(item));
  dispatch();
}

void Runner::close() {
  schedule_.close();
  dispatch();
}

void Runner::stop() {
  stopped_ = true;
  changed_.notify_all();
}

void Runner::fail_with(Error error) {
  if (!failure_) failure_ = std::move(error);
  stop();
}

// --- assigning items to workers

void Runner::start_lane() {
  lanes_.push_back(std::make_unique<Lane>());
  tasks_.start(*executor_, run_lane(shared_from_this(), schedule_.add_worker()));
}

void Runner::dispatch() {
  while (!stopped_) {
    auto assignment = schedule_.take();
    if (!assignment) break;
    lanes_[assignment->worker]->given = std::move(assignment->item);
  }
  changed_.notify_all();
}

asio::awaitable<Result<void>> Runner::run(std::shared_ptr<io::CancelSource> cancel) {
  const auto self = shared_from_this();
  cancel_ = std::move(cancel);
  executor_ = co_await asio::this_coro::executor;
  measured_ = options_.workers > 0 || !options_.workers_for;
  const std::size_t workers = std::max<std::size_t>(options_.workers, 1);
  limit_pool(workers);
  for (std::size_t i = 0; i < workers; ++i) start_lane();
  dispatch();
  co_await tasks_.wait(io::CancelScope(io::kNoDeadline));
  if (failure_) co_return tl::unexpected(*failure_);
  co_return Result<void>();
}

asio::awaitable<void> Runner::run_lane(std::shared_ptr<Runner> self, std::size_t index) {
  try {
    co_await take_items(index);
  } catch (const std::exception& error) {  // its item is not judged, so the run must not look complete
    fail_with(Error(ErrorKind::Internal, error.what()));
  }
  leave(*lanes_[index]);
  schedule_.remove_worker(index);
  dispatch();
}

asio::awaitable<void> Runner::take_items(std::size_t index) {
  Lane& lane = *lanes_[index];
  const io::CancelScope scope(io::kNoDeadline, cancel_);
  const auto called = [&] { return lane.given || stopped_ || schedule_.is_finished(); };
  while (co_await io::wait_until(changed_, scope, called) == io::WaitStatus::Ready && lane.given &&
         !stopped_) {
    const Item item = *std::exchange(lane.given, std::nullopt);
    Report report;
    const End end = co_await judge(lane, item, report);
    if (end == End::NoWorker) {
      // Other calls use all documents. One lane keeps trying.
      schedule_.give_back(index, item);
      if (schedule_.busy() > 0) break;
      dispatch();
      continue;
    }
    if (end != End::Judged) break;
    ++judged_;
    co_await on_report_(std::move(report));
    if (!measured_) co_await grow(lane);
    schedule_.release(index);
    dispatch();
    while (lane.remains && !lane.given && !stopped_) co_await look_at_remains(lane);
  }
  co_await settle(lane);
}

// A header that is given up must free its worker before another is loaded, or there would be more workers
// than lanes.
void Runner::limit_pool(std::size_t workers) {
  if (options_.worker_limit) store_->scratch()->limit(workers, options_.worker_limit(workers));
}

// Lean keeps elaborating until the text changes, so this leaves only the header.
void Runner::leave(Lane& lane) {
  if (lane.scratch && lane.scratch->document()->state.open() && !lane.scratch->document()->state.done()) {
    const std::string& text = lane.scratch->document()->state.text().str();
    lane.scratch->abandon_text();
    lane.scratch->set_text(text.substr(0, text::parse_lean_header(text).end));
  }
  lane.scratch.reset();
}

// The first worker shows how much one needs.
asio::awaitable<void> Runner::grow(Lane& lane) {
  co_await store_->scratch()->measure(io::CancelScope(kMeasureLimit, cancel_));
  const std::int64_t bytes = lane.scratch ? lane.scratch->resident_bytes() : 0;
  measured_ = bytes > 0 || ++measurements_ == kMaxMeasurements;
  if (!measured_) co_return;  // its worker is gone; the next item gets another
  const std::size_t workers = options_.workers_for(bytes);
  limit_pool(std::max<std::size_t>(workers, 1));
  while (lanes_.size() < workers && !stopped_) start_lane();
}

// --- one item

void Runner::Deaths::explain(int server_starts) {
  if (unexplained) ++(*unexplained == server_starts ? with_text : others);
  unexplained.reset();
}

bool Runner::Deaths::prove_crash() const {
  return with_text >= kMaxDeaths || others >= kMaxOtherDeaths;
}

asio::awaitable<Runner::End> Runner::judge(Lane& lane, const Item& item, Report& report) {
  if (text::has_endless_comment(item.text)) {  // Lean's worker would end
    const text::Text text(item.text);
    lean::Diagnostic unread;
    unread.range.start = unread.range.end = text.lsp_position_at(item.text.size());
    unread.message = "unterminated comment";
    report.id = item.id;
    report.verdict = Verdict::Error;
    report.diagnostics = shown_messages(text, {unread}).messages;
    co_return End::Judged;
  }
  Deaths deaths;
  for (;;) {
    Attempt tried;
    tried.report.id = item.id;
    const End end = co_await attempt(lane, item, tried, deaths);
    if (cancel_->cancelled()) co_return End::Cancelled;
    std::optional<Verdict> verdict;
    if (end == End::Cancelled || end == End::NoWorker) co_return end;
    if (end == End::Judged) verdict = tried.report.verdict;
    if (end == End::WorkerDied) deaths.unexplained = tried.server_starts;
    if (end == End::ServerDied) {
      deaths.unexplained.reset();  // its death explains that of the worker
      ++deaths.others;
      if (deaths.prove_crash()) verdict = Verdict::Crash;
    }
    // Otherwise earlier items may have filled the memory.
    if (end == End::TooLarge && tried.fresh) verdict = Verdict::Memory;
    if (end == End::Unavailable) {
      if (!failure_) co_await io::sleep_for(kPauseWhenDown, io::CancelScope(kMaxDownTime, cancel_));
      if (failure_ || cancel_->cancelled()) co_return End::Cancelled;
    }
    if (!verdict) {
      lane.remains.reset();
      lane.scratch.reset();  // give it back closed: the next attempt gets a new worker
      continue;
    }
    tried.report.verdict = *verdict;
    report = std::move(tried.report);
    co_return End::Judged;
  }
}

asio::awaitable<Runner::End> Runner::attempt(Lane& lane, const Item& item, Attempt& attempt, Deaths& deaths) {
  if (const End end = co_await acquire(lane, item); end != End::Judged) co_return end;
  attempt.server_starts = store_->server().starts();
  const std::string header = header_key(item).header;
  const std::int64_t limit = store_->scratch()->limits().max_worker_bytes;
  const bool is_large = limit > 0 && static_cast<double>(lane.scratch->resident_bytes()) >
                                         kNearLimit * static_cast<double>(limit);
  const std::shared_ptr<document::Document> document = lane.scratch->document();
  attempt.report.header_reused = has_loaded(*document, header) && !is_large && !deaths.unexplained;
  if (!attempt.report.header_reused) {
    const End end = co_await load_header(lane, item, header, attempt);
    if (end != End::Judged || attempt.decided) co_return end;
  }
  deaths.explain(attempt.server_starts);
  if (deaths.prove_crash()) {
    attempt.report.verdict = Verdict::Crash;
    co_return End::Judged;
  }

  std::optional<CpuTime> before;
  if (lane.remains) before = co_await cpu_time(lane.remains->worker);
  const auto started = io::Clock::now();
  const io::CancelScope scope(time_of(item), cancel_);
  attempt.given = true;
  lane.scratch->set_text(item.text);
  const auto known = co_await lane.scratch->handle().wait_until_done(scope);
  if (!known) co_return how_lost(lane, attempt, known.error());
  describe(lane, attempt.report);
  End end = End::Judged;
  if (*known == document::WaitOutcome::Partial)
    attempt.report.verdict = Verdict::Timeout;
  else
    end = co_await conclude(lane, item, attempt, scope);
  attempt.report.ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(io::Clock::now() - started).count();
  if (end != End::Judged) co_return end;
  if (attempt.report.verdict == Verdict::Timeout && before) {
    const auto after = co_await cpu_time(lane.remains->worker);
    if (after && cores_used(*before, *after) > kCoresOfOne) {
      renew(lane);
      co_return End::Disturbed;
    }
  }
  if (lane.scratch->document()->state.open() && !lane.scratch->document()->state.done())
    co_await recover(lane, item, header);
  else if (runs_programs(item))
    renew(lane);
  else if (lane.remains && io::Clock::now() >= lane.remains->next_look)
    co_await look_at_remains(lane);
  co_return End::Judged;
}

// Acquires a scratch document, preferably the one that the lane has. Judged: it has one.
asio::awaitable<Runner::End> Runner::acquire(Lane& lane, const Item& item) {
  const bool is_current = lane.remains || io::Clock::now() - lane.acquired < options_.lease;
  const bool keeps = is_current && lane.scratch && lane.file == item.file &&
                     has_loaded(*lane.scratch->document(), header_key(item).header);
  if (keeps) co_return End::Judged;
  co_await settle(lane);
  lane.scratch.reset();
  auto scratch =
      co_await store_->scratch()->acquire(item.text, io::CancelScope(options_.patience, cancel_), item.file);
  if (scratch) {
    was_ready_ = true;
    down_since_.reset();
    lane.scratch.emplace(std::move(*scratch));
    lane.file = item.file;
    lane.acquired = io::Clock::now();
    co_return End::Judged;
  }
  const Error& error = scratch.error();
  if (error.kind == ErrorKind::Cancelled) co_return End::Cancelled;
  if (error.kind == ErrorKind::Timeout) co_return End::NoWorker;
  if (!down_since_) down_since_ = io::Clock::now();
  if (!was_ready_ || io::Clock::now() - *down_since_ > kMaxDownTime) fail_with(error);
  co_return End::Unavailable;
}

// On a new worker, the time for loading the imports does not count as the item's.
asio::awaitable<Runner::End> Runner::load_header(Lane& lane, const Item& item, const std::string& header,
                                                 Attempt& attempt) {
  ++loads_;
  attempt.fresh = true;
  renew(lane);
  lane.scratch->set_text(header);
  const io::CancelScope scope(options_.header_limit, cancel_);
  const auto known = co_await lane.scratch->handle().wait_until_done(scope);
  if (!known) co_return how_lost(lane, attempt, known.error());
  if (*known == document::WaitOutcome::Complete && !lane.scratch->document()->state.header_failed())
    co_return End::Judged;
  attempt.decided = true;
  describe(lane, attempt.report);
  if (*known == document::WaitOutcome::Complete) {
    auto fault = lean::read_header_fault(lane.scratch->document()->state.diagnostics());
    attempt.report.verdict = fault.elsewhere ? Verdict::NotReached : Verdict::Error;
    attempt.report.reason = fault.elsewhere ? std::move(fault.why) : "Lean could not load the imports.";
    if (fault.elsewhere) attempt.report.diagnostics.clear();  // Lake's log, which is about other files
    co_return End::Judged;
  }
  attempt.report.verdict = Verdict::Timeout;
  attempt.report.reason =
      "The imports were not loaded in " +
      std::to_string(std::chrono::duration_cast<std::chrono::seconds>(options_.header_limit).count()) + " s.";
  renew(lane);
  co_return End::Judged;
}

void Runner::describe(const Lane& lane, Report& report) const {
  const document::DocumentState& state = lane.scratch->document()->state;
  ShownMessages shown = shown_messages(state.text(), state.diagnostics());
  report.diagnostics = std::move(shown.messages);
  if (shown.left_out > 0) report.left_out = shown.left_out;
}

// Decides the verdict on a text that is elaborated.
asio::awaitable<Runner::End> Runner::conclude(Lane& lane, const Item& item, Attempt& attempt,
                                              io::CancelScope scope) {
  const auto& diagnostics = lane.scratch->document()->state.diagnostics();
  Report& report = attempt.report;
  report.verdict = Verdict::Ok;
  if (std::ranges::any_of(diagnostics, lean::reports_sorry)) report.verdict = Verdict::Sorry;
  if (std::ranges::any_of(diagnostics, &lean::Diagnostic::is_error) ||
      lane.scratch->document()->state.header_failed())
    report.verdict = Verdict::Error;
  if (report.verdict != Verdict::Ok) {
    if (options_.goals) report.goals = co_await goals_of(lane, scope);
    co_return End::Judged;
  }
  if (!declares_theorem(item)) {
    report.verdict = Verdict::Error;
    report.reason = "The text does not declare " + item.theorem + ".";
    co_return End::Judged;
  }
  if (const End end = co_await scrutinise(lane, item, attempt); end != End::Judged) co_return end;
  if (report.verdict != Verdict::Ok) co_return End::Judged;
  // The probe gets the time limit of a separate item: scrutiny may have used up the item's own.
  co_return co_await probe(lane, item, attempt, io::CancelScope(time_of(item), cancel_));
}

asio::awaitable<Runner::End> Runner::scrutinise(Lane& lane, const Item& item, Attempt& attempt) {
  Report& report = attempt.report;
  const io::CancelScope scope(time_of(item) + kScrutinyAllowance, cancel_);
  const auto found = co_await examiners_.scrutinise(lane.scratch->handle(), item, scope);
  if (!found && found.error().kind == ErrorKind::Cancelled) co_return End::Cancelled;
  if (!found && !lane.scratch->document()->state.open()) co_return how_lost(lane, attempt, found.error());
  if (!found) {
    report.verdict = Verdict::Error;
    report.reason = "Whether it has a sorry is not known: " + found.error().message;
    co_return End::Judged;
  }
  if (found->finding == Scrutiny::Finding::Sorry) report.verdict = Verdict::Sorry;
  if (found->finding == Scrutiny::Finding::Unknown)
    report.verdict = found->timed_out ? Verdict::Timeout : Verdict::Error;
  if (found->finding != Scrutiny::Finding::Nothing) report.reason = found->reason;
  if (report.verdict != Verdict::Ok || !options_.axioms || found->commands_suffice) co_return End::Judged;
  report.axioms = wire::Nullable<std::vector<std::string>>();
  auto axioms = co_await examiners_.compiled_axioms(store_, item, scope);
  if (!axioms && axioms.error().kind == ErrorKind::Cancelled) co_return End::Cancelled;
  if (axioms && axioms->names)
    report.axioms = wire::Nullable<std::vector<std::string>>(std::move(*axioms->names));
  else
    report.axioms_reason = axioms ? axioms->why_not : axioms.error().message;
  co_return End::Judged;
}

// Asks by commands below the text.
asio::awaitable<Runner::End> Runner::probe(Lane& lane, const Item& item, Attempt& attempt,
                                           io::CancelScope scope) {
  Report& report = attempt.report;
  const bool wants_axioms = options_.axioms && !report.axioms;
  const Probe probe(item, wants_axioms);
  if (probe.asks_anything()) {
    lane.scratch->set_text(probe.text());
    const auto known = co_await lane.scratch->handle().wait_until_done(scope);
    if (!known) co_return how_lost(lane, attempt, known.error());
    if (*known == document::WaitOutcome::Partial) {
      report.verdict = Verdict::Timeout;
      report.reason = "Lean accepts the text, but did not answer about " +
                      (item.theorem.empty() ? "its theorems" : item.theorem) + " in time.";
      co_return End::Judged;
    }
  }
  const auto& diagnostics = lane.scratch->document()->state.diagnostics();
  if (const auto objection = probe.objection(diagnostics)) {
    report.verdict = Verdict::Error;
    report.reason = item.theorem + " does not prove the statement: " + *objection;
    report.axioms.reset();
    report.axioms_reason.reset();
    co_return End::Judged;
  }
  if (!wants_axioms) co_return End::Judged;
  Axioms axioms = probe.axioms(diagnostics);
  report.axioms = wire::Nullable<std::vector<std::string>>(std::move(axioms.names));
  if (!*report.axioms) report.axioms_reason = std::move(axioms.why_not);
  co_return End::Judged;
}

// The goals that Lean names, or else the goals at the first error or sorry.
asio::awaitable<std::vector<std::string>> Runner::goals_of(Lane& lane, io::CancelScope scope) {
  const document::DocumentHandle handle = lane.scratch->handle();
  const auto& diagnostics = handle.state().diagnostics();
  std::vector<std::string> goals = unsolved_goals(diagnostics);
  if (!goals.empty()) co_return goals;
  std::optional<std::size_t> place = text::find_missing_proof(handle.text().str());
  for (const lean::Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == lean::Severity::Error) {
      place = handle.text().offset_at(diagnostic.range.start);
      break;
    }
  if (!place) co_return goals;
  const auto answer =
      co_await handle.request_at("$/lean/plainGoal", handle.anchor(*place), scope.with_timeout(kGoalsLimit));
  if (!answer || !answer->value.is_object()) co_return goals;
  const auto list = answer->value.find("goals");
  if (list == answer->value.end() || !list->is_array()) co_return goals;
  for (const nlohmann::json& goal : *list)
    if (goal.is_string() && goals.size() < kMaxGoals) goals.push_back(goal.get<std::string>());
  co_return goals;
}

// --- when something goes wrong

// After an item that ran out of time: takes the worker back if it stops working on the item, otherwise
// replaces it. Lean may need a second to notice and to free the item's memory; the next item begins
// meanwhile.
asio::awaitable<void> Runner::recover(Lane& lane, const Item& item, const std::string& header) {
  // A program may go on in ways that cannot be observed here.
  if (runs_programs(item)) {
    renew(lane);
    co_return;
  }
  const bool again = lane.remains.has_value();
  const int worker = co_await find_worker(lane);
  const bool computed = co_await is_computing(worker) == Computing::Yes;
  lane.scratch->abandon_text();
  lane.scratch->set_text(header);
  const auto known = co_await lane.scratch->handle().wait_until_done(io::CancelScope(kAnswerLimit, cancel_));
  if (!known || *known != document::WaitOutcome::Complete) {
    renew(lane);
    co_return;
  }
  const auto now = io::Clock::now();
  lane.remains = Remains{worker, computed, now + options_.quiet_limit, now + kLookPause};
  // Only one item may leave remains at a time, since those of several could not be told apart.
  if (again || !computed) co_await settle(lane);
}

// Forgets the remains of an item if the worker computes nothing now; replaces a worker that did not stop in
// time.
asio::awaitable<void> Runner::look_at_remains(Lane& lane) {
  const auto enough = io::Clock::now() + kLookTime;
  Computing computing = Computing::Yes;
  while (computing == Computing::Yes && io::Clock::now() < enough && !cancel_->cancelled())
    computing = co_await is_computing(lane.remains->worker);
  const auto now = io::Clock::now();
  if (computing == Computing::Yes && now < lane.remains->until && !cancel_->cancelled()) {
    lane.remains->next_look = now + kLookPause;
    co_return;
  }
  // An item that computed and has stopped was cancelled. An item that only waited (`sleep`) may still hold a
  // thread.
  if (computing != Computing::Yes && lane.remains->computed) lane.scratch->recovered();
  if (computing == Computing::Yes || lane.scratch->needs_restart())
    renew(lane);
  else
    lane.remains.reset();
}

// Waits until there are no remains.
asio::awaitable<void> Runner::settle(Lane& lane) {
  while (lane.remains && lane.scratch) co_await look_at_remains(lane);
}

void Runner::renew(Lane& lane) {
  lane.remains.reset();
  lane.scratch->renew();
}

// The process of the lane's worker; 0 if there is none.
asio::awaitable<int> Runner::find_worker(const Lane& lane) {
  const auto find = [find = options_.worker_of, server = store_->server().pid(),
                     uri = lane.scratch->document()->uri]() -> Result<int> { return find(server, uri); };
  co_return (co_await pool_.run(find, io::CancelScope(kLookLimit, cancel_))).value_or(0);
}

// nullopt: it is unknown.
asio::awaitable<std::optional<Runner::CpuTime>> Runner::cpu_time(int worker) {
  const auto look = [see = options_.cpu_seconds, worker]() -> Result<CpuTime> {
    return CpuTime{see(worker), io::Clock::now()};
  };
  if (worker <= 0) co_return std::nullopt;
  const auto seen = co_await pool_.run(look, io::CancelScope(kLookLimit, cancel_));
  if (!seen || seen->seconds < 0) co_return std::nullopt;
  co_return *seen;
}

// Infinite if a thread has ended in between, since its time is missing.
double Runner::cores_used(const CpuTime& before, const CpuTime& after) {
  const double used = after.seconds - before.seconds;
  if (used < 0) return std::numeric_limits<double>::infinity();
  return used / std::chrono::duration<double>(after.at - before.at).count();
}

// Whether the worker uses most of a core over a short time.
asio::awaitable<Runner::Computing> Runner::is_computing(int worker) {
  const auto before = co_await cpu_time(worker);
  if (!before) co_return Computing::Unknown;
  const io::CancelScope scope(kLookLimit, cancel_);
  if (co_await io::sleep_for(options_.cpu_window, scope) == io::WaitStatus::Cancelled)
    co_return Computing::Unknown;
  const auto after = co_await cpu_time(worker);
  if (!after) co_return Computing::Unknown;
  co_return cores_used(*before, *after) < kBusyShare ? Computing::No : Computing::Yes;
}

Runner::End Runner::how_lost(const Lane& lane, const Attempt& attempt, const Error& error) const {
  if (error.kind == ErrorKind::Cancelled && cancel_->cancelled()) return End::Cancelled;
  if (lane.scratch->evicted_for_memory()) return End::TooLarge;
  const lean::Server& server = store_->server();
  const bool same_server =
      server.state() == lean::Server::State::Ready && server.starts() == attempt.server_starts;
  return same_server && attempt.given ? End::WorkerDied : End::ServerDied;
}

io::Clock::duration Runner::time_of(const Item& item) const {
  if (!item.timeout_s) return options_.timeout;
  return io::to_duration(*item.timeout_s);
}

namespace {

using End = io::OneShot<Result<void>>;

asio::awaitable<void> run_to_end(std::shared_ptr<Runner> runner, std::shared_ptr<io::CancelSource> cancel,
                                 std::shared_ptr<End> end) {
  end->set(co_await runner->run(std::move(cancel)));
}

}  // namespace

asio::awaitable<Result<void>> judge(std::shared_ptr<Runner> runner, std::vector<Item> items,
                                    io::CancelScope scope) {
  constexpr auto kStopLimit = std::chrono::seconds(10);
  for (Item& item : items) runner->add(std::move(item));
  runner->close();
  const auto cancel = std::make_shared<io::CancelSource>();
  cancel->client = scope.cancel->client;
  const auto end = std::make_shared<End>();
  io::spawn(co_await asio::this_coro::executor, run_to_end(std::move(runner), cancel, end));
  const io::WaitStatus status = co_await end->wait(std::move(scope));
  cancel->cancel();
  co_await end->wait(io::CancelScope(kStopLimit));
  if (status == io::WaitStatus::Cancelled) co_return call_cancelled();
  if (end->has_value()) co_return end->take();
  co_return Result<void>();
}

}  // namespace leanbridge::batch

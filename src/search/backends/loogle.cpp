// Loogle, the service and the local program: searches by constants, parts of names, and type patterns.

#include "leanbridge/base/json.hpp"
#include "leanbridge/io/child_process.hpp"
#include "leanbridge/text/untrusted.hpp"

#include "remote.hpp"
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <deque>
#include <string>

namespace leanbridge::search {

using nlohmann::json;

namespace {

// --- queries and answers, the same for both

// The service reports crashes of its worker in the field for query errors. Query errors come from Lean and
// start with neither of these.
bool is_crash(const std::string& error) {
  return error.starts_with("Backend ") || error.starts_with("The backend process ");
}

Outcome<Found> read_loogle_answer(const json& body, const Question& question, const std::string& title) {
  if (!body.is_object()) return tl::unexpected(wrong_shape(title, "an object"));
  if (body.contains("error")) {
    const std::string error = text_member(body, "error");
    if (is_crash(error))
      return tl::unexpected(problem(Failure::Unavailable, title + " crashed: " + one_line(error)));
    Problem invalid = problem(Failure::Invalid, title + " rejected the query: " + one_line(error, 1000));
    invalid.suggestions = strings(body, "suggestions");
    return tl::unexpected(std::move(invalid));
  }
  if (body.empty()) return tl::unexpected(problem(Failure::Invalid, "The query for " + title + " is empty."));
  const auto hits = body.find("hits");
  if (hits == body.end() || !hits->is_array()) return tl::unexpected(wrong_shape(title, "a list \"hits\""));
  Found found;
  for (const json& item : *hits) found.hits.push_back(read_hit(item));
  if (const auto count = number(body, "count"); count && *count >= 0)
    found.total = static_cast<std::size_t>(*count);
  found.suggestions = strings(body, "suggestions");
  found.note = one_line(text_member(body, "header"));
  narrow(found, question);
  return found;
}

/// The query on one line, since a line break would end it, and without `#find`, which people copy along.
std::string loogle_query(std::string_view text) {
  std::string query;
  for (const char c : text) query += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  query.erase(0, query.find_first_not_of(' '));
  if (query.starts_with("#find ")) query.erase(0, 6);
  query.erase(0, query.find_first_not_of(' '));
  while (query.ends_with(' ')) query.pop_back();
  return query;
}

// --- the service

class Loogle final : public RemoteBackend {
 public:
  Loogle(Network network, const Config& config)
      : RemoteBackend("loogle", {network, "Loogle", config.loogle, config.offline}) {}

  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override {
    const std::string query = loogle_query(question.text);
    if (query.empty()) co_return tl::unexpected(problem(Failure::Invalid, "The query for Loogle is empty."));
    const std::string url = remote_.url() + "?q=" + http::percent_encode(query);
    CO_ASK(const auto body, co_await remote_.get(url, std::move(scope)));
    co_return read_loogle_answer(body, question, remote_.title());
  }
};

// --- the local program

/// A process of the local `loogle`: it prints a greeting, then answers each line with a line.
class LoogleProcess {
 public:
  enum class State { Starting, Ready, Ended };

  /// If it cannot be started, it is Ended at once.
  static std::shared_ptr<LoogleProcess> start(asio::io_context& context, io::ChildCommand command);
  ~LoogleProcess() { kill(); }

  State state() const { return state_; }
  /// Why it ended.
  const std::string& reason() const { return reason_; }

  void send(const std::string& line) { child_->input().send(line + "\n"); }
  bool has_line() const { return !lines_.empty(); }
  std::string take_line();
  /// Kills its process tree.
  void kill();

  io::Condition changed;

 private:
  LoogleProcess() = default;
  bool receive(std::string_view bytes);
  void end(std::string reason);

  std::shared_ptr<io::ChildProcess> child_;
  State state_ = State::Starting;
  std::string reason_;
  std::string unfinished_;
  std::deque<std::string> lines_;
};

constexpr std::string_view kGreeting = "Loogle is ready.";
constexpr std::size_t kMaxLine = 16u << 20;  // bytes
constexpr std::size_t kMaxReason = 300;      // bytes

std::shared_ptr<LoogleProcess> LoogleProcess::start(asio::io_context& context, io::ChildCommand command) {
  std::shared_ptr<LoogleProcess> process(new LoogleProcess);
  io::ChildProcess::Events events;
  // This object owns the child, which calls nothing after its release.
  LoogleProcess* const self = process.get();
  events.on_stdout = [self](std::string_view bytes) { return self->receive(bytes); };
  events.on_stdout_end = [self] { self->end("it closed its output"); };
  events.on_exit = [self](int code) { self->end("it exited with code " + std::to_string(code)); };
  auto child = io::ChildProcess::spawn(context, std::move(command), std::move(events));
  if (child)
    process->child_ = std::move(*child);
  else
    process->end(child.error().message);
  return process;
}

bool LoogleProcess::receive(std::string_view bytes) {
  unfinished_.append(bytes);
  for (std::size_t end = unfinished_.find('\n'); end != std::string::npos; end = unfinished_.find('\n')) {
    std::string line = unfinished_.substr(0, end);
    unfinished_.erase(0, end + 1);
    if (state_ != State::Starting)
      lines_.push_back(std::move(line));
    else if (line.find(kGreeting) != std::string::npos)
      state_ = State::Ready;
    // Lake may print before the greeting.
  }
  if (unfinished_.size() > kMaxLine) {
    end("it printed an endless line");
    return false;
  }
  changed.notify_all();
  return true;
}

std::string LoogleProcess::take_line() {
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

void LoogleProcess::kill() {
  if (child_) child_->terminate();
  end("it was killed");
}

void LoogleProcess::end(std::string reason) {
  if (state_ == State::Ended) return;
  state_ = State::Ended;
  reason_ = std::move(reason);
  if (child_) {
    std::string last = child_->stderr_tail();
    while (last.ends_with('\n')) last.pop_back();
    last.erase(0, last.rfind('\n') + 1);
    if (!last.empty()) reason_ += ": " + last.substr(0, kMaxReason);
    child_->terminate();
  }
  changed.notify_all();
}

// It answers one question at a time. Starting it takes minutes and gigabytes, so an abandoned question does
// not kill it: the answer is awaited in the background and dropped.

constexpr const char* kTitle = "The local Loogle";

/// Outlives its backend while a coroutine uses it.
struct Shared {
  asio::io_context& context;
  LocalLoogle config;
  LocalLoogleStart start;
  std::chrono::milliseconds patience;
  std::shared_ptr<LoogleProcess> process = nullptr;
  bool busy = false;  // a question is pending, or its answer must still be dropped
  io::Condition free = {};
  bool closed = false;  // the backend is gone: start nothing

  void release() {
    busy = false;
    free.notify_all();
  }
};
using SharedPtr = std::shared_ptr<Shared>;

io::ChildCommand command_of(const Shared& shared) {
  const LocalLoogle& config = shared.config;
  io::ChildCommand command;
  command.argv = {shared.start.lake, "env", config.program, "--interactive", "--json"};
  const auto add = [&](std::initializer_list<std::string> words) {
    command.argv.insert(command.argv.end(), words);
  };
  if (!config.module.empty()) add({"--module", config.module});
  if (!config.index.empty()) {
    if (config.old_flags)
      add({"--read-index", config.index.string()});
    else
      add({"--index-mode", "use", "--index-file", config.index.string()});
  }
  command.directory = shared.start.project;
  command.environment = shared.start.environment;
  return command;
}

// Kills a process that does not become ready in time.
asio::awaitable<void> watch_start(SharedPtr shared, std::shared_ptr<LoogleProcess> process) {
  const io::CancelScope scope(shared->config.start_timeout);
  co_await io::wait_until(process->changed, scope,
                          [&] { return process->state() != LoogleProcess::State::Starting; });
  if (process->state() == LoogleProcess::State::Starting) process->kill();
}

asio::awaitable<void> drop_answer(SharedPtr shared, std::shared_ptr<LoogleProcess> process,
                                  io::Clock::time_point until) {
  const io::CancelScope scope(until - io::Clock::now());
  co_await io::wait_until(process->changed, scope, [&] {
    return process->has_line() || process->state() == LoogleProcess::State::Ended;
  });
  if (process->has_line())
    process->take_line();
  else
    process->kill();
  shared->release();
}

Problem gave_up(io::WaitStatus end, const std::string& what) {
  if (end == io::WaitStatus::Cancelled) return problem(Failure::Cancelled, "The call was cancelled.");
  return problem(Failure::Timeout, std::string(kTitle) + " " + what);
}

asio::awaitable<Outcome<std::shared_ptr<LoogleProcess>>> ready_process(SharedPtr shared,
                                                                       io::CancelScope scope) {
  if (!shared->process || shared->process->state() == LoogleProcess::State::Ended) {
    shared->process = LoogleProcess::start(shared->context, command_of(*shared));
    auto watch = watch_start(shared, shared->process);
    io::spawn(shared->context, std::move(watch));
  }
  const std::shared_ptr<LoogleProcess> process = shared->process;
  const io::WaitStatus end =
      co_await io::wait_until(process->changed, scope.with_timeout(shared->patience),
                              [&] { return process->state() != LoogleProcess::State::Starting; });
  if (process->state() == LoogleProcess::State::Ready) co_return process;
  if (process->state() == LoogleProcess::State::Ended)
    co_return tl::unexpected(problem(
        Failure::Unavailable, std::string(kTitle) + " did not start: " + one_line(process->reason()) + ".",
        "Build it with the project's toolchain; see loogle.local in docs/search.md."));
  if (end == io::WaitStatus::Cancelled) co_return tl::unexpected(gave_up(end, ""));
  Problem starting =
      problem(Failure::Unavailable, std::string(kTitle) + " is starting, which may take minutes.");
  starting.retry_after = std::chrono::seconds(5);
  co_return tl::unexpected(std::move(starting));
}

// Releases `busy` however the coroutine ends.
struct Turn {
  SharedPtr shared;
  explicit Turn(SharedPtr of) : shared(std::move(of)) { shared->busy = true; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (shared) shared->release();
  }
};

asio::awaitable<Outcome<json>> exchange(SharedPtr shared, std::string query, io::CancelScope scope) {
  const io::WaitStatus turn = co_await io::wait_until(shared->free, scope, [&] { return !shared->busy; });
  if (shared->closed) co_return tl::unexpected(problem(Failure::Cancelled, "leanbridge is shutting down."));
  if (turn != io::WaitStatus::Ready) co_return tl::unexpected(gave_up(turn, "is busy with other queries."));
  Turn mine(shared);
  CO_ASK(const std::shared_ptr<LoogleProcess> process, co_await ready_process(shared, scope));
  const auto until = io::Clock::now() + shared->config.timeout;
  process->send(query);
  const io::WaitStatus end = co_await io::wait_until(
      process->changed, scope.with_timeout(shared->config.timeout),
      [&] { return process->has_line() || process->state() == LoogleProcess::State::Ended; });
  if (process->has_line()) {
    json answer = text::cleaned_json(read_json(process->take_line()));
    // Several lines, or one that is not JSON: questions and answers are out of step.
    if (!answer.is_object() || process->has_line()) {
      process->kill();
      co_return tl::unexpected(
          problem(Failure::Unavailable, std::string(kTitle) + " returned malformed output; restarting it."));
    }
    co_return answer;
  }
  if (process->state() == LoogleProcess::State::Ended)
    co_return tl::unexpected(problem(Failure::Unavailable,
                                     std::string(kTitle) + " crashed: " + one_line(process->reason()) + "."));
  mine.shared.reset();  // drop_answer() releases it
  auto drop = drop_answer(shared, process, until);
  io::spawn(shared->context, std::move(drop));
  co_return tl::unexpected(gave_up(end, "did not answer in time."));
}

class LoogleProgram final : public Backend {
 public:
  explicit LoogleProgram(SharedPtr shared) : shared_(std::move(shared)) {}
  ~LoogleProgram() override {
    shared_->closed = true;
    if (shared_->process) shared_->process->kill();
  }
  std::string_view name() const override { return "loogle_local"; }
  std::string identity() const override {
    const LocalLoogle& config = shared_->config;
    return config.program + " " + config.module + " " + shared_->start.project.string();
  }
  bool remote() const override { return false; }
  std::optional<std::string> disabled_because() const override {
    if (shared_->config.program.empty()) return "No loogle program is configured (loogle.local).";
    if (shared_->start.project.empty()) return "There is no project whose packages it could search.";
    return std::nullopt;
  }

  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override {
    if (auto why = disabled_because())
      co_return tl::unexpected(problem(Failure::Unavailable, std::move(*why)));
    std::string query = loogle_query(question.text);
    if (query.empty())
      co_return tl::unexpected(problem(Failure::Invalid, std::string(kTitle) + " was asked an empty query."));
    CO_ASK(const auto body, co_await exchange(shared_, std::move(query), std::move(scope)));
    co_return read_loogle_answer(body, question, kTitle);
  }

 private:
  SharedPtr shared_;
};

}  // namespace

std::unique_ptr<Backend> make_loogle(Network network, const Config& config) {
  return std::make_unique<Loogle>(network, config);
}

std::unique_ptr<Backend> make_local_loogle(asio::io_context& context, const Config& config,
                                           LocalLoogleStart start, std::chrono::milliseconds patience) {
  auto shared = std::make_shared<Shared>(Shared{context, config.local_loogle, std::move(start), patience});
  return std::make_unique<LoogleProgram>(std::move(shared));
}

}  // namespace leanbridge::search

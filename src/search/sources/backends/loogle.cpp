// Loogle, the service and the local program: searches by constants, parts of names, and type patterns.

#include "core/base/ascii.hpp"
#include "core/base/json.hpp"
#include "core/base/percent.hpp"
#include "core/io/child_process.hpp"
#include "core/io/one_shot.hpp"
#include "core/text/untrusted.hpp"
#include "remote.hpp"

#include <algorithm>
#include <memory>
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
    invalid.suggestions = strings(member(body, "suggestions"));
    return tl::unexpected(std::move(invalid));
  }
  if (body.empty()) return tl::unexpected(problem(Failure::Invalid, "The query for " + title + " is empty."));
  auto found = read_answer(body, question, title);
  if (!found) return found;
  if (const auto count = number(body, "count"); count && *count >= 0)
    found->total = static_cast<std::size_t>(*count);
  found->suggestions = strings(member(body, "suggestions"));
  found->note = one_line(text_member(body, "header"));
  return found;
}

/// The query on one line, since a line break would end it, and without `#find`, which people tend to copy
/// with it.
Outcome<std::string> loogle_query(std::string text, const std::string& title) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 32; }, ' ');
  std::string_view query = trimmed(text);
  if (query.starts_with("#find ")) query = trimmed(query.substr(6));
  if (query.empty())
    return tl::unexpected(problem(Failure::Invalid, "The query for " + title + " is empty."));
  return std::string(query);
}

// --- the service

class Loogle final : public RemoteBackend<Backend> {
 public:
  Loogle(Network network, const Config& config)
      : RemoteBackend("loogle", Remote(network, "Loogle", config.loogle, config.offline)) {}

  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override {
    CO_ASK(const auto query, loogle_query(question.text, remote_.title()));
    const std::string url = remote_.url() + "?q=" + percent_encoded(query);
    CO_ASK(const auto body, co_await remote_.get(url, std::move(scope)));
    co_return read_loogle_answer(body, question, remote_.title());
  }
};

// --- the local program

constexpr const char* kTitle = "The local Loogle";

tl::unexpected<Problem> local_problem(Failure failure, const std::string& what) {
  return tl::unexpected(problem(failure, std::string(kTitle) + " " + what));
}

constexpr std::size_t kMaxLine = 16u << 20;  // bytes
constexpr std::size_t kMaxReason = 300;      // bytes

/// A process of the local `loogle`: it prints a greeting, then answers each line with a line.
struct LoogleProcess {
  enum class State { Starting, Ready, Ended };

  /// If the process cannot be started, it is Ended at once.
  LoogleProcess(asio::io_context& context, io::ChildCommand command) {
    io::ChildProcess::Events events;
    // This object owns the child, which makes no calls after its release.
    events.on_stdout = [this](std::string_view bytes) { return receive(bytes); };
    events.on_stdout_end = [this] { end("it closed its output"); };
    events.on_exit = [this](int code) { end("it exited with code " + std::to_string(code)); };
    auto started = io::ChildProcess::spawn(context, std::move(command), std::move(events));
    if (started)
      child = std::move(*started);
    else
      end(started.error().message);
  }
  ~LoogleProcess() { end("it was killed"); }
  LoogleProcess(const LoogleProcess&) = delete;
  LoogleProcess& operator=(const LoogleProcess&) = delete;

  bool receive(std::string_view bytes) {
    for (std::size_t size = 0; (size = bytes.find('\n')) != bytes.npos; bytes.remove_prefix(size + 1)) {
      unfinished.append(bytes.substr(0, size));
      std::string line = std::exchange(unfinished, {});
      if (state != State::Starting)
        lines.push_back(std::move(line));
      else if (line.find("Loogle is ready.") != std::string::npos)  // Lake may print text before it
        state = State::Ready;
    }
    unfinished.append(bytes);
    if (unfinished.size() > kMaxLine) end("it printed an endless line");
    changed.notify_all();
    return state != State::Ended;
  }

  /// Ends its process tree.
  void end(std::string why) {
    if (state == State::Ended) return;
    state = State::Ended;
    reason = std::move(why);
    if (child) {
      const std::string errors = child->stderr_tail();
      const std::string_view all = trimmed(errors), last = all.substr(all.rfind('\n') + 1);
      if (!last.empty()) reason.append(": ").append(last.substr(0, kMaxReason));
      child->terminate();
    }
    changed.notify_all();
  }

  bool has_said_something() const { return !lines.empty() || state == State::Ended; }

  State state = State::Starting;
  std::string reason;  ///< why it ended
  std::vector<std::string> lines;
  std::string unfinished;  ///< an incomplete line
  std::shared_ptr<io::ChildProcess> child;
  io::Condition changed;
};

/// Outlives its backend as long as a coroutine uses it.
struct LocalState {
  asio::io_context& context;
  LocalLoogle config;
  LocalLoogleStart start;
  std::chrono::milliseconds patience;
  std::shared_ptr<LoogleProcess> process = nullptr;
  bool busy = false;  ///< a question is pending
  io::Condition free = {};
  bool closed = false;  ///< the backend is gone, so nothing may be started
};
using StatePtr = std::shared_ptr<LocalState>;

io::ChildCommand command_of(const LocalState& state) {
  const LocalLoogle& config = state.config;
  std::vector<std::string> argv = {state.start.lake, "env", config.program, "--interactive", "--json"};
  if (!config.module.empty()) argv.insert(argv.end(), {"--module", config.module});
  if (!config.index.empty())
    argv.insert(argv.end(), {"--index-mode", "use", "--index-file", config.index.string()});
  return {std::move(argv), state.start.project, state.start.environment};
}

// Ends a process that does not become ready in time.
asio::awaitable<void> watch_start(std::shared_ptr<LoogleProcess> process, io::CancelScope scope) {
  const auto started = [&] { return process->state != LoogleProcess::State::Starting; };
  if (co_await io::wait_until(process->changed, scope, started) != io::WaitStatus::Ready)
    process->end("it did not start in time");
}

asio::awaitable<Outcome<std::shared_ptr<LoogleProcess>>> ready_process(StatePtr state) {
  using State = LoogleProcess::State;
  if (!state->process || state->process->state == State::Ended) {
    state->process = std::make_shared<LoogleProcess>(state->context, command_of(*state));
    io::spawn(state->context, watch_start(state->process, io::CancelScope(state->config.start_timeout)));
  }
  const std::shared_ptr<LoogleProcess> process = state->process;
  co_await io::wait_until(process->changed, io::CancelScope(state->patience),
                          [&] { return process->state != State::Starting; });
  if (process->state == State::Ready) co_return process;
  if (process->state == State::Ended)
    co_return local_problem(Failure::Unavailable, "did not start: " + one_line(process->reason) +
                                                      ". Build it with the project's toolchain.");
  auto starting = local_problem(Failure::Unavailable, "is starting, which may take minutes.");
  starting.value().retry_after = std::chrono::seconds(5);
  co_return starting;
}

asio::awaitable<Outcome<json>> exchange(StatePtr state, std::string query) {
  CO_ASK(const std::shared_ptr<LoogleProcess> process, co_await ready_process(state));
  process->child->input().send(query + "\n");
  co_await io::wait_until(process->changed, io::CancelScope(state->config.timeout),
                          [&] { return process->has_said_something(); });
  const auto lines = std::exchange(process->lines, {});
  if (lines.empty()) {
    if (process->state == LoogleProcess::State::Ended)
      co_return local_problem(Failure::Unavailable, "crashed: " + one_line(process->reason) + ".");
    process->end("it did not answer in time");
    co_return local_problem(Failure::Timeout, "did not answer in time.");
  }
  json answer = text::cleaned_json(read_json(lines.front()));
  if (lines.size() == 1 && answer.is_object()) co_return answer;
  // Several lines, or a line that is not JSON: questions and answers no longer correspond.
  process->end("it was out of step");
  co_return local_problem(Failure::Unavailable, "returned malformed output; restarting it.");
}

// It answers one question at a time. Starting it takes minutes and gigabytes, so it is kept when a question
// is given up: its answer is awaited all the same, and dropped.
using Answer = io::OneShot<Outcome<json>>;
asio::awaitable<void> take_turn(StatePtr state, std::string query, std::weak_ptr<Answer> wanted,
                                io::CancelScope scope) {
  co_await io::wait_until(state->free, scope, [&] { return !state->busy; });
  if (state->busy || wanted.expired()) co_return;
  Outcome<json> answer = tl::unexpected(problem(Failure::Cancelled, "leanbridge is shutting down."));
  if (!state->closed) {
    state->busy = true;
    answer = co_await exchange(state, std::move(query));
    state->busy = false;
    state->free.notify_all();
  }
  if (const auto waiting = wanted.lock()) waiting->set(std::move(answer));
}

class LoogleProgram final : public Backend {
 public:
  explicit LoogleProgram(StatePtr state) : state_(std::move(state)) {}
  ~LoogleProgram() override {
    state_->closed = true;
    if (state_->process) state_->process->end("it was killed");
  }
  std::string_view name() const override { return "loogle_local"; }
  std::string identity() const override {
    const LocalLoogle& config = state_->config;
    return config.program + " " + config.module + " " + state_->start.project.string();
  }
  bool remote() const override { return false; }
  std::optional<Problem> disabled_because() const override {
    if (state_->config.program.empty())
      return problem(Failure::Disabled, "No loogle program is configured (loogle.local).");
    if (state_->start.project.empty())
      return problem(Failure::Disabled, "There is no project whose packages it could search.");
    return std::nullopt;
  }

  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override {
    if (auto why = disabled_because()) co_return tl::unexpected(std::move(*why));
    CO_ASK(auto query, loogle_query(question.text, kTitle));
    const auto answer = std::make_shared<Answer>();
    const io::CancelScope until_deadline(scope.deadline - io::Clock::now());
    io::spawn(state_->context, take_turn(state_, std::move(query), answer, until_deadline));
    const io::WaitStatus end = co_await answer->wait(scope);
    if (end == io::WaitStatus::Cancelled) co_return local_problem(Failure::Cancelled, "was not waited for.");
    if (end == io::WaitStatus::TimedOut) co_return local_problem(Failure::Timeout, "did not answer in time.");
    CO_ASK(const auto body, answer->take());
    co_return read_loogle_answer(body, question, kTitle);
  }

 private:
  StatePtr state_;
};

}  // namespace

std::unique_ptr<Backend> make_loogle(Network network, const Config& config) {
  return std::make_unique<Loogle>(network, config);
}

std::unique_ptr<Backend> make_local_loogle(asio::io_context& context, const Config& config,
                                           LocalLoogleStart start, std::chrono::milliseconds patience) {
  return std::make_unique<LoogleProgram>(
      std::make_shared<LocalState>(LocalState{context, config.local_loogle, std::move(start), patience}));
}

}  // namespace leanbridge::search

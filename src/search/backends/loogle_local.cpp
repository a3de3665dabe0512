// Loogle as a program of this machine, one question at a time. Starting it takes minutes and gigabytes, so a
// question that is given up does not end it: its answer is waited for in the background and dropped.

#include "leanbridge/base/json.hpp"
#include "leanbridge/text/untrusted.hpp"

#include "loogle_answer.hpp"
#include "loogle_process.hpp"
#include "remote.hpp"
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace leanbridge::search {

using nlohmann::json;

namespace {

constexpr const char* kTitle = "The local Loogle";

/// Outlives its backend while a coroutine uses it.
struct Shared {
  asio::io_context& context;
  LocalLoogle config;
  LocalLoogleStart start;
  std::chrono::milliseconds patience;
  std::shared_ptr<LoogleProcess> process = nullptr;
  bool busy = false;  // a question is out, or its answer still to be dropped
  io::Condition free = {};
  bool closed = false;  // the backend is gone: nothing is started any more

  void let_go() {
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

// A process that neither greets nor answers within its time is ended.
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
  shared->let_go();
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
    asio::co_spawn(shared->context, std::move(watch), asio::detached);
  }
  const std::shared_ptr<LoogleProcess> process = shared->process;
  const io::WaitStatus end =
      co_await io::wait_until(process->changed, scope.with_timeout(shared->patience),
                              [&] { return process->state() != LoogleProcess::State::Starting; });
  if (process->state() == LoogleProcess::State::Ready) co_return process;
  if (process->state() == LoogleProcess::State::Ended)
    co_return tl::unexpected(problem(
        Failure::Unavailable, std::string(kTitle) + " did not start: " + one_line(process->reason()) + ".",
        "It must be built with the project's toolchain; see loogle.local in docs/search.md."));
  if (end == io::WaitStatus::Cancelled) co_return tl::unexpected(gave_up(end, ""));
  Problem starting =
      problem(Failure::Unavailable, std::string(kTitle) + " is starting, which takes up to minutes.");
  starting.retry_after = std::chrono::seconds(5);
  co_return tl::unexpected(std::move(starting));
}

// Sets busy free when the coroutine ends in a way that nothing else has foreseen.
struct Turn {
  SharedPtr shared;
  explicit Turn(SharedPtr of) : shared(std::move(of)) { shared->busy = true; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (shared) shared->let_go();
  }
};

asio::awaitable<Outcome<json>> exchange(SharedPtr shared, std::string query, io::CancelScope scope) {
  const io::WaitStatus turn = co_await io::wait_until(shared->free, scope, [&] { return !shared->busy; });
  if (shared->closed) co_return tl::unexpected(problem(Failure::Cancelled, "The program is ending."));
  if (turn != io::WaitStatus::Ready) co_return tl::unexpected(gave_up(turn, "is busy with other questions."));
  Turn mine(shared);
  auto ready = co_await ready_process(shared, scope);
  if (!ready) co_return tl::unexpected(std::move(ready.error()));
  const std::shared_ptr<LoogleProcess> process = std::move(*ready);
  const auto until = io::Clock::now() + shared->config.timeout;
  process->send(query);
  const io::WaitStatus end = co_await io::wait_until(
      process->changed, scope.with_timeout(shared->config.timeout),
      [&] { return process->has_line() || process->state() == LoogleProcess::State::Ended; });
  if (process->has_line()) {
    json answer = text::cleaned_json(read_json(process->take_line()));
    // More than one line, or one that is none of its own: question and answer are out of step.
    if (!answer.is_object() || process->has_line()) {
      process->kill();
      co_return tl::unexpected(problem(
          Failure::Unavailable, std::string(kTitle) + " printed what is no answer, and is started anew."));
    }
    co_return answer;
  }
  if (process->state() == LoogleProcess::State::Ended)
    co_return tl::unexpected(problem(Failure::Unavailable,
                                     std::string(kTitle) + " crashed: " + one_line(process->reason()) + "."));
  mine.shared.reset();  // the turn is the other coroutine's now
  auto drop = drop_answer(shared, process, until);
  asio::co_spawn(shared->context, std::move(drop), asio::detached);
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
  bool remote() const override { return false; }
  std::optional<std::string> disabled_because() const override {
    if (shared_->config.program.empty()) return "No loogle program is configured (loogle.local).";
    if (shared_->start.project.empty()) return "There is no project whose packages it could see.";
    return std::nullopt;
  }

  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override {
    if (auto why = disabled_because())
      co_return tl::unexpected(problem(Failure::Unavailable, std::move(*why)));
    std::string query = loogle_query(question.text);
    if (query.empty())
      co_return tl::unexpected(problem(Failure::Invalid, std::string(kTitle) + " was asked an empty query."));
    const auto body = co_await exchange(shared_, std::move(query), std::move(scope));
    if (!body) co_return tl::unexpected(body.error());
    co_return read_loogle_answer(*body, question, kTitle);
  }

 private:
  SharedPtr shared_;
};

}  // namespace

std::unique_ptr<Backend> make_local_loogle(asio::io_context& context, const Config& config,
                                           LocalLoogleStart start, std::chrono::milliseconds patience) {
  auto shared = std::make_shared<Shared>(Shared{context, config.local_loogle, std::move(start), patience});
  return std::make_unique<LoogleProgram>(std::move(shared));
}

}  // namespace leanbridge::search

#pragma once
/// A backend that does what a test tells it.

#include "search/sources/backend.hpp"
#include "search/sources/cache.hpp"
#include "search/sources/source.hpp"
#include "support/loop.hpp"

#include <deque>

namespace leanbridge::search::test {

using leanbridge::test::Loop;
using leanbridge::test::patient;

inline Theorem hit(std::string name, std::string type = "") {
  Theorem made;
  made.name = std::move(name);
  made.signature = std::move(type);
  return made;
}

inline Problem problem(Failure failure, std::string message = "it failed") {
  Problem made;
  made.failure = failure;
  made.message = std::move(message);
  return made;
}

class ScriptedBackend : public Backend {
 public:
  explicit ScriptedBackend(std::string name) : name_(std::move(name)) {}

  std::string_view name() const override { return name_; }
  bool remote() const override { return true; }
  std::string identity() const override { return address; }
  bool is_shared() const override { return shared; }
  std::optional<Problem> disabled_because() const override { return disabled; }

  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override {
    asked.push_back(question);
    const auto holding = [this] { return !held; };
    if (held) {
      const auto end = co_await io::wait_until(released, scope, holding);
      if (end == io::WaitStatus::Cancelled) {
        ++cancelled;
        co_return tl::unexpected(problem(Failure::Cancelled));
      }
      if (end == io::WaitStatus::TimedOut) co_return tl::unexpected(problem(Failure::Timeout));
    }
    if (!failures.empty()) {
      const Problem failure = failures.front();
      failures.pop_front();
      co_return tl::unexpected(failure);
    }
    co_return found;
  }

  void answer(std::vector<std::string> names) {
    found.hits.clear();
    for (std::string& name : names) found.hits.push_back(hit(std::move(name)));
  }
  void release() {
    held = false;
    released.notify_all();
  }

  Found found;
  std::deque<Problem> failures;  ///< first these
  bool held = false;             ///< answers only when released
  io::Condition released;
  std::vector<Question> asked;
  int cancelled = 0;
  std::string address = "https://example.org";
  bool shared = false;
  std::optional<Problem> disabled;

 private:
  std::string name_;
};

inline Question question(std::string text) {
  Question made;
  made.text = std::move(text);
  return made;
}

}  // namespace leanbridge::search::test

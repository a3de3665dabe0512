#include "search/sources/source.hpp"

#include "core/base/latency.hpp"
#include "core/base/log.hpp"
#include "core/io/one_shot.hpp"
#include "search/sources/backends/backend_error.hpp"
#include <fmt/format.h>

#include <cmath>

namespace leanbridge::search {

namespace {

constexpr Clock::duration kSlack = std::chrono::seconds(1);  // beyond two attempts

}  // namespace

wire::Names<HealthStatus> names_of(HealthStatus) {
  return {{HealthStatus::Ok, "ok"},
          {HealthStatus::Degraded, "degraded"},
          {HealthStatus::Down, "down"},
          {HealthStatus::Unused, "unused"},
          {HealthStatus::Disabled, "disabled"}};
}

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

RateLimit shared_limit(std::string_view source) {
  static constexpr std::pair<SourceKind, std::size_t> kCalls[] = {{SourceKind::LeanSearch, 90},
                                                                  {SourceKind::Loogle, 3},
                                                                  {SourceKind::LeanFinder, 10},
                                                                  {SourceKind::Hammer, 6}};
  for (const auto& [kind, calls] : kCalls)
    if (kind == source_kind(source)) return {calls, std::chrono::seconds(30)};
  return {};
}

/// A running request, and the waits for it.
struct Flight {
  explicit Flight(Clock::duration limit) : scope(limit) {}
  io::CancelScope scope;
  io::OneShot<Outcome<Found>> result;
  std::size_t waiting = 0;
  bool kept = false;  ///< a wait timed out: the answer is for the cache
};

struct Source::State {
  std::shared_ptr<Backend> backend;
  SourceOptions options;
  Cache& cache;
  RateLimiter limiter;
  Breaker breaker = {};
  SourceHealth health = {};
  Latency latency = {};
  std::map<std::string, std::shared_ptr<Flight>> flights = {};

  std::string name() const { return std::string(backend->name()); }
  std::optional<Problem> refusal();
  void note(const Outcome<Found>& outcome, double ms);
  void forget(const std::string& key, const std::shared_ptr<Flight>& flight) {
    if (const auto own = flights.find(key); own != flights.end() && own->second == flight) flights.erase(own);
  }

  // Makes the requests; an exception counts as a failure.
  static asio::awaitable<Outcome<Found>> attempt(std::shared_ptr<State> state, Request request,
                                                 io::CancelScope scope);
  static asio::awaitable<Outcome<Found>> ask(std::shared_ptr<State> state, Request request, std::string key,
                                             io::CancelScope scope);
  static asio::awaitable<void> fly(std::shared_ptr<State> state, Request request, std::string key,
                                   std::shared_ptr<Flight> flight) {
    flight->result.set(co_await ask(state, std::move(request), key, flight->scope));
    state->forget(key, flight);
  }
};

Source::Source(std::shared_ptr<Backend> backend, SourceOptions options, Cache& cache) {
  if (!backend->is_shared()) options.limit = {};
  state_ = std::make_shared<State>(State{std::move(backend), options, cache, RateLimiter(options.limit)});
}

std::string Source::name() const {
  return state_->name();
}

std::optional<Problem> Source::disabled_because() const {
  return state_->backend->disabled_because();
}

asio::awaitable<Reply> Source::ask(Question question, io::CancelScope scope) const {
  nlohmann::json key = {"answer", question.version, question.limit, question.packages, question.text};
  Request find = [backend = state_->backend, question = std::move(question)](io::CancelScope own) {
    return backend->ask(question, std::move(own));
  };
  return perform(std::move(key), std::move(find), std::move(scope));
}

asio::awaitable<Reply> Source::perform(nlohmann::json asked, Request request, io::CancelScope scope) const {
  const auto state = state_;
  const auto start = Clock::now();
  // Everything that affects the answer.
  const nlohmann::json whole = {state->backend->name(), state->backend->identity(), std::move(asked)};
  const std::string key = whole.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (const Found* const kept = state->cache.find<Found>(CacheGroup::Search, key)) {
    ++state->health.cached;
    co_return Reply{*kept, true, ms_since(start)};
  }
  std::shared_ptr<Flight> flight = state->flights[key];
  if (!flight) {
    flight = state->flights[key] = std::make_shared<Flight>(2 * state->options.attempt + kSlack);
    io::spawn(co_await asio::this_coro::executor, State::fly(state, std::move(request), key, flight));
  }
  ++flight->waiting;
  const io::WaitStatus end = co_await flight->result.wait(scope);
  --flight->waiting;
  if (end == io::WaitStatus::Ready) co_return Reply{flight->result.value(), false, ms_since(start)};
  if (end == io::WaitStatus::TimedOut) {
    flight->kept = true;
    co_return Reply{tl::unexpected(late_answer(state->name())), false, ms_since(start)};
  }
  if (flight->waiting == 0 && !flight->kept) {
    state->forget(key, flight);  // later callers start a new request instead of joining one that is being
                                 // cancelled
    flight->scope.cancel->cancel();
  }
  co_return Reply{tl::unexpected(problem(Failure::Cancelled, "The search was cancelled.")), false,
                  ms_since(start)};
}

std::optional<Problem> Source::State::refusal() {
  if (auto why = backend->disabled_because()) {
    why->message = name() + ": " + why->message;
    return why;
  }
  const auto now = Clock::now();
  const auto refused = [&](Clock::duration wait, const std::string& why) {
    ++health.refused;
    const double left = std::ceil(std::chrono::duration<double>(wait).count());
    Problem made = problem(Failure::Unavailable, name() + why, fmt::format("Try again in {} s.", left));
    made.retry_after = std::chrono::duration_cast<std::chrono::milliseconds>(wait);
    return made;
  };
  if (const auto wait = breaker.refuses(now))
    return refused(*wait,
                   " is paused after failures: " + (health.last_error ? *health.last_error : "it failed."));
  const auto wait = limiter.refuses(now);
  if (!wait) return std::nullopt;
  breaker.forget();
  Problem limited = refused(*wait, " has reached the rate limit of its public service.");
  limited.rate_limited = true;
  return limited;
}

// One request of the user, at most two requests to the backend, each of which counts for its limit.
asio::awaitable<Outcome<Found>> Source::State::ask(std::shared_ptr<State> state, Request request,
                                                   std::string key, io::CancelScope scope) {
  if (auto refused = state->refusal()) co_return tl::unexpected(std::move(*refused));
  const auto start = Clock::now();
  auto outcome = co_await attempt(state, request, scope);
  if (!outcome && outcome.error().failure == Failure::Timeout && !state->limiter.refuses(Clock::now()))
    outcome = co_await attempt(state, request, scope);
  state->note(outcome, ms_since(start));
  if (outcome) state->cache.put(CacheGroup::Search, key, *outcome);
  co_return outcome;
}

asio::awaitable<Outcome<Found>> Source::State::attempt(std::shared_ptr<State> state, Request request,
                                                       io::CancelScope scope) {
  std::string what;
  try {
    co_return co_await request(scope.with_timeout(state->options.attempt));
  } catch (const std::exception& error) {
    what = error.what();
  }
  log::error("search source={} threw: {}", state->name(), what);
  co_return tl::unexpected(problem(Failure::ServerError, state->name() + ": " + what));
}

void Source::State::note(const Outcome<Found>& outcome, double ms) {
  if (!outcome && outcome.error().failure == Failure::Cancelled) return breaker.forget();
  latency.add(ms);
  if (outcome) {
    breaker.succeeded();
    ++health.answered;
    log::info("search source={} status=ok ms={:.0f}", name(), ms);
    return;
  }
  const Problem& failure = outcome.error();
  const std::string status = wire::name_of(failure.failure);
  ++health.failures[status];
  // Without the internet, each search fails in the same way.
  const bool is_known = !breaker.is_well() && health.last_error == failure.message;
  const std::string line =
      fmt::format("search source={} status={} ms={:.0f} error=\"{}\"", name(), status, ms, failure.message);
  is_known ? log::info("{}", line) : log::warn("{}", line);
  // A reply that the question is invalid, or that the key is, does not count against the service.
  const bool is_invalid = failure.failure == Failure::Invalid;
  if (!is_invalid) health.last_error = failure.message;
  if (is_invalid || failure.failure == Failure::Auth) return breaker.succeeded();
  breaker.failed(Clock::now(), failure.retry_after);
}

SourceHealth Source::health() const {
  SourceHealth health = state_->health;
  health.breaker = state_->breaker.state(Clock::now());
  health.mean_ms = state_->latency.mean_ms();
  health.histogram_ms = state_->latency.histogram();
  const auto disabled = disabled_because();
  if (disabled) health.disabled_because = disabled->message;
  health.status = disabled                                   ? HealthStatus::Disabled
                  : health.breaker != Breaker::State::Closed ? HealthStatus::Down
                  : !state_->breaker.is_well()               ? HealthStatus::Degraded
                  : state_->latency.count() == 0             ? HealthStatus::Unused
                                                             : HealthStatus::Ok;
  return health;
}

}  // namespace leanbridge::search

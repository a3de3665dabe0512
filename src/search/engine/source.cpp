#include "leanbridge/search/source.hpp"

#include "leanbridge/base/log.hpp"

#include "search/backends/backend_error.hpp"

#include <algorithm>
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

Source::Source(std::shared_ptr<Backend> backend, SourceOptions options, Cache& cache) {
  if (!backend->is_shared()) options.limit = {};
  state_ = std::make_shared<State>(std::move(backend), options, cache);
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
  if (const auto kept = co_await state->cache.find(CacheGroup::Search, key, scope))
    if (auto found = found_from_json(*kept)) {
      ++state->health.cached;
      co_return Reply{std::move(*found), true, ms_since(start)};
    }
  const auto work = [state, request, key](io::CancelScope own) {
    return Source::request(state, request, key, own);
  };
  auto outcome = co_await state->flights.join(key, work, 2 * state->options.attempt + kSlack, scope);
  if (outcome) co_return Reply{std::move(*outcome), false, ms_since(start)};
  Problem ended = scope.cancel->cancelled() ? problem(Failure::Cancelled, "The search was cancelled.")
                                            : late_answer(state->backend->name());
  co_return Reply{tl::unexpected(std::move(ended)), false, ms_since(start)};
}

std::optional<Problem> Source::refusal(State& state) {
  const std::string name(state.backend->name());
  if (auto why = state.backend->disabled_because()) {
    why->message = name + ": " + why->message;
    return why;
  }
  const auto now = Clock::now();
  const auto refused = [&](Clock::duration wait, const std::string& why, bool limit) {
    Problem made = problem(Failure::Unavailable, name + why);
    made.retry_after = std::chrono::duration_cast<std::chrono::milliseconds>(wait);
    made.hint = "Try again in " +
                std::to_string(static_cast<int>(std::ceil(std::chrono::duration<double>(wait).count()))) +
                " s.";
    made.rate_limited = limit;
    ++state.health.refused;
    return made;
  };
  if (const auto wait = state.breaker.refuses(now))
    return refused(*wait, " is paused after failures: " + state.health.last_error.value_or("it failed."),
                   false);
  if (const auto wait = state.limiter.refuses(now)) {
    state.breaker.forget();
    return refused(*wait, " has reached the rate limit of its public service.", true);
  }
  return std::nullopt;
}

// One request of the user, at most two requests to the backend.
asio::awaitable<Outcome<Found>> Source::request(std::shared_ptr<State> state, Request request,
                                                std::string key, io::CancelScope scope) {
  if (auto refused = refusal(*state)) co_return tl::unexpected(std::move(*refused));
  const auto start = Clock::now();
  auto outcome = co_await attempt(state, request, scope);
  if (!outcome && outcome.error().failure == Failure::Timeout)
    outcome = co_await attempt(state, request, scope);
  note(*state, outcome, ms_since(start));
  if (outcome) state->cache.put(CacheGroup::Search, key, to_json(*outcome));
  co_return outcome;
}

asio::awaitable<Outcome<Found>> Source::attempt(std::shared_ptr<State> state, Request request,
                                                io::CancelScope scope) {
  const std::string name(state->backend->name());
  std::string what;
  try {
    co_return co_await request(scope.with_timeout(state->options.attempt));
  } catch (const std::exception& error) {
    what = error.what();
  }
  log::error("search source={} threw: {}", name, what);
  co_return tl::unexpected(problem(Failure::ServerError, name + ": " + what));
}

void Source::note(State& state, const Outcome<Found>& outcome, double ms) {
  const std::string_view name = state.backend->name();
  if (outcome) {
    state.breaker.succeeded();
    state.health.latency.add(ms);
    ++state.health.answered;
    log::info("search source={} status=ok ms={:.0f}", name, ms);
    return;
  }
  const Problem& failure = outcome.error();
  if (failure.failure == Failure::Cancelled) return state.breaker.forget();
  state.health.latency.add(ms);
  ++state.health.failures[wire::name_of(failure.failure)];
  log::warn("search source={} status={} ms={:.0f} error=\"{}\"", name, wire::name_of(failure.failure), ms,
            failure.message);
  // An answer that the question is wrong says nothing against the service, nor does one about the key.
  const bool is_invalid = failure.failure == Failure::Invalid;
  if (!is_invalid) state.health.last_error = failure.message;
  if (is_invalid || failure.failure == Failure::Auth) return state.breaker.succeeded();
  state.breaker.failed(Clock::now(), failure.retry_after);
}

SourceHealth Source::health() const {
  SourceHealth health = state_->health;
  health.breaker = state_->breaker.state(Clock::now());
  if (const auto why = disabled_because()) health.disabled_because = why->message;
  if (!health.disabled_because.empty())
    health.status = HealthStatus::Disabled;
  else if (health.breaker != Breaker::State::Closed)
    health.status = HealthStatus::Down;
  else if (!state_->breaker.is_well())
    health.status = HealthStatus::Degraded;
  else if (health.latency.count() == 0)
    health.status = HealthStatus::Unused;
  else
    health.status = HealthStatus::Ok;
  return health;
}

}  // namespace leanbridge::search

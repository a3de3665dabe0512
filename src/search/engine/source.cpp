#include "leanbridge/search/source.hpp"

#include "leanbridge/base/log.hpp"

#include "search/backends/backend_error.hpp"

#include <algorithm>
#include <cmath>

namespace leanbridge::search {

namespace {

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

asio::awaitable<Outcome<nlohmann::json>> find_as_json(std::shared_ptr<Backend> backend, Question question,
                                                      io::CancelScope scope) {
  const auto found = co_await backend->ask(std::move(question), scope);
  if (!found) co_return tl::unexpected(found.error());
  co_return to_json(*found);
}

constexpr Clock::duration kSlack = std::chrono::seconds(1);  // beyond two attempts

// Such errors do not show whether the service works.
bool is_our_own_fault(const Problem& problem) {
  return problem.failure == Failure::Invalid || problem.failure == Failure::Auth;
}

}  // namespace

wire::Names<HealthStatus> names_of(HealthStatus) {
  return {{HealthStatus::Ok, "ok"},
          {HealthStatus::Degraded, "degraded"},
          {HealthStatus::Down, "down"},
          {HealthStatus::Unused, "unused"},
          {HealthStatus::Disabled, "disabled"}};
}

RateLimit shared_limit(std::string_view source) {
  constexpr auto kPeriod = std::chrono::seconds(30);
  switch (source_kind(source)) {
    case SourceKind::LeanSearch:
      return {90, kPeriod};
    case SourceKind::Loogle:
      return {3, kPeriod};
    case SourceKind::LeanFinder:
      return {10, kPeriod};
    case SourceKind::Hammer:
      return {6, kPeriod};
    default:
      return {};
  }
}

Source::Source(std::shared_ptr<Backend> backend, SourceOptions options, Cache& cache) {
  if (!backend->is_shared()) options.limit = {};
  state_ = std::make_shared<State>(std::move(backend), options, cache);
}

asio::awaitable<Reply> Source::ask(Question question, io::CancelScope scope) {
  nlohmann::json key = {"find", question.version, question.limit, question.packages, question.text};
  const auto backend = state_->backend;
  const Request find = [backend, question](io::CancelScope own) -> asio::awaitable<Outcome<nlohmann::json>> {
    return find_as_json(backend, question, own);
  };
  auto answer = co_await perform(std::move(key), find, scope);
  if (!answer.value) co_return Reply{tl::unexpected(answer.value.error()), answer.cached, answer.ms};
  auto found = found_from_json(*answer.value);
  if (found) co_return Reply{std::move(*found), answer.cached, answer.ms};
  co_return Reply{
      tl::unexpected(problem(Failure::ServerError, "The search cache holds an unreadable answer.")), true,
      answer.ms};
}

asio::awaitable<Answered<nlohmann::json>> Source::perform(nlohmann::json asked, Request request,
                                                          io::CancelScope scope) {
  using Answer = Answered<nlohmann::json>;
  const auto state = state_;
  const auto start = Clock::now();
  // Everything that affects the answer.
  const nlohmann::json whole = {state->backend->name(), state->backend->identity(), std::move(asked)};
  const std::string key = whole.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (auto kept = co_await state->cache.find(CacheGroup::Search, key, scope)) {
    ++state->health.cached;
    co_return Answer{std::move(*kept), true, ms_since(start)};
  }
  const auto work = [state, request, key](io::CancelScope own) {
    return Source::request(state, request, key, own);
  };
  auto outcome = co_await state->flights.join(key, work, 2 * state->options.attempt + kSlack, scope);
  if (outcome) co_return Answer{std::move(*outcome), false, ms_since(start)};
  const bool cancelled = scope.cancel->cancelled();
  Problem ended = problem(cancelled ? Failure::Cancelled : Failure::Timeout,
                          cancelled ? "The search was cancelled." : name() + " timed out.");
  co_return Answer{tl::unexpected(std::move(ended)), false, ms_since(start)};
}

std::optional<Problem> Source::refusal(State& state) {
  const std::string name(state.backend->name());
  if (const auto why = state.backend->disabled_because())
    return problem(Failure::Unavailable, name + ": " + *why);
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
asio::awaitable<Outcome<nlohmann::json>> Source::request(std::shared_ptr<State> state, Request request,
                                                         std::string key, io::CancelScope scope) {
  if (auto refused = refusal(*state)) co_return tl::unexpected(std::move(*refused));
  const auto start = Clock::now();
  auto outcome = co_await attempt(state, request, scope);
  if (!outcome && outcome.error().failure == Failure::Timeout)
    outcome = co_await attempt(state, request, scope);
  note(*state, outcome, ms_since(start));
  if (outcome) state->cache.put(CacheGroup::Search, key, *outcome);
  co_return outcome;
}

asio::awaitable<Outcome<nlohmann::json>> Source::attempt(std::shared_ptr<State> state, Request request,
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

void Source::note(State& state, const Outcome<nlohmann::json>& outcome, double ms) {
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
  if (is_our_own_fault(failure)) {
    if (failure.failure == Failure::Auth) state.health.last_error = failure.message;
    return state.breaker.succeeded();  // it did answer
  }
  state.health.last_error = failure.message;
  state.breaker.failed(Clock::now(), failure.retry_after);
}

SourceHealth Source::health() const {
  SourceHealth health = state_->health;
  health.breaker = state_->breaker.state(Clock::now());
  if (const auto why = disabled_because()) health.disabled_because = *why;
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

// The two that take a goal: Lean State Search, and the premise server of LeanHammer.

#include "remote.hpp"

namespace leanbridge::search {

using nlohmann::json;

namespace {

constexpr std::string_view kTurnstile = "⊢";

// The first goal of what Lean prints, without its `case` line.
std::string goal_for_premises(const std::string& state) {
  const std::size_t start = state.find_first_not_of(" \t\r\n");
  if (start == std::string::npos) return "";
  std::string goal = state.substr(start);
  const std::size_t turnstile = goal.find(kTurnstile);
  if (turnstile != std::string::npos) goal.resize(std::min(goal.size(), goal.find("\n\n", turnstile)));
  if (goal.starts_with("case ")) {
    const std::size_t end = goal.find('\n');
    goal = end == std::string::npos ? "" : goal.substr(end + 1);
  }
  while (goal.ends_with('\n') || goal.ends_with(' ')) goal.pop_back();
  return goal;
}

// What both do: one goal out, a list of names back.
class Premises : public Backend {
 public:
  Premises(Network network, std::string title, Endpoint endpoint, bool offline)
      : remote_(network, std::move(title), std::move(endpoint), offline) {}
  bool remote() const override { return true; }
  std::optional<std::string> disabled_because() const override { return remote_.disabled_because(); }

  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override {
    const std::string goal = goal_for_premises(question.text);
    if (goal.find(kTurnstile) == std::string::npos)
      co_return tl::unexpected(
          problem(Failure::Invalid,
                  remote_.title() + " takes a goal as Lean prints it, and there is no ⊢ in this text.",
                  "Ask with the goal at a place of a proof."));
    const auto body = co_await fetch(goal, question, std::move(scope));
    if (!body) co_return tl::unexpected(body.error());
    if (!body->is_array()) co_return tl::unexpected(wrong_shape(remote_.title(), "a list"));
    Found found;
    for (const json& item : *body) {
      Hit hit;
      hit.name = text_member(item, "name");
      if (hit.name.empty()) co_return tl::unexpected(wrong_shape(remote_.title(), "a name in every result"));
      hit.type = trimmed_text(item, "formal_type");
      hit.module = text_member(item, "module");
      hit.score = number(item, "score");
      if (found.note.empty()) found.note = text_member(item, "rev");
      found.hits.push_back(std::move(hit));
    }
    narrow(found, question);
    co_return found;
  }

 protected:
  virtual asio::awaitable<Outcome<json>> fetch(std::string goal, Question question,
                                               io::CancelScope scope) = 0;
  Remote remote_;
};

class StateSearch final : public Premises {
 public:
  StateSearch(Network network, const Config& config)
      : Premises(network, "Lean State Search", config.state_search, config.offline),
        rev_(config.state_search_rev) {}
  std::string_view name() const override { return "state_search"; }

 private:
  asio::awaitable<Outcome<json>> fetch(std::string goal, Question question, io::CancelScope scope) override {
    const std::string url = remote_.url() + "?query=" + http::percent_encode(goal) +
                            "&results=" + std::to_string(wanted(question, 100)) + "&rev=" +
                            http::percent_encode(question.version.empty() ? rev_ : question.version);
    co_return co_await remote_.get(url, std::move(scope));
  }
  std::string rev_;
};

class Hammer final : public Premises {
 public:
  Hammer(Network network, const Config& config)
      : Premises(network, "Hammer premise server", config.hammer, config.offline) {}
  std::string_view name() const override { return "hammer"; }

 private:
  asio::awaitable<Outcome<json>> fetch(std::string goal, Question question, io::CancelScope scope) override {
    json request = {{"state", goal}, {"k", wanted(question, 1024)}, {"new_premises", json::array()}};
    auto body = co_await remote_.post(remote_.url(), std::move(request), std::move(scope));
    // Its 500 means that the embedding service is overloaded.
    if (!body && body.error().failure == Failure::ServerError && body.error().http_status == 500)
      body.error().failure = Failure::Unavailable;
    co_return body;
  }
};

}  // namespace

std::unique_ptr<Backend> make_state_search(Network network, const Config& config) {
  return std::make_unique<StateSearch>(network, config);
}
std::unique_ptr<Backend> make_hammer(Network network, const Config& config) {
  return std::make_unique<Hammer>(network, config);
}

}  // namespace leanbridge::search

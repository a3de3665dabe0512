// The services that answer a request with a list: LeanSearch, Lean Finder, Lean State Search, and
// LeanHammer's premise server.

#include "leanbridge/search/theorem.hpp"

#include "remote.hpp"
#include <nlohmann/json.hpp>

#include <algorithm>

namespace leanbridge::search {

using nlohmann::json;

namespace {

// --- LeanSearch: search by meaning, in prose or Lean

constexpr std::size_t kMaxLeanSearchResults = 150;

// The items for our single query. The list may be wrapped in an object, and nested with one list per query.
const json* items_of(const json& body) {
  const json* list = &body;
  if (body.is_object()) {
    const auto results = body.find("results");
    if (results == body.end()) return nullptr;
    list = &*results;
  }
  if (list->is_array() && !list->empty() && list->front().is_array()) list = &list->front();
  return list->is_array() ? list : nullptr;
}

class LeanSearch final : public RemoteBackend {
 public:
  LeanSearch(Network network, const Config& config)
      : RemoteBackend("leansearch", {network, "LeanSearch", config.leansearch, config.offline}) {}

  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override {
    const std::size_t count = wanted(question, kMaxLeanSearchResults);
    Outcome<json> body;
    if (remote_.url().ends_with("/api/search")) {  // servers before 2025-04
      const std::string url = remote_.url() + "?query=" + http::percent_encode(question.text) +
                              "&num_results=" + std::to_string(count);
      body = co_await remote_.get(url, std::move(scope));
    } else {
      json request = {{"query", json::array({question.text})}, {"num_results", count}};
      body = co_await remote_.post(remote_.url(), std::move(request), std::move(scope));
    }
    if (!body) co_return tl::unexpected(body.error());
    const json* items = items_of(*body);
    if (!items) co_return tl::unexpected(wrong_shape(remote_.title(), "a list of results"));
    Found found;
    for (const json& item : *items) {
      found.hits.push_back(item.is_object() ? read_hit(item) : Hit());
      if (found.hits.back().name.empty())
        co_return tl::unexpected(wrong_shape(remote_.title(), "a name in every result"));
    }
    narrow(found, question);
    co_return found;
  }
};

// --- Lean Finder: search by question, meaning or proof state

constexpr std::size_t kMaxLeanFinderResults = 100;

// Until about 2026-05 the name was only in the documentation URL: "...find/?pattern=NAME#doc".
std::string name_in(const std::string& url) {
  constexpr std::string_view kBefore = "pattern=";
  const std::size_t at = url.find(kBefore);
  if (at == std::string::npos || url.find("mathlib4_docs") == std::string::npos) return "";
  const std::size_t begin = at + kBefore.size();
  return url.substr(begin, url.find("#doc", begin) - begin);
}

Hit leanfinder_hit(const json& item) {
  Hit hit = read_hit(item);
  if (hit.name.empty()) {
    hit.file = text_member(item, "url");
    hit.name = name_in(hit.file);
    hit.type = trimmed_text(item, "formal_statement");
    hit.informal = trimmed_text(item, "informal_statement");
  }
  return hit;
}

class LeanFinder final : public RemoteBackend {
 public:
  LeanFinder(Network network, const Config& config)
      : RemoteBackend("leanfinder", {network, "Lean Finder", config.leanfinder, config.offline}),
        version_(config.leanfinder_version) {}
  std::string identity() const override { return RemoteBackend::identity() + " " + version_; }

  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override {
    json request = {{"inputs", question.text}, {"top_k", wanted(question, kMaxLeanFinderResults)}};
    const std::string version = question.version.empty() ? version_ : question.version;
    if (!version.empty()) request["version"] = version;
    CO_ASK(const auto body, co_await remote_.post(remote_.url(), std::move(request), std::move(scope)));
    if (const std::string error = server_text(body); !error.empty())
      co_return tl::unexpected(problem(Failure::ServerError, remote_.title() + " failed: " + error));
    const auto results = body.is_object() ? body.find("results") : body.end();
    if (results == body.end() || !results->is_array())
      co_return tl::unexpected(wrong_shape(remote_.title(), "a list \"results\""));
    Found found;
    for (const json& item : *results) {
      if (!item.is_object() || (!item.contains("formal_name") && !item.contains("url")))
        co_return tl::unexpected(wrong_shape(remote_.title(), "\"formal_name\" or \"url\" in every result"));
      found.hits.push_back(leanfinder_hit(item));
    }
    found.note = version.empty() ? "" : "Mathlib " + version;
    narrow(found, question);
    co_return found;
  }

 private:
  std::string version_;
};

// --- Lean State Search and LeanHammer's premise server: search by goal

constexpr std::string_view kTurnstile = "⊢";

// The first goal of a state as Lean prints it, without its `case` line.
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

// Sends a goal and receives a list of names.
class Premises : public RemoteBackend {
 public:
  using RemoteBackend::RemoteBackend;

  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override {
    const std::string goal = goal_for_premises(question.text);
    if (goal.find(kTurnstile) == std::string::npos)
      co_return tl::unexpected(problem(
          Failure::Invalid, remote_.title() + " needs a goal as Lean prints it, but this text has no ⊢.",
          "Pass the goal at a position in a proof."));
    CO_ASK(const auto body, co_await fetch(goal, question, std::move(scope)));
    if (!body.is_array()) co_return tl::unexpected(wrong_shape(remote_.title(), "a list"));
    Found found;
    for (const json& item : body) {
      found.hits.push_back(item.is_object() ? read_hit(item) : Hit());
      if (found.hits.back().name.empty())
        co_return tl::unexpected(wrong_shape(remote_.title(), "a name in every result"));
      if (found.note.empty()) found.note = text_member(item, "rev");
    }
    narrow(found, question);
    co_return found;
  }

 protected:
  virtual asio::awaitable<Outcome<json>> fetch(std::string goal, Question question,
                                               io::CancelScope scope) = 0;
};

class StateSearch final : public Premises {
 public:
  StateSearch(Network network, const Config& config)
      : Premises("state_search", {network, "Lean State Search", config.state_search, config.offline}),
        rev_(config.state_search_rev) {}
  std::optional<std::string> disabled_because() const override {
    if (remote_.url().empty())
      return "Its public service has been discontinued; set state_search.url to ask one of your own.";
    return Premises::disabled_because();
  }
  bool is_offline() const override { return !remote_.url().empty() && Premises::is_offline(); }
  bool is_shared() const override { return false; }
  std::string identity() const override { return Premises::identity() + " " + rev_; }

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
      : Premises("hammer", {network, "Hammer premise server", config.hammer, config.offline}) {}

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

std::unique_ptr<Backend> make_leansearch(Network network, const Config& config) {
  return std::make_unique<LeanSearch>(network, config);
}

std::unique_ptr<Backend> make_leanfinder(Network network, const Config& config) {
  return std::make_unique<LeanFinder>(network, config);
}

std::unique_ptr<Backend> make_state_search(Network network, const Config& config) {
  return std::make_unique<StateSearch>(network, config);
}
std::unique_ptr<Backend> make_hammer(Network network, const Config& config) {
  return std::make_unique<Hammer>(network, config);
}

// lean-lsp-mcp's users expect all of these fields in every item.
json lean_lsp_mcp_item(std::string_view backend, const Hit& hit) {
  const auto or_null = [](const std::string& text) { return text.empty() ? json() : json(text); };
  if (backend == "leansearch")
    return {{"name", hit.name},
            {"module_name", hit.module},
            {"kind", or_null(hit.kind)},
            {"type", or_null(as_type(hit.type))}};
  if (backend == "loogle") return {{"name", hit.name}, {"type", hit.type}, {"module", hit.module}};
  if (backend == "leanfinder")
    return {{"formal_name", hit.name}, {"informal_name", hit.informal_name},
            {"kind", hit.kind},        {"type", as_type(hit.type)},
            {"path", hit.module},      {"informal_description", hit.informal}};
  return {{"name", hit.name}};  // state_search and hammer
}

}  // namespace leanbridge::search

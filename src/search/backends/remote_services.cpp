// The services that answer a request with a list: LeanSearch, Lean Finder, Lean State Search, and
// LeanHammer's premise server.

#include "leanbridge/search/theorem.hpp"

#include "remote.hpp"
#include <nlohmann/json.hpp>

#include <algorithm>

namespace leanbridge::search {

using nlohmann::json;

namespace {

/// One of the services: its request, and what is special about it.
class ListService : public RemoteBackend<Backend> {
 public:
  using RemoteBackend::RemoteBackend;

  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override {
    if (takes_goal()) {
      question.text = first_goal(question.text);
      if (question.text.empty())
        co_return tl::unexpected(problem(
            Failure::Invalid, remote_.title() + " needs a goal as Lean prints it, but this text has no ⊢.",
            "Pass the goal at a position in a proof."));
    }
    CO_ASK(const auto body, co_await request(question, std::move(scope)));
    if (const std::string error = server_text(body); !error.empty())
      co_return tl::unexpected(problem(Failure::ServerError, remote_.title() + " failed: " + error));
    CO_ASK(auto found, read_answer(body, question, remote_.title()));
    found.note = note(question, body);
    co_return found;
  }

 protected:
  virtual bool takes_goal() const { return question_form(source_kind(name())) == QuestionForm::Goal; }
  virtual std::string note(const Question&, const json&) const { return ""; }
  virtual asio::awaitable<Outcome<json>> request(const Question& question, io::CancelScope scope) const = 0;
};

class LeanSearch final : public ListService {
 public:
  using ListService::ListService;

 private:
  asio::awaitable<Outcome<json>> request(const Question& question, io::CancelScope scope) const override {
    const std::size_t count = wanted(question, 150);
    if (remote_.url().ends_with("/api/search"))  // servers before 2025-04
      return remote_.get(remote_.url() + "?query=" + http::percent_encode(question.text) +
                             "&num_results=" + std::to_string(count),
                         std::move(scope));
    return remote_.post({{"query", json::array({question.text})}, {"num_results", count}}, std::move(scope));
  }
};

/// A service that has several versions of the data.
class VersionedService : public ListService {
 public:
  VersionedService(std::string_view name, Remote remote, std::string version)
      : ListService(name, std::move(remote)), version_(std::move(version)) {}
  std::string identity() const override { return ListService::identity() + " " + version_; }

 protected:
  const std::string& version_for(const Question& question) const {
    return question.version.empty() ? version_ : question.version;
  }

 private:
  std::string version_;
};

class LeanFinder final : public VersionedService {
 public:
  using VersionedService::VersionedService;

 private:
  asio::awaitable<Outcome<json>> request(const Question& question, io::CancelScope scope) const override {
    json body = {{"inputs", question.text}, {"top_k", wanted(question, 100)}};
    if (!version_for(question).empty()) body["version"] = version_for(question);
    return remote_.post(std::move(body), std::move(scope));
  }
  std::string note(const Question& question, const json&) const override {
    return version_for(question).empty() ? "" : "Mathlib " + version_for(question);
  }
};

class StateSearch final : public VersionedService {
 public:
  using VersionedService::VersionedService;
  std::optional<Problem> disabled_because() const override {
    if (!remote_.url().empty()) return VersionedService::disabled_because();
    return problem(Failure::Disabled,
                   "Its public service has been discontinued; set state_search.url to ask one of your own.");
  }
  bool is_shared() const override { return false; }

 private:
  asio::awaitable<Outcome<json>> request(const Question& question, io::CancelScope scope) const override {
    return remote_.get(remote_.url() + "?query=" + http::percent_encode(question.text) +
                           "&results=" + std::to_string(wanted(question, 100)) +
                           "&rev=" + http::percent_encode(version_for(question)),
                       std::move(scope));
  }
  std::string note(const Question&, const json& body) const override {
    return body.empty() ? "" : text_member(body.front(), "rev");
  }
};

class Hammer final : public ListService {
 public:
  using ListService::ListService;

 private:
  asio::awaitable<Outcome<json>> request(const Question& question, io::CancelScope scope) const override {
    json asked = {{"state", question.text}, {"k", wanted(question, 1024)}, {"new_premises", json::array()}};
    auto body = co_await remote_.post(std::move(asked), std::move(scope));
    // Its 500 means that the embedding service is overloaded.
    if (!body && body.error().http_status == 500) body.error().failure = Failure::Unavailable;
    co_return body;
  }
};

}  // namespace

std::unique_ptr<Backend> make_leansearch(Network network, const Config& config) {
  return std::make_unique<LeanSearch>("leansearch",
                                      Remote(network, "LeanSearch", config.leansearch, config.offline));
}

std::unique_ptr<Backend> make_leanfinder(Network network, const Config& config) {
  return std::make_unique<LeanFinder>("leanfinder",
                                      Remote(network, "Lean Finder", config.leanfinder, config.offline),
                                      config.leanfinder_version);
}

std::unique_ptr<Backend> make_state_search(Network network, const Config& config) {
  return std::make_unique<StateSearch>(
      "state_search", Remote(network, "Lean State Search", config.state_search, config.offline),
      config.state_search_rev);
}

std::unique_ptr<Backend> make_hammer(Network network, const Config& config) {
  return std::make_unique<Hammer>("hammer",
                                  Remote(network, "Hammer premise server", config.hammer, config.offline));
}

// lean-lsp-mcp's users expect all of these fields in every item.
json lean_lsp_mcp_item(std::string_view backend, const Theorem& hit) {
  const auto or_null = [](const std::string& text) { return text.empty() ? json() : json(text); };
  if (backend == "leansearch")
    return {{"name", hit.name},
            {"module_name", hit.module},
            {"kind", or_null(hit.kind)},
            {"type", or_null(as_type(hit.signature))}};
  if (backend == "loogle") return {{"name", hit.name}, {"type", hit.signature}, {"module", hit.module}};
  if (backend == "leanfinder")
    return {{"formal_name", hit.name}, {"informal_name", hit.informal_name},
            {"kind", hit.kind},        {"type", as_type(hit.signature)},
            {"path", hit.module},      {"informal_description", hit.informal}};
  return {{"name", hit.name}};  // state_search and hammer
}

}  // namespace leanbridge::search

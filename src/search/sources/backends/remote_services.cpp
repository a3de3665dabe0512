// The services that answer a request with a list: LeanSearch, Lean Finder, Lean State Search, and
// LeanHammer's premise server.

#include "core/base/percent.hpp"
#include "remote.hpp"
#include "search/sources/theorem.hpp"
#include <nlohmann/json.hpp>

#include <algorithm>

namespace leanbridge::search {

using nlohmann::json;

namespace {

/// The traits of a service.
struct ListTraits {
  const char* name;
  const char* title;
  Endpoint Config::*endpoint;
  std::string Config::*version;  ///< the version of the data, if there are several; else null
  /// Sends the question, whose version is set.
  asio::awaitable<Outcome<json>> (*request)(const Remote&, Question, io::CancelScope);
  std::string (*note)(const Question&, const json& body);  ///< null: it has none
};

class ListService final : public RemoteBackend<Backend> {
 public:
  ListService(Network network, const Config& config, const ListTraits& traits)
      : RemoteBackend(traits.name, Remote(network, traits.title, config.*traits.endpoint, config.offline)),
        traits_(traits),
        version_(traits.version ? config.*traits.version : "") {}

  std::string identity() const override { return remote_.url() + " " + version_; }
  std::optional<Problem> disabled_because() const override {
    if (!remote_.url().empty()) return remote_.disabled_because();
    return problem(Failure::Disabled,
                   "Its public service has been discontinued; set state_search.url to ask one of your own.");
  }

  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override {
    if (question.version.empty()) question.version = version_;
    if (question_form(source_kind(name())) == QuestionForm::Goal) {
      question.text = first_goal(question.text);
      if (question.text.empty())
        co_return tl::unexpected(problem(
            Failure::Invalid, remote_.title() + " needs a goal as Lean prints it, but this text has no ⊢.",
            "Pass the goal at a position in a proof."));
    }
    CO_ASK(const auto body, co_await traits_.request(remote_, question, std::move(scope)));
    if (const std::string error = server_text(body); !error.empty())
      co_return tl::unexpected(problem(Failure::ServerError, remote_.title() + " failed: " + error));
    CO_ASK(auto found, read_answer(body, question, remote_.title()));
    if (traits_.note) found.note = traits_.note(question, body);
    co_return found;
  }

 private:
  const ListTraits& traits_;
  std::string version_;
};

asio::awaitable<Outcome<json>> ask_leansearch(const Remote& remote, Question question,
                                              io::CancelScope scope) {
  return remote.post({{"query", json::array({question.text})}, {"num_results", wanted(question, 150)}},
                     std::move(scope));
}

asio::awaitable<Outcome<json>> ask_leanfinder(const Remote& remote, Question question,
                                              io::CancelScope scope) {
  json body = {{"inputs", question.text}, {"top_k", wanted(question, 100)}};
  if (!question.version.empty()) body["version"] = question.version;
  return remote.post(std::move(body), std::move(scope));
}

asio::awaitable<Outcome<json>> ask_state_search(const Remote& remote, Question question,
                                                io::CancelScope scope) {
  return remote.get(remote.url() + "?query=" + percent_encoded(question.text) + "&results=" +
                        std::to_string(wanted(question, 100)) + "&rev=" + percent_encoded(question.version),
                    std::move(scope));
}

asio::awaitable<Outcome<json>> ask_hammer(const Remote& remote, Question question, io::CancelScope scope) {
  json asked = {{"state", question.text}, {"k", wanted(question, 1024)}, {"new_premises", json::array()}};
  auto body = co_await remote.post(std::move(asked), std::move(scope));
  // Its status 500 means that the embedding service is overloaded.
  if (!body && body.error().http_status == 500) body.error().failure = Failure::Unavailable;
  co_return body;
}

std::string name_version(const Question& question, const json&) {
  return question.version.empty() ? "" : "Mathlib " + question.version;
}

std::string name_revision(const Question&, const json& body) {
  return body.empty() ? "" : text_member(body.front(), "rev");
}

constexpr ListTraits kLeanSearch = {"leansearch", "LeanSearch",   &Config::leansearch,
                                    nullptr,      ask_leansearch, nullptr};
constexpr ListTraits kLeanFinder = {"leanfinder",        "Lean Finder",
                                    &Config::leanfinder, &Config::leanfinder_version,
                                    ask_leanfinder,      name_version};
constexpr ListTraits kStateSearch = {"state_search",        "Lean State Search",
                                     &Config::state_search, &Config::state_search_rev,
                                     ask_state_search,      name_revision};
constexpr ListTraits kHammer = {"hammer", "Hammer premise server", &Config::hammer, nullptr, ask_hammer,
                                nullptr};

}  // namespace

std::unique_ptr<Backend> make_leansearch(Network network, const Config& config) {
  return std::make_unique<ListService>(network, config, kLeanSearch);
}
std::unique_ptr<Backend> make_leanfinder(Network network, const Config& config) {
  return std::make_unique<ListService>(network, config, kLeanFinder);
}
std::unique_ptr<Backend> make_state_search(Network network, const Config& config) {
  return std::make_unique<ListService>(network, config, kStateSearch);
}
std::unique_ptr<Backend> make_hammer(Network network, const Config& config) {
  return std::make_unique<ListService>(network, config, kHammer);
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
  return {{"name", hit.name}};  // for state_search and hammer
}

}  // namespace leanbridge::search

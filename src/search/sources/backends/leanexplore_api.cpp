// The LeanExplore service, version 2 of its API.

#include "core/base/percent.hpp"
#include "remote.hpp"

#include <algorithm>

namespace leanbridge::search {

using nlohmann::json;

namespace {

// Dependencies that are looked up one by one; the others stay bare names.
constexpr std::size_t kMaxResolved = 8;

class ExploreApi final : public RemoteBackend<Explore> {
 public:
  ExploreApi(Network network, const Config& config)
      : RemoteBackend("leanexplore", Remote(network, "LeanExplore", config.leanexplore, config.offline)),
        has_key_(!config.leanexplore_key.empty()) {
    if (has_key_) remote_.add_header("Authorization", Secret("Bearer " + config.leanexplore_key.reveal()));
  }

  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override {
    CO_ASK(const auto body, co_await get(search_url(question), std::move(scope)));
    CO_ASK(auto found, read_answer(body, question, remote_.title()));
    const auto considered = number(body, "total_candidates_considered");
    found.total = considered && *considered >= 0 ? static_cast<std::size_t>(*considered)
                                                 : member(body, "results").size();
    co_return found;
  }

  asio::awaitable<Outcome<Found>> get_by_id(std::int64_t id, io::CancelScope scope) override {
    CO_ASK(const auto body, co_await fetch(id, std::move(scope)));
    if (body.is_null()) co_return Found();
    Theorem item = read_hit(body);
    if (!item.id || item.name.empty())
      co_return tl::unexpected(wrong_shape(remote_.title(), "a statement with id and name"));
    co_return Found{{std::move(item)}};
  }

  asio::awaitable<Outcome<Found>> get_dependencies(std::int64_t id, io::CancelScope scope) override {
    CO_ASK(const auto body, co_await fetch(id, scope));
    Found found;
    if (body.is_null()) co_return found;
    found.hits = co_await resolve(dependency_names(member(body, "dependencies")), scope);
    found.total = found.hits.size();
    co_return found;
  }

 private:
  // The service's operators decide whether it requires a key. If there is none, a refusal is not our mistake.
  asio::awaitable<Outcome<json>> get(std::string url, io::CancelScope scope) {
    auto body = co_await remote_.get(std::move(url), std::move(scope));
    if (!body && body.error().failure == Failure::Auth && !has_key_) {
      body.error().failure = Failure::Unavailable;
      body.error().hint = "Set LEANEXPLORE_API_KEY or leanexplore.key to a key of LeanExplore.";
    }
    co_return body;
  }

  std::string search_url(const Question& question) const {
    std::string url = remote_.url() + "/search?q=" + percent_encoded(question.text) +
                      "&limit=" + std::to_string(wanted(question, 100));
    // The service compares only the first component.
    std::vector<std::string> sent;
    for (const std::string& package : question.packages) {
      std::string first = package.substr(0, package.find_first_of("./"));
      if (std::ranges::find(sent, first) != sent.end()) continue;
      url += (sent.empty() ? "&packages=" : "%2C") + percent_encoded(first);
      sent.push_back(std::move(first));
    }
    return url;
  }

  // null: there is no such id.
  asio::awaitable<Outcome<json>> fetch(std::int64_t id, io::CancelScope scope) {
    auto body = co_await get(remote_.url() + "/declarations/" + std::to_string(id), std::move(scope));
    if (!body && body.error().http_status == 404) co_return json();
    co_return body;
  }

  // The service returns only names. Searches find the statements of some; they stop at the first failure,
  // since bare names are acceptable.
  asio::awaitable<std::vector<Theorem>> resolve(std::vector<std::string> names, io::CancelScope scope) {
    std::vector<Theorem> items;
    bool going_well = true;
    for (const std::string& name : names) {
      Theorem& item = items.emplace_back(read_hit(name));
      if (!going_well || items.size() > kMaxResolved) continue;
      auto found = co_await ask({name, 5, {}, ""}, scope);
      going_well = found.has_value();
      if (found)
        for (Theorem& one : found->hits)
          if (one.name == name) item = std::move(one);
    }
    co_return items;
  }

  bool has_key_;
};

}  // namespace

std::unique_ptr<Explore> make_leanexplore_api(Network network, const Config& config) {
  return std::make_unique<ExploreApi>(network, config);
}

}  // namespace leanbridge::search

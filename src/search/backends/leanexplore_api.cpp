// The LeanExplore service, in both versions of its API.

#include "explore_item.hpp"
#include "remote.hpp"

#include <algorithm>

namespace leanbridge::search {

using nlohmann::json;

namespace {

// Dependencies that are looked up one by one; the others stay bare names.
constexpr std::size_t kMaxResolved = 8;

class ExploreApi final : public Explore {
 public:
  ExploreApi(Network network, const Config& config)
      : remote_(network, "LeanExplore", config.leanexplore, config.offline),
        has_key_(!config.leanexplore_key.empty()),
        first_version_(config.leanexplore.url.ends_with("/v1")) {
    if (has_key_) remote_.add_header("Authorization", Secret("Bearer " + config.leanexplore_key.reveal()));
  }
  std::string_view name() const override { return "leanexplore"; }
  bool remote() const override { return true; }
  std::optional<std::string> disabled_because() const override { return remote_.disabled_because(); }
  bool is_offline() const override { return remote_.is_offline(); }
  std::string identity() const override { return remote_.url(); }

  asio::awaitable<Outcome<ExploreAnswer>> search(Question question, io::CancelScope scope) override {
    CO_ASK(const auto body, co_await get(search_url(question), std::move(scope)));
    const auto results = body.is_object() ? body.find("results") : body.end();
    if (results == body.end() || !results->is_array())
      co_return tl::unexpected(wrong_shape(remote_.title(), "a list \"results\""));
    ExploreAnswer answer;
    answer.packages_applied = question.packages;
    for (const json& object : *results) {
      auto item = read_explore_item(object);
      if (!item) co_return tl::unexpected(wrong_shape(remote_.title(), "an id and a name in every result"));
      if (in_packages(module_of_file(item->source_file), question.packages))
        answer.items.push_back(std::move(*item));
    }
    answer.candidates = results->size();
    if (const auto count = number(body, "total_candidates_considered"); count && *count >= 0)
      answer.candidates = static_cast<std::size_t>(*count);
    if (answer.items.size() > question.limit) answer.items.resize(question.limit);
    co_return answer;
  }

  asio::awaitable<Outcome<std::optional<ExploreItem>>> get_by_id(std::int64_t id,
                                                                 io::CancelScope scope) override {
    CO_ASK(const auto body, co_await fetch(id, "", std::move(scope)));
    if (body.is_null()) co_return std::optional<ExploreItem>();
    auto item = read_explore_item(body);
    if (!item) co_return tl::unexpected(wrong_shape(remote_.title(), "a statement with id and name"));
    co_return item;
  }

  asio::awaitable<Outcome<std::optional<std::vector<ExploreItem>>>> get_dependencies(
      std::int64_t id, io::CancelScope scope) override {
    CO_ASK(const auto body, co_await fetch(id, first_version_ ? "/dependencies" : "", scope));
    if (body.is_null()) co_return std::optional<std::vector<ExploreItem>>();
    std::vector<ExploreItem> citations;
    if (!first_version_) {
      citations = co_await resolve(dependency_names(body), std::move(scope));
      co_return citations;
    }
    const auto list = body.is_object() ? body.find("citations") : body.end();
    if (list == body.end() || !list->is_array())
      co_return tl::unexpected(wrong_shape(remote_.title(), "a list \"citations\""));
    for (const json& object : *list)
      if (auto item = read_explore_item(object)) citations.push_back(std::move(*item));
    co_return citations;
  }

 private:
  // The service asks for a key or not, as its operators decide. Without one, a refusal is no mistake of ours.
  asio::awaitable<Outcome<json>> get(std::string url, io::CancelScope scope) {
    auto body = co_await remote_.get(std::move(url), std::move(scope));
    if (!body && body.error().failure == Failure::Auth && !has_key_) {
      body.error().failure = Failure::Unavailable;
      body.error().hint = "Set LEANEXPLORE_API_KEY or leanexplore.key to a key of LeanExplore.";
    }
    co_return body;
  }

  std::string search_url(const Question& question) const {
    std::string url = remote_.url() + "/search?q=" + http::percent_encode(question.text);
    // Version 1 compares paths and takes no limit; version 2 compares only the first component.
    std::vector<std::string> sent;
    for (std::string package : question.packages) {
      std::replace(package.begin(), package.end(), '.', '/');
      if (!first_version_) package = package.substr(0, package.find('/'));
      if (std::find(sent.begin(), sent.end(), package) == sent.end()) sent.push_back(std::move(package));
    }
    if (first_version_) {
      for (const std::string& package : sent) url += "&pkg=" + http::percent_encode(package);
      return url;
    }
    url += "&limit=" + std::to_string(wanted(question, 100));
    for (std::size_t i = 0; i < sent.size(); ++i)
      url += (i ? "%2C" : "&packages=") + http::percent_encode(sent[i]);
    return url;
  }

  // null: no such id.
  asio::awaitable<Outcome<json>> fetch(std::int64_t id, std::string rest, io::CancelScope scope) {
    const std::string url = remote_.url() + (first_version_ ? "/statement_groups/" : "/declarations/") +
                            std::to_string(id) + rest;
    auto body = co_await get(url, std::move(scope));
    if (!body && body.error().http_status == 404) co_return json();
    co_return body;
  }

  // Version 2 returns only names. Searches find the statements of some; they stop at the first failure, since
  // bare names are acceptable.
  asio::awaitable<std::vector<ExploreItem>> resolve(std::vector<std::string> names, io::CancelScope scope) {
    std::vector<ExploreItem> items;
    bool going_well = true;
    for (const std::string& name : names) {
      ExploreItem item;
      item.name = name;
      if (going_well && items.size() < kMaxResolved) {
        Question question;
        question.text = name;
        question.limit = 5;
        auto found = co_await search(std::move(question), scope);
        going_well = found.has_value();
        if (found)
          for (ExploreItem& one : found->items)
            if (one.name == name) item = std::move(one);
      }
      items.push_back(std::move(item));
    }
    co_return items;
  }

  Remote remote_;
  bool has_key_;
  bool first_version_;
};

}  // namespace

std::unique_ptr<Explore> make_leanexplore_api(Network network, const Config& config) {
  return std::make_unique<ExploreApi>(network, config);
}

}  // namespace leanbridge::search

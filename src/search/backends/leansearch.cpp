// LeanSearch: what is meant, in prose or Lean.

#include "remote.hpp"

namespace leanbridge::search {

using nlohmann::json;

namespace {

constexpr std::size_t kMostFromLeanSearch = 150;

// The record, or the flat object of the service before 2025-04.
Hit read_record(const json& record) {
  Hit hit;
  hit.name = dotted(record, "name");
  if (hit.name.empty()) hit.name = text_member(record, "formal_name");
  hit.kind = text_member(record, "kind");
  hit.type = first_text(record, {"type", "signature", "formal_type"});
  hit.module = dotted(record, "module_name");
  hit.docstring = trimmed_text(record, "docstring");
  hit.informal_name = trimmed_text(record, "informal_name");
  hit.informal = trimmed_text(record, "informal_description");
  hit.file = text_member(record, "doc_url");
  return hit;
}

Hit leansearch_hit(const json& item) {
  if (!item.is_object()) return {};
  const auto record = item.find("result");
  Hit hit = read_record(record == item.end() ? item : *record);
  hit.score = score_of(item);
  return hit;
}

// The list of items for our one query: lists may be nested, once per query, and wrapped.
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

class LeanSearch final : public Backend {
 public:
  LeanSearch(Network network, const Config& config)
      : remote_(network, "LeanSearch", config.leansearch, config.offline) {}
  std::string_view name() const override { return "leansearch"; }
  bool remote() const override { return true; }
  std::optional<std::string> disabled_because() const override { return remote_.disabled_because(); }

  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override {
    const std::size_t count = wanted(question, kMostFromLeanSearch);
    Outcome<json> body;
    if (remote_.url().ends_with("/api/search")) {  // a server of before 2025-04
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
      found.hits.push_back(leansearch_hit(item));
      if (found.hits.back().name.empty())
        co_return tl::unexpected(wrong_shape(remote_.title(), "a name in every result"));
    }
    narrow(found, question);
    co_return found;
  }

 private:
  Remote remote_;
};

}  // namespace

std::unique_ptr<Backend> make_leansearch(Network network, const Config& config) {
  return std::make_unique<LeanSearch>(network, config);
}

}  // namespace leanbridge::search

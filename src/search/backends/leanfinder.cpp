// Lean Finder: a question, a meaning, or a proof state.

#include "remote.hpp"

#include <algorithm>

namespace leanbridge::search {

using nlohmann::json;

namespace {

constexpr std::size_t kMostFromLeanFinder = 100;

// Before about 2026-05 the name was only in the address of the documentation: "...find/?pattern=NAME#doc".
std::string name_in(const std::string& url) {
  constexpr std::string_view kBefore = "pattern=";
  const std::size_t at = url.find(kBefore);
  if (at == std::string::npos || url.find("mathlib4_docs") == std::string::npos) return "";
  const std::size_t begin = at + kBefore.size();
  return url.substr(begin, url.find("#doc", begin) - begin);
}

Hit leanfinder_hit(const json& item) {
  Hit hit;
  hit.name = text_member(item, "formal_name");
  hit.kind = text_member(item, "kind");
  hit.type = trimmed_text(item, "type");
  hit.informal_name = trimmed_text(item, "informal_name");
  hit.informal = trimmed_text(item, "informal_description");
  hit.module = text_member(item, "path");
  std::replace(hit.module.begin(), hit.module.end(), '/', '.');
  if (hit.module.ends_with(".lean")) hit.module.resize(hit.module.size() - 5);
  if (hit.name.empty()) {
    hit.file = text_member(item, "url");
    hit.name = name_in(hit.file);
    hit.type = trimmed_text(item, "formal_statement");
    hit.informal = trimmed_text(item, "informal_statement");
  }
  hit.score = number(item, "score");
  return hit;
}

class LeanFinder final : public Backend {
 public:
  LeanFinder(Network network, const Config& config)
      : remote_(network, "Lean Finder", config.leanfinder, config.offline),
        version_(config.leanfinder_version) {}
  std::string_view name() const override { return "leanfinder"; }
  bool remote() const override { return true; }
  std::optional<std::string> disabled_because() const override { return remote_.disabled_because(); }

  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override {
    json request = {{"inputs", question.text}, {"top_k", wanted(question, kMostFromLeanFinder)}};
    const std::string version = question.version.empty() ? version_ : question.version;
    if (!version.empty()) request["version"] = version;
    const auto body = co_await remote_.post(remote_.url(), std::move(request), std::move(scope));
    if (!body) co_return tl::unexpected(body.error());
    if (const std::string error = server_text(*body); !error.empty())
      co_return tl::unexpected(problem(Failure::ServerError, remote_.title() + " failed: " + error));
    const auto results = body->is_object() ? body->find("results") : body->end();
    if (results == body->end() || !results->is_array())
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
  Remote remote_;
  std::string version_;
};

}  // namespace

std::unique_ptr<Backend> make_leanfinder(Network network, const Config& config) {
  return std::make_unique<LeanFinder>(network, config);
}

}  // namespace leanbridge::search

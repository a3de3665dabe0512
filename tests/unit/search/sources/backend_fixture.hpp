#pragma once
/// A backend in front of a fake service on this machine. No other address is ever configured here.

#include "gateway/support/fake_http.hpp"
#include "search/sources/backends.hpp"
#include "support/loop.hpp"
#include "support/test_folder.hpp"
#include <nlohmann/json.hpp>

namespace leanbridge::search {

using nlohmann::json;
using namespace leanbridge::test;

inline std::string fixture(const std::string& name) {
  const std::string content = content_of(std::string(LEANBRIDGE_FIXTURES) + "/search/" + name);
  if (content.empty()) throw std::runtime_error("no fixture " + name);
  return content;
}

struct Service {
  NoProxies no_proxies;
  Loop loop;
  FakeHttp server{loop.context};
  io::Pool pool;
  http::Client client{loop.context, http::ClientOptions{"leanbridge/test", true}};
  Network network{client, pool};
  Config config;

  Service() {
    for (Endpoint Config::*endpoint : {&Config::leansearch, &Config::loogle, &Config::leanexplore,
                                       &Config::leanfinder, &Config::state_search, &Config::hammer})
      config.*endpoint = Endpoint{server.url() + "/path", false};
    config.leanexplore.url = server.url() + "/api/v2";
  }
  void answer(const std::string& name, int status = 200, http::Headers headers = {}) {
    server.answer(HttpReply{status, fixture(name), std::move(headers)});
  }
  Outcome<Found> ask(Backend& backend, std::string text, std::size_t limit = 10,
                     std::vector<std::string> packages = {}, io::CancelScope scope = patient()) {
    Question question;
    question.text = std::move(text);
    question.limit = limit;
    question.packages = std::move(packages);
    return loop.run(backend.ask(std::move(question), std::move(scope)));
  }
  Found found(Backend& backend, std::string text, std::size_t limit = 10,
              std::vector<std::string> packages = {}) {
    auto outcome = ask(backend, std::move(text), limit, std::move(packages));
    INFO((outcome ? "" : outcome.error().message));
    REQUIRE(outcome);
    return std::move(*outcome);
  }
  Problem problem(Backend& backend, std::string text = "⊢ True", io::CancelScope scope = patient()) {
    auto outcome = ask(backend, std::move(text), 10, {}, std::move(scope));
    REQUIRE_FALSE(outcome);
    CHECK_FALSE(outcome.error().message.empty());
    return outcome.error();
  }
  const HttpRequest& last() { return server.requests().back(); }
};

inline std::vector<std::string> names(const Found& found) {
  std::vector<std::string> all;
  for (const Theorem& hit : found.hits) all.push_back(hit.name);
  return all;
}

using Names = std::vector<std::string>;

}  // namespace leanbridge::search

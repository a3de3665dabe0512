// Loogle: constants, parts of names, and patterns of types.

#include "loogle_answer.hpp"
#include "remote.hpp"

namespace leanbridge::search {

namespace {

class Loogle final : public Backend {
 public:
  Loogle(Network network, const Config& config) : remote_(network, "Loogle", config.loogle, config.offline) {}
  std::string_view name() const override { return "loogle"; }
  bool remote() const override { return true; }
  std::optional<std::string> disabled_because() const override { return remote_.disabled_because(); }

  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override {
    const std::string query = loogle_query(question.text);
    if (query.empty())
      co_return tl::unexpected(problem(Failure::Invalid, "Loogle was asked an empty query."));
    const std::string url = remote_.url() + "?q=" + http::percent_encode(query);
    const auto body = co_await remote_.get(url, std::move(scope));
    if (!body) co_return tl::unexpected(body.error());
    co_return read_loogle_answer(*body, question, remote_.title());
  }

 private:
  Remote remote_;
};

}  // namespace

std::unique_ptr<Backend> make_loogle(Network network, const Config& config) {
  return std::make_unique<Loogle>(network, config);
}

}  // namespace leanbridge::search

#pragma once
/// Requests to a service on the network.

#include "backend_error.hpp"
#include "http/client.hpp"
#include "read_hits.hpp"
#include "search/sources/backends.hpp"

namespace leanbridge::search {

/// A service on the network.
class Remote {
 public:
  /// `title` is its display name: "Lean Finder".
  Remote(Network network, std::string title, Endpoint endpoint, bool offline)
      : network_(network), title_(std::move(title)), endpoint_(std::move(endpoint)), offline_(offline) {}

  const std::string& title() const { return title_; }
  const std::string& url() const { return endpoint_.url; }
  /// Whether it is the public service, which has rate limits.
  bool is_default() const { return endpoint_.is_default; }
  std::optional<Problem> disabled_because() const;

  asio::awaitable<Outcome<nlohmann::json>> get(std::string url, io::CancelScope scope) const;
  asio::awaitable<Outcome<nlohmann::json>> post(nlohmann::json body, io::CancelScope scope) const;
  /// Adds a header, for example for an API key.
  void add_header(std::string name, Secret value) {
    endpoint_.headers.emplace_back(std::move(name), std::move(value));
  }

 private:
  asio::awaitable<Outcome<nlohmann::json>> call(http::Request request, io::CancelScope scope) const;
  asio::awaitable<Outcome<nlohmann::json>> read(std::string body, io::CancelScope scope) const;
  Problem without_secrets(Problem problem) const;

  Network network_;
  std::string title_;
  Endpoint endpoint_;
  bool offline_;
};

/// A backend, or an Explore, that asks such a service.
template <class Base>
class RemoteBackend : public Base {
 public:
  /// `name` must be a literal.
  RemoteBackend(std::string_view name, Remote remote) : remote_(std::move(remote)), name_(name) {}
  std::string_view name() const override { return name_; }
  bool remote() const override { return true; }
  bool is_shared() const override { return remote_.is_default(); }
  std::string identity() const override { return remote_.url(); }
  std::optional<Problem> disabled_because() const override { return remote_.disabled_because(); }

 protected:
  Remote remote_;

 private:
  std::string_view name_;
};

}  // namespace leanbridge::search

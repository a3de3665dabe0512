#pragma once
/// Shared by the network backends: requests to an endpoint, and reading the JSON answers.

#include "leanbridge/base/json.hpp"
#include "leanbridge/http/client.hpp"
#include "leanbridge/search/backends.hpp"

#include "backend_error.hpp"

namespace leanbridge::search {

/// A service on the network.
class Remote {
 public:
  /// `title` is its display name: "Lean Finder".
  Remote(Network network, std::string title, Endpoint endpoint, bool offline)
      : network_(network), title_(std::move(title)), endpoint_(std::move(endpoint)), offline_(offline) {}

  const std::string& title() const { return title_; }
  const std::string& url() const { return endpoint_.url; }
  /// The public service, which has rate limits.
  bool is_default() const { return endpoint_.is_default; }
  std::optional<std::string> disabled_because() const;
  /// On another machine, which must not be contacted.
  bool is_offline() const { return endpoint_.enabled && disabled_because().has_value(); }

  asio::awaitable<Outcome<nlohmann::json>> get(std::string url, io::CancelScope scope) const;
  asio::awaitable<Outcome<nlohmann::json>> post(std::string url, nlohmann::json body,
                                                io::CancelScope scope) const;
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

/// A backend that asks such a service.
class RemoteBackend : public Backend {
 public:
  /// `name` must be a literal.
  RemoteBackend(std::string_view name, Remote remote) : remote_(std::move(remote)), name_(name) {}
  std::string_view name() const override { return name_; }
  bool remote() const override { return true; }
  bool is_shared() const override { return remote_.is_default(); }
  std::string identity() const override { return remote_.url(); }
  std::optional<std::string> disabled_because() const override { return remote_.disabled_because(); }
  bool is_offline() const override { return remote_.is_offline(); }

 protected:
  Remote remote_;

 private:
  std::string_view name_;
};

// --- reading answers, in which any field may be missing, null or of another type

/// text_member(), trimmed.
std::string trimmed_text(const nlohmann::json& object, const char* key);
/// The first of these that is a non-empty text.
std::string first_text(const nlohmann::json& object, std::initializer_list<const char*> keys);
std::optional<double> number(const nlohmann::json& object, const char* key);
/// `score`, else the negated `distance`: larger is better.
std::optional<double> score_of(const nlohmann::json& item);
std::uint32_t line_number(const nlohmann::json& object, const char* key);
/// A name, given as a string or as a list of components (strings or integers).
std::string dotted(const nlohmann::json& object, const char* key);
/// null if it is missing.
const nlohmann::json& member(const nlohmann::json& object, const char* key);
/// An item of any of these services, or only its name; without a name for what is none.
Hit read_hit(const nlohmann::json& item);
std::vector<std::string> strings(const nlohmann::json& object, const char* key);

/// Whether a module is in one of the packages, written with dots or slashes. True for unknown modules.
bool in_packages(const std::string& module, const std::vector<std::string>& packages);
/// Removes hits without a name or outside the packages, and applies the limit.
void narrow(Found& found, const Question& question);
/// How many results to request so that enough remain after narrow(); at most `max`.
std::size_t wanted(const Question& question, std::size_t max);

}  // namespace leanbridge::search

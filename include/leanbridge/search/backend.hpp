#pragma once
/// The one interface of everything that finds theorems: services on the network, programs, and our own index.

#include "leanbridge/base/enum_names.hpp"
#include "leanbridge/io/condition.hpp"

#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::search {

/// What a backend found. Fields that it does not give are empty.
struct Hit {
  std::string name;    ///< full name
  std::string kind;    ///< "theorem", "def", ...
  std::string type;    ///< the type or the signature after the name, as the backend gives it, trimmed
  std::string module;  ///< dotted
  std::string docstring;
  std::string informal_name;
  std::string informal;         ///< description in prose
  std::string file;             ///< path or URL of the source
  std::uint32_t line = 0;       ///< 1-based; 0: not known
  std::optional<double> score;  ///< the backend's own, larger is better; only its order is comparable
  std::string id;               ///< the backend's own key (LeanExplore), else ""
};

/// One question, in the form that this backend wants (see query.hpp for how forms are made).
struct Question {
  std::string text;
  std::size_t limit = 10;
  std::vector<std::string> packages;  ///< only modules that start with one of these; empty: all
  std::string
      version;  ///< of the data, where a backend has several (Lean Finder, State Search); "": its default
};

/// An answer with no hits is an answer: nothing was found.
struct Found {
  std::vector<Hit> hits;                 ///< best first
  std::vector<std::string> suggestions;  ///< other questions that the backend proposes
  std::string note;                      ///< such as the data version that was searched
  std::optional<std::size_t> total;      ///< how many there are in all, where it is said
};

/// The classes of failure, each with one policy (docs/search.md).
enum class Failure {
  Timeout,      ///< no answer in time: one retry, then fall back
  Unavailable,  ///< DNS, connection, TLS, 502, 503, 504, 429, a crashed worker: fall back at once
  Invalid,      ///< the question is wrong: reported with suggestions, never retried
  ServerError,  ///< 500, unreadable or wrongly shaped: reported
  Auth,         ///< 401, 403: reported, never cached
  Cancelled,
};
wire::Names<Failure> names_of(Failure);

struct Problem {
  Failure failure = Failure::ServerError;
  std::string message;  ///< one sentence, without secrets
  std::string hint;
  std::vector<std::string> suggestions;
  std::optional<std::chrono::milliseconds> retry_after;  ///< not to be asked again before
  int http_status = 0;                                   ///< of the answer that says so; 0: there was none
  bool rate_limited = false;                             ///< 429, or our own limit
};

/// As a tool reports it: backend_unavailable, rate_limited, invalid_argument, ...
Error to_error(const Problem& problem);

template <class T>
using Outcome = tl::expected<T, Problem>;

/// Belongs to the loop's thread; what blocks is done elsewhere by the implementation.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;  ///< "leansearch", "loogle", ...
  virtual bool remote() const = 0;            ///< asks the network
  /// Whether it can be asked as configured; else why not ("no API key").
  virtual std::optional<std::string> disabled_because() const { return std::nullopt; }
  /// What of its configuration changes its answers, for the key of the cache: URL, version. No secrets.
  virtual std::string identity() const { return {}; }
  /// At the address that everybody shares: its limits are kept. False for one's own.
  virtual bool is_shared() const { return false; }
  virtual asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) = 0;
};

/// An answer as the cache keeps it.
nlohmann::json to_json(const Found& found);
/// nullopt for JSON that another version or program has written.
std::optional<Found> found_from_json(const nlohmann::json& value);

// --- LeanExplore, by its service or its data on this disk: besides search, statements by id and what they
// rest on

/// One statement. Both versions of LeanExplore are brought into this form, which is the first version's.
struct ExploreItem {
  std::optional<std::int64_t> id;  ///< nothing: only the name is known
  std::string name;
  std::string source_file;  ///< "Mathlib/Data/Nat/Basic.lean"
  std::uint32_t line = 0;   ///< 1-based; 0: not known
  std::string statement;
  std::optional<std::string> docstring;
  std::optional<std::string> informal;
};

struct ExploreAnswer {
  std::vector<std::string> packages_applied;
  std::vector<ExploreItem> items;  ///< best first
  std::size_t candidates = 0;      ///< that were looked at, where it is said; else as many as items
  std::string note;                ///< the version of the data
};

class Explore : public Backend {
 public:
  virtual asio::awaitable<Outcome<ExploreAnswer>> search(Question question, io::CancelScope scope) = 0;
  /// Nothing: there is no such id.
  virtual asio::awaitable<Outcome<std::optional<ExploreItem>>> get_by_id(std::int64_t id,
                                                                         io::CancelScope scope) = 0;
  virtual asio::awaitable<Outcome<std::optional<std::vector<ExploreItem>>>> get_dependencies(
      std::int64_t id, io::CancelScope scope) = 0;
  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override;
};

/// LeanExplore's ResultItem, as its first MCP server gave it.
nlohmann::json to_result_item(const ExploreItem& item);

Hit to_hit(const ExploreItem& item);

}  // namespace leanbridge::search

#pragma once
/// The interface of everything that finds theorems: network services, local programs, and the local index.

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

/// What a source is, whoever runs it.
enum class SourceKind {
  Local,        ///< the local index
  ProofSearch,  ///< Lean's own search for a goal
  LeanSearch,
  Loogle,  ///< its order is not by relevance
  LeanExplore,
  LeanFinder,
  StateSearch,
  Hammer,
  Other,
};
/// Of "loogle", "loogle_local", and "loogle@team", a tool of another MCP server, alike Loogle.
SourceKind source_kind(std::string_view source);

/// The names of what is no backend.
inline constexpr const char* kLocal = "local";
inline constexpr const char* kProofSearch = "exact?";

/// What a source is asked with.
enum class QuestionForm { Phrase, Loogle, Goal };
QuestionForm question_form(SourceKind kind);

/// A search result. Fields that the backend does not provide are empty.
struct Hit {
  std::string name;    ///< full name
  std::string kind;    ///< "theorem", "def", ...
  std::string type;    ///< the type, or the signature after the name, as the backend returns it, trimmed
  std::string module;  ///< dotted
  std::string docstring;
  std::string informal_name;
  std::string informal;         ///< description in prose
  std::string file;             ///< path or URL of the source
  std::uint32_t line = 0;       ///< 1-based; 0: unknown
  std::optional<double> score;  ///< the backend's own; larger is better; only the order is meaningful
  std::string id;               ///< the backend's own key (LeanExplore), else ""
  bool printed = false;         ///< leanbridge printed the type from compiled data; may be shorter
  std::string why;              ///< what the score of the local index consists of, for people
  double fit = 0;               ///< how well the type fits the pattern (index::TypePatterns); 0: unknown
};

/// A query in the form that this backend takes; query.hpp makes the forms.
struct Question {
  std::string text;
  std::size_t limit = 10;
  std::vector<std::string> packages;  ///< only modules that start with one of these; empty: all
  std::string version;                ///< of the data, for Lean Finder and State Search; "": the default
};

/// An answer without hits is valid: nothing was found.
struct Found {
  std::vector<Hit> hits;                 ///< best first
  std::vector<std::string> suggestions;  ///< queries that the backend proposes instead
  std::string note;                      ///< such as the version of the searched data
  std::optional<std::size_t> total;      ///< number of all matches, if the backend reports it
  bool partial = false;                  ///< not everything was searched
  bool closes_goal = false;              ///< the first hit does, says Lean; not cached
};

/// The classes of failure, each with one policy (docs/search.md).
enum class Failure {
  Timeout,      ///< no answer in time: one retry, then fall back
  Unavailable,  ///< DNS, connection, TLS, 429, 502, 503, 504, a crashed worker: fall back at once
  Invalid,      ///< the query is wrong: reported with suggestions, never retried
  ServerError,  ///< 500, unreadable or malformed: reported
  Auth,         ///< 401, 403: reported, never cached
  Cancelled,
};
wire::Names<Failure> names_of(Failure);

struct Problem {
  Failure failure = Failure::ServerError;
  std::string message;  ///< one sentence, without secrets
  std::string hint;
  std::vector<std::string> suggestions;
  std::optional<std::chrono::milliseconds> retry_after;  ///< do not ask again before
  int http_status = 0;                                   ///< of the response; 0: none
  bool rate_limited = false;                             ///< 429, or our own limit
};

/// As tools report it: backend_unavailable, rate_limited, invalid_argument, ...
Error to_error(const Problem& problem);

template <class T>
using Outcome = tl::expected<T, Problem>;

/// Belongs to the loop's thread. Implementations must block elsewhere.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;  ///< "leansearch", "loogle", ...
  virtual bool remote() const = 0;            ///< uses the network
  /// Why it cannot be used as configured ("no API key"); nullopt: it can.
  virtual std::optional<std::string> disabled_because() const { return std::nullopt; }
  /// Disabled only because it is on another machine, which the configuration forbids to contact.
  virtual bool is_offline() const { return false; }
  /// The part of its configuration that affects answers (URL, version), for cache keys. No secrets.
  virtual std::string identity() const { return {}; }
  /// True for a public service, whose rate limits apply; false for a private one.
  virtual bool is_shared() const { return false; }
  virtual asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) = 0;
};

/// An answer as stored in the cache.
nlohmann::json to_json(const Found& found);
/// nullopt for JSON written by another version or program.
std::optional<Found> found_from_json(const nlohmann::json& value);

// --- LeanExplore, the service or local data: search, statements by id, and their dependencies

/// A statement. Both versions of LeanExplore are converted to this form, that of the first version.
struct ExploreItem {
  std::optional<std::int64_t> id;  ///< nullopt: only the name is known
  std::string name;
  std::string source_file;  ///< "Mathlib/Data/Nat/Basic.lean"
  std::uint32_t line = 0;   ///< 1-based; 0: unknown
  std::string statement;
  std::optional<std::string> docstring;
  std::optional<std::string> informal;
};

struct ExploreAnswer {
  std::vector<std::string> packages_applied;
  std::vector<ExploreItem> items;  ///< best first
  std::size_t candidates = 0;      ///< number considered, if reported; else the number of items
  std::string note;                ///< the version of the data
  bool partial = false;            ///< not everything was searched
};

class Explore : public Backend {
 public:
  virtual asio::awaitable<Outcome<ExploreAnswer>> search(Question question, io::CancelScope scope) = 0;
  /// nullopt: no such id.
  virtual asio::awaitable<Outcome<std::optional<ExploreItem>>> get_by_id(std::int64_t id,
                                                                         io::CancelScope scope) = 0;
  virtual asio::awaitable<Outcome<std::optional<std::vector<ExploreItem>>>> get_dependencies(
      std::int64_t id, io::CancelScope scope) = 0;
  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override;
};

/// LeanExplore's ResultItem, as its first MCP server writes it: without what is not known.
nlohmann::json to_result_item(const ExploreItem& item);

Hit to_hit(const ExploreItem& item);

}  // namespace leanbridge::search

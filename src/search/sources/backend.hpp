#pragma once
/// The interface of everything that finds theorems: network services, local programs, and the local index.

#include "core/base/enum_names.hpp"
#include "core/io/condition.hpp"
#include "search/index/local_index.hpp"
#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>

#include <chrono>
#include <cstdint>
#include <map>
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

/// Where a field comes from. A higher value replaces a lower one.
enum class Trust { None, Printed, Backend, Index, Lean };

/// A theorem as a source knows it and, once merge() has seen it, as all of them do. Unknown fields are empty.
struct Theorem : index::Match {  // `signature` may also be a type, as the source returns it, trimmed
  std::string informal_name = {};
  std::string informal = {};            ///< description in prose
  std::optional<std::int64_t> id = {};  ///< LeanExplore's
  std::string source_text = {};         ///< the whole declaration (LeanExplore)

  Trust type_from = Trust::None;
  Trust place_from = Trust::None;  ///< module, file, line, kind
  Trust docstring_from = Trust::None;
  std::map<std::string, std::size_t> ranks = {};  ///< source -> 1-based rank in its answer
  bool by_pattern = false;                        ///< Lean itself matched the type: Loogle, exact?
  bool closes_goal = false;                       ///< Lean says so
  bool only_fallback = false;                     ///< only fallbacks found it
  std::optional<bool> in_environment = {};        ///< nullopt: Lean was not asked
  std::vector<std::size_t> found_by = {};         ///< of several phrasings, those that have it, from 1

  double type_score = 0;       ///< the part of the relevance that is the type's, 0..1
  bool type_readable = false;  ///< its notation is known
  double relevance = 0;        ///< 0..1 (docs/search.md)
  double confidence = 0;       ///< 0..1: the relevance, raised by agreeing sources
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
  std::vector<Theorem> hits;                  ///< best first
  std::vector<std::string> suggestions = {};  ///< queries that the backend proposes instead
  std::string note = {};                      ///< such as the version of the searched data
  std::optional<std::size_t> total = {};      ///< number of all matches, if the backend reports it
  bool partial = false;                       ///< not everything was searched

  // What the engine adds:
  std::string source = {};   ///< that has found them
  bool by_pattern = false;   ///< Lean itself has matched their types
  bool closes_goal = false;  ///< the first hit does, says Lean
  bool fallback = false;     ///< they replace those of a source that failed
};

/// The classes of failure, each with one policy (docs/search.md).
enum class Failure {
  Timeout,      ///< no answer in time: one retry, then fall back
  Late,         ///< the search was answered without it: fall back; its answer goes to the cache
  Unavailable,  ///< DNS, connection, TLS, 404, 405, 410, 429, 502 to 504, a crashed worker: fall back at once
  Invalid,      ///< the query is wrong: reported with suggestions, never retried
  ServerError,  ///< 500, unreadable or malformed: reported
  Auth,         ///< 401, 403: reported, never cached
  Cancelled,
  BackendError,  ///< of the local index
  Disabled,      ///< fall back at once
  Offline,       ///< Disabled because it is on another machine
  Skipped,       ///< the query has no form for this source
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

/// Whether another source can answer after this failure.
bool falls_back(const Problem& problem);

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
  /// Why it cannot be used as configured: Disabled, or Offline; nullopt: it can.
  virtual std::optional<Problem> disabled_because() const { return std::nullopt; }
  /// The part of its configuration that affects answers (URL, version), for cache keys. No secrets.
  virtual std::string identity() const { return {}; }
  /// True for a public service, whose rate limits apply; false for a private one.
  virtual bool is_shared() const { return false; }
  virtual asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) = 0;
};

// --- LeanExplore, the service or local data: search, statements by id, and their dependencies

/// Its answers have `id`, `source_text` and `total`, the number of statements considered.
class Explore : public Backend {
 public:
  /// No hit: no such id.
  virtual asio::awaitable<Outcome<Found>> get_by_id(std::int64_t id, io::CancelScope scope) = 0;
  /// Without `total`: no such id. Dependencies of which only the name is known have no id.
  virtual asio::awaitable<Outcome<Found>> get_dependencies(std::int64_t id, io::CancelScope scope) = 0;
};

/// The path of a module's source, relative to the root of its library: `Init/Data/Nat/Basic.lean`.
std::string file_of_module(std::string module);

/// LeanExplore's ResultItem, as its first MCP server writes it: without what is not known.
nlohmann::json to_result_item(const Theorem& theorem);

}  // namespace leanbridge::search

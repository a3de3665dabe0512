#pragma once
/// The interface of all programs and services that find theorems: network services, local programs, and the
/// local index.

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

/// The kind of a source, independent of its provider.
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
/// The kind of a source by its name: "loogle", "loogle_local" and "loogle@team" (a tool of another MCP
/// server) are all of the kind Loogle.
SourceKind source_kind(std::string_view source);

/// The names of sources that are no backends.
inline constexpr const char* kLocal = "local";
inline constexpr const char* kProofSearch = "exact?";

/// The form of the question that a source takes.
enum class QuestionForm { Phrase, Loogle, Goal };
QuestionForm question_form(SourceKind kind);

/// The origin of a field's value. A higher origin replaces a lower one.
enum class Trust { None, Printed, Backend, Index, Lean };

/// A theorem as a source knows it and, after merge(), as all sources do. Unknown fields are empty.
struct Theorem : index::Match {  // `signature` may also be a type, as the source returns it, trimmed
  std::string informal_name = {};
  std::string informal = {};            ///< description in prose
  std::optional<std::int64_t> id = {};  ///< LeanExplore's
  std::string source_text = {};         ///< the whole declaration (LeanExplore)

  Trust type_from = Trust::None;
  Trust place_from = Trust::None;  ///< for module, file, line and kind
  Trust docstring_from = Trust::None;
  std::map<std::string, std::size_t> ranks = {};  ///< source -> 1-based rank in the source's answer
  bool by_pattern = false;                        ///< Lean itself matched the type: Loogle, exact?
  bool closes_goal = false;                       ///< Lean confirmed it
  bool only_fallback = false;                     ///< only fallbacks found it
  std::optional<bool> in_environment = {};        ///< nullopt: Lean was not asked
  std::vector<std::size_t> found_by = {};         ///< the phrasings that found it, if there are several, from
                                                  ///< 1

  double type_score = 0;       ///< the type's part of the relevance, 0..1
  bool type_readable = false;  ///< the type's notation is known
  double relevance = 0;        ///< 0..1 (docs/search.md)
  double confidence = 0;       ///< 0..1: the relevance, raised by agreeing sources
};

/// A query in the form of this backend; query.hpp makes the forms.
struct Question {
  std::string text;
  std::size_t limit = 10;
  std::vector<std::string> packages;  ///< only modules that begin with one of these; empty: all
  std::string version;                ///< the version of the data, for Lean Finder and State Search; "": the
                                      ///< default
};

/// An answer. An answer without hits is valid: nothing was found.
struct Found {
  std::vector<Theorem> hits;                  ///< best first
  std::vector<std::string> suggestions = {};  ///< queries that the backend suggests instead
  std::string note = {};                      ///< a note, such as the version of the searched data
  std::optional<std::size_t> total = {};      ///< number of all matches, if the backend reports it
  bool partial = false;                       ///< not everything was searched

  // The engine fills in the following members.
  std::string source = {};   ///< the source of the hits
  bool by_pattern = false;   ///< Lean itself has matched their types
  bool closes_goal = false;  ///< Lean says that the first hit does
  bool fallback = false;     ///< they replace the hits of a source that failed
};

/// The classes of failure, each with one policy (docs/search.md).
enum class Failure {
  Timeout,      ///< no answer in time: retry once, then fall back
  Late,         ///< the search was answered without it: fall back; the late answer goes to the cache
  Unavailable,  ///< DNS, connection, TLS, 404, 405, 410, 429, 502 to 504, a crashed worker: fall back at once
  Invalid,      ///< the query is invalid: reported with suggestions, never retried
  ServerError,  ///< 500, unreadable or malformed: reported
  Auth,         ///< 401, 403: reported, never cached
  Cancelled,
  BackendError,  ///< an error of the local index
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
  std::optional<std::chrono::milliseconds> retry_after;  ///< do not ask again before this time has passed
  int http_status = 0;                                   ///< of the response; 0: none
  bool rate_limited = false;                             ///< by a status 429, or by our own limit
};

/// Whether another source can answer after this failure.
bool falls_back(const Problem& problem);

/// The error that tools report: backend_unavailable, rate_limited, invalid_argument, ...
Error to_error(const Problem& problem);

template <class T>
using Outcome = tl::expected<T, Problem>;

/// Belongs to the loop's thread. Implementations must block only on other threads.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;  ///< "leansearch", "loogle", ...
  virtual bool remote() const = 0;            ///< uses the network
  /// Why its configuration forbids using it: Disabled, or Offline; nullopt: it may be used.
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
  /// An answer without hits means that there is no such id.
  virtual asio::awaitable<Outcome<Found>> get_by_id(std::int64_t id, io::CancelScope scope) = 0;
  /// An answer without `total` means that there is no such id. Dependencies whose name alone is known have no
  /// id.
  virtual asio::awaitable<Outcome<Found>> get_dependencies(std::int64_t id, io::CancelScope scope) = 0;
};

/// The path of a module's source, relative to the root of its library: `Init/Data/Nat/Basic.lean`.
std::string file_of_module(std::string module);

/// LeanExplore's ResultItem, in the form of its first MCP server, without unknown members.
nlohmann::json to_result_item(const Theorem& theorem);

}  // namespace leanbridge::search

#pragma once
/// One question to every source at once: forms, answers, fallbacks, merge, rank. docs/search.md tells the
/// story.

#include "leanbridge/search/query.hpp"
#include "leanbridge/search/source.hpp"
#include "leanbridge/search/theorem.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::search {

inline constexpr const char* kLocal = "local";  ///< our own index, as a source

struct SearchRequest {
  Query query;
  std::string goal;                  ///< a proof state that is known besides; "" none
  std::vector<std::string> sources;  ///< those to ask; empty: all that have a form of the query
  std::vector<std::string> packages;
  std::size_t limit = 20;
  std::filesystem::path project;  ///< for the local index; may be empty
};

/// The outcome of one source: an answer, a Failure, a failure of the local index, or not asked.
enum class SourceStatus {
  Ok,
  Timeout,
  Unavailable,
  Invalid,
  ServerError,
  Auth,
  Cancelled,
  BackendError,  ///< of the local index
  Internal,      ///< of the local index
  Disabled,
  Skipped,  ///< the query has no form for this source
};
wire::Names<SourceStatus> names_of(SourceStatus);
SourceStatus status_of(Failure failure);

/// How one source did.
struct SourceReport {
  std::string source;
  SourceStatus status = SourceStatus::Ok;
  std::size_t count = 0;
  double ms = 0;
  bool cached = false;
  std::string fallback_for;  ///< the source that it stands in for
  std::string error;
  std::vector<std::string> suggestions;
  std::string note;
};

struct SearchAnswer {
  std::map<std::string, std::string> forms;  ///< what each source was asked
  std::vector<Theorem> results;
  std::vector<SourceReport> sources;
  std::size_t total = 0;  ///< before the limit
};

/// What the local index says to a question for which a source has failed, or the source's own words.
struct OneAnswer {
  Found found;
  std::string source;
  bool cached = false;
  std::string fallback_for;
  std::string problem;  ///< why it fell back
};

/// Looks into the local index.
using LocalFind = std::function<asio::awaitable<Result<index::Matches>>(index::Lookup, io::CancelScope)>;
/// The state of the local index of a project (index::LocalIndex::generation).
using LocalGeneration = std::function<asio::awaitable<std::string>(std::filesystem::path, io::CancelScope)>;

/// The local index as a search uses it. Without a cache each question is a search.
struct LocalSource {
  LocalFind find;
  LocalGeneration generation;
  Cache* cache = nullptr;  ///< needs `generation`
};

class Engine {
 public:
  Engine(std::vector<std::shared_ptr<Source>> sources, LocalSource local);

  /// Asks, and answers at the deadline whatever is missing: nothing here is an error but an unknown source.
  asio::awaitable<Result<SearchAnswer>> search(SearchRequest request, io::CancelScope scope);

  /// One source. Where it fails in a way that the local index can stand in for, that answers: by the type or
  /// the words of `query`. The source's own error, else.
  asio::awaitable<Outcome<OneAnswer>> ask(std::string source, Question question, Query query,
                                          std::filesystem::path project, io::CancelScope scope);

  /// The second half of that: what the index has where `source` has failed with `problem`; the problem itself
  /// where it is none to fall back from, or the query has nothing to look up.
  asio::awaitable<Outcome<OneAnswer>> fall_back(std::string source, Problem problem, Question question,
                                                 Query query, std::filesystem::path project,
                                                 io::CancelScope scope);

  /// null where there is none of that name.
  std::shared_ptr<Source> source(std::string_view name) const;
  const std::vector<std::shared_ptr<Source>>& sources() const { return sources_; }
  /// One more, asked from the next question on.
  void add(std::shared_ptr<Source> source) { sources_.push_back(std::move(source)); }

 private:
  std::vector<std::shared_ptr<Source>> sources_;
  LocalSource local_;
};

/// A failure that another source can make good.
bool falls_back(const Problem& problem);

}  // namespace leanbridge::search

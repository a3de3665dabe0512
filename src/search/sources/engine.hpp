#pragma once
/// Asks all sources at once: forms, answers, fallbacks, merging, ranking. See docs/search.md.

#include "query.hpp"
#include "source.hpp"
#include "theorem.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace leanbridge::search {

inline constexpr Clock::duration kPatience = std::chrono::seconds(3);

/// A source for one search, such as Lean itself about one goal. Neither cached nor replaced by the index if
/// it fails.
struct LiveSource {
  std::string name;
  std::function<asio::awaitable<Outcome<Found>>(io::CancelScope)> ask;
};

struct SearchRequest {
  Query query;
  std::string goal;                  ///< an additional proof state; "": none
  std::set<std::string> excluded;    ///< names that are no results: what the goal itself belongs to
  std::vector<std::string> sources;  ///< sources to ask; empty: all that the query has a form for
  std::vector<std::string> packages;
  std::size_t limit = 20;
  std::filesystem::path project;  ///< for the local index; may be empty
  std::vector<LiveSource> live;   ///< asked as well, if wanted
};

/// The outcome of asking one source.
struct SourceReport {
  std::string source;
  std::optional<Failure> failure;  ///< nullopt: it answered
  std::size_t count = 0;
  double ms = 0;
  bool cached = false;
  std::string fallback_for;  ///< the source that it replaces
  std::string error;
  std::vector<std::string> suggestions;
  std::string note;
  std::optional<LocalForm> form;  ///< of the local index: what it was asked for
  bool partial = false;           ///< not everything was searched
};

/// The sources on one line, for the reader of an answer: "local, loogle (leanfinder late)", "local only
/// (offline)".
std::string searched_line(const std::vector<SourceReport>& reports);

struct SearchAnswer {
  std::map<std::string, std::string> forms;  ///< by source: what it was asked
  std::vector<Theorem> results;
  std::vector<SourceReport> sources;
  std::size_t total = 0;  ///< before the limit
};

/// The answers to several phrasings of one question as one: by the sum of 1 / (1 + rank) over those that have
/// a theorem, then in the order of the answers. Theorem::found_by names them; forms are those of the first.
SearchAnswer merged(std::vector<SearchAnswer> answers, std::size_t limit);

/// The answer of a source, or of the local index in its place.
struct OneAnswer {
  Found found;
  std::string source;
  bool cached = false;
  std::string fallback_for;
  std::string problem;  ///< why the source was replaced
};

/// The local index. Without a cache every question searches it.
struct LocalSource {
  std::function<asio::awaitable<Result<index::Matches>>(index::Lookup, io::CancelScope)> find;
  /// The state of the index of a project (index::LocalIndex::generation).
  std::function<asio::awaitable<std::string>(std::filesystem::path, io::CancelScope)> generation;
  Cache* cache = nullptr;  ///< needs `generation`
};

class Engine {
 public:
  /// `patience`: how long a source may hold up an answer that the local index can give without it.
  Engine(std::vector<std::shared_ptr<Source>> sources, LocalSource local,
         Clock::duration patience = kPatience);

  /// Asks all sources. Answers when all have answered; when `patience` is over and the local index has
  /// answered; or at the deadline with what has arrived. Answers that come later go to the cache. Errors:
  /// InvalidArgument (unknown source), Cancelled.
  asio::awaitable<Result<SearchAnswer>> search(SearchRequest request, io::CancelScope scope) const;

  /// search() for several phrasings of one question at the same time, merged(). Errors: the first of theirs.
  asio::awaitable<Result<SearchAnswer>> search_all(std::vector<SearchRequest> phrasings,
                                                   io::CancelScope scope) const;

  /// Asks one source. If it falls_back(), is not there, or is silent for `patience` and the local index finds
  /// something, the index answers instead, by the type or the words of `query`; otherwise the source's error
  /// is returned.
  asio::awaitable<Outcome<OneAnswer>> ask(std::string source, Question question, Query query,
                                          std::filesystem::path project, io::CancelScope scope) const;

  /// null: no such source.
  std::shared_ptr<Source> source(std::string_view name) const;
  const std::vector<std::shared_ptr<Source>>& sources() const { return sources_; }
  /// Adds a source, used from the next question on.
  void add(std::shared_ptr<Source> source) { sources_.push_back(std::move(source)); }

 private:
  std::vector<std::shared_ptr<Source>> sources_;
  LocalSource local_;
  Clock::duration patience_;
};

}  // namespace leanbridge::search

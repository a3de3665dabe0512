#pragma once
/// Asks all sources at once: makes the forms of the query, collects answers, falls back, merges and ranks.
/// See docs/search.md.

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
  std::set<std::string> excluded;    ///< names to leave out: the goal's own declaration
  std::vector<std::string> sources;  ///< sources to ask; empty: all for which the query has a form
  std::vector<std::string> packages;
  std::size_t limit = 20;
  std::filesystem::path project;  ///< for the local index; may be empty
  std::vector<LiveSource> live;   ///< further sources to ask
};

/// The outcome of asking one source.
struct SourceReport {
  std::string source;
  std::optional<Failure> failure;  ///< nullopt: it answered
  std::string status = "ok";       ///< or the word of `failure`
  std::size_t count = 0;
  double ms = 0;
  bool cached = false;
  std::optional<std::string> fallback_for;  ///< the source that this one replaces
  std::optional<std::string> error;
  std::optional<std::vector<std::string>> suggestions;
  std::optional<std::string> note;
  std::optional<LocalForm> form;  ///< for the local index: the form of its question
  bool partial = false;           ///< not everything was searched

  static wire::Fields fields();
};

/// The sources on one line, for a reader of the answer: "local, loogle (leanfinder late)", "local only
/// (offline)".
std::string searched_line(const std::vector<SourceReport>& reports);

struct SearchAnswer {
  std::map<std::string, std::string> forms;  ///< the text that each source was asked
  std::vector<Theorem> results;
  std::vector<SourceReport> sources;
  std::size_t total = 0;  ///< before applying the limit
};

/// Merges the answers to several phrasings of one question: ordered by the sum of 1 / (1 + rank) over the
/// phrasings that found a theorem, then by the order of the answers. Theorem::found_by lists these phrasings;
/// the forms are those of the first.
SearchAnswer merged(std::vector<SearchAnswer> answers, std::size_t limit);

/// The answer of a source, or of the local index in its place.
struct OneAnswer {
  Found found;
  std::string source;
  bool cached = false;
  std::string fallback_for;
  std::string problem;  ///< why the source was replaced
};

/// The local index. Without a cache, every question searches it.
struct LocalSource {
  std::function<asio::awaitable<Result<index::Matches>>(index::Lookup, io::CancelScope)> find;
  /// Identifies the state of a project's index (index::LocalIndex::generation).
  std::function<asio::awaitable<std::string>(std::filesystem::path, io::CancelScope)> generation;
  Cache* cache = nullptr;  ///< requires `generation`
};

class Engine {
 public:
  /// `patience`: how long a source may delay an answer that the local index can give without it.
  Engine(std::vector<std::shared_ptr<Source>> sources, LocalSource local,
         Clock::duration patience = kPatience);

  /// Asks all sources. Answers when all have answered, when `patience` is over and the local index has
  /// answered, or, at the deadline, with the answers so far. Later answers go to the cache. Errors:
  /// InvalidArgument (unknown source), Cancelled.
  asio::awaitable<Result<SearchAnswer>> search(SearchRequest request, io::CancelScope scope) const;

  /// Runs search() for several phrasings of one question at the same time, and merges the answers. Error: the
  /// first error among them.
  asio::awaitable<Result<SearchAnswer>> search_all(std::vector<SearchRequest> phrasings,
                                                   io::CancelScope scope) const;

  /// Asks one source. The index answers instead, by the type or the words of `query`, if the source
  /// falls_back() or does not exist, or if it is silent for `patience` and the index finds something.
  /// Otherwise the source's error is returned.
  asio::awaitable<Outcome<OneAnswer>> ask(std::string source, Question question, Query query,
                                          std::filesystem::path project, io::CancelScope scope) const;

  /// null: there is no such source.
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

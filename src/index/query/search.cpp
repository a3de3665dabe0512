#include "search.hpp"

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/base/log.hpp"

#include "index/store/cache_files.hpp"
#include "pattern_search.hpp"
#include "question.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace leanbridge::index {

namespace {

constexpr std::size_t kMinCandidates = 60;   // to choose from
constexpr std::size_t kPerExpression = 250;  // candidates per expression and store
// Entries of the full-text index that one search may visit: about 15 ms. For common terms the best answers
// have been found by then. The first two expressions are always tried.
constexpr std::size_t kMaxEntries = 700'000;

/// The candidates for a plan, gathered from the stores. Each name counts once: the first store that has it
/// wins.
class CandidateSet {
 public:
  CandidateSet(const std::vector<std::shared_ptr<Store>>& stores, const QueryPlan& plan, const Filter& filter)
      : stores_(stores), question_(plan), filter_(filter) {}

  void add(const std::string& expression) {
    if (expression.empty() || !asked_.insert(expression).second) return;
    for (const auto& store : stores_) keep(store->matching(expression, filter_, kPerExpression));
  }
  void add_named(const std::vector<std::string>& names) {
    for (const auto& store : stores_) keep(store->named(names));
  }
  void add_containing(std::size_t limit) {
    for (const auto& store : stores_) keep(store->containing(filter_, limit));
  }
  void add_globbed(std::size_t limit) {
    for (const auto& store : stores_) keep(store->globbed(filter_, limit));
  }
  std::size_t size() const { return found_.size(); }
  std::vector<Found> take() { return std::move(found_); }

 private:
  void keep(std::vector<Declaration> declarations) {
    for (Declaration& declaration : declarations) {
      if (!filter_.glob.empty() && !glob_matches(filter_.glob, declaration.name)) continue;
      const std::string name = lower_case(declaration.name);
      const bool has_parts = std::all_of(
          filter_.name_parts.begin(), filter_.name_parts.end(),
          [&](const std::string& part) { return name.find(lower_case(part)) != std::string::npos; });
      if (!has_parts) continue;
      // Several modules may have the same private name.
      if (!seen_.insert(declaration.name + (declaration.is_private ? "\n" + declaration.module : "")).second)
        continue;
      const double score = score_of(declaration, question_);
      found_.push_back({std::move(declaration), score, 0});
    }
  }

  const std::vector<std::shared_ptr<Store>>& stores_;
  const QueryPlan& question_;
  const Filter& filter_;
  std::vector<Found> found_;
  std::unordered_set<std::string> seen_, asked_;
};

// Tries all concepts first, in names and then anywhere; then drops one of them, and then two, least
// informative first. Dropping an informative one finds unrelated declarations, but the score takes care of
// that.
void gather(CandidateSet& candidates, const QueryPlan& plan, std::size_t wanted) {
  std::vector<const Concept*> concepts;
  for (const Concept& one : plan.concepts)
    if (!one.optional) concepts.push_back(&one);
  std::stable_sort(concepts.begin(), concepts.end(),
                   [](const Concept* a, const Concept* b) { return a->weight < b->weight; });
  std::size_t entries = 0;
  const auto add = [&](const std::vector<const Concept*>& some) {
    if (entries > kMaxEntries) return;
    for (const Concept* one : some) entries += one->documents;
    const std::size_t before = candidates.size();
    candidates.add(expression_for(some, "name"));
    if (candidates.size() >= before + wanted) return;
    for (const Concept* one : some) entries += one->documents;
    candidates.add(expression_for(some, ""));
  };
  add(concepts);
  if (candidates.size() >= 2 * wanted) return;
  for (std::size_t i = 0; i < concepts.size() && concepts.size() > 1; ++i) {
    if (candidates.size() >= wanted && i > 1) return;
    auto some = concepts;
    some.erase(some.begin() + static_cast<std::ptrdiff_t>(i));
    add(some);
  }
  for (std::size_t i = 0; i < concepts.size() && concepts.size() > 2; ++i)
    for (std::size_t j = i + 1; j < concepts.size(); ++j) {
      if (candidates.size() >= wanted) return;
      auto some = concepts;
      some.erase(some.begin() + static_cast<std::ptrdiff_t>(j));
      some.erase(some.begin() + static_cast<std::ptrdiff_t>(i));
      add(some);
    }
  for (const Concept* one : concepts)
    if (candidates.size() < wanted) add({one});
}

}  // namespace

Terms Searcher::similar(const std::vector<std::shared_ptr<Store>>& stores, const std::string& word) {
  if (common_terms_.empty())
    for (const auto& store : stores)
      for (std::string& term : store->common_terms()) common_terms_.push_back(std::move(term));
  return similar_terms(word, common_terms_, 4);
}

namespace {

// Sorts, and keeps the best.
void take_best(Matches& matches, std::size_t limit) {
  matches.total = matches.found.size();
  const auto better = [](const Found& a, const Found& b) {
    if (a.score != b.score) return a.score > b.score;
    if (a.declaration.name.size() != b.declaration.name.size())
      return a.declaration.name.size() < b.declaration.name.size();
    return a.declaration.name < b.declaration.name;
  };
  const std::size_t kept = std::min(limit, matches.found.size());
  std::partial_sort(matches.found.begin(), matches.found.begin() + static_cast<std::ptrdiff_t>(kept),
                    matches.found.end(), better);
  matches.found.resize(kept);
}

}  // namespace

Matches Searcher::search(const std::vector<std::shared_ptr<Store>>& stores, const Lookup& lookup) {
  TermStatistics statistics;
  for (const auto& store : stores) statistics.declarations += store->declarations();
  std::unordered_map<std::string, std::size_t> known;
  statistics.documents_with = [&](const std::string& term) {
    const auto [place, is_new] = known.try_emplace(term, 0);
    if (is_new)
      for (const auto& store : stores) place->second += store->documents_with(term);
    return place->second;
  };
  statistics.similar = [&](const std::string& word) { return similar(stores, word); };
  const Filter filter{lookup.glob, lookup.packages, lookup.name_parts};
  Matches matches;
  if (!lookup.patterns.empty()) {
    Lookup of_words = lookup;
    of_words.constants.clear();
    of_words.conclusion.clear();
    PatternMatches fitting =
        search_patterns(stores, lookup, filter, plan_query(of_words, statistics), statistics.documents_with);
    matches.found = std::move(fitting.found);
    matches.bounded = fitting.bounded;
    if (!matches.found.empty()) {
      take_best(matches, lookup.limit);
      return matches;
    }
    matches.nearest = true;
  }
  const QueryPlan plan = plan_query(lookup, statistics);
  CandidateSet candidates(stores, plan, filter);
  if (!plan.name.empty()) candidates.add_named({plan.name});
  const std::size_t wanted = std::max(kMinCandidates, lookup.limit * 2);
  if (plan.concepts.empty() && !(filter.glob.empty() && filter.packages.empty()))
    candidates.add_globbed(std::max(lookup.limit, kPerExpression));
  gather(candidates, plan, wanted);
  if (!filter.name_parts.empty() && candidates.size() < wanted) candidates.add_containing(kPerExpression);

  matches.found = candidates.take();
  take_best(matches, lookup.limit);
  matches.nearest = matches.nearest && !matches.found.empty();
  return matches;
}

using sqlite::Database;

std::shared_ptr<Store> open_to_read(const std::filesystem::path& folder, const std::string& stem,
                                    std::shared_ptr<std::atomic<bool>> stop) {
  const auto path = newest_database(folder, stem);
  if (!path) return nullptr;
  // Immutable ignores a log beside the database: what it reads is then old, but consistent.
  for (const auto mode : {Database::Mode::ReadOnly, Database::Mode::Immutable}) try {
      return std::make_shared<Store>(*path, mode, stop);
    } catch (const sqlite::Failure& failure) {
      log::debug("cannot open index {}: {}", path->string(), failure.what());
    }
  return nullptr;
}

std::shared_ptr<Store> SearchThread::open(const StoreLocation& place) {
  if (place.memory) return place.memory;
  if (place.folder.empty()) return nullptr;
  auto& store = open_[place.stem];
  if (store && store->gone()) store.reset();
  if (store) return store;
  if (const auto bad = unreadable_.find(place.stem);
      bad != unreadable_.end() && newest_database(place.folder, place.stem) == bad->second)
    return nullptr;
  store = open_to_read(place.folder, place.stem, stop_);
  if (!store) missing_.insert(place.stem);
  refresh();
  return store;
}

bool SearchThread::leave_out(const sqlite::Failure& failure,
                             const std::vector<const StoreLocation*>& locations) {
  // Rolling back a batch aborts the statements running on a database in memory; a retry works.
  if (failure.interrupted() && !*stop_) return ++retries_ % 3 != 0;
  if (!failure.damaged() && failure.code() != SQLITE_IOERR && failure.code() != SQLITE_ERROR) return false;
  // SQLite does not say which database failed: check each.
  bool any = false;
  for (const StoreLocation* place : locations) {
    const auto store = open_.find(place->stem);
    if (place->memory || store == open_.end() || !store->second) continue;
    try {
      store->second->check();
    } catch (const sqlite::Failure&) {
      any = true;
      damaged_.insert(place->stem);
      if (const auto path = newest_database(place->folder, place->stem)) unreadable_[place->stem] = *path;
      store->second.reset();
    }
  }
  return any;
}

}  // namespace leanbridge::index

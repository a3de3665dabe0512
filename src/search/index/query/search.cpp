#include "search.hpp"

#include "core/base/ascii.hpp"
#include "core/base/log.hpp"
#include "pattern_search.hpp"
#include "question.hpp"
#include "search/index/store/cache_files.hpp"
#include "signals.hpp"
#include "vocabulary.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace leanbridge::index {

namespace {

constexpr std::size_t kRanked = 1000;  // candidates per store, found by all wordings of a query
constexpr std::size_t kWritten = 500;  // candidates found by its own words, which count for more than the
                                       // vocabulary's
constexpr std::size_t kListed = 250;   // per store, if the query has no words
// The factor for bm25 of declarations that only the vocabulary found. Measured: 1 loses a tenth of the titles
// in Mathlib, and 0.5 as many of the queries in English for Lean's library, whose docstrings are short.
constexpr double kOtherWords = 0.7;
// Of reciprocal ranks (Cormack et al. 2009), and of what counts beside the logarithm of a likelihood.
constexpr double kFusion = 3, kTheoremOdds = 2, kUserOdds = 1, kAsideOdds = -2;

// Sorts the matches, and keeps the best.
void take_best(Matches& matches, std::size_t limit) {
  matches.total = matches.found.size();
  const auto better = [](const Match& a, const Match& b) {
    return std::tuple(-a.score, a.name.size(), std::string_view(a.name)) <
           std::tuple(-b.score, b.name.size(), std::string_view(b.name));
  };
  const std::size_t kept = std::min(limit, matches.found.size());
  std::partial_sort(matches.found.begin(), matches.found.begin() + static_cast<std::ptrdiff_t>(kept),
                    matches.found.end(), better);
  matches.found.resize(kept);
}

// Adds up the counts of the stores, and remembers the sum for each name.
Count summed(const Stores& stores, std::size_t (Store::*count)(const std::string&) const) {
  const auto known = std::make_shared<std::unordered_map<std::string, std::size_t>>();
  return [&stores, count, known](const std::string& name) {
    const auto [place, is_new] = known->try_emplace(name, 0);
    if (is_new)
      for (const auto& store : stores) place->second += (*store.*count)(name);
    return place->second;
  };
}

/// The candidates for a plan, gathered from the stores. Each name counts once: the first store that has it
/// wins.
class CandidateSet {
 public:
  CandidateSet(const Stores& stores, const QueryPlan& plan, const Filter& filter, Count users,
               const SentenceLikelihood* likelihood)
      : stores_(stores), plan_(plan), filter_(filter), users_(std::move(users)), likelihood_(likelihood) {}

  void add_ranked() {
    const Expression all = expression_of(plan_, Wording::All),
                     written = expression_of(plan_, Wording::Written);
    if (all.text.empty()) return;
    for (const auto& store : stores_) {
      auto ranked = store->best(all.text, filter_, kRanked);
      // The words of a sentence are rarely those of a name, and each expression takes time.
      if (!plan_.is_sentence && written.text != all.text && !written.text.empty())
        add_written(*store, all, written, ranked);
      double best = 0;
      for (const RankedDeclaration& one : ranked) best = std::max(best, one.bm25);
      for (RankedDeclaration& one : ranked) keep(std::move(one), all, best, store.get());
    }
  }
  // Adds the declarations that are found without words.
  template <class Find>
  void add(Find find) {
    for (const auto& store : stores_)
      for (Declaration& declaration : find(*store)) keep({0, std::move(declaration), {}, 0}, {}, 0, nullptr);
  }
  std::size_t size() const { return found_.size(); }
  /// The best candidates, with all their fields.
  Matches take(std::size_t limit) {
    Matches matches;
    if (likelihood_ != nullptr) fuse();
    matches.found = std::move(found_);
    take_best(matches, limit);
    for (Match& match : matches.found) {
      const auto [store, id] = places_.at(key_of(match));
      auto whole = store ? store->by_id(id) : std::nullopt;
      if (whole) static_cast<Declaration&>(match) = std::move(*whole);
    }
    return matches;
  }

 private:
  // Orders the candidates of a sentence by both ranks, that of the words and that of the likelihood, and
  // gives the scores to them in this order.
  void fuse() {
    std::vector<std::size_t> by_words(found_.size());
    std::iota(by_words.begin(), by_words.end(), std::size_t{0});
    std::vector<std::size_t> by_likelihood = by_words, fused = by_words;
    std::ranges::stable_sort(by_words, std::greater(), [&](std::size_t i) { return found_[i].score; });
    std::ranges::stable_sort(by_likelihood, std::greater(), [&](std::size_t i) { return likelihoods_[i]; });
    std::vector<double> sums(found_.size()), scores;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      sums[by_words[i]] += 1 / (kFusion + static_cast<double>(i));
      sums[by_likelihood[i]] += 1 / (kFusion + static_cast<double>(i));
      scores.push_back(found_[by_words[i]].score);
    }
    std::ranges::stable_sort(fused, std::greater(), [&](std::size_t i) { return sums[i]; });
    for (std::size_t i = 0; i < fused.size(); ++i) found_[fused[i]].score = scores[i];
  }
  void add_written(const Store& store, const Expression& all, const Expression& written,
                   std::vector<RankedDeclaration>& ranked) {
    std::map<std::int64_t, double> by_words;
    for (const RankedId& one : store.best_ids(written.text, filter_, kWritten))
      by_words.emplace(one.id, one.bm25);
    for (RankedDeclaration& one : ranked) {
      one.bm25 *= kOtherWords;
      const auto found = by_words.find(one.id);
      if (found == by_words.end()) continue;
      one.bm25 = std::max(one.bm25, found->second);
      by_words.erase(found);
    }
    std::vector<std::int64_t> more;
    for (const auto& [id, bm25] : by_words) more.push_back(id);
    for (RankedDeclaration& one : store.described(all.text, more)) {
      one.bm25 = by_words.at(one.id);
      ranked.push_back(std::move(one));
    }
  }
  // `store` has the rest of the declaration; null: the candidate has all fields.
  void keep(RankedDeclaration candidate, const Expression& expression, double best, const Store* store) {
    const Declaration& declaration = candidate.declaration;
    if (!filter_.glob.empty() && !glob_matches(filter_.glob, declaration.name)) return;
    const std::string name = lower_case(declaration.name);
    const bool has_parts = std::ranges::all_of(filter_.name_parts, [&](const std::string& part) {
      return name.find(lower_case(part)) != std::string::npos;
    });
    if (!has_parts || !places_.try_emplace(key_of(declaration), store, candidate.id).second) return;
    const Standing standing = standing_of(declaration, users_);
    Match& match = found_.emplace_back();
    if (candidate.hits.empty()) {
      match.score = declaration.name == plan_.name ? 1 : score_of(standing) / 2;
    } else {
      const Signals signals = signals_of(candidate, plan_, expression, best, standing);
      match.score = score_of(signals);
      match.why = text_of(signals);
    }
    if (likelihood_ != nullptr) {
      const auto terms = store != nullptr ? store->terms_of(candidate.id) : decltype(store->terms_of(0))();
      likelihoods_.push_back(likelihood_->of(terms.first, terms.second) + kUserOdds * standing.users +
                             (standing.is_theorem ? kTheoremOdds : 0) +
                             (standing.hidden || standing.aside ? kAsideOdds : 0));
    }
    static_cast<Declaration&>(match) = std::move(candidate.declaration);
  }

  const Stores& stores_;
  const QueryPlan& plan_;
  const Filter& filter_;
  const Count users_;
  const SentenceLikelihood* const likelihood_;  ///< of a sentence; else null
  std::vector<Match> found_;
  std::vector<double> likelihoods_;  ///< of the candidates, with a likelihood
  std::unordered_map<std::string, std::pair<const Store*, std::int64_t>> places_;  ///< by key
};

}  // namespace

Matches Searcher::search(const Stores& stores, const Lookup& lookup) {
  // Thousands of small questions follow, each of which would lock the file.
  std::vector<std::unique_ptr<sqlite::Transaction>> reading;
  for (const auto& store : stores) reading.push_back(store->reading());
  TermStatistics statistics;
  for (const auto& store : stores) statistics.declarations += store->declarations();
  statistics.documents_with = summed(stores, &Store::documents_with);
  statistics.meanings = [&](const std::string& word) {
    std::vector<Meaning> all;
    for (const auto& store : stores)
      for (Meaning& meaning : store->meanings(word)) all.push_back(std::move(meaning));
    return all;
  };
  statistics.similar = [&](const std::string& word) {
    if (common_terms_.empty())
      for (const auto& store : stores)
        for (std::string& term : store->common_terms()) common_terms_.push_back(std::move(term));
    return similar_terms(word, common_terms_, 4);
  };
  const Count users = summed(stores, &Store::users);
  const Filter filter{lookup.glob, lookup.packages, lookup.name_parts};
  bool bounded = false;
  if (!lookup.patterns.empty()) {
    Matches matches = search_patterns(stores, lookup, filter, users, statistics.documents_with);
    take_best(matches, lookup.limit);
    if (!matches.found.empty()) return matches;
    bounded = matches.bounded;
  }
  const QueryPlan plan = plan_query(lookup, statistics);
  std::optional<SentenceLikelihood> likelihood;
  if (plan.is_sentence) {
    Terms words = prose_terms(lookup.words);
    std::erase_if(words, std::not_fn(is_informative));
    likelihood.emplace(words, statistics.meanings);
  }
  CandidateSet candidates(stores, plan, filter, users, likelihood ? &*likelihood : nullptr);
  if (!plan.name.empty()) candidates.add([&](const Store& store) { return store.named({plan.name}); });
  if (plan.concepts.empty() && !(filter.glob.empty() && filter.packages.empty()))
    candidates.add(
        [&](const Store& store) { return store.globbed(filter, std::max(lookup.limit, kListed)); });
  candidates.add_ranked();
  if (!filter.name_parts.empty() && candidates.size() < kListed)
    candidates.add([&](const Store& store) { return store.containing(filter, kListed); });
  Matches matches = candidates.take(lookup.limit);
  matches.bounded = bounded;
  matches.nearest = !lookup.patterns.empty() && !matches.found.empty();
  return matches;
}

using sqlite::Database;

std::shared_ptr<Store> open_to_read(const std::filesystem::path& folder, const std::string& stem,
                                    std::shared_ptr<std::atomic<bool>> stop) {
  const auto path = newest_database(folder, stem);
  if (!path) return nullptr;
  // Immutable mode ignores a log beside the database: the data is then old, but consistent.
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
  // SQLite does not tell which database failed, so check each.
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

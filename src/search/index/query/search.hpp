#pragma once
/// Searches several stores at once, and keeps open databases and term statistics between searches.

#include "search/index/store/store.hpp"
#include "words.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::index {

/// Searches on one thread. Caches the common terms until forget_terms(). Throws Failure.
class Searcher {
 public:
  Matches search(const Stores& stores, const Lookup& lookup);
  void forget_terms() { common_terms_.clear(); }

 private:
  std::vector<std::string> common_terms_;
};

/// The location of a store: the newest database of a stem, or memory.
struct StoreLocation {
  std::filesystem::path folder;
  std::string stem;
  std::shared_ptr<Store> memory;
};

/// Opens the newest database of the stem, even in a read-only folder; null if none can be read.
std::shared_ptr<Store> open_to_read(const std::filesystem::path& folder, const std::string& stem,
                                    std::shared_ptr<std::atomic<bool>> stop);

/// The state of the search thread. Only that thread uses it.
class SearchThread {
 public:
  explicit SearchThread(std::shared_ptr<std::atomic<bool>> stop) : stop_(std::move(stop)) {}

  /// Runs `work` on the existing stores among `locations`. A store that turns out to be damaged is reported
  /// by take_damaged(), and `work` runs again without it.
  template <class Work>
  auto with(const std::vector<StoreLocation>& locations, Work work) {
    for (;;) {
      std::vector<std::shared_ptr<Store>> stores;
      std::vector<const StoreLocation*> of;
      for (const StoreLocation& place : locations)
        if (auto store = open(place)) {
          stores.push_back(std::move(store));
          of.push_back(&place);
        }
      try {
        return work(stores, searcher_);
      } catch (const sqlite::Failure& failure) {
        if (!leave_out(failure, of)) throw;
      }
    }
  }

  /// Drops the cached terms. Call it after a change of a database.
  void refresh() {
    searcher_.forget_terms();
    ++refreshed_;
  }
  /// How often refresh() was called.
  std::uint64_t refreshed() const { return refreshed_; }
  /// The stems that were found damaged since the last call.
  std::set<std::string> take_damaged() { return std::exchange(damaged_, {}); }
  /// The stems for which no readable database was found since the last call.
  std::set<std::string> take_missing() { return std::exchange(missing_, {}); }

 private:
  std::shared_ptr<Store> open(const StoreLocation& place);
  bool leave_out(const sqlite::Failure& failure, const std::vector<const StoreLocation*>& locations);

  std::shared_ptr<std::atomic<bool>> stop_;
  std::map<std::string, std::shared_ptr<Store>> open_;
  std::set<std::string> damaged_, missing_;
  std::map<std::string, std::filesystem::path> unreadable_;  // damaged databases, by stem: never reopened
  Searcher searcher_;
  int retries_ = 0;
  std::uint64_t refreshed_ = 0;
};

}  // namespace leanbridge::index

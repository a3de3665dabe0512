#pragma once
/// Searching several stores at once, and what the searching thread keeps between questions: open databases,
/// and what it knows of their terms.

#include "index/store/store.hpp"
#include "words.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::index {

/// Searches on one thread; keeps what it has learned of the terms of a store until that changes. Throws
/// Failure.
class Searcher {
 public:
  Matches search(const std::vector<std::shared_ptr<Store>>& stores, const Lookup& lookup);
  void forget_terms() { common_terms_.clear(); }

 private:
  Terms similar(const std::vector<std::shared_ptr<Store>>& stores, const std::string& word);

  std::vector<std::string> common_terms_;
};

/// A database to be read: the newest of its stem, or one in memory.
struct StoreLocation {
  std::filesystem::path folder;
  std::string stem;
  std::shared_ptr<Store> memory;
};

/// The newest database of the stem; null where there is none that can be read. A folder that cannot be
/// written is read as it is.
std::shared_ptr<Store> open_to_read(const std::filesystem::path& folder, const std::string& stem,
                                    std::shared_ptr<std::atomic<bool>> stop);

class SearchThread {
 public:
  explicit SearchThread(std::shared_ptr<std::atomic<bool>> stop) : stop_(std::move(stop)) {}

  /// Runs `work` on the stores of `locations` that there are. A store that turns out to be damaged is left out,
  /// named in `damaged`, and `work` runs again on the others.
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

  /// Something was written: what is known of the terms is old.
  void refresh() {
    searcher_.forget_terms();
    ++refreshed_;
  }
  /// How often that was.
  std::uint64_t refreshed() const { return refreshed_; }
  /// Stems that were found damaged since the last call.
  std::set<std::string> take_damaged() { return std::exchange(damaged_, {}); }
  /// Stems of which there was no database that can be read.
  std::set<std::string> take_missing() { return std::exchange(missing_, {}); }

 private:
  std::shared_ptr<Store> open(const StoreLocation& place);
  bool leave_out(const sqlite::Failure& failure, const std::vector<const StoreLocation*>& locations);

  std::shared_ptr<std::atomic<bool>> stop_;
  std::map<std::string, std::shared_ptr<Store>> open_;
  std::set<std::string> damaged_, missing_;
  std::map<std::string, std::filesystem::path> unreadable_;  // databases not to be opened again, by stem
  Searcher searcher_;
  int retries_ = 0;
  std::uint64_t refreshed_ = 0;
};

}  // namespace leanbridge::index

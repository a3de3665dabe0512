#pragma once
/// A Lookup in several stores at once.

#include "index/store/store.hpp"
#include "words.hpp"

#include <memory>
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

}  // namespace leanbridge::index

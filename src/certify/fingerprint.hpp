#pragma once
/// What a statement means, as one hash. Private to this module.

#include "constant_reader.hpp"

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace leanbridge::certify {

/// Hashes statements of a set, which must outlive it. Two constants with the same hash are stated in the same
/// way, and so is everything of the project that they depend on.
class Fingerprints {
 public:
  /// `is_project`: whether a module is the project's. The constants of others count by their names.
  Fingerprints(index::ModuleSet& set, std::function<bool(const index::SetModule&)> is_project);

  /// The SHA-256 of the constant, without its value if it is a theorem, and of every constant of the project
  /// that it depends on. Proofs and names of bound variables do not count. nullopt: damaged.
  std::optional<std::string> of(index::ConstantId id);

 private:
  /// Of the terms that are known, up to this one.
  const std::string& hash_of(TermId id);
  std::string hash_of(const std::string& key, const ConstantTerms& constant);

  index::ModuleSet& set_;
  std::function<bool(const index::SetModule&)> is_project_;
  Terms terms_;
  ConstantReader reader_;
  std::vector<std::string> hashes_;  // by TermId
};

}  // namespace leanbridge::certify

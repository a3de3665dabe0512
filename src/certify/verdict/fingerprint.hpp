#pragma once
/// The meaning of a statement, as one hash. Private to this module.

#include "core/base/error.hpp"
#include "core/olean/constant_reader.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// The dependencies of constants.
struct Dependencies {
  std::vector<std::string> keys;              ///< in the order in which a reader meets them
  std::vector<std::string> boundary;          ///< keys that these mention, but that were not followed
  std::map<std::string, std::string> hashes;  ///< the hash of each of `keys` alone
};

/// Hashes statements of a set, which must outlive it. If two constants have the same hash, they have the same
/// statement, and so do all constants of the project that they depend on. Ignores proofs and names of bound
/// variables.
class Fingerprints {
 public:
  /// `is_project`: whether a module is the project's own. Constants of other modules count by their names.
  Fingerprints(olean::ModuleSet& set, std::function<bool(const olean::SetModule&)> is_project)
      : set_(set), is_project_(std::move(is_project)), reader_(terms_, set) {}

  enum class Scope { Project, Everything };
  /// The constants and their dependencies, through types and, except for theorems, values. Internal: damaged;
  /// NotSupported: too many terms.
  Result<Dependencies> walk(std::vector<std::string> roots, Scope scope);

  /// The SHA-256 of the constant (without its value if it is a theorem) and of every constant of the project
  /// that it depends on. Errors as for walk().
  Result<std::string> of(olean::ConstantId id);

 private:
  struct Node {
    std::string hash;
    std::vector<std::string> mentions;
  };
  Result<const Node*> node(const std::string& key, olean::ConstantId id);
  /// The hash of a term. Computes the hashes of all terms up to this one.
  const std::string& hash_of(olean::TermId id);
  std::string hash_of(const std::string& key, const olean::ConstantTerms& constant);

  olean::ModuleSet& set_;
  std::function<bool(const olean::SetModule&)> is_project_;
  olean::TermTable terms_;
  olean::ConstantReader reader_;
  std::map<std::string, Node> nodes_;
  std::vector<std::string> hashes_;  // by TermId
};

/// The hash of the constants' hashes, and of the `roots` among them.
std::string hash_of(const std::vector<std::string>& roots, const std::map<std::string, std::string>& hashes);

}  // namespace leanbridge::certify

#pragma once
/// Whether a constant means the same in two compiled modules: its type, and every constant that the type
/// depends on, down to the modules that both import. Private to this module.

#include "constant_reader.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// Compares constants of a challenge with those of a solution. Both sets must outlive it.
class Comparison {
 public:
  Comparison(index::ModuleSet& challenge, index::ModuleSet& solution);

  /// Compares the constant in both. nullopt: it means the same. Otherwise the first difference found, as a
  /// clause: "Limit, on which it depends, has another value". Damage shows in the sets.
  std::optional<std::string> difference(const std::string& key);

  /// Reads every term of the solution, so that damage shows wherever it is.
  void read_solution();

 private:
  using KeyPair = std::pair<std::string, std::string>;  // of the challenge, of the solution
  struct Local {
    std::optional<std::string> difference;
    std::vector<KeyPair> depends_on;
  };
  struct Side {
    index::ModuleSet& set;
    ConstantReader reader;
  };

  const Local& local(const KeyPair& keys);
  Local compare(const KeyPair& keys);
  void compare_terms(const ConstantTerms& left, const ConstantTerms& right, TermId a, TermId b,
                     const char* part, Local& result);
  std::optional<std::string> compare_names(TermId a, TermId b, Local& result) const;

  Terms terms_;
  Side challenge_, solution_;
  std::map<KeyPair, Local> known_;
};

}  // namespace leanbridge::certify

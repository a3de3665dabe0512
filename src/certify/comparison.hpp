#pragma once
/// Whether a constant means the same in two compiled modules: its type, and every constant that the type
/// depends on, down to the modules that both import. Private to this module.

#include "terms.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// A constant with its terms in the table.
struct ConstantTerms {
  index::InfoKind kind = index::InfoKind::None;
  std::vector<TermId> level_params;  ///< names, in order
  TermId type = 0;
  std::optional<TermId> value;  ///< of definitions and opaque constants: a proof is not compared
  bool is_unsafe = false;
  bool is_partial = false;
  std::vector<std::string> numbers;  ///< of parameters, indices, fields, ..., as the kind has them
  std::vector<TermId> names;         ///< of the types it belongs to, of its constructors
  std::vector<TermId> rules;         ///< what a recursor computes
};

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
    std::unique_ptr<TermReader> reader;  // of the module itself; imports are the same for both
  };

  const Local& local(const KeyPair& keys);
  Local compare(const KeyPair& keys);
  void compare_terms(const ConstantTerms& left, const ConstantTerms& right, TermId a, TermId b,
                     const char* part, Local& result);
  std::optional<std::string> compare_names(TermId a, TermId b, Local& result) const;
  std::optional<ConstantTerms> read(Side& side, index::ConstantId id);
  std::vector<TermId> name_list(Side& side, index::Ref list);

  Terms terms_;
  Side challenge_, solution_;
  std::map<KeyPair, Local> known_;
};

}  // namespace leanbridge::certify

#pragma once
/// Whether a constant means the same in two compiled modules: its type, and every constant that the type
/// depends on, down to the modules that both import. Private to this module.

#include "constant_reader.hpp"
#include "core/text/missing_proofs.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::olean {

/// The key with which these are in place of others: its own, or that of what it is a part of, as `Foo.mk` is
/// of `Foo`.
std::string renamed_key(const std::map<std::string, std::string>& renamed, const std::string& key);

/// Compares constants of a challenge with those of a solution. Both sets must outlive it.
class Comparison {
 public:
  /// `holes`: keys of definitions of the challenge whose values are for the solution to choose. `renamed`:
  /// keys that the solution has in place of others.
  Comparison(olean::ModuleSet& challenge, olean::ModuleSet& solution, std::set<std::string> holes = {},
             std::map<std::string, std::string> renamed = {});

  /// Compares the constant in both. nullopt: it means the same. Otherwise the first difference found, as a
  /// clause: "Limit, on which it depends, has another value". The holes that it depends on are added to
  /// `filled`; where that is null, a hole is a difference, too. Damage shows in the sets.
  std::optional<std::string> difference(const std::string& key, std::set<std::string>* filled = nullptr);

  enum class Parts { Type, All };
  /// Compares a constant of the challenge with one of the solution by its own words: constants that it
  /// mentions count by their names, and only what Lean has made up for it by what it is. `Type`: its type
  /// alone. The place in the file that Lean notes in a sorry does not count. Use no other comparison of this
  /// object.
  std::optional<std::string> own_difference(const std::string& key, const std::string& other, Parts parts);

  /// Compares the statement of a constant of the solution with `Not` of that of a constant of the challenge,
  /// which is built from the compiled term. Neither may depend on a hole.
  std::optional<std::string> difference_from_negation(const std::string& key, const std::string& negated);

  /// Reads every term of the solution, so that damage shows wherever it is.
  void read_solution();

 private:
  using KeyPair = std::pair<std::string, std::string>;  // of the challenge, of the solution
  struct Local {
    std::optional<std::string> difference;
    std::vector<KeyPair> depends_on;
  };
  struct Side {
    olean::ModuleSet& set;
    ConstantReader reader;
  };

  /// The same about all pairs that are to do; `about` is a key of the challenge.
  std::optional<std::string> first_difference(const std::string& about, std::vector<KeyPair> todo,
                                              std::set<std::string>* filled);
  bool is_hole(const KeyPair& keys) const { return keys.first == keys.second && holes_.contains(keys.first); }
  const Local& local(const KeyPair& keys);
  Local compare(const KeyPair& keys);
  Local compare_origins(olean::ConstantId left, olean::ConstantId right) const;
  /// Why the two cannot say the same, whatever their terms are; "": they may.
  std::string different_shape(const KeyPair& keys, const ConstantTerms& left,
                              const ConstantTerms& right) const;
  Local compare_contents(const KeyPair& keys, olean::ConstantId left_id, olean::ConstantId right_id);
  void compare_terms(const ConstantTerms& left, const ConstantTerms& right, TermId a, TermId b,
                     const char* part, Local& result);
  std::optional<std::string> compare_names(TermId a, TermId b, Local& result) const;
  std::optional<TermId> type_of_sorry(TermId term) const;

  TermTable terms_;
  Side challenge_, solution_;
  std::set<std::string> holes_;
  std::map<std::string, std::string> renamed_;
  bool ignores_places_of_sorries_ = false;
  const std::string sorry_ = key_of(text::kSorryAxiom);
  std::map<KeyPair, Local> known_;
};

/// The name of a constant, in backticks.
std::string quoted(const std::string& key);

}  // namespace leanbridge::olean

#pragma once
/// Whether a constant means the same in two compiled modules: its type, and every constant that the type
/// depends on, down to the modules that both import.

#include "constant_reader.hpp"
#include "core/text/missing_proofs.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::olean {

/// The key that `renamed` puts in place of this one: the new key of the constant itself, or of the constant
/// that it is a part of, as `Foo.mk` is of `Foo`.
std::string renamed_key(const std::map<std::string, std::string>& renamed, const std::string& key);

/// Compares constants of a challenge with those of a solution. Both sets must outlive it.
class Comparison {
 public:
  /// `holes`: keys of definitions of the challenge whose values the solution may choose. `renamed`: the
  /// solution's keys for constants that it has under another name.
  Comparison(olean::ModuleSet& challenge, olean::ModuleSet& solution, std::set<std::string> holes = {},
             std::map<std::string, std::string> renamed = {});

  /// Compares the constant in both. nullopt: it means the same. Otherwise the first difference, as a clause:
  /// "Limit, on which it depends, has another value". Adds the holes that it depends on to `filled`; if that
  /// is null, a hole is a difference, too. Damage shows in the sets.
  std::optional<std::string> difference(const std::string& key, std::set<std::string>* filled = nullptr);

  enum class Parts { Type, All };
  /// Compares a constant of the challenge with one of the solution by its own content. Constants that it
  /// mentions are compared by name, except the ones that Lean has generated for it, which are compared by
  /// content. `Type`: compares only its type. Ignores the place in the file that Lean records in a sorry. Use
  /// no other comparison of this object.
  std::optional<std::string> own_difference(const std::string& key, const std::string& other, Parts parts);

  /// Compares the statement of a constant of the solution with the negation (`Not`) of the statement of a
  /// constant of the challenge, built from the compiled term. Neither may depend on a hole.
  std::optional<std::string> difference_from_negation(const std::string& key, const std::string& negated);

  /// Reads every term of the solution, so that damage shows wherever it is.
  void read_solution();

 private:
  using KeyPair = std::pair<std::string, std::string>;  // key in the challenge, key in the solution
  struct Local {
    std::optional<std::string> difference;
    std::vector<KeyPair> depends_on;
  };
  struct Side {
    olean::ModuleSet& set;
    ConstantReader reader;
  };

  /// The first difference among all pairs that remain to be compared; `about` is a key of the challenge.
  std::optional<std::string> first_difference(const std::string& about, std::vector<KeyPair> todo,
                                              std::set<std::string>* filled);
  bool is_hole(const KeyPair& keys) const { return keys.first == keys.second && holes_.contains(keys.first); }
  const Local& local(const KeyPair& keys);
  Local compare(const KeyPair& keys);
  Local compare_origins(olean::ConstantId left, olean::ConstantId right) const;
  /// Why the two differ, whatever their terms are; "": the terms decide.
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

#pragma once
/// Terms of several modules in one table: equal terms have equal numbers, whichever file and address they
/// come from. Drops names of bound variables and annotations, which the kernel ignores.

#include "module_set.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace leanbridge::olean {

using TermId = std::uint32_t;

enum class TermKind : std::uint8_t {
  // Levels. Zero has no parts; a parameter has its name.
  Zero,
  Succ,
  Max,
  Imax,
  Param,
  // A list of levels: the first one and the rest.
  NoLevels,
  Levels,
  // Expressions.
  Bvar,    // its number
  Sort,    // level
  Const,   // name, levels
  App,     // function, argument
  Lam,     // type, body
  Forall,  // type, body
  Let,     // type, value, body
  Number,  // its digits
  Text,    // its bytes
  Proj,    // name of the structure, number of the field, value
};

struct Term {
  TermKind kind = TermKind::Zero;
  olean::BinderInfo binder = olean::BinderInfo::Explicit;  ///< for Lam and Forall
  TermId a = 0, b = 0, c = 0;  ///< numbers of terms, or of texts where the kind has a name, number, digits or
                               ///< bytes

  friend bool operator==(const Term&, const Term&) = default;
};

/// The kinds of the members `a`, `b` and `c` of a term: 't' for a term, 'x' for a text.
std::string_view parts_of(TermKind kind);

/// The facts that Lean stores in each node of a term and relies on without checking the parts: with wrong
/// facts, a kernel can be made to skip a substitution.
struct TermFacts {
  std::uint32_t loose = 0;  ///< one more than the largest variable that the term does not bind
  bool has_params = false;  ///< it has universe parameters
};

class TermTable {
 public:
  TermId add(const Term& term);
  TermId add_text(std::string text);
  std::size_t size() const { return terms_.size(); }
  const Term& at(TermId id) const { return terms_[id]; }
  const TermFacts& facts(TermId id) const { return facts_[id]; }
  const std::string& text(TermId id) const { return *texts_[id]; }

 private:
  struct Hash {
    std::size_t operator()(const Term& term) const;
  };
  std::unordered_map<Term, TermId, Hash> known_;
  TermFacts facts_of(const Term& term) const;

  std::vector<Term> terms_;
  std::vector<TermFacts> facts_;
  std::unordered_map<std::string, TermId> known_texts_;
  std::vector<const std::string*> texts_;
};

/// The keys of the constants that a term mentions, in the order in which a reader meets them, each once.
std::vector<std::string> constants_in(const TermTable& terms, TermId id);

/// Reads the terms of one module into a table. The module's region reports damage, free variables, terms that
/// contain themselves and wrong facts; terms that are read after that are meaningless.
class TermReader {
 public:
  TermReader(TermTable& terms, olean::SetModule& module) : terms_(terms), module_(module) {}

  /// nullopt: it is damaged.
  std::optional<TermId> expression(olean::Ref ref);
  /// The text of a natural number, in decimal if it is small.
  std::string number(olean::Ref ref);

 private:
  enum class Sort { Level, Expression };
  using Item = std::pair<olean::Ref, Sort>;

  std::unordered_map<olean::Ref, TermId>& known(Sort sort) {
    return sort == Sort::Level ? levels_ : expressions_;
  }
  std::vector<Item> parts_of(const Item& item);
  Term built(const Item& item);
  Term built_level(Ref ref);
  Term built_expression(Ref ref);
  Term built_literal(Ref ref, Ref term);
  TermId built_levels(Ref ref);
  std::vector<olean::Ref> level_list(olean::Ref list);
  TermId part(olean::Ref ref, Sort sort) { return known(sort).at(ref); }
  TermId name(olean::Ref ref);
  /// Compares the facts stored in a node with the facts computed from the term.
  void check_facts(const Item& item, const TermFacts& facts);

  TermTable& terms_;
  olean::SetModule& module_;
  std::unordered_map<olean::Ref, TermId> levels_, expressions_, names_;
  std::size_t name_bytes_ = 0;
};

}  // namespace leanbridge::olean

#pragma once
/// Reads the parts of a constant that decide its meaning.

#include "terms.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::olean {

/// A constant with its terms in the table.
struct ConstantTerms {
  olean::InfoKind kind = olean::InfoKind::None;
  std::vector<TermId> level_params;  ///< names, in order
  TermId type = 0;
  std::optional<TermId> value;  ///< for definitions and opaque constants; for theorems if proofs are read
  bool is_unsafe = false;
  bool is_partial = false;
  std::vector<std::string> numbers;  ///< the counts of parameters, indices, fields and so on that its kind
                                     ///< has
  std::vector<TermId> names;         ///< the types that it belongs to, and its constructors
  std::vector<TermId> rules;         ///< the right sides of a recursor's rules
};

/// Whether to read proofs. A proof does not affect the meaning of the theorem's statement.
enum class Proofs { Leave, Read };

/// Reads constants of a set into a table. Table and set must outlive it. Damage shows in the set.
class ConstantReader {
 public:
  ConstantReader(TermTable& terms, olean::ModuleSet& set) : terms_(terms), set_(set) {}

  /// nullopt: it is damaged.
  std::optional<ConstantTerms> read(olean::ConstantId id, Proofs proofs = Proofs::Leave);
  /// The reader of a module's terms.
  TermReader& terms_of(olean::SetModule& module);

 private:
  std::vector<TermId> name_list(olean::SetModule& module, olean::Ref list);

  TermTable& terms_;
  olean::ModuleSet& set_;
  std::map<const olean::SetModule*, TermReader> readers_;
};

}  // namespace leanbridge::olean

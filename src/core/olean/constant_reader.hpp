#pragma once
/// The parts of a constant that decide what it means. Private to this module.

#include "terms.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::olean {

/// A constant with its terms in the table.
struct ConstantTerms {
  olean::InfoKind kind = olean::InfoKind::None;
  std::vector<TermId> level_params;  ///< names, in order
  TermId type = 0;
  std::optional<TermId> value;  ///< of definitions and opaque constants; of theorems if proofs are read
  bool is_unsafe = false;
  bool is_partial = false;
  std::vector<std::string> numbers;  ///< of parameters, indices, fields, ..., as the kind has them
  std::vector<TermId> names;         ///< of the types it belongs to, of its constructors
  std::vector<TermId> rules;         ///< what a recursor computes
};

/// A proof does not change what a theorem states.
enum class Proofs { Leave, Read };

/// Reads constants of a set into a table. Table and set must outlive it. Damage shows in the set.
class ConstantReader {
 public:
  ConstantReader(TermTable& terms, olean::ModuleSet& set) : terms_(terms), set_(set) {}

  /// nullopt: damaged.
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

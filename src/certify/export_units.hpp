#pragma once
/// The declarations that a kernel is given at once. Private to this module.

#include "leanbridge/base/error.hpp"

#include "constant_reader.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::certify {

inline constexpr auto kQuotients =
    std::to_array<std::string_view>({"Quot", "Quot.mk", "Quot.lift", "Quot.ind"});

/// A constant as an error shows it.
std::string quoted_constant(index::ModuleSet& set, index::ConstantId id);

/// A constant that is alone, the parts of a group of inductive types, or those of the quotient.
struct Unit {
  std::vector<index::ConstantId> types;  ///< of a group, or all of another unit
  std::vector<index::ConstantId> constructors, recursors;
  std::size_t nested = 0;  ///< recursors beyond one for each type

  std::vector<index::ConstantId> members() const;
};

/// Finds what belongs together in a set. Set, table and reader must outlive it.
class Units {
 public:
  Units(index::ModuleSet& set, TermTable& terms, ConstantReader& reader)
      : set_(set), terms_(terms), reader_(reader) {}

  /// The unit of a constant, which has it. NotSupported: its parts disagree about each other.
  Result<Unit> around(index::ConstantId id);

 private:
  tl::unexpected<Error> strange(index::ConstantId id);
  Result<Unit> quotient();
  /// The type of a constructor or recursor.
  Result<index::ConstantId> first_name(index::ConstantId id);
  enum class Part { Types, Constructors };
  /// The part of its group that an inductive type lists.
  Result<std::vector<index::ConstantId>> listed(index::ConstantId type, Part part);
  Result<Unit> group(index::ConstantId first);
  std::optional<index::ConstantId> recursor_of(index::ConstantId type, const std::string& name);

  index::ModuleSet& set_;
  TermTable& terms_;
  ConstantReader& reader_;
};

}  // namespace leanbridge::certify

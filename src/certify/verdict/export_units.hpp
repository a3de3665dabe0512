#pragma once
/// The declarations that a kernel is given at once. Private to this module.

#include "core/base/error.hpp"
#include "core/olean/constant_reader.hpp"

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
std::string quoted_constant(olean::ModuleSet& set, olean::ConstantId id);

/// A constant that is alone, the parts of a group of inductive types, or those of the quotient.
struct Unit {
  std::vector<olean::ConstantId> types;  ///< of a group, or all of another unit
  std::vector<olean::ConstantId> constructors, recursors;
  std::size_t nested = 0;  ///< recursors beyond one for each type

  std::vector<olean::ConstantId> members() const;
};

/// Finds what belongs together in a set. Set, table and reader must outlive it.
class Units {
 public:
  Units(olean::ModuleSet& set, olean::TermTable& terms, olean::ConstantReader& reader)
      : set_(set), terms_(terms), reader_(reader) {}

  /// The unit of a constant, which has it. NotSupported: its parts disagree about each other.
  Result<Unit> around(olean::ConstantId id);

 private:
  tl::unexpected<Error> strange(olean::ConstantId id);
  Result<Unit> quotient();
  /// The type of a constructor or recursor.
  Result<olean::ConstantId> first_name(olean::ConstantId id);
  enum class Part { Types, Constructors };
  /// The part of its group that an inductive type lists.
  Result<std::vector<olean::ConstantId>> listed(olean::ConstantId type, Part part);
  Result<Unit> group(olean::ConstantId first);
  std::optional<olean::ConstantId> recursor_of(olean::ConstantId type, const std::string& name);

  olean::ModuleSet& set_;
  olean::TermTable& terms_;
  olean::ConstantReader& reader_;
};

}  // namespace leanbridge::certify

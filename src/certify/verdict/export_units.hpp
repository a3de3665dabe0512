#pragma once
/// The declarations that a kernel receives together. Private to this module.

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

/// A single constant, the parts of a group of inductive types, or the parts of the quotient.
struct Unit {
  std::vector<olean::ConstantId> types;  ///< the types of a group, or all constants of another unit
  std::vector<olean::ConstantId> constructors, recursors;
  std::size_t nested = 0;  ///< number of recursors beyond one for each type

  std::vector<olean::ConstantId> members() const;
};

/// Finds the constants of a set that belong together. Set, table and reader must outlive it.
class Units {
 public:
  Units(olean::ModuleSet& set, olean::TermTable& terms, olean::ConstantReader& reader)
      : set_(set), terms_(terms), reader_(reader) {}

  /// The unit that contains a constant. NotSupported: its parts contradict each other.
  Result<Unit> around(olean::ConstantId id);

 private:
  tl::unexpected<Error> strange(olean::ConstantId id);
  Result<Unit> quotient();
  /// The type of a constructor or recursor.
  Result<olean::ConstantId> first_name(olean::ConstantId id);
  enum class Part { Types, Constructors };
  /// The parts of its group that an inductive type lists.
  Result<std::vector<olean::ConstantId>> listed(olean::ConstantId type, Part part);
  Result<Unit> group(olean::ConstantId first);
  std::optional<olean::ConstantId> recursor_of(olean::ConstantId type, const std::string& name);

  olean::ModuleSet& set_;
  olean::TermTable& terms_;
  olean::ConstantReader& reader_;
};

}  // namespace leanbridge::certify

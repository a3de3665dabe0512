#pragma once
/// The objects of an `.olean`: a heap image of Lean's runtime, with its addresses in memory.
///
/// | part | content |
/// |---|---|
/// | header | "olean", version, then (2) flags, 33 bytes Lean version, 40 bytes commit, or (1) 42 bytes commit |
/// | base | address of the first byte |
/// | root | address of the module's data |
/// | objects | 8 bytes: reference count (4), size of a constructor (2), its field count (1), tag (1); then: |
/// | constructor | tag 0..244 is its number; the fields, then scalars, widest first |
/// | array | tag 246; size, capacity, elements |
/// | string | tag 249; size including the NUL, capacity, length, bytes |
/// | big number | tag 250; GMP's capacity and signed count (4 bytes each), address of the limbs, limbs |
///
/// With words of 4 bytes, a big number begins with its sign instead of the capacity; its limbs have 4 bytes.
/// A word with the lowest bit set is a number, not an address. Words have 4 or 8 bytes; no field says which.
/// Sources: Lean's src/library/module.cpp, src/runtime/compact.cpp, src/include/lean/lean.h.

#include "core/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::olean {

/// A word of the file: a boxed number if odd, else an address.
using Ref = std::uint64_t;

constexpr bool is_boxed(Ref ref) {
  return (ref & 1U) != 0;
}
constexpr std::uint64_t unboxed(Ref ref) {
  return ref >> 1U;
}
inline constexpr Ref kBoxedZero = 1;

/// An object, checked to lie within its file.
struct Object {
  static constexpr unsigned kArray = 246, kString = 249, kBigNat = 250, kNothing = 255;

  unsigned tag = kNothing;
  std::size_t count = 0;  ///< number of fields of a constructor, elements of an array, or bytes of a string
                          ///< or big number
  std::string_view data;  ///< the bytes of these
  std::string_view scalars;  ///< the scalars of a constructor
};

/// The parts of one module. Reading never fails: damaged data reads as empty, and damage() describes the
/// first damage. Parts point into themselves and into earlier ones. The bytes must outlive the region.
class Region {
 public:
  static Result<Region> open(std::span<const std::string_view> parts);

  std::size_t parts() const { return parts_.size(); }
  Ref root(std::size_t part) const { return parts_[part].root; }
  /// The offset of the base address. The root's address follows, then the first object.
  std::size_t base_at(std::size_t part) const { return parts_[part].base_at; }
  unsigned width() const { return width_; }
  std::size_t bytes() const { return bytes_; }
  const std::string& lean_version() const { return lean_version_; }

  Object object(Ref ref);
  /// An object that must be a constructor. field() checks the field count.
  Object constructor(Ref ref);
  Object array(Ref ref);
  std::string_view string(Ref ref);
  /// The i-th field or element; kBoxedZero if missing.
  Ref field(const Object& object, std::size_t i);

  /// The first damage found; "": none so far.
  const std::string& damage() const { return damage_; }
  void damaged(std::string_view what, Ref where);

 private:
  struct Part {
    std::string_view bytes;
    Ref base = 0;
    Ref root = 0;
    std::size_t base_at = 0;
  };

  bool read_header(std::string_view bytes, std::size_t base_at, unsigned width, Part& part) const;
  bool looks_like_module(const Part& part, unsigned width) const;
  Result<void> add(std::string_view bytes);
  Ref word(std::string_view bytes, std::size_t at) const;

  std::vector<Part> parts_;
  unsigned width_ = 0;
  std::size_t bytes_ = 0;
  std::string lean_version_;
  std::string damage_;
};

}  // namespace leanbridge::olean

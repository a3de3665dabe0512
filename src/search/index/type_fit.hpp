#pragma once
/// How well types fit patterns by their shape, up to notation, instances, names of variables, and hypotheses.
/// Pure; any thread.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::index {

/// From kWholeFit on, the conclusion fits as a whole; 1 means that only names differ. From kPartFit on, a
/// part fits.
inline constexpr double kWholeFit = 0.74;
inline constexpr double kPartFit = 0.4;

/// Patterns as in Lookup::patterns, for comparison with types that Lean or a service prints.
class TypePatterns {
 public:
  explicit TypePatterns(const std::vector<std::string>& patterns);
  TypePatterns(TypePatterns&&) noexcept;
  TypePatterns& operator=(TypePatterns&&) noexcept;
  ~TypePatterns();

  /// Whether none of them could be read: then no type fits.
  bool empty() const;
  struct Comparison {
    bool readable = false;  ///< the notation of the type is known
    double fit = 0;         ///< 0: the type does not fit all patterns, or cannot be read
    double likeness = 0;    ///< the share of constants that the type and the first pattern have in common
  };
  Comparison compare(std::string_view type) const;
  double fit(std::string_view type) const { return compare(type).fit; }

 private:
  struct Read;
  std::unique_ptr<Read> read_;
};

}  // namespace leanbridge::index

#pragma once
/// The names of an `.olean`, as users write them.

#include "olean_region.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace leanbridge::index {

struct NameText {
  std::string text;         ///< `Nat.add_comm`, `«a b».c`, `x.3`; a private name without its prefix
  std::string last;         ///< the last component, not quoted
  Ref prefix = kBoxedZero;  ///< the name without it
  bool is_private = false;
  bool internal = false;       ///< made by Lean for itself: `_`, `match_1`, `proof_2`, `eq_3`, numbers
  bool hygienic = false;       ///< of a macro: `a._@...`, inaccessible to users; `text` ends before the `_@`
  bool inside_prefix = false;  ///< `_private.Init.Core`: not yet a name
};

class Names {
 public:
  explicit Names(Region& region) : region_(region) {}

  /// Every name is read once; the result lives as long as this.
  const NameText& at(Ref name);

 private:
  const NameText& at(Ref name, int depth);
  NameText read(Ref name, int depth);

  Region& region_;
  std::size_t spent_ = 0;  // bytes of text: many names can share one long prefix
  std::unordered_map<Ref, NameText> known_;
};

/// A component of a name as Lean writes it: in «» unless it is an identifier.
std::string as_component(std::string_view component);

/// The components of a name as written; «» holds dots together.
std::vector<std::string_view> parts_of(std::string_view name);
/// With «» only where Lean writes them.
std::string plain_component(std::string_view part);
std::string plain_name(std::string_view name);

/// Is the component one that Lean makes for itself?
bool is_internal(std::string_view component);

}  // namespace leanbridge::index

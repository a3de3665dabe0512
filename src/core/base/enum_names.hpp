#pragma once
/// Enums that are words on the wire. Declare one function with the words next to the enum:
///
///     wire::Names<Color> names_of(Color);   // {{Color::Red, "red"}, {Color::Blue, "blue"}}

#include <utility>
#include <vector>

namespace leanbridge::wire {

template <class E>
using Names = std::vector<std::pair<E, const char*>>;

/// The word of a value.
template <class E>
const char* name_of(E value) {
  static const Names<E> names = names_of(E{});
  for (const auto& [each, name] : names)
    if (each == value) return name;
  return "";
}

}  // namespace leanbridge::wire

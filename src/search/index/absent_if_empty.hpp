#pragma once
/// Values that are unknown, as answers show them: their fields are absent.

#include <optional>
#include <utility>

namespace leanbridge {

/// nullopt for an empty text or list.
template <class Value>
std::optional<Value> absent_if_empty(Value value) {
  return value.empty() ? std::nullopt : std::optional(std::move(value));
}

}  // namespace leanbridge

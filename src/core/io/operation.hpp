#pragma once
/// Work that somebody waits for: how long, and how far it is.

#include "condition.hpp"

#include <functional>
#include <optional>
#include <string>

namespace leanbridge::io {

/// How far the work is.
struct Progress {
  double done = 0;
  double total = 0;  ///< 0: not known
  std::string message;
  std::string beside_bar = {};  ///< the message without the numbers, which a bar shows; empty: `message`
};

struct Operation {
  CancelScope scope;
  /// Set by the work before it waits; polled while somebody wants to see it.
  std::function<std::optional<Progress>()> progress;
};

}  // namespace leanbridge::io

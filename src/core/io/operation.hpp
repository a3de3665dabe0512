#pragma once
/// Work with a waiting caller: its deadline and its progress.

#include "condition.hpp"

#include <functional>
#include <optional>
#include <string>

namespace leanbridge::io {

/// The progress of work.
struct Progress {
  double done = 0;
  double total = 0;  ///< 0: unknown
  std::string message;
  std::string beside_bar = {};  ///< the message without numbers, for display beside a bar; empty: `message`
};

struct Operation {
  CancelScope scope;
  /// Set by the work before it waits; called while progress is being shown.
  std::function<std::optional<Progress>()> progress;
  std::string caller = {};  ///< the client, as it calls itself; may be empty
};

}  // namespace leanbridge::io

#pragma once
/// Slow preparations for a client that is about to use tools.

#include "core/io/condition.hpp"

#include <memory>

namespace leanbridge::app {

class Runtime;

/// Starts Lean, opens the files of --prewarm, so that Lean elaborates them while the model still reads, and
/// starts the parts. The files end with `ended`; `owner` is kept until then, and may be null if the runtime
/// outlives the loop.
void begin_work(Runtime& runtime, std::shared_ptr<io::CancelSource> ended,
                std::shared_ptr<const void> owner = nullptr);

}  // namespace leanbridge::app

#pragma once
/// stdout that continues the file which an earlier run has begun.

#include "core/base/error.hpp"

#include <string>

namespace leanbridge::app {

/// Whether stdout appends to that file.
bool is_stdout(const std::string& name);

/// A run that was given up may not have ended yet: two that write to one file would judge items twice. Waits
/// for its end for a minute. Where the file system has no locks, this does nothing. Blocking.
Result<void> lock_stdout(const std::string& name);

}  // namespace leanbridge::app

#pragma once
/// stdout that continues the file of an earlier run.

#include "core/base/error.hpp"

#include <string>

namespace leanbridge::app {

/// Whether stdout appends to that file.
bool is_stdout(const std::string& name);

/// Locks the file. A run that was given up may not have ended yet, and two runs that write to one file would
/// judge items twice. Waits a minute for the other run's end. If the file system has no locks, this does
/// nothing. Blocking.
Result<void> lock_stdout(const std::string& name);

}  // namespace leanbridge::app

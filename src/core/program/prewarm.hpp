#pragma once
/// Opens files before the first question about them, so that Lean elaborates them while the model still
/// reads.

#include "core/document/workspace.hpp"

#include <string>
#include <vector>

namespace leanbridge::app {

/// Opens the files one after another; their paths are absolute, or relative to the project. Logs files that
/// cannot be opened, and files beyond the number that stay open. `workspace` must outlive this coroutine.
asio::awaitable<void> prewarm(document::Workspace& workspace, std::vector<std::string> files,
                              io::CancelScope scope);

}  // namespace leanbridge::app

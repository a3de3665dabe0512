#pragma once
/// Opens files before anybody asks about them, so that Lean elaborates them while the model still reads.

#include "core/document/workspace.hpp"

#include <string>
#include <vector>

namespace leanbridge::app {

/// Opens the files one after another: absolute, or relative to the project. Logs those that cannot be opened,
/// and those beyond the number of files that stay open. `workspace` must outlive this.
asio::awaitable<void> prewarm(document::Workspace& workspace, std::vector<std::string> files,
                              io::CancelScope scope);

}  // namespace leanbridge::app

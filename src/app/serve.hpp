#pragma once
/// The server: everything wired together around one io_context.

#include "options.hpp"
#include "standard_streams.hpp"

namespace leanbridge::app {

/// Serves MCP on stdin and stdout until the client is gone or a signal comes. The exit code for main.
int serve(const Options& options, const StandardDescriptors& were_open);

}  // namespace leanbridge::app

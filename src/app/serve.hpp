#pragma once
/// The server: everything wired together around one io_context.

#include "options.hpp"

namespace leanbridge::app {

/// Which of them were open when the program started.
struct StandardDescriptors {
  bool input = false;
  bool output = false;
  bool error = false;
};

/// To be called before anything else is opened. A closed standard descriptor is the next one that open()
/// gives away, and a log line would then end up in a database: each that is closed becomes /dev/null.
StandardDescriptors claim_standard_descriptors();

/// Serves MCP on stdin and stdout until the client is gone or a signal comes. The exit code for main.
int serve(const Options& options, const StandardDescriptors& were_open);

}  // namespace leanbridge::app

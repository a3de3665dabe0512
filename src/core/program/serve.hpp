#pragma once
/// The server on stdin and stdout.

#include "options.hpp"

namespace leanbridge::app {

/// Tells which standard descriptors were open when the program started.
struct StandardDescriptors {
  bool input = false;
  bool output = false;
  bool error = false;
};

/// Opens /dev/null for each closed standard descriptor. Call this before opening anything else: open() would
/// otherwise return that descriptor for another file, and a log line could end up in a database.
StandardDescriptors claim_standard_descriptors();

/// Tells a person at a terminal why nothing happens. Call this once nothing can go wrong any more.
void say_that_it_waits();

/// Serves MCP on stdin and stdout until the client is gone or a signal arrives. Returns main's exit code.
int serve(const Options& options, const StandardDescriptors& were_open);

}  // namespace leanbridge::app

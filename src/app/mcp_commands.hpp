#pragma once
/// The commands below `leanbridge mcp`. Each returns the exit code for main: 0; 1 where something failed; 2
/// for wrong usage; 130 when interrupted.

#include "options.hpp"

namespace leanbridge::app {

/// Every configured server, with its file, transport and consent, and what is wrong in the files. Connects to
/// none, and is 0 also where something is wrong.
int mcp_list(const Options& options);

}  // namespace leanbridge::app

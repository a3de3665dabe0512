#pragma once
/// The server over HTTP: many clients, one set of Lean servers.

#include "core/program/options.hpp"

namespace leanbridge::app {

/// Serves MCP at options.http.address until a signal arrives. Prints `listening on URL` on stderr. Returns
/// the exit code for main: 0 on success, 2 for a usage error, 1 if it cannot listen.
int serve_http(const Options& options);

}  // namespace leanbridge::app

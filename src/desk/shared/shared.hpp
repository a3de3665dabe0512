#pragma once
/// `leanbridge --shared`: one server of the user's for many clients, so that they share Lean
/// (docs/decisions/0020-shared-server.md).

#include "core/program/options.hpp"
#include "core/program/serve.hpp"

#include <optional>

namespace leanbridge::app {

/// argv[1] of the server that clients share. Not for users.
inline constexpr const char* kSharedServerCommand = "shared-server";
/// The descriptor on which it inherits the socket that listens.
inline constexpr int kListeningDescriptor = 3;

/// Passes lines between this process's client and the shared server, which it starts if there is none, until
/// the client is gone or a signal arrives. Returns the exit code for main. Nothing, after a line in the log:
/// this client cannot share, and needs a server of its own.
std::optional<int> serve_shared(const Options& options, const StandardDescriptors& were_open);

/// Makes this process one that its parent does not know: the parent's exit code in the parent, nothing in the
/// child. Call it first of all, before any thread starts or descriptor is opened.
std::optional<int> leave_parent();

/// The shared server. Ends when it has had no client for a while. Returns the exit code for main.
int run_shared_server(const Options& options);

}  // namespace leanbridge::app

#pragma once
/// `leanbridge --shared`: one server per user for many clients, so that they share Lean
/// (docs/decisions/0020-shared-server.md).

#include "core/program/options.hpp"
#include "core/program/serve.hpp"

#include <optional>

namespace leanbridge::app {

/// The first argument of the server that clients share. Not for users.
inline constexpr const char* kSharedServerCommand = "shared-server";
/// The descriptor of the listening socket, which the server inherits.
inline constexpr int kListeningDescriptor = 3;

/// Passes lines between this process's client and the shared server, which it starts if there is none, until
/// the client is gone or a signal arrives. Returns the exit code for main; nullopt, after a line in the log,
/// if this client cannot share and needs a server of its own.
std::optional<int> serve_shared(const Options& options, const StandardDescriptors& were_open);

/// Detaches this process from its parent, by a child. Returns the exit code in the parent, and nullopt in the
/// child. Call it first of all, before any thread starts or descriptor is opened.
std::optional<int> leave_parent();

/// Runs the shared server, which ends when it has had no client for a while. Returns the exit code for main.
int run_shared_server(const Options& options);

}  // namespace leanbridge::app

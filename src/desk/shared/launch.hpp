#pragma once
/// Describes the server that a client can share, and starts it.

#include "core/base/error.hpp"
#include "core/program/options.hpp"
#include "profile.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::app {

/// The profile of a server for a client with these options. Call it before any thread starts.
SharedProfile profile_of(const Options& options);

/// The arguments behind kSharedServerCommand for a profile.
std::vector<std::string> server_arguments(const SharedProfile& profile, const std::string& log_level);

/// Starts a server that accepts clients from `listening`. It detaches from this process at once. Internal if
/// that fails.
Result<void> start_server(const SharedProfile& profile, const std::string& log_level, int listening);

/// The log file of the server with this key; empty if the user has no folder for it.
std::filesystem::path server_log(const Variables& environment, const std::string& key);

}  // namespace leanbridge::app

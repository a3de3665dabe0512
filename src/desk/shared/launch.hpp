#pragma once
/// How a client describes the server that it can share, and starts it.

#include "core/base/error.hpp"
#include "core/program/options.hpp"
#include "profile.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::app {

/// The profile of a server for a client with these options. Call it before any thread starts.
SharedProfile profile_of(const Options& options);

/// The arguments behind kSharedServerCommand that fit a profile.
std::vector<std::string> server_arguments(const SharedProfile& profile, const std::string& log_level);

/// Starts a server that takes clients from `listening`; it leaves this process at once. Internal if that
/// fails.
Result<void> start_server(const SharedProfile& profile, const std::string& log_level, int listening);

/// Where the server with this key writes its log; empty without a folder of the user's for it.
std::filesystem::path server_log(const Variables& environment, const std::string& key);

}  // namespace leanbridge::app

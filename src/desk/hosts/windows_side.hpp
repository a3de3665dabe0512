#pragma once
/// Claude Desktop on Windows, from inside WSL: its configuration file, and an entry that starts a program of
/// the distribution.

#include "core/base/error.hpp"
#include "core/io/asio.hpp"
#include "core/io/condition.hpp"
#include "hosts.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::app::hosts {

/// The name of the WSL distribution around this process, by $WSL_DISTRO_NAME; nullopt outside of WSL. Empty
/// if only `kernel`, its release, tells of WSL: sudo and sshd take the variable away.
std::optional<std::string> wsl_distribution(const EnvironmentLookup& environment, std::string_view kernel);

/// The same launch as Windows has to write it. wsl.exe passes no variables on, so `env` sets them.
Launch through_wsl(Launch launch, const std::string& distribution);

/// The launch as that host starts it: Claude Desktop, inside WSL, through wsl.exe. Blocking.
Launch as_started_by(const Host& host, Launch launch);

/// The folder of Claude Desktop's file, by Windows' variables as lines NAME=VALUE, with paths of this
/// distribution. Where Windows installed it as a package (MSIX), that is not %APPDATA%\Claude, which such a
/// program does not see. Empty without %APPDATA%. Blocking.
std::filesystem::path folder_on_windows(std::string_view variables);

/// The user's file of a host.
struct UserFile {
  std::filesystem::path path;  ///< as config_file() gives it
  bool host_is_installed = false;
};

/// The user's file. For Claude Desktop inside WSL it is on Windows, which wsl.exe is asked for, for at most
/// half a minute. BackendUnavailable if Windows' programs cannot be started here.
asio::awaitable<Result<UserFile>> user_file(const Host& host, io::CancelScope scope);
/// The same, on a loop of its own. Blocking. Cancelled after a signal.
Result<UserFile> find_user_file(const Host& host);

/// The name of Claude Desktop's file on Windows, for where its path cannot be found.
inline constexpr const char* kFileOnWindows = "%APPDATA%\\Claude\\claude_desktop_config.json on Windows";

}  // namespace leanbridge::app::hosts

#pragma once
/// The hosts' own programs for editing their configurations. Pure.

#include "hosts.hpp"
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace leanbridge::app::hosts {

/// The file for an entry: the user's or the project's.
enum class Scope { User, Project };

/// A command of a host's own program: its name, to be looked up on PATH, and its arguments. A project's
/// command must run in the project.
using HostCommand = std::vector<std::string>;

/// The commands that add an entry of entry_for(), or replace one that `exists`, in that order. Empty if the
/// host has none for that scope.
std::vector<HostCommand> commands_to_add(const Host& host, Scope scope, const std::string& name,
                                         const nlohmann::json& entry, bool exists);
/// The command that removes the entry. Empty if the host has none for that scope.
std::vector<HostCommand> commands_to_remove(const Host& host, Scope scope, const std::string& name);

/// The command in the form to type in a shell, for display.
std::string shell_line(const HostCommand& command);

}  // namespace leanbridge::app::hosts

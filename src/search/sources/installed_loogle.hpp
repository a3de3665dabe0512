#pragma once
/// Finds an installed local Loogle in the folders of lean-lsp-mcp 0.32 (its loogle.py), so that both programs
/// share one installation.

#include "core/base/user_folders.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace leanbridge::search {

/// `configured` if it is not empty, otherwise `lean-lsp-mcp/loogle` in $XDG_CACHE_HOME or ~/.cache; empty
/// without a home.
std::filesystem::path loogle_folder(const std::filesystem::path& configured,
                                    const EnvironmentLookup& environment);

/// The start of the SHA-256 of a text. The name of an installation's folder has the toolchain's, since Loogle
/// works only with the toolchain that built it; the name of an index has the project's.
std::string loogle_key(const std::string& text);

struct InstalledLoogle {
  std::filesystem::path program;
  std::filesystem::path index;  ///< for the project; may not exist yet
};

/// The program in `repo-REVISION-KEY/.lake/build/bin` below `folder`, built with `toolchain` (the first line
/// of lean-toolchain); the newest if there are several. nullopt if there is none. Blocking.
std::optional<InstalledLoogle> find_installed_loogle(const std::filesystem::path& folder,
                                                     const std::filesystem::path& project,
                                                     const std::string& toolchain);

}  // namespace leanbridge::search

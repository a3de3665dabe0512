#pragma once
/// Small private JSON files for tokens and consents: modes, reading, replacing. Blocking.

#include "core/base/error.hpp"
#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>

namespace leanbridge::upstream {

/// Creates the folder with mode 0700 or corrects its mode. InvalidArgument if it is not a folder, or another
/// user's.
Result<void> prepare_private_folder(const std::filesystem::path& folder);

/// The JSON object in the file, or nullopt if there is no file, or the path is empty. InvalidArgument if it
/// is not a JSON object, not a regular file, or another user's. Corrects a mode wider than 0600, or wider
/// than 0700 for its folder. Messages never quote the content.
Result<std::optional<nlohmann::json>> read_private_file(const std::filesystem::path& file);

/// Creates or replaces the file, with mode 0600, in an existing folder. Readers always see one whole version,
/// even after a crash of the machine.
Result<void> replace_private_file(const std::filesystem::path& file, const nlohmann::json& content);

}  // namespace leanbridge::upstream

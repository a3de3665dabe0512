#pragma once
/// Small private files of JSON, tokens and consents: modes, reading, replacing. Blocking.

#include "leanbridge/base/error.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>

namespace leanbridge::upstream {

/// Makes the folder, with mode 0700, or mends its mode. InvalidArgument where it is another user's, or no
/// folder.
Result<void> prepare_private_folder(const std::filesystem::path& folder);

/// The JSON object in the file; nothing where there is no file. InvalidArgument where it is no JSON object,
/// no regular file, or another user's. A mode wider than 0600 is mended. Messages never quote the content.
Result<std::optional<nlohmann::json>> read_private_file(const std::filesystem::path& file);

/// Replaces the file, or makes it, with mode 0600; its folder is there. What stands there is always one whole
/// version, also after a crash of the machine.
Result<void> replace_private_file(const std::filesystem::path& file, const nlohmann::json& content);

/// The same in a folder that is prepared first.
Result<void> write_private_file(const std::filesystem::path& file, const nlohmann::json& content);

}  // namespace leanbridge::upstream

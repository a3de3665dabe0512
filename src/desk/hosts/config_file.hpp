#pragma once
/// Replaces a configuration file as a whole, and keeps the old one. Blocking.

#include "core/base/error.hpp"

#include <filesystem>
#include <string>

namespace leanbridge::app::hosts {

/// The content of a file; empty if it does not exist. InvalidArgument if it cannot be read.
Result<std::string> load_config_file(const std::filesystem::path& file);

/// Replaces the content `before` by `after`, so that every reader sees one or the other in full. Makes
/// missing folders; removes the file if `after` is empty. Follows links, and keeps the mode. Returns the copy
/// of the old file beside it, or an empty path if there was none: NAME.leanbridge-backup, with a number if
/// another text has that name. Errors, with nothing changed: InvalidArgument if somebody has written
/// meanwhile, or if the file is read-only; Internal if the disk fails.
Result<std::filesystem::path> store_config_file(const std::filesystem::path& file, const std::string& before,
                                                const std::string& after);

}  // namespace leanbridge::app::hosts

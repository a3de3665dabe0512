#pragma once
/// Replaces a configuration file whole, and keeps what it was. Blocking.

#include "core/base/error.hpp"

#include <filesystem>
#include <string>

namespace leanbridge::app::hosts {

/// What a file holds; empty if it does not exist. InvalidArgument for one that cannot be read.
Result<std::string> load_config_file(const std::filesystem::path& file);

/// Writes `after` where `before` was read, so that every reader sees the one or the other whole. Makes
/// missing folders; removes the file if `after` is empty. Follows links, and keeps the mode. Returns the copy
/// of the old file beside it, empty if there was none: NAME.leanbridge-backup, with a number if that is taken
/// by another text. Errors, with nothing changed: InvalidArgument if somebody has written meanwhile, or the
/// file is read-only; Internal if the disk fails.
Result<std::filesystem::path> store_config_file(const std::filesystem::path& file, const std::string& before,
                                                const std::string& after);

}  // namespace leanbridge::app::hosts

#pragma once
/// The user's config.toml, as a list of entries with their places.

#include "leanbridge/base/error.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::search {

struct ConfigEntry {
  std::string place;  ///< "FILE:LINE: search.loogle.url", for messages
  std::string key;    ///< of a Setting
  std::string value;  ///< tables as JSON
};

/// In the order of the file's keys. None for a file that is not there and not required.
Result<std::vector<ConfigEntry>> read_config_file(const std::filesystem::path& file, bool required);

}  // namespace leanbridge::search

#pragma once
/// The sources of a project. Blocking: reads folders.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::tools {

/// The .lean files below `root`, relative to it, at most `limit` of them, sorted. Skips .lake and other
/// hidden folders.
std::vector<std::string> lean_files_below(const std::filesystem::path& root, std::size_t limit);

}  // namespace leanbridge::tools

#pragma once
/// The files of one compiled module: `X.olean`, and of a `module` also `X.olean.server` and
/// `X.olean.private`.

#include "core/base/watched_files.hpp"

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

namespace leanbridge::certify {

/// The extensions of the files, in the order in which Lean maps them.
inline constexpr std::array<std::string_view, 3> kModuleParts = {".olean", ".olean.server", ".olean.private"};

/// The file of a part; `base` is the module's path without any extension.
inline std::filesystem::path part_of(std::filesystem::path base, std::string_view part) {
  base += part;
  return base;
}

/// Whether the file is a part of a compiled module.
inline bool is_module_part(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  for (const std::string_view part : kModuleParts)
    if (name.ends_with(part)) return true;
  return false;
}

/// Watches all parts, including missing ones. `olean`: the first part.
inline void watch_module(WatchedFiles& files, const std::filesystem::path& olean) {
  const std::filesystem::path base = std::filesystem::path(olean).replace_extension();
  for (const std::string_view part : kModuleParts) files.add(part_of(base, part));
}

}  // namespace leanbridge::certify

#pragma once
/// Files of the index's readers, read whole.

#include "leanbridge/base/error.hpp"

#include <filesystem>
#include <string>

namespace leanbridge::index {

/// FileNotFound: cannot be read, or larger than any file of a Lean library.
Result<std::string> load_bytes(const std::filesystem::path& path);

}  // namespace leanbridge::index

#pragma once
/// Files of the index's readers, read whole.

#include "leanbridge/base/error.hpp"

#include <cstddef>
#include <filesystem>
#include <string>

namespace leanbridge::index {

/// What one file of a module may have, in bytes: several times the largest of Lean's and of Mathlib's. Larger
/// ones are left out of the index.
inline constexpr std::size_t kMostOfIndexedSource = std::size_t{16} << 20;
inline constexpr std::size_t kMostOfIlean = std::size_t{32} << 20;
inline constexpr std::size_t kMostOfOlean = std::size_t{256} << 20;

/// FileNotFound: cannot be read, is no regular file, or has more than `most` bytes.
Result<std::string> load_bytes(const std::filesystem::path& path, std::size_t most);

}  // namespace leanbridge::index

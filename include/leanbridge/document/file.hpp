#pragma once
/// Reading a Lean file from disk. Blocking: on the pool.

#include "leanbridge/base/error.hpp"
#include "leanbridge/lean/imports.hpp"
#include "leanbridge/text/text.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace leanbridge::document {

struct LoadedFile {
  lean::FileIdentity identity;
  bool trusted = false;            ///< a later change will show in the identity
  std::optional<text::Text> text;  ///< nullopt: the same as `known`, not read
};

/// Reads `path` unless its identity is `known`. FileNotFound; InvalidArgument for a directory or another
/// special file, for a file that is too large, and for invalid UTF-8 (with the place). `name` is for
/// messages.
Result<LoadedFile> load_file(const std::filesystem::path& path, const std::string& name,
                             const std::optional<lean::FileIdentity>& known);

/// The bytes of a file as they are on disk, line endings included. Errors as of load_file().
Result<std::string> load_bytes(const std::filesystem::path& path, const std::string& name);

}  // namespace leanbridge::document

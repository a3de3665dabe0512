#pragma once
/// The rule about the files that tools may write. Private to this module.

#include "core/base/error.hpp"
#include "core/document/document_store.hpp"

#include <filesystem>

namespace leanbridge::tools {

/// OutsideProject for a file of a dependency or a build, and for a link that leads out of the project. `path`
/// is the real path, `named` the absolute path by which the caller named it.
Result<void> require_own_file(const document::DocumentStore& store, const std::filesystem::path& path,
                              const std::filesystem::path& named);

}  // namespace leanbridge::tools

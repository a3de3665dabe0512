#pragma once
/// Finds the documents that texts mention, for a reader of this installation.

#include <filesystem>
#include <string>
#include <string_view>

namespace leanbridge::app {

/// The text with each `docs/NAME.md` replaced by the path of the file that is installed with this program, or
/// else by its address (LEANBRIDGE_HOME in CMakeLists.txt). Without either, it refers to the sources.
std::string with_documents(std::string_view text);

/// Does the same for a program in `folder`, and an address that may be empty.
std::string with_documents(std::string_view text, const std::filesystem::path& folder, std::string_view home);

}  // namespace leanbridge::app

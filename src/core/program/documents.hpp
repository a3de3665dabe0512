#pragma once
/// Where a reader of this installation finds the documents that texts mention.

#include <filesystem>
#include <string>
#include <string_view>

namespace leanbridge::app {

/// The text with each `docs/NAME.md` replaced: by the file's path where it is installed beside this program,
/// else by its address (LEANBRIDGE_HOME in CMakeLists.txt). Without either, it says that the sources have it.
std::string with_documents(std::string_view text);

/// The same for a program in `folder`, and an address that may be empty.
std::string with_documents(std::string_view text, const std::filesystem::path& folder, std::string_view home);

}  // namespace leanbridge::app

#pragma once
/// Finds the modules of a project and of a toolchain.

#include "core/base/error.hpp"
#include "core/io/asio.hpp"
#include "core/io/condition.hpp"

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::index {

struct Layout {
  std::filesystem::path sysroot;  ///< the toolchain's folder; empty: unknown
  std::filesystem::path project;  ///< its root, which links must not leave; empty: a toolchain's library
  std::vector<std::filesystem::path> sources;  ///< root folders of modules, the project's own and those of
                                               ///< packages
  std::vector<std::filesystem::path> builds;   ///< root folders of compiled modules
  std::string problem;                         ///< why something is unknown
};

/// The files of a module; missing ones are empty.
struct ModuleFiles {
  std::string name;
  std::filesystem::path source, ilean, olean;
};

/// Runs `lake env` in `folder`. Errors: LeanUnavailable, Timeout, Cancelled.
asio::awaitable<Result<Layout>> ask_lake(std::filesystem::path lake, std::filesystem::path folder,
                                         io::CancelScope scope);

/// A guess by the usual names, for use when lake does not answer.
Layout usual_layout(const std::filesystem::path& project);

/// Converts a layout to text for storage, and back.
std::string to_text(const Layout& layout);
Layout layout_from_text(const std::string& text);

/// A text that changes whenever the layout may have changed; made of lake's files and the toolchain's name.
std::string layout_stamp(const std::filesystem::path& project, const std::string& lake);

/// The folders of a toolchain's own library.
Layout toolchain_layout(const std::filesystem::path& sysroot);

/// Identifies a Lean by its path, version and commit; and a name for people.
std::string toolchain_identity(const std::filesystem::path& sysroot);
std::string toolchain_name(const std::filesystem::path& sysroot);

struct FoundModules {
  std::vector<ModuleFiles> modules;
  std::vector<std::filesystem::path> left_out;  ///< the first links that lead out of the project
};

/// All modules below these folders, Lean's core library first. Omits hidden folders, other projects, and
/// links that lead out of the project and its packages. Ends early when `stop` becomes true.
FoundModules find_modules(const Layout& layout, const std::atomic<bool>& stop);

}  // namespace leanbridge::index

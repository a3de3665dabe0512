#pragma once
/// Where the modules of a project and of a toolchain are.

#include "leanbridge/base/error.hpp"
#include "leanbridge/io/asio.hpp"
#include "leanbridge/io/condition.hpp"

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::index {

struct Layout {
  std::filesystem::path sysroot;  ///< of the toolchain; empty where it is not known
  std::filesystem::path project;  ///< its root, which links do not lead out of; empty: a toolchain's library
  std::vector<std::filesystem::path>
      sources;  ///< folders that modules of the project and its packages start in
  std::vector<std::filesystem::path> builds;  ///< the same for what Lean compiled
  std::string problem;                        ///< why something is not known
};

/// The files of one module; those that it does not have are empty.
struct ModuleFiles {
  std::string name;
  std::filesystem::path source, ilean, olean;
};

/// Asks `lake env` in `folder`. LeanUnavailable; Timeout, Cancelled.
asio::awaitable<Result<Layout>> ask_lake(asio::io_context& context, std::filesystem::path lake,
                                         std::filesystem::path folder, io::CancelScope scope);

/// By the usual names, where lake does not answer.
Layout usual_layout(const std::filesystem::path& project);

/// As text, to be kept; and back.
std::string to_text(const Layout& layout);
Layout layout_from_text(const std::string& text);

/// Changes whenever the layout may have: of lake's files and the toolchain's name.
std::string layout_stamp(const std::filesystem::path& project, const std::string& lake);

/// The folders of a toolchain's own library.
Layout toolchain_layout(const std::filesystem::path& sysroot);

/// Which Lean this is: its place, version and commit, as its library says; and a name for people.
std::string toolchain_identity(const std::filesystem::path& sysroot);
std::string toolchain_name(const std::filesystem::path& sysroot);

struct FoundModules {
  std::vector<ModuleFiles> modules;
  std::vector<std::filesystem::path> left_out;  ///< links out of the project, the first of them
};

/// All modules below these folders, Lean's basic library first. Folders of other projects, hidden ones, and
/// links that lead out of the project and its packages are left out. Ends early when `stop` becomes true.
FoundModules find_modules(const Layout& layout, const std::atomic<bool>& stop);

}  // namespace leanbridge::index

#pragma once
/// What happens if lean_build is called while a build of the same project runs.

#include "core/base/enum_names.hpp"

namespace leanbridge::tools {

/// The words are those of lean-lsp-mcp's LEAN_BUILD_CONCURRENCY.
enum class BuildConcurrency {
  Allow,   ///< it waits its turn: two builds at once would write the same files
  Cancel,  ///< it ends the build that runs, whose caller is told so
  Share,   ///< likewise, but that caller gets the new build's result
};
wire::Names<BuildConcurrency> names_of(BuildConcurrency);

}  // namespace leanbridge::tools

#pragma once
/// The effect of calling lean_build while a build of the same project runs.

#include "core/base/enum_names.hpp"

namespace leanbridge::ide {

/// The words are those of lean-lsp-mcp's LEAN_BUILD_CONCURRENCY.
enum class BuildConcurrency {
  Allow,   ///< the new build waits its turn: two builds at once would write the same files
  Cancel,  ///< the new build ends the running one, whose caller is told so
  Share,   ///< as Cancel, but that caller gets the new build's result
};
wire::Names<BuildConcurrency> names_of(BuildConcurrency);

}  // namespace leanbridge::ide

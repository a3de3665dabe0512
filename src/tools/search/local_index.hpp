#pragma once
/// What the tools on the local index share.

#include "leanbridge/index/local_index.hpp"

#include "tools/common/open_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace leanbridge::tools {

/// The project of `folder`; without one the current one, and an empty path where there is none: then the
/// library of the default toolchain is searched.
Result<std::filesystem::path> index_root(Environment& environment, const std::string& folder);

/// Searches; while the index is still being built and `enough` does not hold, waits and searches again: until
/// the call's deadline where `may_wait`, else for a while.
asio::awaitable<Result<index::Matches>> find_when_built(Environment& environment,
                                                        std::shared_ptr<mcp::Call> call, index::Lookup lookup,
                                                        bool may_wait, bool (*enough)(const index::Matches&));

/// Relative to the project where it is in it; "" stays "".
std::string shown_path(const std::string& file, const std::filesystem::path& root);

/// A part of the index, as answers tell of it.
struct IndexPart {
  std::string name;  ///< "project" or the toolchain's name
  index::IndexStatus::State state = index::IndexStatus::State::Absent;
  std::size_t modules = 0;
  std::size_t modules_total = 0;
  std::optional<std::string> problem;  ///< what failed, or was skipped and why

  static wire::Fields fields();
};
/// Those that are not ready.
std::vector<IndexPart> index_state(Environment& environment);

/// Lets the call's progress tell of the index.
void show_index_progress(Environment& environment, mcp::Call& call);

}  // namespace leanbridge::tools

#pragma once
/// The services that the tools of this part use. Private to the part.

#include "core/tools/common/typed_tool.hpp"
#include "together/claims/claim_guard.hpp"

#include <filesystem>
#include <memory>
#include <set>
#include <string>

namespace leanbridge::tools {

/// Outlives all calls.
struct TogetherEnvironment : Environment {
  std::shared_ptr<together::ClaimGuard> guard;
  std::set<std::filesystem::path> used = {};  ///< projects in which the client may have claims

  together::Holder holder_of(const mcp::Call& call) const {
    return guard->holder(call.scope.cancel->client, call.caller);
  }
  /// The project of the file, or without one that of the call.
  Result<std::shared_ptr<document::DocumentStore>> project_of(const std::optional<std::string>& file_path,
                                                              const mcp::Call& call) {
    if (!file_path) return workspace.project(call.project);
    return workspace.locate(*file_path).map([](const auto& location) { return location.project; });
  }
};

}  // namespace leanbridge::tools

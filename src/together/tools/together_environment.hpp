#pragma once
/// The services that the tools of this part use. Private to the part.

#include "core/tools/common/typed_tool.hpp"
#include "together/claims/claim_guard.hpp"

#include <memory>
#include <string>

namespace leanbridge::tools {

/// Outlives all calls.
struct TogetherEnvironment : Environment {
  std::shared_ptr<together::ClaimGuard> guard;

  together::Holder holder_of(const mcp::Call& call) const {
    return guard->holder(call.scope.cancel->client, call.caller);
  }
};

}  // namespace leanbridge::tools

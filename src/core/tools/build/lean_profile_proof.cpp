// lean_profile_proof: where a declaration spends its time.

#include "core/ide/proof_profile.hpp"
#include "core/tools/common/typed_tool.hpp"

namespace leanbridge::tools {

mcp::Tool lean_profile_proof(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_profile_proof",
       .title = "Profile a proof",
       .group = "build",
       .description = "Where the declaration at a line spends its time: total, slowest lines, categories."},
      profile_proof);
}

}  // namespace leanbridge::tools

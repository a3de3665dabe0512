#pragma once
/// What a Session offers and how much of it at once, as its program decides it.

#include "leanbridge/mcp/prompt.hpp"
#include "leanbridge/mcp/provider.hpp"
#include "leanbridge/mcp/resource.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace leanbridge::mcp {

struct SessionOptions {
  std::string name = "leanbridge";
  std::string version;
  std::string instructions;
  double timeout_s = 120;         ///< a call's deadline where it gives none
  std::size_t max_calls = 256;    ///< under way at once; more are refused with rate_limited
  std::size_t max_watches = 256;  ///< subscriptions to resources at once
  std::vector<Prompt> prompts;
  std::vector<Resource> resources;
  ToolProvider* provider = nullptr;  ///< others' tools and prompts, shown after ours; may be none
};

}  // namespace leanbridge::mcp

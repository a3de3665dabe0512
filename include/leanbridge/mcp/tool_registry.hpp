#pragma once
/// The tools that are offered, and what has been counted of their calls.

#include "leanbridge/base/latency.hpp"
#include "leanbridge/mcp/tool.hpp"

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace leanbridge::mcp {

struct CallCounts {
  std::uint64_t calls = 0;
  std::uint64_t errors = 0;
  std::uint64_t cancelled = 0;
  Latency latency;
};

class ToolRegistry {
 public:
  /// Keeps the tools of these groups, without the disabled ones, in the order given: the order of tools/list.
  /// InvalidArgument for a group that does not exist; a disabled name that does not is no error (lists are
  /// shared between servers). Beside the groups there is the preset "core": the few tools of a proof loop,
  /// for hosts that load every tool into the model's context. `descriptions` replaces those of the tools
  /// named.
  static Result<ToolRegistry> select(std::vector<Tool> tools, const std::set<std::string>& groups,
                                     const std::set<std::string>& disabled,
                                     const std::map<std::string, std::string>& descriptions = {});

  const Tool* find(const std::string& name) const;
  const std::vector<Tool>& tools() const { return tools_; }
  /// The `tools` member of a tools/list answer. Made once: it never changes.
  const nlohmann::json& listing() const { return listing_; }

  CallCounts& counts(const std::string& name) { return counts_[name]; }
  const std::map<std::string, CallCounts>& counts() const { return counts_; }

 private:
  std::vector<Tool> tools_;
  std::map<std::string, std::size_t> by_name_;
  nlohmann::json listing_ = nlohmann::json::array();
  std::map<std::string, CallCounts> counts_;
};

}  // namespace leanbridge::mcp

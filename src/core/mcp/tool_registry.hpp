#pragma once
/// The tools on offer, and statistics of their calls.

#include "core/base/latency.hpp"
#include "tool.hpp"

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
/// Its members, and of the latency its mean, maximum and histogram.
nlohmann::json to_json(const CallCounts& counts);

class ToolRegistry {
 public:
  /// Keeps the tools of these groups, except the disabled ones, in the given order, which is that of
  /// tools/list. "all" stands for every group; the preset "core" selects the few tools of a proof loop, for
  /// hosts that load every tool into the model's context. Without a choice of groups, keeps all but "corpus",
  /// and lists only tools that are `listed`. `descriptions` replaces the descriptions of the tools it names.
  /// InvalidArgument for an unknown group; unknown disabled names are ignored, since such lists are shared
  /// between servers.
  static Result<ToolRegistry> select(std::vector<Tool> tools, const std::set<std::string>& groups,
                                     const std::set<std::string>& disabled,
                                     const std::map<std::string, std::string>& descriptions = {});

  const Tool* find(const std::string& name) const;
  /// "Did you mean lean_goal?" for an unknown name; empty if no name resembles it.
  std::string meant_by(const std::string& unknown) const;
  const std::vector<Tool>& tools() const { return tools_; }
  /// The `tools` member of a tools/list answer. Made anew for each answer, since most clients ask once.
  nlohmann::json listing() const;

  CallCounts& counts(const std::string& name) { return counts_[name]; }
  const std::map<std::string, CallCounts>& counts() const { return counts_; }

 private:
  std::vector<Tool> tools_;
  std::map<std::string, std::size_t> by_name_;
  std::map<std::string, CallCounts> counts_;
};

}  // namespace leanbridge::mcp

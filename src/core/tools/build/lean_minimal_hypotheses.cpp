// lean_minimal_hypotheses: which hypotheses of a theorem its proof does not need.

#include "core/ide/hypothesis_trials.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace {

constexpr double kDefaultTrialSeconds = 60;
constexpr double kMaxTrialSeconds = 24 * 3600;

struct MinimalHypothesesParams {
  FileParams file;
  std::string theorem_name;
  double inactivity_timeout = kDefaultTrialSeconds;  ///< seconds for one trial

  static wire::Fields fields() {
    return {wire::flatten<&MinimalHypothesesParams::file>(),
            wire::field<&MinimalHypothesesParams::theorem_name>("With its namespaces"),
            wire::field<&MinimalHypothesesParams::inactivity_timeout>("Seconds for each")
                .with_default()
                .at_least(0)};
  }
};

asio::awaitable<Result<HypothesisReport>> minimal_hypotheses(Environment& environment,
                                                             std::shared_ptr<mcp::Call> call,
                                                             MinimalHypothesesParams params) {
  const std::chrono::duration<double> limit(std::min(params.inactivity_timeout, kMaxTrialSeconds));
  return try_hypotheses(environment, std::move(call), params.file.file_path, params.theorem_name,
                        std::chrono::duration_cast<io::Clock::duration>(limit));
}

}  // namespace

mcp::Tool lean_minimal_hypotheses(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_minimal_hypotheses",
       .title = "Find unneeded hypotheses",
       .group = "build",
       .description = "Tries a theorem without each explicit hypothesis: load-bearing, removable or "
                      "error; tried says what broke. Two removable ones may not be removable together."},
      minimal_hypotheses);
}

}  // namespace leanbridge::tools

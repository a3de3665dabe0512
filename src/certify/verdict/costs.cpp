#include "costs.hpp"

#include "core/lean/profile.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/text.hpp"

#include <cmath>
#include <utility>

namespace leanbridge::certify {

namespace {

/// Lean's profiler counts thousandths of the heartbeats of `maxHeartbeats`, and prints them as seconds.
constexpr double kMsOfHeartbeat = 1e6;

/// The heartbeats of a message about elaboration, without those of linters.
double heartbeats_of(const lean::CompilerMessage& message) {
  double sum = 0;
  for (const lean::ProfileNode& node : lean::read_trace(message.message)) {
    const bool is_elaboration =
        node.category == "Elab.command" ||
        (node.category == "Elab.async" && node.text.find("runLinters") == std::string::npos);
    if (node.depth == 0 && is_elaboration) sum += node.ms / kMsOfHeartbeat;
  }
  return sum;
}

}  // namespace

const std::vector<std::string>& cost_options() {
  static const std::vector<std::string> options = {
      "-Dtrace.profiler=true", "-Dtrace.profiler.useHeartbeats=true", "-Dtrace.profiler.threshold=1000"};
  return options;
}

Costs read_costs(std::string_view source, const std::vector<lean::CompilerMessage>& messages) {
  const auto named = text::named_declarations(source);
  const text::Text text{std::string(source)};
  std::vector<text::DeclarationSite> sites;
  std::vector<double> sums(named.size());
  for (const text::NamedDeclaration& each : named) sites.push_back(each.site);
  bool any = false;
  for (const lean::CompilerMessage& message : messages) {
    const double heartbeats = heartbeats_of(message);
    if (heartbeats == 0) continue;
    any = true;
    const std::size_t offset = text.offset_at(lean::to_diagnostic(message, text).range.start);
    if (const auto* const site = text::enclosing_declaration(sites, source.size(), offset))
      sums[static_cast<std::size_t>(site - sites.data())] += heartbeats;
  }
  Costs costs;
  if (!any) return costs;
  std::map<std::string, int> unnamed;
  for (std::size_t i = 0; i < named.size(); ++i) {
    std::string name = named[i].full_name;
    if (name.empty()) name = sites[i].keyword + " " + std::to_string(++unnamed[sites[i].keyword]);
    const int line = text.position_at(sites[i].keyword_offset).line;
    auto& cost = costs.emplace(std::move(name), MeasuredDeclaration{line, 0}).first->second;
    cost.heartbeats += std::round(sums[i] * 1000) / 1000;
  }
  return costs;
}

bool is_dearer(double before, double after, double limit) {
  return after - before > kLeastCostChange && after > before * (1 + limit / 100);
}

}  // namespace leanbridge::certify

// lean_check_batch: the verdicts on a list of candidates, checked on warm workers.

#include "batch_examiners.hpp"
#include "core/ide/open_file.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <algorithm>
#include <map>

namespace leanbridge::tools {

namespace {

// How long a batch waits for a worker that other calls use, before it continues with fewer.
constexpr auto kPatience = std::chrono::seconds(5);

/// Has the members of a line of `leanbridge check`: batch::read_candidates() reads and checks them.
using Candidate = std::map<std::string, nlohmann::json>;

struct CheckBatchParams {
  std::vector<Candidate> items;
  bool goals = false;
  bool axioms = false;

  static wire::Fields fields() {
    return {wire::field<&CheckBatchParams::items>(
                "1 to 64 of {id?, code (or header and body), timeout_s?, theorem?, statement?}"),
            wire::field<&CheckBatchParams::goals>("Also the first unsolved goals").with_default(),
            wire::field<&CheckBatchParams::axioms>("Also the axioms of each that is ok").with_default()};
  }
};

struct CheckBatchResult {
  std::vector<batch::Report> items;  ///< in the order of the call
  std::size_t total = 0;
  std::size_t ok_count = 0;
  std::optional<std::vector<std::string>> unjudged;  ///< ids whose time ran out
  std::optional<bool> partial, timed_out;            ///< true or absent

  static wire::Fields fields() {
    return wire::fields<&CheckBatchResult::items, &CheckBatchResult::total, &CheckBatchResult::ok_count,
                        &CheckBatchResult::unjudged, &CheckBatchResult::partial,
                        &CheckBatchResult::timed_out>();
  }
};

using Reports = std::map<std::string, batch::Report>;  // by the ids of the items

asio::awaitable<void> keep(std::shared_ptr<Reports> reports, batch::Report report) {
  (*reports)[report.id] = std::move(report);
  co_return;
}

asio::awaitable<Result<CheckBatchResult>> check_batch(Environment& environment,
                                                      std::shared_ptr<mcp::Call> call,
                                                      CheckBatchParams params) {
  CO_TRY(const std::vector<batch::Item> items, batch::read_candidates(wire::write(params.items)));
  CO_TRY(const auto project, environment.workspace.project(call->project));
  batch::RunnerOptions options;
  // Leave one worker for other calls, if there are several.
  options.workers = std::clamp<std::size_t>(project->scratch()->limits().max_workers - 1, 1, items.size());
  options.patience = kPatience;
  options.goals = params.goals;
  options.axioms = params.axioms;
  const auto reports = std::make_shared<Reports>();
  const auto runner = std::make_shared<batch::Runner>(
      environment.pool, project, std::move(options), batch_examiners(environment),
      [reports](batch::Report report) { return keep(reports, std::move(report)); });

  call->progress = [reports, total = items.size()]() -> std::optional<mcp::Progress> {
    const std::size_t done = reports->size();
    return mcp::Progress{
        static_cast<double>(done), static_cast<double>(total),
        "checking: " + std::to_string(done) + " of " + std::to_string(total) + " candidates judged",
        "checking"};
  };
  const auto ended = co_await batch::judge(runner, items, call->scope);
  call->progress = {};
  if (!ended) co_return tl::unexpected(ended.error());

  CheckBatchResult result;
  result.total = items.size();
  std::vector<std::string> unjudged;
  for (const batch::Item& item : items) {
    const auto report = reports->find(item.id);
    if (report == reports->end()) {
      unjudged.push_back(item.id);
      continue;
    }
    if (report->second.verdict == batch::Verdict::Ok) ++result.ok_count;
    result.items.push_back(report->second);
  }
  if (!unjudged.empty()) {
    result.unjudged = std::move(unjudged);
    result.partial = result.timed_out = true;
  }
  co_return result;
}

}  // namespace

mcp::Tool lean_check_batch(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_check_batch",
       .title = "Check many candidates",
       .group = "build",
       .description = "Verdicts on up to 64 Lean texts, each on its own, sharing loaded imports: "
                      "ok (no error, no hidden sorry), sorry, error, timeout, memory or crash. "
                      "Use it to compare whole proofs.",
       .caller_code = true,
       .may_be_task = true,
       .listed = false},
      check_batch);
}

}  // namespace leanbridge::tools

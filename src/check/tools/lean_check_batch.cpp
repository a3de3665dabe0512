// lean_check_batch: the verdicts on a list of candidates, checked on warm workers.

#include "batch_examiners.hpp"
#include "core/ide/open_file.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace leanbridge::tools {

namespace {

constexpr std::size_t kMaxBatch = 64;
constexpr auto kEndLimit = std::chrono::seconds(10);  // for workers to stop when the call is over
constexpr auto kMembers =
    std::to_array<std::string_view>({"id", "code", "header", "body", "timeout_s", "theorem", "statement"});
// How long a batch waits for a worker that other calls use, before it continues with fewer.
constexpr auto kPatience = std::chrono::seconds(5);

/// Has the members of a line of `leanbridge check`: batch::read_item() reads and checks them.
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

/// A running batch: its reports so far, by id, and whether it is over.
struct BatchRun {
  std::map<std::string, batch::Report> reports;
  std::shared_ptr<batch::Runner> runner;
  bool over = false;
  std::optional<Error> error;
  io::Condition changed;
};

asio::awaitable<void> keep(std::shared_ptr<BatchRun> run, batch::Report report) {
  run->reports[report.id] = std::move(report);
  co_return;
}

asio::awaitable<void> run_to_end(std::shared_ptr<BatchRun> run, std::shared_ptr<io::CancelSource> cancel) {
  const auto ended = co_await run->runner->run(std::move(cancel));
  if (!ended) run->error = ended.error();
  run->over = true;
  run->changed.notify_all();
}

// The items, with distinct ids. InvalidArgument names an invalid candidate.
Result<std::vector<batch::Item>> items_of(const CheckBatchParams& params) {
  if (params.items.empty() || params.items.size() > kMaxBatch)
    return fail(ErrorKind::InvalidArgument,
                "items has " + std::to_string(params.items.size()) + " candidates.",
                "Pass 1 to 64 at a time; `leanbridge check` takes any number from a file.");
  std::vector<batch::Item> items;
  std::set<std::string> ids;
  for (std::size_t i = 0; i < params.items.size(); ++i) {
    const std::string place = "items[" + std::to_string(i) + "]";
    for (const auto& [name, value] : params.items[i])
      if (std::find(kMembers.begin(), kMembers.end(), name) == kMembers.end())
        return fail(ErrorKind::InvalidArgument, place + " has an unknown member '" + name + "'.",
                    "Its members are id, code, header, body, timeout_s, theorem, statement.");
    auto item = batch::read_item_object(wire::write(params.items[i]), place);
    if (!item)
      return fail(ErrorKind::InvalidArgument, item.error().why + ".", "Pass code, or header and body.");
    if (item->text.size() > batch::kMaxItemBytes)
      return fail(ErrorKind::InvalidArgument, place + " is longer than 16 MiB.", "Split it.");
    if (!ids.insert(item->id).second)
      return fail(ErrorKind::InvalidArgument, place + " has the id \"" + item->id + "\" of an earlier one.",
                  "Give each its own id, or none.");
    items.push_back(std::move(*item));
  }
  return items;
}

asio::awaitable<Result<CheckBatchResult>> check_batch(Environment& environment,
                                                      std::shared_ptr<mcp::Call> call,
                                                      CheckBatchParams params) {
  CO_TRY(const std::vector<batch::Item> items, items_of(params));
  CO_TRY(const auto project, environment.workspace.project(call->project));
  batch::RunnerOptions options;
  // Leave one worker for other calls, if there are several.
  options.workers = std::clamp<std::size_t>(project->scratch()->limits().max_workers - 1, 1, items.size());
  options.patience = kPatience;
  options.goals = params.goals;
  options.axioms = params.axioms;
  const auto run = std::make_shared<BatchRun>();
  // Weak: the run keeps its runner alive, and the runner must not keep the run alive.
  const auto on_report = [weak = std::weak_ptr(run)](batch::Report report) -> asio::awaitable<void> {
    return keep(weak.lock(), std::move(report));
  };
  run->runner = std::make_shared<batch::Runner>(environment.pool, project, std::move(options),
                                                batch_examiners(environment), on_report);
  for (const batch::Item& item : items) run->runner->add(item);
  run->runner->close();

  call->progress = [run, total = items.size()]() -> std::optional<mcp::Progress> {
    const std::size_t done = run->reports.size();
    return mcp::Progress{
        static_cast<double>(done), static_cast<double>(total),
        "checking: " + std::to_string(done) + " of " + std::to_string(total) + " candidates judged",
        "checking"};
  };
  const auto cancel = std::make_shared<io::CancelSource>();
  cancel->client = call->scope.cancel->client;
  io::spawn(co_await asio::this_coro::executor, run_to_end(run, cancel));
  const auto is_over = [&] { return run->over; };
  const io::WaitStatus status = co_await io::wait_until(run->changed, call->scope, is_over);
  cancel->cancel();
  co_await io::wait_until(run->changed, io::CancelScope(kEndLimit), is_over);
  call->progress = {};
  if (status == io::WaitStatus::Cancelled) co_return call_cancelled();
  if (run->error) co_return tl::unexpected(*run->error);

  CheckBatchResult result;
  result.total = items.size();
  std::vector<std::string> unjudged;
  for (const batch::Item& item : items) {
    const auto report = run->reports.find(item.id);
    if (report == run->reports.end()) {
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

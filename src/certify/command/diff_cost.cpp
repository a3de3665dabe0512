#include "diff_cost.hpp"

#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "core/ide/lake_run.hpp"
#include "core/lean/project.hpp"
#include "core/text/lean_declarations.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace leanbridge::app {

namespace fs = std::filesystem;

namespace {

using Costs = lean::Costs;

/// The measurement of one text.
struct Measurement {
  Costs costs;
  std::string why_not;  ///< as a clause; "": it was measured
};

class Meter {
 public:
  Meter(fs::path root, fs::path lake, io::Spawn spawn, io::Pool& pool, io::CancelScope scope)
      : root_(std::move(root)),
        lake_(std::move(lake)),
        spawn_(std::move(spawn)),
        pool_(pool),
        scope_(std::move(scope)) {}

  /// Errors: Timeout, Cancelled; Internal if there is no folder for it.
  asio::awaitable<Result<Measurement>> measure(std::string source) {
    const auto write = [source]() -> Result<std::shared_ptr<const TemporaryFolder>> {
      TRY(auto folder, TemporaryFolder::create());
      TRY_DONE(write_new_file(folder->path() / "Measured.lean", source));
      return folder;
    };
    CO_TRY(const auto folder, co_await pool_.run(write, scope_));
    std::vector<std::string> arguments = {"env", "lean", "--json"};
    arguments.insert(arguments.end(), lean::cost_options().begin(), lean::cost_options().end());
    arguments.push_back((folder->path() / "Measured.lean").string());
    ide::LakeCommand command{lake_, root_, std::move(arguments), spawn_};
    CO_TRY(const ide::CompilerRun run, co_await ide::run_compiler(std::move(command), scope_));
    if (run.end.how == ide::LakeEnd::How::TimedOut)
      co_return fail(ErrorKind::Timeout, "Lean did not elaborate everything in time.",
                     "Pass a longer --timeout.");
    if (run.output.too_many()) co_return Measurement{{}, "Lean reported too much about it"};
    for (const lean::CompilerMessage& message : run.output.messages())
      if (message.severity == lean::Severity::Error)
        co_return Measurement{{},
                              "it does not compile, in line " + std::to_string(message.start.line) + ": " +
                                  message.message.substr(0, message.message.find('\n'))};
    if (run.end.exit_code != 0)
      co_return Measurement{{}, "Lean ended with " + run.output.how_it_ended(run.end)};
    Costs costs = lean::read_costs(source, run.output.messages());
    if (costs.empty() && !text::named_declarations(source).empty())
      co_return Measurement{{}, "this Lean reports no heartbeats"};
    co_return Measurement{std::move(costs), ""};
  }

 private:
  fs::path root_, lake_;
  io::Spawn spawn_;
  io::Pool& pool_;
  io::CancelScope scope_;
};

}  // namespace

wire::Fields DeclarationCost::fields() {
  return wire::fields<&DeclarationCost::file, &DeclarationCost::name, &DeclarationCost::line,
                      &DeclarationCost::before, &DeclarationCost::after>();
}

wire::Fields UnmeasuredFile::fields() {
  return wire::fields<&UnmeasuredFile::file, &UnmeasuredFile::why>();
}

bool CostReport::is_dearer(const DeclarationCost& each) const {
  return each.before && each.after && lean::is_dearer(*each.before, *each.after, limit);
}

bool CostReport::any_dearer() const {
  return std::any_of(declarations.begin(), declarations.end(),
                     [&](const DeclarationCost& each) { return is_dearer(each); });
}

std::vector<DeclarationCost> compare_costs(const std::string& file, const Costs& before, const Costs& after) {
  std::vector<DeclarationCost> found;
  std::set<std::string> names;
  for (const auto& [name, cost] : before) names.insert(name);
  for (const auto& [name, cost] : after) names.insert(name);
  for (const std::string& name : names) {
    const auto then = before.find(name), now = after.find(name);
    DeclarationCost cost{file, name, now != after.end() ? now->second.line : then->second.line, {}, {}};
    if (then != before.end()) cost.before = then->second.heartbeats;
    if (now != after.end()) cost.after = now->second.heartbeats;
    const bool is_same =
        cost.before && cost.after && std::abs(*cost.after - *cost.before) <= lean::kLeastCostChange;
    if (!is_same) found.push_back(std::move(cost));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
  return found;
}

asio::awaitable<Result<CostReport>> measure_costs(const certify::ChangeQuestion& question, std::string lake,
                                                  double limit, std::vector<certify::ChangedFile> files,
                                                  io::Pool& pool, io::CancelScope scope) {
  CO_TRY(const fs::path program, lean::find_lake(lake));
  Meter meter(question.root, program, question.spawn, pool, scope);
  CostReport report{limit, {}, {}};
  for (certify::ChangedFile& file : files) {
    if (certify::is_setting(file.name)) continue;
    const std::string name = file.name.string();
    std::string why = file.unread;
    Costs sides[2];
    std::optional<std::string>* const texts[] = {&file.before, &file.after};
    for (std::size_t i = 0; i < 2 && why.empty(); ++i) {
      if (!*texts[i]) continue;
      question.on_step("measuring " + name);
      CO_TRY(Measurement measured, co_await meter.measure(std::move(**texts[i])));
      sides[i] = std::move(measured.costs);
      if (!measured.why_not.empty())
        why = std::string(i == 0 ? "before the change " : "after the change ") + measured.why_not;
    }
    if (!why.empty()) {
      report.unmeasured.push_back({name, std::move(why)});
      continue;
    }
    auto found = compare_costs(name, sides[0], sides[1]);
    report.declarations.insert(report.declarations.end(), found.begin(), found.end());
  }
  co_return report;
}

}  // namespace leanbridge::app

#include "check_run.hpp"

#include "check/command/check_options.hpp"
#include "check/tools/batch_examiners.hpp"
#include "core/base/try.hpp"
#include "core/ide/project_edit.hpp"
#include "core/io/seconds.hpp"
#include "core/lean/project.hpp"
#include "report_text.hpp"
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace leanbridge::app {

namespace {

constexpr auto kShowEvery = std::chrono::milliseconds(200);

Style style_of(const batch::Summary& summary) {
  if (summary.complete && summary.of(batch::Verdict::Ok) == summary.judged()) return Style::Ok;
  return summary.of(batch::Verdict::Sorry) == summary.judged() ? Style::Warning : Style::Error;
}

}  // namespace

void print_summary(const batch::Summary& summary, SummaryFormat format) {
  if (format == SummaryFormat::Json)
    std::fprintf(stderr, "%s\n", batch::to_json(summary).dump().c_str());
  else if (format == SummaryFormat::Text)
    std::fprintf(stderr, "leanbridge: %s\n",
                 paint_for(stderr)(style_of(summary), batch::one_line_of(summary)).c_str());
}

CheckRun::CheckRun(Runtime& runtime, std::shared_ptr<document::DocumentStore> project, CheckPlan plan,
                   const StandardStream& out)
    : runtime_(runtime),
      options_(runtime.options().of<CheckOptions>()),
      project_(std::move(project)),
      option_files_(std::make_shared<OptionFiles>(project_->root())),
      plan_(std::move(plan)),
      toolchain_(lean::toolchain_of(project_->root())),
      capacity_(io::read_capacity()),
      driver_(runtime.context(), runtime.pool(), out,
              [this] {
                end();
                driver_.cancel();
              }),
      interrupts_(
          runtime.context(),
          [this](const std::string&) {
            end();
            io::spawn(runtime_.context(), cancel_after_grace());
          },
          [this] { driver_.cancel(); }),
      is_for_people_(options_.github || (is_terminal(stdout) && !runtime.options().as_json)),
      started_(io::Clock::now()) {
  runner_ = std::make_shared<batch::Runner>(
      runtime.pool(), project_, runner_options(), tools::batch_examiners(runtime.environment()),
      [this](batch::Report report) { return deliver(std::move(report)); });
}

int CheckRun::run() {
  driver_.begin(plan_.cut_off);
  tasks_.start(runtime_.context().get_executor(), read_inputs());
  tasks_.start(runtime_.context().get_executor(), show_progress());
  io::spawn(runtime_.context(), run_all());
  runtime_.context().run();
  return conclude();
}

batch::RunnerOptions CheckRun::runner_options() const {
  batch::RunnerOptions options;
  options.workers = static_cast<std::size_t>(options_.jobs);
  options.workers_for = [capacity = capacity_](std::int64_t bytes) {
    return io::workers_for(capacity, bytes);
  };
  options.worker_limit = [capacity = capacity_,
                          given = options_.worker_memory_mb << 20](std::size_t workers) {
    return given > 0 ? given : io::default_worker_limit(capacity, workers);
  };
  options.timeout = io::to_duration(options_.timeout_s);
  options.goals = options_.goals;
  options.axioms = options_.axioms;
  return options;
}

asio::awaitable<void> CheckRun::run_all() {
  constexpr auto kTasksGrace = std::chrono::seconds(10);
  const auto ended = co_await runner_->run(driver_.cancel_source());
  complete_ = ended && all_read_ && !driver_.cancelled() && !interrupts_.heard();
  if (!ended) driver_.print(ended.error());
  if (complete_ && runtime_.environment().guard)
    objections_ =
        co_await runtime_.environment().guard->objections(runtime_.environment(), project_, driver_.scope());
  end();
  over_->cancel();
  co_await tasks_.wait(io::CancelScope(kTasksGrace));
  co_await runtime_.projects().stop(kStopGrace);
  const bool all_is_read = co_await driver_.drain();
  complete_ = complete_ && all_is_read;
  runtime_.context().stop();
}

asio::awaitable<void> CheckRun::read_inputs() {
  for (const CheckInput& input : plan_.inputs) {
    if (runner_->stopped()) break;
    if (input.kind == CheckInput::Kind::LeanFile) {
      co_await read_file(input.name);
    } else if (const auto read = co_await read_lines(input); !read) {
      if (!runner_->stopped()) print_error(read.error());
      end();
    }
  }
  all_read_ = !runner_->stopped();
  runner_->close();
}

asio::awaitable<void> CheckRun::read_file(std::string name) {
  if (!plan_.shard.has(position_++) || is_known(name)) co_return;
  // One file is read at a time.
  const auto read = [name, files = option_files_]() -> Result<tl::expected<batch::Item, batch::BadItem>> {
    auto item = read_lean_file(name);
    if (item) item->file = files->for_file(name, item->text);
    return item;
  };
  auto item = co_await runtime_.pool().run(read, driver_.scope());
  if (item) co_await take(std::move(*item), std::nullopt, {});
}

asio::awaitable<Result<void>> CheckRun::read_lines(const CheckInput& input) {
  CO_CHECK(driver_.open(input.kind == CheckInput::Kind::Stdin ? "-" : input.name));
  for (;;) {
    CO_TRY(const auto line, co_await driver_.next_line());
    if (!line || runner_->stopped()) co_return Result<void>();
    if (!plan_.shard.has(position_++)) continue;
    const std::string place = driver_.place_of(*line);
    co_await take(read_whole(*line, place, batch::read_item), static_cast<std::int64_t>(line->number), place);
  }
}

asio::awaitable<void> CheckRun::take(tl::expected<batch::Item, batch::BadItem> item,
                                     std::optional<std::int64_t> line, std::string place) {
  const std::string id = item ? item->id : item.error().id;
  if (is_known(id)) co_return;
  if (!driver_.take_id(id)) {
    const std::string why = used_before(place.empty() ? id : place, id);
    co_return co_await deliver(batch::invalid_report(place.empty() ? id + " (again)" : place, why, line));
  }
  if (!item) co_return co_await deliver(batch::invalid_report(id, item.error().why, line));
  if (co_await runner_->wait_for_room(driver_.scope())) runner_->add(std::move(*item));
}

bool CheckRun::is_known(const std::string& id) {
  const auto verdict = plan_.known.find(id);
  if (!verdict) return false;
  ++summary_.skipped;
  known_not_ok_ = known_not_ok_ || *verdict != batch::Verdict::Ok;
  return true;
}

asio::awaitable<void> CheckRun::deliver(batch::Report report) {
  report.lean = toolchain_.empty() ? project_->server().name() : toolchain_;
  if (is_terminal(stdout)) driver_.progress.clear();  // the bar is drawn again below
  std::string line = is_for_people_ ? co_await text_of(report) : batch::to_line(report);
  if (!line.empty() && !co_await driver_.write(std::move(line))) co_return;
  summary_.add(report.verdict);
  if (plan_.junit) co_await add_to_junit(std::move(report));
}

asio::awaitable<std::string> CheckRun::text_of(batch::Report report) {
  if (report.verdict == batch::Verdict::Ok && (options_.github || !report.axioms)) co_return "";
  if (options_.github) {  // each stands alone, at its file
    const char* const workspace = std::getenv("GITHUB_WORKSPACE");
    co_return annotations(report, workspace ? workspace : "");
  }
  if (report.verdict == batch::Verdict::NotReached && report.reason) {  // many files import one module
    const auto [first, is_new] = said_.emplace(*report.reason, report.id);
    if (!is_new) report.reason = "as " + first->second;
  }
  std::optional<std::string> source;
  if (report.id.ends_with(".lean")) {
    const auto read = [name = report.id]() -> Result<std::optional<std::string>> {
      auto item = read_lean_file(name);
      return item ? std::optional(std::move(item->text)) : std::nullopt;
    };
    auto found = co_await runtime_.pool().run(read, driver_.scope());
    if (found) source = std::move(*found);
  }
  co_return report_text(report, source, width_of(stdout), paint_for(stdout));
}

asio::awaitable<void> CheckRun::add_to_junit(batch::Report report) {
  const auto turns = junit_turn_;  // outlives the permit
  const auto turn = co_await turns->acquire(driver_.scope());
  if (!turn) co_return;
  const auto write = [junit = plan_.junit, text = batch::junit_case(report)] { return junit->write(text); };
  const auto written = co_await runtime_.pool().run(write, driver_.scope());
  if (written || junit_failed_) co_return;
  junit_failed_ = true;
  print_error(written.error());
}

void CheckRun::end() {
  runner_->stop();
  driver_.stop_reading();
}

asio::awaitable<void> CheckRun::cancel_after_grace() {
  const auto grace = io::to_duration(options_.grace_s);
  const io::CancelScope scope(grace, over_);
  driver_.progress.clear();
  if (is_terminal(stderr))
    std::fprintf(stderr, "\r\x1b[Kleanbridge: items under way have %g s; Ctrl-C ends them at once\n",
                 options_.grace_s);
  co_await io::sleep_for(grace, scope);
  driver_.cancel();
}

asio::awaitable<void> CheckRun::show_progress() {
  if (!is_terminal(stderr)) co_return;
  const io::CancelScope scope(io::kNoDeadline, over_);
  std::optional<std::size_t> total;
  const bool has_stdin = std::ranges::any_of(
      plan_.inputs, [](const CheckInput& input) { return input.kind == CheckInput::Kind::Stdin; });
  if (!has_stdin) {
    const auto count = [inputs = plan_.inputs]() -> Result<std::size_t> { return count_items(inputs); };
    const auto counted = co_await runtime_.pool().run(count, scope);
    if (counted) total = plan_.shard.share_of(*counted);
  }
  while (co_await io::sleep_for(kShowEvery, scope) != io::WaitStatus::Cancelled) {
    update_summary();
    driver_.progress.show(batch::progress_of(summary_, total));
  }
  driver_.progress.clear();
}

void CheckRun::update_summary() {
  summary_.seconds = std::chrono::duration<double>(io::Clock::now() - started_).count();
  summary_.workers = runner_->workers();
  summary_.loads = runner_->loads();
  summary_.complete = complete_;
}

int CheckRun::conclude() {
  update_summary();
  driver_.progress.clear();
  if (plan_.junit && !junit_failed_)
    if (const auto written = plan_.junit->finish(summary_); !written) print_error(written.error());
  for (const std::string& why : objections_) print_error(Error(ErrorKind::InvalidArgument, why));
  print_summary(summary_, options_.summary);
  if (!complete_) return interrupts_.heard() == SIGINT ? kInterrupted : kNotAllJudged;
  const bool all_ok =
      summary_.judged() == summary_.of(batch::Verdict::Ok) && !known_not_ok_ && objections_.empty();
  return (options_.strict || is_for_people_) && !all_ok ? kFailed : 0;
}

}  // namespace leanbridge::app

// leanbridge check: many items, one verdict each.

#include "leanbridge/batch/capacity.hpp"
#include "leanbridge/batch/runner.hpp"
#include "leanbridge/batch/shard.hpp"
#include "leanbridge/batch/summary.hpp"
#include "leanbridge/io/byte_stream.hpp"
#include "leanbridge/io/fair_semaphore.hpp"
#include "leanbridge/lean/project.hpp"
#include "leanbridge/tools/batch_examiners.hpp"

#include "app/appended_output.hpp"
#include "app/check/inputs.hpp"
#include "app/interrupts.hpp"
#include "app/runtime.hpp"
#include "app/standard_stream.hpp"
#include "commands.hpp"
#include "output.hpp"
#include <boost/asio/buffer.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace leanbridge::app {

namespace {

constexpr int kNotAllJudged = 3;
constexpr std::size_t kReadSize = 256u << 10;
constexpr auto kShowEvery = std::chrono::milliseconds(200);
/// How long a reader of stdout may take for nothing at the end.
constexpr auto kDrainGrace = std::chrono::seconds(10);

std::optional<std::string> variable_of(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value && *value ? std::optional<std::string>(value) : std::nullopt;
}

/// A JUnit report, written as verdicts come.
class JUnitFile {
 public:
  JUnitFile(Descriptor file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}

  static Result<std::shared_ptr<JUnitFile>> create(const std::string& name) {
    Descriptor file(::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!file)
      return fail(ErrorKind::InvalidArgument, "Cannot write " + name + ": " + std::strerror(errno) + ".",
                  "Pass another file to --junit.");
    auto junit = std::make_shared<JUnitFile>(std::move(file), name);
    if (auto written = junit->write(batch::junit_head({})); !written) return tl::unexpected(written.error());
    return junit;
  }
  Result<void> write(const std::string& text) const {
    if (write_all(file_.get(), text)) return {};
    return fail(ErrorKind::Internal, "Cannot write " + name_ + ": " + std::strerror(errno) + ".",
                "Free space on its disk.");
  }
  Result<void> finish(const batch::Summary& summary) const {
    if (auto written = write(batch::junit_tail()); !written) return written;
    ::lseek(file_.get(), 0, SEEK_SET);
    return write(batch::junit_head(summary));
  }

 private:
  Descriptor file_;
  std::string name_;
};

/// Everything that is known before Lean starts.
struct CheckPlan {
  std::vector<CheckInput> inputs;
  batch::Shard shard;
  batch::KnownVerdicts known;  ///< from --resume
  bool cut_off = false;        ///< stdout continues a file that ends in the middle of a line
  std::shared_ptr<JUnitFile> junit;
};

class CheckRun {
 public:
  CheckRun(Runtime& runtime, std::shared_ptr<document::DocumentStore> project, CheckPlan plan,
           const StandardStream& out)
      : runtime_(runtime),
        options_(runtime.options().check),
        project_(std::move(project)),
        plan_(std::move(plan)),
        toolchain_(lean::toolchain_of(project_->root())),
        capacity_(batch::read_capacity()),
        output_(
            std::make_shared<io::OutgoingQueue>(asio::posix::stream_descriptor(runtime.context(), out.fd()))),
        interrupts_(
            runtime.context(),
            [this] {
              end();
              io::spawn(runtime_.context(), cancel_after_grace());
            },
            [this] { cancel_->cancel(); }),
        started_(io::Clock::now()) {
    runner_ = std::make_shared<batch::Runner>(
        runtime.pool(), project_, runner_options(), tools::batch_examiners(runtime.environment()),
        [this](batch::Report report) { return deliver(std::move(report)); });
    output_->on_failure = [this](const std::string& reason) {
      print_error(Error(ErrorKind::Internal, "stdout: " + reason + "."));
      end();
      cancel_->cancel();
    };
  }

  int run() {
    output_->watch_reader();
    if (plan_.cut_off) output_->send("\n");
    tasks_.start(runtime_.context().get_executor(), read_inputs());
    tasks_.start(runtime_.context().get_executor(), show_progress());
    io::spawn(runtime_.context(), run_all());
    runtime_.context().run();
    return conclude();
  }

 private:
  batch::RunnerOptions runner_options() const {
    batch::RunnerOptions options;
    options.workers = static_cast<std::size_t>(options_.jobs);
    options.workers_for = [capacity = capacity_](std::int64_t bytes) {
      return batch::workers_for(capacity, bytes);
    };
    options.worker_limit = [capacity = capacity_,
                            given = options_.worker_memory_mb << 20](std::size_t workers) {
      return given > 0 ? given : batch::default_worker_limit(capacity, workers);
    };
    options.timeout =
        std::chrono::duration_cast<io::Clock::duration>(std::chrono::duration<double>(options_.timeout_s));
    options.goals = options_.goals;
    options.axioms = options_.axioms;
    return options;
  }

  // --- items in

  asio::awaitable<void> read_inputs() {
    for (const CheckInput& input : plan_.inputs) {
      if (runner_->stopped()) break;
      if (input.kind == CheckInput::Kind::LeanFile)
        co_await read_one(input.name);
      else
        co_await read_lines(input);
    }
    all_read_ = !runner_->stopped();
    runner_->close();
  }

  asio::awaitable<void> read_one(std::string name) {
    if (!plan_.shard.has(position_++) || is_known(name)) co_return;
    const auto read = [name, root = project_->root()]() -> Result<tl::expected<batch::Item, batch::BadItem>> {
      auto item = read_lean_file(name);
      if (item) item->file = path_for_options(root, name);
      return item;
    };
    auto item = co_await runtime_.pool().run(read, io::CancelScope(io::kNoDeadline, cancel_));
    if (item) co_await take(std::move(*item), std::nullopt);
  }

  asio::awaitable<void> read_lines(CheckInput input) {
    batch::LineReader lines;
    std::shared_ptr<const RegularFile> file;
    std::optional<StandardStream> in;
    if (input.kind == CheckInput::Kind::Stdin) {
      in.emplace(STDIN_FILENO, O_RDONLY);
      input_ = std::make_shared<asio::posix::stream_descriptor>(runtime_.context(), in->fd());
    } else {
      auto opened = RegularFile::open(input.name);
      if (!opened) co_return fail_reading(opened.error().to_error(input.name));
      file = std::make_shared<const RegularFile>(std::move(*opened));
    }
    for (bool more = true; more && !runner_->stopped();) {
      const auto chunk = file ? co_await read_chunk(file, input.name) : co_await read_stdin();
      if (runner_->stopped()) co_return;  // what is left of a line is not all of it
      if (!chunk) co_return fail_reading(chunk.error());
      more = !chunk->empty();
      if (more)
        lines.feed(*chunk);
      else
        lines.end();
      while (auto line = lines.next()) {
        if (!plan_.shard.has(position_++)) continue;
        co_await take_line(std::move(*line), input.name);
        if (runner_->stopped()) break;
      }
    }
  }

  asio::awaitable<Result<std::string>> read_chunk(std::shared_ptr<const RegularFile> file, std::string name) {
    const auto read = [file, name]() -> Result<std::string> {
      std::string chunk(kReadSize, '\0');
      const auto size = file->read_some(chunk.data(), chunk.size());
      if (!size) return tl::unexpected(size.error().to_error(name));
      chunk.resize(*size);
      return chunk;
    };
    co_return co_await runtime_.pool().run(read, io::CancelScope(io::kNoDeadline, cancel_));
  }

  // Empty at the end of the input, and when this run ends.
  asio::awaitable<Result<std::string>> read_stdin() {
    std::string chunk(kReadSize, '\0');
    boost::system::error_code error;
    const auto input = input_;
    const std::size_t size = co_await input->async_read_some(
        asio::buffer(chunk), asio::redirect_error(asio::use_awaitable, error));
    if (error && error != asio::error::eof && error != asio::error::operation_aborted)
      co_return fail(ErrorKind::Internal, "stdin: " + error.message() + ".");
    chunk.resize(error ? 0 : size);
    co_return chunk;
  }

  asio::awaitable<void> take_line(batch::LineReader::Line line, const std::string& name) {
    const std::string place = name + ":" + std::to_string(line.number);
    tl::expected<batch::Item, batch::BadItem> item =
        tl::unexpected(batch::BadItem{place, place + ": the line is longer than 16 MiB"});
    if (!line.too_long) item = batch::read_item(line.text, place);
    co_await take(std::move(item), static_cast<std::int64_t>(line.number), place);
  }

  asio::awaitable<void> take(tl::expected<batch::Item, batch::BadItem> item, std::optional<std::int64_t> line,
                             std::string place = {}) {
    const std::string id = item ? item->id : item.error().id;
    if (is_known(id)) co_return;
    if (!seen_.add(id, batch::Verdict::Ok)) {
      const std::string where = place.empty() ? id : place;
      co_await deliver(batch::invalid_report(place.empty() ? id + " (again)" : place,
                                             where + ": the id \"" + id + "\" was used before", line));
      co_return;
    }
    if (!item) {
      co_await deliver(batch::invalid_report(id, item.error().why, line));
      co_return;
    }
    if (co_await runner_->wait_for_room(io::CancelScope(io::kNoDeadline, cancel_)))
      runner_->add(std::move(*item));
  }

  // Whether an earlier run has judged it.
  bool is_known(const std::string& id) {
    const auto verdict = plan_.known.find(id);
    if (!verdict) return false;
    ++summary_.skipped;
    known_not_ok_ = known_not_ok_ || *verdict != batch::Verdict::Ok;
    return true;
  }

  void fail_reading(const Error& error) {
    if (!runner_->stopped()) print_error(error);
    end();
  }

  // --- verdicts out

  asio::awaitable<void> deliver(batch::Report report) {
    const io::CancelScope scope(io::kNoDeadline, cancel_);
    report.lean = toolchain_.empty() ? project_->server().name() : toolchain_;
    if (lines_are_seen_) progress_.clear();  // the bar comes again below them
    if (!output_->send(batch::to_line(report))) co_return;
    summary_.add(report.verdict);
    if (plan_.junit) {
      const auto turns = junit_turn_;  // outlives the permit
      const auto turn = co_await turns->acquire(scope);
      if (turn) {
        const auto write = [junit = plan_.junit, text = batch::junit_case(report)] {
          return junit->write(text);
        };
        if (const auto written = co_await runtime_.pool().run(write, scope); !written && !junit_failed_) {
          junit_failed_ = true;
          print_error(written.error());
        }
      }
    }
    co_await io::wait_until(output_->changed, scope,
                            [this] { return output_->closed() || !output_->above_high_water(); });
  }

  asio::awaitable<void> run_all() {
    const auto ended = co_await runner_->run(cancel_);
    complete_ = ended && all_read_ && !cancel_->cancelled() && !interrupts_.heard();
    if (!ended) {
      progress_.clear();
      print_error(ended.error());
    }
    end();
    over_->cancel();
    co_await tasks_.wait(io::CancelScope(kDrainGrace));
    co_await runtime_.projects().stop(kStopGrace);
    co_await drain();
    runtime_.context().stop();
  }

  // Verdicts must still reach a reader that reads, however slowly.
  asio::awaitable<void> drain() {
    output_->close_when_drained();
    std::size_t left = 0;
    do {
      left = output_->queued_bytes();
      co_await io::wait_until(output_->changed, io::CancelScope(kDrainGrace),
                              [this, left] { return output_->closed() || output_->queued_bytes() < left; });
    } while (!output_->closed() && output_->queued_bytes() < left);
    if (left > 0 && !output_->closed()) complete_ = false;
  }

  // Begins nothing more.
  void end() {
    runner_->stop();
    boost::system::error_code ignored;
    if (input_) input_->close(ignored);
  }

  asio::awaitable<void> cancel_after_grace() {
    const auto grace =
        std::chrono::duration_cast<io::Clock::duration>(std::chrono::duration<double>(options_.grace_s));
    const io::CancelScope scope(grace, over_);
    co_await io::sleep_for(grace, scope);
    cancel_->cancel();
  }

  // --- what a person sees

  asio::awaitable<void> show_progress() {
    if (::isatty(STDERR_FILENO) == 0) co_return;
    const io::CancelScope scope(io::kNoDeadline, over_);
    std::optional<std::size_t> total;
    const bool has_stdin = std::any_of(plan_.inputs.begin(), plan_.inputs.end(), [](const CheckInput& input) {
      return input.kind == CheckInput::Kind::Stdin;
    });
    if (!has_stdin) {
      const auto count = [inputs = plan_.inputs]() -> Result<std::size_t> { return count_items(inputs); };
      const auto counted = co_await runtime_.pool().run(count, scope);
      if (counted) total = plan_.shard.share_of(*counted);
    }
    while (co_await io::sleep_for(kShowEvery, scope) != io::WaitStatus::Cancelled) {
      update_summary();
      progress_.show(batch::bar_of(summary_, total));
    }
    progress_.clear();
  }

  void update_summary() {
    summary_.seconds = std::chrono::duration<double>(io::Clock::now() - started_).count();
    summary_.workers = runner_->workers();
    summary_.loads = runner_->loads();
    summary_.complete = complete_;
  }

  void print_table() const {
    Table table({{"verdict"}, {"items"}, {"share"}});
    for (const auto& [verdict, name] : names_of(batch::Verdict())) {
      const std::size_t count = summary_.of(verdict);
      if (count == 0) continue;
      char share[16];
      std::snprintf(share, sizeof share, "%.1f %%",
                    100.0 * static_cast<double>(count) / static_cast<double>(summary_.judged()));
      table.add({name, std::to_string(count), share});
    }
    if (!table.empty()) std::fputs(table.aligned(60).c_str(), stderr);
  }

  int conclude() {
    update_summary();
    progress_.clear();
    if (plan_.junit && !junit_failed_)
      if (const auto written = plan_.junit->finish(summary_); !written) print_error(written.error());
    if (options_.summary == SummaryFormat::Json) {
      std::fprintf(stderr, "%s\n", batch::to_json(summary_).dump().c_str());
    } else if (options_.summary == SummaryFormat::Text) {
      if (::isatty(STDERR_FILENO) != 0) print_table();
      std::fprintf(stderr, "leanbridge: %s\n", batch::one_line_of(summary_).c_str());
    }
    if (!complete_) return kNotAllJudged;
    const bool all_ok = summary_.judged() == summary_.of(batch::Verdict::Ok) && !known_not_ok_;
    return options_.strict && !all_ok ? kFailed : 0;
  }

  Runtime& runtime_;
  const CheckOptions& options_;
  std::shared_ptr<document::DocumentStore> project_;
  CheckPlan plan_;
  std::string toolchain_;
  batch::Capacity capacity_;
  std::shared_ptr<io::OutgoingQueue> output_;
  std::shared_ptr<asio::posix::stream_descriptor> input_;
  Interrupts interrupts_;
  std::shared_ptr<batch::Runner> runner_;
  std::shared_ptr<io::CancelSource> cancel_ = std::make_shared<io::CancelSource>();
  std::shared_ptr<io::CancelSource> over_ = std::make_shared<io::CancelSource>();
  std::shared_ptr<io::FairSemaphore> junit_turn_ = std::make_shared<io::FairSemaphore>(1);
  io::TaskGroup tasks_;  // reading, and showing progress
  batch::KnownVerdicts seen_;
  batch::Summary summary_;
  ProgressLine progress_;
  const bool lines_are_seen_ = ::isatty(STDOUT_FILENO) != 0;
  io::Clock::time_point started_;
  std::size_t position_ = 0;  // of the next item, over all inputs
  bool all_read_ = false;
  bool complete_ = false;
  bool junit_failed_ = false;
  bool known_not_ok_ = false;
};

Result<void> read_known(const std::string& name, CheckPlan& plan) {
  std::error_code ignored;
  if (!std::filesystem::exists(name, ignored)) return {};  // the first run
  if (is_stdout(name))
    if (auto locked = lock_stdout(name); !locked) return locked;
  const auto file = read_verdicts(name, [&plan](const batch::Judged& judged, const std::string&) {
    plan.known.add(judged.id, judged.verdict);
  });
  if (!file) return tl::unexpected(file.error());
  plan.cut_off = file->cut_off && is_stdout(name);
  if (file->broken_lines > 0)
    std::fprintf(stderr, "leanbridge: %s: ignoring %zu lines that are no verdicts\n", name.c_str(),
                 file->broken_lines);
  return {};
}

Result<CheckPlan> plan_of(const CheckOptions& options) {
  CheckPlan plan;
  auto inputs = find_inputs(options.inputs);
  if (!inputs) return tl::unexpected(inputs.error());
  plan.inputs = std::move(*inputs);
  const auto shard =
      options.shard.empty() ? batch::shard_from(variable_of) : batch::read_shard(options.shard);
  if (!shard) return tl::unexpected(shard.error());
  plan.shard = *shard;
  if (!options.resume.empty())
    if (const auto known = read_known(options.resume, plan); !known) return tl::unexpected(known.error());
  if (!options.junit.empty()) {
    auto junit = JUnitFile::create(options.junit);
    if (!junit) return tl::unexpected(junit.error());
    plan.junit = std::move(*junit);
  }
  return plan;
}

// Deaths of workers are verdicts here, and a log would break the progress bar.
Options with_quiet_log(Options options) {
  const bool chosen = variable_of("LEAN_LOG_LEVEL") ||
                      std::any_of(options.flags.begin(), options.flags.end(),
                                  [](const auto& flag) { return flag.first == "--log-level"; });
  if (!chosen) options.log_level = "error";
  return options;
}

// --- check --merge

// The lines of all files, each id once: the first one counts.
int merge(const CheckOptions& options) {
  batch::KnownVerdicts known;
  batch::Summary summary;
  std::size_t repeated = 0, differing = 0, broken = 0;
  bool written = true;
  for (const std::string& name : options.inputs) {
    const auto file = read_verdicts(name, [&](const batch::Judged& judged, const std::string& line) {
      if (!known.add(judged.id, judged.verdict)) {
        ++repeated;
        if (known.find(judged.id) != judged.verdict) ++differing;
        return;
      }
      summary.add(judged.verdict);
      written = written && std::fwrite(line.data(), 1, line.size(), stdout) == line.size() &&
                std::fputc('\n', stdout) != EOF;
    });
    if (!file) return usage(file.error());
    broken += file->broken_lines;
  }
  if (!written || std::fflush(stdout) != 0) {
    print_error(Error(ErrorKind::Internal, "stdout: " + std::string(std::strerror(errno)) + "."));
    return kNotAllJudged;
  }
  summary.complete = true;
  if (options.summary == SummaryFormat::Json)
    std::fprintf(stderr, "%s\n", batch::to_json(summary).dump().c_str());
  else if (options.summary == SummaryFormat::Text)
    std::fprintf(stderr, "leanbridge: %s\n", batch::one_line_of(summary).c_str());
  if (repeated > 0)
    std::fprintf(
        stderr,
        "leanbridge: %zu ids came more than once, %zu of them with another verdict; the first one counts\n",
        repeated, differing);
  if (broken > 0) std::fprintf(stderr, "leanbridge: ignored %zu lines that are no verdicts\n", broken);
  return options.strict && summary.of(batch::Verdict::Ok) != summary.judged() ? kFailed : 0;
}

}  // namespace

int check(const Options& options) {
  if (options.check.merge) return merge(options.check);
  auto plan = plan_of(options.check);
  if (!plan) return usage(plan.error());
  Runtime runtime(with_quiet_log(options));
  const auto project = runtime.workspace().project("");
  if (!project) return usage(project.error());
  const StandardStream out(STDOUT_FILENO, O_WRONLY);
  if (!out.valid())
    return usage(Error(ErrorKind::InvalidArgument, "stdout is not open.", "Verdicts are written to it."));
  return CheckRun(runtime, *project, std::move(*plan), out).run();
}

}  // namespace leanbridge::app

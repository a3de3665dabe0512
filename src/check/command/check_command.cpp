// leanbridge check: judges many items.

#include "check_command.hpp"

#include "check/batch/shard.hpp"
#include "check/batch/summary.hpp"
#include "check_options.hpp"
#include "check_run.hpp"
#include "core/base/try.hpp"
#include "core/program/output.hpp"
#include "core/program/runtime.hpp"
#include "core/program/standard_stream.hpp"
#include "inputs.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace leanbridge::app {

namespace {

std::optional<std::string> variable_of(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value && *value ? std::optional<std::string>(value) : std::nullopt;
}

Result<CheckPlan> plan_of(const CheckOptions& options) {
  CheckPlan plan;
  TRY(plan.inputs, find_inputs(options.inputs));
  TRY(plan.shard, options.shard.empty() ? batch::shard_from(variable_of) : batch::read_shard(options.shard));
  const auto add = [&](const std::string& line) {
    const auto judged = batch::read_verdict_line(line);
    if (judged) plan.known.add(judged->id, judged->verdict);
    return judged.has_value();
  };
  TRY(plan.cut_off, read_earlier(options.resume, add));
  if (!options.junit.empty()) {
    TRY(plan.junit, JUnitFile::create(options.junit));
  }
  return plan;
}

// Deaths of workers become verdicts here, and a log would break the progress bar.
Options with_quiet_log(Options options) {
  const bool chosen =
      variable_of("LEAN_LOG_LEVEL") ||
      std::ranges::any_of(options.flags, [](const auto& flag) { return flag.first == "--log-level"; });
  if (!chosen) options.log_level = "error";
  return options;
}

// --- check --merge

// Merges the lines of all files. If an id occurs several times, its first line counts.
int merge(const CheckOptions& options) {
  batch::KnownVerdicts known;
  batch::Summary summary;
  std::size_t repeated = 0, differing = 0, broken = 0;
  bool written = true;
  for (const std::string& name : options.inputs) {
    const auto lines = read_verdicts(name, [&](const batch::VerdictLine& judged, const std::string& line) {
      if (!known.add(judged.id, judged.verdict)) {
        ++repeated;
        if (known.find(judged.id) != judged.verdict) ++differing;
        return;
      }
      summary.add(judged.verdict);
      written = written && std::fwrite(line.data(), 1, line.size(), stdout) == line.size() &&
                std::fputc('\n', stdout) != EOF;
    });
    if (!lines) return usage(lines.error());
    broken += *lines;
  }
  if (!written || std::fflush(stdout) != 0) {
    print_error(Error(ErrorKind::Internal, "stdout: " + std::string(std::strerror(errno)) + "."));
    return kNotAllJudged;
  }
  summary.complete = true;
  print_summary(summary, options.summary);
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
  if (options.of<CheckOptions>().merge) return merge(options.of<CheckOptions>());
  auto plan = plan_of(options.of<CheckOptions>());
  if (!plan) return usage(plan.error());
  Runtime runtime(with_quiet_log(options));
  auto project = runtime.workspace().project("");
  if (const CheckInput& first = plan->inputs.front(); !project && first.kind == CheckInput::Kind::LeanFile)
    if (auto around = runtime.workspace().project(std::filesystem::path(first.name).parent_path().string()))
      project = std::move(around);
  if (!project) return usage(project.error());
  const StandardStream out(STDOUT_FILENO, O_WRONLY);
  if (!out.valid())
    return usage(Error(ErrorKind::InvalidArgument, "stdout is not open.", "Verdicts are written to it."));
  return CheckRun(runtime, *project, std::move(*plan), out).run();
}

}  // namespace leanbridge::app

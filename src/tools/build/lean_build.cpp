// lean_build: `lake build`, beside the language server, which goes on answering.

#include "leanbridge/lean/build_output.hpp"
#include "leanbridge/lean/project.hpp"
#include "leanbridge/text/utf8.hpp"

#include "tools/common/build_turns.hpp"
#include "tools/common/lake_run.hpp"
#include "tools/common/open_file.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace fs = std::filesystem;

namespace {

constexpr auto kBuildLimit = std::chrono::hours(1);  // a first build of a large library takes long
constexpr std::size_t kMaxOutput = 4u << 20;         // bytes kept: the end of it
constexpr std::size_t kMaxOutputBytes = 20'000;      // of the answer
constexpr int kDefaultLines = 20;

struct BuildParams {
  std::string lean_project_path;
  bool clean = false;
  bool fetch_cache = false;
  int output_lines = kDefaultLines;

  static wire::Fields fields() {
    return {wire::field<&BuildParams::lean_project_path>("lean_project_path", "Default: the current one")
                .with_default(),
            wire::field<&BuildParams::clean>("clean", "lake clean first").with_default(),
            wire::field<&BuildParams::fetch_cache>("fetch_cache", "lake exe cache get first").with_default(),
            wire::field<&BuildParams::output_lines>("output_lines", "Default 20").with_default().at_least(0)};
  }
};

/// The place is null where lake names none.
struct BuildErrorItem {
  wire::Nullable<std::string> file_path;
  wire::Nullable<int> line;
  wire::Nullable<int> column;
  std::string message;
  std::string severity;

  static wire::Fields fields() {
    return {wire::field<&BuildErrorItem::file_path>("file_path"), wire::field<&BuildErrorItem::line>("line"),
            wire::field<&BuildErrorItem::column>("column"), wire::field<&BuildErrorItem::message>("message"),
            wire::field<&BuildErrorItem::severity>("severity")};
  }
};

struct BuildResult {
  bool success = false;
  bool timed_out = false;
  std::string output;               ///< its last lines
  std::vector<std::string> errors;  ///< each as one text
  std::vector<BuildErrorItem> items;
  int total = 0;  ///< errors
  bool truncated = false;
  int warning_count = 0;

  static wire::Fields fields() {
    return {wire::field<&BuildResult::success>("success"),
            wire::field<&BuildResult::timed_out>("timed_out").unlisted(),
            wire::field<&BuildResult::output>("output"),
            wire::field<&BuildResult::errors>("errors"),
            wire::field<&BuildResult::items>("items"),
            wire::field<&BuildResult::total>("total").unlisted(),
            wire::field<&BuildResult::truncated>("truncated").unlisted(),
            wire::field<&BuildResult::warning_count>("warning_count").unlisted()};
  }
};

/// What lake has printed so far, in one run or several. Which stream it writes to depends on its version and
/// command.
struct Run {
  std::string output;
  mcp::Progress progress;

  void keep(std::string_view lines) {
    output += lines;
    if (output.size() > 2 * kMaxOutput) output.erase(0, output.size() - kMaxOutput);
    look_at_last_line();
  }

 private:
  void look_at_last_line() {
    const std::size_t end = output.find_last_of('\n');
    if (end == std::string::npos || end == 0) return;
    const std::size_t begin = output.find_last_of('\n', end - 1) + 1;  // npos + 1 is 0
    const std::string line = text::replace_invalid(lean::without_colours(output.substr(begin, end - begin)));
    progress.message = text::beginning_of(line, 160);
    if (const auto step = lean::read_build_step(line)) {
      progress.done = step->done;
      progress.total = step->total;
    }
  }
};

std::string last_lines(const std::string& output, int count) {
  std::size_t begin = output.size();
  while (begin > 0 && output[begin - 1] == '\n') --begin;
  const std::size_t end = begin;
  for (; count > 0 && begin > 0; --count) {
    const std::size_t newline = output.rfind('\n', begin - 1);
    begin = newline == std::string::npos ? 0 : newline;
  }
  if (begin < end && output[begin] == '\n') ++begin;
  if (end - begin > kMaxOutputBytes) begin = end - kMaxOutputBytes;
  while (begin < end && text::is_continuation_byte(output[begin])) ++begin;
  return output.substr(begin, end - begin);
}

BuildErrorItem item_of(const lean::BuildMessage& message) {
  BuildErrorItem item;
  if (message.line > 0) {
    item.file_path = message.file_path;
    item.line = message.line;
    item.column = message.column;
  }
  item.message = message.message;
  item.severity = wire::name_of(message.severity);
  return item;
}

// `error: A/B.lean:3:2: message`, with the column from 1.
std::string error_line(const lean::BuildMessage& message) {
  std::string line = "error: ";
  if (message.line > 0)
    line +=
        message.file_path + ":" + std::to_string(message.line) + ":" + std::to_string(message.column) + ": ";
  return line + message.message;
}

BuildResult report(const Run& run, bool success, bool timed_out, int output_lines) {
  const std::string output = text::replace_invalid(lean::without_colours(run.output));
  BuildResult result;
  result.success = success;
  result.timed_out = timed_out;
  result.output = last_lines(output, output_lines);
  for (const lean::BuildMessage& message : lean::read_build_messages(output)) {
    if (message.severity == lean::BuildSeverity::Warning) ++result.warning_count;
    if (message.severity != lean::BuildSeverity::Error) continue;
    if (result.items.size() < kMaxItems) {
      result.errors.push_back(error_line(message));
      result.items.push_back(item_of(message));
    }
    ++result.total;
  }
  result.truncated = static_cast<std::size_t>(result.total) > kMaxItems;
  return result;
}

asio::awaitable<Result<BuildResult>> build_project(Environment& environment, std::shared_ptr<Builds> builds,
                                                   std::shared_ptr<mcp::Call> call, BuildParams params) {
  CO_TRY(const auto project, environment.workspace.project(params.lean_project_path));
  const fs::path root = project->root();
  CO_TRY(const fs::path lake, lean::find_lake(project->server().options().lake));
  io::CancelScope scope = call->scope;
  if (!call->has_timeout) scope = io::CancelScope(kBuildLimit, call->scope.cancel);

  const auto run = std::make_shared<Run>();
  run->progress.message = "another build of this project, or of a package of it, is under way";
  call->progress = [run]() -> std::optional<mcp::Progress> { return run->progress; };
  CO_TRY(const auto turn, co_await builds->next(environment.pool, root, scope));
  run->progress.message = "starting lake in " + root.string();

  std::vector<std::vector<std::string>> steps;
  if (params.clean) steps.push_back({"clean"});
  if (params.fetch_cache) steps.push_back({"exe", "cache", "get"});
  steps.push_back({"build"});
  bool success = true, timed_out = false;
  for (const auto& step : steps) {
    const auto keep = [run](std::string_view lines) { run->keep(lines); };
    CO_TRY(const LakeEnd end, co_await run_lake({lake, root, step, project->server().options().spawn, turn},
                                                {keep, keep}, scope));
    if (end.how == LakeEnd::How::Cancelled) co_return call_cancelled();
    timed_out = end.how == LakeEnd::How::TimedOut;
    success = end.how == LakeEnd::How::Exited && end.exit_code == 0;
    if (!success) break;
  }
  co_return report(*run, success, timed_out, params.output_lines);
}

asio::awaitable<Result<nlohmann::json>> answer_build(Environment& environment, std::shared_ptr<Builds> builds,
                                                     std::shared_ptr<mcp::Call> call,
                                                     nlohmann::json arguments) {
  CO_TRY(const BuildResult result, co_await build_project(environment, std::move(builds), std::move(call),
                                                          wire::read<BuildParams>(arguments)));
  co_return wire::write(result);
}

}  // namespace

mcp::Tool lean_build(Environment& environment) {
  mcp::Tool tool = describe_tool(
      {.name = "lean_build",
       .title = "Build the project",
       .group = "build",
       .description = "Runs lake build; other tools go on working. For changes in many files: opening a file "
                      "builds its imports. Without timeout_s it may take an hour.",
       // clean deletes; lakefiles are programs, and a cache comes over the network.
       .annotations = {.read_only = false, .destructive = true, .idempotent = true, .open_world = true}},
      wire::fields_of<BuildParams>(), wire::fields_of<BuildResult>());
  tool.handler = [&environment, builds = std::make_shared<Builds>()](std::shared_ptr<mcp::Call> call,
                                                                     nlohmann::json arguments) {
    return answer_build(environment, builds, std::move(call), std::move(arguments));
  };
  return tool;
}

}  // namespace leanbridge::tools

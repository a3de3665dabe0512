// lean_build: `lake build`, beside the language server, which goes on answering.

#include "leanbridge/lean/build_output.hpp"
#include "leanbridge/lean/project.hpp"
#include "leanbridge/text/utf8.hpp"

#include "tools/common/build_turns.hpp"
#include "tools/common/lake_run.hpp"
#include "tools/common/open_file.hpp"

#include <algorithm>

namespace leanbridge::tools {

using nlohmann::json;
namespace fs = std::filesystem;
namespace schema = mcp::schema;

namespace {

constexpr auto kBuildLimit = std::chrono::hours(1);  // a first build of a large library takes long
constexpr std::size_t kMaxOutput = 4u << 20;         // bytes kept: the end of it
constexpr std::size_t kMaxOutputBytes = 20'000;      // of the answer
constexpr int kDefaultLines = 20;

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

json error_item(const lean::BuildMessage& message) {
  const bool placed = message.line > 0;
  return {{"file_path", placed ? json(message.file_path) : json()},
          {"line", placed ? json(message.line) : json()},
          {"column", placed ? json(message.column) : json()},
          {"message", message.message},
          {"severity", message.severity}};
}

// `error: A/B.lean:3:2: message`, with the column from 1.
std::string error_line(const lean::BuildMessage& message) {
  std::string line = "error: ";
  if (message.line > 0)
    line +=
        message.file_path + ":" + std::to_string(message.line) + ":" + std::to_string(message.column) + ": ";
  return line + message.message;
}

json report(const Run& run, bool success, bool timed_out, int output_lines) {
  const std::string output = text::replace_invalid(lean::without_colours(run.output));
  json errors = json::array(), items = json::array();
  int error_count = 0, warning_count = 0;
  for (const lean::BuildMessage& message : lean::read_build_messages(output)) {
    if (message.severity == "warning") ++warning_count;
    if (message.severity != "error") continue;
    if (items.size() < kMaxItems) {
      errors.push_back(error_line(message));
      items.push_back(error_item(message));
    }
    ++error_count;
  }
  return {{"success", success},
          {"timed_out", timed_out},
          {"output", last_lines(output, output_lines)},
          {"errors", std::move(errors)},
          {"items", std::move(items)},
          {"total", error_count},
          {"truncated", static_cast<std::size_t>(error_count) > kMaxItems},
          {"warning_count", warning_count}};
}

Answer answer_build(Environment& environment, std::shared_ptr<Builds> builds, std::shared_ptr<mcp::Call> call,
                    mcp::Arguments arguments) {
  const auto project = environment.workspace.project(arguments.string("lean_project_path", ""));
  if (!project) co_return tl::unexpected(project.error());
  const fs::path root = (*project)->root();
  const auto lake = lean::find_lake((*project)->server().options().lake);
  if (!lake) co_return tl::unexpected(lake.error());
  io::CancelScope scope = call->scope;
  if (!arguments.has("timeout_s")) scope = io::CancelScope(kBuildLimit, call->scope.cancel);

  const auto run = std::make_shared<Run>();
  run->progress.message = "another build of this project, or of a package of it, is under way";
  call->progress = [run]() -> std::optional<mcp::Progress> { return run->progress; };
  const auto turn = co_await builds->next(environment.pool, root, scope);
  if (!turn) co_return tl::unexpected(turn.error());
  run->progress.message = "starting lake in " + root.string();

  std::vector<std::vector<std::string>> steps;
  if (arguments.boolean("clean", false)) steps.push_back({"clean"});
  if (arguments.boolean("fetch_cache", false)) steps.push_back({"exe", "cache", "get"});
  steps.push_back({"build"});
  bool success = true, timed_out = false;
  for (const auto& step : steps) {
    const auto keep = [run](std::string_view lines) { run->keep(lines); };
    const auto end = co_await run_lake({*lake, root, step, (*project)->server().options().spawn, *turn},
                                       {keep, keep}, scope);
    if (!end) co_return tl::unexpected(end.error());
    if (end->how == LakeEnd::How::Cancelled) co_return call_cancelled();
    timed_out = end->how == LakeEnd::How::TimedOut;
    success = end->how == LakeEnd::How::Exited && end->exit_code == 0;
    if (!success) break;
  }
  co_return report(*run, success, timed_out, arguments.integer("output_lines", kDefaultLines));
}

}  // namespace

mcp::Tool lean_build(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "lean_build";
  tool.title = "Build the project";
  tool.group = "build";
  tool.description =
      "Runs lake build; other tools go on working. For changes in many files: opening a file builds its "
      "imports. Without timeout_s it may take an hour.";
  tool.arguments = {
      Argument::optional_("lean_project_path", ArgumentType::String, "Default: the current one"),
      Argument::optional_("clean", ArgumentType::Boolean, "lake clean first"),
      Argument::optional_("fetch_cache", ArgumentType::Boolean, "lake exe cache get first"),
      Argument::optional_("output_lines", ArgumentType::Integer, "Default 20").at_least(0)};
  tool.output = {{"success", schema::boolean()},
                 {"timed_out", schema::boolean()},
                 {"output", schema::string()},
                 {"errors", schema::list(schema::string())},
                 {"items", schema::list({})}};
  tool.always = {"success", "output", "errors", "items"};
  // clean deletes; lakefiles are programs, and a cache comes over the network.
  tool.annotations = {.read_only = false, .destructive = true, .idempotent = true, .open_world = true};
  tool.handler = [&environment, builds = std::make_shared<Builds>()](std::shared_ptr<mcp::Call> call,
                                                                     mcp::Arguments arguments) {
    return answer_build(environment, builds, std::move(call), std::move(arguments));
  };
  return tool;
}

}  // namespace leanbridge::tools

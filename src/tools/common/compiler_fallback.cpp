#include "compiler_fallback.hpp"

#include "leanbridge/base/log.hpp"
#include "leanbridge/document/file.hpp"
#include "leanbridge/lean/build_output.hpp"
#include "leanbridge/lean/project.hpp"
#include "leanbridge/text/utf8.hpp"

#include "compiler_output.hpp"
#include "module_compiler.hpp"

#include <cmath>

namespace leanbridge::tools {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kCommand = "lake env lean --json";
constexpr int kLeanFoundErrors = 1;  // lean's exit code then, and lake's own

Error both_failed(const Error& why, const std::string& what) {
  return {why.kind, why.message + " Compiling the file instead (" + kCommand + ") failed, too: " + what,
          why.hint};
}

Compiled read(std::string name, text::Text text, const CompilerOutput& output) {
  Compiled compiled;
  compiled.name = std::move(name);
  compiled.text = std::move(text);
  for (const auto& message : output.messages()) {
    compiled.diagnostics.push_back(lean::to_diagnostic(message, compiled.text));
    // Lean's own messages about commands have an end.
    if (!message.end && message.severity == lean::Severity::Error) compiled.header_failed = true;
  }
  return compiled;
}

}  // namespace

asio::awaitable<Result<Compiled>> diagnose_with_compiler(Environment& environment,
                                                         std::shared_ptr<mcp::Call> call,
                                                         std::string file_path, Error why) {
  const auto location = environment.workspace.locate(file_path);
  if (!location) co_return tl::unexpected(location.error());
  const fs::path root = location->project->root();
  const auto lake = lean::find_lake(location->project->server().options().lake);
  if (!lake) co_return tl::unexpected(why);  // which says so
  const std::string name = location->path.lexically_relative(root).string();
  const auto load = [path = location->path, name] { return document::load_file(path, name, {}); };
  auto file = co_await environment.pool.run(load, call->scope);
  if (!file) co_return tl::unexpected(file.error());

  const auto start = io::Clock::now();
  call->progress = [name]() -> std::optional<mcp::Progress> {
    return mcp::Progress{0, 0, "compiling " + name + ", for want of a language server"};
  };
  const auto turn = co_await compiler_memory(environment).turns.in(root).acquire(call->scope);
  if (!turn && turn.error() == io::WaitStatus::Cancelled) co_return call_cancelled();
  if (!turn)
    co_return tl::unexpected(both_failed(why, "another file was being compiled until the call's deadline."));

  log::warn("{} is compiled instead: {}", name, why.message);
  auto run = co_await run_compiler({*lake,
                                    root,
                                    {"env", "lean", "--json", location->path.string()},
                                    location->project->server().options().spawn},
                                   call->scope);
  if (!run && run.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(run.error());
  if (!run) co_return tl::unexpected(both_failed(why, run.error().message));
  const auto& [output, end] = *run;
  const bool as_expected =
      end.how == LakeEnd::How::Exited && end.exit_code == (output.has_error() ? kLeanFoundErrors : 0);
  // Without a message it was not the file that failed, and nothing is known of it.
  if (!as_expected && output.messages().empty())
    co_return tl::unexpected(both_failed(why, output.how_it_ended(end)));

  Compiled compiled = read(name, std::move(*file->text), output);
  compiled.timed_out = end.how == LakeEnd::How::TimedOut;
  compiled.complete = as_expected && !output.too_many();
  compiled.how = {
      {"command", kCommand},
      {"reason", text::beginning_of(why.message, kMostOfReason)},
      {"ms", std::round(std::chrono::duration<double, std::milli>(io::Clock::now() - start).count())}};
  if (!as_expected) compiled.how["problem"] = output.how_it_ended(end);
  if (compiled.header_failed) compiled.how["hint"] = "Imports are not built by this: call lean_build.";
  co_return compiled;
}

FileStatus status_of(const Compiled& compiled) {
  FileStatus status;
  status.partial = !compiled.complete;
  status.timed_out = compiled.timed_out;
  if (!compiled.complete)
    status.still_elaborating_lines.push_back({1, static_cast<int>(compiled.text.addressable_lines())});
  status.fallback_for = "lean_server";
  status.fallback = compiled.how;
  return status;
}

// Who has died once or twice is started again by the next call, and knows more than the compiler.
bool may_compile_instead(Environment& environment, const std::string& file_path, const Error& why) {
  const auto location = environment.workspace.locate(file_path);
  if (!location) return false;
  // A header that fails is lean_unavailable, too, and the compiler would say the same.
  if (why.kind == ErrorKind::LeanUnavailable)
    return location->project->server().state() == lean::Server::State::Down;
  if (why.kind != ErrorKind::WorkerCrashed) return false;
  const auto document = location->project->find(location->path);
  return document && document->worker.crashes >= document::kMaxCrashesPerText;
}

}  // namespace leanbridge::tools

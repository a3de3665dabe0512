#include "compiler_fallback.hpp"

#include "core/base/files.hpp"
#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/document/file.hpp"
#include "core/lean/build_output.hpp"
#include "core/lean/project.hpp"
#include "core/text/utf8.hpp"
#include "module_compiler.hpp"

#include <cmath>

namespace leanbridge::ide {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kCommand = "lake env lean --json";
constexpr const char* kOptionsUnknown =
    "lake setup-file does not say which options the lakefile sets for the file, so Lean may judge it "
    "otherwise: call lean_build, which says why.";
constexpr int kErrorsFoundExitCode = 1;  // lean's own, also used by lake

Error both_failed(const Error& why, const std::string& what) {
  return {why.kind, why.message + " Compiling the file instead (" + kCommand + ") also failed: " + what,
          why.hint};
}

CompilerReport read(std::string name, text::Text text, const CompilerOutput& output) {
  CompilerReport compiled;
  compiled.name = std::move(name);
  compiled.text = std::move(text);
  for (const auto& message : output.messages()) {
    compiled.diagnostics.push_back(lean::to_diagnostic(message, compiled.text));
    // Messages about commands have an end; one about the header has none.
    if (!message.end && message.severity == lean::Severity::Error) compiled.header_failed = true;
  }
  return compiled;
}

}  // namespace

asio::awaitable<Result<CompilerReport>> diagnose_with_compiler(Lean& lean,
                                                               std::shared_ptr<io::Operation> call,
                                                               std::string file_path, Error why) {
  CO_TRY(const auto location, lean.workspace.locate(file_path));
  const fs::path root = location.project->root();
  const auto lake = lean::find_lake(location.project->server().options().lake);
  if (!lake) co_return tl::unexpected(why);  // `why` already says that lake is missing
  const std::string name = location.path.lexically_relative(root).string();
  const auto load = [path = location.path, name] { return document::load_file(path, name, {}); };
  auto file = co_await lean.pool.run(load, call->scope);
  if (!file) co_return tl::unexpected(file.error());

  const auto start = io::Clock::now();
  call->progress = [name]() -> std::optional<io::Progress> {
    return io::Progress{0, 0, "language server unavailable; compiling " + name + " instead"};
  };
  const auto turn = co_await compiler_memory(lean).turns.in(root).acquire(call->scope);
  if (!turn && turn.error() == io::WaitStatus::Cancelled) co_return call_cancelled();
  if (!turn)
    co_return tl::unexpected(
        both_failed(why, "another file was still being compiled at the call's deadline."));

  log::warn("Compiling {} instead of asking the language server: {}", name, why.message);
  const lean::ServerOptions& server = location.project->server().options();
  const LakeCommand in_project{*lake, root, {}, server.spawn, server.environment};
  LakeCommand command = in_project;
  command.arguments = {"env", "lean", "--json"};
  const TextOfFile text{location.project, location.path, file->text->str()};
  const auto found_setup = co_await file_setup_of(lean, text, Imports::TakeAsBuilt, true, call->scope);
  const auto setup = found_setup.value_or(nullptr);
  std::shared_ptr<const TemporaryFolder> folder;
  if (setup) folder = co_await write_setup(lean, setup->json, call->scope);
  if (folder) command.arguments.push_back(setup_argument(*folder));
  const auto path = co_await search_path_of(lean, *location.project, call->scope);
  if (path && folder && !setup->loads_libraries) {
    const lean::ColdRun cold = {root.string(), path->folders, {setup->json}, name, text.text};
    const auto snapshot =
        co_await find_snapshot(lean, in_project, {setup_argument(*folder)}, cold, call->scope);
    if (snapshot) command.arguments.push_back(snapshot->argument());
  }
  command.arguments.push_back(location.path.string());
  auto run = co_await run_compiler(std::move(command), call->scope);
  if (!run && run.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(run.error());
  if (!run) co_return tl::unexpected(both_failed(why, run.error().message));
  const auto& [output, end] = *run;
  const bool as_expected =
      end.how == LakeEnd::How::Exited && end.exit_code == (output.has_error() ? kErrorsFoundExitCode : 0);
  // Without a message, something other than the file failed, and nothing is known about the file.
  if (!as_expected && output.messages().empty())
    co_return tl::unexpected(both_failed(why, output.how_it_ended(end)));

  CompilerReport compiled = read(name, std::move(*file->text), output);
  if (end.how == LakeEnd::How::TimedOut)
    compiled.completeness = Completeness::TimedOut;
  else if (!as_expected || output.too_many() || !folder)
    compiled.completeness = Completeness::Partial;
  compiled.fallback = {
      {"command", kCommand},
      {"reason", text::beginning_of(why.message, kMaxReasonBytes)},
      {"ms", std::round(std::chrono::duration<double, std::milli>(io::Clock::now() - start).count())}};
  if (!as_expected)
    compiled.fallback["problem"] = output.how_it_ended(end);
  else if (!folder)
    compiled.fallback["problem"] = kOptionsUnknown;
  if (compiled.header_failed) compiled.fallback["hint"] = "This does not build imports: call lean_build.";
  co_return compiled;
}

FileStatus status_of(const CompilerReport& compiled) {
  FileStatus status;
  status.partial = compiled.completeness != Completeness::Complete;
  status.timed_out = compiled.completeness == Completeness::TimedOut;
  if (status.partial)
    status.still_elaborating_lines.push_back({1, static_cast<int>(compiled.text.addressable_lines())});
  status.fallback_for = "lean_server";
  status.fallback = compiled.fallback;
  return status;
}

// A worker that died once or twice is restarted by the next call, and knows more than the compiler.
bool may_fall_back(Lean& lean, const std::string& file_path, const Error& why) {
  const auto location = lean.workspace.locate(file_path);
  if (!location) return false;
  // A failed header is also lean_unavailable, but there the compiler would say the same.
  if (why.kind == ErrorKind::LeanUnavailable)
    return location->project->server().state() == lean::Server::State::Down;
  if (why.kind != ErrorKind::WorkerCrashed) return false;
  const auto document = location->project->find(location->path);
  return document && document->worker.crashes >= document::kMaxCrashesPerText;
}

}  // namespace leanbridge::ide

#include "compiling.hpp"

#include "leanbridge/base/log.hpp"
#include "leanbridge/document/file.hpp"
#include "leanbridge/lean/build_output.hpp"
#include "leanbridge/lean/compiler_message.hpp"
#include "leanbridge/lean/imports.hpp"
#include "leanbridge/lean/project.hpp"
#include "leanbridge/text/utf8.hpp"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace leanbridge::tools {

using nlohmann::json;
namespace fs = std::filesystem;

/// How lake has a file compiled.
struct CompilerSetup {
  lean::ImportState configuration;  ///< what lake had read
  std::vector<std::string> options;
  std::vector<fs::path> search_path;
};

namespace {

constexpr const char* kCommand = "lake env lean --json";
constexpr std::size_t kMostMessages = 10'000;
constexpr std::size_t kLastWords = 2000;  // bytes kept of what is no message
constexpr std::size_t kReason = 600;      // bytes of the answer
constexpr int kLeanFoundErrors = 1;       // lean's exit code then, and lake's own

LakeTurns& compilers_of(Environment& environment) {
  if (!environment.compilers) environment.compilers = std::make_shared<LakeTurns>();
  return *environment.compilers;
}

/// What comes out of the compiler.
struct Said {
  std::vector<lean::CompilerMessage> messages;
  std::string other;
  bool too_many = false;

  void hear(std::string_view lines) {
    while (!lines.empty()) {
      const std::size_t end = std::min(lines.find('\n'), lines.size());
      hear_line(lines.substr(0, end));
      lines.remove_prefix(std::min(end + 1, lines.size()));
    }
  }
  void hear_other(std::string_view lines) {
    other += lines;
    if (other.size() > 2 * kLastWords) other.erase(0, other.size() - kLastWords);
  }
  bool has_error() const {
    for (const auto& message : messages)
      if (message.severity == lean::Severity::Error) return true;
    return false;
  }
  std::string last_words() const {
    std::string plain = text::replace_invalid(lean::without_colours(other));
    while (plain.ends_with('\n')) plain.pop_back();
    return plain;
  }

 private:
  void hear_line(std::string_view line) {
    auto message = lean::read_compiler_message(line);
    if (!message) return hear_other(std::string(line) + "\n");
    if (messages.size() < kMostMessages)
      messages.push_back(std::move(*message));
    else
      too_many = true;
  }
};

std::string how_it_ended(const LakeEnd& end, const Said& said) {
  std::string text = end.how == LakeEnd::How::TimedOut ? "it was not done by the call's deadline"
                                                       : "exit code " + std::to_string(end.exit_code);
  if (const std::string words = said.last_words(); !words.empty()) text += ": " + words;
  return text;
}

Error both_failed(const Error& why, const std::string& what) {
  return {why.kind, why.message + " Compiling the file instead (" + kCommand + ") failed, too: " + what,
          why.hint};
}

Compiled read(std::string name, text::Text text, const Said& said) {
  Compiled compiled;
  compiled.name = std::move(name);
  compiled.text = std::move(text);
  for (const auto& message : said.messages) {
    compiled.diagnostics.push_back(lean::to_diagnostic(message, compiled.text));
    // Lean's own messages about commands have an end.
    if (!message.end && message.severity == lean::Severity::Error) compiled.header_failed = true;
  }
  return compiled;
}

}  // namespace

asio::awaitable<Result<Compiled>> compile_instead(Environment& environment, std::shared_ptr<mcp::Call> call,
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
  const auto turn = co_await compilers_of(environment).in(root).next(call->scope);
  if (!turn && turn.error() == io::WaitEnd::Cancelled) co_return call_cancelled();
  if (!turn)
    co_return tl::unexpected(both_failed(why, "another file was being compiled until the call's deadline."));

  log::warn("{} is compiled instead: {}", name, why.message);
  const auto said = std::make_shared<Said>();
  LakeCommand command{*lake,
                      root,
                      {"env", "lean", "--json", location->path.string()},
                      location->project->server().options().spawn};
  LakeOutput output;
  output.on_stdout = [said](std::string_view lines) { said->hear(lines); };
  output.on_stderr = [said](std::string_view lines) { said->hear_other(lines); };
  const auto end = co_await run_lake(std::move(command), std::move(output), call->scope);
  if (!end) co_return tl::unexpected(both_failed(why, end.error().message));
  if (end->how == LakeEnd::How::Cancelled) co_return call_cancelled();
  const bool as_expected =
      end->how == LakeEnd::How::Exited && end->exit_code == (said->has_error() ? kLeanFoundErrors : 0);
  // Without a message it was not the file that failed, and nothing is known of it.
  if (!as_expected && said->messages.empty())
    co_return tl::unexpected(both_failed(why, how_it_ended(*end, *said)));

  Compiled compiled = read(name, std::move(*file->text), *said);
  compiled.timed_out = end->how == LakeEnd::How::TimedOut;
  compiled.complete = as_expected && !said->too_many;
  compiled.how = {
      {"command", kCommand},
      {"reason", text::beginning_of(why.message, kReason)},
      {"ms", std::round(std::chrono::duration<double, std::milli>(io::Clock::now() - start).count())}};
  if (!as_expected) compiled.how["problem"] = how_it_ended(*end, *said);
  if (compiled.header_failed) compiled.how["hint"] = "Imports are not built by this: call lean_build.";
  co_return compiled;
}

namespace {

constexpr const char* kModuleFile = "Module.lean";
constexpr std::size_t kMostSetups = 1000;
constexpr std::size_t kMostOutput = 1u << 20;  // bytes of lake's own answers that are read

/// A folder of our own below the system's for temporary files, gone when this is.
class TemporaryFolder {
 public:
  static Result<std::shared_ptr<TemporaryFolder>> create() {
    std::error_code error;
    std::string path = (fs::temp_directory_path(error) / "leanbridge-XXXXXX").string();
    if (error || ::mkdtemp(path.data()) == nullptr)
      return fail(ErrorKind::Internal,
                  "No temporary folder could be made: " + std::string(std::strerror(errno)) + ".",
                  "Set TMPDIR to a folder that can be written.");
    return std::make_shared<TemporaryFolder>(Made{}, std::move(path));
  }
  struct Made {};
  TemporaryFolder(Made, fs::path path) : path_(std::move(path)) {}
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// What lake prints to stdout; nullopt where it fails.
asio::awaitable<std::optional<std::string>> lake_says(LakeCommand command, io::Scope scope) {
  const auto out = std::make_shared<std::string>();
  LakeOutput output;
  output.on_stdout = [out](std::string_view lines) {
    if (out->size() < kMostOutput) *out += lines;
  };
  output.on_stderr = [](std::string_view) {};
  const auto end = co_await run_lake(std::move(command), std::move(output), scope);
  if (!end || end->how != LakeEnd::How::Exited || end->exit_code != 0) co_return std::nullopt;
  co_return std::move(*out);
}

// `-Dname=value` for what `lake setup-file` has decided of a file: `options`, before Lean 4.22
// `setupOptions`.
std::optional<std::vector<std::string>> options_in(const std::string& setup) {
  const json value = json::parse(setup, nullptr, false);
  if (!value.is_object()) return std::nullopt;
  std::vector<std::string> arguments;
  for (const char* member : {"options", "setupOptions"}) {
    const auto options = value.find(member);
    if (options == value.end() || !options->is_object()) continue;
    for (const auto& [name, set] : options->items())
      arguments.push_back("-D" + name + "=" + (set.is_string() ? set.get<std::string>() : set.dump()));
  }
  return arguments;
}

// Asks lake once for each file, and again when what lake reads has changed. Null: lake does not say.
asio::awaitable<std::shared_ptr<CompilerSetup>> setup_of(Environment& environment, LakeCommand lake,
                                                         fs::path path, io::Scope scope) {
  const auto look = [root = lake.root]() -> Result<lean::ImportState> {
    return lean::configuration_state(root);
  };
  auto state = co_await environment.pool.run(look, scope);
  if (!state) co_return nullptr;
  auto& known = environment.setups[path];
  if (known && known->configuration == *state) co_return known;
  LakeCommand command = lake;
  command.arguments = {"setup-file", path.string()};
  const auto setup = co_await lake_says(command, scope);
  command.arguments = {"env"};
  const auto variables = co_await lake_says(command, scope);
  auto options = setup ? options_in(*setup) : std::nullopt;
  if (!options || !variables) co_return nullptr;
  auto fresh = std::make_shared<CompilerSetup>(
      CompilerSetup{std::move(*state), std::move(*options), index::search_path_in(*variables, lake.root)});
  if (environment.setups.size() >= kMostSetups) environment.setups.clear();
  environment.setups[path] = fresh;
  co_return fresh;
}

std::string first_error(const std::vector<lean::Diagnostic>& diagnostics, const text::Text& text) {
  for (const lean::Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == lean::Severity::Error)
      return "Lean does not compile the file: line " +
             std::to_string(text.position_at(diagnostic.range.start).line) + ": " +
             std::string(text::beginning_of(diagnostic.message, kReason));
  return {};
}

Result<CompiledModule> read_proofs(CompiledModule module, const fs::path& olean,
                                   const std::vector<fs::path>& search_path,
                                   const std::optional<std::string>& name) {
  auto proofs = index::CompiledProofs::open(olean, search_path);
  if (!proofs) {
    module.why_not = proofs.error().message;
    return module;
  }
  auto constants = proofs->constants();
  auto foundation =
      name && constants ? proofs->foundation(*name) : Result<std::optional<index::Foundation>>(std::nullopt);
  if (!constants || !foundation) {
    module.why_not = (constants ? foundation.error() : constants.error()).message;
    return module;
  }
  module.constants = std::move(*constants);
  module.foundation = std::move(*foundation);
  return module;
}

}  // namespace

asio::awaitable<Result<CompiledModule>> compile_module(Environment& environment,
                                                       std::shared_ptr<document::DocumentTable> project,
                                                       fs::path path, std::string text,
                                                       std::optional<std::string> name, io::Scope scope) {
  CompiledModule module;
  module.text = text::Text(std::move(text));
  const auto unknown = [&module](std::string why) {
    module.why_not = std::move(why);
    return std::move(module);
  };
  const fs::path root = project->root();
  const io::Spawn spawn = project->server().options().spawn;
  const auto lake = lean::find_lake(project->server().options().lake);
  if (!lake) co_return unknown(lake.error().message);
  const auto turn = co_await compilers_of(environment).in(root).next(scope);
  if (!turn && turn.error() == io::WaitEnd::Cancelled) co_return call_cancelled();
  if (!turn) co_return unknown("Another file was being compiled until the call's deadline.");

  const auto write = [bytes = module.text.str()]() -> Result<std::shared_ptr<TemporaryFolder>> {
    auto folder = TemporaryFolder::create();
    if (!folder) return folder;
    std::ofstream stream((*folder)->path() / kModuleFile, std::ios::binary);
    stream << bytes;
    stream.close();
    if (!stream) return fail(ErrorKind::Internal, "The temporary folder could not be written.");
    return folder;
  };
  const auto folder = co_await environment.pool.run(write, scope);
  if (!folder && folder.error().kind == ErrorKind::Cancelled) co_return call_cancelled();
  if (!folder) co_return unknown(folder.error().message);

  const auto setup = co_await setup_of(environment, {*lake, root, {}, spawn}, path, scope);
  if (scope.cancel->cancelled()) co_return call_cancelled();
  if (!setup) co_return unknown("Lake did not say how the file is to be compiled.");

  const fs::path olean = (*folder)->path() / "Module.olean";
  LakeCommand command{
      *lake, root, {"env", "lean", "--json", "-R", (*folder)->path().string(), "-o", olean.string()}, spawn};
  command.arguments.insert(command.arguments.end(), setup->options.begin(), setup->options.end());
  command.arguments.push_back(((*folder)->path() / kModuleFile).string());
  const auto said = std::make_shared<Said>();
  LakeOutput output;
  output.on_stdout = [said](std::string_view lines) { said->hear(lines); };
  output.on_stderr = [said](std::string_view lines) { said->hear_other(lines); };
  const auto end = co_await run_lake(std::move(command), std::move(output), scope);
  if (!end) co_return unknown(end.error().message);
  if (end->how == LakeEnd::How::Cancelled) co_return call_cancelled();
  for (const auto& message : said->messages)
    module.diagnostics.push_back(lean::to_diagnostic(message, module.text));
  if (end->how != LakeEnd::How::Exited || end->exit_code != 0) {
    std::string why = first_error(module.diagnostics, module.text);
    co_return unknown(why.empty() ? "Lean did not compile the file: " + how_it_ended(*end, *said) : why);
  }
  // The folder lives as long as its files are read.
  auto read = [folder = *folder, module = std::move(module), olean, name, setup]() mutable {
    return read_proofs(std::move(module), olean, setup->search_path, name);
  };
  auto known = co_await environment.pool.run(std::move(read), scope);
  if (known || known.error().kind == ErrorKind::Cancelled) co_return known;
  CompiledModule unread;
  unread.why_not = known.error().message;
  co_return unread;
}

json finish_compiled(json answer, const Compiled& compiled) {
  answer["version"] = nullptr;
  answer["partial"] = !compiled.complete;
  answer["timed_out"] = compiled.timed_out;
  answer["still_elaborating_lines"] = json::array();
  if (!compiled.complete) answer["still_elaborating_lines"].push_back({1, compiled.text.addressable_lines()});
  answer["fallback_for"] = "lean_server";
  answer["fallback"] = compiled.how;
  return answer;
}

namespace {

// Who has died once or twice is started again by the next call, and knows more than the compiler.
bool may_compile_instead(Environment& environment, const std::string& file_path, const Error& why) {
  const auto location = environment.workspace.locate(file_path);
  if (!location) return false;
  // A header that fails is lean_unavailable, too, and the compiler would say the same.
  if (why.kind == ErrorKind::LeanUnavailable)
    return location->project->server().state() == lean::Server::State::Down;
  if (why.kind != ErrorKind::WorkerCrashed) return false;
  const auto document = location->project->find(location->path);
  return document && document->crashes >= document::kCrashesAtOneText;
}

Answer with_fallback(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments,
                     Answer (*answer)(Environment&, std::shared_ptr<mcp::Call>, mcp::Arguments),
                     Answer (*instead)(Environment&, std::shared_ptr<mcp::Call>, mcp::Arguments, Error)) {
  auto result = co_await answer(environment, call, arguments);
  if (result || !may_compile_instead(environment, arguments.string("file_path"), result.error()))
    co_return result;
  co_return co_await instead(environment, std::move(call), std::move(arguments), result.error());
}

}  // namespace

mcp::Tool::Handler handled_by(Environment& environment,
                              Answer (*answer)(Environment&, std::shared_ptr<mcp::Call>, mcp::Arguments),
                              Answer (*instead)(Environment&, std::shared_ptr<mcp::Call>, mcp::Arguments,
                                                Error)) {
  return [&environment, answer, instead](std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
    return with_fallback(environment, std::move(call), std::move(arguments), answer, instead);
  };
}

}  // namespace leanbridge::tools

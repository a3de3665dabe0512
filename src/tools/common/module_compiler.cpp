#include "module_compiler.hpp"

#include "leanbridge/base/files.hpp"
#include "leanbridge/lean/project.hpp"
#include "leanbridge/text/lean_header.hpp"
#include "leanbridge/text/utf8.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstring>

namespace leanbridge::tools {

using nlohmann::json;
namespace fs = std::filesystem;

CompilerMemory& compiler_memory(Environment& environment) {
  if (!environment.compiler) environment.compiler = std::make_shared<CompilerMemory>();
  return *environment.compiler;
}

namespace {

constexpr const char* kModuleFile = "Module.lean";
constexpr std::size_t kMaxLakeOutput = 1u << 20;  // bytes

// What lake prints to stdout; nullopt if it fails.
asio::awaitable<std::optional<std::string>> lake_stdout(LakeCommand command, io::CancelScope scope) {
  const auto out = std::make_shared<std::string>();
  LakeOutput output;
  output.on_stdout = [out](std::string_view lines) {
    if (out->size() < kMaxLakeOutput) *out += lines;
  };
  output.on_stderr = [](std::string_view) {};
  const auto end = co_await run_lake(std::move(command), std::move(output), scope);
  if (!end || end->how != LakeEnd::How::Exited || end->exit_code != 0) co_return std::nullopt;
  co_return std::move(*out);
}

// `-Dname=value` for each option in the output of `lake setup-file`: `options`, before Lean 4.22
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

// The imports of a text in the format that `lake setup-file` takes (Lean.ModuleHeader, src/Lean/Setup.lean).
std::string header_json(const text::LeanHeader& header) {
  std::vector<text::HeaderImport> of_all = header.imports;
  if (!header.has_prelude) of_all.insert(of_all.begin(), {.module = "Init", .is_public = true});
  json imports = json::array();
  for (const text::HeaderImport& import : of_all)
    imports.push_back({{"module", import.module},
                       {"importAll", import.is_all},
                       {"isExported", import.is_public || !header.is_module},
                       {"isMeta", import.is_meta}});
  return json{{"imports", std::move(imports)}, {"isModule", header.is_module}}.dump();
}

// Lets lake build the text's imports, as Lean's server does before it starts a worker, and returns the
// options for the compiler. nullopt: lake failed.
asio::awaitable<std::optional<std::vector<std::string>>> build_imports(LakeCommand lake, const fs::path& path,
                                                                       const std::string& source,
                                                                       io::CancelScope scope) {
  const text::LeanHeader header = text::parse_lean_header(source);
  lake.arguments = {"setup-file", path.string(), header_json(header)};
  if (const auto setup = co_await lake_stdout(lake, scope)) co_return options_in(*setup);
  // Before 4.26, lake takes the names of the imports.
  lake.arguments = {"setup-file", path.string()};
  for (const text::HeaderImport& import : header.imports) lake.arguments.push_back(import.module);
  const auto setup = co_await lake_stdout(lake, scope);
  co_return setup ? options_in(*setup) : std::nullopt;
}

// Asks lake once per project, and again when a file that lake reads has changed. Null: lake failed.
asio::awaitable<std::shared_ptr<const SearchPath>> search_path_of(Environment& environment, LakeCommand lake,
                                                                  io::CancelScope scope) {
  const auto look = [root = lake.root]() -> Result<lean::ImportState> {
    return lean::configuration_state(root);
  };
  auto state = co_await environment.pool.run(look, scope);
  if (!state) co_return nullptr;
  const auto known = compiler_memory(environment).search_paths[lake.root];
  if (known && known->configuration == *state) co_return known;
  lake.arguments = {"env"};
  const fs::path root = lake.root;
  const auto variables = co_await lake_stdout(std::move(lake), scope);
  if (!variables) co_return nullptr;
  auto fresh = std::make_shared<const SearchPath>(
      SearchPath{std::move(*state), index::search_path_in(*variables, root)});
  compiler_memory(environment).search_paths[root] = fresh;
  co_return fresh;
}

std::string first_error(const CompilerOutput& output, const text::Text& text) {
  for (const lean::CompilerMessage& message : output.messages()) {
    if (message.severity != lean::Severity::Error) continue;
    const lean::Diagnostic diagnostic = lean::to_diagnostic(message, text);
    return "Lean does not compile the file: line " +
           std::to_string(text.position_at(diagnostic.range.start).line) + ": " +
           std::string(text::beginning_of(diagnostic.message, kMaxReasonBytes));
  }
  return {};
}

CompiledModule unknown(std::string why) {
  CompiledModule module;
  module.why_not = std::move(why);
  return module;
}

CompiledModule read_proofs(const fs::path& olean, const std::vector<fs::path>& search_path,
                           const std::optional<std::string>& name) {
  auto proofs = index::CompiledProofs::open(olean, search_path);
  if (!proofs) return unknown(proofs.error().message);
  CompiledModule module;
  if (name) {
    auto foundation = proofs->foundation(*name);
    if (!foundation) return unknown(foundation.error().message);
    module.foundation = std::move(*foundation);
  } else {
    auto constants = proofs->constants();
    if (!constants) return unknown(constants.error().message);
    module.constants = std::move(*constants);
  }
  return module;
}

}  // namespace

asio::awaitable<Result<CompiledModule>> compile_module(Environment& environment,
                                                       std::shared_ptr<document::DocumentStore> project,
                                                       fs::path path, std::string text,
                                                       std::optional<std::string> name,
                                                       io::CancelScope scope) {
  const fs::path root = project->root();
  const io::Spawn spawn = project->server().options().spawn;
  const auto lake = lean::find_lake(project->server().options().lake);
  if (!lake) co_return unknown(lake.error().message);
  const auto turn = co_await compiler_memory(environment).turns.in(root).acquire(scope);
  if (!turn && turn.error() == io::WaitStatus::Cancelled) co_return call_cancelled();
  if (!turn) co_return unknown("Another file was still being compiled at the call's deadline.");

  const auto write = [text]() -> Result<std::shared_ptr<const TemporaryFolder>> {
    auto folder = TemporaryFolder::create();
    if (!folder) return folder;
    const fs::path file = (*folder)->path() / kModuleFile;
    const Descriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!out || !write_all(out.get(), text))
      return fail(ErrorKind::Internal, "Cannot write " + file.string() + ": " + std::strerror(errno) + ".",
                  "Free space in the folder for temporary files, or set TMPDIR to another one.");
    return folder;
  };
  const auto folder = co_await environment.pool.run(write, scope);
  if (!folder && folder.error().kind == ErrorKind::Cancelled) co_return call_cancelled();
  if (!folder) co_return unknown(folder.error().message);

  const LakeCommand in_project{*lake, root, {}, spawn};
  const auto search_path = co_await search_path_of(environment, in_project, scope);
  const auto options = co_await build_imports(in_project, path, text, scope);
  if (scope.cancel->cancelled()) co_return call_cancelled();
  if (!options || !search_path)
    co_return unknown(
        "Lake could not build the file's imports or report its compiler options; call lean_build.");

  const fs::path olean = (*folder)->path() / "Module.olean";
  LakeCommand command{
      *lake, root, {"env", "lean", "--json", "-R", (*folder)->path().string(), "-o", olean.string()}, spawn};
  command.arguments.insert(command.arguments.end(), options->begin(), options->end());
  command.arguments.push_back(((*folder)->path() / kModuleFile).string());
  const auto run = co_await run_compiler(std::move(command), scope);
  if (!run && run.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(run.error());
  if (!run) co_return unknown(run.error().message);
  if (run->end.how != LakeEnd::How::Exited || run->end.exit_code != 0) {
    std::string why = first_error(run->output, text::Text(std::move(text)));
    co_return unknown(why.empty() ? "Compiling the file failed: " + run->output.how_it_ended(run->end)
                                  : std::move(why));
  }
  // Keep the folder alive while its files are read.
  const auto read = [folder = *folder, olean, name, search_path]() -> Result<CompiledModule> {
    return read_proofs(olean, search_path->folders, name);
  };
  auto module = co_await environment.pool.run(read, scope);
  if (module || module.error().kind == ErrorKind::Cancelled) co_return module;
  co_return unknown(module.error().message);
}

}  // namespace leanbridge::tools

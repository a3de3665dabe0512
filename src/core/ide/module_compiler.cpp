#include "module_compiler.hpp"

#include "core/base/files.hpp"
#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/lean/axioms.hpp"
#include "core/lean/build_output.hpp"
#include "core/lean/lake_paths.hpp"
#include "core/lean/lakefile_settings.hpp"
#include "core/lean/project.hpp"
#include "core/lean/toolchain.hpp"
#include "core/olean/olean_region.hpp"
#include "core/text/lean_header.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/utf8.hpp"

#include <algorithm>
#include <functional>

namespace leanbridge::ide {

using nlohmann::json;
namespace fs = std::filesystem;

std::shared_ptr<CompilerMemory> make_compiler_memory() {
  return std::make_shared<CompilerMemory>();
}

CompilerMemory& compiler_memory(Lean& lean) {
  if (!lean.compiler) lean.compiler = make_compiler_memory();
  return *lean.compiler;
}

namespace {

constexpr const char* kModuleFile = "Module.lean";
constexpr const char* kSetupFile = "setup.json";
constexpr std::size_t kMaxLakeOutput = 1u << 20;  // bytes

// Lake's stdout; nullopt if it fails.
asio::awaitable<std::optional<std::string>> lake_stdout(LakeCommand command, io::CancelScope scope,
                                                        std::shared_ptr<std::string> log = nullptr) {
  const auto out = std::make_shared<std::string>();
  LakeOutput output;
  output.on_stdout = [out](std::string_view lines) {
    if (out->size() < kMaxLakeOutput) *out += lines;
  };
  output.on_stderr = [log](std::string_view lines) {
    if (log && log->size() < kMaxLakeOutput) *log += lines;
  };
  const auto end = co_await run_lake(std::move(command), std::move(output), scope);
  if (!end || end->how != LakeEnd::How::Exited || end->exit_code != 0) co_return std::nullopt;
  co_return std::move(*out);
}

// The strings in a value of importArts: a list, or lists of lists (`ImportArtifacts` of src/Lean/Setup.lean).
void add_paths(const json& value, std::vector<fs::path>& paths) {
  if (value.is_string()) paths.emplace_back(value.get<std::string>());
  if (value.is_array())
    for (const json& each : value) add_paths(each, paths);
}

constexpr const char* kNoSetup =
    "Lake could not build the file's imports or report its compiler options; call lean_build.";

tl::unexpected<Error> no_setup(std::string why = kNoSetup) {
  return fail(ErrorKind::LeanUnavailable, std::move(why));
}

// Fails if it is not what `lake setup-file` prints.
Result<FileSetup> parse_setup(const std::string& output) {
  json value = json::parse(output, nullptr, false);
  if (!value.is_object()) return no_setup();
  FileSetup setup;
  json options = json::object();
  // Before Lean 4.22 these were `setupOptions`.
  for (const char* list : {"options", "setupOptions"})
    if (const json& set = member(value, list); set.is_object()) options.update(set);
  for (const auto& [name, set] : options.items())
    setup.options.emplace_back(lean::option_without_weak(name),
                               set.is_string() ? set.get<std::string>() : set.dump());
  for (const char* list : {"dynlibs", "plugins"}) {
    if (const json& paths = member(value, list); !paths.is_array()) value[list] = json::array();
    setup.loads_libraries = setup.loads_libraries || !value[list].empty();
  }
  if (!member(value, "importArts").is_object()) value["importArts"] = json::object();
  for (const auto& [module, parts] : value["importArts"].items()) add_paths(parts, setup.artifacts[module]);
  // These options only turn off a warning, and Lean may not know them.
  for (const char* name : {"warn.sorry", "weak.warn.sorry"}) options.erase(name);
  value["options"] = std::move(options);
  if (!member(value, "name").is_string()) value["name"] = "_unknown";
  if (!member(value, "isModule").is_boolean()) value["isModule"] = false;
  setup.json = value.dump();
  return setup;
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

// Lets lake build the text's imports, as Lean's server does before it starts a worker, unless they are to be
// taken as built.
asio::awaitable<Result<FileSetup>> ask_for_setup(LakeCommand lake, const fs::path& path,
                                                 const std::string& source, Imports imports,
                                                 io::CancelScope scope) {
  const text::LeanHeader header = text::parse_lean_header(source);
  std::vector<std::string> named = {"setup-file"};
  if (imports == Imports::TakeAsBuilt) named.emplace_back("--no-build");
  named.push_back(path.string());
  lake.arguments = named;
  lake.arguments.push_back(header_json(header));
  const auto log = std::make_shared<std::string>();
  if (const auto setup = co_await lake_stdout(lake, scope, log)) co_return parse_setup(*setup);
  if (scope.cancel->cancelled() || io::Clock::now() >= scope.deadline) co_return no_setup();
  if (auto failure = lean::import_failure_in(*log)) co_return no_setup(std::move(*failure));
  // Before 4.26, lake takes the names of the imports.
  lake.arguments = std::move(named);
  for (const text::HeaderImport& import : header.imports) lake.arguments.push_back(import.module);
  const auto setup = co_await lake_stdout(lake, scope);
  co_return setup ? parse_setup(*setup) : no_setup();
}

// Makes files of imported modules that lie elsewhere, in Lake's cache under the hashes of their contents,
// reachable by name. Returns the folder, or "" if all files are in the usual folders. Blocking.
fs::path link_artifacts(const FileSetup& setup, const std::vector<fs::path>& folders, const fs::path& below) {
  const auto is_found = [&](const fs::path& file) {
    return std::ranges::any_of(
        folders, [&](const fs::path& folder) { return file.string().starts_with(folder.string() + "/"); });
  };
  fs::path made;
  for (const auto& [module, files] : setup.artifacts) {
    const auto path = text::path_of_module(module);
    if (!path) continue;
    for (const fs::path& file : files) {
      const std::string name = file.filename().string();
      const std::size_t kind = name.find(".olean");
      if (kind == std::string::npos || is_found(file)) continue;
      made = below / "imported";
      fs::path link = made / *path;
      link += name.substr(kind);
      std::error_code error;
      fs::create_directories(link.parent_path(), error);
      fs::create_symlink(file, link,
                         error);  // without it, the module is not found, and Lean's answer unknown
    }
  }
  return made;
}

// The version of Lean as stored in the compiled module Init; the toolchain's folder is the last of `folders`.
// "": the module cannot be read.
std::string lean_version_in(const std::vector<fs::path>& folders) {
  if (folders.empty()) return {};
  const auto bytes = olean::ModuleBytes::map(folders.back() / "Init.olean");
  if (!bytes) return {};
  const auto region = olean::Region::open(bytes->parts());
  return region ? region->lean_version() : std::string();
}

// Asks lake once per project, and again when a file that lake reads has changed. Null: lake failed.
asio::awaitable<std::shared_ptr<const SearchPath>> search_path_of(Lean& lean, LakeCommand lake,
                                                                  io::CancelScope scope) {
  const auto look = [root = lake.root]() -> Result<lean::ImportState> {
    return lean::configuration_state(root);
  };
  auto state = co_await lean.pool.run(look, scope);
  if (!state) co_return nullptr;
  const auto known = compiler_memory(lean).search_paths[lake.root];
  if (known && known->configuration == *state) co_return known;
  lake.arguments = {"env"};
  const fs::path root = lake.root;
  const auto variables = co_await lake_stdout(std::move(lake), scope);
  if (!variables) co_return nullptr;
  SearchPath found{std::move(*state),
                   lean::search_path_in(*variables, root),
                   lean::read_lake_paths(*variables, root).sources,
                   {}};
  const auto read = [folders = found.folders]() -> Result<std::string> { return lean_version_in(folders); };
  found.lean_version = (co_await lean.pool.run(read, scope)).value_or("");
  auto fresh = std::make_shared<const SearchPath>(std::move(found));
  compiler_memory(lean).search_paths[root] = fresh;
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

Result<CompiledModule> read_proofs(const CompiledText& compiled, const ModuleQuestion& question) {
  TRY(auto proofs, olean::CompiledProofs::open(*compiled.files, compiled.folders));
  CompiledModule module;
  for (const std::string& name : question.names) {
    TRY(auto foundation, proofs.foundation(name));
    if (foundation) module.foundations.push_back(std::move(*foundation));
  }
  if (question.names.empty()) {
    TRY(module.constants, proofs.constants());
  }
  if (question.beyond) {
    TRY(module.beyond, proofs.foundations_beyond(lean::is_standard_axiom));
  }
  module.not_accepted = compiled.not_accepted.value_or("");
  module.accepted = compiled.not_accepted && module.not_accepted.empty();
  return module;
}

// --- remembered texts

constexpr std::size_t kMaxKeptTexts = 16;
constexpr std::size_t kMaxKeptBytes = std::size_t{64} << 20;  // bytes of texts and modules together

std::size_t size_of(const CompiledText& compiled) {
  return compiled.text.size() + (compiled.files ? compiled.files->size() : 0);
}

std::pair<fs::path, std::size_t> key_of(const TextOfFile& of) {
  return {of.path, std::hash<std::string>()(of.text)};
}

// Null: there is none, or a file that it depends on has changed.
std::shared_ptr<const CompiledText> find_compiled(Lean& lean, const TextOfFile& of,
                                                  const lean::ImportState& read) {
  const auto& kept = compiler_memory(lean).compiled;
  const auto known = kept.find(key_of(of));
  if (known == kept.end() || known->second->text != of.text || known->second->read != read) return nullptr;
  if (of.has_programs && known->second->files && !known->second->not_accepted) return nullptr;
  return known->second;
}

void keep(Lean& lean, const TextOfFile& of, std::shared_ptr<const CompiledText> compiled) {
  auto& kept = compiler_memory(lean).compiled;
  kept.erase(key_of(of));
  std::size_t bytes = size_of(*compiled);
  for (const auto& [key, other] : kept) bytes += size_of(*other);
  if (kept.size() >= kMaxKeptTexts || bytes > kMaxKeptBytes) kept.clear();
  if (size_of(*compiled) <= kMaxKeptBytes) kept.emplace(key_of(of), std::move(compiled));
}

// --- compiling

/// Has the kernel of a fresh Lean check each declaration of a module. It runs nothing of the module.
constexpr const char* kReplayFile = "Replay.lean";
std::string replay_program(bool in_parts) {
  const std::string read =
      in_parts ? "  let parts ← readModuleDataParts #[module, module ++ \".server\", module ++ "
                 "\".private\"]\n  let data := parts.map (·.1)\n"
               : "  let data := #[(← readModuleData module).1]\n";
  return "import Lean.Replay\nopen Lean\ndef main (arguments : List String) : IO UInt32 := do\n"
         "  let module :: folders := arguments | return 2\n"
         "  searchPathRef.set (folders.map fun folder => System.FilePath.mk folder)\n" +
         read +
         "  let environment ← importModules data[0]!.imports Options.empty 0\n"
         "  let mut constants : Std.HashMap Name ConstantInfo := {}\n"
         "  for part in data do\n"
         "    for constant in part.constants do constants := constants.insert constant.name constant\n"
         "  discard <| environment.replay constants\n"
         "  return 0\n";
}

/// "": the kernel accepts the module; otherwise why not.
asio::awaitable<Result<std::string>> ask_kernel(Lean& lean, LakeCommand lake,
                                                std::shared_ptr<const TemporaryFolder> folder, fs::path olean,
                                                const std::vector<fs::path>& folders, io::CancelScope scope) {
  const auto write = [folder, olean]() -> Result<bool> {
    std::error_code error;
    const bool in_parts = fs::exists(olean.string() + ".private", error);
    TRY_DONE(write_new_file(folder->path() / kReplayFile, replay_program(in_parts)));
    return in_parts;
  };
  if (const auto written = co_await lean.pool.run(write, scope); !written)
    co_return tl::unexpected(written.error());
  lake.arguments = {"env", "lean", "--run", (folder->path() / kReplayFile).string(), olean.string()};
  for (const fs::path& each : folders) lake.arguments.push_back(each.string());
  const auto said = std::make_shared<std::string>();
  LakeOutput output;
  output.on_stdout = output.on_stderr = [said](std::string_view lines) {
    if (said->size() < kMaxReasonBytes) *said += lines;
  };
  const auto end = co_await run_lake(std::move(lake), std::move(output), scope);
  if (!end) co_return tl::unexpected(end.error());
  if (end->how == LakeEnd::How::Exited && end->exit_code == 0) co_return std::string();
  if (end->how == LakeEnd::How::TimedOut)
    co_return std::string("The kernel had not checked it again by the call's deadline.");
  std::string why(text::beginning_of(*said, kMaxReasonBytes));
  std::replace(why.begin(), why.end(), '\n', ' ');
  co_return "The kernel did not accept it again" + (why.empty() ? "." : ": " + why);
}

Compilation not_compiled(std::string why) {
  return {nullptr, std::move(why), {}};
}

asio::awaitable<Result<Compilation>> compile_text(Lean& lean, const TextOfFile& of, lean::ImportState read,
                                                  io::CancelScope scope) {
  const fs::path root = of.project->root();
  const lean::ServerOptions& server = of.project->server().options();
  const auto lake = lean::find_lake(server.lake);
  if (!lake) co_return not_compiled(lake.error().message);
  const auto write = [text = of.text]() -> Result<std::shared_ptr<const TemporaryFolder>> {
    TRY(auto folder, TemporaryFolder::create());
    TRY_DONE(write_new_file(folder->path() / kModuleFile, text));
    return folder;
  };
  const auto folder = co_await lean.pool.run(write, scope);
  if (!folder && folder.error().kind == ErrorKind::Cancelled) co_return call_cancelled();
  if (!folder) co_return not_compiled(folder.error().message);

  co_await of.project->server().wait_while_starting(
      scope);  // two Lakes that load a project disturb each other
  const LakeCommand in_project{*lake, root, {}, server.spawn, server.environment};
  const auto search_path = co_await search_path_of(lean, in_project, scope);
  const auto found_setup = co_await file_setup_of(lean, of, Imports::Build, true, scope);
  if (scope.cancel->cancelled()) co_return call_cancelled();
  if (!found_setup) co_return not_compiled(found_setup.error().message);
  if (!search_path) co_return not_compiled(kNoSetup);
  const auto& setup = *found_setup;
  const auto lay_out = [setup, search_path, below = (*folder)->path()]() -> Result<std::vector<fs::path>> {
    TRY_DONE(write_new_file(below / kSetupFile, setup->json));
    std::vector<fs::path> folders = search_path->folders;
    if (fs::path linked = link_artifacts(*setup, folders, below); !linked.empty())
      folders.insert(folders.begin(), std::move(linked));
    return folders;
  };
  auto folders = co_await lean.pool.run(lay_out, scope);
  if (!folders && folders.error().kind == ErrorKind::Cancelled) co_return call_cancelled();
  if (!folders) co_return not_compiled(folders.error().message);

  const fs::path olean = (*folder)->path() / "Module.olean";
  const std::string described = setup_argument(**folder);
  LakeCommand command = in_project;
  command.arguments = {"env", "lean", "--json", described, "-o", olean.string()};
  if (!setup->loads_libraries) {
    const auto snapshot = co_await find_snapshot(
        lean, in_project, {described}, {root.string(), *folders, {setup->json}, kModuleFile, of.text}, scope);
    if (snapshot) command.arguments.push_back(snapshot->argument());
  }
  command.arguments.push_back(((*folder)->path() / kModuleFile).string());
  const auto run = co_await run_compiler(std::move(command), scope);
  if (!run && run.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(run.error());
  if (!run) co_return not_compiled(run.error().message);
  auto compiled = std::make_shared<CompiledText>();
  compiled->text = of.text;
  compiled->read = std::move(read);
  if (*folders != search_path->folders) compiled->held = *folder;
  compiled->folders = std::move(*folders);
  if (run->end.how != LakeEnd::How::Exited || run->end.exit_code != 0) {
    compiled->why_not = first_error(run->output, text::Text(of.text));
    if (compiled->why_not.empty() || run->end.how != LakeEnd::How::Exited)
      co_return not_compiled("Compiling the file failed: " + run->output.how_it_ended(run->end));
    co_return Compilation{std::move(compiled), {}, run->output.messages(), run->output.too_many()};
  }
  const auto map = [folder = *folder, olean] { return olean::ModuleBytes::map(olean); };
  auto files = co_await lean.pool.run(map, scope);
  if (!files && files.error().kind == ErrorKind::Cancelled) co_return call_cancelled();
  if (!files) co_return not_compiled(files.error().message);
  compiled->files = std::move(*files);  // mapped, so that they can be read when the folder is gone
  if (of.has_programs) {
    auto answer = co_await ask_kernel(lean, in_project, *folder, olean, compiled->folders, scope);
    if (!answer && answer.error().kind == ErrorKind::Cancelled) co_return call_cancelled();
    compiled->not_accepted = answer ? std::move(*answer) : answer.error().message;
  }
  co_return Compilation{std::move(compiled), {}, run->output.messages(), run->output.too_many()};
}

asio::awaitable<Result<CompiledModule>> read_compiled(Lean& lean,
                                                      std::shared_ptr<const CompiledText> compiled,
                                                      ModuleQuestion question, io::CancelScope scope) {
  auto read = [compiled = std::move(compiled), question = std::move(question)] {
    return read_proofs(*compiled, question);
  };
  return lean.pool.run(std::move(read), std::move(scope));
}

// nullopt: the text must be compiled first.
asio::awaitable<Result<std::optional<CompiledModule>>> read_known(Lean& lean, const TextOfFile& of,
                                                                  const lean::ImportState& read,
                                                                  ModuleQuestion question,
                                                                  io::CancelScope scope) {
  const auto known = find_compiled(lean, of, read);
  if (!known) co_return std::nullopt;
  if (!known->files) co_return unknown(known->why_not);
  auto module = co_await read_compiled(lean, known, std::move(question), scope);
  if (module) co_return std::move(*module);
  if (module.error().kind == ErrorKind::Cancelled) co_return call_cancelled();
  // A compiled import may have been deleted since; lake builds it again.
  compiler_memory(lean).compiled.erase(key_of(of));
  co_return std::nullopt;
}

std::optional<LakeCommand> lake_of(document::DocumentStore& project) {
  const lean::ServerOptions& server = project.server().options();
  const auto lake = lean::find_lake(server.lake);
  if (!lake) return std::nullopt;
  return LakeCommand{*lake, project.root(), {}, server.spawn, server.environment};
}

}  // namespace

asio::awaitable<lean::ImportSnapshots::Found> find_snapshot(Lean& lean, LakeCommand lake,
                                                            std::vector<std::string> own, lean::ColdRun run,
                                                            io::CancelScope scope) {
  lake.arguments = {"env", "lean"};
  lake.arguments.insert(lake.arguments.end(), own.begin(), own.end());
  const auto compile = [lake = std::move(lake), scope](std::vector<std::string> arguments,
                                                       const fs::path&) -> asio::awaitable<bool> {
    LakeCommand command = lake;
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    const auto done = co_await run_compiler(std::move(command), scope);
    co_return done && done->end.how == LakeEnd::How::Exited && done->end.exit_code == 0;
  };
  co_return co_await compiler_memory(lean).snapshots.find(std::move(run), compile, lean.pool, scope);
}

asio::awaitable<std::shared_ptr<const SearchPath>> search_path_of(Lean& lean,
                                                                  document::DocumentStore& project,
                                                                  io::CancelScope scope) {
  auto lake = lake_of(project);
  if (!lake) co_return nullptr;
  co_await project.server().wait_while_starting(scope);
  co_return co_await search_path_of(lean, std::move(*lake), std::move(scope));
}

asio::awaitable<bool> lists_all_axioms(Lean& lean, document::DocumentStore& project, text::LeanHeader header,
                                       io::CancelScope scope) {
  if (header.imports.empty()) co_return true;
  const auto found = co_await search_path_of(lean, project, std::move(scope));
  co_return found&& lean::lists_all_axioms(found->lean_version);
}

asio::awaitable<std::optional<olean::Foundation>> foundation_in(Lean& lean, document::DocumentStore& project,
                                                                std::string module, std::string name,
                                                                io::CancelScope scope) {
  const auto path = co_await search_path_of(lean, project, scope);
  if (!path) co_return std::nullopt;
  const auto read = [path, module = std::move(module),
                     name = std::move(name)]() -> Result<std::optional<olean::Foundation>> {
    const auto olean = olean::find_olean(module, path->folders);
    if (!olean) return std::nullopt;
    TRY(auto bytes, olean::ModuleBytes::map(*olean));
    TRY(auto proofs, olean::CompiledProofs::open(std::move(bytes), path->folders));
    return proofs.foundation(name);
  };
  auto foundation = co_await lean.pool.run(read, std::move(scope));
  co_return foundation ? std::move(*foundation) : std::nullopt;
}

asio::awaitable<std::shared_ptr<const TemporaryFolder>> write_setup(Lean& lean, std::string json,
                                                                    io::CancelScope scope) {
  const auto write = [json = std::move(json)]() -> Result<std::shared_ptr<const TemporaryFolder>> {
    TRY(auto folder, TemporaryFolder::create());
    TRY_DONE(write_new_file(folder->path() / kSetupFile, json));
    return folder;
  };
  co_return (co_await lean.pool.run(write, std::move(scope))).value_or(nullptr);
}

std::string setup_argument(const TemporaryFolder& folder) {
  return "--setup=" + (folder.path() / kSetupFile).string();
}

asio::awaitable<Result<std::shared_ptr<const FileSetup>>> file_setup_of(Lean& lean, TextOfFile of,
                                                                        Imports imports, bool fresh,
                                                                        io::CancelScope scope) {
  auto lake = lake_of(*of.project);
  if (!lake) co_return no_setup();
  const auto look = [root = lake->root]() -> Result<lean::ImportState> {
    return lean::configuration_state(root);
  };
  auto state = co_await lean.pool.run(look, scope);
  if (!state) co_return no_setup();
  std::string header = header_json(text::parse_lean_header(of.text));
  const auto known = compiler_memory(lean).setups[of.path];
  if (!fresh && known && known->configuration == *state && known->header == header) co_return known;
  CO_TRY(auto setup, co_await ask_for_setup(std::move(*lake), of.path, of.text, imports, scope));
  setup.configuration = std::move(*state);
  setup.header = std::move(header);
  auto shared = std::make_shared<const FileSetup>(std::move(setup));
  compiler_memory(lean).setups[of.path] = shared;
  co_return shared;
}

bool is_compiled(Lean& lean, const TextOfFile& of, const lean::ImportState& read) {
  const auto known = find_compiled(lean, of, read);
  return known && known->files;
}

asio::awaitable<Result<CompiledModule>> compile_module(Lean& lean, TextOfFile of, lean::ImportState read,
                                                       ModuleQuestion question, io::CancelScope scope) {
  CO_TRY(auto known, co_await read_known(lean, of, read, question, scope));
  if (known) co_return std::move(*known);
  const auto turn = co_await compiler_memory(lean).turns.in(of.project->root()).acquire(scope);
  if (!turn && turn.error() == io::WaitStatus::Cancelled) co_return call_cancelled();
  if (!turn) co_return unknown("Another file was still being compiled at the call's deadline.");
  // The call that had the turn before may have compiled the same text.
  CO_TRY(known, co_await read_known(lean, of, read, question, scope));
  if (known) co_return std::move(*known);

  CO_TRY(auto compilation, co_await compile_text(lean, of, std::move(read), scope));
  if (!compilation.compiled) co_return unknown(std::move(compilation.why_not));
  keep(lean, of, compilation.compiled);
  if (!compilation.compiled->files) co_return unknown(compilation.compiled->why_not);
  auto module = co_await read_compiled(lean, compilation.compiled, std::move(question), scope);
  if (module || module.error().kind == ErrorKind::Cancelled) co_return module;
  co_return unknown(module.error().message);
}

asio::awaitable<Result<Compilation>> compiled_text(Lean& lean, TextOfFile of, lean::ImportState read,
                                                   io::CancelScope scope) {
  if (auto known = find_compiled(lean, of, read)) co_return Compilation{std::move(known), {}, {}};
  const auto turn = co_await compiler_memory(lean).turns.in(of.project->root()).acquire(scope);
  if (!turn && turn.error() == io::WaitStatus::Cancelled) co_return call_cancelled();
  if (!turn) co_return not_compiled("Another file was still being compiled at the call's deadline.");
  if (auto known = find_compiled(lean, of, read)) co_return Compilation{std::move(known), {}, {}};
  CO_TRY(auto compilation, co_await compile_text(lean, of, std::move(read), scope));
  if (compilation.compiled) keep(lean, of, compilation.compiled);
  co_return compilation;
}

asio::awaitable<Result<Compilation>> compile_text(Lean& lean, TextOfFile of, io::CancelScope scope) {
  const auto turn = co_await compiler_memory(lean).turns.in(of.project->root()).acquire(scope);
  if (!turn && turn.error() == io::WaitStatus::Cancelled) co_return call_cancelled();
  if (!turn) co_return not_compiled("Another file was still being compiled at the call's deadline.");
  co_return co_await compile_text(lean, of, lean::ImportState(), std::move(scope));
}

}  // namespace leanbridge::ide

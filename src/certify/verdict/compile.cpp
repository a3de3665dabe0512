#include "core/base/try.hpp"
#include "core/lean/imports.hpp"
#include "core/lean/project.hpp"
#include "core/lean/toolchain.hpp"
#include "core/text/lean_names.hpp"
#include "costs.hpp"
#include "image.hpp"
#include "page.hpp"
#include "steps.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

namespace leanbridge::certify {

namespace fs = std::filesystem;

namespace {

/// A module of the project, to be compiled from its source.
struct ProjectModule {
  std::string name;                ///< "A.B"
  std::filesystem::path relative;  ///< "A/B"
  std::string source;              ///< its whole text
};

/// The owner of a module, and the module's place.
struct ModuleOwner {
  enum class Kind { Toolchain, Baseline, Package, Project, Nowhere };
  Kind kind = Kind::Nowhere;
  fs::path place;
};

bool has_module(const fs::path& folder, const fs::path& relative) {
  std::error_code ignored;
  return fs::is_regular_file(folder / (relative.string() + kOlean), ignored);
}

std::vector<ModuleOwner> owners_with_compiled_file(const ModulePlaces& places,
                                                   const std::vector<fs::path>& builds,
                                                   const fs::path& relative) {
  using Kind = ModuleOwner::Kind;
  std::vector<ModuleOwner> found;
  const auto add = [&](Kind kind, const fs::path& folder) {
    if (has_module(folder, relative)) found.push_back({kind, folder});
  };
  add(Kind::Toolchain, places.toolchain);
  for (const fs::path& folder : builds) add(Kind::Baseline, folder);
  for (const fs::path& folder : places.packages) add(Kind::Package, folder);
  return found;
}

/// Checks that a module has the owner that it had in the baseline. If that owner is gone, no other may take
/// its name.
Result<void> check_owner(const Baseline& baseline, const std::string& module, const fs::path& relative,
                         const ModuleOwner& owner) {
  using Kind = ModuleOwner::Kind;
  const auto taken = [&](const std::string& by) {
    return fail(
        ErrorKind::InvalidArgument,
        "In the baseline the module " + module + " belongs to " + by + ", where it is not any more; " +
            (owner.place.empty() ? "it is nowhere" : "now it comes from " + owner.place.string()) + ".",
        "Restore it, or record a new baseline if the change is yours.");
  };
  if (baseline.is_of_toolchain(relative) && owner.kind != Kind::Toolchain) return taken("the toolchain");
  if (const auto package = baseline.package_of(relative); package && owner.kind != Kind::Package)
    return taken("the package " + *package);
  return {};
}

/// The one owner of a module. Refuses a module that several could provide (toolchain, package, project): a
/// new file must not replace the module that a build would import.
asio::awaitable<Result<ModuleOwner>> owner_of(const Job& job, Inputs& inputs, std::string module,
                                              fs::path relative) {
  const auto look = [places = inputs.places, builds = inputs.builds,
                     relative]() -> Result<std::vector<ModuleOwner>> {
    return owners_with_compiled_file(places, builds, relative);
  };
  CO_TRY(std::vector<ModuleOwner> owners, co_await job.run(look));
  CO_TRY(const std::vector<fs::path> sources, co_await inputs.files.sources_of(relative, job.scope));
  // A compiled module of the project stems from its source.
  const bool is_built = !owners.empty() && owners.front().kind == ModuleOwner::Kind::Baseline;
  for (std::size_t i = is_built ? 1 : 0; i < sources.size(); ++i)
    owners.push_back({ModuleOwner::Kind::Project, sources[i]});
  if (owners.size() == 1 && owners.front().kind == ModuleOwner::Kind::Project) {
    CO_TRY(auto rival, co_await inputs.files.rival_of(relative, job.scope));
    if (rival) owners.push_back({ModuleOwner::Kind::Package, std::move(*rival)});
  }
  if (owners.size() > 1)
    co_return fail(ErrorKind::InvalidArgument,
                   "The module " + module + " has two possible sources: " + owners[0].place.string() +
                       " and " + owners[1].place.string() + ".",
                   "Remove or rename the one that is not meant.");
  ModuleOwner owner = owners.empty() ? ModuleOwner() : std::move(owners.front());
  if (inputs.baseline) CO_CHECK(check_owner(*inputs.baseline, module, relative, owner));
  co_return owner;
}

/// The imports of `source` whose sources are the project's; for other imports, compiled files are used.
/// `importer` begins the sentence of an error. InvalidArgument: an import does not exist, is no module, or
/// has two possible owners; also errors of reading a file.
asio::awaitable<Result<std::vector<ProjectModule>>> project_imports(const Job& job, Inputs& inputs,
                                                                    std::string source,
                                                                    std::string importer) {
  std::vector<ProjectModule> modules;
  for (const std::string& import : imports_of(source)) {
    const auto relative = text::path_of_module(import);
    if (!relative)
      co_return fail(ErrorKind::InvalidArgument, importer + " imports " + import + ", which is no module.");
    if (import == kCandidate)
      co_return fail(
          ErrorKind::InvalidArgument,
          importer + " imports " + import + ", the name under which leanbridge compiles what it judges.",
          "Rename that module.");
    CO_TRY(const ModuleOwner owner, co_await owner_of(job, inputs, import, *relative));
    if (owner.kind == ModuleOwner::Kind::Nowhere)
      co_return fail(ErrorKind::InvalidArgument, importer + " imports " + import + ", which is not there.",
                     "Fetch and build the project's packages first, with `lake build`.");
    if (owner.kind != ModuleOwner::Kind::Project) continue;
    CO_TRY(auto text, co_await inputs.files.read(owner.place, lean::kMaxSourceSize, job.scope));
    if (!text) co_return fail(ErrorKind::InvalidArgument, owner.place.string() + " cannot be read.");
    modules.push_back({import, *relative, std::move(*text)});
  }
  co_return modules;
}

constexpr std::size_t kMaxProjectModules = 2000;

asio::awaitable<Result<void>> compile_module(const Job& job, const Inputs& inputs, TextCompiler& compiler,
                                             const ProjectModule& module, CompiledProject& project) {
  job.request.on_step("compiling " + module.name);
  const std::string number = std::to_string(project.modules.size());
  CO_TRY(const CompiledText compiled,
         co_await compiler.compile(module.source, module.relative, "project-" + number));
  if (!compiled.why.empty()) {
    if (compiled.timed_out) co_return fail(ErrorKind::Timeout, module.name + ": " + compiled.why);
    const std::string what =
        compiled.error.empty() ? ": " + compiled.why : ", does not compile: " + compiled.error;
    co_return fail(ErrorKind::InvalidArgument, "`" + module.name + "`, which the challenge imports" + what,
                   "Make the project build first.");
  }
  const auto keep = [parts = compiled.parts, folder = inputs.modules(),
                     name = module.relative]() -> Result<void> {
    const std::vector<std::string_view> bytes(parts.begin(), parts.end());
    TRY_DONE(check_image(bytes));
    return write_parts(folder, name, parts);
  };
  CO_CHECK(co_await job.run(keep));
  if (!inputs.files.is_revision() && !project.program) {
    if (auto found = program_in(module.source)) project.program = module.name + ", " + *found;
  }
  project.modules.push_back(module.name);
  co_return Result<void>();
}

/// Compiles, from sources, the project's modules that the challenge imports, imports before importers.
/// Existing compiled files are trusted only if they are in the baseline.
asio::awaitable<Result<CompiledProject>> compile_project(const Job& job, Inputs& inputs,
                                                         TextCompiler& compiler) {
  enum class State { Found, Begun, Done };
  CompiledProject project;
  std::map<std::string, std::pair<ProjectModule, State>> found;
  std::vector<std::string> todo;
  const auto add = [&](std::vector<ProjectModule> modules) {
    for (ProjectModule& module : modules) {
      todo.push_back(module.name);
      found.try_emplace(todo.back(), std::move(module), State::Found);
    }
  };
  const auto is = [&](State state, const std::string& name) {
    const auto known = found.find(name);
    return known != found.end() && known->second.second == state;
  };
  CO_TRY(auto first, co_await project_imports(job, inputs, inputs.challenge, "The challenge"));
  add(std::move(first));
  while (!todo.empty()) {
    const std::string name = todo.back();
    auto& [module, state] = found.at(name);  // references into a map remain valid
    if (state == State::Begun) {
      CO_CHECK(co_await compile_module(job, inputs, compiler, module, project));
      state = State::Done;
    }
    if (state == State::Done) {
      todo.pop_back();
      continue;
    }
    state = State::Begun;
    CO_TRY(auto imports, co_await project_imports(job, inputs, module.source, name));
    std::erase_if(imports, [&](const ProjectModule& import) { return is(State::Done, import.name); });
    for (const ProjectModule& import : imports)
      if (is(State::Begun, import.name))
        co_return fail(ErrorKind::InvalidArgument, import.name + " imports itself.",
                       "Remove the circle of imports.");
    if (found.size() > kMaxProjectModules)
      co_return fail(ErrorKind::NotSupported, "The challenge imports more than 2000 modules of the project.",
                     "Pass a baseline, so that they need not be compiled.");
    add(std::move(imports));
  }
  co_return project;
}

/// Notes the fingerprints of the theorems in question, in their order.
asio::awaitable<Result<void>> note_fingerprints(Job& job, const Inputs& inputs, SharedSet challenge) {
  const auto hash = [names = job.request.names, is_project = inputs.is_project()](
                        olean::ModuleSet& set) -> Result<std::vector<std::string>> {
    TRY(const auto keys, asked_keys(set, names));
    Fingerprints fingerprints(set, is_project);
    std::vector<std::string> found;
    for (const std::string& key : keys) {
      TRY(std::string hash, fingerprints.of(set.find(key).value()));
      found.push_back(std::move(hash));
    }
    return found;
  };
  CO_TRY(job.certificate.fingerprints, co_await job.use(std::move(challenge), hash));
  co_return Result<void>();
}

/// Notes the statements of the challenge, and whether they are the approved ones.
asio::awaitable<Result<void>> note_page(Job& job, const Inputs& inputs, SharedSet challenge,
                                        const std::vector<std::string>& parts) {
  const auto read = [names = job.request.names,
                     is_project = inputs.is_project()](olean::ModuleSet& set) -> Result<Page> {
    TRY(const auto keys, asked_keys(set, names));
    return read_page(set, keys, is_project);
  };
  CO_TRY(Page page, co_await job.use(challenge, read));
  if (job.request.with_page) {
    CO_TRY(page, co_await read_back(job, inputs, std::move(challenge), parts, std::move(page)));
  }
  if (const auto& approval = job.request.approval) {
    ApprovalFacts facts{approval->approved_by, approval->approved_at, false, {}, {}};
    facts.changes = changes(approval->page, page);
    facts.holds = facts.changes.empty();
    if (!job.request.approval_note.empty()) facts.note = job.request.approval_note;
    job.certificate.approval = std::move(facts);
  }
  if (job.request.with_page) job.certificate.page = std::move(page);
  co_return Result<void>();
}

/// Opens the challenge. In a batch, it reuses the imports of the pair before, unless they may have changed
/// since.
asio::awaitable<Result<SharedSet>> open_challenge(const Job& job, const Inputs& inputs,
                                                  std::vector<std::string> parts) {
  Batch* const batch = job.batch();
  SharedImports known;
  if (batch && batch->imports) {
    const auto look = [last = batch->imports]() -> Result<SharedImports> {
      return last->files.first_changed(last->since) ? nullptr : last->modules;
    };
    CO_TRY(known, co_await job.run(look));
  }
  const std::int64_t since = system_time();
  CO_TRY(SharedSet set, co_await open_compiled(job, inputs, std::move(parts), known));
  if (batch && set->imported() != known) {
    const auto note = [set, since]() -> Result<std::shared_ptr<const Batch::Imports>> {
      auto imports = std::make_shared<Batch::Imports>();
      imports->modules = set->imported();
      imports->since = since;
      for (const auto& module : set->modules())
        if (!module->file.empty()) watch_module(imports->files, module->file);
      return imports;
    };
    CO_TRY(batch->imports, co_await job.run(note));
  }
  co_return set;
}

asio::awaitable<Result<void>> compile_challenge(Job& job, const Inputs& inputs, TextCompiler& compiler,
                                                Compilation& compiled) {
  job.request.on_step("compiling the challenge");
  CO_TRY(CompiledText text,
         co_await compiler.compile(inputs.challenge, std::string(kCandidate), "challenge"));
  if (text.timed_out) co_return fail(ErrorKind::Timeout, "The challenge: " + text.why);
  if (!text.why.empty())
    co_return fail(ErrorKind::InvalidArgument, "The challenge: " + text.why,
                   "A challenge must compile; end what is to be proved with sorry.");
  compiled.challenge_parts = text.parts;
  auto set = co_await open_challenge(job, inputs, std::move(text.parts));
  if (!set) {
    Error error = set.error();
    error.message = "The challenge: " + error.message;
    co_return tl::unexpected(std::move(error));
  }
  compiled.challenge = std::move(*set);
  ToolchainFacts& toolchain = job.certificate.toolchain;
  toolchain.version = compiled.challenge->modules().front()->region.lean_version();
  toolchain.warnings = lean::known_defects(toolchain.version);
  const auto ask = [names = job.request.names, is_project = inputs.is_project()](olean::ModuleSet& set) {
    return asked_names(set, names, is_project);
  };
  CO_TRY(job.certificate.names, co_await job.use(compiled.challenge, ask));
  if (job.request.with_fingerprints) CO_CHECK(co_await note_fingerprints(job, inputs, compiled.challenge));
  if (job.request.with_page || job.request.approval)
    CO_CHECK(co_await note_page(job, inputs, compiled.challenge, compiled.challenge_parts));
  co_return Result<void>();
}

/// The hashes that a batch has computed before, or none.
std::shared_ptr<HashCache> earlier_hashes(const Job& job) {
  return job.batch() ? job.batch()->hashes : std::make_shared<HashCache>();
}

/// Hashes the files that the challenge rests on, before any part of the solution has run.
asio::awaitable<Result<ImportHashes>> hash_foundations(const Job& job, const Inputs& inputs,
                                                       SharedSet challenge) {
  job.request.on_step("hashing the imports");
  const auto hash = [toolchain = inputs.runner.toolchain(),
                     known = earlier_hashes(job)]() -> Result<ImportHashes> {
    ImportHashes hashes;
    TRY(hashes.programs, hashes_of_programs(toolchain.sysroot, toolchain.lean, *known));
    return hashes;
  };
  CO_TRY(ImportHashes hashes, co_await job.run(hash));
  co_return co_await with_imports(job, inputs, std::move(hashes), std::move(challenge));
}

/// Notes the files that must not change while the solution is compiled.
asio::awaitable<Result<std::shared_ptr<const WatchedFoundations>>> watch_files(const Job& job,
                                                                               const Inputs& inputs,
                                                                               const Compilation& compiled) {
  Foundations foundations = {inputs.runner.toolchain().sysroot, {}, inputs.kernel_files(), {}, inputs.folder};
  for (const auto& [name, hash] : compiled.imports.programs) foundations.programs.push_back(name);
  for (const auto& module : compiled.challenge->modules()) foundations.modules.push_back(module->file);
  const auto note = [foundations]() -> Result<std::shared_ptr<const WatchedFoundations>> {
    return std::make_shared<const WatchedFoundations>(watch(foundations));
  };
  co_return co_await job.run(note);
}

/// Reads Lean's output about the cost of a solution.
CostFacts read_cost(const std::string& source, const std::string& printed) {
  CostFacts facts;
  for (const auto& [name, cost] : read_costs(source, messages_in(printed)))
    facts.declarations.push_back({name, cost.line, cost.heartbeats, {}});
  std::ranges::stable_sort(facts.declarations, [](const auto& a, const auto& b) { return a.line < b.line; });
  if (facts.declarations.empty()) facts.why_not = "Lean reported no heartbeats.";
  return facts;
}

asio::awaitable<Result<void>> compile_solution(Job& job, TextCompiler& compiler, Compilation& compiled) {
  const Request& request = job.request;
  request.on_step("compiling the solution");
  compiled.before_solution = compiled.before_solutions = system_time();
  if (request.batch) {
    if (!request.batch->begun) request.batch->begun = compiled.before_solution;
    compiled.before_solutions = *request.batch->begun;
  }
  const auto begun = io::Clock::now();
  CO_TRY(compiled.solution,
         co_await compiler.compile(*request.solution, std::string(kCandidate), "solution",
                                   request.with_cost ? cost_options() : std::vector<std::string>()));
  if (!request.with_cost) co_return Result<void>();
  const std::chrono::duration<double> took = io::Clock::now() - begun;
  const auto read = [source = *request.solution, printed = std::move(compiled.solution.printed),
                     is_cut = compiled.solution.is_cut]() -> Result<CostFacts> {
    if (is_cut) return CostFacts{0, {}, "Lean printed more than is read."};
    return read_cost(source, printed);
  };
  CO_TRY(job.certificate.cost, co_await job.run(read));
  job.certificate.cost->seconds = std::round(took.count() * 1000) / 1000;
  co_return Result<void>();
}

}  // namespace

asio::awaitable<Result<Compilation>> compile(Job& job, Inputs& inputs) {
  TextCompiler compiler(job, inputs);
  Compilation compiled;
  CO_TRY(compiled.project, co_await compile_project(job, inputs, compiler));
  CO_CHECK(co_await compile_challenge(job, inputs, compiler, compiled));
  CO_TRY(compiled.imports, co_await hash_foundations(job, inputs, compiled.challenge));
  CO_TRY(compiled.watched, co_await watch_files(job, inputs, compiled));
  CO_CHECK(co_await compile_solution(job, compiler, compiled));
  co_return compiled;
}

asio::awaitable<Result<ImportHashes>> with_imports(const Job& job, const Inputs& inputs, ImportHashes hashes,
                                                   SharedSet set) {
  auto add = [hashes = std::move(hashes), known = earlier_hashes(job),
              folders = ImportFolders{inputs.places.toolchain, inputs.modules(), inputs.builds,
                                      inputs.places.packages}](
                 const olean::ModuleSet& modules) mutable -> Result<ImportHashes> {
    TRY_DONE(hashes.add(modules, folders, *known));
    return std::move(hashes);
  };
  co_return co_await job.use(std::move(set), std::move(add));
}

asio::awaitable<Result<SharedSet>> open_compiled(const Job& job, const Inputs& inputs,
                                                 std::vector<std::string> parts, SharedImports known) {
  auto open = [parts = std::move(parts), path = inputs.search_path(), known = std::move(known)]() mutable {
    return open_set(std::move(parts), path, std::move(known));
  };
  co_return co_await job.run(std::move(open));
}

}  // namespace leanbridge::certify

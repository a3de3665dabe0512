#include "leanbridge/certify/certify.hpp"

#include "leanbridge/base/files.hpp"
#include "leanbridge/base/sha256.hpp"
#include "leanbridge/base/try.hpp"
#include "leanbridge/certify/image.hpp"
#include "leanbridge/certify/toolchain.hpp"
#include "leanbridge/lean/imports.hpp"
#include "leanbridge/lean/project.hpp"
#include "leanbridge/text/lean_header.hpp"

#include "compiled_text.hpp"
#include "completion.hpp"
#include "hashes.hpp"
#include "kernel.hpp"
#include "lean_runner.hpp"
#include "project_files.hpp"
#include "sources.hpp"
#include "watched_files.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace leanbridge::certify {

using index::ModuleSet;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxProjectModules = 2000;
constexpr const char* kOlean = ".olean";
constexpr const char* kSorry = "sorryAx";
constexpr const char* kPlain = "plain";  // the folder of a text that tells how this Lean compiles

class Certifier {
 public:
  Certifier(Request request, io::Pool& pool, io::CancelScope scope)
      : request_(std::move(request)), pool_(pool), scope_(std::move(scope)), files_(request_.root, pool_) {}

  asio::awaitable<Result<Certificate>> run() {
    auto done = co_await run_steps();
    if (done) co_return std::move(certificate_);
    if (done.error().kind != ErrorKind::Timeout) co_return tl::unexpected(done.error());
    certificate_.verdict = Outcome::Incomplete;
    certificate_.reason = "The time was up: " + done.error().message;
    certificate_.complete_with = "Pass a longer timeout.";
    certificate_.timed_out = true;
    for (NameVerdict& name : certificate_.names)
      if (name.verdict == Outcome::Certified) name.verdict = Outcome::Incomplete;
    co_return std::move(certificate_);
  }

 private:
  asio::awaitable<Result<void>> run_steps() {
    certificate_.allowed_axioms = request_.allowed_axioms;
    for (const std::string& axiom : request_.allowed_axioms)
      if (index::key_of(axiom) == index::key_of(kSorry))
        co_return fail(ErrorKind::InvalidArgument,
                       axiom + " cannot be allowed: whatever rests on it is not proved.",
                       "Pass the axioms that a proof may rest on, such as Classical.choice.");
    CO_CHECK(co_await read_inputs());
    CO_CHECK(co_await find_lean());
    CO_CHECK(co_await compile_project());
    CO_CHECK(co_await compile_challenge());
    CO_CHECK(co_await hash_challenge());
    CO_CHECK(co_await watch_files());
    CO_TRY(CompiledText solution, co_await compile_solution());
    if (!solution.why.empty()) co_return conclude_without(solution);
    CO_CHECK(co_await compare(std::move(solution)));
    CO_CHECK(co_await hash_solution());
    CO_CHECK(co_await replay());
    conclude();
    co_return Result<void>();
  }

  // --- what is judged

  asio::awaitable<Result<void>> read_inputs() {
    request_.on_step("reading the challenge");
    const auto create = []() -> Result<std::shared_ptr<const TemporaryFolder>> {
      auto folder = TemporaryFolder::create();
      std::error_code ignored;
      if (folder)
        for (const char* const name : {"lean", "probe", "modules"})
          fs::create_directory((*folder)->path() / name, ignored);
      return folder;
    };
    CO_TRY(temporary_, co_await pool_.run(create, scope_));
    folder_ = fs::canonical(temporary_->path());
    if (request_.revision) {
      CO_TRY(auto git, co_await GitRevision::find(request_.spawn, request_.challenge_file.parent_path(),
                                                  *request_.revision, scope_));
      certificate_.revision = git.commit();
      CO_TRY(auto challenge, co_await git.read(request_.challenge_file, scope_));
      const fs::path name = request_.challenge_file.lexically_relative(git.top());
      if (!challenge)
        co_return fail(ErrorKind::InvalidArgument,
                       name.string() + " is not in revision " + *request_.revision + ".",
                       "Pass a revision that has the file.");
      certificate_.revision_path = name.string();
      request_.challenge = std::move(*challenge);
      if (request_.root_is_given) {
        CO_TRY(files_, ProjectFiles::of_revision_at(std::move(git), request_.root, pool_));
      } else {
        CO_TRY(files_,
               co_await ProjectFiles::of_revision(std::move(git), request_.challenge_file, pool_, scope_));
      }
    }
    CO_CHECK(co_await files_.load(scope_));
    certificate_.challenge_sha256 = sha256_of(request_.challenge);
    certificate_.solution_sha256 = sha256_of(request_.solution);
    if (request_.baseline) {
      const auto load = [file = *request_.baseline]() { return Baseline::load(file); };
      CO_TRY(baseline_, co_await pool_.run(load, scope_));
    }
    co_return Result<void>();
  }

  asio::awaitable<Result<void>> find_lean() {
    request_.on_step("looking for Lean");
    CO_TRY(const auto pinned,
           co_await files_.read(files_.root() / "lean-toolchain", kMaxConfigurationSize, scope_));
    std::string line = pinned.value_or("").substr(0, pinned.value_or("").find('\n'));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
    CO_TRY(Toolchain toolchain, co_await find_toolchain(request_.spawn, request_.lake, request_.environment,
                                                        folder_ / "lean", line, scope_));
    runner_.emplace(request_.spawn, std::move(toolchain), request_.limits);
    CO_CHECK(co_await runner_->choose_sandbox(folder_ / "probe", scope_));
    certificate_.sandbox = runner_->sandbox();
    certificate_.sandbox_note = runner_->sandbox_note();
    if (request_.at_once && certificate_.sandbox == Sandbox::None)
      co_return fail(ErrorKind::NotSupported,
                     "Without a sandbox, solutions cannot be judged at the same time: one could write the "
                     "files of another. " +
                         certificate_.sandbox_note.value_or(""),
                     "Install bubblewrap, or judge one at a time (--jobs 1).");
    certificate_.toolchain.lean = runner_->toolchain().lean.string();

    struct Found {
      ModulePlaces places;
      std::vector<fs::path> builds;
    };
    const auto look = [root = files_.root(), packages = files_.packages(),
                       library = runner_->toolchain().library(),
                       with_builds = baseline_.has_value()]() -> Result<Found> {
      Found found;
      found.places = {library, package_folders(packages)};
      if (with_builds) found.builds = build_folders(root, packages);
      ModulePlaces all = found.places;
      all.packages.insert(all.packages.end(), found.builds.begin(), found.builds.end());
      if (auto clear = no_shadows(all); !clear) return tl::unexpected(clear.error());
      return found;
    };
    CO_TRY(Found found, co_await pool_.run(look, scope_));
    places_ = std::move(found.places);
    builds_ = std::move(found.builds);
    co_return co_await choose_kernel();
  }

  /// Before anything untrusted has run.
  asio::awaitable<Result<void>> choose_kernel() {
    const auto find = [command = request_.kernel, sysroot = runner_->toolchain().sysroot,
                       root = files_.root(), trust = request_.trust_packages,
                       known = baseline_ ? std::optional(baseline_->checkers) : std::nullopt] {
      return find_kernel({command, sysroot, root, trust, known ? &*known : nullptr});
    };
    CO_TRY(kernel_, co_await pool_.run(find, scope_));
    if (!kernel_.command.empty()) certificate_.kernel = KernelFacts{kernel_.command.front(), kernel_.sha256};
    co_return Result<void>();
  }

  // --- the modules of the project

  fs::path modules() const { return folder_ / "modules"; }
  /// As Lean is told: without the toolchain's.
  std::vector<fs::path> lean_path() const {
    std::vector<fs::path> folders = builds_;
    folders.insert(folders.begin(), modules());
    folders.insert(folders.end(), places_.packages.begin(), places_.packages.end());
    return folders;
  }
  std::vector<fs::path> search_path() const {
    std::vector<fs::path> folders = lean_path();
    folders.insert(folders.begin(), places_.toolchain);
    return folders;
  }

  static bool has_module(const fs::path& folder, const fs::path& relative) {
    std::error_code ignored;
    return fs::is_regular_file(folder / (relative.string() + kOlean), ignored);
  }

  /// Who owns a module, and where it is.
  struct ModuleOwner {
    enum class Kind { Toolchain, Baseline, Package, Project, Nowhere };
    Kind kind = Kind::Nowhere;
    fs::path place;
  };

  /// The one owner of a module. A module that the toolchain, a package or the project could bring is refused:
  /// a new file must not take the place of what a build would import.
  asio::awaitable<Result<ModuleOwner>> owner_of(std::string module, fs::path relative) {
    const auto look = [places = places_, builds = builds_, relative]() -> Result<std::vector<ModuleOwner>> {
      using Kind = ModuleOwner::Kind;
      std::vector<ModuleOwner> found;
      const auto add = [&](Kind kind, const fs::path& folder) {
        if (has_module(folder, relative)) found.push_back({kind, folder});
      };
      add(Kind::Toolchain, places.toolchain);
      for (const fs::path& folder : builds) add(Kind::Baseline, folder);
      for (const fs::path& folder : places.packages) add(Kind::Package, folder);
      return found;
    };
    CO_TRY(std::vector<ModuleOwner> owners, co_await pool_.run(look, scope_));
    CO_TRY(const std::vector<fs::path> sources, co_await files_.sources_of(relative, scope_));
    // A compiled module of the project comes from its source.
    const bool is_built = !owners.empty() && owners.front().kind == ModuleOwner::Kind::Baseline;
    for (std::size_t i = is_built ? 1 : 0; i < sources.size(); ++i)
      owners.push_back({ModuleOwner::Kind::Project, sources[i]});
    if (owners.size() == 1 && owners.front().kind == ModuleOwner::Kind::Project) {
      CO_TRY(auto rival, co_await files_.rival_of(relative, scope_));
      if (rival) owners.push_back({ModuleOwner::Kind::Package, std::move(*rival)});
    }
    if (owners.size() > 1)
      co_return fail(ErrorKind::InvalidArgument,
                     "The module " + module + " has two possible sources: " + owners[0].place.string() +
                         " and " + owners[1].place.string() + ".",
                     "Remove or rename the one that is not meant.");
    co_return owners.empty() ? ModuleOwner() : std::move(owners.front());
  }

  struct ProjectModule {
    std::string name;
    fs::path relative;
    std::string source;
  };

  /// Compiles what the challenge imports of the project, imports before importers, from sources: compiled
  /// files that lie around are not trusted. With a baseline, those are taken that are in it.
  asio::awaitable<Result<void>> compile_project() {
    enum class State { Found, Begun, Done };
    std::map<std::string, std::pair<ProjectModule, State>> found;
    std::vector<std::string> todo;
    CO_TRY(auto first, co_await project_modules(request_.challenge, "The challenge"));
    const auto add = [&](std::vector<ProjectModule> modules) {
      for (ProjectModule& module : modules) {
        todo.push_back(module.name);
        found.try_emplace(todo.back(), std::move(module), State::Found);
      }
    };
    add(std::move(first));
    while (!todo.empty()) {
      const std::string name = todo.back();
      auto& [module, state] = found.at(name);  // references into a map stay valid
      if (state == State::Begun) {
        CO_CHECK(co_await compile_module_of_project(module));
        state = State::Done;
      }
      if (state == State::Done) {
        todo.pop_back();
        continue;
      }
      state = State::Begun;
      CO_TRY(auto imports, co_await project_modules(module.source, name));
      std::erase_if(imports, [&](const ProjectModule& import) {
        const auto known = found.find(import.name);
        return known != found.end() && known->second.second == State::Done;
      });
      for (const ProjectModule& import : imports)
        if (const auto known = found.find(import.name);
            known != found.end() && known->second.second == State::Begun)
          co_return fail(ErrorKind::InvalidArgument, import.name + " imports itself.",
                         "Remove the circle of imports.");
      if (found.size() > kMaxProjectModules)
        co_return fail(ErrorKind::NotSupported,
                       "The challenge imports more than 2000 modules of the project.",
                       "Pass a baseline, so that they need not be compiled.");
      add(std::move(imports));
    }
    co_return Result<void>();
  }

  /// Those of a text's imports whose sources are the project's. InvalidArgument: an import that is nowhere.
  asio::awaitable<Result<std::vector<ProjectModule>>> project_modules(std::string source,
                                                                      std::string importer) {
    std::vector<ProjectModule> modules;
    for (const std::string& import : imports_of(source)) {
      const auto relative = path_of_module(import);
      if (!relative)
        co_return fail(ErrorKind::InvalidArgument, importer + " imports " + import + ", which is no module.");
      if (import == kCandidate)
        co_return fail(
            ErrorKind::InvalidArgument,
            importer + " imports " + import + ", the name under which leanbridge compiles what it judges.",
            "Rename that module.");
      CO_TRY(const ModuleOwner owner, co_await owner_of(import, *relative));
      if (owner.kind == ModuleOwner::Kind::Nowhere)
        co_return fail(ErrorKind::InvalidArgument, importer + " imports " + import + ", which is not there.",
                       "Fetch and build the project's packages first, with `lake build`.");
      if (owner.kind != ModuleOwner::Kind::Project) continue;
      CO_TRY(auto text, co_await files_.read(owner.place, lean::kMaxSourceSize, scope_));
      if (!text) co_return fail(ErrorKind::InvalidArgument, owner.place.string() + " cannot be read.");
      modules.push_back({import, *relative, std::move(*text)});
    }
    co_return modules;
  }

  asio::awaitable<Result<void>> compile_module_of_project(const ProjectModule& module) {
    request_.on_step("compiling " + module.name);
    const std::string number = std::to_string(rebuilt_.size());
    CO_TRY(const CompiledText compiled,
           co_await compile(module.source, module.relative, "project-" + number));
    if (!compiled.why.empty()) {
      if (compiled.timed_out) co_return fail(ErrorKind::Timeout, module.name + ": " + compiled.why);
      co_return fail(ErrorKind::InvalidArgument,
                     module.name + ", which the challenge imports: " + compiled.why,
                     "Make the project build first.");
    }
    const auto keep = [parts = compiled.parts, folder = modules(), name = module.relative]() -> Result<void> {
      const std::vector<std::string_view> bytes(parts.begin(), parts.end());
      if (auto image = check_image(bytes); !image) return image;
      return write_parts(folder, name, parts);
    };
    CO_CHECK(co_await pool_.run(keep, scope_));
    if (!files_.is_revision() && !program_) {
      if (auto found = program_in(module.source)) program_ = module.name + ", " + *found;
    }
    rebuilt_.push_back(module.name);
    co_return Result<void>();
  }

  // --- compiling

  /// Whether this Lean compiles a text that is no `module` into three parts, too, as the one for WebAssembly
  /// does. Elsewhere such parts are left by a candidate that hopes to have others judged than are used.
  asio::awaitable<Result<bool>> compiles_all_in_parts() {
    if (!all_in_parts_) {
      CO_TRY(const CompiledText compiled, co_await compile("\n", std::string(kCandidate), kPlain));
      if (compiled.timed_out) co_return fail(ErrorKind::Timeout, "An empty text: " + compiled.why);
      if (!compiled.why.empty())
        co_return fail(ErrorKind::LeanUnavailable, "An empty text: " + compiled.why,
                       "Run `leanbridge doctor`.");
      all_in_parts_ = compiled.parts.size() > 1;
    }
    co_return *all_in_parts_;
  }

  /// Compiles a text as a module in a folder of its own.
  asio::awaitable<Result<CompiledText>> compile(std::string source, fs::path relative, std::string folder) {
    const fs::path sources = folder_ / (folder + "-source"), out = folder_ / (folder + "-out");
    const fs::path file = sources / (relative.string() + ".lean");
    const auto write = [=]() -> Result<void> {
      std::error_code ignored;
      fs::create_directory(out, ignored);
      return write_new_file(file, source);
    };
    CO_CHECK(co_await pool_.run(write, scope_));
    std::vector<std::string> arguments = {"--json", "-R", sources.string(), "-o",
                                          (out / (std::string(kCandidate) + kOlean)).string()};
    for (const std::string& option : request_.options) arguments.push_back("-D" + option);
    arguments.push_back(file.string());
    RunPlaces places;
    places.search_path = lean_path();
    places.readable = {sources};
    places.writable = out;
    CO_TRY(const RunResult run, co_await runner_->run_lean(std::move(arguments), std::move(places), scope_));
    CompiledText compiled;
    constexpr int kKilled = 128;
    if (run.timed_out) {
      compiled.timed_out = true;
      compiled.why = "Compiling it did not end in time.";
    } else if (run.exit_code > kKilled) {
      compiled.timed_out = true;  // not shown to be wrong
      compiled.why = "Compiling it was ended by signal " + std::to_string(run.exit_code - kKilled) +
                     ", perhaps for lack of memory.";
    } else if (run.exit_code != 0) {
      compiled.why = "It does not compile." + first_error_in(run.output);
    }
    if (!compiled.why.empty()) co_return compiled;
    bool in_parts = text::parse_lean_header(source).is_module || folder == kPlain;
    std::error_code ignored;
    if (!in_parts && fs::exists(out / (std::string(kCandidate) + kOlean + ".private"), ignored)) {
      CO_TRY(in_parts, co_await compiles_all_in_parts());
    }
    const auto read = [=] { return read_parts(out, kCandidate, in_parts); };
    auto parts = co_await pool_.run(read, scope_);
    if (!parts && (parts.error().kind == ErrorKind::Cancelled || parts.error().kind == ErrorKind::Timeout))
      co_return tl::unexpected(parts.error());
    if (parts)
      compiled.parts = std::move(*parts);
    else
      compiled.why = "Compiling it left no file that can be read: " + parts.error().message;
    co_return compiled;
  }

  asio::awaitable<Result<void>> compile_challenge() {
    request_.on_step("compiling the challenge");
    CO_TRY(CompiledText compiled, co_await compile(request_.challenge, std::string(kCandidate), "challenge"));
    if (compiled.timed_out) co_return fail(ErrorKind::Timeout, "The challenge: " + compiled.why);
    if (!compiled.why.empty())
      co_return fail(ErrorKind::InvalidArgument, "The challenge: " + compiled.why,
                     "A challenge must compile; end what is to be proved with sorry.");
    asked_parts_ = compiled.parts;
    auto open = [parts = std::move(compiled.parts), path = search_path()]() mutable {
      return open_set(std::move(parts), path);
    };
    auto set = co_await pool_.run(std::move(open), scope_);
    if (!set) {
      Error error = set.error();
      error.message = "The challenge: " + error.message;
      co_return tl::unexpected(std::move(error));
    }
    challenge_ = std::move(*set);
    certificate_.toolchain.version = challenge_->modules().front()->region.lean_version();
    certificate_.toolchain.warnings = known_defects(certificate_.toolchain.version);
    const auto ask = [challenge = challenge_, names = request_.names] {
      return asked_names(*challenge, names);
    };
    CO_TRY(certificate_.names, co_await pool_.run(ask, scope_));
    co_return Result<void>();
  }

  asio::awaitable<Result<CompiledText>> compile_solution() {
    request_.on_step("compiling the solution");
    before_solution_ = before_solutions_ = system_time();
    if (request_.begun) {
      if (!*request_.begun) *request_.begun = before_solution_;
      before_solutions_ = **request_.begun;
    }
    co_return co_await compile(request_.solution, std::string(kCandidate), "solution");
  }

  // --- hashes

  asio::awaitable<Result<void>> hash_set(SharedSet set) {
    auto hash = [set, folders = ImportFolders{places_.toolchain, modules(), builds_, places_.packages},
                 imports = imports_]() mutable -> Result<ImportHashes> {
      if (auto done = imports.add(*set, folders); !done) return tl::unexpected(done.error());
      return std::move(imports);
    };
    CO_TRY(imports_, co_await pool_.run(std::move(hash), scope_));
    co_return Result<void>();
  }

  /// Before anything of the solution has run.
  asio::awaitable<Result<void>> hash_challenge() {
    request_.on_step("hashing the imports");
    const auto programs = [toolchain = runner_->toolchain()] {
      return hashes_of_programs(toolchain.sysroot, toolchain.lean);
    };
    CO_TRY(imports_.programs, co_await pool_.run(programs, scope_));
    co_return co_await hash_set(challenge_);
  }

  /// Refuses a solution during whose compilation something was written that both rest on.
  asio::awaitable<Result<void>> refuse_changed_files() {
    CO_TRY(const auto change, co_await find_change());
    if (change) refuse_all(*change);
    co_return Result<void>();
  }

  /// Notes what must stay as it is while the solution is compiled.
  asio::awaitable<Result<void>> watch_files() {
    Foundations foundations = {runner_->toolchain().sysroot, {}, kernel_.files, {}, folder_};
    for (const auto& [name, hash] : imports_.programs) foundations.programs.push_back(name);
    for (const auto& module : challenge_->modules()) foundations.modules.push_back(module->file);
    const auto note = [foundations]() -> Result<std::shared_ptr<const WatchedFoundations>> {
      return std::make_shared<const WatchedFoundations>(watch(foundations));
    };
    CO_TRY(watched_, co_await pool_.run(note, scope_));
    co_return Result<void>();
  }

  /// As a sentence.
  asio::awaitable<Result<std::optional<std::string>>> find_change() {
    ModulePlaces places = places_;
    places.packages.insert(places.packages.end(), builds_.begin(), builds_.end());
    const std::string when = request_.begun ? " was changed while solutions were compiled."
                                            : " was changed while the solution was compiled.";
    const auto look = [=, watched = watched_, solution = solution_, own = folder_, since = before_solution_,
                       begun = before_solutions_]() -> Result<std::optional<std::string>> {
      if (watched->own.first_changed(since)) return "A compiled module of the project" + when;
      if (const auto file = watched->outside.first_changed(begun)) return file->string() + when;
      for (std::size_t i = 0; solution && i < solution->modules().size(); ++i)
        if (const fs::path& file = solution->modules()[i]->file;
            !file.empty() && changed_since(file, lean::is_within(file, own) ? since : begun))
          return file.string() + when;
      if (const auto clear = no_shadows(places); !clear) return clear.error().message;
      return std::nullopt;
    };
    co_return co_await pool_.run(look, scope_);
  }

  asio::awaitable<Result<void>> hash_solution() {
    if (refused_) {
      note_hashes();
      co_return Result<void>();
    }
    CO_CHECK(co_await hash_set(solution_));
    CO_CHECK(co_await refuse_changed_files());
    note_hashes();
    if (!refused_) check_baseline();
    co_return Result<void>();
  }

  void note_hashes() {
    imports_.describe(certificate_);
    for (PackageHash& package : certificate_.packages) package.in_baseline = baseline_.has_value();
  }

  void check_baseline() {
    if (baseline_) {
      refused_ = imports_.difference_from(*baseline_);
      if (!refused_) certificate_.checked_by.emplace_back("comparison of all imports with the baseline");
    } else if (!certificate_.packages.empty() && !request_.trust_packages) {
      missing("the compiled files of packages are not compared with a baseline",
              "Make sure that nobody has changed them: --baseline FILE shows it, if `leanbridge certify "
              "--record-baseline FILE` has written FILE before the agent began.",
              "--trust-packages");
    }
  }

  // --- the comparison

  asio::awaitable<Result<void>> compare(CompiledText compiled) {
    request_.on_step("comparing the statements");
    // First of all: the challenge's imports are mapped, and reading a file that was cut would end this
    // process.
    CO_CHECK(co_await refuse_changed_files());
    if (refused_) co_return Result<void>();
    judged_parts_ = compiled.parts;
    auto open = [parts = std::move(compiled.parts), path = search_path()]() mutable {
      return open_set(std::move(parts), path);
    };
    auto set = co_await pool_.run(std::move(open), scope_);
    if (!set) {
      if (set.error().kind == ErrorKind::Cancelled || set.error().kind == ErrorKind::Timeout)
        co_return tl::unexpected(set.error());
      refuse_all("The solution's compiled file is refused: " + set.error().message);
      co_return Result<void>();
    }
    solution_ = std::move(*set);
    Question question;
    question.names = request_.names;
    question.allowed_axioms = request_.allowed_axioms;
    question.may_import = [toolchain = places_.toolchain,
                           packages = places_.packages](const index::SetModule& module) {
      return lean::is_within(module.file, toolchain) ||
             std::any_of(packages.begin(), packages.end(),
                         [&](const fs::path& folder) { return lean::is_within(module.file, folder); });
    };
    const auto work = [challenge = challenge_, solution = solution_, question = std::move(question)] {
      return judge(*challenge, *solution, question);
    };
    CO_TRY(Findings findings, co_await pool_.run(work, scope_));
    certificate_.names = std::move(findings.names);
    refused_ = std::move(findings.refused);
    certificate_.checked_by = {"comparison of statements", "walk of axioms"};
    for (const NameVerdict& name : certificate_.names)
      if (!refused_ && name.verdict == Outcome::Refused) refused_ = name.name + ": " + name.reason;
    co_return Result<void>();
  }

  void refuse_all(const std::string& why) {
    refused_ = why;
    for (NameVerdict& name : certificate_.names) {
      name.verdict = Outcome::Refused;
      name.reason = why;
    }
  }

  // --- the kernel

  /// Replays the project's modules and the candidate, of which these are the parts. The kernel reads the very
  /// bytes that were compared, in a folder that did not exist while the solution was compiled.
  asio::awaitable<Result<RunResult>> run_kernel(std::vector<std::string> parts) {
    const auto prepare = [=, from = modules(),
                          names = rebuilt_]() -> Result<std::shared_ptr<const TemporaryFolder>> {
      TRY(auto fresh, TemporaryFolder::create());
      std::error_code ignored;
      fs::create_directory(fresh->path() / "work", ignored);
      if (auto copied = copy_modules(from, fresh->path() / "modules", names); !copied)
        return tl::unexpected(copied.error());
      if (auto written = write_parts(fresh->path() / "modules", kCandidate, parts); !written)
        return tl::unexpected(written.error());
      return fresh;
    };
    CO_TRY(const auto fresh, co_await pool_.run(prepare, scope_));
    const fs::path folder = fs::canonical(fresh->path());
    std::vector<std::string> command = kernel_.command;
    command.insert(command.end(), rebuilt_.begin(), rebuilt_.end());
    command.emplace_back(kCandidate);
    RunPlaces places;
    places.search_path = lean_path();
    places.search_path.front() = folder / "modules";
    for (const fs::path& file : kernel_.files) places.readable.push_back(file.parent_path());
    places.writable = folder / "work";
    co_return co_await runner_->run_other(std::move(command), std::move(places), scope_);
  }

  asio::awaitable<Result<void>> replay() {
    if (refused_) co_return Result<void>();
    if (kernel_.command.empty()) {
      accept_without_replay();
      co_return Result<void>();
    }
    request_.on_step("replaying the proofs in a kernel");
    CO_TRY(const RunResult run, co_await run_kernel(judged_parts_));
    const std::string name = fs::path(kernel_.command.front()).filename().string();
    if (run.timed_out) co_return fail(ErrorKind::Timeout, name + " did not end in time.");
    switch (end_of_replay(run)) {
      case ReplayEnd::Accepted:
        certificate_.kernel_replayed = true;
        certificate_.checked_by.push_back("replay by " + name);
        break;
      case ReplayEnd::Failed:
        missing(name + " failed with exit code " + std::to_string(run.exit_code),
                "Find out why: it says: " + said_by(run));
        break;
      case ReplayEnd::Rejected:
        co_return co_await confirm_rejection(name, said_by(run));
    }
    co_return Result<void>();
  }

  /// A kernel that fits another version, or needs other arguments, rejects every module. It does not count
  /// against a solution if it rejects the challenge as well.
  asio::awaitable<Result<void>> confirm_rejection(std::string name, std::string said) {
    request_.on_step("asking the kernel about the challenge");
    CO_TRY(const RunResult run, co_await run_kernel(asked_parts_));
    if (run.timed_out) co_return fail(ErrorKind::Timeout, name + " did not end in time.");
    if (end_of_replay(run) == ReplayEnd::Accepted)
      refuse_all(name + " does not accept the solution's declarations. It says: " + said);
    else
      missing(name + " accepts neither the solution nor the challenge, so it is no kernel for them",
              "Pass one for Lean " + certificate_.toolchain.version + ", as --kernel. It says: " + said);
    co_return Result<void>();
  }

  static std::string said_by(const RunResult& run) {
    return quotable(run.errors.empty() ? run.output : run.errors);
  }

  void accept_without_replay() {
    auto program = program_in(request_.solution);
    if (program) program = "the solution, " + *program;
    for (const std::string& option : request_.options)
      if (const std::string name = option.substr(0, option.find('='));
          !program && program_in("set_option " + name))
        program = "the option " + name;
    if (!program) program = program_;
    if (request_.without_replay && !program) return;
    const KernelAdvice advice = how_to_replay(certificate_.toolchain.version, kernel_);
    missing(request_.without_replay ? "programs may have bypassed the kernel (" + *program + ")"
                                    : "no kernel has replayed the proof",
            advice.first, advice.option);
    if (!program) missing_.back().waiver = "--without-replay";
  }

  // --- the verdict

  void missing(std::string what, std::string how, std::string option = {}) {
    missing_.push_back({std::move(what), std::move(how), std::move(option), {}});
  }

  Result<void> conclude_without(const CompiledText& solution) {
    note_hashes();
    if (solution.timed_out) {
      certificate_.verdict = Outcome::Incomplete;
      certificate_.reason = "The solution: " + solution.why;
      certificate_.complete_with = "Pass a longer timeout, or give it more memory.";
      certificate_.timed_out = true;
      for (NameVerdict& name : certificate_.names) name.reason = certificate_.reason;
      return {};
    }
    refuse_all("The solution: " + solution.why);
    conclude();
    return {};
  }

  void conclude() {
    if (refused_) {
      certificate_.verdict = Outcome::Refused;
      certificate_.reason = *refused_;
      for (NameVerdict& name : certificate_.names) {
        if (name.verdict == Outcome::Refused) continue;
        name.verdict = Outcome::Incomplete;
        name.reason = "Not certified, because the whole is refused.";
      }
      return;
    }
    for (const NameVerdict& name : certificate_.names) {
      if (name.verdict == Outcome::Certified) continue;
      missing(name.name + ": " + name.reason, "Use a toolchain whose library has its proofs.");
      break;  // the others have their own reasons
    }
    if (missing_.empty()) {
      certificate_.verdict = Outcome::Certified;
      const std::size_t count = certificate_.names.size();
      certificate_.reason =
          (count == 1 ? "The theorem is" : "All " + std::to_string(count) + " theorems are") +
          std::string(" proved as stated, from allowed axioms only") + more_axioms(certificate_) +
          (certificate_.kernel_replayed ? ", and a kernel has replayed the proofs."
                                        : "; no kernel has replayed the proofs.");
      return;
    }
    certificate_.verdict = Outcome::Incomplete;
    const std::string what = what_is_missing(missing_);
    certificate_.reason = "Nothing speaks against it, but " + what + (what.ends_with('.') ? "" : ".");
    certificate_.complete_with = how_to_complete(missing_, request_.command);
    for (NameVerdict& name : certificate_.names) {
      if (name.verdict != Outcome::Certified) continue;
      name.verdict = Outcome::Incomplete;
      name.reason += " But " + missing_.front().what + ".";
    }
  }

  Request request_;
  io::Pool& pool_;
  io::CancelScope scope_;
  Certificate certificate_;
  std::shared_ptr<const TemporaryFolder> temporary_;
  fs::path folder_;
  ProjectFiles files_;
  std::optional<Baseline> baseline_;
  std::optional<LeanRunner> runner_;
  ModulePlaces places_;
  std::vector<fs::path> builds_;        // with a baseline: what the project has compiled
  std::vector<std::string> rebuilt_;    // modules, in the order in which they were compiled
  std::optional<bool> all_in_parts_;    // see compiles_all_in_parts()
  std::optional<std::string> program_;  // in a module that was compiled from the working tree
  SharedSet challenge_, solution_;
  std::vector<std::string> judged_parts_, asked_parts_;
  Kernel kernel_;
  ImportHashes imports_;
  std::shared_ptr<const WatchedFoundations> watched_;
  std::int64_t before_solution_ = 0, before_solutions_ = 0;  // the latter: of the batch
  std::optional<std::string> refused_;                       // why, as a sentence
  std::vector<Missing> missing_;
};

}  // namespace

asio::awaitable<Result<Certificate>> certify(Request request, io::Pool& pool, io::CancelScope scope) {
  const auto certifier = std::make_shared<Certifier>(std::move(request), pool, std::move(scope));
  co_return co_await certifier->run();
}

asio::awaitable<Result<json>> record_baseline(fs::path root, std::string lake, io::Spawn spawn,
                                              io::Pool& pool, io::CancelScope scope) {
  const auto create = []() -> Result<std::shared_ptr<const TemporaryFolder>> {
    return TemporaryFolder::create();
  };
  CO_TRY(const auto temporary, co_await pool.run(create, scope));
  CO_TRY(const Toolchain toolchain,
         co_await find_toolchain(spawn, lake, lean::environment_for_lake(), temporary->path(),
                                 lean::toolchain_of(root), scope));
  const auto hash = [root, toolchain]() -> Result<json> {
    Baseline baseline;
    TRY(baseline.programs, hashes_of_programs(toolchain.sysroot, toolchain.lean));
    TRY(baseline.toolchain, hashes_below(toolchain.library()));
    const std::vector<lean::Package> packages = lean::packages_of(root);
    for (const auto& folders : {build_folders(root, packages), package_folders(packages)})
      for (const fs::path& folder : folders) {
        TRY(FileHashes found, hashes_below(folder));
        baseline.modules.merge(found);
      }
    TRY(baseline.checkers, hashes_of_checkers(root));
    return baseline.to_json();
  };
  co_return co_await pool.run(hash, scope);
}

json record_of(const Certificate& certificate) {
  json value = wire::write(certificate);
  std::string hash = sha256_of(value.dump(-1, ' ', true, json::error_handler_t::replace));
  return {{"certificate", std::move(value)}, {"sha256", std::move(hash)}};
}

}  // namespace leanbridge::certify

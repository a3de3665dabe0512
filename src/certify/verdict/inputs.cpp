#include "core/base/sha256.hpp"
#include "core/base/try.hpp"
#include "core/lean/imports.hpp"
#include "core/text/missing_proofs.hpp"
#include "steps.hpp"

#include <algorithm>
#include <utility>

namespace leanbridge::certify {

namespace fs = std::filesystem;

namespace {

struct ChallengeFiles {
  std::string challenge;
  ProjectFiles files;
};

Result<void> check_axioms(const std::vector<std::string>& allowed) {
  for (const std::string& axiom : allowed)
    if (olean::key_of(axiom) == olean::key_of(text::kSorryAxiom))
      return fail(ErrorKind::InvalidArgument,
                  axiom + " cannot be allowed: whatever rests on it is not proved.",
                  "Pass the axioms that a proof may rest on, such as Classical.choice.");
  return {};
}

asio::awaitable<Result<ChallengeFiles>> challenge_in_revision(Job& job) {
  const Request& request = job.request;
  const fs::path file = request.file_path.value();
  const std::string& revision = *request.challenge_revision;
  CO_TRY(auto git, co_await GitRevision::find(request.spawn, file.parent_path(), revision, job.scope));
  job.certificate.revision = git.commit();
  CO_TRY(auto challenge, co_await git.read(file, job.scope));
  const fs::path name = file.lexically_relative(git.top());
  if (!challenge)
    co_return fail(ErrorKind::InvalidArgument, name.string() + " is not in revision " + revision + ".",
                   "Pass a revision that has the file.");
  job.certificate.revision_path = name.string();
  if (request.root_is_given) {
    CO_TRY(auto files, ProjectFiles::of_revision_at(std::move(git), request.root, job.pool));
    co_return ChallengeFiles{std::move(*challenge), std::move(files)};
  }
  CO_TRY(auto files, co_await ProjectFiles::of_revision(std::move(git), file, job.pool, job.scope));
  co_return ChallengeFiles{std::move(*challenge), std::move(files)};
}

asio::awaitable<Result<ChallengeFiles>> find_challenge(Job& job) {
  if (job.request.challenge_revision) co_return co_await challenge_in_revision(job);
  co_return ChallengeFiles{job.request.challenge.value(), ProjectFiles(job.request.root, job.pool)};
}

struct CompiledFiles {
  ModulePlaces places;
  std::vector<fs::path> builds;
  Kernel kernel;
  std::vector<ExportKernel> export_kernels;
};

std::string name_of(const Kernel& kernel) {
  return fs::path(kernel.command.front()).filename().string();
}

/// Finds all kernels and keeps the ones that the selection asks for.
Result<void> find_kernels(const KernelPlaces& places, ExportKernelPlaces others, CompiledFiles& found) {
  TRY(found.kernel, find_kernel(places));
  const KernelSelection& selection = others.selection;
  // The kernel that replays modules has the name of its program.
  std::vector<std::string>& named = others.selection.named;
  const auto own =
      found.kernel.command.empty() ? named.end() : std::ranges::find(named, name_of(found.kernel));
  const bool only_own = own != named.end() && named.size() == 1;
  if (!named.empty() && own == named.end()) found.kernel = {};
  if (own != named.end()) named.erase(own);
  if (only_own) return {};
  TRY(found.export_kernels, find_export_kernels(others));
  const std::size_t taken = found.kernel.command.empty() ? 0 : 1;
  if (selection.first && found.export_kernels.size() > *selection.first - taken)
    found.export_kernels.resize(*selection.first - taken);
  return {};
}

/// Finds the files that were compiled before. `kernel` does not have the known checkers yet.
Result<CompiledFiles> find_compiled(KernelPlaces kernel, ExportKernelPlaces others, const fs::path& library,
                                    const std::vector<lean::Package>& packages,
                                    const std::optional<Baseline>& baseline) {
  CompiledFiles found;
  if (baseline) TRY_DONE(baseline->check_packages(packages));
  found.places = {library, package_folders(packages)};
  if (baseline) found.builds = build_folders(kernel.root, packages);
  ModulePlaces all = found.places;
  all.packages.insert(all.packages.end(), found.builds.begin(), found.builds.end());
  TRY_DONE(no_shadows(all));
  if (baseline) kernel.known = &baseline->checkers;
  for (const lean::Package& package : packages) others.untrusted.push_back(package.folder);
  TRY_DONE(find_kernels(kernel, std::move(others), found));
  return found;
}

}  // namespace

std::vector<fs::path> Inputs::kernel_files() const {
  std::vector<fs::path> all = kernel.files;
  for (const ExportKernel& other : export_kernels)
    all.insert(all.end(), other.files.begin(), other.files.end());
  return all;
}

std::vector<fs::path> Inputs::earlier_path() const {
  std::vector<fs::path> folders = builds;
  folders.insert(folders.end(), places.packages.begin(), places.packages.end());
  return folders;
}

bool Inputs::has_modules() const {
  std::error_code ignored;
  return !fs::is_empty(modules(), ignored);
}

std::vector<fs::path> Inputs::lean_path() const {
  std::vector<fs::path> folders = earlier_path();
  folders.insert(folders.begin(), modules());
  return folders;
}

std::vector<fs::path> Inputs::search_path() const {
  std::vector<fs::path> folders = has_modules() ? lean_path() : earlier_path();
  folders.insert(folders.begin(), places.toolchain);
  return folders;
}

std::function<bool(const olean::SetModule&)> Inputs::is_project() const {
  std::vector<fs::path> folders = builds;
  folders.push_back(modules());
  return [folders = std::move(folders)](const olean::SetModule& module) {
    return module.file.empty() || std::ranges::any_of(folders, [&](const fs::path& each) {
             return lean::is_within(module.file, each);
           });
  };
}

Result<std::shared_ptr<const TemporaryFolder>> create_folders() {
  TRY(auto folder, TemporaryFolder::create());
  std::error_code ignored;
  for (const char* const name : {"lean", "probe", "modules"})
    fs::create_directory(folder->path() / name, ignored);
  return folder;
}

asio::awaitable<Result<LeanRunner>> find_lean(Job& job, ProjectFiles& files, fs::path folder) {
  const Request& request = job.request;
  request.on_step("looking for Lean");
  CO_TRY(const auto pinned,
         co_await files.read(files.root() / "lean-toolchain", kMaxConfigurationSize, job.scope));
  std::string line = pinned.value_or("").substr(0, pinned.value_or("").find('\n'));
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
  const auto choose = [root = files.root(), line]() -> Result<ToolchainChoice> {
    return toolchain_choice(root, line);
  };
  CO_TRY(ToolchainChoice choice, co_await job.run(choose));
  CO_TRY(Toolchain toolchain, co_await find_toolchain(request.spawn, request.lake, request.environment,
                                                      folder / "lean", std::move(choice), job.scope));
  LeanRunner runner(request.spawn, std::move(toolchain), {.memory_mb = request.memory_mb});
  CO_CHECK(co_await runner.choose_sandbox(folder / "probe", job.scope));
  Certificate& certificate = job.certificate;
  certificate.sandbox = runner.sandbox();
  certificate.sandbox_note = runner.sandbox_note();
  if (request.at_once && certificate.sandbox == Sandbox::None)
    co_return fail(ErrorKind::NotSupported,
                   "Without a sandbox, solutions cannot be judged at the same time: one could write the "
                   "files of another. " +
                       certificate.sandbox_note.value_or(""),
                   "Install bubblewrap, or judge one at a time (--jobs 1).");
  certificate.toolchain.lean = runner.toolchain().lean.string();
  co_return runner;
}

asio::awaitable<Result<Inputs>> read_inputs(Job& job) {
  const Request& request = job.request;
  Certificate& certificate = job.certificate;
  certificate.allowed_axioms = request.all_axioms();
  CO_CHECK(check_axioms(certificate.allowed_axioms));
  CO_TRY(KernelSelection selection, KernelSelection::from(request.kernels));
  request.on_step("reading the challenge");
  CO_TRY(auto temporary, co_await job.run(create_folders));
  fs::path folder = fs::canonical(temporary->path());
  CO_TRY(ChallengeFiles found, co_await find_challenge(job));
  CO_CHECK(co_await found.files.load(job.scope));
  certificate.challenge_sha256 = sha256_of(found.challenge);
  certificate.solution_sha256 = sha256_of(request.solution.value());
  std::optional<Baseline> baseline;
  if (request.baseline) {
    const auto load = [file = *request.baseline] { return Baseline::load(file); };
    CO_TRY(baseline, co_await job.run(load));
  }
  CO_TRY(LeanRunner runner, co_await find_lean(job, found.files, folder));
  // This comes before any untrusted program runs.
  const Toolchain& toolchain = runner.toolchain();
  const auto find = [kernel = KernelPlaces{request.kernel, toolchain.sysroot, found.files.root(),
                                           request.trust_packages, nullptr},
                     others =
                         ExportKernelPlaces{selection, toolchain.sysroot, request.path, {found.files.root()}},
                     library = toolchain.library(), packages = found.files.packages(),
                     baseline] { return find_compiled(kernel, others, library, packages, baseline); };
  CO_TRY(CompiledFiles compiled, co_await job.run(find));
  if (const Kernel& kernel = compiled.kernel; !kernel.command.empty())
    certificate.kernel = KernelFacts{kernel.command.front(), kernel.sha256, KernelAnswer::NotAsked};
  co_return Inputs{std::move(temporary),
                   std::move(folder),
                   std::move(found.challenge),
                   std::move(found.files),
                   std::move(baseline),
                   std::move(runner),
                   std::move(compiled.places),
                   std::move(compiled.builds),
                   std::move(compiled.kernel),
                   std::move(selection),
                   std::move(compiled.export_kernels)};
}

}  // namespace leanbridge::certify

#include "project_modules.hpp"

#include "core/base/try.hpp"
#include "core/lean/imports.hpp"
#include "core/text/lean_names.hpp"

#include <utility>

namespace leanbridge::certify {

namespace fs = std::filesystem;

namespace {

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
  CO_TRY(std::vector<ModuleOwner> owners, co_await job.pool.run(look, job.scope));
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

}  // namespace

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

}  // namespace leanbridge::certify

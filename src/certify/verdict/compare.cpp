#include "core/base/try.hpp"
#include "core/lean/project.hpp"
#include "steps.hpp"

#include <algorithm>
#include <utility>

namespace leanbridge::certify {

namespace fs = std::filesystem;

namespace {

/// Refuses the solution if files were written while it was compiled, though both sides rest on them.
asio::awaitable<Result<void>> refuse_changed_files(Job& job, const Inputs& inputs,
                                                   const Compilation& compiled, SolutionFindings& compared) {
  ModulePlaces places = inputs.places;
  places.packages.insert(places.packages.end(), inputs.builds.begin(), inputs.builds.end());
  const std::string when = job.request.batch ? " was changed while solutions were compiled."
                                             : " was changed while the solution was compiled.";
  const auto look = [=, solution = compared.solution, own = inputs.folder, watched = compiled.watched,
                     since = compiled.before_solution,
                     begun = compiled.before_solutions]() -> Result<std::optional<std::string>> {
    if (watched->own.first_changed(since)) return "A compiled module of the project" + when;
    if (const auto file = watched->outside.first_changed(begun)) return file->string() + when;
    for (std::size_t i = 0; solution && i < solution->modules().size(); ++i)
      if (const fs::path& file = solution->modules()[i]->file;
          !file.empty() && changed_since(file, lean::is_within(file, own) ? since : begun))
        return file.string() + when;
    if (const auto clear = no_shadows(places); !clear) return clear.error().message;
    return std::nullopt;
  };
  CO_TRY(const auto change, co_await job.run(look));
  if (change) refuse_all(job.certificate, compared.objections, *change);
  co_return Result<void>();
}

asio::awaitable<Result<void>> open_solution(Job& job, const Inputs& inputs, const Compilation& compiled,
                                            SolutionFindings& compared) {
  auto set = co_await open_compiled(job, inputs, compiled.solution.parts, compiled.challenge->imported());
  if (!set && is_end_of_wait(set.error())) co_return tl::unexpected(set.error());
  if (set)
    compared.solution = std::move(*set);
  else
    refuse_all(job.certificate, compared.objections,
               "The solution's compiled file is refused: " + set.error().message);
  co_return Result<void>();
}

/// Notes the definitions that the solution fills in, for a person to read. Refuses definitions that cannot be
/// read.
asio::awaitable<Result<void>> note_fillings(Job& job, const Inputs& inputs, SolutionFindings& compared,
                                            std::vector<std::string> holes) {
  const auto read = [holes = std::move(holes), is_project = inputs.is_project()](olean::ModuleSet& set) {
    return read_fillings(set, holes, is_project);
  };
  auto items = co_await job.use(compared.solution, read);
  if (!items && is_end_of_wait(items.error())) co_return tl::unexpected(items.error());
  if (items)
    job.certificate.holes = std::move(*items);
  else
    refuse_all(job.certificate, compared.objections,
               "What the solution fills in cannot be read: " + items.error().message);
  co_return Result<void>();
}

asio::awaitable<Result<void>> compare_statements(Job& job, const Inputs& inputs, const Compilation& compiled,
                                                 SolutionFindings& compared) {
  Rules rules;
  rules.names = job.request.names;
  rules.allowed_axioms = job.request.all_axioms();
  rules.holes = job.request.holes;
  rules.may_import = [toolchain = inputs.places.toolchain,
                      packages = inputs.places.packages](const olean::SetModule& module) {
    return lean::is_within(module.file, toolchain) ||
           std::ranges::any_of(packages,
                               [&](const fs::path& folder) { return lean::is_within(module.file, folder); });
  };
  rules.is_project = inputs.is_project();
  const auto work = [solution = compared.solution, rules = std::move(rules)](olean::ModuleSet& theirs) {
    return solution.use([&](olean::ModuleSet& ours) { return judge(theirs, ours, rules); });
  };
  CO_TRY(Findings findings, co_await job.use(compiled.challenge, work));
  Certificate& certificate = job.certificate;
  certificate.names = std::move(findings.names);
  certificate.judged = std::move(findings.judged);
  certificate.checked_by = {"comparison of statements", "walk of axioms"};
  std::optional<std::string>& refused = compared.objections.refused;
  refused = std::move(findings.refused);
  for (const NameVerdict& name : certificate.names)
    if (!refused && name.verdict == Outcome::Refused) refused = name.name + ": " + name.reason;
  if (!refused && !findings.holes.empty())
    CO_CHECK(co_await note_fillings(job, inputs, compared, std::move(findings.holes)));
  co_return Result<void>();
}

void note_hashes(Job& job, const Inputs& inputs, const SolutionFindings& compared) {
  compared.imports.describe(job.certificate);
  for (PackageHash& package : job.certificate.packages) {
    package.in_baseline = inputs.baseline.has_value();
    for (const lean::Package& listed : inputs.files.packages())
      if (listed.folder.filename() == package.package) package.revision = listed.revision;
  }
}

void check_baseline(Job& job, const Inputs& inputs, SolutionFindings& compared) {
  Certificate& certificate = job.certificate;
  Objections& objections = compared.objections;
  if (inputs.baseline) {
    objections.refused = compared.imports.difference_from(*inputs.baseline);
    if (!objections.refused)
      certificate.checked_by.emplace_back("comparison of all imports with the baseline");
  } else if (!certificate.packages.empty() && !job.request.trust_packages) {
    objections.missing.push_back(
        {"the compiled files of packages are not compared with a baseline",
         "Make sure that nobody has changed them: --baseline FILE shows it, if `leanbridge certify "
         "--record-baseline FILE` has written FILE before the agent began.",
         "--trust-packages",
         {}});
  }
}

/// Compares what was compiled, up to the first reason to refuse it.
asio::awaitable<Result<void>> compare_compiled(Job& job, const Inputs& inputs, const Compilation& compiled,
                                               SolutionFindings& compared) {
  job.request.on_step("comparing the statements");
  const std::optional<std::string>& refused = compared.objections.refused;
  // This must come first: the challenge's imports are mapped, and reading a truncated file would end this
  // process.
  CO_CHECK(co_await refuse_changed_files(job, inputs, compiled, compared));
  if (refused) co_return Result<void>();
  CO_CHECK(co_await open_solution(job, inputs, compiled, compared));
  if (refused) co_return Result<void>();
  CO_CHECK(co_await compare_statements(job, inputs, compiled, compared));
  if (refused) co_return Result<void>();
  CO_TRY(compared.imports, co_await with_imports(job, inputs, compiled.imports, compared.solution));
  co_return co_await refuse_changed_files(job, inputs, compiled, compared);
}

}  // namespace

asio::awaitable<Result<SolutionFindings>> compare(Job& job, const Inputs& inputs,
                                                  const Compilation& compiled) {
  SolutionFindings compared;
  compared.imports = compiled.imports;
  const bool is_compiled = compiled.solution.why.empty();
  if (is_compiled) {
    CO_CHECK(co_await compare_compiled(job, inputs, compiled, compared));
  } else if (!compiled.solution.timed_out)
    refuse_all(job.certificate, compared.objections, "The solution: " + compiled.solution.why);
  note_hashes(job, inputs, compared);
  if (is_compiled && !compared.objections.refused) check_baseline(job, inputs, compared);
  co_return compared;
}

}  // namespace leanbridge::certify

#include "leanbridge/search/loogle_installation.hpp"

#include "leanbridge/search/installed_loogle.hpp"

#include <algorithm>
#include <system_error>

namespace leanbridge::search {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kRevisionDigits = 40;
constexpr std::size_t kShownDigits = 12;  // of the revision, in the folder's name
constexpr std::chrono::minutes kDownloadLimit{10};
constexpr std::chrono::minutes kBuildLimit{60};

bool is_revision(const std::string& text) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text.size() == kRevisionDigits && std::all_of(text.begin(), text.end(), is_digit);
}

// Git would take the first for an option; a control character would garble what is shown.
bool is_address(const std::string& text) {
  return !text.empty() && text.front() != '-' &&
         std::none_of(text.begin(), text.end(), [](unsigned char c) { return c <= 32 || c == 127; });
}

std::vector<InstallationStep> download_steps(const InstallationRequest& request,
                                             const InstallationPlan& plan) {
  const std::string git = request.git.string();
  const LoogleSource& source = request.source;
  InstallationStep clone, fetch, checkout;
  clone.what = "Clone " + source.repository;
  clone.argv = {git,
                "clone",
                "--progress",
                "--depth",
                "1",
                "--no-checkout",
                "--",
                source.repository,
                plan.unfinished.string()};
  clone.directory = request.folder;
  clone.limit = kDownloadLimit;
  fetch.what = "Fetch revision " + source.revision;
  fetch.argv = {git, "fetch", "--progress", "--depth", "1", "origin", source.revision};
  fetch.directory = plan.unfinished;
  fetch.limit = kDownloadLimit;
  checkout.what = "Check it out";
  checkout.argv = {git, "checkout", "--quiet", "--detach", source.revision};
  checkout.directory = plan.unfinished;
  checkout.limit = kDownloadLimit;
  return {std::move(clone), std::move(fetch), std::move(checkout)};
}

InstallationStep build_step(const InstallationRequest& request, const InstallationPlan& plan) {
  InstallationStep build;
  build.what = "Build it with " + request.toolchain + " (minutes)";
  build.argv = {request.lake.string(), "build", "loogle"};
  build.directory = plan.repository;
  build.limit = kBuildLimit;
  return build;
}

}  // namespace

Result<InstallationPlan> plan_installation(const InstallationRequest& request) {
  if (!is_revision(request.source.revision))
    return fail(ErrorKind::InvalidArgument,
                "'" + request.source.revision + "' is not the full hash of a commit.",
                "Pass all 40 digits, in lower case.");
  if (!is_address(request.source.repository))
    return fail(ErrorKind::InvalidArgument,
                "'" + request.source.repository + "' is not the address of a git repository.",
                "Pass a URL or a path.");
  if (request.toolchain.empty())
    return fail(ErrorKind::InvalidArgument, "The project has no lean-toolchain.",
                "Loogle works only with the toolchain that built it: write the project's to lean-toolchain.");
  if (request.folder.empty())
    return fail(ErrorKind::InvalidArgument, "There is no folder to install Loogle in, as HOME is not set.",
                "Set LEAN_LOOGLE_CACHE_DIR.");
  InstallationPlan plan;
  plan.repository = request.folder / ("repo-" + request.source.revision.substr(0, kShownDigits) + "-" +
                                      loogle_toolchain_key(request.toolchain));
  // Not `repo-`, which is what find_installed_loogle() looks for.
  plan.unfinished = request.folder / ("unfinished-" + plan.repository.filename().string());
  plan.program = plan.repository / ".lake" / "build" / "bin" / "loogle";
  // Lake's cache of artifacts would leave links in place of the program.
  plan.environment = {
      {"ELAN_TOOLCHAIN", request.toolchain}, {"LAKE_ARTIFACT_CACHE", "false"}, {"GIT_TERMINAL_PROMPT", "0"}};
  std::error_code ignored;
  if (!fs::is_directory(plan.repository, ignored)) plan.download = download_steps(request, plan);
  if (!fs::is_regular_file(plan.program, ignored)) plan.build = {build_step(request, plan)};
  return plan;
}

}  // namespace leanbridge::search

#include "findings.hpp"

#include "core/base/files.hpp"
#include "core/base/joined.hpp"
#include "core/lean/project.hpp"
#include "core/lean/source_folders.hpp"
#include "core/lean/toolchain.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

namespace leanbridge::app {

namespace fs = std::filesystem;
using nlohmann::json;
using Verdict = Finding::Verdict;

namespace {

constexpr double kGigabyte = 1024.0 * 1024 * 1024;
constexpr double kMinFreeSpace = 2;  // GB
constexpr double kMathlibWorker =
    3;  // GB: for a file that imports all of Mathlib, apart from memory that workers share
constexpr double kOtherWorker = 1;  // GB

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_compiled(const fs::path& mathlib) {
  std::error_code ignored;
  const fs::path modules = lean::product_folders(mathlib).modules;
  return fs::exists(modules / "Mathlib.olean", ignored) || is_folder(modules / "Mathlib");
}

std::string gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", bytes / kGigabyte);
  return text;
}

}  // namespace

// --- the toolchain

std::string lean_version_in(const std::string& text) {
  for (const char* before : {"Lean version ", "Lean (version ", ":v", ":"}) {
    std::size_t at = text.find(before);
    if (at == std::string::npos) continue;
    at += std::char_traits<char>::length(before);
    const std::size_t end =
        text.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-", at);
    return text.substr(at, end == std::string::npos ? end : end - at);
  }
  return "";
}

Finding soundness_finding(const std::string& version) {
  std::string defects = lean::defects_in_brief(version);
  if (defects.empty())
    return {Verdict::Ok, "soundness", "Lean " + version + " has no defect that leanbridge knows of", ""};
  defects.pop_back();  // a finding has no full stop
  return {Verdict::Warn, "soundness", std::move(defects),
          "Honest proofs hardly meet these; a dishonest one can use them. Put a newer version into "
          "lean-toolchain once your packages have it. `leanbridge certify` names them in its verdicts."};
}

Finding toolchain_finding(const std::string& toolchain, const std::string& lean) {
  if (toolchain.empty())
    return {Verdict::Warn, "toolchain", "no lean-toolchain file",
            "Create one, containing for example `leanprover/lean4:v4.29.0`, to pin the Lean version."};
  const std::string named = lean_version_in(toolchain);
  const bool is_number = !named.empty() && named.front() >= '0' && named.front() <= '9';
  if (is_number && !lean.empty() && named != lean)
    return {
        Verdict::Warn, "toolchain", toolchain + ", but this lake is of Lean " + lean,
        "Pass --lake with elan's lake, which obeys lean-toolchain, or write the version of this one there."};
  return {Verdict::Ok, "toolchain", toolchain, ""};
}

// --- Mathlib

Mathlib mathlib_in(const fs::path& root) {
  std::error_code ignored;
  if (fs::is_regular_file(root / "Mathlib.lean", ignored) && is_folder(root / "Mathlib"))
    return is_compiled(root) ? Mathlib::Compiled : Mathlib::NotCompiled;
  for (const lean::Package& package : lean::packages_of(root)) {
    if (package.name != "mathlib") continue;
    if (!is_folder(package.folder)) return Mathlib::NotFetched;
    return is_compiled(package.folder) ? Mathlib::Compiled : Mathlib::NotCompiled;
  }
  return Mathlib::NotUsed;
}

std::optional<fs::path> main_checkout_of(const fs::path& root) {
  constexpr std::string_view kBefore = "gitdir: ";
  for (fs::path folder = root; !folder.empty(); folder = folder.parent_path()) {
    std::error_code ignored;
    const fs::file_status status = fs::status(folder / ".git", ignored);
    if (fs::exists(status)) {
      if (!fs::is_regular_file(status)) return std::nullopt;
      const std::string text = read_regular_file(folder / ".git", kMaxConfigurationSize).value_or("");
      if (!text.starts_with(kBefore)) return std::nullopt;
      const std::string named =
          text.substr(kBefore.size(), text.find_last_not_of(" \r\n") + 1 - kBefore.size());
      // A worktree has …/MAIN/.git/worktrees/NAME; a submodule has …/.git/modules/NAME.
      const fs::path git = (folder / named).lexically_normal();
      const fs::path worktrees = git.parent_path();
      if (worktrees.filename() != "worktrees" || worktrees.parent_path().filename() != ".git")
        return std::nullopt;
      const fs::path main = worktrees.parent_path().parent_path();
      return root == folder ? main : (main / root.lexically_relative(folder)).lexically_normal();
    }
    if (folder == folder.root_path()) break;
  }
  return std::nullopt;
}

std::optional<Finding> mathlib_finding(Mathlib here,
                                       const std::optional<std::pair<fs::path, Mathlib>>& main) {
  if (here == Mathlib::NotUsed || here == Mathlib::Compiled) return std::nullopt;
  if (main && main->second == Mathlib::Compiled)
    return Finding{Verdict::Warn, "worktree",
                   "this git worktree has no compiled Mathlib, so a build here would compile all of it; " +
                       main->first.string() + " has one",
                   "Run `lake exe cache get` here, or copy it: cp -a --reflink=auto " +
                       (main->first / ".lake").lexically_normal().string() + " ."};
  if (here == Mathlib::NotFetched) return std::nullopt;  // another finding reports the missing packages
  return Finding{
      Verdict::Warn, "cache", "Mathlib is not compiled: `lake exe cache get` has not run",
      "Run `lake exe cache get`. Otherwise the first build compiles all of Mathlib, which takes hours."};
}

Finding build_finding(bool is_built, const std::string& no_writing) {
  if (!no_writing.empty())
    return {Verdict::Warn, "build",
            std::string("the project is ") + (is_built ? "built" : "not built") +
                ", and you cannot write there: " + no_writing,
            is_built ? "Goals and checks work; builds and changes need a copy, or the right to write."
                     : "Nothing can be built there: work in a copy, or get the right to write."};
  if (is_built) return {Verdict::Ok, "build", "packages fetched, project built", ""};
  return {Verdict::Warn, "build", "the project is not built yet",
          "Run `lake build`. Otherwise the first file with imports has to wait for the build."};
}

// --- the machine

Finding memory_finding(const io::Capacity& capacity, int open_files, int scratch_workers, Mathlib mathlib) {
  const double free = static_cast<double>(capacity.free_bytes);
  if (capacity.free_bytes <= 0)
    return {Verdict::Warn, "memory", "how much memory is free is not known",
            "No Lean is held back when it gets short: pass --max-open-files and --max-scratch-workers."};
  const std::string available = gigabytes(free) + " available";
  if (free < kMinFreeSpace * kGigabyte)
    return {Verdict::Warn, "memory", available + "; a file that imports a large library needs 1 to 5 GB",
            "Close other programs, or work on files that import less."};
  const bool is_large = mathlib != Mathlib::NotUsed;
  const int room =
      std::max(1, static_cast<int>(free / ((is_large ? kMathlibWorker : kOtherWorker) * kGigabyte)));
  const int workers = open_files + scratch_workers;
  const std::string each = is_large ? "3 GB each, as with Mathlib" : "1 GB each";
  std::string text = available + ", room for about " + std::to_string(room) + " workers of " + each +
                     "; up to " + std::to_string(workers) + " may run";
  if (room >= workers) return {Verdict::Ok, "memory", std::move(text), ""};
  const int trials = std::clamp(room / 3, 1, scratch_workers);
  return {Verdict::Warn, "memory", std::move(text),
          "If you open many files, pass --max-open-files " + std::to_string(std::max(1, room - trials)) +
              " --max-scratch-workers " + std::to_string(trials) + "."};
}

std::vector<Finding> limit_findings(const SystemLimits& limits) {
  constexpr std::uint64_t kOpenFiles = 1024, kWatches = 8192, kInstancesLeft = 8;
  std::vector<Finding> findings;
  const auto warn = [&](std::string text, std::string advice) {
    findings.push_back({Verdict::Warn, "limits", std::move(text), std::move(advice)});
  };
  if (limits.open_files > 0 && limits.open_files < kOpenFiles)
    warn("a process may open only " + std::to_string(limits.open_files) + " files",
         "Raise the limit where the host is started: ulimit -n 4096.");
  if (limits.watching.instances > 0 && limits.watching.in_use + kInstancesLeft > limits.watching.instances)
    warn(std::to_string(limits.watching.in_use) + " of " + std::to_string(limits.watching.instances) +
             " inotify instances are in use, so editors and hosts may miss changes of files",
         "sudo sysctl fs.inotify.max_user_instances=1024");
  if (limits.watching.watches > 0 && limits.watching.watches < kWatches)
    warn("inotify can watch only " + std::to_string(limits.watching.watches) +
             " files, fewer than Mathlib has",
         "sudo sysctl fs.inotify.max_user_watches=524288");
  if (!findings.empty()) return findings;
  constexpr std::uint64_t kCounted = std::uint64_t{1} << 32U;  // a higher limit is effectively none
  std::string text =
      (limits.open_files < kCounted ? std::to_string(limits.open_files) : "any number of") + " open files";
  if (limits.watching.instances > 0)
    text += ", " + std::to_string(limits.watching.in_use) + " of " +
            std::to_string(limits.watching.instances) + " inotify instances in use, " +
            std::to_string(limits.watching.watches) + " watches";
  findings.push_back({Verdict::Ok, "limits", std::move(text), ""});
  return findings;
}

// --- remains of earlier runs

namespace {

// The format, 5 for "project-05f21a98-v5.18eb.db" and "toolchain-a9541394-v5.lock"; 0 for all other names.
int index_form_of(const std::string& name) {
  if (!name.starts_with("project-") && !name.starts_with("toolchain-")) return 0;
  const std::size_t mark = name.find("-v", name.find('-') + 1);
  if (mark == std::string::npos) return 0;
  int form = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + mark + 2, end, form);
  return error == std::errc() && rest != end && *rest == '.' ? form : 0;
}

}  // namespace

std::vector<std::string> outdated_indexes(const std::vector<std::string>& names) {
  int newest = 0;
  for (const std::string& name : names) newest = std::max(newest, index_form_of(name));
  std::vector<std::string> outdated;
  for (const std::string& name : names)
    if (const int form = index_form_of(name);
        (form > 0 && form < newest) || name.starts_with("search-v1.db"))  // stored answers, until 0.2
      outdated.push_back(name);
  return outdated;
}

// --- hosts

std::optional<Finding> host_finding(const hosts::Host& host, const std::string& file,
                                    const Result<json>& document, const std::string& project) {
  const std::string title(host.title);
  if (!document)
    return Finding{Verdict::Warn, "hosts", title + ": " + document.error().message,
                   "Correct the file: the host cannot read it either."};
  std::vector<hosts::LeanServer> servers = hosts::lean_servers(host, *document);
  if (const auto* local = hosts::find_at(*document, {"projects", project});
      local && host.word == "claude-code")
    for (hosts::LeanServer& server : hosts::lean_servers(host, *local)) servers.push_back(std::move(server));
  if (servers.empty()) return std::nullopt;
  std::string ours, theirs;
  std::size_t own = 0;
  for (const hosts::LeanServer& server : servers) {
    const bool is_own = server.job == hosts::Job::Leanbridge;
    own += is_own ? 1 : 0;
    join(is_own ? ours : theirs, "'" + server.name + "'");
  }
  const std::string where = title + ": " + file;
  if (!theirs.empty())
    return Finding{Verdict::Warn, "hosts",
                   where + " names " + theirs + ", lean-lsp-mcp, for the same job" +
                       (own > 0 ? " as " + ours + ": the model sees every tool twice" : ""),
                   own > 0 ? "Remove or disable one of the two."
                           : "Remove that entry, then run `leanbridge setup --host " +
                                 std::string(host.word) + "`: all its tools are here under the same names."};
  if (own > 1)
    return Finding{Verdict::Warn, "hosts",
                   where + " starts leanbridge " + std::to_string(own) + " times: " + ours,
                   "Remove all but one of these entries."};
  return Finding{Verdict::Ok, "hosts", where + " starts leanbridge as " + ours, ""};
}

std::optional<Finding> twice_finding(const hosts::Host& host, const json& users, const json& projects) {
  const auto is_ours = [](const hosts::LeanServer& server) { return server.job == hosts::Job::Leanbridge; };
  for (const auto& theirs : hosts::lean_servers(host, users))
    for (const auto& its : hosts::lean_servers(host, projects))
      if (is_ours(theirs) && is_ours(its) && theirs.name != its.name)
        return Finding{Verdict::Warn, "hosts",
                       std::string(host.title) + " starts leanbridge twice in this project: as '" +
                           theirs.name + "' of the user's file and as '" + its.name +
                           "' of the project's, so the model sees every tool twice",
                       "Remove one of the two, or give the project's the name of the user's: it then "
                       "takes its place."};
  return std::nullopt;
}

}  // namespace leanbridge::app

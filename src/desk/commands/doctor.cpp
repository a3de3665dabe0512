// leanbridge doctor: one line for each thing that a session needs, with advice for missing ones.

#include "commands.hpp"
#include "core/base/ascii.hpp"
#include "core/base/files.hpp"
#include "core/base/joined.hpp"
#include "core/document/document_handle.hpp"
#include "core/document/scratch_pool.hpp"
#include "core/io/capacity.hpp"
#include "core/io/run_to_end.hpp"
#include "core/io/seconds.hpp"
#include "core/lean/configuration_failure.hpp"
#include "core/lean/project.hpp"
#include "core/lean/source_folders.hpp"
#include "core/platform/machine.hpp"
#include "core/program/documents.hpp"
#include "core/program/interrupts.hpp"
#include "core/program/output.hpp"
#include "core/program/runtime.hpp"
#include "desk/desk_options.hpp"
#include "desk/doctor/findings.hpp"
#include "desk/hosts/config_file.hpp"
#include "desk/hosts/windows_side.hpp"
#include "desk/shared/meeting.hpp"
#include "desk/shared/running.hpp"
#include "search/index/local_index.hpp"
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace leanbridge::app {

namespace fs = std::filesystem;

namespace {

// Prints each finding as it comes, or collects them for --json.
class Report {
 public:
  explicit Report(bool as_json) : as_json_(as_json) {}

  void ok(const char* what, const std::string& finding) { add({Finding::Verdict::Ok, what, finding, ""}); }
  void warn(const char* what, const std::string& finding, const std::string& advice) {
    add({Finding::Verdict::Warn, what, finding, advice});
  }
  void failed(const char* what, const std::string& finding, const std::string& advice) {
    add({Finding::Verdict::Failed, what, finding, advice});
  }
  void failed(const char* what, const Error& error) { failed(what, error.message, error.hint); }

  void add(const Finding& finding) {
    passed_ = passed_ && finding.verdict != Finding::Verdict::Failed;
    if (finding.verdict == Finding::Verdict::Warn) ++warnings_;
    const std::string text = with_documents(one_line(finding.text));
    const std::string advice = with_documents(one_line(finding.advice));
    if (as_json_) {
      constexpr const char* kWords[] = {"ok", "warning", "failed"};
      findings_.push_back({{"verdict", kWords[static_cast<std::size_t>(finding.verdict)]},
                           {"subject", finding.what},
                           {"text", text},
                           {"advice", advice.empty() ? nlohmann::json() : nlohmann::json(advice)}});
      return;
    }
    print(finding, text, advice);
  }
  // Notes for people about the current step.
  /// Shows a note until the next finding.
  void note(const std::string& text) const {
    if (as_json_ || !is_terminal(stdout)) return;
    std::printf("      %-10s %s", "", text.c_str());
    std::fflush(stdout);
  }
  void conclude() const {
    if (as_json_) return print_json({{"passed", passed_}, {"findings", findings_}});
    if (!passed_)
      std::printf("%s\n", paint_(Style::Error, "Some checks failed: see FAIL above.").c_str());
    else if (warnings_ > 0)
      std::printf("%s\n", paint_(Style::Warning, "No check failed: see warn above.").c_str());
    else
      std::printf("%s\n", paint_(Style::Ok, "All checks passed.").c_str());
  }
  bool passed() const { return passed_; }
  bool as_json() const { return as_json_; }

 private:
  void print(const Finding& finding, const std::string& text, const std::string& advice) const {
    constexpr std::pair<const char*, Style> kShown[] = {
        {"ok  ", Style::Ok}, {"warn", Style::Warning}, {"FAIL", Style::Error}};
    constexpr std::size_t kColumn = 17;
    const auto& [word, style] = kShown[static_cast<std::size_t>(finding.verdict)];
    std::string block = text + "\n";
    if (!advice.empty()) block += "-> " + advice + "\n";
    block.pop_back();
    const std::size_t width = is_terminal(stdout) ? width_of(stdout) : std::string::npos;
    if (is_terminal(stdout)) std::fputs("\r\x1b[K", stdout);  // erase a note
    std::printf("%s  %s %s", paint_(style, word).c_str(), fitted(finding.what, 10).c_str(),
                wrapped_block(block, width, kColumn).substr(kColumn).c_str());
    std::fflush(stdout);
  }

  bool as_json_;
  Paint paint_ = paint_for(stdout);
  nlohmann::json findings_ = nlohmann::json::array();
  std::size_t warnings_ = 0;
  bool passed_ = true;
};

asio::awaitable<std::string> version_of(fs::path lake, fs::path directory, io::CancelScope scope) {
  io::ProgramRun run;
  run.command = {{lake.string(), "--version"}, std::move(directory), lean::environment_for_lake()};
  run.max_output = 4096;
  const auto end = co_await io::run_to_end(std::move(run), scope);
  const std::string_view output = end ? trimmed(end->output) : std::string_view();
  co_return std::string(output.substr(0, output.find('\n')));
}

// The packages in the manifest that Lake should have fetched but has not.
std::vector<std::string> missing_packages(const fs::path& root) {
  std::vector<std::string> missing;
  for (const lean::Package& package : lean::packages_of(root)) {
    std::error_code ignored;
    if (package.is_fetched && !fs::is_directory(package.folder, ignored)) missing.push_back(package.name);
  }
  return missing;
}

std::string not_fetched(const std::vector<std::string>& packages) {
  if (packages.size() == 1) return "1 package is not fetched: " + packages.front();
  return std::to_string(packages.size()) + " packages are not fetched: " + packages.front() + ", ...";
}

void check_build(const fs::path& root, Report& report) {
  std::optional<std::pair<fs::path, Mathlib>> main;
  if (const auto checkout = main_checkout_of(root)) main.emplace(*checkout, mathlib_in(*checkout));
  if (const auto finding = mathlib_finding(mathlib_in(root), main)) report.add(*finding);
  const auto missing = missing_packages(root);
  if (!missing.empty())
    return report.failed("build", not_fetched(missing),
                         mathlib_in(root) == Mathlib::NotFetched
                             ? "Run `lake exe cache get`: it fetches them and what Mathlib has compiled."
                             : "Run `lake build`: it fetches them at the revisions of lake-manifest.json.");
  std::error_code ignored;
  // Lake writes into .lake, which it makes in the project.
  const fs::path lake = root / ".lake";
  const bool writable = ::access((fs::exists(lake, ignored) ? lake : root).c_str(), W_OK) == 0;
  const std::string no_writing = writable ? "" : std::generic_category().message(errno);
  report.add(build_finding(fs::is_directory(lean::product_folders(root).modules, ignored), no_writing));
}

void check_limits(Report& report) {
  SystemLimits limits;
  rlimit open_files{};
  if (::getrlimit(RLIMIT_NOFILE, &open_files) == 0) limits.open_files = open_files.rlim_cur;
  limits.watching = platform::watch_limits();
  for (const Finding& finding : limit_findings(limits)) report.add(finding);
}

// Checks the user's file of each host, and the project's.
asio::awaitable<void> check_hosts(fs::path project, io::CancelScope scope, Report& report) {
  bool any = false;
  for (const hosts::Host& host : hosts::all_hosts()) {
    const auto users = co_await hosts::user_file(host, scope);
    if (!users) {
      report.ok("hosts", users.error().message);
      continue;
    }
    std::vector<fs::path> files = {users->path};
    if (!project.empty() && !host.project_file.empty())
      files.push_back(hosts::config_file(host, project, environment_variable));
    std::vector<nlohmann::json> read;
    for (const fs::path& file : files) {
      if (file.empty()) continue;
      auto text = hosts::load_config_file(file);
      const auto document = text ? hosts::read_document({file.string(), host.format, std::move(*text)})
                                 : Result<nlohmann::json>(tl::unexpected(text.error()));
      read.push_back(document ? *document : nlohmann::json());
      const auto finding = host_finding(host, file.string(), document, project.string());
      if (!finding) continue;
      report.add(*finding);
      any = true;
    }
    if (read.size() == 2)
      if (const auto twice = twice_finding(host, read[0], read[1])) report.add(*twice);
  }
  if (!any) report.ok("hosts", "no host starts leanbridge yet: `leanbridge setup` writes the entry");
}

// --- remains of earlier runs

struct Leftovers {
  std::vector<fs::path> sockets;  // sockets of shared servers that were killed
  std::vector<fs::path> caches;   // indexes in an older format
  std::uintmax_t cache_bytes = 0;

  bool empty() const { return sockets.empty() && caches.empty(); }
};

Leftovers find_leftovers(const Options& options) {
  Leftovers found;
  if (const auto folder = socket_folder(environment_variable))
    found.sockets = shared_servers_in(*folder).dead;
  const fs::path cache = cache_folder(options.cache_folder);
  std::vector<std::string> names;
  std::error_code error, ignored;
  for (fs::directory_iterator entry(cache, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_regular_file(ignored) && !entry->is_symlink(ignored))
      names.push_back(entry->path().filename().string());
  for (const std::string& name : outdated_indexes(names)) {
    found.caches.push_back(cache / name);
    const auto size = fs::file_size(found.caches.back(), error);
    if (!error) found.cache_bytes += size;
  }
  return found;
}

bool remove_leftovers(const Leftovers& leftovers) {
  bool all = true;
  for (const fs::path& socket : leftovers.sockets) all = remove_dead_socket(socket) && all;
  std::error_code error;
  for (const fs::path& file : leftovers.caches) {
    fs::remove(file, error);
    all = all && !error;
  }
  return all;
}

// Removes these with --clean or after a yes; otherwise tells how to.
void check_leftovers(const Options& options, Report& report) {
  const Leftovers leftovers = find_leftovers(options);
  if (leftovers.empty()) return report.ok("leftovers", "none of earlier runs");
  std::string text;
  if (!leftovers.sockets.empty()) {
    text = std::to_string(leftovers.sockets.size());
    text += leftovers.sockets.size() == 1 ? " socket of a server that has died"
                                          : " sockets of servers that have died";
  }
  if (!leftovers.caches.empty())
    join(text, std::to_string(leftovers.cache_bytes >> 20) + " MB of old indexes");
  const bool cleans = options.of<DoctorOptions>().clean ||
                      (!report.as_json() && is_interactive() &&
                       agreed("Remove what earlier runs have left behind: " + text + "?"));
  if (!cleans) return report.warn("leftovers", text, "`leanbridge doctor --clean` removes them.");
  if (remove_leftovers(leftovers))
    report.ok("leftovers", "removed " + text);
  else
    report.warn("leftovers", text + ": not all of it could be removed", "Try again when nothing else runs.");
}

asio::awaitable<void> check_worker(std::shared_ptr<document::DocumentStore> project, io::CancelScope scope,
                                   Report& report) {
  const auto start = io::Clock::now();
  const auto seconds_left = std::chrono::duration_cast<std::chrono::seconds>(scope.deadline - start).count();
  report.note("starting Lean (up to " + std::to_string(seconds_left) + " s) ...");
  auto scratch = co_await project->scratch()->acquire("example : True := trivial\n", scope);
  if (!scratch) {
    report.failed("lean", scratch.error());
    co_return;
  }
  scratch->set_text("example : True := trivial\n");
  const auto known = co_await scratch->handle().wait_until_done(scope);
  if (!known) {
    report.failed("lean", known.error());
    co_return;
  }
  const double seconds = std::chrono::duration<double>(io::Clock::now() - start).count();
  if (*known == document::WaitOutcome::Partial) {
    report.failed("lean",
                  "no answer to a one-line proof in " + std::to_string(static_cast<int>(seconds)) + " s",
                  "Try again with --timeout 600. Add --log-level debug to see what Lean is doing.");
    co_return;
  }
  for (const lean::Diagnostic& diagnostic : scratch->document()->state.diagnostics())
    if (diagnostic.severity == lean::Severity::Error) {
      const auto failure = scratch->handle().header_failure();
      report.failed("lean", failure ? failure->message : diagnostic.message,
                    "Run `lake build` in " + project->root().string() + ".");
      co_return;
    }
  char text[160];
  std::snprintf(text, sizeof text, "%s checked a proof in %.1f s", project->server().name().c_str(), seconds);
  report.ok("lean", text);
}

asio::awaitable<void> run_checks(Runtime& runtime, io::CancelScope scope, Report& report) {
  report.ok("leanbridge", LEANBRIDGE_VERSION);
  const auto project = runtime.workspace().project("");
  const fs::path directory = project ? (*project)->root() : runtime.workspace().options().directory;
  report.add(memory_finding(io::read_capacity(), runtime.options().max_open_files,
                            runtime.options().max_scratch_workers, mathlib_in(directory)));
  check_limits(report);
  co_await check_hosts(project ? directory : fs::path(), scope, report);
  std::string lean;  // its version
  const auto lake = lean::find_lake(runtime.options().lake);
  if (lake) {
    // elan may have to install the toolchain first, and would start over if it were stopped.
    const std::string version = co_await version_of(*lake, directory, scope);
    if (version.empty())
      report.warn("lake", lake->string() + " did not print its version",
                  "Run `" + lake->string() + " --version` yourself to see why.");
    else
      report.ok("lake", lake->string() + ": " + version);
    lean = lean_version_in(version);
  } else {
    report.failed("lake", lake.error());
  }
  if (!project) {
    report.failed("project", project.error());
    co_return;
  }
  report.ok("project", directory.string());
  const std::string toolchain = lean::toolchain_of(directory);
  report.add(toolchain_finding(toolchain, lean));
  if (const char* const chosen = std::getenv("ELAN_TOOLCHAIN"); chosen && *chosen && chosen != toolchain)
    report.warn("toolchain",
                "ELAN_TOOLCHAIN=" + std::string(chosen) + " is not used: each project has a Lean of its own",
                "To use it, write it into lean-toolchain.");
  if (lean.empty()) lean = lean_version_in(toolchain);
  if (!lean.empty()) report.add(soundness_finding(lean));
  check_build(directory, report);
  if (lake) co_await check_worker(*project, scope, report);
}

asio::awaitable<void> run_checks_and_stop(Runtime& runtime, io::CancelScope scope, Report& report) {
  co_await run_checks(runtime, scope, report);
  co_await runtime.projects().stop(kStopGrace);
}

}  // namespace

int doctor(const Options& options) {
  Runtime runtime(options);
  Report report(options.as_json);
  const io::CancelScope scope(io::to_duration(options.timeout_s));
  // Nothing is written, so the first signal ends it at once.
  if (!run_work(runtime.context(), run_checks_and_stop(runtime, scope, report), nullptr,
                [&] { runtime.kill(); }))
    return kInterrupted;
  check_leftovers(options, report);  // it may ask, and Ctrl-C then ends the program at once
  report.conclude();
  return report.passed() ? 0 : 1;
}

}  // namespace leanbridge::app

#include "probe.hpp"

#include "core/base/try.hpp"
#include "core/io/seconds.hpp"
#include "core/program/interrupts.hpp"
#include "core/program/output.hpp"
#include "core/program/runtime.hpp"
#include "core/text/utf8.hpp"
#include "desk/commands/commands.hpp"
#include "probe_lab.hpp"
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace leanbridge::app {

namespace fs = std::filesystem;
using nlohmann::json;
using ProbeVerdict = ProbeOutcome::Verdict;

std::string without_names(std::string text, const fs::path& folder, const fs::path& project,
                          std::span<const std::string> names) {
  const auto replace = [&text](const std::string& what, std::string_view by) {
    if (what.size() < 2) return;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
      text.replace(at, what.size(), by);
  };
  replace(folder.string(), "PROBE");
  replace(project.string(), "PROJECT");
  constexpr std::string_view kEnds = " \t\n\r\"'`,;:()[]{}<>|";
  for (std::size_t at = text.find('/'); at != std::string::npos; at = text.find('/', at + 1)) {
    if (at > 0 && kEnds.find(text[at - 1]) == std::string_view::npos && text[at - 1] != '=') continue;
    const std::size_t end = std::min(text.find_first_of(kEnds, at), text.size());
    if (end - at > 1) text.replace(at, end - at, "PATH");
  }
  for (const std::string& name : names) replace(name, "NAME");
  return text;
}

namespace {

constexpr std::size_t kMaxShown = 400;  // bytes of an observation

// The names of the user and the machine.
std::vector<std::string> names_here() {
  std::vector<std::string> names;
  for (const char* const variable : {"USER", "LOGNAME"})
    if (const char* const value = std::getenv(variable)) names.emplace_back(value);
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) == 0) names.emplace_back(host.data());
  // Names that identify nobody would only make the report unreadable.
  std::erase_if(names,
                [](const std::string& name) { return name.size() < 3 || name == "root" || name == "lean"; });
  // One name may be a part of another.
  std::ranges::sort(names, [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return names;
}

class ProbeReport {
 public:
  ProbeReport(bool as_json, std::size_t count) : as_json_(as_json), count_(count) {}

  void begin(const Probe& probe) {
    if (as_json_ || !is_terminal(stdout)) return;
    std::printf("\r\x1b[K      %zu of %zu: %s", probes_.size() + 1, count_, probe.name);
    std::fflush(stdout);
  }
  void add(const Probe& probe, ProbeOutcome outcome) {
    constexpr std::array<std::pair<const char*, Style>, 4> kShown = {
        {{"ok  ", Style::Ok}, {"DIFF", Style::Error}, {"-   ", Style::Faint}, {"?   ", Style::Warning}}};
    constexpr std::array<const char*, 4> kWords = {"ok", "differs", "not_here", "untried"};
    const auto verdict = static_cast<std::size_t>(outcome.verdict);
    ++counts_[verdict];
    if (outcome.verdict == ProbeVerdict::Ok) outcome.seen.clear();
    outcome.seen = text::beginning_of(text::replace_invalid(outcome.seen), kMaxShown);
    probes_.push_back({{"assumption", probe.assumption},
                       {"name", probe.name},
                       {"verdict", kWords[verdict]},
                       {"expected", outcome.expected},
                       {"seen", one_line(outcome.seen)}});
    if (as_json_) return;
    if (is_terminal(stdout)) std::fputs("\r\x1b[K", stdout);
    std::printf("%s  %s %s\n", paint_(kShown[verdict].second, kShown[verdict].first).c_str(),
                fitted(probe.assumption, 4).c_str(), probe.name);
    if (outcome.verdict == ProbeVerdict::Differs) {
      print_paragraph(stdout, outcome.expected, "             expected: ");
      print_paragraph(stdout, one_line(outcome.seen), "             seen:     ");
    } else if (outcome.verdict != ProbeVerdict::Ok) {
      print_paragraph(stdout, one_line(outcome.seen), "             ");
    }
    std::fflush(stdout);
  }
  void conclude(const ProbeLab& lab, const std::string& lake_version) const {
    const std::size_t ok = counts_[0], differs = counts_[1], not_here = counts_[2], untried = counts_[3];
    if (as_json_) {
      json report = {
          {"passed", exit_code() == 0},
          {"leanbridge", LEANBRIDGE_VERSION},
          {"lake", lake_version},
          {"counts", {{"ok", ok}, {"differs", differs}, {"not_here", not_here}, {"untried", untried}}},
          {"probes", probes_}};
      const std::vector<std::string> names = names_here();
      for (json& probe : report["probes"])
        probe["seen"] = without_names(probe["seen"].get<std::string>(), lab.folder(), lab.project(), names);
      report["lake"] = without_names(lake_version, lab.folder(), lab.project(), names);
      return print_json(report);
    }
    std::string text =
        std::to_string(ok) + " of " + std::to_string(probes_.size()) + " assumptions hold here";
    if (not_here > 0) text += "; " + std::to_string(not_here) + " cannot be shown here";
    if (untried > 0) text += "; " + std::to_string(untried) + " could not be tried";
    if (differs > 0)
      text += "; " + std::to_string(differs) +
              " differ: please report that with the output of `leanbridge doctor --probe --json`, which has "
              "no names or paths of this machine";
    print_paragraph(stdout, text + ".");
  }
  int exit_code() const { return counts_[1] > 0 ? kFailed : counts_[3] > 0 ? kUndecided : 0; }

 private:
  bool as_json_;
  std::size_t count_;
  Paint paint_ = paint_for(stdout);
  json probes_ = json::array();
  std::array<std::size_t, 4> counts_{};
};

asio::awaitable<void> run_probes(Runtime& runtime, ProbeLab& lab, const std::vector<Probe>& probes,
                                 std::shared_ptr<io::CancelSource> cancel, ProbeReport& report) {
  const auto limit = io::to_duration(runtime.options().timeout_s);
  for (const Probe& probe : probes) {
    report.begin(probe);
    auto outcome = co_await probe.run(lab, io::CancelScope(limit, cancel));
    if (cancel->cancelled()) break;
    if (outcome)
      report.add(probe, std::move(*outcome));
    else
      report.add(probe, {ProbeVerdict::Untried, {}, outcome.error().message});
  }
  co_await lab.stop();
}

// A path in it is relative to its own folder.
std::string toolchain_for_probes(const fs::path& project) {
  const std::string toolchain = lean::toolchain_of(project);
  return toolchain.starts_with('.') ? (project / toolchain).lexically_normal().string() : toolchain;
}

}  // namespace

int doctor_probe(const Options& options) {
  const auto lake = lean::find_lake(options.lake);
  if (!lake) return report(lake.error());
  std::unique_ptr<ProbeLab> lab;  // outlives all processes in its folder
  Runtime runtime(options);
  const auto project = runtime.workspace().project("");
  const auto is_root = [](const auto& flag) { return flag.first == "--project-root"; };
  const bool names_project = std::ranges::any_of(options.flags, is_root);
  if (names_project && !project) return report(project.error());
  const fs::path root = project ? (*project)->root() : fs::path();
  auto made = ProbeLab::create(runtime.context(), *lake, toolchain_for_probes(root),
                               names_project ? root : fs::path());
  if (!made) return report(made.error());
  lab = std::move(*made);
  std::vector<Probe> probes;
  for (const auto& group :
       {probes_of_lake(), probes_of_lean(), names_project ? probes_of_project() : std::span<const Probe>()})
    probes.insert(probes.end(), group.begin(), group.end());
  ProbeReport report(options.as_json, probes.size());
  const auto cancel = std::make_shared<io::CancelSource>();
  if (!run_work(runtime.context(), run_probes(runtime, *lab, probes, cancel, report), cancel,
                [&] { lab->kill(); }))
    return kInterrupted;
  report.conclude(*lab, lab->lake_version);
  return report.exit_code();
}

}  // namespace leanbridge::app

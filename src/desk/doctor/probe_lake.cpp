// Probes of the assumptions about lake and elan, and about the files that Lake writes. Each probe names its
// assumption in docs/assumptions.md.

#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/lean/build_output.hpp"
#include "core/text/lean_names.hpp"
#include "findings.hpp"
#include "probe_lab.hpp"
#include "search/index/readers.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace leanbridge::app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace of_lake {
namespace {

using Outcome = asio::awaitable<Result<ProbeOutcome>>;

std::string ended(const io::ProgramEnd& end) {
  return "exit code " + std::to_string(end.exit_code) + ": " + end.output + end.errors;
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// --- starting

Outcome version(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const auto end, co_await lab.lake({"--version"}, scope));
  lab.lake_version = end.output.substr(0, end.output.find('\n'));
  const bool holds =
      end.succeeded() && end.output.starts_with("Lake version ") && !lean_version_in(end.output).empty();
  co_return seen_if(holds, "Lake version X (Lean version Y)", ended(end));
}

Outcome parent_toolchain(ProbeLab& lab, io::CancelScope scope) {
  if (!is_there(lab.program().parent_path() / "elan")) co_return not_here("there is no elan beside lake");
  CO_CHECK(lab.write("elan/lean-toolchain", (lab.folder() / "no-such-toolchain").string() + "\n"));
  CO_CHECK(lab.write("elan/below/file", ""));
  CO_TRY(const auto end, co_await lab.lake({"--version"}, scope, lab.folder() / "elan/below"));
  co_return seen_if(!end.succeeded(), "a failure, since the lean-toolchain of the parent names nothing",
                    ended(end));
}

Outcome new_project(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const auto end, co_await lab.lake({"new", "fresh", "lib"}, scope, lab.folder()));
  if (!end.succeeded() && has(end.errors, "stand-in")) co_return not_here("this lake has no `new`");
  const fs::path root = lab.folder() / "fresh";
  const bool holds = end.succeeded() && is_there(root / "lean-toolchain") &&
                     (is_there(root / "lakefile.toml") || is_there(root / "lakefile.lean"));
  co_return seen_if(holds, "a folder with a lakefile and a lean-toolchain", ended(end));
}

Outcome passed_environment(ProbeLab& lab, io::CancelScope scope) {
  const lean::Variables more = {{"GIT_TERMINAL_PROMPT", "0"}};
  CO_TRY(const auto end, co_await lab.lake({"env", "printenv", "GIT_TERMINAL_PROMPT"}, scope, {}, more));
  co_return seen_if(end.succeeded() && end.output == "0\n", "GIT_TERMINAL_PROMPT=0 for what lake runs",
                    ended(end));
}

// --- building

Outcome completed(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const std::string output, co_await lab.build(scope));
  co_return seen_if(has(output, "Build completed successfully"), "Build completed successfully", output);
}

Outcome steps(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const std::string output, co_await lab.build(scope));
  const std::size_t at = output.find("] Built Probe.Basic");
  const std::size_t line = at == std::string::npos ? 0 : output.rfind('\n', at) + 1;  // npos + 1 is 0
  const bool holds = at != std::string::npos && lean::read_build_step(std::string_view(output).substr(line));
  co_return seen_if(holds, "✔ [n/m] Built Probe.Basic", output);
}

Outcome failed_build(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const auto end, co_await lab.lake({"build", "Wrong"}, scope));
  const std::string output = end.output + end.errors;
  co_return seen_if(end.exit_code == 1 && has(output, "Some required targets logged failures"),
                    "exit code 1 and `Some required targets logged failures`", ended(end));
}

Outcome build_messages(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const auto end, co_await lab.lake({"build", "Wrong"}, scope));
  const auto messages = lean::read_build_messages(end.output + end.errors);
  const bool holds = std::ranges::any_of(messages, [](const lean::BuildMessage& message) {
    return message.severity == lean::BuildSeverity::Error && message.file_path == "Wrong.lean" &&
           message.line == 2 && message.column == 3;
  });
  co_return seen_if(holds, "error: Wrong.lean:2:2: …", ended(end));
}

Outcome no_build(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const auto end, co_await lab.lake({"build", "Late", "--no-build"}, scope));
  const bool built = is_there(lab.own() / ".lake/build/lib/lean/Late");
  co_return seen_if(end.exit_code == 3 && !built, "exit code 3, and nothing built", ended(end));
}

Outcome clean_one(ProbeLab& lab, io::CancelScope scope) {
  const fs::path root = lab.folder() / "tidy";
  CO_TRY(const auto end, co_await lab.lake({"clean", "tidy"}, scope, root));
  if (!end.succeeded() && has(end.errors, "stand-in")) co_return not_here("this lake has no `clean`");
  const bool own = is_there(root / ".lake/build"), beside = is_there(root / "beside/.lake/build");
  co_return seen_if(end.succeeded() && !own && beside, "the build of that package is gone, and no other",
                    std::string("own build ") + (own ? "kept" : "gone") + ", the other " +
                        (beside ? "kept" : "gone") + "; " + ended(end));
}

// --- files

Outcome products(ProbeLab& lab, io::CancelScope scope) {
  CO_CHECK(co_await lab.build(scope));
  const fs::path folder = lab.own() / ".lake/build/lib/lean/Probe";
  const bool olean = is_there(folder / "Basic.olean"), ilean = is_there(folder / "Basic.ilean");
  co_return seen_if(olean && ilean, ".olean and .ilean in .lake/build/lib/lean",
                    std::string(olean ? "an .olean" : "no .olean") + (ilean ? ", an .ilean" : ", no .ilean"));
}

template <class Read>
ProbeOutcome readable(const Read& read) {
  return seen_if(read.has_value(), "a format that leanbridge reads", read ? "" : read.error().message);
}

Outcome olean(ProbeLab& lab, io::CancelScope scope) {
  CO_CHECK(co_await lab.build(scope));
  co_return readable(index::load_olean(lab.own() / ".lake/build/lib/lean/Probe.olean", "Probe"));
}

Outcome ilean(ProbeLab& lab, io::CancelScope scope) {
  CO_CHECK(co_await lab.build(scope));
  co_return readable(index::load_ilean(lab.own() / ".lake/build/lib/lean/Probe.ilean"));
}

Outcome manifest(ProbeLab& lab, io::CancelScope scope) {
  CO_CHECK(co_await lab.build(scope));
  const auto text = read_regular_file(lab.own() / lean::kManifestName, kMaxConfigurationSize).value_or("");
  const auto packages = lean::packages_in(lab.own(), text);
  const bool holds =
      packages.size() == 1 && packages[0].name == "core" && is_there(packages[0].folder / "Core.lean");
  co_return seen_if(holds, "lake-manifest.json with the package core and its folder", text);
}

Outcome quoted_package(ProbeLab& lab, io::CancelScope scope) {
  const char* const path = std::getenv("PATH");
  const auto git = find_on_path("git", path ? path : "");
  if (!git) co_return not_here("there is no git on PATH");
  const fs::path origin = lab.folder() / "probe-dep", root = lab.folder() / "quoted";
  CO_CHECK(
      lab.write("probe-dep/lakefile.toml", "name = \"probe-dep\"\n\n[[lean_lib]]\nname = \"ProbeDep\"\n"));
  CO_CHECK(lab.write("probe-dep/ProbeDep.lean", "\n"));
  // Clones it in advance, as Lake would do.
  const std::vector<std::vector<std::string>> commands = {
      {"init", "-q"},
      {"add", "."},
      {"-c", "user.name=probe", "-c", "user.email=", "-c", "commit.gpgsign=false", "commit", "-q", "-m",
       "probe"},
      {"clone", "-q", origin.string(), (root / ".lake/packages/probe-dep").string()},
      {"rev-parse", "HEAD"}};
  std::string revision;
  for (const auto& arguments : commands) {
    std::vector<std::string> argv = {git->string()};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    CO_TRY(const auto end, co_await lab.run(std::move(argv), scope, origin, {}));
    if (!end.succeeded()) co_return not_here("git " + arguments[0] + " failed: " + end.errors);
    revision = end.output.substr(0, end.output.find('\n'));
  }
  CO_CHECK(
      lab.write("quoted/lakefile.toml", "name = \"quoted\"\n\n[[require]]\nname = \"probe-dep\"\ngit = \"" +
                                            origin.string() + "\"\nrev = \"" + revision + "\"\n"));
  const json package = {{"type", "git"},
                        {"name", text::as_component("probe-dep")},
                        {"scope", ""},
                        {"url", origin.string()},
                        {"rev", revision},
                        {"inputRev", revision},
                        {"subDir", nullptr},
                        {"inherited", false},
                        {"configFile", "lakefile.toml"},
                        {"manifestFile", "lake-manifest.json"}};
  const json manifest = {{"version", "1.1.0"},
                         {"name", "quoted"},
                         {"lakeDir", ".lake"},
                         {"packagesDir", ".lake/packages"},
                         {"packages", json::array({package})}};
  CO_CHECK(lab.write(std::string("quoted/") + lean::kManifestName, manifest.dump()));
  CO_TRY(const auto end, co_await lab.lake({"env"}, scope, root));
  co_return seen_if(end.succeeded() && has(end.output, "/.lake/packages/probe-dep/.lake/build"),
                    "for a quoted name in the manifest the folder .lake/packages/probe-dep", ended(end));
}

// --- lake env

Outcome lean_path(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const std::string seen, co_await lab.variable("LEAN_PATH", scope));
  const fs::path own = lab.own() / ".lake/build/lib/lean", core = lab.own() / "core/.lake/build/lib/lean";
  co_return seen_if(lists_folder(seen, own) && lists_folder(seen, core),
                    "LEAN_PATH with .lake/build/lib/lean of the project and of its package", seen);
}

Outcome source_path(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const std::string seen, co_await lab.variable("LEAN_SRC_PATH", scope));
  co_return seen_if(lists_folder(seen, lab.own()) && lists_folder(seen, lab.own() / "core"),
                    "LEAN_SRC_PATH with the folders of the project and of its package", seen);
}

Outcome sysroot(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const std::string seen, co_await lab.variable("LEAN_SYSROOT", scope));
  co_return seen_if(is_there(fs::path(seen) / "lib/lean/Init.olean"),
                    "LEAN_SYSROOT, which has lib/lean/Init.olean", seen);
}

// --- lake setup-file

Outcome library_options(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const json setup, co_await lab.setup("Probe/Basic.lean", scope));
  const json& options = member(setup, "options");
  co_return seen_if(is_true(options, "pp.unicode.fun") && is_true(options, "pp.numericTypes"),
                    "the options of the package and of the library", setup.dump());
}

Outcome weak_options(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const json setup, co_await lab.setup("Probe/Basic.lean", scope));
  co_return seen_if(is_true(member(setup, "options"), "weak.linter.leanbridgeProbe"),
                    "weak.linter.leanbridgeProbe, with its prefix", setup.dump());
}

Outcome linked_file(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const json setup, co_await lab.setup(lab.folder() / "link/Probe/Basic.lean", scope));
  co_return seen_if(text_member(setup, "name") == "Probe.Basic", "the name Probe.Basic", setup.dump());
}

Outcome missing_file(ProbeLab& lab, io::CancelScope scope) {
  if (has(lab.lake_version, "Lean version 4.22."))
    co_return not_here("Lake of Lean 4.22 reads the header from the disk");
  CO_TRY(const json setup, co_await lab.setup("Probe/Missing.lean", scope));
  const json& options = member(setup, "options");
  co_return seen_if(text_member(setup, "name") == "_unknown" && is_true(options, "pp.unicode.fun") &&
                        !options.contains("pp.numericTypes"),
                    "the name _unknown, and the options of the package only", setup.dump());
}

Outcome one_line(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const auto end, co_await lab.lake({"setup-file", "Probe.lean"}, scope));
  const json setup = json::parse(end.output, nullptr, false);
  const bool is_line = std::ranges::count(end.output, '\n') == 1;
  co_return seen_if(end.succeeded() && setup.is_object() && is_line, "one line on stdout, a JSON object",
                    ended(end));
}

Outcome exit_failure(ProbeLab& lab, io::CancelScope scope) {
  CO_CHECK(lab.write("own/UsesWrong.lean", "import Wrong\n"));
  CO_TRY(const auto end, co_await lab.lake({"setup-file", "UsesWrong.lean"}, scope));
  co_return seen_if(end.exit_code == 1 && has(end.errors, "Wrong.lean:2:2"), "exit code 1, and on stderr why",
                    ended(end));
}

Outcome exit_no_project(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const auto end, co_await lab.lake({"setup-file", "Plain.lean"}, scope, lab.folder() / "plain"));
  co_return seen_if(end.exit_code == 2 && end.output.empty(), "exit code 2 and nothing on stdout",
                    ended(end));
}

Outcome exit_stale(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const auto end, co_await lab.lake({"setup-file", "Late.lean", "--no-build", "--no-cache"}, scope));
  co_return seen_if(end.exit_code == 3, "exit code 3", ended(end));
}

Outcome invalid_config(ProbeLab& lab, io::CancelScope scope) {
  const lean::Variables more = {{"LAKE_INVALID_CONFIG", "error: of the probe\n"}};
  CO_TRY(const auto end, co_await lab.lake({"setup-file", "Probe/Basic.lean"}, scope, {}, more));
  co_return seen_if(end.exit_code == 1 && has(end.errors, "error: of the probe") &&
                        has(end.errors, "lease restart the server"),
                    "exit code 1, the log of the start, and `Please restart the server`", ended(end));
}

Outcome broken_lakefile(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const auto end, co_await lab.lake({"build"}, scope, lab.folder() / "broken"));
  co_return seen_if(end.exit_code == 1 && has(end.output + end.errors, "lakefile.toml:1:"),
                    "exit code 1 and error: …/lakefile.toml:1:…", ended(end));
}

// --- the compiler

Outcome json_messages(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const auto end, co_await lab.lake({"env", "lean", "--json", "Wrong.lean"}, scope));
  const auto message =
      lean::read_compiler_message(std::string_view(end.output).substr(0, end.output.find('\n')));
  const bool holds = end.exit_code == 1 && message && message->severity == lean::Severity::Error &&
                     message->start.line == 2 && message->start.column == 3;
  co_return seen_if(holds, "exit code 1 and a JSON object with the error, its line 2 and column 2",
                    ended(end));
}

Outcome setup_option(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(json setup, co_await lab.setup("Setup.lean", scope));
  setup["options"] = {{"pp.numericTypes", true}};
  const fs::path file = lab.folder() / "setup.json";
  CO_CHECK(write_new_file(file, setup.dump()));
  CO_CHECK(lab.write("own/Setup.lean", "#check (1 : Nat)\n"));
  CO_TRY(const auto end, co_await lab.lake({"env", "lean", "--setup=" + file.string(), "Setup.lean"}, scope));
  co_return seen_if(end.succeeded() && has(end.output, "(1 : Nat) : Nat"), "its options in force",
                    ended(end));
}

constexpr auto kProbes = std::to_array<Probe>({
    {"A1", "`lake --version` names Lake and Lean", version},
    {"A2", "elan goes by the lean-toolchain of a folder above", parent_toolchain},
    {"A6", "what lake runs gets our environment, GIT_TERMINAL_PROMPT with it", passed_environment},
    {"A7", "`lake new` makes what we take for a project", new_project},
    {"A40", "`lake build` ends with a line of success", completed},
    {"A41", "`lake build` names each module that it built", steps},
    {"A42", "`lake build` says that targets failed, and exits with 1", failed_build},
    {"A43", "`lake build` prints FILE:LINE:COLUMN, columns from 0", build_messages},
    {"A44", "`lake build --no-build` exits with 3 where something is not built", no_build},
    {"A45", "`lake clean NAME` removes the build of that package only", clean_one},
    {"A46", "compiled modules are in .lake/build/lib/lean", products},
    {"A54", "the .olean can be read", olean},
    {"A55", "the .ilean can be read", ilean},
    {"A10", "lake-manifest.json lists packages with their folders", manifest},
    {"A11", "a package with a hyphen: quoted in the manifest, its folder is not", quoted_package},
    {"A24", "`lake env`: LEAN_PATH has all compiled modules", lean_path},
    {"A25", "`lake env`: LEAN_SRC_PATH has all sources of libraries", source_path},
    {"A26", "`lake env`: LEAN_SYSROOT is the toolchain", sysroot},
    {"A19", "`lake setup-file` gives the options of package and library", library_options},
    {"A20", "`lake setup-file` keeps the prefix `weak.`", weak_options},
    {"A28", "`lake setup-file` follows symbolic links to a module", linked_file},
    {"A29", "`lake setup-file` takes a file that does not exist for nobody's", missing_file},
    {"A31", "`lake setup-file` prints one line of JSON", one_line},
    {"A32", "`lake setup-file` exits with 1 where an import cannot be built", exit_failure},
    {"A33", "`lake setup-file` exits with 2 where there is no lakefile", exit_no_project},
    {"A34", "`lake setup-file --no-build` exits with 3 where an import is not built", exit_stale},
    {"A35", "`lake setup-file` repeats what failed when the server was started", invalid_config},
    {"A15", "an error of lakefile.toml has a place", broken_lakefile},
    {"A50", "`lean --json` prints an object for each message", json_messages},
    {"A52", "`lean --setup=FILE` takes what `lake setup-file` prints", setup_option},
});

}  // namespace
}  // namespace of_lake

std::span<const Probe> probes_of_lake() {
  return of_lake::kProbes;
}

}  // namespace leanbridge::app

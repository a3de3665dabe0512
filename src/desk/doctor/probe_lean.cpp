// Probes of the assumptions about Lean's server and its texts, and about people's projects. Each probe names
// its assumption in docs/assumptions.md.

#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/lean/sorries.hpp"
#include "probe_lab.hpp"
#include "search/index/readers.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace leanbridge::app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace of_lean {
namespace {

using Outcome = asio::awaitable<Result<ProbeOutcome>>;
using lean::Diagnostic;

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Whether a message of the document contains a text.
Outcome says(ProbeLab& lab, io::CancelScope scope, std::string text) {
  CO_TRY(const ProbeDocument* const document, co_await lab.messages(scope));
  const bool holds = document->find(text) != nullptr;
  co_return seen_if(holds, std::move(text), document->all());
}

// --- the protocol

Outcome handshake(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(ProbeSession* const lean, co_await lab.session(scope));
  const std::string& name = lean->server().name();
  co_return seen_if(!name.empty() && !lean->server().token_types().empty(),
                    "serverInfo, and the types of semantic tokens", name);
}

Outcome versions(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const ProbeDocument* const document, co_await lab.messages(scope));
  co_return seen_if(document->has_version && document->publications > 0,
                    "a version in each publishDiagnostics",
                    std::to_string(document->publications) + " publications");
}

Outcome progress(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const ProbeDocument* const document, co_await lab.messages(scope));
  co_return seen_if(document->has_progress && !document->is_processing,
                    "$/lean/fileProgress, empty at the end",
                    document->has_progress ? "still processing after the barrier" : "none with a version");
}

Outcome barrier(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const ProbeDocument* const document, co_await lab.messages(scope));
  co_return seen_if(document->find("nknown tactic") || document->find("leanbridge_probe_tactic"),
                    "the message of the last line, before the answer to waitForDiagnostics", document->all());
}

Outcome goals_at(ProbeLab& lab, io::CancelScope scope, json place, std::function<bool(const json&)> is_right,
                 std::string expected) {
  CO_TRY(const ProbeDocument* const document, co_await lab.messages(scope));
  CO_TRY(ProbeSession* const lean, co_await lab.session(scope));
  json params = {{"textDocument", {{"uri", document->uri}}}, {"position", std::move(place)}};
  CO_TRY(const json answer, co_await lean->ask("$/lean/plainGoal", std::move(params), scope));
  co_return seen_if(is_right(answer), std::move(expected), answer.dump());
}

Outcome plain_goal(ProbeLab& lab, io::CancelScope scope) {
  return goals_at(
      lab, scope, ProbeLab::place("theorem probe_unsolved", "constructor"),
      [](const json& answer) {
        const json& goals = member(answer, "goals");
        return goals.is_array() && goals.size() == 1 && has(goals[0].get<std::string>(), "⊢ n = n ∧ True") &&
               member(answer, "rendered").is_string();
      },
      "goals: one text with ⊢ n = n ∧ True, and rendered");
}

Outcome no_goals(ProbeLab& lab, io::CancelScope scope) {
  return goals_at(
      lab, scope, ProbeLab::place("theorem probe_proved", "rfl", 3),
      [](const json& answer) { return member(answer, "goals") == json::array(); }, "goals: an empty list");
}

Outcome null_goal(ProbeLab& lab, io::CancelScope scope) {
  return goals_at(
      lab, scope, ProbeLab::place("theorem probe_clean", "#print axioms probe_clean"),
      [](const json& answer) { return answer.is_null(); }, "null");
}

Outcome rpc(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const ProbeDocument* const document, co_await lab.messages(scope));
  CO_TRY(ProbeSession* const lean, co_await lab.session(scope));
  const json text = {{"uri", document->uri}};
  CO_TRY(const json connected, co_await lean->ask("$/lean/rpc/connect", text, scope));
  const std::string session = text_member(connected, "sessionId");
  if (session.empty()) co_return seen_if(false, "sessionId: a text", connected.dump());
  json call = {{"textDocument", text},
               {"position", ProbeLab::place("theorem probe_unsolved", "constructor")}};
  call["params"] = call;
  call["sessionId"] = session;
  call["method"] = "Lean.Widget.getInteractiveGoals";
  CO_TRY(const json answer, co_await lean->ask("$/lean/rpc/call", std::move(call), scope));
  const json& goals = member(answer, "goals");
  const bool holds =
      goals.is_array() && goals.size() == 1 && goals[0].contains("type") && goals[0].contains("hyps");
  co_return seen_if(holds, "goals, each with hyps and type", answer.dump().substr(0, 200));
}

Outcome hover(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const ProbeDocument* const document, co_await lab.messages(scope));
  CO_TRY(ProbeSession* const lean, co_await lab.session(scope));
  json params = {{"textDocument", {{"uri", document->uri}}},
                 {"position", ProbeLab::place("theorem probe_rests", "probe_axiom")}};
  CO_TRY(const json answer, co_await lean->ask("textDocument/hover", std::move(params), scope));
  co_return seen_if(has(text_member(member(answer, "contents"), "value"), "```lean\nprobe_axiom : "),
                    "Markdown that begins with ```lean, probe_axiom : ", answer.dump());
}

// --- options in the server

// The printed form of `fun` and of a numeral depends on options: of the package, of the library, of `lake
// serve`.
constexpr const char* kPrints = "#check fun (n : Nat) => n\n#check (1 : Nat)\n";

asio::awaitable<Result<std::string>> printed(ProbeLab& lab, io::CancelScope scope, fs::path file,
                                             std::string text = kPrints) {
  CO_TRY(ProbeSession* const lean, co_await lab.session(scope));
  CO_TRY(const ProbeDocument* const document, co_await lean->open(std::move(file), std::move(text), scope));
  std::string said = document->all();
  lean->close(*document);
  co_return said;
}

Outcome linked_document(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const std::string said, co_await printed(lab, scope, lab.folder() / "link/Probe/Basic.lean"));
  co_return seen_if(has(said, "↦ n") && has(said, "(1 : Nat) : Nat"),
                    "options of package and library in force", said);
}

Outcome missing_document(ProbeLab& lab, io::CancelScope scope) {
  if (has(lab.lake_version, "Lean version 4.22."))
    co_return not_here("Lake of Lean 4.22 reads the header from the disk");
  CO_TRY(const std::string said, co_await printed(lab, scope, lab.own() / "Probe/Basic/Missing.lean"));
  co_return seen_if(has(said, "↦ n") && has(said, "1 : Nat") && !has(said, "(1 : Nat)"),
                    "options of the package in force, none of the library", said);
}

Outcome server_arguments(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const std::string said, co_await printed(lab, scope, lab.own() / "Probe/Basic.lean"));
  co_return seen_if(has(said, "fun (n : Nat)"), "`lake serve -- -D…` in force in a worker", said);
}

Outcome unknown_module(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const std::string said,
         co_await printed(lab, scope, lab.own() / "Probe.lean", "import LeanbridgeNone\n"));
  co_return seen_if(has(said, "unknown module prefix 'LeanbridgeNone'"),
                    "unknown module prefix 'LeanbridgeNone'", said);
}

// --- texts

Outcome sorry(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const ProbeDocument* const document, co_await lab.messages(scope));
  const auto& all = document->diagnostics;
  co_return seen_if(std::ranges::count_if(all, lean::reports_sorry) >= 1,
                    "a warning: declaration uses `sorry`", document->all());
}

Outcome warn_sorry(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const ProbeDocument* const document, co_await lab.messages(scope));
  const auto line = ProbeLab::place("set_option warn.sorry", "example")["line"].get<std::uint32_t>();
  const auto& all = document->diagnostics;
  const bool warns = std::ranges::any_of(all, [line](const Diagnostic& diagnostic) {
    return diagnostic.severity == lean::Severity::Warning && diagnostic.range.start.line == line;
  });
  co_return seen_if(warns && !document->find("nknown option"),
                    "the option warn.sorry, with which a sorry is reported", document->all());
}

Outcome unsolved(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const ProbeDocument* const document, co_await lab.messages(scope));
  const Diagnostic* const found = document->find("unsolved goals");
  co_return seen_if(found && found->is_error() && found->has_tag(lean::kTagUnsolvedGoals),
                    "an error that begins with `unsolved goals`, leanTags [1]", document->all());
}

Outcome accomplished(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const ProbeDocument* const document, co_await lab.messages(scope));
  const auto line =
      ProbeLab::place("theorem probe_proved", "theorem probe_proved")["line"].get<std::uint32_t>();
  const auto& all = document->diagnostics;
  const bool holds = std::ranges::any_of(all, [line](const Diagnostic& diagnostic) {
    return diagnostic.silent && diagnostic.has_tag(lean::kTagGoalsAccomplished) &&
           diagnostic.range.start.line == line;
  });
  co_return seen_if(holds, "a silent message at each proved theorem, leanTags [2]", document->all());
}

Outcome axioms(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const ProbeDocument* const document, co_await lab.messages(scope));
  if (document->find("cannot use `#print axioms`"))
    co_return not_here("each file is a module of the module system here");
  co_return seen_if(document->find("'probe_rests' depends on axioms: [probe_axiom]") != nullptr,
                    "'probe_rests' depends on axioms: [probe_axiom]", document->all());
}

Outcome no_axioms(ProbeLab& lab, io::CancelScope scope) {
  CO_TRY(const ProbeDocument* const document, co_await lab.messages(scope));
  if (document->find("cannot use `#print axioms`"))
    co_return not_here("each file is a module of the module system here");
  co_return seen_if(document->find("'probe_clean' does not depend on any axioms") != nullptr,
                    "'probe_clean' does not depend on any axioms", document->all());
}

Outcome unknown_tactic(ProbeLab& lab, io::CancelScope scope) {
  return says(lab, scope, "nknown tactic");
}

Outcome recursion(ProbeLab& lab, io::CancelScope scope) {
  return says(lab, scope, "maximum recursion depth");
}

Outcome unknown_identifier(ProbeLab& lab, io::CancelScope scope) {
  return says(lab, scope, "nknown identifier `probe_missing`");
}

constexpr auto kProbes = std::to_array<Probe>({
    {"A61", "`lake serve` speaks LSP and answers the handshake", handshake},
    {"A67", "each publishDiagnostics names a version", versions},
    {"A69", "$/lean/fileProgress tells when a file is done", progress},
    {"A70", "waitForDiagnostics is answered when all is published", barrier},
    {"A71", "$/lean/plainGoal: goals before a tactic", plain_goal},
    {"A72", "$/lean/plainGoal: no goals behind the end of a proof", no_goals},
    {"A73", "$/lean/plainGoal: null outside of proofs", null_goal},
    {"A74", "RPC: connect, and interactive goals", rpc},
    {"A76", "hover shows the type in a block of Lean", hover},
    {"A60", "arguments behind `lake serve --` reach the workers", server_arguments},
    {"A28", "a document reached through a link belongs to its library", linked_document},
    {"A29", "a document without a file has the options of the package", missing_document},
    {"A86", "the text for a module that does not exist", unknown_module},
    {"A80", "the text for a sorry", sorry},
    {"A92", "the option warn.sorry exists", warn_sorry},
    {"A81", "the text and the tag for goals left unsolved", unsolved},
    {"A82", "a message without sound for each proved theorem", accomplished},
    {"A83", "`#print axioms` lists axioms", axioms},
    {"A84", "`#print axioms` says that there are none", no_axioms},
    {"A85", "the text for an unknown tactic", unknown_tactic},
    {"A87", "the text for too deep a recursion", recursion},
    {"A90", "the text for an unknown identifier", unknown_identifier},
});

// --- the user's project: only numbers are reported

Outcome packages_there(ProbeLab& lab, io::CancelScope) {
  std::error_code ignored;
  const auto packages = lean::packages_of(lab.project());
  const auto missing = std::ranges::count_if(
      packages, [&](const lean::Package& package) { return !fs::is_directory(package.folder, ignored); });
  co_return seen_if(
      missing == 0, "a folder for each package of the manifest",
      std::to_string(missing) + " of " + std::to_string(packages.size()) + " packages have no folder");
}

// Otherwise Lake would fetch missing packages, and build a manifest.
bool is_ready(const ProbeLab& lab) {
  std::error_code ignored;
  const auto packages = lean::packages_of(lab.project());
  return fs::exists(lab.project() / lean::kManifestName, ignored) &&
         std::ranges::all_of(packages,
                             [&](const auto& each) { return fs::is_directory(each.folder, ignored); });
}

constexpr const char* kNotReady = "a package is not fetched, and lake would fetch it";

Outcome packages_on_path(ProbeLab& lab, io::CancelScope scope) {
  if (!is_ready(lab)) co_return not_here(kNotReady);
  CO_TRY(const std::string path, co_await lab.variable("LEAN_PATH", scope, lab.project()));
  const auto packages = lean::packages_of(lab.project());
  const auto missing = std::ranges::count_if(packages, [&](const lean::Package& package) {
    return !lists_folder(path, package.folder / ".lake/build/lib/lean");
  });
  co_return seen_if(
      missing == 0, "the compiled modules of each package in LEAN_PATH",
      std::to_string(missing) + " of " + std::to_string(packages.size()) + " packages are not in it");
}

Outcome knows_files(ProbeLab& lab, io::CancelScope scope) {
  if (!is_ready(lab)) co_return not_here(kNotReady);
  const std::vector<std::string> files = lean::lean_files_below(lab.project(), 2000);
  const auto file = std::ranges::find_if(files, [](const auto& name) { return name != "lakefile.lean"; });
  if (file == files.end()) co_return not_here("the project has no file");
  CO_TRY(const auto end,
         co_await lab.lake({"setup-file", *file, "--no-build", "--no-cache"}, scope, lab.project()));
  co_return seen_if(end.exit_code == 0 || end.exit_code == 3, "exit code 0, or 3 where it is not built",
                    "exit code " + std::to_string(end.exit_code));
}

Outcome reads_modules(ProbeLab& lab, io::CancelScope scope) {
  if (!is_ready(lab)) co_return not_here(kNotReady);
  CO_TRY(const std::string path, co_await lab.variable("LEAN_PATH", scope, lab.project()));
  std::istringstream folders(path);
  int tried = 0;
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, error), end;
    for (int left = 20; !error && entry != end && left > 0; entry.increment(error)) {
      const std::string extension = entry->path().extension().string();
      if (extension != ".olean" && extension != ".ilean") continue;
      --left;
      ++tried;
      const auto why = [](const auto& read) { return read ? std::string() : read.error().message; };
      const std::string problem = extension == ".olean" ? why(index::load_olean(entry->path(), "Module"))
                                                        : why(index::load_ilean(entry->path()));
      if (!problem.empty()) co_return seen_if(false, "compiled modules that leanbridge reads", problem);
    }
  }
  if (tried == 0) co_return not_here("nothing is compiled");
  co_return seen_if(true, "compiled modules that leanbridge reads", std::to_string(tried) + " files");
}

constexpr auto kProjectProbes = std::to_array<Probe>({
    {"A11", "your project: each package of the manifest has the folder that we take for it", packages_there},
    {"A24", "your project: LEAN_PATH has each package", packages_on_path},
    {"A34", "your project: `lake setup-file --no-build` answers about a file", knows_files},
    {"A54", "your project: compiled modules can be read", reads_modules},
});

}  // namespace
}  // namespace of_lean

std::span<const Probe> probes_of_lean() {
  return of_lean::kProbes;
}

std::span<const Probe> probes_of_project() {
  return of_lean::kProjectProbes;
}

}  // namespace leanbridge::app

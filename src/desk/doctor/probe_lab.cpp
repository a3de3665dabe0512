#include "probe_lab.hpp"

#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/text/file_uri.hpp"

#include <algorithm>
#include <sstream>

namespace leanbridge::app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr auto kGrace = std::chrono::milliseconds(300);

// Options of the package and of the library change printed text: see probe_lean.cpp. The library Late is
// never built, and Wrong cannot be.
constexpr const char* kLakefile = R"(name = "probe"
defaultTargets = ["Probe"]

[leanOptions]
"pp.unicode.fun" = true
"weak.linter.leanbridgeProbe" = true

[[require]]
name = "core"
path = "core"

[[lean_lib]]
name = "Probe"

[lean_lib.leanOptions]
"pp.numericTypes" = true

[[lean_lib]]
name = "Late"

[[lean_lib]]
name = "Wrong"
)";

// Without the module system, which has rules of its own for `#print axioms`.
constexpr std::string_view kMessages = R"(import Probe.Basic

theorem probe_unsolved (n : Nat) : n = n ∧ True := by
  constructor

theorem probe_sorry : 1 = 2 := by
  sorry

theorem probe_proved (a : Nat) : a = a := by
  rfl

axiom probe_axiom : 1 = 2
theorem probe_rests : 1 = 2 := probe_axiom
#print axioms probe_rests
theorem probe_clean : True := True.intro
#print axioms probe_clean
set_option warn.sorry true in
example : 1 = 2 := sorry
set_option maxRecDepth 20 in
example : 1 = 1 := ((((((((((((((((((((((((((((((((((((((((rfl))))))))))))))))))))))))))))))))))))))))
#check probe_missing
example : True := by leanbridge_probe_tactic
)";

}  // namespace

const lean::Diagnostic* ProbeDocument::find(std::string_view part) const {
  for (const lean::Diagnostic& diagnostic : diagnostics)
    if (diagnostic.message.find(part) != std::string::npos) return &diagnostic;
  return nullptr;
}

std::string ProbeDocument::all() const {
  std::string text;
  for (const lean::Diagnostic& diagnostic : diagnostics)
    text += (text.empty() ? "" : " | ") + diagnostic.message.substr(0, diagnostic.message.find('\n'));
  return text.empty() ? "no message" : text;
}

ProbeSession::ProbeSession(asio::io_context& context, lean::ServerOptions options) {
  lean::Server::Events events;
  events.on_diagnostics = [this](lean::PublishDiagnostics message) {
    const auto found = documents_.find(message.uri);
    if (found == documents_.end()) return;
    ProbeDocument& document = found->second;
    ++document.publications;
    document.has_version = document.has_version && message.version.has_value();
    if (!message.incremental) document.diagnostics.clear();
    for (lean::Diagnostic& diagnostic : message.diagnostics)
      if (!diagnostic.is_setup_output) document.diagnostics.push_back(std::move(diagnostic));
  };
  events.on_progress = [this](const lean::FileProgress& message) {
    const auto found = documents_.find(message.uri);
    if (found == documents_.end()) return;
    found->second.has_progress = message.version.has_value();
    found->second.is_processing = !message.processing.empty();
  };
  events.on_down = [](const Error&) {};
  server_ = std::make_shared<lean::Server>(context, std::move(options), std::move(events));
}

asio::awaitable<Result<json>> ProbeSession::ask(std::string method, json params, io::CancelScope scope) {
  auto reply = co_await server_->request(std::move(method), std::move(params), scope);
  if (!reply) co_return tl::unexpected(reply.error().error);
  co_return std::move(*reply);
}

asio::awaitable<Result<const ProbeDocument*>> ProbeSession::open(fs::path file, std::string text,
                                                                 io::CancelScope scope) {
  ProbeDocument& document = documents_[text::file_uri(file)];
  document.uri = text::file_uri(file);
  server_->notify(
      "textDocument/didOpen",
      {{"textDocument",
        {{"uri", document.uri}, {"languageId", "lean4"}, {"version", 1}, {"text", std::move(text)}}},
       {"dependencyBuildMode", "once"}});
  json version = {{"uri", document.uri}, {"version", 1}};
  CO_CHECK(co_await ask("textDocument/waitForDiagnostics", std::move(version), scope));
  co_return &document;
}

void ProbeSession::close(const ProbeDocument& document) {
  server_->notify("textDocument/didClose", {{"textDocument", {{"uri", document.uri}}}});
}

bool lists_folder(const std::string& path, const fs::path& folder) {
  const auto real = [](const fs::path& given) {
    std::error_code error;
    const fs::path found = fs::weakly_canonical(given, error);
    return (found.has_filename() ? found : found.parent_path()).string();
  };
  std::istringstream entries(path);
  for (std::string entry; std::getline(entries, entry, ':');)
    if (real(entry) == real(folder)) return true;
  return false;
}

// --- the projects

Result<std::unique_ptr<ProbeLab>> ProbeLab::create(asio::io_context& context, fs::path lake,
                                                   const std::string& toolchain, fs::path project) {
  std::unique_ptr<ProbeLab> lab(new ProbeLab(context, std::move(lake), std::move(project)));
  TRY(lab->folder_, TemporaryFolder::create());
  TRY_DONE(lab->write_projects(toolchain));
  return lab;
}

Result<void> ProbeLab::write(const std::string& name, const std::string& text) const {
  return write_new_file(folder() / name, text);
}

Result<void> ProbeLab::write_projects(const std::string& toolchain) const {
  const std::map<std::string, std::string> files = {
      {"own/lakefile.toml", kLakefile},
      {"own/Probe.lean", "import Probe.Basic\n\ntheorem probe_all : True := True.intro\n"},
      {"own/Probe/Basic.lean", "theorem probe_basic : True := True.intro\n"},
      {"own/Probe/Messages.lean", std::string(kMessages)},
      {"own/Late.lean", "import Late.Unbuilt\n"},
      {"own/Late/Unbuilt.lean", "theorem probe_late : True := True.intro\n"},
      {"own/Wrong.lean", "theorem probe_wrong : False :=\n  True.intro\n"},
      {"own/core/lakefile.toml", "name = \"core\"\n\n[[lean_lib]]\nname = \"Core\"\n"},
      {"own/core/Core.lean", "theorem probe_core : True := True.intro\n"},
      // Files for testing `lake clean`: it compiles nothing.
      {"tidy/lakefile.toml",
       "name = \"tidy\"\n\n[[require]]\nname = \"beside\"\npath = \"beside\"\n\n[[lean_lib]]\nname = "
       "\"Tidy\"\n"},
      {"tidy/.lake/build/lib/lean/Tidy.trace", "\n"},
      {"tidy/beside/lakefile.toml", "name = \"beside\"\n\n[[lean_lib]]\nname = \"Beside\"\n"},
      {"tidy/beside/.lake/build/lib/lean/Beside.trace", "\n"},
      {"broken/lakefile.toml", "name = \n"},
      {"plain/Plain.lean", "\n"},
  };
  for (const auto& [name, text] : files) TRY_DONE(write(name, text));
  if (!toolchain.empty()) TRY_DONE(write("lean-toolchain", toolchain + "\n"));
  std::error_code error;
  fs::create_directory_symlink(own(), folder() / "link", error);
  if (error) return fail(ErrorKind::Internal, "No link can be made in " + folder().string() + ".");
  return {};
}

json ProbeLab::place(std::string_view from, std::string_view text, std::size_t skip) {
  const std::size_t at = kMessages.find(text, kMessages.find(from)) + skip;
  const std::string_view before = kMessages.substr(0, at);
  // All characters before it on its line must be ASCII.
  return {{"line", std::ranges::count(before, '\n')}, {"character", at - (before.rfind('\n') + 1)}};
}

// --- results that probes share

asio::awaitable<Result<io::ProgramEnd>> ProbeLab::run(std::vector<std::string> argv, io::CancelScope scope,
                                                      fs::path in, lean::Variables more) {
  std::string shown = fs::path(argv.front()).filename().string();
  for (std::size_t at = 1; at < argv.size(); ++at) shown += " " + argv[at];
  io::ProgramRun run;
  run.command = {std::move(argv), in.empty() ? own() : std::move(in), lean::environment_for_lake()};
  for (const auto& [name, value] : more) run.command.environment[name] = value;
  CO_TRY(auto end, co_await io::run_to_end(std::move(run), scope));
  if (end.timed_out) co_return fail(ErrorKind::Timeout, "`" + shown + "` did not end in time.");
  co_return end;
}

asio::awaitable<Result<io::ProgramEnd>> ProbeLab::lake(std::vector<std::string> arguments,
                                                       io::CancelScope scope, fs::path in,
                                                       lean::Variables more) {
  arguments.insert(arguments.begin(), lake_.string());
  return run(std::move(arguments), scope, std::move(in), std::move(more));
}

asio::awaitable<Result<std::string>> ProbeLab::build(io::CancelScope scope) {
  if (built_) co_return *built_;
  CO_TRY(const auto end, co_await lake({"build"}, scope));
  built_ = end.output + end.errors;
  if (!end.succeeded())
    built_ = fail(ErrorKind::Internal, "`lake build` of two small files failed: " + **built_);
  co_return *built_;
}

asio::awaitable<Result<std::string>> ProbeLab::variable(std::string name, io::CancelScope scope,
                                                        fs::path in) {
  CO_TRY(const auto end, co_await lake({"env"}, scope, std::move(in)));
  if (!end.succeeded()) co_return fail(ErrorKind::Internal, "`lake env` failed: " + end.errors);
  const std::string lines = "\n" + end.output, before = "\n" + name + "=";
  const std::size_t at = lines.find(before);
  if (at == std::string::npos) co_return std::string();
  const std::size_t begin = at + before.size();
  co_return lines.substr(begin, lines.find('\n', begin) - begin);
}

asio::awaitable<Result<json>> ProbeLab::setup(fs::path file, io::CancelScope scope) {
  const json init = {{"module", "Init"}, {"importAll", false}, {"isExported", true}, {"isMeta", false}};
  const json header = {{"imports", json::array({init})}, {"isModule", false}};
  CO_TRY(const auto end, co_await lake({"setup-file", file.string(), header.dump()}, scope));
  if (!end.succeeded())
    co_return fail(ErrorKind::Internal,
                   "`lake setup-file` ended with " + std::to_string(end.exit_code) + ": " + end.errors);
  // Other lines concern a single probe.
  const std::size_t at = end.output.find('{');
  const std::size_t from = at == std::string::npos ? end.output.size() : at;
  const json setup = json::parse(end.output.substr(from, end.output.find('\n', from) - from), nullptr, false);
  if (!setup.is_object())
    co_return fail(ErrorKind::Internal, "`lake setup-file` printed no JSON object: " + end.output);
  co_return setup;
}

asio::awaitable<Result<ProbeSession*>> ProbeLab::session(io::CancelScope scope) {
  if (!session_) {
    lean::ServerOptions options;
    options.root = own();
    options.lake = lake_.string();
    options.serve_args = {"-Dpp.funBinderTypes=true"};
    session_.emplace(context_, std::move(options));
  }
  CO_CHECK(co_await session_->start(scope));
  co_return &*session_;
}

asio::awaitable<Result<const ProbeDocument*>> ProbeLab::messages(io::CancelScope scope) {
  CO_TRY(ProbeSession* const lean, co_await session(scope));
  if (!messages_) {
    CO_TRY(messages_, co_await lean->open(own() / "Probe/Messages.lean", std::string(kMessages), scope));
  }
  co_return messages_;
}

asio::awaitable<void> ProbeLab::stop() {
  if (session_) co_await session_->server().stop(kGrace);
}

void ProbeLab::kill() {
  if (session_) session_->server().kill();
}

}  // namespace leanbridge::app

#include "lean_lsp_mcp_options.hpp"

#include "core/base/try.hpp"
#include "core/lean/project.hpp"
#include "gateway/command/gateway_options.hpp"
#include <CLI/CLI.hpp>

#include <filesystem>
#include <system_error>

namespace leanbridge::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kForeignGroup = "Of lean-lsp-mcp (docs/compatibility.md)";

constexpr const char* kNoRepl = "attempts and snippets need no REPL";
constexpr const char* kOnlyHttp = "it is for --transport streamable-http";
constexpr const char* kTokenVariable = "LEAN_LSP_MCP_TOKEN";
// The default address of lean-lsp-mcp.
constexpr const char* kDefaultHost = "127.0.0.1";
constexpr const char* kDefaultPort = "8000";

struct Unused {
  const char* name;
  const char* reason;
};

constexpr Unused kUnusedVariables[] = {
    {"LEAN_REPL", kNoRepl},
    {"LEAN_REPL_PATH", kNoRepl},
    {"LEAN_REPL_TIMEOUT", kNoRepl},
    {"LEAN_REPL_MEM_MB", kNoRepl},
    {"LEAN_LOG_FILE_CONFIG", "it configures Python's logging; use --log-level and --log-file"},
};

/// The root of the project that contains `path`, a file or a folder, found in lean-lsp-mcp's way.
Result<std::string> project_of(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error)
    return fail(ErrorKind::InvalidArgument, "--lean-project-path names " + path + ", which does not exist.",
                "Pass the root of a Lean project, or a path in it.");
  const auto root = lean::find_project_root(fs::is_directory(real, error) ? real : real.parent_path());
  if (!root)
    return fail(ErrorKind::InvalidArgument, "--lean-project-path names " + path + ", which is in no project.",
                "Pass the root of a Lean project, or a path in it.");
  return root->string();
}

/// The address in the form of `serve --http`.
std::string address_of(std::string host, const std::string& port) {
  if (host.empty()) host = kDefaultHost;
  if (host.find(':') != std::string::npos && !host.starts_with("[")) host = "[" + host + "]";
  return host + ":" + (port.empty() ? kDefaultPort : port);
}

}  // namespace

void LeanLspMcpOptions::add_to(CLI::App& app) {
  const auto add = [&](const char* flag, std::string& value, const char* help) {
    return app.add_option(flag, value, help)->group(kForeignGroup);
  };
  add("--lean-project-path", project_path_, "--project-root, or any path in the project")->type_name("DIR");
  add("--transport", transport_, "stdio, or streamable-http: serve --http at --host and --port")
      ->check(CLI::IsMember({"stdio", "streamable-http", "sse"}));
  add("--host", host_, "Where streamable-http listens (default: 127.0.0.1)")->type_name("ADDRESS");
  add("--port", port_, "Its port (default: 8000)")->type_name("N")->check(CLI::Range(0, 65535));
  app.add_flag("--repl", repl_, "No effect")->group(kForeignGroup);
  add("--repl-timeout", repl_timeout_, "No effect")->type_name("SECONDS")->check(CLI::Number);
}

Result<void> LeanLspMcpOptions::read(const EnvironmentLookup& environment, Options& options) const {
  if (transport_ == "sse")
    return fail(ErrorKind::InvalidArgument,
                "--transport sse is that of MCP 2024-11-05, which is not offered.",
                "Use --transport streamable-http: clients of today speak it.");
  if (!project_path_.empty()) {
    TRY(options.project_root, project_of(project_path_));
  }
  const auto note = [&](const std::string& name, const std::string& reason) {
    options.without_effect.push_back(name + " has no effect: " + reason + ".");
  };
  if (transport_ == "streamable-http") {
    if (auto served = serve_http(environment, options.of<HttpOptions>()); !served) return served;
  } else {
    if (!host_.empty()) note("--host", kOnlyHttp);
    if (!port_.empty()) note("--port", kOnlyHttp);
    if (environment(kTokenVariable)) note(kTokenVariable, kOnlyHttp);
  }
  if (repl_) note("--repl", kNoRepl);
  if (!repl_timeout_.empty()) note("--repl-timeout", kNoRepl);
  for (const auto& [name, reason] : kUnusedVariables)
    if (environment(name)) note(name, reason);
  return {};
}

Result<void> LeanLspMcpOptions::serve_http(const EnvironmentLookup& environment, HttpOptions& http) const {
  if (!http.address.empty())
    return fail(ErrorKind::InvalidArgument,
                "--transport streamable-http and --http both say where to listen.", "Pass one of them.");
  http.address = address_of(host_, port_);
  http.token = Secret(environment(kTokenVariable).value_or(""));
  // A user who passes such an address and a token wants to listen there.
  http.listen_any = !http.token.empty();
  return {};
}

}  // namespace leanbridge::app

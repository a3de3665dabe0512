#include "lean_lsp_mcp_options.hpp"

#include "leanbridge/lean/project.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <system_error>

namespace leanbridge::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kForeignGroup = "Of lean-lsp-mcp (docs/compatibility.md)";

constexpr const char* kNoRepl = "attempts and snippets need no REPL";
constexpr const char* kOnlyStdio = "for a server over HTTP run `leanbridge serve --http IP:PORT`";

struct Unused {
  const char* name;
  const char* reason;
};

constexpr Unused kUnusedVariables[] = {
    {"LEAN_REPL", kNoRepl},
    {"LEAN_REPL_PATH", kNoRepl},
    {"LEAN_REPL_TIMEOUT", kNoRepl},
    {"LEAN_REPL_MEM_MB", kNoRepl},
    {"LEAN_LSP_MCP_TOKEN", kOnlyStdio},
    {"LEAN_LOG_FILE_CONFIG", "it configures Python's logging; use --log-level and --log-file"},
};

/// The root of the project that `path`, a file or a folder, belongs to, as lean-lsp-mcp looks for it.
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

}  // namespace

void LeanLspMcpOptions::add_to(CLI::App& app) {
  const auto add = [&](const char* flag, std::string& value, const char* help) {
    return app.add_option(flag, value, help)->group(kForeignGroup);
  };
  add("--lean-project-path", project_path_, "--project-root, or any path in the project");
  add("--transport", transport_, "Only stdio")->check(CLI::IsMember({"stdio", "streamable-http", "sse"}));
  add("--host", host_, "No effect");
  add("--port", port_, "No effect")->check(CLI::Range(0, 65535));
  app.add_flag("--repl", repl_, "No effect")->group(kForeignGroup);
  add("--repl-timeout", repl_timeout_, "No effect")->check(CLI::Number);
}

Result<void> LeanLspMcpOptions::read(const EnvironmentLookup& environment, Options& options) const {
  if (transport_ != "stdio")
    return fail(ErrorKind::InvalidArgument,
                "--transport " + transport_ + ": leanbridge serves its client on stdin and stdout.",
                "Use --transport stdio, or omit it; for HTTP run `leanbridge serve --http IP:PORT`.");
  if (!project_path_.empty()) {
    auto root = project_of(project_path_);
    if (!root) return tl::unexpected(root.error());
    options.project_root = std::move(*root);
  }
  const auto note = [&](const std::string& name, const std::string& reason) {
    options.without_effect.push_back(name + " has no effect: " + reason + ".");
  };
  if (!host_.empty()) note("--host", kOnlyStdio);
  if (!port_.empty()) note("--port", kOnlyStdio);
  if (repl_) note("--repl", kNoRepl);
  if (!repl_timeout_.empty()) note("--repl-timeout", kNoRepl);
  for (const auto& [name, reason] : kUnusedVariables)
    if (environment(name)) note(name, reason);
  return {};
}

}  // namespace leanbridge::app

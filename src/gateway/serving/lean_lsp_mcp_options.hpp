#pragma once
/// Flags and variables of lean-lsp-mcp 0.32 that have another form here, or no effect. options.cpp has the
/// ones with the same meaning; tests/support/lean-lsp-mcp.mjs lists all.

#include "core/base/error.hpp"
#include "core/base/user_folders.hpp"
#include "core/program/options.hpp"
#include "gateway/command/gateway_options.hpp"

#include <string>

namespace CLI {
class App;
}

namespace leanbridge::app {

/// Must live as long as the app is used.
class LeanLspMcpOptions {
 public:
  void add_to(CLI::App& app);
  /// Call this after parsing. Fills project_root, http and without_effect. Error: InvalidArgument for a path
  /// outside of projects, and for the transport sse.
  Result<void> read(const EnvironmentLookup& environment, Options& options) const;

 private:
  Result<void> serve_http(const EnvironmentLookup& environment, HttpOptions& http) const;

  std::string transport_ = "stdio";
  std::string host_, port_, repl_timeout_, project_path_;
  bool repl_ = false;
};

}  // namespace leanbridge::app

#pragma once
/// What one client works with, wired together: its view of the projects, its tools, searches and other
/// servers. The rest is the Backend.

#include "leanbridge/http/client.hpp"
#include "leanbridge/mcp/session.hpp"
#include "leanbridge/tools/tools.hpp"
#include "leanbridge/upstream/hub.hpp"
#include "leanbridge/upstream/media.hpp"
#include "leanbridge/upstream/trust.hpp"

#include "backend.hpp"
#include "options.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace leanbridge::app {

/// How long `lake serve` may take to end by itself.
inline constexpr auto kStopGrace = std::chrono::milliseconds(300);

class Runtime {
 public:
  /// With a backend of its own.
  explicit Runtime(const Options& options);
  /// `options`, `environment` and `directory` are the client's. Call this on the loop's thread.
  Runtime(Backend& backend, const Options& options, std::optional<lean::Environment> environment,
          std::filesystem::path directory);
  /// Kills the other servers, and with its own backend whatever still runs below this process.
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  /// Selects the tools to offer. Call this once, before anything else. InvalidArgument for a bad selection.
  Result<void> select_tools();
  /// Reads the configuration of other MCP servers and connects to none yet. Call this, if at all, after
  /// select_tools().
  upstream::Allowed find_upstreams();

  asio::io_context& context() { return backend_.context(); }
  Backend& backend() { return backend_; }
  document::Projects& projects() { return backend_.projects(); }
  document::Workspace& workspace() { return workspace_; }
  index::LocalIndex& index() { return backend_.index(); }
  io::Pool& pool() { return backend_.pool(); }
  tools::Environment& environment() { return environment_; }
  mcp::ToolRegistry& tools() { return *tools_; }
  const Options& options() const { return options_; }
  upstream::Hub* upstreams() { return upstreams_ ? &*upstreams_ : nullptr; }

  mcp::CallDefaults call_defaults() const { return {options_.timeout_s, options_.max_output_chars}; }
  /// Options of a session, with prompts, resources and instructions.
  mcp::SessionOptions session_options();

 private:
  nlohmann::json call_counts() const;
  asio::awaitable<nlohmann::json> save_media(nlohmann::json result, std::string source,
                                             io::CancelScope scope);
  asio::awaitable<Result<index::Matches>> look_up(index::Lookup lookup, io::CancelScope scope);

  Runtime(std::unique_ptr<Backend> own, Backend* shared, const Options& options,
          std::optional<lean::Environment> environment, std::filesystem::path directory);

  std::unique_ptr<Backend> own_;  // null: the backend is shared
  Backend& backend_;
  Options options_;
  document::Workspace workspace_;
  search::LocalLoogleStart loogle_start_;
  search::Services search_;
  tools::Environment environment_;
  std::vector<mcp::Tool> all_tools_;
  std::optional<mcp::ToolRegistry> tools_;
  std::optional<http::Client> upstream_http_;
  std::shared_ptr<upstream::MediaFolder> media_;  ///< with --save-media
  std::optional<upstream::Hub> upstreams_;  ///< set if there are other servers, or an error in their files
};

}  // namespace leanbridge::app

#pragma once
/// Other MCP servers, and serving over HTTP, as a part of the program.

#include "leanbridge/part.hpp"

#include "gateway/serving/lean_lsp_mcp_options.hpp"
#include "gateway/upstream/hub.hpp"
#include "gateway/upstream/media.hpp"
#include "gateway/upstream/trust.hpp"
#include "http/client.hpp"

#include <memory>
#include <optional>

namespace leanbridge::app {

/// One client's other servers.
class UpstreamClient : public ClientPart {
 public:
  explicit UpstreamClient(Runtime& runtime) : runtime_(runtime) {}

  /// Reads the configuration, without connecting yet.
  void connect() override;
  /// The servers that connect() has found.
  const upstream::AllowedServers& found() const { return found_; }
  /// Null: there are neither other servers nor errors in their files.
  upstream::Hub* hub() { return hub_ ? &*hub_ : nullptr; }

  mcp::ToolProvider* provider() override { return hub_ && !hub_->clients().empty() ? &*hub_ : nullptr; }
  void add_health(tools::ServerHealth& health) override;
  void serve(const std::shared_ptr<mcp::Session>& session) override;
  void start() override;
  asio::awaitable<void> stop(io::Clock::duration grace) override;
  void kill() override;

 private:
  asio::awaitable<nlohmann::json> save_media(nlohmann::json result, std::string source,
                                             io::CancelScope scope);

  Runtime& runtime_;
  upstream::AllowedServers found_;
  std::optional<http::Client> http_;
  std::shared_ptr<upstream::MediaFolder> media_;  ///< with --save-media
  std::optional<upstream::Hub> hub_;
};

/// The client's other servers; null: there are none.
upstream::Hub* hub_of(Runtime& runtime);

class GatewayPart : public Part {
 public:
  void add_options(CLI::App& app, Options& options) override;
  Result<void> read_options(const EnvironmentLookup& variables, Options& options) override;
  std::optional<int> serve(const Options& options, const StandardDescriptors& were_open) override;
  std::unique_ptr<ClientPart> start_client(Runtime& runtime) override;

 private:
  LeanLspMcpOptions of_lean_lsp_mcp_;
};

}  // namespace leanbridge::app

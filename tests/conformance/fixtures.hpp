#pragma once
/// What the official conformance suite asks for by fixed names: tools, prompts and resources, some of the
/// session itself, some of a provider. Only the test server has them, not the program.

#include "core/mcp/session.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace leanbridge::conformance {

/// Those that answer with content of all kinds, as only the tools and prompts of other servers do.
class Fixtures : public mcp::ToolProvider {
 public:
  std::function<void(std::string_view level, const std::string& text)> log;
  std::function<void(mcp::Session::List list)> changed;
  std::shared_ptr<mcp::Host> host;  ///< the client, for tools that ask it

  nlohmann::json tools() const override;
  bool knows_tool(const std::string& name) const override;
  asio::awaitable<mcp::ProxiedResult> call_tool(std::string name, nlohmann::json arguments,
                                                std::shared_ptr<mcp::ProxiedCall> call) override;
  nlohmann::json prompts() const override;
  bool knows_prompt(const std::string& name) const override;
  asio::awaitable<mcp::ProxiedResult> get_prompt(std::string name, nlohmann::json arguments,
                                                 std::shared_ptr<mcp::ProxiedCall> call) override;
  nlohmann::json resources() const override;
  nlohmann::json resource_templates() const override;
  bool knows_resource(const std::string& uri) const override;
  asio::awaitable<mcp::ProxiedResult> read_resource(std::string uri,
                                                    std::shared_ptr<mcp::ProxiedCall> call) override;
  Result<mcp::Watch> watch_resource(const std::string& uri) override;
  bool completes(const nlohmann::json& ref) const override;
  asio::awaitable<mcp::ProxiedResult> complete(nlohmann::json params,
                                               std::shared_ptr<mcp::ProxiedCall> call) override;
  void roots_changed() override {}
};

/// Those in the form of our own.
std::vector<mcp::Tool> own_tools();
std::vector<mcp::Prompt> own_prompts();
std::vector<mcp::Resource> own_resources();

}  // namespace leanbridge::conformance

#include "handshake.hpp"

#include "params.hpp"

namespace leanbridge::mcp {

using nlohmann::json;

void Handshake::initialize(Era era, const json& params, rpc::Responder responder) {
  if (!params.is_object() || !params.contains("protocolVersion") || !params["protocolVersion"].is_string())
    return responder.error(invalid_params("initialize needs params.protocolVersion, a string."));
  connection_->set_legacy_revision(negotiate_legacy(params["protocolVersion"].get<std::string>()));
  responder.result({{"protocolVersion", connection_->legacy_revision()},
                    {"capabilities", capabilities(era)},
                    {"serverInfo", connection_->server_info()},
                    {"instructions", connection_->options().instructions}});
}

void Handshake::discover(Era era, const json&, rpc::Responder responder) {
  json result = {{"supportedVersions", kModernRevisions},
                 {"capabilities", capabilities(era)},
                 {"instructions", connection_->options().instructions},
                 {"ttlMs", 3'600'000},
                 {"cacheScope", "private"}};
  responder.result(connection_->complete(era, std::move(result)));
}

void Handshake::ping(Era, const json&, rpc::Responder responder) {
  responder.result(json::object());
}

json Handshake::capabilities(Era era) const {
  const SessionOptions& options = connection_->options();
  // Our own lists never change; those of others do.
  const json list = options.provider ? json{{"listChanged", true}} : json::object();
  json all = {{"tools", list}};
  if (!options.prompts.empty() || options.provider) all["prompts"] = list;
  if (!options.resources.empty()) all["resources"] = {{"subscribe", true}};
  if (era == Era::Legacy) all["logging"] = json::object();
  return all;
}

}  // namespace leanbridge::mcp

#include "host_link.hpp"

#include "core/io/one_shot.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::mcp {

using nlohmann::json;

namespace {

struct Askable {
  std::string_view method;
  const char* capability;
};

constexpr auto kAskable = std::to_array<Askable>(
    {{"elicitation/create", "elicitation"}, {"sampling/createMessage", "sampling"}, {"roots/list", "roots"}});

HostAnswer no_answer(std::string message) {
  return tl::unexpected(rpc::RpcError{rpc::kInternalError, std::move(message), nullptr});
}

}  // namespace

json askable(const json& capabilities) {
  json some = json::object();
  if (!capabilities.is_object()) return some;
  for (const Askable& each : kAskable)
    if (const auto found = capabilities.find(each.capability);
        found != capabilities.end() && found->is_object())
      some[each.capability] = *found;
  return some;
}

bool can_answer(const json& capabilities, std::string_view method) {
  return std::ranges::any_of(kAskable, [&](const Askable& each) {
    return each.method == method && capabilities.is_object() && capabilities.contains(each.capability);
  });
}

json HostLink::capabilities() const {
  return connection_->legacy_revision().empty() ? json::object()
                                                : askable(connection_->client_capabilities());
}

asio::awaitable<HostAnswer> HostLink::ask(std::string method, json params, io::CancelScope scope) {
  const auto connection = connection_;
  const auto answer = std::make_shared<io::OneShot<rpc::Outcome>>();
  const auto id = connection->peer().request(
      method, std::move(params), [answer](rpc::Outcome outcome) { answer->set(std::move(outcome)); });
  if (!id) co_return no_answer(id.error().message);
  const io::WaitStatus end = co_await answer->wait(scope);
  if (end != io::WaitStatus::Ready) {
    const bool cancelled = end == io::WaitStatus::Cancelled;
    connection->peer().cancel(*id, cancelled ? "the server no longer needs it" : "it took too long");
    co_return no_answer(cancelled ? "The request was cancelled." : "The client did not answer in time.");
  }
  rpc::Outcome outcome = answer->take();
  if (auto* error = std::get_if<rpc::RpcError>(&outcome)) co_return tl::unexpected(std::move(*error));
  if (auto* lost = std::get_if<rpc::ConnectionLost>(&outcome)) co_return no_answer(lost->reason);
  co_return std::move(std::get<rpc::Success>(outcome).result);
}

}  // namespace leanbridge::mcp

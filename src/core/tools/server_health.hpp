#pragma once
/// The facts about health: of Lean, for all reports about it, and those that parts of the program add to the
/// answer of lean_server_health.

#include "core/base/json_struct.hpp"
#include "core/document/document_store.hpp"
#include "core/lean/server.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace leanbridge::lean {

inline wire::Names<Server::State> names_of(Server::State) {
  return {{Server::State::Idle, "idle"},
          {Server::State::Starting, "starting"},
          {Server::State::Ready, "ready"},
          {Server::State::Down, "down"}};
}

}  // namespace leanbridge::lean

namespace leanbridge::tools {

/// A project's `lake serve`.
struct LeanHealth {
  std::string root;
  lean::Server::State state = lean::Server::State::Idle;
  int pid = 0;  ///< 0: no server runs
  int starts = 0;
  int open_documents = 0;
  std::size_t pending_requests = 0;
  std::vector<lean::WorkerProcess> workers;  ///< only from measured_health_of()
};
LeanHealth health_of(document::DocumentStore& store);
/// Reads /proc, on the pool; without the workers if the scope ends first. The store must outlive it.
asio::awaitable<LeanHealth> measured_health_of(document::DocumentStore& store, io::Pool& pool,
                                               io::CancelScope scope);

struct ServerHealth {
  std::map<std::string, nlohmann::json> backends;  ///< of search, by name
  std::optional<nlohmann::json> cache;             ///< of search results, if there is one
  std::optional<nlohmann::json> upstreams;         ///< other MCP servers, if any

  static wire::Fields fields() {
    return {wire::field<&ServerHealth::backends>().unlisted(), wire::field<&ServerHealth::cache>().unlisted(),
            wire::field<&ServerHealth::upstreams>()};
  }
};

}  // namespace leanbridge::tools

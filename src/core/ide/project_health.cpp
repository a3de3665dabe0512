#include "project_health.hpp"

#include "core/lean/project.hpp"

#include <chrono>

namespace leanbridge::ide {

asio::awaitable<LeanHealth> measured_health_of(document::DocumentStore& store, io::Pool& pool,
                                               io::CancelScope scope) {
  const auto look = [pid = store.server().pid()]() -> Result<std::vector<lean::WorkerProcess>> {
    return pid == 0 ? std::vector<lean::WorkerProcess>() : lean::worker_processes(pid);
  };
  const auto workers = co_await pool.run(look, scope);
  const lean::Server& server = store.server();
  co_return LeanHealth{store.root().string(),
                       server.state(),
                       server.pid(),
                       server.starts(),
                       store.open_count(),
                       server.pending_requests(),
                       workers.value_or(std::vector<lean::WorkerProcess>())};
}

namespace {

constexpr auto kMeasureLimit = std::chrono::seconds(1);  // for looking at processes

std::string word_of(lean::Server::State state) {
  if (state == lean::Server::State::Ready) return "ok";
  return state == lean::Server::State::Idle ? "not_started" : wire::name_of(state);
}

ScratchHealth health_of(const document::ScratchPool& pool) {
  ScratchHealth health{pool.slots(), pool.limits().max_workers, 0, pool.limits().max_bytes};
  for (const auto& slot : health.workers) health.memory_bytes += slot.resident_bytes;
  return health;
}

ProjectHealth health_of(document::DocumentStore& store) {
  const lean::Server& server = store.server();
  ProjectHealth health{store.root().string(),
                       word_of(server.state()),
                       lean::toolchain_of(store.root()),
                       server.name(),
                       server.pid(),
                       server.starts(),
                       server.pending_requests(),
                       server.stray_responses(),
                       {},
                       {},
                       health_of(*store.scratch()),
                       {}};
  if (server.last_error()) health.last_error = server.last_error()->message;
  for (const auto& document : store.documents()) {
    const document::DocumentState& state = document->state;
    if (state.version() > 0)
      health.documents.push_back(
          {document->name, state.open(), state.version(), state.done(), state.diagnostics().size()});
  }
  return health;
}

}  // namespace

asio::awaitable<std::vector<ProjectHealth>> health_of_projects(Lean& lean, io::CancelScope scope) {
  const auto known = lean.workspace.projects();
  for (const auto& [root, store] : known)
    co_await store->scratch()->measure(scope.with_timeout(kMeasureLimit));
  std::vector<ProjectHealth> projects;
  for (const auto& [root, store] : known) {
    projects.push_back(health_of(*store));
    if (const auto tagged = lean.workspace.find_with_widgets(root))
      projects.back().interactive_server =
          InteractiveServerHealth{word_of(tagged->server().state()), tagged->server().pid()};
  }
  co_return projects;
}

}  // namespace leanbridge::ide

// lean_server_health: Lean servers, documents, search services, call counts.

#include "core/document/scratch_pool.hpp"
#include "core/ide/open_file.hpp"
#include "core/io/process_tree.hpp"
#include "core/lean/project.hpp"
#include "core/tools/common/typed_tool.hpp"
#include "core/tools/server_health.hpp"

namespace leanbridge::tools {

namespace {

constexpr auto kMeasureLimit = std::chrono::seconds(1);  // for reading /proc

struct ServerHealthParams {
  static wire::Fields fields() { return {}; }
};

struct DocumentHealth {
  std::string file_path;
  bool open = false;
  document::Version version = 0;
  bool done = false;
  std::size_t diagnostics = 0;  ///< how many

  static wire::Fields fields() {
    return wire::fields<&DocumentHealth::file_path, &DocumentHealth::open, &DocumentHealth::version,
                        &DocumentHealth::done, &DocumentHealth::diagnostics>();
  }
};

struct ScratchWorkerHealth {
  bool open = false;
  bool in_use = false;
  std::int64_t memory_bytes = 0;

  static wire::Fields fields() {
    return wire::fields<&ScratchWorkerHealth::open, &ScratchWorkerHealth::in_use,
                        &ScratchWorkerHealth::memory_bytes>();
  }
};

/// The scratch workers.
struct ScratchHealth {
  std::vector<ScratchWorkerHealth> workers;
  std::size_t max_workers = 0;
  std::int64_t memory_bytes = 0;
  std::int64_t max_memory_bytes = 0;

  static wire::Fields fields() {
    return wire::fields<&ScratchHealth::workers, &ScratchHealth::max_workers, &ScratchHealth::memory_bytes,
                        &ScratchHealth::max_memory_bytes>();
  }
};

/// The second server of a project, which answers about widgets.
struct InteractiveServerHealth {
  std::string status;
  int pid = 0;

  static wire::Fields fields() {
    return wire::fields<&InteractiveServerHealth::status, &InteractiveServerHealth::pid>();
  }
};

struct ProjectHealth {
  std::string root;
  std::string status;
  std::string toolchain;
  std::string server_name;
  int pid = 0;
  int starts = 0;
  std::size_t pending_requests = 0;
  std::uint64_t stray_responses = 0;
  wire::Nullable<std::string> last_error;
  std::vector<DocumentHealth> documents;
  ScratchHealth scratch;
  std::optional<InteractiveServerHealth> interactive_server;

  static wire::Fields fields() {
    return wire::fields<&ProjectHealth::root, &ProjectHealth::status, &ProjectHealth::toolchain,
                        &ProjectHealth::server_name, &ProjectHealth::pid, &ProjectHealth::starts,
                        &ProjectHealth::pending_requests, &ProjectHealth::stray_responses,
                        &ProjectHealth::last_error, &ProjectHealth::documents, &ProjectHealth::scratch,
                        &ProjectHealth::interactive_server>();
  }
};

enum class OverallStatus { Ok, Degraded };
wire::Names<OverallStatus> names_of(OverallStatus) {
  return {{OverallStatus::Ok, "ok"}, {OverallStatus::Degraded, "degraded"}};
}

struct ServerHealthResult {
  OverallStatus status = OverallStatus::Ok;
  std::string version;
  std::int64_t memory_bytes = 0;     ///< the memory of this process
  wire::Nullable<std::string> lake;  ///< null: not found, see lake_error
  std::optional<std::string> lake_error;
  std::vector<ProjectHealth> projects;
  int open_documents = 0;
  std::map<std::string, nlohmann::json> tools;  ///< call counts and times, by name
  ServerHealth parts;

  static wire::Fields fields() {
    return {wire::field<&ServerHealthResult::status>(),
            wire::field<&ServerHealthResult::version>().unlisted(),
            wire::field<&ServerHealthResult::memory_bytes>().unlisted(),
            wire::field<&ServerHealthResult::lake>().unlisted(),
            wire::field<&ServerHealthResult::lake_error>(),
            wire::field<&ServerHealthResult::projects>(),
            wire::field<&ServerHealthResult::open_documents>().unlisted(),
            wire::field<&ServerHealthResult::tools>(),
            wire::flatten<&ServerHealthResult::parts>()};
  }
};

// The words of this tool for a state, of which "ok" and "not_started" are its own.
std::string status_of(lean::Server::State state) {
  if (state == lean::Server::State::Ready) return "ok";
  return state == lean::Server::State::Idle ? "not_started" : wire::name_of(state);
}

ScratchHealth scratch_health(const document::ScratchPool& pool) {
  ScratchHealth health;
  for (const auto& slot : pool.slots()) {
    health.workers.push_back({slot.open, slot.in_use, slot.resident_bytes});
    health.memory_bytes += slot.resident_bytes;
  }
  health.max_workers = pool.limits().max_workers;
  health.max_memory_bytes = pool.limits().max_bytes;
  return health;
}

ProjectHealth project_health(document::DocumentStore& store) {
  const lean::Server& server = store.server();
  const LeanHealth lean = health_of(store);
  ProjectHealth health;
  health.root = lean.root;
  health.status = status_of(lean.state);
  health.toolchain = lean::toolchain_of(store.root());
  health.server_name = server.name();
  health.pid = lean.pid;
  health.starts = lean.starts;
  health.pending_requests = lean.pending_requests;
  health.stray_responses = server.stray_responses();
  if (server.last_error()) health.last_error = server.last_error()->message;
  for (const auto& document : store.documents()) {
    const document::DocumentState& state = document->state;
    if (state.version() > 0)
      health.documents.push_back(
          {document->name, state.open(), state.version(), state.done(), state.diagnostics().size()});
  }
  health.scratch = scratch_health(*store.scratch());
  return health;
}

asio::awaitable<Result<ServerHealthResult>> server_health(Environment& environment,
                                                          std::shared_ptr<mcp::Call> call,
                                                          ServerHealthParams) {
  const auto known = environment.workspace.projects();
  for (const auto& [root, store] : known)
    co_await store->scratch()->measure(call->scope.with_timeout(kMeasureLimit));
  ServerHealthResult result;
  bool ok = true;
  for (const auto& [root, store] : known) {
    ProjectHealth project = project_health(*store);
    if (const auto tagged = environment.workspace.find_with_widgets(root))
      project.interactive_server =
          InteractiveServerHealth{status_of(tagged->server().state()), tagged->server().pid()};
    result.projects.push_back(std::move(project));
    ok = ok && store->server().state() != lean::Server::State::Down;
    result.open_documents += store->open_count();
  }
  const auto lake = lean::find_lake(environment.workspace.options().lake);
  result.status = ok && lake ? OverallStatus::Ok : OverallStatus::Degraded;
  result.version = environment.version;
  result.memory_bytes = io::own_resident_bytes();
  if (lake)
    result.lake = lake->string();
  else
    result.lake_error = lake.error().message + " " + lake.error().hint;
  for (const auto& add : environment.add_health) add(result.parts);
  result.tools = wire::read<std::map<std::string, nlohmann::json>>(environment.call_counts());
  co_return result;
}

}  // namespace

LeanHealth health_of(document::DocumentStore& store) {
  const lean::Server& server = store.server();
  return {store.root().string(),
          server.state(),
          server.pid(),
          server.starts(),
          store.open_count(),
          server.pending_requests(),
          {}};
}

asio::awaitable<LeanHealth> measured_health_of(document::DocumentStore& store, io::Pool& pool,
                                               io::CancelScope scope) {
  LeanHealth health = health_of(store);
  const auto look = [pid = health.pid]() -> Result<std::vector<lean::WorkerProcess>> {
    return pid == 0 ? std::vector<lean::WorkerProcess>() : lean::worker_processes(pid);
  };
  if (auto workers = co_await pool.run(look, scope)) health.workers = std::move(*workers);
  co_return health;
}

mcp::Tool lean_server_health(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_server_health",
                    .title = "Health of the server",
                    .group = "server",
                    .description = "State of the Lean servers, open documents and search services; call "
                                   "counts and times. Use it if Lean is unavailable.",
                    .waits = false,
                    .listed = false},
                   server_health);
}

}  // namespace leanbridge::tools

#pragma once
/// The facts about Lean's health, for all reports about it.

#include "core/document/scratch_pool.hpp"
#include "lean.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::ide {

/// A project's `lake serve`.
struct LeanHealth {
  std::string root;
  lean::Server::State state = lean::Server::State::Idle;
  int pid = 0;  ///< 0: no server runs
  int starts = 0;
  int open_documents = 0;
  std::size_t pending_requests = 0;
  std::vector<lean::WorkerProcess> workers;

  /// In a report about one document.
  static wire::Fields fields() {
    return wire::fields<&LeanHealth::state, &LeanHealth::pid, &LeanHealth::pending_requests>();
  }
};
/// Looks at processes, on the pool; without the workers if the scope ends first. The store must outlive it.
asio::awaitable<LeanHealth> measured_health_of(document::DocumentStore& store, io::Pool& pool,
                                               io::CancelScope scope);

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

/// The scratch workers.
struct ScratchHealth {
  std::vector<document::ScratchPool::SlotState> workers;
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
  std::string status;  ///< "ok", "not_started", or the word of another state
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

/// The projects of `lean`, by root. Measures the scratch workers, for a second at most.
asio::awaitable<std::vector<ProjectHealth>> health_of_projects(Lean& lean, io::CancelScope scope);

}  // namespace leanbridge::ide

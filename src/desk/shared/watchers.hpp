#pragma once
/// The watchers of a shared server: `leanbridge view --watch` of the same user
/// (docs/decisions/0025-watching.md). Each gets lines of JSON, and none of them can slow a client down.
///
/// | line                                                     | meaning                                          |
/// |----------------------------------------------------------|--------------------------------------------------|
/// | {clients, watchable}                                     | how many there are; at first, and when it changes |
/// | {call, client, tool, file?, line?, column?, edit?}       | a call begins; `call` is its number               |
/// | {call, ms, outcome, reason?, sorries?}                   | it ends                                          |
/// | {lost}                                                   | so many lines were left out: the watcher is slow |
///
/// `file` is absolute, `outcome` "answered", "written", "refused", "cancelled" or a kind of error, `edit`
/// {start_line, end_line, added, removed?} with lines, the latter if the call has named them.

#include "core/io/byte_stream.hpp"
#include "core/mcp/session.hpp"
#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>

namespace leanbridge::app {

class Runtime;

/// Belongs to the loop's thread.
class Watchers {
 public:
  /// Tells the watcher the numbers of clients. The watcher is removed when its reader is gone.
  void add(const std::shared_ptr<io::OutgoingQueue>& output);
  bool is_empty() const { return watchers_.empty(); }
  bool is_full();
  void set_clients(std::size_t all, std::size_t watchable);
  void tell(const nlohmann::json& news);
  void close();
  std::uint64_t next_call() { return ++last_call_; }

 private:
  struct Watcher {
    std::shared_ptr<io::OutgoingQueue> output;
    std::size_t lost = 0;  // number of lines left out since the last one that was sent
  };
  static bool is_gone(const Watcher& watcher) { return watcher.output->closed(); }
  void tell(Watcher& watcher, const nlohmann::json& news);

  std::list<Watcher> watchers_;
  nlohmann::json clients_ = {{"clients", 0}, {"watchable", 0}};
  std::uint64_t last_call_ = 0;
};

/// Tells the watchers of a client's calls, as long as there are watchers. `client`: its number.
mcp::CallObserver observer_of(std::shared_ptr<Watchers> watchers, std::shared_ptr<Runtime> runtime,
                              std::uint64_t client);

}  // namespace leanbridge::app

#pragma once
/// The projects of this process, each with its own `lake serve`. Clients that mean the same project share its
/// server, its documents and their workers.

#include "document_store.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace leanbridge::document {

/// Belongs to the loop's thread. Must outlive the workspaces that use it.
class Projects {
 public:
  /// `kept`: how long a project's server outlives its last user. Agents come and go, and the next one then
  /// need not wait for Lean to start.
  Projects(asio::io_context& context, io::Pool& pool, io::Clock::duration kept = std::chrono::minutes(1))
      : context_(context), pool_(pool), kept_(kept) {}
  ~Projects() { ended_->cancel(); }
  Projects(const Projects&) = delete;
  Projects& operator=(const Projects&) = delete;

  /// The right to use a project.
  class Use {
   public:
    Use(Use&& other) noexcept = default;
    Use& operator=(Use&& other) = delete;
    ~Use() {
      if (store_) projects_->unused(store_);
    }
    const std::shared_ptr<DocumentStore>& store() const { return store_; }

   private:
    friend class Projects;
    Use(Projects& projects, std::shared_ptr<DocumentStore> store)
        : projects_(&projects), store_(std::move(store)) {}
    Projects* projects_;
    std::shared_ptr<DocumentStore> store_;  // null: moved from
  };

  /// The project that is served with these options. The first user's limits hold for all. Starts nothing.
  Use use(lean::ServerOptions options, const StoreLimits& limits);

  /// The project on a second server, whose client shows widgets: parts of messages then come by RPC and are
  /// missing from the plain texts (`Lean.Widget.getInteractiveDiagnostics`). It opens one file at a time, and
  /// ends after it has been idle for a while.
  std::shared_ptr<DocumentStore> with_widgets(lean::ServerOptions options, StoreLimits limits);
  /// Returns the same server, but starts nothing; null if there is no such server.
  std::shared_ptr<DocumentStore> find_with_widgets(const lean::ServerOptions& options) const;

  /// Closes the idle scratch workers of a project; if there are none, ends the server of a project without
  /// open files; if there is none, closes the file that was idle longest, of whichever project and client. A
  /// server or a file must have been idle for at least so long. The next answer about it says so. False:
  /// there is nothing to close.
  bool close_idlest(io::Clock::duration min_idle);
  /// Ends servers that were idle for so long, those that were idle longest first, until at most `most` run:
  /// each has workers of its own.
  void end_idle_servers(std::size_t most, io::Clock::duration min_idle);

  /// Waits until each starting `lake serve` of this project has loaded it.
  asio::awaitable<void> wait_while_starting(std::filesystem::path root, io::CancelScope scope) const;

  /// All stores, those with widgets last.
  std::vector<std::shared_ptr<DocumentStore>> all() const;

  /// Ends all servers: stop() in order, within about twice `grace`; kill() at once.
  asio::awaitable<void> stop(io::Clock::duration grace);
  void kill();

 private:
  using Key = std::tuple<std::filesystem::path, std::string, std::vector<std::string>,
                         std::optional<lean::Variables>>;
  struct Shared {
    std::shared_ptr<DocumentStore> store;
    std::size_t users = 0;
    std::uint64_t latest_use = 0;
  };

  static Key key_of(const lean::ServerOptions& options);
  /// The projects whose servers have not been used for so long, the longest first.
  std::vector<std::shared_ptr<DocumentStore>> idle_servers(io::Clock::duration min_idle) const;
  void unused(const std::shared_ptr<DocumentStore>& store);
  // These coroutines may outlive this object. They touch it only if `ended` is not cancelled.
  asio::awaitable<void> stop_when_unused(Key key, std::uint64_t use, io::Clock::duration kept,
                                         std::shared_ptr<io::CancelSource> ended);
  asio::awaitable<void> stop_when_idle(Key key, std::uint64_t use, io::Clock::duration idle,
                                       std::shared_ptr<io::CancelSource> ended);

  asio::io_context& context_;
  io::Pool& pool_;
  io::Clock::duration kept_;
  std::map<Key, Shared> shared_;
  std::map<Key, Shared> tagged_;  // the second servers, which show widgets
  std::uint64_t uses_ = 0;
  std::shared_ptr<io::CancelSource> ended_ = std::make_shared<io::CancelSource>();
};

}  // namespace leanbridge::document

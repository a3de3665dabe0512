#pragma once
/// The calls of the user's agents, for the page of `leanbridge view --watch`. The shared servers of the same
/// user report them to watchers (src/desk/shared/watchers.hpp).

#include "core/document/workspace.hpp"
#include "core/io/byte_stream.hpp"
#include "core/rpc/framing.hpp"
#include <nlohmann/json.hpp>

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace leanbridge::app {

/// Belongs to the loop's thread. Owned by shared_ptr: its coroutines keep it alive.
class WorkLog : public std::enable_shared_from_this<WorkLog> {
 public:
  WorkLog(asio::io_context& context, document::Workspace& workspace)
      : context_(context), workspace_(workspace) {}

  /// Adds a file, and returns its number for file(): pages may open it without a call. 0: there are too many.
  std::uint64_t add_file(const std::filesystem::path& path);

  /// Looks for servers in the folder of their sockets, repeatedly, until stop().
  void start(const std::filesystem::path& folder);
  void stop();
  bool is_stopped() const { return ended_->cancelled(); }

  /// Increases with all news.
  std::uint64_t revision() const { return revision_; }
  /// {servers, clients, watchable, lost, revision, calls}: the calls that have changed since the revision, in
  /// order. A call has the members that its server reports, a number of its own, and {agent: its client, at:
  /// ms since 1970, name: its file's}. `file` is the number of a file that a page may open.
  nlohmann::json since(std::uint64_t revision) const;
  /// A file by its number; nullopt: no call was about it.
  std::optional<std::filesystem::path> file(std::uint64_t number) const;

  /// Notified of all news.
  io::Condition changed;

 private:
  struct Server;

  asio::awaitable<void> look_for_servers(std::filesystem::path folder);
  void attach(const std::filesystem::path& socket);
  void take(Server& server, std::string_view line);
  void take_call(Server& server, const nlohmann::json& news);
  void name_file(nlohmann::json& call);
  void give_up(Server& server, const char* outcome);
  void has_news();

  struct Entry {
    nlohmann::json call;
    std::uint64_t changed_at = 0;  // the revision of the last change
  };

  asio::io_context& context_;
  document::Workspace& workspace_;
  std::shared_ptr<io::CancelSource> ended_ = std::make_shared<io::CancelSource>();
  std::map<std::filesystem::path, std::shared_ptr<Server>> servers_;
  std::set<std::filesystem::path> refused_;  // sockets of other builds
  std::deque<Entry> entries_;                // in the order of their beginnings
  std::vector<std::filesystem::path> files_;
  std::uint64_t revision_ = 0, calls_ = 0, lost_ = 0;
};

}  // namespace leanbridge::app

#pragma once
/// A client process's record of a session that another process serves: enough to answer for a server that has
/// died, and to open the session again on the next server. No I/O.

#include "core/rpc/outline.hpp"
#include <nlohmann/json.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace leanbridge::app {

/// | event                        | effect                                                           |
/// |------------------------------|------------------------------------------------------------------|
/// | a request of the client      | it is under way                                                  |
/// | its answer, its cancellation | it no longer is                                                  |
/// | a request of the server      | the client is being asked                                        |
/// | the server is lost           | each request under way gets an error; questions are withdrawn    |
/// | another server               | is told what opened the session; its answers to that are dropped |
class SessionRecord {
 public:
  /// Records a line from the client.
  void from_client(std::string_view line);
  /// Records a line from the server. Returns whether it is for the client.
  bool from_server(std::string_view line);

  /// Whether there will be another server.
  enum class Next { Server, None };
  /// Records that the server is gone. Returns the lines for the client. An unanswered `initialize` stays
  /// pending if the next server can answer it.
  std::vector<std::string> lost(const std::string& message, Next next);
  /// The lines for the next server.
  std::vector<std::string> opening();
  /// The answers to a line of the client while there is no server: an error to each request in it.
  static std::vector<std::string> refusals(std::string_view line, const std::string& message);

  /// The number of the client's unanswered requests, except for those that stay open to report changes.
  std::size_t answers_owed() const { return owed_; }

 private:
  struct PendingRequest {
    std::size_t count = 0;  // a client may use an id twice; the server refuses the second use
    bool opens = false;     // it is an `initialize`
    bool listens = false;   // it stays open to report changes
  };
  void take_request(const rpc::MessageOutline& outline, std::string_view line);
  void take_notification(const std::string& method, std::string_view line);
  void end_request(const rpc::Id& id);

  std::unordered_map<rpc::Id, PendingRequest> requests_;
  std::size_t owed_ = 0;
  std::unordered_set<rpc::Id> questions_;  // the server's questions
  std::set<std::string> replayed_;         // ids of our own
  int replays_ = 0;

  // The lines that opened a session of the legacy era; the modern era has no such state.
  std::string initialize_, initialized_;  // lines
  bool initialize_answered_ = false;
  nlohmann::json log_level_;             // params
  std::set<std::string> subscriptions_;  // URIs
};

}  // namespace leanbridge::app

#pragma once
/// Client: one connection, from open() to its end.

#include "leanbridge/upstream/client.hpp"

#include <map>

namespace leanbridge::upstream {

struct Client::Connection {
  std::shared_ptr<Transport> transport;
  std::unique_ptr<rpc::Peer> peer;
  std::optional<Closed> ended;

  struct Waiting {
    OnProgress on_progress;
    std::function<void()> extend;
  };
  std::map<std::string, Waiting> progress;  ///< by token
  std::uint64_t next_token = 1;

  bool muted = false;  ///< nothing is sent: a probe is forgotten, not cancelled, where nobody knows of it
  bool refreshing = false;
  bool stale_tools = false;
  bool stale_prompts = false;
};

}  // namespace leanbridge::upstream

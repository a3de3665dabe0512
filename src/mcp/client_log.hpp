#pragma once
/// Log messages for the client. Legacy: from the level of logging/setLevel on; modern: while a request that
/// names a level in its `_meta` is under way.

#include "connection.hpp"
#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::mcp {

/// Index of an RFC 5424 level word ("emergency" 0 ... "debug" 7); nullopt for anything else.
std::optional<int> log_urgency(const nlohmann::json& word);

class ClientLog {
 public:
  explicit ClientLog(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}

  /// logging/setLevel
  void set_level(Era era, const nlohmann::json& params, rpc::Responder responder);

  /// A modern request with the level that it names, null or nonsense where it names none; until
  /// end_request() with the number that comes back.
  std::uint64_t begin_request(const nlohmann::json& level);
  void end_request(std::uint64_t serial) { requested_levels_.erase(serial); }

  /// `level`: RFC 5424's word; anything else is not sent.
  void log(std::string_view level, const std::string& text);

 private:
  std::shared_ptr<Connection> connection_;
  int legacy_level_ = 4;                           // index into RFC 5424's levels: warning
  std::map<std::uint64_t, int> requested_levels_;  // modern, of the requests under way
  std::uint64_t next_serial_ = 0;
};

}  // namespace leanbridge::mcp

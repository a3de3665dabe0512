#include "client_log.hpp"

#include "params.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::mcp {

using nlohmann::json;

namespace {

// RFC 5424, most severe first: a smaller index is more urgent.
constexpr std::array<std::string_view, 8> kLogLevels = {"emergency", "alert",  "critical", "error",
                                                        "warning",   "notice", "info",     "debug"};

}  // namespace

std::optional<int> log_urgency(const json& word) {
  if (!word.is_string()) return std::nullopt;
  const auto found = std::find(kLogLevels.begin(), kLogLevels.end(), word.get<std::string>());
  if (found == kLogLevels.end()) return std::nullopt;
  return static_cast<int>(found - kLogLevels.begin());
}

void ClientLog::set_level(Era, const json& params, rpc::Responder responder) {
  const auto level = params.is_object() ? log_urgency(params.value("level", json())) : std::nullopt;
  if (!level)
    return responder.error(invalid_params("logging/setLevel needs params.level, one of RFC 5424's levels."));
  legacy_level_ = *level;
  responder.result(json::object());
}

std::uint64_t ClientLog::begin_request(const json& level) {
  const std::uint64_t serial = next_serial_++;
  if (const auto urgency = log_urgency(level)) requested_levels_[serial] = *urgency;
  return serial;
}

void ClientLog::log(std::string_view level, const std::string& text) {
  const auto urgency = log_urgency(std::string(level));
  if (!urgency) return;
  bool wanted = !connection_->legacy_revision().empty() && *urgency <= legacy_level_;
  for (const auto& [serial, limit] : requested_levels_) wanted = wanted || *urgency <= limit;
  if (wanted)
    connection_->peer().notify("notifications/message",
                               {{"level", level}, {"logger", connection_->options().name}, {"data", text}});
}

}  // namespace leanbridge::mcp

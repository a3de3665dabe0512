#include "wire.hpp"

#include "core/rpc/framing.hpp"

#include <algorithm>

namespace leanbridge::faults {

using nlohmann::json;
using std::chrono::microseconds;
using std::chrono::milliseconds;

namespace {

// Valid JSON of the wrong shape, made from a pushed message.
json misshapen(json message, Random& random) {
  json& params = message["params"];
  switch (random.below(5)) {
    case 0:
      params = random.percent(50) ? json::array({1}) : json("nothing");
      break;
    case 1:
      params[params.contains("processing") ? "processing" : "diagnostics"] = {{"a", 1}};
      break;
    case 2:
      for (const char* list : {"processing", "diagnostics"})
        if (params.contains(list))
          for (json& item : params[list]) item = 7;
      break;
    case 3:
      for (const char* list : {"processing", "diagnostics"})
        if (params.contains(list))
          for (json& item : params[list]) {
            item["range"] = {{"start", {{"line", -1}}}};
            item["fullRange"] = nullptr;
          }
      break;
    default:
      message.erase("params");
  }
  return message;
}

}  // namespace

Wire::Wire(asio::io_context& context, const Faults& faults, Random random, Trace& trace, int descriptor)
    : random_(random),
      faults_(faults),
      trace_(trace),
      schedule_(context),
      out_(std::make_shared<io::OutgoingQueue>(asio::posix::stream_descriptor(context, descriptor))),
      stream_free_(io::Clock::now()) {}

void Wire::send(const std::string& lane, Kind kind, json message) {
  message["jsonrpc"] = "2.0";
  int copies = 1;
  bool tells = kind == Kind::Progress || kind == Kind::Diagnostics || kind == Kind::MoreDiagnostics;
  if (!healed_) {
    const bool can_be_lost = kind == Kind::Response || kind == Kind::Progress;
    if (can_be_lost && random_.percent(faults_.drop)) copies = 0;
    if (copies > 0 && kind != Kind::MoreDiagnostics && random_.percent(faults_.duplicate)) copies = 2;
    const bool pushed = kind != Kind::Response && kind != Kind::Request;
    if (pushed && random_.below(1000) < static_cast<std::size_t>(faults_.bad_shape)) {
      message = misshapen(std::move(message), random_);
      tells = false;
    }
  }
  if (copies == 0) trace_.say("lost", message.dump());
  for (; copies > 0; --copies) {
    const auto now = io::Clock::now();
    auto& free = lane_free_.try_emplace(lane, now).first->second;
    io::Clock::time_point when = std::max(now, free);
    if (!healed_ && random_.percent(faults_.delay))
      when += milliseconds(random_.between(0, faults_.max_delay)) + microseconds(random_.between(1, 999));
    if (when <= now) {
      if (tells) note(lane, message);
      write(message);
      continue;
    }
    free = when + microseconds(1);
    schedule_.at(when, [this, lane, tells, message] {
      if (tells) note(lane, message);
      write(message);
    });
  }
}

void Wire::note(const std::string& lane, const json& message) {
  const json& params = message["params"];
  const bool is_progress = params.contains("processing");
  const json& file = is_progress ? params["textDocument"] : params;
  Said& said = said_[lane];
  if (said.version != file.value("version", std::int64_t{-1}))
    said = {file.value("version", std::int64_t{-1}), false, 0, {}};
  if (!is_progress) said.messages = true;
  if (is_progress && !params["processing"].empty())
    said.line = params["processing"][0]["range"]["start"].value("line", 0);
  if (said.messages) said.reported.emplace_back(io::Clock::now(), said.line);
}

int Wire::lines_reported(const std::string& lane, std::int64_t version, io::Clock::time_point by) const {
  const auto found = said_.find(lane);
  int lines = 0;
  if (found == said_.end() || found->second.version != version) return lines;
  for (const auto& [when, line] : found->second.reported)
    if (when <= by) lines = line;
  return lines;
}

void Wire::write(const json& message) {
  std::string body = message.dump();
  trace_.say(silent_ ? "lost" : "<-", body);
  if (silent_) return;
  std::string bytes = rpc::HeaderCodec::encode(body);
  const Doom damage = std::exchange(damage_, Doom::None);
  if (damage != Doom::None) {
    trace_.say("fault", "this message is damaged");
    was_damaged_ = true;
  }
  if (damage == Doom::CutBody) bytes.resize(bytes.size() - 1 - random_.below(body.size() - 1));
  if (damage == Doom::BadLength)
    bytes = "Content-Length: " + std::to_string(body.size() - 1 - random_.below(body.size() - 2)) +
            "\r\n\r\n" + body;
  if (damage == Doom::BadJson) {
    body[0] = "]x\"\x01\xff"[random_.below(5)];
    bytes = rpc::HeaderCodec::encode(body);
  }
  put(std::move(bytes));
}

void Wire::print(std::string bytes) {
  trace_.say("fault", "prints " + std::to_string(bytes.size()) + " bytes that are no message");
  was_damaged_ = true;
  put(std::move(bytes));
}

void Wire::put(std::string bytes) {
  const auto now = io::Clock::now();
  if (stream_free_ <= now && (healed_ || !random_.percent(faults_.split))) {
    out_->send(std::move(bytes));
    return;
  }
  std::size_t at = 0;
  io::Clock::time_point when = std::max(now, stream_free_);
  while (at < bytes.size()) {
    const std::size_t left = bytes.size() - at;
    std::size_t size =
        healed_ || random_.percent(40) ? left : 1 + random_.below(std::min<std::size_t>(left, 200));
    size = std::min(size, left);
    when += microseconds(random_.between(1, 700));
    schedule_.at(when, [out = out_, piece = bytes.substr(at, size)] { out->send(piece); });
    at += size;
  }
  // At the same time as the last piece, the order of the two would be a matter of chance.
  stream_free_ = when + microseconds(1);
}

void Wire::close() {
  schedule_.clear();
  out_->close();
}

}  // namespace leanbridge::faults

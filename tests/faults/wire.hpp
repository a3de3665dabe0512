#pragma once
/// Lean's stdout, with faults. Messages about one file stay in order, as the real server promises; those
/// about different files, and those of the watchdog, overtake each other.

#include "leanbridge/io/byte_stream.hpp"

#include "faults.hpp"
#include "schedule.hpp"
#include "trace.hpp"

#include <map>
#include <memory>
#include <string>

namespace leanbridge::faults {

class Wire {
 public:
  enum class Kind { Response, Progress, Diagnostics, MoreDiagnostics, Request };

  Wire(asio::io_context& context, const Faults& faults, Random random, Trace& trace, int descriptor);

  /// `lane`: the file that the message is about; empty for the watchdog's own.
  void send(const std::string& lane, Kind kind, nlohmann::json message);
  /// Sends text that is not a message.
  void print(std::string bytes);
  /// Loses everything that is sent from now on.
  void silence() { silent_ = true; }
  /// Makes the next message end early, have a wrong length, or not be JSON.
  void damage_next(Doom how) { damage_ = how; }
  bool damaged() const { return was_damaged_; }
  void close();
  /// Stops causing faults.
  void heal() { healed_ = true; }

 private:
  void write(const nlohmann::json& message);
  void put(std::string bytes);

  Random random_;
  const Faults& faults_;
  Trace& trace_;
  Schedule schedule_;
  std::shared_ptr<io::OutgoingQueue> out_;
  std::map<std::string, io::Clock::time_point> lane_free_;
  io::Clock::time_point stream_free_;
  Doom damage_ = Doom::None;
  bool was_damaged_ = false;
  bool silent_ = false;
  bool healed_ = false;
};

}  // namespace leanbridge::faults

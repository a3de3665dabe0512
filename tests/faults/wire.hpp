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

  /// `lane`: the file that it is about; empty: the watchdog's own.
  void send(const std::string& lane, Kind kind, nlohmann::json message);
  /// Text that is no message.
  void print(std::string bytes);
  /// What is sent from now on is lost.
  void silence() { silent_ = true; }
  /// The next message is cut off, has a wrong length, or is no JSON.
  void damage_next(Doom how) { damage_ = how; }
  bool damaged() const { return was_damaged_; }
  void close();
  /// No more faults.
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

#pragma once
/// Lean's stdout, with faults. Messages about one file stay in order, as the real server promises; those
/// about different files, and those of the watchdog, overtake each other.

#include "core/io/byte_stream.hpp"
#include "faults.hpp"
#include "schedule.hpp"
#include "trace.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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
  /// The lines of a file's version, from its first, about which all had been said by then. Only what is sent
  /// while more is to come tells.
  int lines_reported(const std::string& lane, std::int64_t version, io::Clock::time_point by) const;
  void close();
  /// Stops causing faults.
  void heal() { healed_ = true; }

 private:
  /// What was pushed about a version of a file.
  struct Said {
    std::int64_t version = -1;
    bool messages = false;
    int line = 0;  ///< where its last progress report begins
    std::vector<std::pair<io::Clock::time_point, int>> reported;
  };

  void note(const std::string& lane, const nlohmann::json& message);
  void write(const nlohmann::json& message);
  void put(std::string bytes);

  Random random_;
  const Faults& faults_;
  Trace& trace_;
  Schedule schedule_;
  std::shared_ptr<io::OutgoingQueue> out_;
  std::map<std::string, io::Clock::time_point> lane_free_;
  std::map<std::string, Said> said_;
  io::Clock::time_point stream_free_;
  Doom damage_ = Doom::None;
  bool was_damaged_ = false;
  bool silent_ = false;
  bool healed_ = false;
};

}  // namespace leanbridge::faults

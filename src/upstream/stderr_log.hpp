#pragma once
/// A server's stderr in our log, line by line, as much of it as a log can bear.

#include "leanbridge/io/condition.hpp"
#include "leanbridge/upstream/config.hpp"

#include <string>
#include <string_view>

namespace leanbridge::upstream {

class StderrLog {
 public:
  /// `server` outlives it.
  explicit StderrLog(const ServerConfig& server) : server_(server) {}
  void add(std::string_view bytes);

 private:
  void line(std::string_view text);

  const ServerConfig& server_;
  std::string unfinished_;  // at most kLongestLine bytes of the line that has begun
  io::Clock::time_point window_{};
  int in_window_ = 0;
  std::size_t left_out_ = 0;
};

}  // namespace leanbridge::upstream

#pragma once
/// A server's stderr in our log, line by line, as much of it as a log can bear.

#include "leanbridge/io/condition.hpp"

#include <string>
#include <string_view>

namespace leanbridge::upstream {

class StderrLog {
 public:
  explicit StderrLog(std::string server) : server_(std::move(server)) {}
  void add(std::string_view bytes);

 private:
  void line(std::string_view text);

  std::string server_;
  std::string unfinished_;  // at most kLongestLine bytes of the line that has begun
  io::Clock::time_point window_{};
  int in_window_ = 0;
  std::size_t left_out_ = 0;
};

}  // namespace leanbridge::upstream

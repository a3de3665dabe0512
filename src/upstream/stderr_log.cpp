#include "stderr_log.hpp"

#include "leanbridge/base/log.hpp"

#include "incoming.hpp"

#include <algorithm>

namespace leanbridge::upstream {

namespace {
constexpr std::size_t kLongestLine = 1000;  // bytes; the rest of a longer one is left out
constexpr int kLinesPerWindow = 100;
constexpr auto kWindow = std::chrono::seconds(10);
}  // namespace

void StderrLog::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    unfinished_ += part.substr(0, std::min(part.size(), kLongestLine - unfinished_.size()));
    if (end == std::string_view::npos) return;
    line(unfinished_);
    unfinished_.clear();
    bytes.remove_prefix(end + 1);
  }
}

void StderrLog::line(std::string_view text) {
  const auto now = io::Clock::now();
  if (now - window_ > kWindow) {
    if (left_out_ > 0) log::info("upstream {}: {} lines of stderr are left out", server_.name, left_out_);
    window_ = now;
    in_window_ = 0;
    left_out_ = 0;
  }
  if (in_window_ >= kLinesPerWindow) {
    ++left_out_;
    return;
  }
  ++in_window_;
  log::info("upstream {}: {}", server_.name, printable(server_, text));
}

}  // namespace leanbridge::upstream

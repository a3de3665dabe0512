#include "utc_time.hpp"

#include <ctime>

namespace leanbridge {

std::string utc_time(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm utc{};
  char text[32] = "";
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", ::gmtime_r(&seconds, &utc));
  return text;
}

}  // namespace leanbridge

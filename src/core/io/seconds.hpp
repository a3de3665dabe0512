#pragma once
/// Options and arguments count in seconds, with fractions.

#include "clock.hpp"

namespace leanbridge::io {

inline Clock::duration to_duration(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace leanbridge::io

#pragma once
/// Times in a form for people and machines.

#include <chrono>
#include <string>

namespace leanbridge {

/// The time in UTC by ISO 8601, to the second: 2026-11-24T16:40:00Z.
std::string utc_time(std::chrono::system_clock::time_point time = std::chrono::system_clock::now());

}  // namespace leanbridge

#pragma once
/// What happens in a run, to find the cause of a failure, and the failures themselves.

#include "core/io/clock.hpp"
#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace leanbridge::faults {

class Trace {
 public:
  explicit Trace(bool print) : print_(print), start_(io::Clock::now()) {}

  bool prints() const { return print_; }
  /// `who`: "call", "disk", "lean", ...
  void say(const char* who, const std::string& text) {
    for (const char c : text)
      fingerprint_ = (fingerprint_ ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    fingerprint_ ^= static_cast<std::uint64_t>((io::Clock::now() - start_).count());
    if (print_) std::printf("%10.3f ms  %-5s %s\n", elapsed_ms(), who, text.c_str());
  }
  void fail(const std::string& text) {
    failures_.push_back(text);
    say("FAIL", text);
  }

  const std::vector<std::string>& failures() const { return failures_; }
  /// A hash of all that was said and when: two runs of one seed have the same.
  std::uint64_t fingerprint() const { return fingerprint_; }
  double elapsed_ms() const {
    return std::chrono::duration<double, std::milli>(io::Clock::now() - start_).count();
  }

 private:
  bool print_;
  io::Clock::time_point start_;
  std::uint64_t fingerprint_ = 14695981039346656037ULL;
  std::vector<std::string> failures_;
};

}  // namespace leanbridge::faults

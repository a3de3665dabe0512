#pragma once
/// What all commands say in the same way.

#include "leanbridge/base/error.hpp"

#include <nlohmann/json.hpp>

namespace leanbridge::app {

/// Exit codes; 0 is success.
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kInterrupted = 130;

/// On stdout: indented on a terminal, else on one line.
void print_json(const nlohmann::json& value);

/// {"kind", "message", "hint"}, as in a tool's error.
nlohmann::json error_json(const Error& error);

/// On stderr, on one line.
void print_error(const Error& error);
/// The same; returns kUsage.
int usage(const Error& error);
/// The same; returns the exit code: kUsage for InvalidArgument, which is the command line's fault, else
/// kFailed.
int report(const Error& error);

/// One line on stderr that is written again and again, where that is a terminal, and goes at the end.
class ProgressLine {
 public:
  ProgressLine() = default;
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }
  void show(const std::string& text);
  void clear();

 private:
  bool shown_ = false;
};

}  // namespace leanbridge::app

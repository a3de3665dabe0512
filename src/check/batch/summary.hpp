#pragma once
/// Counts of a batch's verdicts, for display: progress while it runs, a summary at its end, JUnit's XML.
/// Pure, no I/O.

#include "core/io/operation.hpp"
#include "verdict.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace leanbridge::batch {

struct Summary {
  std::array<std::size_t, kVerdicts> counts{};  ///< by Verdict
  std::size_t skipped = 0;                      ///< judged in an earlier run
  std::size_t workers = 0;
  std::size_t loads = 0;  ///< number of headers that workers loaded
  double seconds = 0;
  bool complete = false;  ///< all items were judged

  void add(Verdict verdict) { ++counts[static_cast<std::size_t>(verdict)]; }
  std::size_t of(Verdict verdict) const { return counts[static_cast<std::size_t>(verdict)]; }
  std::size_t judged() const;
  double per_second() const { return seconds > 0 ? static_cast<double>(judged()) / seconds : 0; }
};

/// {"judged", "verdicts": {...}, "skipped", "complete", "seconds", "per_second", "workers", "header_loads"}.
nlohmann::json to_json(const Summary& summary);

/// "400 judged: 300 ok, 40 sorry, 60 error; 12.3 a second".
std::string one_line_of(const Summary& summary);

/// For a bar, which has `total` if it is known: the rate, the verdicts, and the remaining time.
io::Progress progress_of(const Summary& summary, std::optional<std::size_t> total);

/// `3:07`, or `1:02:09` from an hour on.
std::string clock_text(double seconds);

/// The beginning of a JUnit file, padded to the same length whatever the numbers are: it is written first,
/// and again when the numbers are known.
std::string junit_head(const Summary& summary);
/// One test case.
std::string junit_case(const Report& report);
std::string junit_tail();

}  // namespace leanbridge::batch

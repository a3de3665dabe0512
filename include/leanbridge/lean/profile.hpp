#pragma once
/// Reading what Lean's profiler reports about a declaration: messages of the options `profiler` ("simp took
/// 3ms") and `trace.profiler` (a tree of `[class] [seconds] what`).

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::lean {

/// Adds the times of a message of `profiler`, in milliseconds, by category ("tactic execution", "simp", ...).
void add_categories(std::string_view message, std::map<std::string, double>& ms_by_category);

/// A node of a trace.
struct ProfileNode {
  int depth = 0;         ///< indentation; 0 at the top
  std::string category;  ///< "Elab.step", "Meta.synthInstance", ...
  double ms = 0;
  std::string text;  ///< on the same line: for a tactic, the beginning of its source
};
std::vector<ProfileNode> read_trace(std::string_view message);

struct LineTime {
  int line = 1;  ///< of `lines`, from 1
  double ms = 0;
  std::string text;  ///< the line, trimmed
};

/// The times of tactics, put to the lines that they begin: a trace has no positions, so by their text and
/// order. `lines`: the source of the declaration. Longest first.
std::vector<LineTime> time_lines(const std::vector<ProfileNode>& nodes,
                                 const std::vector<std::string_view>& lines);

}  // namespace leanbridge::lean

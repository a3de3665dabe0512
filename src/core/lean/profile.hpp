#pragma once
/// Reads the output of Lean's profiler: messages of the options `profiler` ("simp took 3ms") and
/// `trace.profiler` (a tree of `[class] [seconds] what`).

#include "core/base/json_struct.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::lean {

/// Adds up the times in a message of `profiler`, in ms by category ("tactic execution", "simp", ...).
void add_categories(std::string_view message, std::map<std::string, double>& ms_by_category);

/// A node of a trace.
struct ProfileNode {
  int depth = 0;         ///< indentation; 0 at the top
  std::string category;  ///< "Elab.step", "Meta.synthInstance", ...
  double ms = 0;
  std::string text;  ///< the rest of the line; for a tactic, the beginning of its source
};
std::vector<ProfileNode> read_trace(std::string_view message);

struct LineTime {
  int line = 1;  ///< of `lines`, from 1
  double ms = 0;
  std::string text;  ///< the line, trimmed

  static wire::Fields fields() { return wire::fields<&LineTime::line, &LineTime::ms, &LineTime::text>(); }
};

/// The times of tactics by the lines on which they begin, longest first. A trace has no positions, so tactics
/// are matched by text and order. `lines`: the source of the declaration.
std::vector<LineTime> time_lines(const std::vector<ProfileNode>& nodes,
                                 const std::vector<std::string_view>& lines);

}  // namespace leanbridge::lean

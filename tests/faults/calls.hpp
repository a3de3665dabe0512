#pragma once
/// The tools that runs call beside those that they know well: every one that can do with a modelled Lean.
/// Arguments follow from the tool's own list of them, so that a new tool is called without a line here.

#include "leanbridge/mcp/tool.hpp"

#include "texts.hpp"

#include <set>
#include <string>
#include <vector>

namespace leanbridge::faults {

/// A tool that is not called, and what world it would need.
struct LeftOut {
  const char* tool;
  const char* why;
};
const std::vector<LeftOut>& left_out();

/// What is wrong with the list, a sentence each: a name of no tool, a reason that is missing.
std::vector<std::string> problems_of_list(const std::vector<mcp::Tool>& all);

/// Those that have calls and checks of their own (World::call, Judge).
bool is_known_well(const std::string& tool);

/// Of the others: does it try texts of its own in scratch documents, or in a compiler? What it says of these
/// is not in the file.
bool tries_texts(const std::string& tool);

/// Arguments that fit the tool, most of them sensible: of a file, a place in it, a name that is there.
nlohmann::json arguments_from(const mcp::Tool& tool, const std::string& file, const std::string& content,
                              Random& random, Texts& texts);

}  // namespace leanbridge::faults

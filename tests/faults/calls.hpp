#pragma once
/// The tools that runs call without checks of their own: all that work with a modelled Lean. Arguments follow
/// from the tool's schema, so that a new tool is called without a change here.

#include "core/mcp/tool.hpp"
#include "texts.hpp"

#include <set>
#include <string>
#include <vector>

namespace leanbridge::faults {

/// A tool that is not called, and what it would need.
struct LeftOut {
  const char* tool;
  const char* why;
};
const std::vector<LeftOut>& left_out();

/// What is wrong with the list, in one sentence each: an unknown tool, a missing reason.
std::vector<std::string> problems_of_list(const std::vector<mcp::Tool>& all);

/// The tools with calls and checks of their own (World::call, Judge).
bool is_known_well(const std::string& tool);

/// Whether one of the other tools tries texts of its own, in scratch documents or a compiler. What it says
/// about them is not about the file.
bool tries_texts(const std::string& tool);

/// Arguments that fit the tool, most of them sensible: a file, a position in it, a name that it declares.
nlohmann::json arguments_from(const mcp::Tool& tool, const std::string& file, const std::string& content,
                              Random& random, Texts& texts);

}  // namespace leanbridge::faults

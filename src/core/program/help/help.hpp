#pragma once
/// The texts of `leanbridge help`, `--help` and the greeting. The manual page and the completions are made
/// from help_json() (scripts/lib/packaging).

#include "core/mcp/tool.hpp"
#include "core/terminal/terminal.hpp"
#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace leanbridge::app {

/// The layout of a text for people: the window's width, and whether it has colours.
struct HelpLayout {
  std::size_t width = 100;
  Paint paint{false};

  static HelpLayout of(std::FILE* stream) { return {width_of(stream), paint_for(stream)}; }
};

/// The help of a command, or of the program: usage, commands by group, examples, options.
///
/// An app's footer has the rest: lines that begin with two spaces are examples, with two spaces or more
/// before the explanation of each; other lines are paragraphs.
std::string help_text(const CLI::App& command, const HelpLayout& layout);

/// The commands of the program by group, one line for each in a window of 80 columns: a screen.
std::string overview_text(const CLI::App& program, const HelpLayout& layout);

/// The help of a tool: its purpose and its arguments.
std::string tool_help_text(const mcp::Tool& tool, const HelpLayout& layout);

/// The text for a person who has typed `leanbridge` alone.
std::string greeting_text(const HelpLayout& layout);

/// The command and all commands below it: {"words", "summary", "usage", "positionals", "options", "examples",
/// "notes", "commands"}.
nlohmann::json help_json(const CLI::App& command);

/// The command below `app` with these words; null if there is none.
const CLI::App* find_command(const CLI::App& app, const std::vector<std::string>& words);

/// The words of the command, beginning with the program's name.
std::string name_of(const CLI::App& command);

}  // namespace leanbridge::app

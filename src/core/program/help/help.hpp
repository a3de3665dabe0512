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

/// For the text of a person: the window's width, and colours if it has any.
struct HelpLayout {
  std::size_t width = 100;
  Paint paint{false};

  static HelpLayout of(std::FILE* stream) { return {width_of(stream), paint_for(stream)}; }
};

/// Of a command, or of the program: usage, commands by group, examples, options.
///
/// An app's footer has the rest: lines that begin with two spaces are examples, with two spaces or more
/// before the explanation of each; other lines are paragraphs.
std::string help_text(const CLI::App& command, const HelpLayout& layout);

/// Of a tool: what it does, and its arguments.
std::string tool_help_text(const mcp::Tool& tool, const HelpLayout& layout);

/// For somebody who has typed `leanbridge` and nothing else.
std::string greeting_text(const HelpLayout& layout);

/// The command and all below it: {"words", "summary", "usage", "positionals", "options", "examples",
/// "notes", "commands"}.
nlohmann::json help_json(const CLI::App& command);

/// The command that `words` name below `app`; null if there is none.
const CLI::App* find_command(const CLI::App& app, const std::vector<std::string>& words);

/// The words that name it, the program's first.
std::string name_of(const CLI::App& command);

}  // namespace leanbridge::app

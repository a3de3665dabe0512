#include "usage_hint.hpp"

#include "leanbridge/base/similar.hpp"

#include <utility>
#include <vector>

namespace leanbridge::app {

namespace {

void add_commands_of(const CLI::App& app, std::vector<std::string>& words) {
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_name().empty() && !command->get_group().empty()) words.push_back(command->get_name());
}

void add_options_of(const CLI::App& app, std::vector<std::string>& words) {
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
}

// The command that was being read when it went wrong.
const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().back();
  return *command;
}

}  // namespace

std::string usage_hint(const CLI::App& app) {
  const std::vector<std::string> rest = app.remaining(true);
  if (rest.empty()) return {};
  const std::string word = rest.front().substr(0, rest.front().find('='));
  if (word.starts_with("lean_"))
    return "To run a tool: leanbridge call " + word + "; leanbridge tools lists them.";
  const CLI::App& command = innermost(app);
  std::vector<std::string> known;
  if (word.starts_with("--")) {
    add_options_of(command, known);
    if (&command != &app) add_options_of(app, known);
  } else {
    add_commands_of(command, known);
  }
  const auto meant = closest_words(word, known, 2);
  return meant.empty() ? "" : "Did you mean " + either_of(meant) + "?";
}

}  // namespace leanbridge::app

// leanbridge todo: lean_todo for people.

#include "core/program/call.hpp"
#include <CLI/CLI.hpp>

namespace leanbridge::app {

namespace {

int todo(const Options& given) {
  Options options = given;
  options.groups.insert("together");
  options.call.tool = "lean_todo";
  return call(options);
}

}  // namespace

void add_todo(CLI::App& app, Options& options) {
  CLI::App* command = app.add_subcommand("todo", "List what is left to prove, what is ready first");
  command->footer(
      "  leanbridge todo                 each open place, its goal, and who holds it (docs/together.md)\n"
      "  leanbridge todo | jq .open      JSON for a program\n\n"
      "The same as leanbridge call lean_todo.\n"
      "Exit status: 0 if it is listed, 1 if it cannot be, 2 for wrong usage, 130 if interrupted.");
  command->fallthrough();
  command->add_option("ARGUMENT", options.call.words, "timeout_s=SECONDS, verbose=true");
  command->callback([&options] { options.command = todo; });
}

}  // namespace leanbridge::app

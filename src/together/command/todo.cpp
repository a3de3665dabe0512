// leanbridge todo: lean_todo for people.

#include "core/program/call.hpp"
#include "core/program/output.hpp"
#include "core/program/runtime.hpp"
#include "together/claims/claim_guard.hpp"
#include "together/together_part.hpp"
#include <CLI/CLI.hpp>

#include <cstdio>

namespace leanbridge::app {

namespace {

// The record of the project, a line of JSON each, for programs and people.
int print_log(const Options& options) {
  Runtime runtime(options);
  const auto project = runtime.workspace().project("");
  if (!project) return usage(project.error());
  const auto folder = together::ClaimGuard(runtime.environment().cache, "").folder_of((*project)->root());
  if (!folder) return usage(folder.error());
  for (const together::RecordLine& each : together::read_record(*folder))
    std::printf("%s\n",
                wire::write(each).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace).c_str());
  return 0;
}

int todo(const Options& given) {
  if (given.of<TogetherOptions>().log) return print_log(given);
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
      "  leanbridge todo | jq .open      JSON for a program\n"
      "  leanbridge todo --log           who has claimed, written and released what, and what was refused\n\n"
      "The same as leanbridge call lean_todo.\n"
      "Exit status: 0 if it is listed, 1 if it cannot be, 2 for wrong usage, 130 if interrupted.");
  command->fallthrough();
  command->add_flag("--log", options.of<TogetherOptions>().log, "Print the record, a line of JSON each");
  command->add_option("ARGUMENT", options.call.words, "timeout_s=SECONDS, verbose=true");
  command->callback([&options] { options.command = todo; });
}

}  // namespace leanbridge::app

#include "support/orphan_maker.hpp"

#include "core/io/child_process.hpp"
#include "core/lean/project.hpp"
#include <unistd.h>

namespace leanbridge::test {

int make_orphans(const char* script) {
  asio::io_context context(1);
  io::ChildCommand command;
  command.argv = {"/bin/sh", "-c", script};
  command.directory = "/";
  command.environment = lean::environment_for_lake();
  io::ChildProcess::Events events;
  events.on_stdout = [](std::string_view) { return ::write(STDOUT_FILENO, "started\n", 8) == 8; };
  events.on_stdout_end = [] {};
  const auto child = io::ChildProcess::spawn(context, std::move(command), std::move(events));
  if (!child) return 1;
  context.run();
  return 0;
}

}  // namespace leanbridge::test

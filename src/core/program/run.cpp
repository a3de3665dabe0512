#include "run.hpp"

#include "leanbridge/part.hpp"

#include "core/base/log.hpp"
#include "core/platform/program.hpp"
#include "core/platform/supervisor.hpp"
#include "core/program/help/help.hpp"
#include "output.hpp"
#include "serve.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace leanbridge::app {

namespace {

/// Success becomes failure if the output did not arrive, for example because a disk is full. A reader that
/// has closed the pipe is no error worth a message.
int with_whole_output(int code) {
  errno = 0;
  const bool whole = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (whole || code != 0) return code;
  if (errno != EPIPE)
    print_error(
        Error(ErrorKind::Internal, "Not all of the output could be written to stdout.", "Free some space."));
  return kFailed;
}

}  // namespace

int run(int argc, char** argv) {
  platform::remember_program(argv[0]);
  if (argc > 3 && std::strcmp(argv[1], platform::kSuperviseCommand) == 0)
    return platform::supervise(std::atoi(argv[2]), argv + 3);
  for (const auto& part : parts())
    if (const auto code = part->begin(argc, argv)) return *code;
  // Lean runs the project's code as our user. Without this, that code could read in our process the variables
  // that we removed from its environment. It also keeps debuggers out, hence the variable.
  if (!std::getenv("LEANBRIDGE_DUMPABLE")) platform::hide_from_others();
  const auto were_open = claim_standard_descriptors();
  // A host starts the server over pipes.
  if (argc == 1 && is_terminal(stdin)) {
    std::fputs(greeting_text(HelpLayout::of(stdout)).c_str(), stdout);
    return with_whole_output(0);
  }
  Options options;
  if (const auto code = read_options(argc, argv, options)) return *code;
  log::configure(options.log_level, options.log_file);  // the default logger writes to stdout
  if (options.command) {
    const int code = options.command(options);
    if (code == kInterrupted && is_terminal(stderr)) std::fputs("\r\x1b[Kleanbridge: interrupted\n", stderr);
    return with_whole_output(code);
  }
  for (const auto& part : parts())
    if (const auto code = part->serve(options, were_open)) return *code;
  return serve(options, were_open);
}

}  // namespace leanbridge::app

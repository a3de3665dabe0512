#include "run.hpp"

#include "leanbridge/base/log.hpp"
#include "leanbridge/io/supervisor.hpp"

#include "app/commands/commands.hpp"
#include "app/commands/output.hpp"
#include "app/help/help.hpp"
#include "app/http/serve_http.hpp"
#include "app/shared/shared.hpp"
#include "serve.hpp"
#include <sys/prctl.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace leanbridge::app {

namespace {

int run_command(const Options& options) {
  switch (options.command) {
    case Command::Call:
      return call(options);
    case Command::Tools:
      return list_tools(options);
    case Command::ToolHelp:
      return help_with_tools(options);
    case Command::Doctor:
      return options.probe ? doctor_probe(options) : doctor(options);
    case Command::IndexBuild:
      return index_build(options);
    case Command::IndexStatus:
      return index_status(options);
    case Command::Fill:
      return fill(options);
    case Command::Imports:
      return imports(options);
    case Command::Search:
      return search(options);
    case Command::Check:
      return check(options);
    case Command::Certify:
      return certify(options);
    case Command::Diff:
      return diff(options);
    case Command::Setup:
      return setup(options);
    case Command::Mcp:
      return options.mcp.run(options);
    case Command::SharedServer:
      return run_shared_server(options);
    case Command::Status:
      return status(options);
    case Command::View:
      return view(options);
    case Command::Serve:
      break;
  }
  return kUsage;
}

/// Success is none if its output did not arrive, because a disk is full. A reader that has had enough is no
/// error worth a message.
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
  if (argc > 3 && std::strcmp(argv[1], io::kSuperviseCommand) == 0)
    return io::supervise(std::atoi(argv[2]), argv + 3);
  if (argc > 1 && std::strcmp(argv[1], kSharedServerCommand) == 0)
    if (const auto code = leave_parent()) return *code;
  // Lean runs the project's code as our user. Without this, that code could read from our /proc entry what we
  // removed from its environment. It also keeps debuggers out, hence the variable.
  if (!std::getenv("LEANBRIDGE_DUMPABLE")) ::prctl(PR_SET_DUMPABLE, 0);
  const auto were_open = claim_standard_descriptors();
  // A host starts the server over pipes.
  if (argc == 1 && is_terminal(stdin)) {
    std::fputs(greeting_text(HelpLayout::of(stdout)).c_str(), stdout);
    return with_whole_output(0);
  }
  Options options;
  if (const auto code = read_options(argc, argv, options)) return *code;
  log::configure(options.log_level, options.log_file);  // the default logger writes to stdout
  if (options.command != Command::Serve) return with_whole_output(run_command(options));
  if (!options.http.address.empty()) return serve_http(options);
  if (options.shared)
    if (const auto code = serve_shared(options, were_open)) return *code;
  return serve(options, were_open);
}

}  // namespace leanbridge::app

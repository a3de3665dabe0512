// The entry point: the hidden supervisor, the server, a client of the shared one, or one of the commands.

#include "leanbridge/base/log.hpp"
#include "leanbridge/io/supervisor.hpp"

#include "app/commands/commands.hpp"
#include "app/http/serve_http.hpp"
#include "app/shared/shared.hpp"
#include "serve.hpp"
#include <sys/prctl.h>

#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
  if (argc > 3 && std::strcmp(argv[1], leanbridge::io::kSuperviseCommand) == 0)
    return leanbridge::io::supervise(std::atoi(argv[2]), argv + 3);
  if (argc > 1 && std::strcmp(argv[1], leanbridge::app::kSharedServerCommand) == 0)
    if (const auto code = leanbridge::app::leave_parent()) return *code;
  // Lean runs the project's code as our user. Without this, that code could read from our /proc entry what we
  // removed from its environment. It also keeps debuggers out, hence the variable.
  if (!std::getenv("LEANBRIDGE_DUMPABLE")) ::prctl(PR_SET_DUMPABLE, 0);
  const auto were_open = leanbridge::app::claim_standard_descriptors();
  leanbridge::app::Options options;
  if (const auto code = leanbridge::app::read_options(argc, argv, options)) return *code;
  leanbridge::log::configure(options.log_level, options.log_file);  // the default logger writes to stdout
  switch (options.command) {
    case leanbridge::app::Command::Call:
      return leanbridge::app::call(options);
    case leanbridge::app::Command::Tools:
      return leanbridge::app::list_tools(options);
    case leanbridge::app::Command::Doctor:
      return leanbridge::app::doctor(options);
    case leanbridge::app::Command::IndexBuild:
      return leanbridge::app::index_build(options);
    case leanbridge::app::Command::IndexStatus:
      return leanbridge::app::index_status(options);
    case leanbridge::app::Command::Search:
      return leanbridge::app::search(options);
    case leanbridge::app::Command::Check:
      return leanbridge::app::check(options);
    case leanbridge::app::Command::CacheClear:
      return leanbridge::app::cache_clear(options);
    case leanbridge::app::Command::LoogleInstall:
      return leanbridge::app::loogle_install(options);
    case leanbridge::app::Command::Certify:
      return leanbridge::app::certify(options);
    case leanbridge::app::Command::Setup:
      return leanbridge::app::setup(options);
    case leanbridge::app::Command::Mcp:
      return options.mcp.run(options);
    case leanbridge::app::Command::SharedServer:
      return leanbridge::app::run_shared_server(options);
    case leanbridge::app::Command::Status:
      return leanbridge::app::status(options);
    case leanbridge::app::Command::View:
      return leanbridge::app::view(options);
    case leanbridge::app::Command::Serve:
      break;
  }
  if (!options.http.address.empty()) return leanbridge::app::serve_http(options);
  if (options.shared)
    if (const auto code = leanbridge::app::serve_shared(options, were_open)) return *code;
  return leanbridge::app::serve(options, were_open);
}

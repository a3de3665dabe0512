// The test runner, and the programs that the tests start: as with the bridge, these are the same executable
// with a hidden subcommand.

#define CATCH_CONFIG_RUNNER
#include "core/base/log.hpp"
#include "core/platform/program.hpp"
#include "core/platform/supervisor.hpp"
#include "support/hidden_command.hpp"
#include "support/orphan_maker.hpp"
#include "support/relay.hpp"
#include <catch2/catch.hpp>
#include <signal.h>

#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
  using namespace leanbridge;
  platform::remember_program(argv[0]);
  if (argc > 3 && std::strcmp(argv[1], platform::kSuperviseCommand) == 0)
    return platform::supervise(std::atoi(argv[2]), argv + 3);
  if (argc > 2 && std::strcmp(argv[1], test::kRelayCommand) == 0) return test::relay(argv[2]);
  if (argc > 2 && std::strcmp(argv[1], test::kOrphanMakerCommand) == 0) return test::make_orphans(argv[2]);
  for (const auto& [name, run] : test::HiddenCommand::all())
    if (argc > 2 && name == argv[1]) return run({argv + 2, argv + argc});
  ::signal(SIGPIPE, SIG_IGN);  // as in app/serve.cpp
  log::configure("off", "");
  return Catch::Session().run(argc, argv);
}

#pragma once
/// Programs that the tests start: as with the bridge, each is the same executable with a hidden subcommand.

#include <string>
#include <vector>

namespace leanbridge::test {

/// Registers one; make them static.
struct HiddenCommand {
  using Run = int (*)(const std::vector<std::string>& arguments);

  HiddenCommand(const char* name, Run run) { all().push_back({name, run}); }

  struct Entry {
    std::string name;  ///< argv[1]
    Run run;           ///< gets what follows; returns the exit code
  };
  static std::vector<Entry>& all() {
    static std::vector<Entry> entries;
    return entries;
  }
};

}  // namespace leanbridge::test

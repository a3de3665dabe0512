// Errors of commands that take several files.

#include "desk/commands/commands.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::app {

namespace {

// What stands in the lines about these files, "Folder/A.lean" and so on, in their order.
std::vector<std::string> lines(ErrorKind kind,
                               const std::vector<std::pair<std::string, std::string>>& errors) {
  std::map<std::string, std::string> said;
  std::vector<std::string> all;
  for (const auto& [file, message] : errors)
    all.push_back(said_once(said, file, Error(kind, message)).message);
  return all;
}

}  // namespace

TEST_CASE("a fault that several files have is said once", "[desk]") {
  const std::string fault =
      ", so nothing in it is elaborated: `P.X`, which this file imports, does not compile: line 1: Type "
      "mismatch";
  const std::string start = "Lean could not load the imports of ";
  const std::string other = start + "P/C.lean, so nothing in it is elaborated: unknown module prefix 'Y'";
  CHECK(lines(ErrorKind::LeanUnavailable, {{"P/A.lean", start + "P/A.lean" + fault},
                                           {"B.lean", start + "P/B.lean" + fault},
                                           {"P/C.lean", other},
                                           {"P/D.lean", start + "P/D.lean" + fault}}) ==
        std::vector<std::string>{start + "P/A.lean" + fault, "B.lean: as P/A.lean.", other,
                                 "P/D.lean: as P/A.lean."});
  const std::string project = "Lake could not load the project /p, so nothing in ";
  const std::string said = " is elaborated. It said:\nerror: lakefile.toml:1:7: expected a value";
  CHECK(lines(ErrorKind::LeanUnavailable,
              {{"A.lean", project + "A.lean" + said}, {"B.lean", project + "B.lean" + said}})[1] ==
        "B.lean: as A.lean.");
}

TEST_CASE("a file that is missing, or is not named, has an error of its own", "[desk]") {
  CHECK(lines(ErrorKind::FileNotFound,
              {{"A.lean", "File not found: A.lean."}, {"B.lean", "File not found: B.lean."}})[1] ==
        "File not found: B.lean.");
  CHECK(lines(ErrorKind::Timeout, {{"A.lean", "Time ran out."}, {"B.lean", "Time ran out."}})[1] ==
        "Time ran out.");
}

}  // namespace leanbridge::app

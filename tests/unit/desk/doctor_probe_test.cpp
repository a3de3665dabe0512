// What a report of probes must not contain.

#include "desk/doctor/probe.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::app {

TEST_CASE("a report has no names and paths of the machine", "[doctor]") {
  const std::vector<std::string> names = {"alices-laptop", "alice"};
  const auto shown = [&](const char* text) {
    return without_names(text, "/tmp/leanbridge-x1", "/home/alice/secret", names);
  };
  CHECK(shown("LEAN_PATH=/tmp/leanbridge-x1/own/.lake:/home/alice/.elan/lib") ==
        "LEAN_PATH=PROBE/own/.lake:PATH");
  CHECK(shown("in /home/alice/secret/A.lean: no") == "in PROJECT/A.lean: no");
  CHECK(shown("file:///home/bob/x.lean \"/opt/a b\"") == "file:PATH \"PATH b\"");
  CHECK(shown("alice at alices-laptop") == "NAME at NAME");
  CHECK(shown("leanprover/lean4:v4.29.0, 1 / 2, [3/4]") == "leanprover/lean4:v4.29.0, 1 / 2, [3/4]");
  CHECK(without_names("/a/b", "/tmp/f", "", {}) == "PATH");
}

TEST_CASE("each probe names an assumption", "[doctor]") {
  for (const auto& group : {probes_of_lake(), probes_of_lean(), probes_of_project()})
    for (const Probe& probe : group) CHECK(std::string_view(probe.assumption).starts_with('A'));
}

}  // namespace leanbridge::app

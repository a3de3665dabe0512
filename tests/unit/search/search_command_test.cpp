// What `leanbridge search` says of sources that have not answered.

#include "search/command/commands.hpp"
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace leanbridge::app {

namespace {

using Lines = std::vector<std::string>;

nlohmann::json failed(const char* source, const std::string& error, const char* status = "unavailable") {
  return {{"source", source}, {"status", status}, {"error", error}};
}

}  // namespace

TEST_CASE("without the internet, the reason is said once for all services", "[search][command]") {
  const std::string unknown = " could not be resolved.";
  CHECK(reasons_in({{{"source", "local"}, {"status", "ok"}, {"error", nullptr}},
                    failed("leansearch", "LeanSearch: The host name of leansearch.net:443" + unknown),
                    failed("leanfinder", "Lean Finder: The host name of [fe80::1:2]:8080" + unknown),
                    failed("loogle", "Loogle: The host name of loogle.lean-lang.org:443" + unknown)}) ==
        Lines{"leansearch, leanfinder, loogle: unavailable: The host name of its address" + unknown});
}

TEST_CASE("a reason of one source is whole, and other reasons have lines of their own", "[search][command]") {
  const std::string refused =
      "Loogle: Nothing accepts connections at 127.0.0.1:9, or its proxy refuses them.";
  CHECK(reasons_in({failed("loogle", refused), failed("leanexplore", "leanexplore timed out.", "timeout"),
                    failed("hammer", "Not for words.", "skipped")}) ==
        Lines{"leanexplore: timeout: leanexplore timed out.", "loogle: unavailable: " + refused});
}

TEST_CASE("the index that stands in for several services is named once", "[search][command]") {
  const std::string none = "There is no index at 12:30 o'clock: lake is missing.";
  CHECK(reasons_in({failed("local", none), failed("local", none)}) == Lines{"local: unavailable: " + none});
}

}  // namespace leanbridge::app

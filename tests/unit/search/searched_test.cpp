// The sources of an answer on one line.

#include "leanbridge/search/engine.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::search {

namespace {

SourceReport of(std::string source, SourceStatus status = SourceStatus::Ok) {
  SourceReport report;
  report.source = std::move(source);
  report.status = status;
  return report;
}

SourceReport offline(std::string source) {
  SourceReport report = of(std::move(source), SourceStatus::Disabled);
  report.offline = true;
  return report;
}

SourceReport in_place_of(std::string source) {
  SourceReport report = of(kLocal);
  report.fallback_for = std::move(source);
  return report;
}

}  // namespace

TEST_CASE("which sources were searched, and which could not be", "[search]") {
  using enum SourceStatus;
  CHECK(searched_line({of("leansearch"), of("loogle"), of(kLocal), of(kLocal)}) ==
        "local, leansearch, loogle");
  CHECK(searched_line({offline("leansearch"), offline("loogle"), of(kLocal), in_place_of("loogle")}) ==
        "local only (offline)");
  CHECK(searched_line({of("leansearch"), of("leanfinder", Late), in_place_of("leanfinder"), of(kLocal)}) ==
        "local, leansearch (leanfinder late)");
  CHECK(searched_line({of("leansearch", Unavailable), of("loogle", ServerError), of(kLocal)}) ==
        "local only (leansearch unavailable, loogle server error)");
  CHECK(searched_line({of("loogle", Unavailable), in_place_of("loogle")}) ==
        "local in place of loogle (loogle unavailable)");
  CHECK(searched_line({offline("loogle"), in_place_of("loogle")}) == "local in place of loogle (offline)");
  CHECK(searched_line({of("leansearch"), offline("loogle"), of(kLocal)}) == "local, leansearch");
  CHECK(searched_line({of("leanexplore", Disabled), of("loogle", Skipped), of(kLocal)}) == "local");
  CHECK(searched_line({of("leansearch", Auth), of(kLocal, BackendError)}) ==
        "nothing (leansearch auth, local backend error)");
  CHECK(searched_line({offline("loogle"), of(kLocal), of(kProofSearch)}) == "local, exact? (offline)");
  CHECK(searched_line({of("loogle"), of(kLocal), of(kProofSearch, Timeout)}) ==
        "local, loogle (exact? timeout)");
  CHECK(searched_line({}) == "nothing");
}

TEST_CASE("a search of a part is called that", "[search]") {
  SourceReport index = of(kLocal);
  index.partial = true;
  CHECK(searched_line({index}) == "local (index incomplete)");
  CHECK(searched_line({of("loogle"), index}) == "local, loogle (index incomplete)");
  CHECK(searched_line({offline("loogle"), index}) == "local only (offline, index incomplete)");
  SourceReport data = of("leanexplore_local");
  data.partial = true;
  CHECK(searched_line({of(kLocal), data}) == "local, leanexplore_local (leanexplore_local partial)");
}

}  // namespace leanbridge::search

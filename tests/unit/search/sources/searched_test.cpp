// The sources of an answer on one line.

#include "search/sources/engine.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::search {

namespace {

SourceReport report_of(std::string source, std::optional<Failure> failure = {}) {
  SourceReport report;
  report.source = std::move(source);
  report.failure = failure;
  return report;
}

SourceReport offline_source(std::string source) {
  return report_of(std::move(source), Failure::Offline);
}

SourceReport stand_in(std::string source) {
  SourceReport report = report_of(kLocal);
  report.fallback_for = std::move(source);
  return report;
}

}  // namespace

TEST_CASE("which sources were searched, and which could not be", "[search]") {
  using enum Failure;
  CHECK(searched_line({report_of("leansearch"), report_of("loogle"), report_of(kLocal), report_of(kLocal)}) ==
        "local, leansearch, loogle");
  CHECK(searched_line({offline_source("leansearch"), offline_source("loogle"), report_of(kLocal),
                       stand_in("loogle")}) == "local only (offline)");
  CHECK(searched_line({report_of("leansearch"), report_of("leanfinder", Late), stand_in("leanfinder"),
                       report_of(kLocal)}) == "local, leansearch (leanfinder late)");
  CHECK(searched_line({report_of("leansearch", Unavailable), report_of("loogle", ServerError),
                       report_of(kLocal)}) == "local only (leansearch unavailable, loogle server error)");
  CHECK(searched_line({report_of("loogle", Unavailable), stand_in("loogle")}) ==
        "local in place of loogle (loogle unavailable)");
  CHECK(searched_line({offline_source("loogle"), stand_in("loogle")}) ==
        "local in place of loogle (offline)");
  CHECK(searched_line({report_of("leansearch"), offline_source("loogle"), report_of(kLocal)}) ==
        "local, leansearch");
  CHECK(searched_line({report_of("leanexplore", Disabled), report_of("loogle", Skipped),
                       report_of(kLocal)}) == "local");
  CHECK(searched_line({report_of("leansearch", Auth), report_of(kLocal, BackendError)}) ==
        "nothing (leansearch auth, local backend error)");
  CHECK(searched_line({offline_source("loogle"), report_of(kLocal), report_of(kProofSearch)}) ==
        "local, exact? (offline)");
  CHECK(searched_line({report_of("loogle"), report_of(kLocal), report_of(kProofSearch, Timeout)}) ==
        "local, loogle (exact? timeout)");
  CHECK(searched_line({}) == "nothing");
}

TEST_CASE("a search of a part is called that", "[search]") {
  SourceReport index = report_of(kLocal);
  index.partial = true;
  CHECK(searched_line({index}) == "local (index incomplete)");
  CHECK(searched_line({report_of("loogle"), index}) == "local, loogle (index incomplete)");
  CHECK(searched_line({offline_source("loogle"), index}) == "local only (offline, index incomplete)");
  SourceReport data = report_of("leanexplore_local");
  data.partial = true;
  CHECK(searched_line({report_of(kLocal), data}) == "local, leanexplore_local (leanexplore_local partial)");
}

}  // namespace leanbridge::search

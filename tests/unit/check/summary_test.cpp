// What people and CI see of a batch.

#include "check/batch/summary.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::batch {

namespace {

Summary some() {
  Summary summary;
  for (int i = 0; i < 6; ++i) summary.add(Verdict::Ok);
  summary.add(Verdict::Sorry);
  summary.add(Verdict::Error);
  summary.add(Verdict::Timeout);
  summary.add(Verdict::Invalid);
  summary.seconds = 2;
  summary.workers = 2;
  summary.loads = 3;
  summary.complete = true;
  return summary;
}

}  // namespace

TEST_CASE("a summary as JSON and as a line", "[batch]") {
  CHECK(to_json(some()) == nlohmann::json({{"judged", 10},
                                           {"verdicts",
                                            {{"ok", 6},
                                             {"sorry", 1},
                                             {"error", 1},
                                             {"timeout", 1},
                                             {"memory", 0},
                                             {"crash", 0},
                                             {"not_reached", 0},
                                             {"invalid", 1}}},
                                           {"skipped", 0},
                                           {"complete", true},
                                           {"seconds", 2.0},
                                           {"per_second", 5.0},
                                           {"workers", 2},
                                           {"header_loads", 3}}));
  CHECK(one_line_of(some()) == "10 judged: 6 ok, 1 sorry, 1 error, 1 timeout, 1 invalid; 5.0 a second");
  Summary stopped = some();
  stopped.skipped = 4;
  stopped.complete = false;
  CHECK(one_line_of(stopped) ==
        "10 judged: 6 ok, 1 sorry, 1 error, 1 timeout, 1 invalid; 5.0 a second; 4 known from an earlier run; "
        "not all items were judged");
  CHECK(one_line_of({}) == "0 judged; not all items were judged");
}

TEST_CASE("progress, with the number of items where it is known", "[batch]") {
  const io::Progress some_of = progress_of(some(), 40);
  CHECK(some_of.done == 10);
  CHECK(some_of.total == 40);
  CHECK(some_of.message == "5.0/s  6 ok, 1 sorry, 1 error, 1 timeout, 1 invalid  left 0:06");
  CHECK(progress_of(some(), 10).message == "5.0/s  6 ok, 1 sorry, 1 error, 1 timeout, 1 invalid");
  CHECK(progress_of(some(), std::nullopt).total == 0);
  CHECK(progress_of(some(), std::nullopt).message ==
        "10 done  5.0/s  6 ok, 1 sorry, 1 error, 1 timeout, 1 invalid");
  CHECK(progress_of({}, 40).message.empty());
  CHECK(clock_text(59.6) == "1:00");
  CHECK(clock_text(187) == "3:07");
  CHECK(clock_text(3729) == "1:02:09");
}

TEST_CASE("JUnit: a head of one length, and what XML cannot hold is replaced", "[batch]") {
  CHECK(junit_head({}).size() == junit_head(some()).size());
  CHECK(junit_head(some()).find("tests=\"10\" failures=\"2\" errors=\"2\" time=\"2.000\"") !=
        std::string::npos);
  CHECK(junit_head(some()).ends_with(" >\n"));
  Report report;
  report.id = "a<b> & \"c\"";
  report.verdict = Verdict::Ok;
  report.ms = 1250;
  CHECK(junit_case(report) ==
        "<testcase classname=\"leanbridge\" name=\"a&lt;b&gt; &amp; &quot;c&quot;\" time=\"1.250\"/>\n");
  report.verdict = Verdict::Error;
  report.diagnostics.push_back({lean::Severity::Error, "bad \x01 < x", 2, 3, 2, 4});
  CHECK(junit_case(report) ==
        "<testcase classname=\"leanbridge\" name=\"a&lt;b&gt; &amp; &quot;c&quot;\" time=\"1.250\"><failure "
        "type=\"error\" "
        "message=\"error\">2:3: error: bad ? &lt; x</failure></testcase>\n");
  report.verdict = Verdict::Crash;
  CHECK(junit_case(report).find("<error type=\"crash\"") != std::string::npos);
}

}  // namespace leanbridge::batch

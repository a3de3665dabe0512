#include "core/lean/messages.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace leanbridge::lean {

using nlohmann::json;
using text::LspPosition;
using text::LspRange;

namespace {

json range_json(int start_line, int start_character, int end_line, int end_character) {
  return {{"start", {{"line", start_line}, {"character", start_character}}},
          {"end", {{"line", end_line}, {"character", end_character}}}};
}
json published(json diagnostics) {
  return {{"uri", "file:///a"}, {"version", 3}, {"diagnostics", std::move(diagnostics)}};
}
Diagnostic one(json diagnostic) {
  const auto message = read_publish_diagnostics(published(json::array({std::move(diagnostic)})));
  REQUIRE(message.has_value());
  REQUIRE(message->diagnostics.size() == 1);
  return message->diagnostics[0];
}

}  // namespace

TEST_CASE("a diagnostic with everything that Lean says", "[lean]") {
  const Diagnostic diagnostic = one({{"range", range_json(1, 2, 2, 0)},
                                     {"fullRange", range_json(1, 2, 5, 6)},
                                     {"severity", 3},
                                     {"source", "Lean 4"},
                                     {"code", "lean.unknownIdentifier"},
                                     {"message", "Goals accomplished!"},
                                     {"leanTags", {2, "x", 1}},
                                     {"isSilent", true},
                                     {"data", {{"unknown", 1}}}});
  CHECK(diagnostic.range == LspRange{{1, 2}, {5, 6}});
  CHECK(diagnostic.severity == Severity::Information);
  CHECK(diagnostic.source == "Lean 4");
  CHECK(diagnostic.code == "lean.unknownIdentifier");
  CHECK(diagnostic.message == "Goals accomplished!");
  CHECK(diagnostic.lean_tags == std::vector<int>{kTagGoalsAccomplished, kTagUnsolvedGoals});
  CHECK(diagnostic.silent);
}

TEST_CASE("what lake prints for the imports is told from what Lean says", "[lean]") {
  // As Lean 4.35 publishes a line of `lake setup-file`.
  const json line = {{"range", range_json(0, 0, 1, 0)},
                     {"fullRange", range_json(0, 0, 3, 0)},
                     {"severity", 3},
                     {"message", "warning: manifest out of date\n"}};
  CHECK(one(line).is_setup_output);
  const auto but = [&](const char* member, json value) {
    json other = line;
    other[member] = std::move(value);
    return one(std::move(other)).is_setup_output;
  };
  CHECK(but("message", "[12/2290] Building A.B"));
  CHECK_FALSE(but("source", "Lean 4"));  // an `#eval` that spans the whole file
  CHECK_FALSE(but("severity", 1));       // why the header failed
  CHECK_FALSE(but("severity", 4));       // imports out of date
  CHECK_FALSE(
      but("message", "Imports are out of date and should be rebuilt; use the \"Restart File\" command"));
  CHECK_FALSE(but("range", range_json(2, 0, 2, 4)));  // it has a position of its own
  CHECK_FALSE(but("fullRange", range_json(1, 0, 3, 0)));
}

TEST_CASE("a diagnostic with hardly anything", "[lean]") {
  const Diagnostic diagnostic = one({{"range", range_json(1, 2, 1, 4)}});
  CHECK(diagnostic.range == LspRange{{1, 2}, {1, 4}});
  CHECK(diagnostic.severity == Severity::Error);
  CHECK(diagnostic.message.empty());
  CHECK_FALSE(diagnostic.silent);
  CHECK(one({{"range", range_json(1, 2, 1, 4)}, {"fullRange", "wrong"}, {"severity", 9}}).range ==
        LspRange{{1, 2}, {1, 4}});
  CHECK(one({{"range", range_json(1, 2, 1, 4)}, {"code", 7}}).code == "7");
}

TEST_CASE("one diagnostic without a place that can be read, and none of the message is read", "[lean]") {
  const json good = {{"range", range_json(0, 0, 0, 1)}, {"message", "kept"}};
  for (const json& wrong : {json(1), json(), json("x"), json::object(), json{{"range", 1}},
                            json{{"range", range_json(-1, 0, 0, 0)}}, json{{"range", {{"start", 1}}}}})
    CHECK_FALSE(read_publish_diagnostics(published({good, wrong})).has_value());
}

TEST_CASE("a diagnostic of which only the place can be read is an error", "[lean]") {
  const auto message = read_publish_diagnostics(
      published({{{"range", range_json(1, 0, 1, 1)}, {"severity", "odd"}, {"message", 3}, {"isSilent", 1}}}));
  REQUIRE(message.has_value());
  REQUIRE(message->diagnostics.size() == 1);
  CHECK(message->diagnostics[0].severity == Severity::Error);
  CHECK(message->diagnostics[0].range.start == LspPosition{1, 0});
  CHECK_FALSE(message->diagnostics[0].silent);
}

TEST_CASE("the envelope of diagnostics", "[lean]") {
  auto message = read_publish_diagnostics({{"uri", "file:///a"}, {"diagnostics", json::array()}});
  REQUIRE(message.has_value());
  CHECK_FALSE(message->version.has_value());
  CHECK_FALSE(message->incremental);
  message = read_publish_diagnostics(
      {{"uri", "file:///a"}, {"version", -5}, {"isIncremental", true}, {"diagnostics", json::array()}});
  CHECK(message->version == -5);
  CHECK(message->incremental);
  message = read_publish_diagnostics(
      {{"uri", "file:///a"}, {"version", "3"}, {"isIncremental", 1}, {"diagnostics", json::array()}});
  CHECK_FALSE(message->version.has_value());
  CHECK_FALSE(message->incremental);
  for (const json& wrong : {json(), json(1), json::array(), json::object(), json{{"uri", "a"}},
                            json{{"uri", 1}, {"diagnostics", json::array()}},
                            json{{"uri", "a"}, {"diagnostics", json::object()}}})
    CHECK_FALSE(read_publish_diagnostics(wrong).has_value());
}

TEST_CASE("progress", "[lean]") {
  const json document = {{"uri", "file:///a"}, {"version", 2}};
  auto message = read_file_progress({{"textDocument", document},
                                     {"processing",
                                      {{{"range", range_json(1, 0, 2, 0)}, {"kind", 1}},
                                       {{"range", range_json(3, 0, 4, 0)}},
                                       {{"range", range_json(0, 0, 9, 0)}, {"kind", 2}}}}});
  REQUIRE(message.has_value());
  CHECK(message->version == 2);
  REQUIRE(message->processing.size() == 3);
  CHECK(message->processing[0].range == LspRange{{1, 0}, {2, 0}});
  CHECK_FALSE(message->processing[1].fatal);
  CHECK(message->processing[2].fatal);
  message = read_file_progress({{"textDocument", {{"uri", "file:///a"}}}, {"processing", json::array()}});
  REQUIRE(message.has_value());
  CHECK_FALSE(message->version.has_value());
  for (const json& wrong :
       {json(), json("x"), json::object(), json{{"textDocument", document}},
        json{{"textDocument", "x"}, {"processing", json::array()}},
        json{{"textDocument", json::object()}, {"processing", json::array()}},
        json{{"textDocument", document}, {"processing", 1}},
        // If a range were left out, more would look elaborated than is.
        json{{"textDocument", document}, {"processing", {7}}},
        json{{"textDocument", document}, {"processing", {{{"kind", 1}}}}},
        json{{"textDocument", document}, {"processing", {{{"range", range_json(0, -1, 9, 0)}}}}}})
    CHECK_FALSE(read_file_progress(wrong).has_value());
}

TEST_CASE("ranges are read strictly and written as they are read", "[lean]") {
  const LspRange place{{1, 2}, {3, 4}};
  CHECK(read_range(to_json(place)) == place);
  CHECK(to_json(LspPosition{5, 6}) == json{{"line", 5}, {"character", 6}});
  for (const json& wrong : {json(), json(1), json::object(), json{{"start", {{"line", 0}, {"character", 0}}}},
                            range_json(0, 0, -1, 0)})
    CHECK_FALSE(read_range(wrong).has_value());
  json fraction = range_json(0, 0, 0, 0);
  fraction["end"]["line"] = 0.5;
  CHECK_FALSE(read_range(fraction).has_value());
  json huge = range_json(0, 0, 0, 0);
  huge["end"]["line"] = 4294967296 + 7;
  CHECK_FALSE(read_range(huge).has_value());
}

TEST_CASE("severities have the words of the contract", "[lean]") {
  CHECK(std::string(wire::name_of(Severity::Error)) == "error");
  CHECK(std::string(wire::name_of(Severity::Warning)) == "warning");
  CHECK(std::string(wire::name_of(Severity::Information)) == "info");
  CHECK(std::string(wire::name_of(Severity::Hint)) == "hint");
}

TEST_CASE("an error at the next command is about what stands before it", "[messages]") {
  const text::Text source("theorem a : True := by\n  have t : True := by\n\nexample : True := trivial\n");
  Diagnostic error;
  error.range.start = {3, 0};
  error.severity = Severity::Error;
  const auto blamed = [&](const char* message) {
    error.message = message;
    return source.position_at(blamed_offset(source, error)).line;
  };
  CHECK(blamed("expected '{' or indented tactic sequence") == 2);
  CHECK(blamed("expected command") == 4);  // nothing is missing before it
  CHECK(blamed("unsolved goals") == 4);
  error.range.start = {3, 8};
  CHECK(blamed("expected term") == 4);
  error.range.start = {0, 0};
  CHECK(blamed("expected term") == 1);
}
}  // namespace leanbridge::lean

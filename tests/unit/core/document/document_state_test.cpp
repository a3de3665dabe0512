#include "core/document/document_state.hpp"

#include <catch2/catch.hpp>

#include <ctime>

namespace leanbridge::document {

using lean::FileProgress;
using lean::ProcessingRange;
using lean::PublishDiagnostics;
using text::LspPosition;
using text::Text;
using text::TextEdit;

namespace {

constexpr const char* kFiveLines = "one\ntwo\nthree\nfour\nfive\n";

PublishDiagnostics says(std::optional<Version> version, std::vector<std::string> messages,
                        bool incremental = false) {
  PublishDiagnostics message;
  message.version = version;
  message.incremental = incremental;
  for (std::string& text : messages) {
    lean::Diagnostic diagnostic;
    diagnostic.message = std::move(text);
    message.diagnostics.push_back(std::move(diagnostic));
  }
  return message;
}

FileProgress at(std::optional<Version> version, std::vector<ProcessingRange> ranges) {
  FileProgress message;
  message.version = version;
  message.processing = std::move(ranges);
  return message;
}
ProcessingRange lines(std::uint32_t first, std::uint32_t last, std::uint32_t character = 0) {
  return {{{first, 0}, {last, character}}, false};
}
constexpr ProcessingRange kFatal{{{0, 0}, {9, 0}}, true};

std::vector<std::string> messages(const DocumentState& state) {
  std::vector<std::string> all;
  for (const auto& diagnostic : state.diagnostics()) all.push_back(diagnostic.message);
  return all;
}
using Lines = std::vector<LineRange>;
using Words = std::vector<std::string>;

DocumentState opened() {
  DocumentState state;
  state.opened(Text(kFiveLines));
  return state;
}

}  // namespace

TEST_CASE("a document that was never open", "[document]") {
  DocumentState state;
  CHECK_FALSE(state.open());
  CHECK_FALSE(state.done());
  CHECK_FALSE(state.crashed());
  CHECK(state.version() == 0);
  CHECK_FALSE(state.apply(says(0, {"x"})));
  CHECK_FALSE(state.apply(at(0, {})));
  CHECK_FALSE(state.barrier_passed(0));
  CHECK(state.still_elaborating() == Lines{{1, 1}});
}

TEST_CASE("every text has its own version, and all is forgotten with it", "[document]") {
  DocumentState state = opened();
  CHECK(state.version() == 1);
  CHECK(state.apply(says(1, {"a"})));
  CHECK(state.apply(at(1, {})));
  CHECK(state.barrier_passed(1));
  CHECK(state.done());
  SECTION("an edit") {
    CHECK(state.changed({0, 3, "ONE"}) == 2);
    CHECK(state.text().str() == "ONE\ntwo\nthree\nfour\nfive\n");
    CHECK(state.open());
  }
  SECTION("open again, with the same text") {
    CHECK(state.opened(Text(kFiveLines)) == 2);
  }
  SECTION("closed") {
    state.closed();
    CHECK(state.version() == 1);
    CHECK_FALSE(state.open());
    CHECK_FALSE(state.crashed());
  }
  SECTION("crashed") {
    state.worker_lost();
    CHECK(state.crashed());
    CHECK_FALSE(state.open());
    state.opened(Text(kFiveLines));
    CHECK_FALSE(state.crashed());
  }
  CHECK_FALSE(state.done());
  CHECK(state.diagnostics().empty());
  CHECK_FALSE(state.elaborated_at({0, 0}));
  CHECK(state.still_elaborating() == Lines{{1, 5}});
}

TEST_CASE("diagnostics of the current version replace or are appended", "[document]") {
  DocumentState state = opened();
  CHECK(state.apply(says(1, {"a"})));
  CHECK(state.apply(says(1, {"b", "c"}, true)));
  CHECK(messages(state) == Words{"a", "b", "c"});
  CHECK(state.apply(says(1, {"d"})));
  CHECK(messages(state) == Words{"d"});
  CHECK(state.apply(says(std::nullopt, {"e"}, true)));  // without a version: of the current one
  CHECK(messages(state) == Words{"d", "e"});
}

TEST_CASE("what is said of another version is dropped", "[document]") {
  DocumentState state = opened();
  state.changed({0, 0, "x"});
  CHECK_FALSE(state.apply(says(1, {"old"})));
  CHECK_FALSE(state.apply(says(3, {"of the future"})));
  CHECK_FALSE(state.apply(at(1, {})));
  CHECK_FALSE(state.barrier_passed(1));
  CHECK(state.diagnostics().empty());
  CHECK_FALSE(state.done());
  CHECK(state.still_elaborating() == Lines{{1, 5}});
  state.closed();
  CHECK_FALSE(state.apply(says(2, {"after close"})));
  CHECK_FALSE(state.apply(at(2, {})));
  CHECK_FALSE(state.barrier_passed(2));
}

TEST_CASE("an empty progress list is not the end: the barrier is", "[document]") {
  DocumentState state = opened();
  CHECK(state.apply(at(1, {})));
  CHECK_FALSE(state.done());
  CHECK(state.elaborated_at({4, 0}));
  CHECK_FALSE(state.reported_before({1, 0}));  // the diagnostics have not come yet
  CHECK(state.apply(says(1, {"late"})));
  CHECK_FALSE(state.reported_before({1, 0}));
  CHECK_FALSE(state.done());
  CHECK(state.barrier_passed(1));
  CHECK(state.done());
  CHECK(state.reported_before({4, 4}));
  CHECK(messages(state) == Words{"late"});
}

TEST_CASE("a place is elaborated when no range holds it, and reported when none begins before it",
          "[document]") {
  DocumentState state = opened();
  CHECK_FALSE(state.elaborated_at({0, 0}));
  state.apply(at(1, {lines(1, 2), lines(4, 4, 4)}));
  CHECK(state.elaborated_at({0, 3}));
  CHECK_FALSE(state.elaborated_at({1, 0}));
  CHECK_FALSE(state.elaborated_at({2, 0}));  // both ends inclusive
  CHECK(state.elaborated_at({3, 0}));
  CHECK_FALSE(state.elaborated_at({4, 1}));
  CHECK_FALSE(state.reported_before({0, 3}));  // no diagnostics yet
  state.apply(says(1, {}));
  CHECK(state.reported_before({0, 3}));
  CHECK_FALSE(state.reported_before({3, 0}));
  CHECK(state.lines_done() == 1);
}

TEST_CASE("what has been reported stays so when the list of what is left becomes empty", "[document]") {
  DocumentState state = opened();
  state.apply(at(1, {lines(2, 5)}));
  state.apply(says(1, {}));
  state.apply(at(1, {}));
  CHECK(state.reported_before({1, 9}));
  CHECK(state.reported_between({0, 0}, {1, 9}));
  CHECK_FALSE(state.reported_before({2, 0}));  // the last messages may follow
  CHECK_FALSE(state.reported_between({1, 0}, {2, 0}));
  state.changed(TextEdit{0, 0, "x"});
  CHECK_FALSE(state.reported_before({0, 0}));
}

TEST_CASE("lines still elaborating are joined, in order and inside the file", "[document]") {
  DocumentState state = opened();
  state.apply(at(1, {lines(3, 3, 2), lines(0, 1), lines(1, 2, 0)}));
  CHECK(state.still_elaborating() == Lines{{1, 2}, {4, 4}});
  state.apply(at(1, {lines(2, 2, 1), lines(0, 1, 1)}));
  CHECK(state.still_elaborating() == Lines{{1, 3}});
  state.apply(at(1, {lines(0, 4, 9), lines(1, 2)}));
  CHECK(state.still_elaborating() == Lines{{1, 5}});
  state.apply(at(1, {lines(70, 90)}));
  CHECK(state.still_elaborating() == Lines{{5, 5}});
  state.apply(at(1, {lines(2147483647u, 4294967295u)}));  // as large as the protocol's numbers are
  CHECK(state.still_elaborating() == Lines{{5, 5}});
  state.apply(at(1, {lines(2, 2)}));  // an empty range is still a line
  CHECK(state.still_elaborating() == Lines{{3, 3}});
  CHECK(state.lines_done() == 2);
  state.apply(at(1, {}));
  CHECK(state.still_elaborating().empty());
  CHECK(state.lines_done() == 5);
}

TEST_CASE("a text without lines", "[document]") {
  DocumentState state;
  state.opened(Text(""));
  CHECK(state.still_elaborating() == Lines{{1, 1}});
  CHECK(state.lines_done() == 0);
  state.apply(at(1, {lines(0, 0)}));
  CHECK(state.still_elaborating() == Lines{{1, 1}});
  state.barrier_passed(1);
  CHECK(state.still_elaborating().empty());
}

TEST_CASE("a fatal range tells that the header failed", "[document]") {
  DocumentState state = opened();
  CHECK_FALSE(state.header_failed());
  state.apply(at(1, {kFatal}));
  CHECK(state.header_failed());
  state.apply(at(1, {lines(0, 1)}));
  CHECK_FALSE(state.header_failed());
  state.apply(at(1, {kFatal}));
  state.changed({0, 1, "O"});
  CHECK_FALSE(state.header_failed());
}

TEST_CASE("an empty progress list does not tell that the header is done", "[document]") {
  DocumentState state = opened();
  CHECK_FALSE(state.header_settled());
  state.apply(at(1, {lines(0, 4)}));
  CHECK_FALSE(state.header_settled());
  SECTION("as it can come before the fatal range") {
    state.apply(at(1, {}));
    CHECK_FALSE(state.header_settled());
    state.apply(at(1, {kFatal}));
    CHECK_FALSE(state.header_settled());  // the reason has not come yet
  }
  SECTION("work below the header does") {
    state.apply(at(1, {lines(1, 4)}));
    CHECK(state.header_settled());
  }
  state.barrier_passed(1);
  CHECK(state.header_settled());
}

TEST_CASE("a place is carried through the edits since its version", "[document]") {
  DocumentState state = opened();           // 1
  state.changed(TextEdit{0, 0, "zero\n"});  // 2: 5 more above
  CHECK(state.resolve({4, 1}) == 9);        // "two"
  CHECK(state.resolve({4, 2}) == 4);
  state.changed(TextEdit{5, 9, ""});  // 3: "one\n" goes
  CHECK(state.resolve({4, 1}) == 5);
  CHECK(state.resolve({2, 1}) == 5);                       // inside the removed text: its start
  CHECK(state.resolve({1000, 1}) == state.text().size());  // never past the end
  state.closed();
  state.opened(Text("new\n" + state.text().str()));  // 4: while it was closed
  CHECK(state.resolve({4, 1}) == 9);
  state.opened(state.text());  // 5: no change
  CHECK(state.resolve({4, 1}) == 9);
}

TEST_CASE("a place whose line was replaced is the line of that number again", "[document]") {
  DocumentState state;
  state.opened(Text("a\nb 10\nc 10\nd 10\n"));  // 1
  const text::LspPosition seen{2, 2};           // the number of c
  const auto now = [&](Version version) {
    return state.text().position_at(*state.resolve({9, version, seen}));
  };
  state.changed(TextEdit{4, 16, "200\nc 200\nd 200"});  // 2: all numbers
  CHECK(now(1) == text::Position{3, 3});
  CHECK(state.resolve({9, 1}) == 4);        // without the position where it was seen
  state.changed(TextEdit{0, 0, "0\n0\n"});  // 3: who asks again for line 3 gets a
  CHECK(now(1) == text::Position{3, 2});
  state.changed(TextEdit{1, state.text().size(), ""});  // 4: everything
  CHECK(state.resolve({9, 1, seen}) == 1);
}

TEST_CASE("a place moves with its line through an edit that changes much around it", "[document]") {
  DocumentState state;
  state.opened(Text("a 1\nb 1\nc 1\nd 1\n"));  // 1
  const auto now = [&](int line) {
    const text::LspPosition seen{static_cast<std::uint32_t>(line - 1), 2};
    return state.text().position_at(*state.resolve({static_cast<std::size_t>(4 * line - 2), 1, seen}));
  };
  // 2: one edit, which only keeps c.
  state.changed(*text::smallest_edit(state.text().str(), "a 2\nx\nb 2\nc 1\ny\nd 2\n"));
  CHECK(now(3) == text::Position{4, 3});
  CHECK(now(2) == text::Position{2, 2});  // replaced: what line 2 is now
  CHECK(now(4) == text::Position{4, 3});
}

TEST_CASE("the start of a line moves with it when lines are inserted above", "[document]") {
  DocumentState state;
  state.opened(Text("  a 1\n  b\n  c\n"));  // 1
  const auto starts_of = [&](int line, std::string_view text) {
    std::vector<text::Position> places;
    for (const std::uint32_t character : {0u, 2u}) {
      const text::LspPosition seen{static_cast<std::uint32_t>(line - 1), character};
      DocumentState edited = state;
      const TextAnchor anchor{state.text().offset_at(seen), 1, seen};
      edited.changed(*text::smallest_edit(state.text().str(), text));
      places.push_back(edited.text().position_at(*edited.resolve(anchor)));
    }
    return places;
  };
  using Places = std::vector<text::Position>;
  CHECK(starts_of(3, "  a 1\n  b\n  x\n  c\n") == Places{{4, 1}, {4, 3}});
  CHECK(starts_of(3, "  a 2\n  a 3\n  b\n  x\n  c\n") == Places{{5, 1}, {5, 3}});
  CHECK(starts_of(1, "  x\n  a 1\n  b\n  c\n") == Places{{2, 1}, {2, 3}});
  CHECK(starts_of(2, "  a 2\n  a 3\n  a 4\n  c\n") ==
        Places{{2, 1}, {2, 3}});  // replaced: what line 2 is now
}

TEST_CASE("a place does not move to a line that only stands where its own stood", "[document]") {
  DocumentState state;
  state.opened(Text("-- x\nt1 1\n  show 1\n-- x\nt2 2\n  show 2\nt3 3\n  show 3\n"));  // 1
  const text::LspPosition show_2{5, 4};
  const TextAnchor anchor{state.text().offset_at(show_2), 1, show_2};
  const auto now = [&] { return state.text().position_at(*state.resolve(anchor)); };
  SECTION("all of them were replaced, and the comments moved") {
    state.changed(*text::smallest_edit(state.text().str(),
                                       "t1 4\n  show 4\n-- x\nt2 5\n  show 5\n-- x\n-- x\nt3 3\n  show 3\n"));
    CHECK(now().line == 6);
  }
  SECTION("the one above it stays") {
    state.changed(*text::smallest_edit(state.text().str(),
                                       "t1 4\n  show 4\n-- x\nt2 2\n  show 5\n-- x\n-- x\nt3 3\n  show 3\n"));
    CHECK(now() == text::Position{5, 5});
  }
}

TEST_CASE("a place of long ago is not carried", "[document]") {
  DocumentState state = opened();
  for (int i = 0; i < 300; ++i) state.changed(TextEdit{0, 0, "x"});
  CHECK_FALSE(state.resolve({0, 1}).has_value());
  CHECK_FALSE(state.resolve({0, 44}).has_value());
  CHECK(state.resolve({5, 45}) == 5 + 256);
  CHECK(state.resolve({5, 301}) == 5);
}

TEST_CASE("what lake prints while it makes the imports ready is no message of the text", "[document]") {
  DocumentState state = opened();
  state.apply(at(1, {lines(0, 5)}));
  PublishDiagnostics printed = says(1, {"warning: manifest out of date"});
  printed.diagnostics[0].severity = lean::Severity::Information;
  printed.diagnostics[0].is_setup_output = true;
  CHECK(state.apply(printed));
  CHECK(state.diagnostics().empty());
  CHECK(state.setup_output() == "warning: manifest out of date");
  printed.diagnostics[0].message = "[12/2290] Building A.B";
  state.apply(printed);
  CHECK(state.setup_output() == "[12/2290] Building A.B");
  state.apply(at(1, {lines(3, 5)}));
  CHECK_FALSE(state.reported_before({1, 0}));  // nothing has been reported yet
  SECTION("then the file's own come") {
    state.apply(says(1, {}));
    state.apply(says(1, {"own"}, true));
    CHECK(state.setup_output().empty());
    CHECK(messages(state) == Words{"own"});
    CHECK(state.reported_before({1, 0}));
  }
  SECTION("or another text") {
    state.opened(Text("x"));
    CHECK(state.setup_output().empty());
  }
}

TEST_CASE("the part of a proof is that of the current text", "[document]") {
  const std::string proof = "theorem a : p := by\n  simp\n";
  DocumentState state;
  state.opened(Text(proof));
  const std::size_t offset = proof.find("simp");
  REQUIRE(state.proof_part(offset, offset));
  CHECK(state.proof_part(offset, offset)->declaration_start == 0);
  state.changed(TextEdit{0, 0, "#check 1\n"});
  REQUIRE(state.proof_part(offset + 9, offset + 9));
  CHECK(state.proof_part(offset + 9, offset + 9)->declaration_start == 9);
  state.opened(Text("#check 1\n"));
  CHECK_FALSE(state.proof_part(3, 3));
}

TEST_CASE("a goal does not take longer because its file is long", "[document]") {
  const std::string proof = "theorem a : p := by\n  simp\n";
  constexpr int kProofs = 4'000;
  std::string source;
  for (int i = 0; i < kProofs; ++i) source += proof;
  DocumentState state;
  state.opened(Text(source));
  const auto ask = [&](int number) {
    const std::size_t offset = static_cast<std::size_t>(number) * proof.size() + proof.find("simp");
    return state.proof_part(offset, offset).has_value();
  };
  const std::clock_t begun = std::clock();
  REQUIRE(ask(kProofs / 2));
  const std::clock_t first = std::clock() - begun;
  for (int i = 0; i < 100; ++i) REQUIRE(ask(i * (kProofs / 100)));
  // The first reads all of the text.
  CHECK(std::clock() - begun < 10 * first);
}

}  // namespace leanbridge::document

// Places and hovers as Lean gives them, and which sources may be read.

#include "core/ide/source_locations.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

json range_of(int line, int begin, int end) {
  return {{"start", {{"line", line}, {"character", begin}}}, {"end", {{"line", line}, {"character", end}}}};
}

struct PlaceFixture : IdeFixture {
  SourceLocation locate(const std::filesystem::path& path, int line, int begin, int end) {
    const auto place =
        read_place({{"uri", "file://" + path.string()}, {"range", range_of(line, begin, end)}});
    REQUIRE(place);
    return loop.run(sources.location(*place, patient()));
  }
  std::optional<ErrorKind> refusal(const std::filesystem::path& path) {
    const auto text = loop.run(sources.text_of(path, patient()));
    return text ? std::nullopt : std::optional(text.error().kind);
  }

  Sources sources{environment, store};
};

Hover hover(const std::string& markdown) {
  return read_hover({{"contents", {{"kind", "markdown"}, {"value", markdown}}}});
}

}  // namespace

TEST_CASE("a link and a location are places, what has no file or no range is none", "[ide][places]") {
  const json location = {{"uri", "file:///p/A%20B.lean"}, {"range", range_of(1, 2, 3)}};
  const auto plain = read_place(location);
  REQUIRE(plain);
  CHECK(plain->path == "/p/A B.lean");
  CHECK(plain->full.end.character == 3);
  const auto link = read_place({{"targetUri", "file:///p/A.lean"},
                                {"targetRange", range_of(1, 0, 9)},
                                {"targetSelectionRange", range_of(1, 4, 5)}});
  REQUIRE(link);
  CHECK(link->selection.start.character == 4);
  CHECK(link->full.start.character == 0);
  for (const json& none : {json(), json("file:///p/A.lean"), json({{"uri", "file:///p/A.lean"}}),
                           json({{"uri", "untitled:1"}, {"range", range_of(1, 2, 3)}})})
    CHECK_FALSE(read_place(none));
  CHECK(read_places(location).size() == 1);
  CHECK(read_places(json::array({location, json(), location})).size() == 2);
  CHECK(read_places(json()).empty());
}

TEST_CASE_METHOD(PlaceFixture, "columns count characters, not UTF-16 units, with any line endings",
                 "[ide][places]") {
  const auto path = write("A.lean", "-- 1\r\n/- 𝔸 -/ def a := 1");
  const SourceLocation found = locate(path, 1, 13, 14);
  CHECK(found.line == 2);
  CHECK(found.column == 13);
  CHECK(found.end_column == 14);
  const SourceLocation unknown = locate(project / "Gone.lean", 1, 13, 14);
  CHECK(unknown.column == 14);
  CHECK(unknown.line == 2);
}

TEST_CASE_METHOD(PlaceFixture, "an open file is read as Lean has it, another one from disk, once",
                 "[ide][places]") {
  const OpenFile open_one = open("A.lean", "-- open\n");
  write("A.lean", "-- newer\n");
  write("B.lean", "-- on disk\n");
  CHECK((*loop.run(sources.text_of(project / "A.lean", patient())))->str() == "-- open\n");
  const auto* first = *loop.run(sources.text_of(project / "B.lean", patient()));
  write("B.lean", "-- newer\n");
  CHECK(*loop.run(sources.text_of(project / "B.lean", patient())) == first);
  CHECK(first->str() == "-- on disk\n");
}

TEST_CASE_METHOD(PlaceFixture, "only Lean sources of the project, its packages and a toolchain are read",
                 "[ide][places]") {
  TestFolder elsewhere;
  const auto secret = elsewhere.write("Secret.lean", "-- secret\n");
  CHECK(refusal(secret) == ErrorKind::OutsideProject);
  std::filesystem::create_symlink(secret, project / "Link.lean");
  CHECK(refusal(project / "Link.lean") == ErrorKind::OutsideProject);
  CHECK(refusal(write("notes.txt", "x")) == ErrorKind::OutsideProject);
  CHECK(refusal(project / "sub/../../Secret.lean") == ErrorKind::OutsideProject);
  CHECK_FALSE(refusal(write("sub/Own.lean", "")));
  const auto init = elsewhere.write("toolchain/src/lean/Init/Core.lean", "-- core\n");
  CHECK(refusal(init) == ErrorKind::OutsideProject);  // a folder that is only named so
  std::filesystem::create_directories(elsewhere / "toolchain/lib/lean");
  CHECK_FALSE(refusal(init));
}

TEST_CASE_METHOD(PlaceFixture, "the sources of a package that is a link to a shared copy are read",
                 "[ide][places]") {
  TestFolder shared;
  const auto real = shared.write("dep/Dep.lean", "-- dep\n");
  CHECK(refusal(real) == ErrorKind::OutsideProject);
  std::filesystem::create_directories(project / ".lake/packages");
  std::filesystem::create_directory_symlink(shared / "dep", project / ".lake/packages/dep");
  write("lake-manifest.json",
        R"({"version": "1.1.0", "packagesDir": ".lake/packages", "packages": [{"type": "git", "name": "dep",
            "url": "x", "rev": "y", "inputRev": "y", "subDir": null, "inherited": false}]})");
  CHECK_FALSE(refusal(real));
}

TEST_CASE("a hover is a signature, a docstring and the module to import", "[ide][places]") {
  const Hover all =
      hover("```lean\nA.b (n : Nat) : n = n\n```\n***\nWords.\n\n***\nMore.\n***\n*import A.C*");
  CHECK(all.signature == "A.b (n : Nat) : n = n");
  CHECK(all.docstring == "Words.\n\n***\nMore.");
  CHECK(all.module == "A.C");
  const Hover own = hover("```lean\nb : Nat\n```");
  CHECK(own.signature == "b : Nat");
  CHECK(own.docstring.empty());
  CHECK(own.module.empty());
  CHECK(hover("A word of a keyword.").docstring == "A word of a keyword.");
  CHECK(hover("```lean\nnever closed").signature.empty());
  CHECK(hover_markdown({{"contents", "plain"}}) == "plain");
  CHECK(hover_markdown(json()).empty());
}

TEST_CASE("a signature is split behind its name, whatever that contains", "[ide][places]") {
  const auto split = [](const std::string& signature) {
    const SplitSignature parts = split_signature(signature);
    return parts.name + "|" + parts.type;
  };
  CHECK(split("a : Nat") == "a|Nat");
  CHECK(split("A.b (n : Nat) : n = n") == "A.b|(n : Nat) : n = n");
  CHECK(split("A.b.{u, v} {α : Type u} : α") == "A.b|{α : Type u} : α");
  CHECK(split("A.«b c : d».e : Nat") == "A.«b c : d».e|Nat");
  CHECK(split("long\n  (n : Nat) : Nat") == "long|(n : Nat) : Nat");
  CHECK(split("alone") == "alone|");
  CHECK(split("") == "|");
}

TEST_CASE_METHOD(PlaceFixture, "an index that does not answer in time is not the file's", "[ide][places]") {
  const OpenFile file = open("A.lean", "def a := 1\n");
  scripted.answers["$/lean/waitForILeans"] = [](const auto&, const auto&) { return json::object(); };
  CHECK(loop.run(wait_for_index(file.handle(), patient())));
  CHECK_FALSE(loop.run(wait_for_index(file.handle(), expired())));
}

}  // namespace leanbridge::ide

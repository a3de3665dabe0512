// What `leanbridge check` reads: folders, files, and verdicts of earlier runs.

#include "check/command/inputs.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::app {

using test::TestFolder;

namespace {

std::vector<std::string> names_in(const std::vector<CheckInput>& inputs, const TestFolder& folder) {
  std::vector<std::string> names;
  for (const CheckInput& input : inputs)
    names.push_back(std::filesystem::path(input.name).lexically_relative(folder.path()).string());
  return names;
}

}  // namespace

TEST_CASE("a folder is its .lean files, in order, without what is hidden", "[check]") {
  const TestFolder folder;
  for (const char* name : {"b.lean", "a/z.lean", "a/y.lean", ".lake/p.lean", "a/.git/q.lean", "notes.txt"})
    folder.write(name, "");
  const auto inputs = find_inputs({folder.path().string()});
  REQUIRE(inputs);
  CHECK(names_in(*inputs, folder) == std::vector<std::string>{"a/y.lean", "a/z.lean", "b.lean"});
  CHECK(count_items(*inputs) == 3);
  CHECK(find_inputs({(folder.path() / "./a").string()})->front().name == (folder / "a/y.lean").string());
}

TEST_CASE("files by their names, and stdin once", "[check]") {
  const TestFolder folder;
  const std::string lines = folder.write("items.jsonl", "{}\n\n  \n{}\n{}").string();
  const std::string lean = folder.write("a.lean", "").string();
  const auto inputs = find_inputs({lines, "-", lean});
  REQUIRE(inputs);
  CHECK((*inputs)[0].kind == CheckInput::Kind::Lines);
  CHECK((*inputs)[1].kind == CheckInput::Kind::Stdin);
  CHECK((*inputs)[2].kind == CheckInput::Kind::LeanFile);
  CHECK(count_items(*inputs) == 4);
  CHECK_FALSE(find_inputs({"-", "-"}));
  CHECK(find_inputs({(folder / "none.jsonl").string()}).error().kind == ErrorKind::FileNotFound);
  CHECK(find_inputs({(folder / "none.jsonl").string()}).error().message.find("none.jsonl") !=
        std::string::npos);
  std::filesystem::create_directory(folder / "empty");
  CHECK(find_inputs({(folder / "empty").string()}).error().kind == ErrorKind::InvalidArgument);
}

TEST_CASE("a .lean file is an item, unless it is not text", "[check]") {
  const TestFolder folder;
  const auto item = read_lean_file(folder.write("a.lean", "theorem a : True := trivial\n").string());
  REQUIRE(item);
  CHECK(item->id == (folder / "a.lean").string());
  CHECK(item->text == "theorem a : True := trivial\n");
  const auto broken = read_lean_file(folder.write("b.lean", "\xff").string());
  REQUIRE_FALSE(broken);
  CHECK(broken.error().why.ends_with("b.lean: it is not UTF-8"));
  CHECK_FALSE(read_lean_file((folder / "none.lean").string()));
}

TEST_CASE("files of a folder share the options of its library; those in the root may each be one",
          "[check]") {
  const TestFolder folder;
  folder.write("lakefile.toml", "name = \"p\"\n[[lean_lib]]\nname = \"Lib\"\n");
  OptionFiles files(folder.path());
  const auto in = [&](const char* name) { return files.for_file(folder.write(name, "").string()); };
  // A file that does not exist would have the options of no library.
  CHECK(in("Lib/A.lean") == folder / "Lib/A.lean");
  CHECK(in("Lib/B.lean") == folder / "Lib/A.lean");
  CHECK(in("Lib/Deep/A.lean") == folder / "Lib/Deep/A.lean");
  CHECK(in("A.lean") == folder / "A.lean");
  CHECK(in("B.lean") == folder / "B.lean");
  std::filesystem::remove(folder / "Lib/A.lean");
  CHECK(in("Lib/B.lean") == folder / "Lib/B.lean");
  const TestFolder elsewhere;
  CHECK(files.for_file(elsewhere.write("A.lean", "").string()).empty());
  CHECK(in("App/A.lean") == folder / "App/A.lean");
  const std::string last = folder.write("App/Z.lean", "").string();
  CHECK(files.for_file(last, "import App.Nothing\n") != last);
  CHECK(files.for_file(last, "import App.A\n") == last);
}

TEST_CASE("where a lakefile names single modules, each file has its own options", "[check]") {
  const TestFolder folder;
  for (const char* lakefile : {"globs = [\"Lib.A\"]", "roots = [\"Lib.A\"]", "[[lean_exe]]"}) {
    folder.write("lakefile.toml", lakefile);
    OptionFiles files(folder.path());
    const auto in = [&](const char* name) { return files.for_file(folder.write(name, "").string()); };
    CHECK(in("Lib/A.lean") == folder / "Lib/A.lean");
    CHECK(in("Lib/B.lean") == folder / "Lib/B.lean");
  }
}

TEST_CASE("verdicts of a run that was killed: whole lines only", "[check]") {
  const TestFolder folder;
  const std::string whole = batch::to_line(batch::invalid_report("a", "why", 1));
  std::vector<std::string> ids;
  const auto take = [&](const batch::VerdictLine& judged, const std::string&) { ids.push_back(judged.id); };
  const auto killed = read_verdicts(folder.write("killed", whole + "{\"id\": \"b\", \"verd").string(), take);
  REQUIRE(killed);
  CHECK(ids == std::vector<std::string>{"a"});
  CHECK(*killed == 1);
  const auto quiet = read_verdicts(folder.write("quiet", whole + whole).string(), take);
  REQUIRE(quiet);
  CHECK(*quiet == 0);
  CHECK(read_verdicts((folder / "none").string(), take).error().kind == ErrorKind::FileNotFound);
}

}  // namespace leanbridge::app

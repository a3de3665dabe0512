// Which files a list or a folder means, and in which order they are read.

#include "core/ide/files_in_order.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

using Paths = std::vector<std::string>;

struct OrderFixture : IdeFixture {
  Result<NamedFiles> named(FilesParams params, io::CancelScope scope = patient()) {
    return loop.run(named_files(environment, std::move(params), std::move(scope)));
  }
  NamedFiles below(std::string folder) {
    auto found = named({.file_path = std::move(folder), .files = {}});
    if (!found) FAIL(found.error().message);
    return *found;
  }
  Result<NamedFiles> list(Paths files) { return named({.file_path = {}, .files = std::move(files)}); }
};

}  // namespace

TEST_CASE_METHOD(OrderFixture, "each file of a folder comes behind those that it imports", "[ide][files]") {
  write("P/A.lean", "import P.B\n");
  write("P/B.lean", "import P.Sub.C\r\n");
  write("P/Sub/C.lean", "");
  write("P/Alone.lean", "import Gone");
  write("P/.hidden/D.lean", "");
  const NamedFiles found = below("P");
  CHECK(found.several);
  CHECK_FALSE(found.truncated);
  CHECK(found.left_out.empty());
  CHECK(found.paths == Paths{"P/Alone.lean", "P/Sub/C.lean", "P/B.lean", "P/A.lean"});
}

TEST_CASE_METHOD(OrderFixture, "a list is read in the order of its imports too, each file once",
                 "[ide][files]") {
  write("A.lean", "import B\n");
  write("B.lean", "");
  const auto found = list({"A.lean", "B.lean", "./A.lean", (project / "B.lean").string()});
  REQUIRE(found.has_value());
  CHECK(found->several);
  CHECK(found->paths == Paths{"B.lean", "A.lean"});
}

TEST_CASE_METHOD(OrderFixture, "files that import each other are all read", "[ide][files]") {
  write("A.lean", "import B\n");
  write("B.lean", "import A\n");
  CHECK(list({"A.lean", "B.lean"})->paths.size() == 2);
}

TEST_CASE_METHOD(OrderFixture, "a single file is named as the caller has it, whether or not it is there",
                 "[ide][files]") {
  const NamedFiles one = below("./Gone.lean");
  CHECK_FALSE(one.several);
  CHECK(one.paths == Paths{"./Gone.lean"});
}

TEST_CASE_METHOD(OrderFixture, "what a folder has and is not read is said, so that no success hides it",
                 "[ide][files]") {
  TestFolder elsewhere;
  elsewhere.write("lean/X.lean", "");
  elsewhere.write("plain/x.txt", "");
  write("P/A.lean", "");
  std::filesystem::create_directory_symlink(elsewhere / "lean", project / "P/lean");
  std::filesystem::create_directory_symlink(elsewhere / "plain", project / "P/plain");
  std::filesystem::create_symlink(project / "gone", project / "P/Broken.lean");
  const NamedFiles found = below("P");
  CHECK(found.paths == Paths{"P/A.lean"});
  REQUIRE(found.left_out.size() == 2);
  CHECK(found.left_out[0].path == "P/Broken.lean");
  CHECK(found.left_out[0].why == "It is a link that leads to no file.");
  CHECK(found.left_out[1].path == "P/lean");
}

TEST_CASE_METHOD(OrderFixture, "a folder with more than 300 files is cut, and marked so", "[ide][files]") {
  for (int i = 0; i < 301; ++i) project.write("P/F" + std::to_string(i) + ".lean", "");
  const NamedFiles found = below("P");
  CHECK(found.truncated);
  CHECK(found.paths.size() == 300);
  CHECK(list(Paths(301, "P/F1.lean")).error().kind == ErrorKind::InvalidArgument);
}

TEST_CASE_METHOD(OrderFixture, "questions that name no file are errors that say what to pass",
                 "[ide][files]") {
  write("A.lean", "");
  std::filesystem::create_directories(project / "Empty");
  const auto kind = [](const Result<NamedFiles>& found) {
    REQUIRE_FALSE(found.has_value());
    CHECK_FALSE(found.error().hint.empty());
    return found.error().kind;
  };
  CHECK(kind(named({})) == ErrorKind::InvalidArgument);
  CHECK(kind(named({.file_path = "A.lean", .files = Paths{"A.lean"}})) == ErrorKind::InvalidArgument);
  CHECK(kind(list({})) == ErrorKind::InvalidArgument);
  CHECK(kind(list({"A.lean", "Gone.lean"})) == ErrorKind::FileNotFound);
  CHECK(kind(named({.file_path = "Empty", .files = {}})) == ErrorKind::InvalidArgument);
  const io::CancelScope scope = patient();
  scope.cancel->cancel();
  CHECK(named({.file_path = "Empty", .files = {}}, scope).error().kind == ErrorKind::Cancelled);
}

}  // namespace leanbridge::ide

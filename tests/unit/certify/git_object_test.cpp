#include "certify/git/git.hpp"
#include <catch2/catch.hpp>

using namespace leanbridge::certify;
using namespace std::string_literals;

// Names as `git hash-object -t TYPE --literally --stdin` prints them, also in a repository of the object
// format sha256.
TEST_CASE("an object of git has the hash of its content as its name") {
  CHECK(name_of_git_object(GitObjectType::Blob, "", 40) == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  CHECK(name_of_git_object(GitObjectType::Tree, "", 40) == "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
  CHECK(name_of_git_object(GitObjectType::Blob, "theorem a₁ : True := sorry\n", 40) ==
        "846964252dba009115198efacec615ceb7e7809b");
  CHECK(name_of_git_object(GitObjectType::Blob, "", 64) ==
        "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813");
}

TEST_CASE("a commit of git names its folder") {
  CHECK(tree_of_git_commit("tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor a <a> 0 +0000\n\nx\n") ==
        "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
  for (const char* const none : {"", "tree 4b82", "parent 4b82\n", "\ntree 4b82\n"})
    CHECK_FALSE(tree_of_git_commit(none));
}

TEST_CASE("a folder of git has entries with a mode, a name and an object") {
  const std::string object = "\x00\x20\x7f\x80\xff"s + std::string(15, 'a');
  const std::string digits = "00207f80ff616161616161616161616161616161";
  const auto entry = [&](const std::string& mode, const std::string& name) {
    return mode + " " + name + '\0' + object;
  };
  const std::string folder = entry("100644", "A.lean") + entry("40000", "B") + entry("120000", "C d") +
                             entry("100755", "«é».lean") + entry("160000", "E");
  using Kind = GitTreeEntry::Kind;
  for (const auto& [name, kind] : {std::pair{"A.lean", Kind::File},
                                   {"B", Kind::Folder},
                                   {"C d", Kind::Other},
                                   {"«é».lean", Kind::File},
                                   {"E", Kind::Other}}) {
    CAPTURE(name);
    const auto found = entry_of_git_tree(folder, name, 40);
    REQUIRE(found);
    CHECK(found->kind == kind);
    CHECK(found->object == digits);
  }
  for (const char* const none : {"", "A", "A.lea", "d", "aaaaa"})
    CHECK_FALSE(entry_of_git_tree(folder, none, 40));
}

TEST_CASE("a folder of git that is cut anywhere has the entries before the cut") {
  const std::string folder = "100644 A"s + '\0' + std::string(20, 'a');
  for (std::size_t size = 0; size < folder.size(); ++size)
    CHECK_FALSE(entry_of_git_tree(folder.substr(0, size), "A", 40));
  CHECK(entry_of_git_tree(folder + "100644 B", "A", 40));
}

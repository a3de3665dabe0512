// What differs between two revisions of a repository that the tests have made with git.

#include "certify/git/changed_files.hpp"

#include "certify/untrusted/run.hpp"
#include "support/loop.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

#include <cstdlib>
#include <initializer_list>

namespace leanbridge::certify {

namespace fs = std::filesystem;
using namespace leanbridge::test;

namespace {

class GitFixture {
 public:
  GitFixture() { git("init -q"); }

  void git(const std::string& arguments) {
    const std::string command = "cd '" + folder.path().string() +
                                "' && git -c user.name=a -c user.email=a@b -c core.compression=0 " +
                                arguments + " > /dev/null 2>&1";
    REQUIRE(std::system(command.c_str()) == 0);
  }
  void commit() {
    git("add -A");
    git("commit -q -m text");
  }
  static std::string name(std::size_t number) {
    return "Lib/M" +
           std::string(number < 10    ? "00"
                       : number < 100 ? "0"
                                      : "") +
           std::to_string(number) + ".lean";
  }
  void write_files(std::size_t count, const std::string& text) {
    for (std::size_t i = 0; i < count; ++i) folder.write(name(i), "-- " + std::to_string(i) + text);
  }
  /// Where git has the content of a file that was committed last.
  fs::path object_of(std::size_t number) {
    git("rev-parse HEAD:" + name(number) + " | tee object");
    std::string hash = content_of(folder / "object").substr(0, 40);
    return folder / (".git/objects/" + hash.substr(0, 2) + "/" + hash.substr(2));
  }
  Result<ChangedFiles> changed(const std::string& before, const std::string& after) {
    ChangeQuestion question;
    question.root = folder.path();
    question.before = before;
    question.after = after;
    question.spawn = [this](auto&&... given) {
      ++processes;
      return io::ChildProcess::spawn(std::forward<decltype(given)>(given)...);
    };
    return loop.run(changed_files(std::move(question), pool, patient()));
  }

  TestFolder folder;
  Loop loop;
  io::Pool pool;
  int processes = 0;
};

}  // namespace

TEST_CASE("many files of a revision are read by few processes") {
  if (!find_system_program("git")) return;
  constexpr std::size_t kFiles = 250;
  GitFixture it;
  it.write_files(kFiles, " before\n");
  it.commit();
  it.write_files(kFiles, " after\n");
  it.commit();
  const auto changed = it.changed("HEAD~1", "HEAD");
  REQUIRE(changed);
  REQUIRE(changed->files.size() == kFiles);
  for (std::size_t i = 0; i < kFiles; ++i) {
    CHECK(changed->files[i].name == GitFixture::name(i));
    CHECK(changed->files[i].before == "-- " + std::to_string(i) + " before\n");
    CHECK(changed->files[i].after == "-- " + std::to_string(i) + " after\n");
    CHECK(changed->files[i].unread.empty());
  }
  CAPTURE(it.processes);
  CHECK(it.processes < 20);
}

TEST_CASE("an object that cannot be read takes no other file with it") {
  if (!find_system_program("git")) return;
  constexpr std::size_t kFiles = 8, kForged = 1, kGone = 3, kGarbage = 5;
  GitFixture it;
  it.git("commit -q --allow-empty -m nothing");
  it.write_files(kFiles, "\n");
  it.commit();
  const fs::path forged = it.object_of(kForged), gone = it.object_of(kGone), garbage = it.object_of(kGarbage);
  fs::copy_file(it.object_of(0), forged, fs::copy_options::overwrite_existing);
  fs::remove(gone);
  fs::remove(garbage);
  it.folder.write(garbage.lexically_relative(it.folder.path()).string(), "no object");
  const auto changed = it.changed("HEAD~1", "HEAD");
  REQUIRE(changed);
  REQUIRE(changed->files.size() == kFiles);
  const auto why = [&](std::size_t i) { return changed->files[i].unread; };
  CHECK(why(kForged).find("has been changed: its content is not the one") != std::string::npos);
  CHECK(why(kGone).find(" missing") != std::string::npos);
  CHECK(why(kGarbage).find("cannot be read. git says: ") != std::string::npos);
  for (const std::size_t i : std::initializer_list<std::size_t>{0, 2, 4, 6, 7}) {
    CHECK(changed->files[i].after == "-- " + std::to_string(i) + "\n");
    CHECK(why(i).empty());
  }
}

TEST_CASE("files that are together more than git is asked for at once are read in turn") {
  if (!find_system_program("git")) return;
  constexpr std::size_t kFiles = 5, kBytes = 15'000'000, kTooLarge = 2, kMoreBytes = 70'000'000;
  GitFixture it;
  it.git("commit -q --allow-empty -m nothing");
  it.write_files(kFiles, std::string(kBytes, ' '));
  it.folder.write(GitFixture::name(kTooLarge), std::string(kMoreBytes, ' '));
  it.commit();
  const auto changed = it.changed("HEAD~1", "HEAD");
  REQUIRE(changed);
  REQUIRE(changed->files.size() == kFiles);
  for (std::size_t i = 0; i < kFiles; ++i) {
    CAPTURE(i, changed->files[i].unread);
    if (i == kTooLarge)
      CHECK(changed->files[i].unread.find("is larger than 64 MiB") != std::string::npos);
    else
      CHECK(changed->files[i].after->size() > kBytes);
  }
}

}  // namespace leanbridge::certify

// Building while processes die, disks are full and files are damaged.

#include "search/index/build/builder.hpp"

#include "index_fixture.hpp"
#include "search/support/index_worker.hpp"
#include <catch2/catch.hpp>
#include <sys/stat.h>
#include <unistd.h>

using namespace leanbridge;
using namespace leanbridge::index;
using namespace leanbridge::test;
using End = BuildOutcome::End;

namespace {

constexpr int kModules = 180, kEach = 100;  // three batches

void write_library(const TestFolder& folder, int modules = kModules) {
  for (int i = 0; i < modules; ++i)
    folder.write("src/M" + std::to_string(i) + ".lean", many_theorems("M" + std::to_string(i), kEach));
}

std::vector<std::string> build_arguments(const TestFolder& folder) {
  return {"build", (folder / "cache").string(), "test-v1", (folder / "src").string()};
}

void damage(const std::filesystem::path& file, std::streamoff at, std::size_t bytes) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(at);
  stream << std::string(bytes, '\x5a');
}

mode_t mode_of(const std::filesystem::path& path) {
  struct stat status = {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777;
}

}  // namespace

TEST_CASE("only what has changed is read", "[index][builder]") {
  const TestFolder folder;
  for (const char* name : {"A", "B", "C"})
    folder.write(std::string("src/") + name + ".lean", many_theorems(name, 2));
  const BuildJob job = job_for(folder / "cache", folder / "src");
  const BuildOutcome first = bring_up_to_date(job);
  REQUIRE(first.end == End::Done);
  CHECK(first.progress.declarations == 6);
  CHECK(mode_of(folder / "cache") == 0700);
  CHECK(mode_of(first.database) == 0600);
  CHECK_FALSE(bring_up_to_date(job).changed);
  SECTION("another time, the same content") {
    age(folder / "src/A.lean");
    CHECK_FALSE(bring_up_to_date(job).changed);
  }
  SECTION("another content") {
    folder.write("src/A.lean", many_theorems("A", 3));
    CHECK(bring_up_to_date(job).changed);
    CHECK(declarations_in(folder / "cache") == 7);
  }
  SECTION("a file that is gone, and a new one") {
    std::filesystem::remove(folder / "src/A.lean");
    folder.write("src/D/Odd-name.lean", many_theorems("D", 4));
    CHECK(bring_up_to_date(job).changed);
    const auto store = open_to_read(folder / "cache", "test-v1", nullptr);
    CHECK(store->declarations() == 8);
    CHECK(store->named({"A.fact_0"}).empty());
    CHECK(store->named({"D.fact_0"}).at(0).module == "D.«Odd-name»");
  }
  SECTION("hidden folders and other projects are not ours") {
    folder.write("src/.lake/packages/x/X.lean", many_theorems("X", 1));
    folder.write("src/sub/lakefile.toml", "");
    folder.write("src/sub/Y.lean", many_theorems("Y", 1));
    CHECK_FALSE(bring_up_to_date(job).changed);
  }
}

TEST_CASE("kill -9 while indexing: nothing is lost but the last batch, and the next goes on",
          "[index][builder]") {
  const TestFolder folder;
  write_library(folder);
  {
    IndexWorker worker(build_arguments(folder));
    std::string line;
    do {
      line = worker.line();
      REQUIRE(line.starts_with("progress"));
    } while (line.ends_with(" 0"));
    worker.kill();
  }
  const std::size_t left = declarations_in(folder / "cache");
  CHECK(left > 0);
  CHECK(left < kModules * kEach);
  const auto store = open_to_read(folder / "cache", "test-v1", nullptr);
  CHECK_NOTHROW(store->check());
  CHECK_FALSE(store->complete());
  Lookup lookup;
  lookup.words = "fact_1";
  CHECK_FALSE(Searcher().search({store}, lookup).found.empty());

  BuildJob job = job_for(folder / "cache", folder / "src");
  std::size_t known_at_first = 0;
  bool is_first = true;
  job.on_progress = [&](BuildProgress progress) {
    if (std::exchange(is_first, false)) known_at_first = progress.declarations;
  };
  CHECK(bring_up_to_date(job).end == End::Done);
  CHECK(known_at_first == left);
  CHECK(declarations_in(folder / "cache") == kModules * kEach);
}

TEST_CASE("one process builds, others are told which, and take over when it is gone", "[index][builder]") {
  const TestFolder folder;
  folder.write("src/A.lean", many_theorems("A", 2));
  REQUIRE(make_folder(folder / "cache"));
  {
    const BuildLock lock(folder / "cache", "test-v1");
    REQUIRE(lock.held());
    IndexWorker worker(build_arguments(folder));
    CHECK(worker.last_line().starts_with("busy " + std::to_string(::getpid())));
  }
  IndexWorker worker(build_arguments(folder));
  CHECK(worker.last_line().starts_with("done"));
  CHECK(declarations_in(folder / "cache") == 2);
}

TEST_CASE("two processes at once leave one whole index", "[index][builder]") {
  const TestFolder folder;
  write_library(folder);
  IndexWorker one(build_arguments(folder)), other(build_arguments(folder));
  const std::string ends[] = {one.last_line(), other.last_line()};
  CHECK((ends[0].starts_with("done") || ends[1].starts_with("done")));
  for (const std::string& end : ends) CHECK((end.starts_with("done") || end.starts_with("busy")));
  CHECK(declarations_in(folder / "cache") == kModules * kEach);
  CHECK_NOTHROW(open_to_read(folder / "cache", "test-v1", nullptr)->check());
}

TEST_CASE("no room: what is there stays whole, and is completed when there is some", "[index][builder]") {
  const TestFolder folder;
  write_library(folder);
  // The system does not let files grow beyond a limit, as on a full disk: enough for the first batches, or
  // for nothing.
  const char* limit = GENERATE("limit=3000000", "limit=20000");
  auto arguments = build_arguments(folder);
  arguments.emplace_back(limit);
  IndexWorker worker(arguments);
  CHECK(worker.last_line().starts_with("unwritable"));
  if (const auto store = open_to_read(folder / "cache", "test-v1", nullptr)) {
    CHECK_NOTHROW(store->check());
    CHECK_FALSE(store->complete());
    CHECK(store->declarations() < kModules * kEach);
  }
  CHECK(bring_up_to_date(job_for(folder / "cache", folder / "src")).end == End::Done);
  CHECK(declarations_in(folder / "cache") == kModules * kEach);
}

TEST_CASE("a damaged index is replaced", "[index][builder]") {
  constexpr int kFew = 40;  // makes more pages than are damaged below
  const TestFolder folder;
  write_library(folder, kFew);
  BuildJob job = job_for(folder / "cache", folder / "src");
  const auto database = bring_up_to_date(job).database;
  SECTION("no database at all") {
    damage(database, 0, 4096);
  }
  SECTION("a page in the middle, which quick_check finds") {
    damage(database, 40 * 4096, 30 * 4096);
    job.check = true;
  }
  SECTION("empty") {
    std::filesystem::resize_file(database, 0);
  }
  SECTION("cut") {
    std::filesystem::resize_file(database, 10'000);
    job.check = true;
  }
  const BuildOutcome outcome = bring_up_to_date(job);
  CHECK(outcome.end == End::Done);
  CHECK(declarations_in(folder / "cache") == kFew * kEach);
  CHECK_NOTHROW(open_to_read(folder / "cache", "test-v1", nullptr)->check());
  CHECK(newest_database(folder / "cache", "test-v1") == outcome.database);
}

TEST_CASE("a folder that cannot be", "[index][builder]") {
  const TestFolder folder;
  folder.write("file", "");
  folder.write("src/A.lean", many_theorems("A", 2));
  const BuildOutcome outcome = bring_up_to_date(job_for(folder / "file/cache", folder / "src"));
  CHECK(outcome.end == End::Unwritable);
  CHECK(outcome.message.find("file/cache") != std::string::npos);
  BuildJob job = job_for("", folder / "src");
  const BuildOutcome memory = bring_up_to_date(job);
  CHECK(memory.end == End::Done);
  REQUIRE(memory.memory);
  CHECK(memory.memory->declarations() == 2);
}

TEST_CASE("a build that ends before it has looked is no index", "[index][builder]") {
  const TestFolder folder;
  folder.write("src/A.lean", many_theorems("A", 2));
  BuildJob job = job_for(folder / "cache", folder / "src");
  *job.stop = true;
  const BuildOutcome stopped = bring_up_to_date(job);
  CHECK(stopped.end == End::Stopped);
  CHECK_FALSE(stopped.complete);
  *job.stop = false;
  CHECK(bring_up_to_date(job).end == End::Done);
  CHECK(declarations_in(folder / "cache") == 2);
}

TEST_CASE("a toolchain without modules is no index", "[index][builder]") {
  const TestFolder folder;
  folder.write("src/readme", "");
  BuildJob job = job_for(folder / "cache", folder / "src");
  CHECK(bring_up_to_date(job).end == End::Done);  // a new project
  job.stem = "toolchain-v1";
  job.may_be_empty = false;
  const BuildOutcome outcome = bring_up_to_date(job);
  CHECK(outcome.end == End::Failed);
  CHECK_FALSE(outcome.complete);
  CHECK(outcome.message.find("no modules") != std::string::npos);
}

TEST_CASE("a build ends when it is told to", "[index][builder]") {
  const TestFolder folder;
  write_library(folder);
  BuildJob job = job_for(folder / "cache", folder / "src");
  job.on_progress = [&](BuildProgress progress) {
    if (progress.declarations > 0) *job.stop = true;
  };
  CHECK(bring_up_to_date(job).end == End::Stopped);
  CHECK(declarations_in(folder / "cache") < kModules * kEach);
}

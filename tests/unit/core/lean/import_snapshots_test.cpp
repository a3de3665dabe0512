// Lean's state after the imports, as a `lean` of these tests saves it.

#include "core/lean/import_snapshots.hpp"

#include "core/base/files.hpp"
#include "support/loop.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

#include <chrono>
#include <fstream>
#include <thread>

using namespace leanbridge;
using namespace leanbridge::test;
using lean::ColdRun;
using lean::ImportSnapshots;
namespace fs = std::filesystem;

namespace {

/// More than what the times of files may lag behind the clock.
constexpr std::chrono::milliseconds kClockLag(20);

class SnapshotFixture {
 public:
  SnapshotFixture() {
    folder_.write("path/A.olean", "a");
    std::this_thread::sleep_for(kClockLag);
  }

  ImportSnapshots::Found find(const ColdRun& of) {
    const auto lean = [this](std::vector<std::string> arguments, fs::path where) -> asio::awaitable<bool> {
      said.push_back(arguments);
      if (!saves) co_return false;
      std::ofstream(where / "state") << "state";
      std::ofstream(where / "state.deps") << list;
      if (meanwhile) meanwhile();
      co_return true;
    };
    return loop_.run(snapshots.find(of, lean, pool_, patient()));
  }
  /// After the first texts of the kind.
  ImportSnapshots::Found find_often(const ColdRun& of) {
    static_cast<void>(find(of));
    static_cast<void>(find(of));
    return find(of);
  }
  void write(const std::string& name, const std::string& text) { folder_.write(name, text); }

  ImportSnapshots snapshots;
  bool saves = true;
  std::function<void()> meanwhile;
  std::vector<std::vector<std::string>> said;  ///< the arguments of each run of `lean`

 private:
  TestFolder folder_;
  Loop loop_;
  io::Pool pool_;

 public:
  std::string list = R"([{"olean": ")" + (folder_ / "path/A.olean").string() + R"("}])";
  ColdRun run = {"lean",
                 {folder_ / "path"},
                 {"-DautoImplicit=true"},
                 "Module.lean",
                 "import A\ntheorem a : True := trivial\n"};
};

}  // namespace

TEST_CASE("what many texts begin with is imported once") {
  SnapshotFixture it;
  CHECK(it.find(it.run) == nullptr);
  CHECK(it.find(it.run) == nullptr);
  CHECK(it.said.empty());
  const auto found = it.find(it.run);
  REQUIRE(found);
  CHECK(found->argument() == "--incr-load=" + (found->folder() / "state").string());
  CHECK(read_regular_file(found->folder() / "source/Module.lean", 100).value() == "import A\n");
  REQUIRE(it.said.size() == 1);
  CHECK(it.said[0] == std::vector<std::string>{"-R", (found->folder() / "source").string(),
                                               "--incr-header-save=" + (found->folder() / "state").string(),
                                               (found->folder() / "source/Module.lean").string()});
  it.run.source = "import A\n/-- Another one. -/\ntheorem b : True := trivial\n";
  CHECK(it.find(it.run) == found);
  CHECK(it.snapshots.made() == 1);
  CHECK(it.snapshots.loaded() == 2);
}

TEST_CASE("a text of another kind shares no snapshot") {
  SnapshotFixture it;
  REQUIRE(it.find_often(it.run));
  ColdRun other = it.run;
  SECTION("header") {
    other.source = "import A\nimport B\ntheorem a : True := trivial\n";
  }
  SECTION("comment before the imports") {
    other.source = "-- A\n" + other.source;
  }
  SECTION("options") {
    other.options.clear();
  }
  SECTION("search path") {
    other.search_path.clear();
  }
  SECTION("name of the module") {
    other.module_file = "Other.lean";
  }
  SECTION("program") {
    other.toolchain = "other";
  }
  CHECK(it.find(other) == nullptr);
}

TEST_CASE("a snapshot is left when something below it has changed, and made again") {
  SnapshotFixture it;
  const auto before = it.find_often(it.run);
  REQUIRE(before);
  std::this_thread::sleep_for(kClockLag);
  SECTION("an imported file") {
    it.write("path/A.olean", "b");
  }
  SECTION("a folder of the search path has a new module") {
    it.write("path/B.olean", "b");
  }
  SECTION("the saved state") {
    std::ofstream(before->folder() / "state") << "other";
  }
  SECTION("its list") {
    std::ofstream(before->folder() / "state.deps") << "[]";
  }
  CHECK(it.find(it.run) == nullptr);
  const auto after = it.find(it.run);
  CHECK(after);
  CHECK(after != before);
  CHECK(it.snapshots.made() == 2);
}

TEST_CASE("without a snapshot a text imports as usual") {
  SnapshotFixture it;
  std::size_t runs = 1;
  SECTION("Lean saves none, and is not asked again") {
    it.saves = false;
  }
  SECTION("an import is written while Lean saves") {
    it.meanwhile = [&] {
      std::this_thread::sleep_for(kClockLag);
      it.write("path/A.olean", "b");
    };
  }
  SECTION("the list of imports has another form") {
    it.list = R"({"version": 2})";
  }
  SECTION("a module of the list has no file") {
    it.list = R"([{"name": "A"}])";
  }
  SECTION("a library is loaded") {
    it.run.options = {"--load-dynlib=a.so"};
    runs = 0;
  }
  SECTION("a text in Lean's module system") {
    it.run.source = "module\n" + it.run.source;
    runs = 0;
  }
  CHECK(it.find_often(it.run) == nullptr);
  CHECK(it.find(it.run) == nullptr);
  CHECK(it.said.size() == runs);
}

TEST_CASE("the snapshot that was used least recently makes room; whoever has it keeps its files") {
  SnapshotFixture it;
  const auto run_of = [&](int i) {
    ColdRun run = it.run;
    run.source = "import A" + std::to_string(i) + "\n";
    return run;
  };
  const auto first = it.find_often(run_of(0));
  for (int i = 1; i < 8; ++i) REQUIRE(it.find_often(run_of(i)));
  CHECK(it.snapshots.bytes() == 8 * first->bytes());
  REQUIRE(it.find(run_of(1)));
  REQUIRE(it.find_often(run_of(8)));
  CHECK(it.snapshots.bytes() == 8 * first->bytes());
  CHECK(it.snapshots.made() == 9);
  CHECK(fs::exists(first->folder() / "state"));
  CHECK(it.find(run_of(1)));
  CHECK(it.snapshots.made() == 9);
  CHECK(it.find(run_of(0)) != first);
  CHECK(it.snapshots.made() == 10);
}

// Which scratch document a text gets, how many there are, and what they may cost.

#include "core/document/scratch_pool.hpp"

#include "core/document/scratch_links.hpp"
#include "store_fixture.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace leanbridge::document {

using namespace document::test;

namespace {

constexpr std::int64_t kMegabyte = 1 << 20;

/// What the workers use, which the test sets; the pool reads it on a thread of its own.
class Usage {
 public:
  void set(const std::string& uri, std::int64_t megabytes) {
    const std::lock_guard lock(mutex_);
    bytes_[uri] = megabytes * kMegabyte;
  }
  /// From now on the worker computes for a second between two looks.
  void let_compute(const std::string& uri) {
    const std::lock_guard lock(mutex_);
    seconds_[uri] = 0;
  }
  int looks() {
    const std::lock_guard lock(mutex_);
    return looks_;
  }
  std::vector<lean::WorkerProcess> see() {
    const std::lock_guard lock(mutex_);
    ++looks_;
    for (auto& [uri, seconds] : seconds_) ++seconds;
    std::vector<lean::WorkerProcess> processes;
    for (const auto& [uri, bytes] : bytes_)
      processes.push_back({uri, 1, bytes, seconds_.contains(uri) ? seconds_[uri] : 0});
    return processes;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::int64_t> bytes_;
  std::map<std::string, double> seconds_;
  int looks_ = 0;
};

struct PoolFixture : StoreFixture {
  const std::filesystem::path links = project / "cache/scratch";
  void make_pool(std::size_t workers, std::int64_t megabytes,
                 io::Clock::duration prepare_after = std::chrono::milliseconds(1)) {
    StoreLimits limits;
    limits.scratch.prepare_after = prepare_after;
    limits.scratch.links = links;
    limits.scratch.max_workers = workers;
    limits.scratch.max_bytes = megabytes * kMegabyte;
    limits.scratch.look_every = std::chrono::milliseconds(5);
    limits.scratch.leave_limit = std::chrono::milliseconds(5);
    limits.scratch.measure = [usage = usage](int) { return usage->see(); };
    limits.scratch.free_bytes = [looks = looks_at_free_memory] {
      ++*looks;
      return 4096 * kMegabyte;
    };
    make_store(limits);
  }
  ScratchPool& pool_of() { return *store->scratch(); }
  /// Opens a file and asks that a worker be prepared for it.
  void ask_for_worker(io::Clock::duration prepare_after = std::chrono::milliseconds(1)) {
    write("A.lean", "theorem t : True := by\n  trivial\n");
    make_pool(3, 10'000, prepare_after);
    sync("A.lean");
    pool_of().prepare(*document("A.lean"));
  }
  void finish_preparation() {
    REQUIRE(loop.until([&] { return !pool_of().is_preparing(); }));
  }
  Running<Result<Scratch>> ask(const std::string& text, const std::filesystem::path& file = {}) {
    return loop.start(pool_of().acquire(text, patient(), file));
  }
  /// Takes a scratch document with a text, whose worker takes that much memory.
  Scratch take(const std::string& text, std::int64_t megabytes = 100,
               const std::filesystem::path& file = {}) {
    auto asked = ask(text, file);
    Scratch scratch = std::move(loop.finish(asked).value());
    usage->set(scratch.document()->uri, megabytes);
    scratch.set_text(text);
    return scratch;
  }
  std::vector<std::string> open() {
    std::vector<std::string> names;
    for (const auto& slot : pool_of().slots())
      if (slot.open) names.push_back(slot.name);
    return names;
  }

  std::shared_ptr<Usage> usage = std::make_shared<Usage>();
  std::shared_ptr<std::atomic<int>> looks_at_free_memory = std::make_shared<std::atomic<int>>(0);
};

}  // namespace

TEST_CASE_METHOD(PoolFixture, "the warmest is used again, until what it imports changes on disk",
                 "[document][scratch]") {
  write("B.lean", "def b := 1\n");
  make_pool(3, 10'000);
  const std::string text = "import B\n#check b\n";
  const std::string first = take(text).document()->name;
  CHECK(take(text + "#check 1\n").document()->name == first);
  CHECK(count(kOpen) == 1);
  CHECK(count(kChange) == 1);

  {
    auto asked = ask(text);
    CHECK(loop.finish(asked).value().document()->state.open());
  }
  write("B.lean", "def b := 22\n");
  {
    auto asked = ask(text);
    const Scratch scratch = std::move(loop.finish(asked).value());
    CHECK(scratch.document()->name == first);
    CHECK_FALSE(scratch.document()->state.open());  // its text is of no use
  }
  const std::string second = take(text).document()->name;
  CHECK(count(kOpen) == 2);
  CHECK(count(kClose) == 1);
  CHECK(open().size() == 1);
  CHECK(take(text).document()->name == second);
  CHECK(count(kOpen) == 2);  // once is enough
}

TEST_CASE_METHOD(PoolFixture, "an import that changes while it is in use counts from the next use on",
                 "[document][scratch]") {
  write("B.lean", "def b := 1\n");
  make_pool(3, 10'000);
  {
    Scratch scratch = take("import B\n#check b\n");
    write("B.lean", "def b := 22\n");
    scratch.set_text("import B\n#check b\n#check 1\n");
    CHECK(count(kOpen) == 1);
  }
  take("import B\n#check b\n");
  CHECK(count(kOpen) == 2);
}

TEST_CASE_METHOD(PoolFixture, "as many as are allowed; the next one waits", "[document][scratch]") {
  make_pool(2, 10'000);
  auto one = std::make_optional(take("#check 1\n"));
  const Scratch two = take("#check 2\n");
  auto waiting = ask("#check 3\n");
  loop.settle();
  CHECK_FALSE(waiting.done());
  const std::string name = one->document()->name;
  CHECK(name != two.document()->name);
  one.reset();
  CHECK(loop.finish(waiting).value().document()->name == name);
}

TEST_CASE_METHOD(PoolFixture, "another one is opened only where its memory fits in", "[document][scratch]") {
  make_pool(3, 1500);
  usage->set("file:///the/users/own.lean", 800);  // so another one is expected to grow as large
  auto one = std::make_optional(take("#check 1\n", 600));
  auto waiting = ask("#check 2\n");
  loop.until([&] { return pool_of().slots().front().resident_bytes == 600 * kMegabyte; });
  loop.settle();
  CHECK_FALSE(waiting.done());
  const std::string name = one->document()->name;
  one.reset();
  CHECK(loop.finish(waiting).value().document()->name == name);
  CHECK(open().size() == 1);
}

TEST_CASE_METHOD(PoolFixture, "above the bound the largest idle one is closed first", "[document][scratch]") {
  make_pool(3, 2600);
  usage->set("file:///the/users/own.lean", 800);  // it is not counted
  std::vector<std::string> names;
  {
    const Scratch one = take("#check 1\n", 200), two = take("#check 2\n", 300),
                  three = take("#check 3\n", 250);
    names = {one.document()->name, two.document()->name, three.document()->name};
    CHECK(open() == names);
    usage->set(three.document()->uri, 2200);
    usage->set(two.document()->uri, 350);
  }
  REQUIRE(loop.until([&] { return open().size() < 3; }));
  CHECK(open() == std::vector<std::string>{names[0], names[1]});
}

TEST_CASE_METHOD(PoolFixture, "one in use that is above the bound alone is ended, and its user told why",
                 "[document][scratch]") {
  write("A.lean", "def a := 1\n");
  make_pool(3, 1000);
  const SyncReport users = sync("A.lean");
  usage->set(uri("A.lean"), 50);
  const Scratch small = take("#check 1\n", 10);
  Scratch scratch = take("#check 2\n", 900);
  usage->set(uri("A.lean"), 5000);
  auto waiting = loop.start(scratch.handle().wait_until_done(patient()));
  usage->set(scratch.document()->uri, 1200);
  const auto known = loop.finish(waiting);
  REQUIRE_FALSE(known.has_value());
  CHECK(known.error().kind == ErrorKind::WorkerCrashed);
  CHECK(contains(known.error().message, "1210 MB"));
  CHECK(contains(known.error().message, "--max-worker-memory"));
  CHECK(scratch.evicted_for_memory());
  CHECK(small.document()->state.open());
  CHECK(users.document->state.open());  // never the user's own

  usage->set(scratch.document()->uri, 100);
  scratch.set_text("#check 3\n");
  CHECK_FALSE(scratch.evicted_for_memory());
  CHECK(scratch.document()->state.open());
}

TEST_CASE_METHOD(PoolFixture, "one that was given up too often gets a new worker", "[document][scratch]") {
  make_pool(3, 10'000);
  {
    Scratch scratch = take("#check 1\n");
    for (int i = 0; i < pool_of().limits().max_stuck; ++i) {
      CHECK_FALSE(scratch.needs_restart());
      scratch.abandon_text();
    }
    CHECK(scratch.needs_restart());
    scratch.renew();
    CHECK_FALSE(scratch.needs_restart());
    scratch.set_text("#check 1\n");
    CHECK(count(kOpen) == 2);
    for (int i = 0; i < pool_of().limits().max_stuck; ++i) scratch.abandon_text();
  }
  CHECK(open().empty());
  CHECK(count(kClose) == 2);
}

TEST_CASE_METHOD(PoolFixture, "one that has recovered was not given up", "[document][scratch]") {
  make_pool(3, 10'000);
  Scratch scratch = take("#check 1\n");
  for (int i = 0; i < 3 * pool_of().limits().max_stuck; ++i) {
    scratch.abandon_text();
    scratch.recovered();
  }
  CHECK_FALSE(scratch.needs_restart());
}

TEST_CASE_METHOD(PoolFixture, "one that computes on after it was told to leave a text is closed",
                 "[document][scratch]") {
  make_pool(5, 10'000);
  const auto finish_text = [&](const Scratch& scratch) {
    arrived();
    const json barrier = lean().last(kBarrier);
    lean().reply(barrier, json::object());
    REQUIRE(loop.until([&] { return scratch.document()->state.done(); }));
  };
  const auto take_and_leave = [&](const std::string& text) {
    Scratch scratch = take(text);
    scratch.abandon_text();
    scratch.set_text(text.substr(0, text.find('#')));
    return scratch;
  };
  const auto take_guilty = [&](const std::string& text) {
    Scratch scratch = take_and_leave(text);
    finish_text(scratch);
    usage->let_compute(scratch.document()->uri);
    return scratch;
  };
  auto quiet = std::make_optional(take_and_leave("#check 1\n"));
  finish_text(*quiet);
  auto trusted = std::make_optional(take("#check 2\n"));
  finish_text(*trusted);
  usage->let_compute(trusted->document()->uri);
  auto elaborating = std::make_optional(take_and_leave("#check 3\n"));
  usage->let_compute(elaborating->document()->uri);
  auto used = std::make_optional(take_and_leave("import U\n#check 4\n"));
  finish_text(*used);
  auto guilty = std::make_optional(take_guilty("import G\n#check 5\n"));
  const std::string gone = guilty->document()->name;
  std::vector<std::string> innocent = open();
  REQUIRE(innocent.size() == 5);
  std::erase(innocent, gone);

  const int looks = usage->looks();
  used.reset();
  REQUIRE(loop.until([&] { return usage->looks() > looks; }));
  auto again = ask("import U\n#check 4\n");
  REQUIRE(loop.until([&] { return again.done(); }));
  usage->let_compute(again.get().value().document()->uri);
  for (auto* scratch : {&quiet, &trusted, &elaborating, &guilty}) scratch->reset();
  REQUIRE(loop.until([&] { return open().size() < 5; }));
  CHECK(open() == innocent);
  // By the time that a second one is closed, each of the others would have been.
  take_guilty("import H\n#check 6\n");
  REQUIRE(loop.until([&] { return open().size() < 5; }));
  CHECK(open() == innocent);
  CHECK(loop.finish(again).value().document()->state.open());
}

TEST_CASE_METHOD(PoolFixture,
                 "one that gets no processor for a while, or is slow to leave a text, is closed later",
                 "[document][scratch]") {
  make_pool(2, 10'000);
  std::string uri;
  json barrier;
  {
    Scratch scratch = take("#check 1\n");
    scratch.abandon_text();
    scratch.set_text("");
    uri = scratch.document()->uri;
    arrived();
    barrier = lean().last(kBarrier);
  }
  const auto look_again = [&] {
    REQUIRE(loop.until([&, enough = usage->looks() + 4] { return usage->looks() >= enough; }));
  };
  look_again();  // its text is not yet done
  CHECK(open().size() == 1);
  lean().reply(barrier, json::object());
  look_again();  // and then it has no processor
  CHECK(open().size() == 1);
  usage->let_compute(uri);
  CHECK(loop.until([&] { return open().empty(); }));
}

TEST_CASE_METHOD(PoolFixture, "each in use may be limited by itself", "[document][scratch]") {
  make_pool(3, 10'000);
  pool_of().limit(2, 500 * kMegabyte);
  const Scratch small = take("#check 1\n", 400);
  const Scratch large = take("#check 2\n", 600);
  REQUIRE(loop.until([&] { return large.evicted_for_memory(); }));
  CHECK(large.document()->state.crashed());
  CHECK(small.document()->state.open());
  CHECK(small.resident_bytes() == 400 * kMegabyte);
}

TEST_CASE_METHOD(PoolFixture, "a server that has died leaves no place taken", "[document][scratch]") {
  make_pool(1, 10'000);
  take("#check 1\n");
  lean().exit(3);
  REQUIRE(loop.until([&] { return store->server().state() == lean::Server::State::Down; }));
  CHECK(open().empty());
  take("#check 2\n");
  CHECK(open().size() == 1);
}

TEST_CASE_METHOD(PoolFixture, "the name of a scratch document leads Lake to the file that it stands for",
                 "[document][scratch]") {
  namespace fs = std::filesystem;
  write("src/A/B.lean", "");
  write("src/A.lean", "");
  make_pool(2, 10'000);
  const std::string text = "#check 1\n";
  const auto path_for = [&](const fs::path& file) {
    const Scratch scratch = take(text, 100, file);
    const fs::path path = scratch.document()->path;
    CHECK(is_scratch_path(path));
    if (!file.empty()) {
      CHECK(fs::canonical(path) == fs::canonical(file));
      // Otherwise Lean would take it for the module of the file in its table of references.
      CHECK(path.extension() != ".lean");
    }
    return path;
  };
  CHECK(path_for({}) == project / "leanbridge-scratch-1");
  CHECK_FALSE(fs::exists(project / "leanbridge-scratch-1"));
  const fs::path of_b = path_for(project / "src/A/B.lean");
  CHECK(of_b.filename() == "leanbridge-scratch-2");
  CHECK(path_for(project / "src/A/B.lean") == of_b);
  CHECK(count(kOpen) == 2);
  CHECK(path_for(project / "src/A.lean").filename() == "leanbridge-scratch-3");  // replaces the oldest
  CHECK(pool_of().warm_slots() == 2);
  CHECK(pool_of().warm_slots_for(project / "src/A.lean") == 1);
  CHECK(pool_of().warm_slots_for({}) == 0);
  CHECK(count(kClose) == 1);
  CHECK(open() == std::vector<std::string>{"leanbridge-scratch-3", "leanbridge-scratch-2"});
  // The next one replaces B's, whose link goes with it.
  const fs::path again = path_for(project / "src/A/../A/B.lean");
  CHECK_FALSE(fs::is_symlink(of_b));
  CHECK(fs::is_symlink(again));
}

TEST_CASE_METHOD(PoolFixture, "a link that was removed meanwhile is made again before a worker starts",
                 "[document][scratch]") {
  namespace fs = std::filesystem;
  write("A.lean", "");
  make_pool(1, 10'000);
  {
    Scratch scratch = take("#check 1\n", 100, project / "A.lean");
    fs::remove(scratch.document()->path);
    scratch.renew();
    scratch.set_text("#check 2\n");
    CHECK(fs::is_symlink(scratch.document()->path));
    CHECK(scratch.document()->state.open());
    // With other options than the file's, an answer would be no answer about the file.
    fs::remove_all(links);
    scratch.renew();
    scratch.set_text("#check 3\n");
    CHECK(scratch.document()->state.crashed());
    CHECK(scratch.document()->worker.last_crash.find("cannot be made") != std::string::npos);
  }
  auto next = ask("#check 4\n", project / "A.lean");
  const auto& refused = loop.finish(next);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::Internal);
  CHECK_FALSE(refused.error().hint.empty());
}

TEST_CASE_METHOD(PoolFixture, "links end with their process, however that ends", "[document][scratch]") {
  namespace fs = std::filesystem;
  write("A.lean", "");
  fs::create_directories(links / "links-killed");
  fs::create_symlink(project / "A.lean", links / "links-killed/leanbridge-scratch-1");
  const auto living = ScratchLinks::create(links);
  REQUIRE(living);
  CHECK_FALSE(fs::exists(links / "links-killed"));
  REQUIRE(living->point(living->path_of(1), project / "A.lean"));
  {
    const auto other = ScratchLinks::create(links);
    REQUIRE(other);
    REQUIRE(other->point(other->path_of(1), project / "A.lean"));
    CHECK(fs::is_symlink(living->path_of(1)));
    CHECK(std::distance(fs::directory_iterator(links), {}) == 2);
  }
  CHECK(std::distance(fs::directory_iterator(links), {}) == 1);
  CHECK(fs::exists(project / "A.lean"));
}

TEST_CASE_METHOD(PoolFixture,
                 "a worker is prepared with a file's imports, and is the one of the first attempt",
                 "[document][scratch]") {
  write("B.lean", "def b := 1\n");
  write("A.lean", "import B\ntheorem t : True := by\n  trivial\n");
  make_pool(3, 10'000);
  sync("A.lean");
  usage->set(uri("A.lean"), 2000);
  pool_of().prepare(*document("A.lean"));
  pool_of().prepare(*document("A.lean"));
  REQUIRE(loop.until([&] { return open().size() == 1; }));
  CHECK(question(kOpen, 2)["params"]["textDocument"]["text"] == "import B\n");
  const Scratch scratch = take("import B\ntheorem t : True := by\n  simp\n", 100, project / "A.lean");
  CHECK(scratch.document()->state.open());
  CHECK(count(kOpen) == 2);
  CHECK(open().size() == 1);
}

TEST_CASE_METHOD(PoolFixture, "none is prepared at once, while the file's own worker may be asked more",
                 "[document][scratch]") {
  ask_for_worker(std::chrono::hours(1));
  for (int i = 0; i < 10; ++i) loop.run(pool_of().measure(patient()));  // it would look after the first
  CHECK(*looks_at_free_memory == 0);
  CHECK(count(kOpen) == 1);
}

TEST_CASE_METHOD(PoolFixture, "none is prepared if memory has become short before it is started",
                 "[document][scratch]") {
  ask_for_worker();
  CHECK_FALSE(pool_of().close_idle());
  finish_preparation();
  CHECK(count(kOpen) == 1);
}

TEST_CASE_METHOD(PoolFixture, "none is prepared on a server that has been stopped meanwhile",
                 "[document][scratch]") {
  ask_for_worker(std::chrono::milliseconds(100));
  store->server().kill();
  finish_preparation();
  CHECK(*looks_at_free_memory == 1);
  CHECK(store->server().pid() == 0);
  CHECK(open().empty());
}

TEST_CASE_METHOD(PoolFixture, "none is prepared where two of the project's workers would not fit",
                 "[document][scratch]") {
  write("A.lean", "theorem t : True := by\n  trivial\n");
  make_pool(3, 10'000);
  sync("A.lean");
  usage->set(uri("A.lean"), 2100);
  pool_of().prepare(*document("A.lean"));
  finish_preparation();
  CHECK(*looks_at_free_memory == 1);
  CHECK(count(kOpen) == 1);
  usage->set(uri("A.lean"), 2000);
  CHECK(loop.until([&] {
    pool_of().prepare(*document("A.lean"));
    return !open().empty();
  }));
}

TEST_CASE_METHOD(PoolFixture, "while memory is short idle ones are closed, and none is prepared any more",
                 "[document][scratch]") {
  write("A.lean", "theorem t : True := by\n  trivial\n");
  make_pool(3, 10'000);
  sync("A.lean");
  CHECK_FALSE(pool_of().close_idle());
  {
    const Scratch used = take("#check 1\n");
    take("#check 2\n");
    CHECK(pool_of().close_idle());
    CHECK(open() == std::vector{used.document()->path.filename().string()});
  }
  CHECK(pool_of().close_idle());
  const std::size_t opened = count(kOpen);
  pool_of().prepare(*document("A.lean"));
  finish_preparation();
  CHECK(count(kOpen) == opened);
  CHECK(*looks_at_free_memory == 0);
}

TEST_CASE("only our own names are those of scratch documents", "[document][scratch]") {
  CHECK(is_scratch_path("/p/A/leanbridge-scratch-12"));
  for (const char* other :
       {"/p/leanbridge-scratch-", "/p/leanbridge-scratch-1/B.lean", "/p/A.lean", "/p/leanbridge-scratch-1x",
        "/p/leanbridge-scratch-1.lean", "/p/my-leanbridge-scratch-1"})
    CHECK_FALSE(is_scratch_path(other));
}

}  // namespace leanbridge::document

// The bound on open files: who waits, for what, and in which order.

#include "core/document/open_file_slots.hpp"

#include "core/document/scratch_pool.hpp"
#include "store_fixture.hpp"

#include <algorithm>

namespace leanbridge::document {

using namespace document::test;

namespace {

struct PlacesFixture : StoreFixture {
  explicit PlacesFixture(std::size_t most = 2) {
    StoreLimits limits;
    limits.max_open = most;
    make_store(limits);
    for (int i = 0; i < 20; ++i) write(name(i), "def a := 1\n");
  }
  static std::string name(int i) { return std::string("F") + std::to_string(i) + ".lean"; }
  Running<Result<SyncReport>> begin(int i, io::CancelScope scope = patient()) {
    return loop.start(store->sync(project / name(i), std::move(scope)));
  }
  bool waits(int i) {
    return loop.until([&] { return document(name(i)) && document(name(i))->usage.waits_for_slot; });
  }
};

}  // namespace

TEST_CASE_METHOD(PlacesFixture, "no more files are open than may be, however many are asked for",
                 "[document][places]") {
  std::vector<Running<Result<SyncReport>>> syncs;
  for (int i = 0; i < 20; ++i) syncs.push_back(begin(i));
  std::size_t answered = 0;
  int most = 0;
  while (!syncs.empty()) {
    auto done = syncs.end();
    REQUIRE(loop.until([&] {
      most = std::max(most, store->open_count());
      done = std::find_if(syncs.begin(), syncs.end(), [](auto& one) { return one.done(); });
      return done != syncs.end();
    }));
    REQUIRE(done->get().has_value());
    CHECK(done->get()->document->state.open());
    ++answered;
    syncs.erase(done);  // its call ends
  }
  CHECK(answered == 20);
  CHECK(most == 2);
  CHECK(store->open_count() == 2);
  CHECK(count(kOpen) == 20);
  CHECK(count(kClose) == 18);
}

TEST_CASE_METHOD(PlacesFixture, "what is in use is not closed: others wait, and say so at their deadline",
                 "[document][places]") {
  const SyncReport a = sync(name(0)), b = sync(name(1));
  auto late = begin(2, io::CancelScope(std::chrono::seconds(2)));
  REQUIRE(waits(2));
  auto beside = begin(2, io::CancelScope(std::chrono::seconds(1)));  // behind the same sync
  CHECK(contains(loop.finish(beside).error().message, "All 2 slots"));
  const Error error = loop.finish(late).error();
  CHECK(error.kind == ErrorKind::Timeout);
  CHECK(error.message ==
        "All 2 slots for open files were in use until the call's deadline, by calls about F0.lean, F1.lean.");
  CHECK(contains(error.hint, "--max-open-files"));
  CHECK(a.document->state.open());
  CHECK(b.document->state.open());
  CHECK(store->documents().size() == 2);

  const auto cancel = std::make_shared<io::CancelSource>();
  auto cancelled = begin(3, patient(cancel));
  REQUIRE(waits(3));
  cancel->cancel();
  CHECK(loop.finish(cancelled).error().kind == ErrorKind::Cancelled);
  // Open files need no slot.
  auto open = begin(0);
  CHECK(loop.finish(open).has_value());
}

TEST_CASE_METHOD(PlacesFixture, "places are given in the order in which they were asked for",
                 "[document][places]") {
  std::optional<SyncReport> a(sync(name(0)));
  const SyncReport b = sync(name(1));
  auto first = begin(2);
  REQUIRE(waits(2));
  auto second = begin(3);
  REQUIRE(waits(3));
  a.reset();
  auto third = begin(4);  // arrives when the slot is free, but others came before it
  std::optional<SyncReport> got(std::move(loop.finish(first).value()));
  REQUIRE(waits(4));
  CHECK_FALSE(second.done());
  CHECK(document(name(0))->state.open() == false);
  got.reset();
  got.emplace(std::move(loop.finish(second).value()));
  CHECK_FALSE(third.done());
  got.reset();
  CHECK(loop.finish(third).has_value());
}

TEST_CASE_METHOD(PlacesFixture, "a file that changed while its call waited is opened as it is now",
                 "[document][places]") {
  std::optional<SyncReport> a(sync(name(0)));
  const SyncReport b = sync(name(1));
  auto wait = begin(2);
  REQUIRE(waits(2));
  write(name(2), "def changed := 1\n");
  a.reset();
  const SyncReport synced(std::move(loop.finish(wait).value()));
  CHECK(synced.document->state.text().str() == "def changed := 1\n");
}

TEST_CASE_METHOD(PlacesFixture, "a worker that has died has no place any more", "[document][places]") {
  const SyncReport a = sync(name(0)), b = sync(name(1));
  auto wait = begin(2);
  REQUIRE(waits(2));
  SECTION("closed by a tool") {
    CHECK(store->close(project / name(0)));
  }
  SECTION("of itself") {
    lean::RequestError died{{ErrorKind::WorkerCrashed, "it died"}, lean::kWorkerCrashed};
    store->note_failure(a.document.share(), died);
  }
  CHECK(loop.finish(wait).has_value());
}

TEST_CASE_METHOD(PlacesFixture, "a text to try in closes no file", "[document][places]") {
  sync(name(0));
  sync(name(1));
  auto scratch = loop.run(store->scratch()->acquire("def x := 1\n", patient()));
  REQUIRE(scratch.has_value());
  scratch->set_text("def x := 1\n");
  CHECK(store->open_count() == 2);
}

}  // namespace leanbridge::document

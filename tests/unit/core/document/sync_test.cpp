// DocumentStore::sync: what Lean is sent when something has changed on disk.

#include "core/document/scratch_pool.hpp"
#include "store_fixture.hpp"

namespace leanbridge::document {

using namespace document::test;

TEST_CASE_METHOD(StoreFixture, "a file is opened once", "[document][table]") {
  write("A.lean", "theorem a : True := trivial\n");
  SyncReport synced = sync("A.lean");
  CHECK_FALSE(synced.was_open);
  CHECK_FALSE(synced.changed);
  CHECK_FALSE(synced.restarted.has_value());
  CHECK(synced.document->state.version() == 1);
  CHECK(synced.document->name == "A.lean");
  CHECK(synced.document->usage.in_use == 1);
  const SyncReport again = sync("A.lean");
  CHECK(again.was_open);
  CHECK_FALSE(again.changed);
  CHECK(again.document.share() == synced.document.share());
  CHECK(again.document->usage.in_use == 2);
  CHECK(count(kOpen) == 1);
  CHECK(count(kChange) == 0);
  const json open = lean().last(kOpen)["params"];
  CHECK(open["textDocument"] == json({{"uri", uri("A.lean")},
                                      {"languageId", "lean4"},
                                      {"version", 1},
                                      {"text", "theorem a : True := trivial\n"}}));
  CHECK(open["dependencyBuildMode"] == "once");
  CHECK(count(kBarrier) == 1);
  CHECK(store->open_count() == 1);
}

TEST_CASE_METHOD(StoreFixture, "of an edit on disk the smallest difference is sent", "[document][table]") {
  write("A.lean", "theorem 𝔸 : True := by\n  trivial\n");
  sync("A.lean");
  write("A.lean", "theorem 𝔸 : True := by\n  exact trivial\n");
  const SyncReport synced = sync("A.lean");
  CHECK(synced.changed);
  CHECK_FALSE(synced.restarted.has_value());
  CHECK(synced.document->state.version() == 2);
  const json change = (arrived(), lean().last(kChange)["params"]);
  CHECK(change["textDocument"] == json({{"uri", uri("A.lean")}, {"version", 2}}));
  const json place = {{"line", 1}, {"character", 2}};
  CHECK(change["contentChanges"] ==
        json::array({{{"range", {{"start", place}, {"end", place}}}, {"text", "exact "}}}));
  CHECK(count(kOpen) == 1);
  CHECK(count(kBarrier) == 2);
  CHECK(lean().last(kBarrier)["params"]["version"] == 2);
  // The old barrier is of no use now.
  CHECK(lean().last("$/cancelRequest")["params"]["id"] == lean().all(kBarrier)[0]["id"]);
}

TEST_CASE_METHOD(StoreFixture, "a touch without a change sends nothing", "[document][table]") {
  write("A.lean", "def a := 1\n");
  sync("A.lean");
  write("A.lean", "def a := 1\n");
  CHECK_FALSE(sync("A.lean").changed);
  write("A.lean", "def a := 1\r\n");
  CHECK_FALSE(sync("A.lean").changed);
  CHECK(count(kChange) == 0);
  CHECK(document("A.lean")->state.version() == 1);
}

TEST_CASE_METHOD(StoreFixture, "a young file is read at every sync", "[document][table]") {
  const auto path = project.write("A.lean", "def a := 1\n");
  sync("A.lean");
  const auto time = std::filesystem::last_write_time(path);
  project.write("A.lean", "def a := 2\n");  // the same size, within the same time stamp
  std::filesystem::last_write_time(path, time);
  CHECK(sync("A.lean").changed);
  CHECK(document("A.lean")->state.text().str() == "def a := 2\n");
}

TEST_CASE_METHOD(StoreFixture, "an edit of the header opens the file afresh", "[document][table]") {
  write("A.lean", "import Init\ndef a := 1\n");
  sync("A.lean");
  write("A.lean", "import Init -- a comment\ndef a := 1\n");
  CHECK_FALSE(sync("A.lean").restarted.has_value());
  CHECK(count(kChange) == 1);
  write("A.lean", "import Init\nimport Lean\ndef a := 1\n");
  const SyncReport synced = sync("A.lean");
  CHECK(synced.restarted == "the imports in its header changed");
  CHECK(synced.changed);
  arrived();
  CHECK(lean().all(kOpen).size() == 2);
  CHECK(lean().all(kClose).size() == 1);
  CHECK(lean().all(kChange).size() == 1);
  CHECK(lean().last(kOpen)["params"]["textDocument"]["version"] == 3);
  CHECK(synced.document->state.text().str() == "import Init\nimport Lean\ndef a := 1\n");
}

TEST_CASE_METHOD(StoreFixture, "a change of an import opens afresh the documents concerned",
                 "[document][table]") {
  write("Base.lean", "def base := 1\n");
  write("Use.lean", "import Base\ndef use := base\n");
  write("Far.lean", "import Use\n");
  write("Other.lean", "def other := 1\n");
  for (const char* name : {"Use.lean", "Far.lean", "Other.lean"}) sync(name);
  write("Base.lean", "def base := 20\n");
  const SyncReport use = sync("Use.lean"), far = sync("Far.lean"), other = sync("Other.lean");
  CHECK(use.restarted == "an import changed on disk: Base.lean");
  CHECK(far.restarted == "an import changed on disk: Base.lean");
  CHECK_FALSE(other.restarted.has_value());
  CHECK_FALSE(use.changed);
  CHECK(use.document->state.version() == 2);
  arrived();
  CHECK(lean().all(kOpen).size() == 5);
  CHECK(lean().all(kClose).size() == 2);
  CHECK_FALSE(sync("Use.lean").restarted.has_value());
}

TEST_CASE_METHOD(StoreFixture, "a change of the lakefile starts a new server", "[document][table]") {
  write("A.lean", "def a := 1\n");
  write("B.lean", "def b := 1\n");
  sync("A.lean");
  sync("B.lean");
  write("lakefile.toml", "name = \"q\"\n");
  const SyncReport a = sync("A.lean");
  CHECK(contains(a.restarted.value_or(""), "lakefile.toml"));
  CHECK(lake.runs.size() == 2);
  CHECK(document("B.lean")->state.crashed());
  sync("B.lean");
  CHECK(lake.runs.size() == 2);
  arrived();
  CHECK(lean().all(kOpen).size() == 2);
  CHECK(lean().all(kClose).empty());  // it was never open in this server
  CHECK(lake.runs[0]->has("shutdown"));
}

TEST_CASE_METHOD(StoreFixture, "a lakefile edited before the first question starts a new server",
                 "[document][table]") {
  store->server().start();
  REQUIRE(loop.until([&] { return store->server().state() == lean::Server::State::Ready; }));
  write("lakefile.toml", "name = \"q\"\n");
  write("A.lean", "def a := 1\n");
  CHECK(contains(sync("A.lean").restarted.value_or(""), "lakefile.toml"));
  CHECK(lake.runs.size() == 2);
}

TEST_CASE_METHOD(StoreFixture, "a manifest that lake writes while it starts is no change",
                 "[document][table]") {
  store->server().start();
  write("lake-manifest.json", "{}");
  REQUIRE(loop.until([&] { return store->server().state() == lean::Server::State::Ready; }));
  write("A.lean", "def a := 1\n");
  CHECK_FALSE(sync("A.lean").restarted.has_value());
  write("lake-manifest.json", "{ }");
  CHECK(contains(sync("A.lean").restarted.value_or(""), "lake-manifest.json"));
}

TEST_CASE_METHOD(StoreFixture, "nor is it for a call that has read the disk meanwhile", "[document]") {
  const bool is_written_first = GENERATE(true, false);
  write("A.lean", "def a := 1\n");
  json initialize;
  lake.on_message = [&](FakeServer& server, const json& message) {
    if (message.value("method", "") == "initialize")
      initialize = message;
    else
      FakeLake::well_behaved(server, message);
  };
  store->server().start();
  REQUIRE(loop.until([&] { return !initialize.is_null(); }));
  if (is_written_first) write("lake-manifest.json", "{}");
  auto synced = loop.start(store->sync(project / "A.lean", patient()));
  REQUIRE(loop.until([&] { return document("A.lean") && document("A.lean")->disk.import_watch; }));
  if (!is_written_first) write("lake-manifest.json", "{}");
  FakeLake::well_behaved(lean(), initialize);
  const auto& report = loop.finish(synced);
  REQUIRE(report.has_value());
  CHECK_FALSE(report->restarted.has_value());
  CHECK_FALSE(sync("A.lean").restarted.has_value());
  CHECK(lake.runs.size() == 1);
}

TEST_CASE_METHOD(StoreFixture, "Lean is told of .ilean files that were built after it started",
                 "[document][table]") {
  constexpr const char* kFilesChanged = "workspace/didChangeWatchedFiles";
  write("A.lean", "def a := 1\n");
  write(".lake/build/lib/lean/Old.ilean", "{}");
  write(".lake/build/lib/lean/Removed.ilean", "{}");
  write(".lake/build/lib/lean/Same.ilean", "{}");
  sync("A.lean");
  const auto report = [&] {
    auto reporting = [](std::shared_ptr<DocumentStore> of) -> asio::awaitable<bool> {
      co_await of->report_built_references(patient());
      co_return true;
    };
    loop.run(reporting(store));
    return count(kFilesChanged);
  };
  CHECK(report() == 0);
  write(".lake/build/lib/lean/Deep/New.ilean", "{}");
  write(".lake/build/lib/lean/Old.ilean", "{ }");
  std::filesystem::remove(project / ".lake/build/lib/lean/Removed.ilean");
  CHECK(report() == 1);
  const auto change = [&](const char* name, int type) {
    return json{{"uri", uri(std::string(".lake/build/lib/lean/") + name)}, {"type", type}};
  };
  CHECK(lean().last(kFilesChanged)["params"]["changes"] ==
        json::array({change("Deep/New.ilean", 1), change("Old.ilean", 2), change("Removed.ilean", 3)}));
  CHECK(report() == 1);
}

TEST_CASE_METHOD(StoreFixture, "what cannot be read is an error, and closed in Lean", "[document][table]") {
  write("A.lean", "def a := 1\n");
  CHECK(sync_error("None.lean").kind == ErrorKind::FileNotFound);
  CHECK(store->documents().empty());  // and leaves no trace
  CHECK(sync_error("").kind == ErrorKind::InvalidArgument);
  sync("A.lean");
  SECTION("deleted") {
    std::filesystem::remove(project / "A.lean");
    CHECK(sync_error("A.lean").kind == ErrorKind::FileNotFound);
  }
  SECTION("no UTF-8 any more") {
    write("A.lean", "def a := \xff\n");
    CHECK(sync_error("A.lean").kind == ErrorKind::InvalidArgument);
  }
  CHECK(count(kClose) == 1);
  CHECK(store->open_count() == 0);
  write("A.lean", "def a := 1\n");
  const SyncReport synced = sync("A.lean");
  CHECK_FALSE(synced.was_open);
  CHECK(synced.document->state.version() == 2);
  CHECK(count(kOpen) == 2);
}

TEST_CASE_METHOD(StoreFixture, "files that come and go leave nothing behind", "[document][table]") {
  make_store({2, {}, 3});
  const auto known = [&] { return store->documents().size(); };
  SECTION("removed, and asked for once more") {
    for (int i = 0; i < 10; ++i) {
      const std::string name = "A" + std::to_string(i) + ".lean";
      write(name, "def a := 1\n");
      sync(name);
      std::filesystem::remove(project / name);
      CHECK(sync_error(name).kind == ErrorKind::FileNotFound);
      CHECK(known() == 0);
    }
    CHECK(count(kClose) == 10);
  }
  SECTION("never asked for again: the ones used last are remembered") {
    for (int i = 0; i < 10; ++i) {
      const std::string name = "A" + std::to_string(i) + ".lean";
      write(name, "def a := 1\n");
      sync(name);
    }
    CHECK(known() == 5);
    CHECK(document("A4.lean") == nullptr);
    CHECK(document("A5.lean") != nullptr);
    // What Lean still says about its earlier life is about a version that the new one never has.
    CHECK(sync("A0.lean").document->state.version() > 1);
  }
  SECTION("one that somebody waits on stays") {
    write("A.lean", "def a := 1\n");
    sync("A.lean");
    const auto waited_on = document("A.lean");
    auto wait = loop.start(io::wait_until(waited_on->changed, patient(), [] { return false; }));
    loop.until([&] { return waited_on->changed.has_waiters(); });
    std::filesystem::remove(project / "A.lean");
    CHECK(sync_error("A.lean").kind == ErrorKind::FileNotFound);
    CHECK(document("A.lean") == waited_on);
  }
}

TEST_CASE_METHOD(StoreFixture, "concurrent syncs of one file open it once", "[document][table]") {
  write("A.lean", "def a := 1\n");
  std::vector<Running<Result<SyncReport>>> syncs;
  for (int i = 0; i < 8; ++i) syncs.push_back(loop.start(store->sync(project / "A.lean", patient())));
  for (auto& one : syncs) CHECK(loop.finish(one).has_value());
  CHECK(document("A.lean")->usage.in_use == 8);
  CHECK(count(kOpen) == 1);
  syncs.clear();
  CHECK(document("A.lean")->usage.in_use == 0);
  CHECK_FALSE(document("A.lean")->disk.syncing);
}

TEST_CASE_METHOD(StoreFixture, "concurrent syncs of a file that is not there all say so",
                 "[document][table]") {
  auto first = loop.start(store->sync(project / "A.lean", patient()));
  auto second = loop.start(store->sync(project / "A.lean", patient()));
  CHECK(loop.finish(first).error().kind == ErrorKind::FileNotFound);
  CHECK(loop.finish(second).error().kind == ErrorKind::FileNotFound);
  CHECK(store->documents().empty());
}

TEST_CASE_METHOD(StoreFixture, "a sync that is cancelled or late lets the next one through",
                 "[document][table]") {
  write("A.lean", "def a := 1\n");
  const auto cancel = std::make_shared<io::CancelSource>();
  cancel->cancel();
  CHECK(loop.run(store->sync(project / "A.lean", patient(cancel))).error().kind == ErrorKind::Cancelled);
  CHECK(loop.run(store->sync(project / "A.lean", expired())).error().kind == ErrorKind::Timeout);
  CHECK(store->documents().empty());
  CHECK(sync("A.lean").document->state.open());
  CHECK(document("A.lean")->usage.in_use == 0);
}

TEST_CASE_METHOD(StoreFixture, "without a server a sync says why, and the next one tries again",
                 "[document][table]") {
  write("A.lean", "def a := 1\n");
  lake.on_message = [](FakeServer& run, const json&) { run.exit(9); };
  const Error error = sync_error("A.lean");
  CHECK(error.kind == ErrorKind::LeanUnavailable);
  CHECK(contains(error.message, "exit code 9"));
  CHECK(store->documents().empty());
  lake.on_message = FakeLake::well_behaved;
  sync("A.lean");
}

TEST_CASE_METHOD(StoreFixture,
                 "an error that names a variable of Lean's own after an edit opens the file anew",
                 "[document][table]") {
  write("A.lean", "def a := 1\n");
  sync("A.lean");
  finish("A.lean", 1);
  write("A.lean", "def a := 2\n");
  const SyncReport synced = sync("A.lean");
  const auto tells = [&](Version version, const char* message) {
    lean().diagnostics(uri("A.lean"), version, {message});
    arrived();
  };
  tells(2, "unknown free variable `_fvar.x`");
  CHECK(count(kOpen) == 1);
  tells(2, "unknown free variable `_fvar.9`");
  CHECK(count(kOpen) == 2);
  CHECK(count(kClose) == 1);
  CHECK(lean().last(kOpen)["params"]["textDocument"]["text"] == "def a := 2\n");
  CHECK(synced.document->state.version() == 3);
  CHECK(synced.document->state.diagnostics().empty());
  // A new worker says the same: it is true, and stays so after an edit.
  tells(3, "unknown free variable `_fvar.9`");
  write("A.lean", "def a := 3\n");
  sync("A.lean");
  tells(4, "unknown free variable `_fvar.9`");
  CHECK(count(kOpen) == 2);
  CHECK(synced.document->state.diagnostics().size() == 1);
}

TEST_CASE_METHOD(StoreFixture, "close and open again", "[document][table]") {
  write("A.lean", "def a := 1\n");
  CHECK_FALSE(store->close(project / "A.lean"));
  sync("A.lean");
  CHECK(store->close(project / "A.lean"));
  CHECK_FALSE(store->close(project / "A.lean"));
  CHECK(count(kClose) == 1);
  const SyncReport synced = sync("A.lean");
  CHECK_FALSE(synced.was_open);
  CHECK_FALSE(synced.restarted.has_value());
  CHECK(count(kOpen) == 2);
}

TEST_CASE_METHOD(StoreFixture, "beyond the limit the one used longest ago is closed, never one in use",
                 "[document][table]") {
  make_store({2, {}});
  for (const char* name : {"A.lean", "B.lean", "C.lean", "D.lean"}) write(name, "def x := 1\n");
  sync("A.lean");
  sync("B.lean");
  sync("A.lean");  // B is now the one used longest ago
  {
    const SyncReport c = sync("C.lean");
    CHECK(store->open_count() == 2);
    CHECK_FALSE(document("B.lean")->state.open());
    const SyncReport a = sync("A.lean");
    auto d = loop.start(store->sync(project / "D.lean", patient()));  // both others are in use
    REQUIRE(loop.until([&] { return document("D.lean") && document("D.lean")->usage.waits_for_slot; }));
    CHECK(store->open_count() == 2);
  }
  REQUIRE(loop.until([&] { return document("D.lean")->state.open(); }));
  CHECK(store->open_count() == 2);
  sync("B.lean");
  CHECK(store->open_count() == 2);
  CHECK(document("B.lean")->state.open());
}

TEST_CASE_METHOD(StoreFixture,
                 "a file whose header failed is opened again at the next call, and until it is loaded",
                 "[document][table]") {
  write("A.lean", "import Fetched\ndef a := 1\n");
  const SyncReport first = sync("A.lean");
  lean().progress(uri("A.lean"), 1, {{0, 2}}, 2);
  arrived();
  CHECK_FALSE(sync("A.lean").restarted.has_value());  // the reason has not come yet
  finish("A.lean", 1);
  CHECK(first.document->state.header_failed());

  const bool edited = GENERATE(false, true);
  if (edited) write("A.lean", "import Fetched\ndef a := 2\n");
  const SyncReport second = sync("A.lean");
  CHECK(second.restarted == "its imports could not be loaded before");
  CHECK(count(kOpen) == 2);
  CHECK(count(kClose) == 1);
  CHECK(count(kChange) == 0);
  CHECK_FALSE(second.document->state.header_failed());
  finish("A.lean", 2);
  CHECK_FALSE(sync("A.lean").restarted.has_value());
  CHECK(count(kOpen) == 2);
}

TEST_CASE_METHOD(StoreFixture,
                 "a server for which Lake could not load the project is replaced at the next call",
                 "[document][table]") {
  write("A.lean", "def a := 1\n");
  write("B.lean", "def b := 1\n");
  const auto fails = [&](std::string_view name, Version version) {
    lean().diagnostics(
        uri(name), version,
        {"`lake setup-file` failed:\n\nstderr:\nerror: no network\nFailed to configure the Lake "
         "workspace. Please restart the server after fixing the error above.\n"});
    lean().progress(uri(name), version, {{0, 1}}, 2);
    finish(name, version);
  };
  const auto error = [&](std::string_view name) {
    return *DocumentHandle(store, document(name)).header_failure();
  };
  sync("A.lean");
  sync("B.lean");
  fails("A.lean", 1);
  CHECK(error("A.lean").kind == ErrorKind::LeanUnavailable);
  CHECK(contains(error("A.lean").message, "Lake could not load the project"));
  CHECK(contains(error("A.lean").message, "error: no network"));
  CHECK(contains(error("A.lean").hint, "Call again: the server is started anew"));
  fails("B.lean", 1);
  CHECK(lake.runs.size() == 1);

  CHECK(contains(sync("B.lean").restarted.value_or(""), "Lake could not load the project"));
  CHECK(lake.runs.size() == 2);
  fails("B.lean", 2);
  CHECK(contains(error("B.lean").hint, "Call again in "));  // now there is a pause
  CHECK(sync("B.lean").restarted == "its imports could not be loaded before");
  CHECK(lake.runs.size() == 2);
  fails("B.lean", 3);
  store->server().configuration_may_load();
  SECTION("at a call about a file") {
    sync("A.lean");
    CHECK(lake.runs.size() == 3);
    finish("A.lean", 2);
    CHECK_FALSE(sync("A.lean").restarted.has_value());
  }
  SECTION("or one that tries a text") {
    auto scratch = loop.run(store->scratch()->acquire("def c := 1\n", patient()));
    REQUIRE(scratch.has_value());
    CHECK(lake.runs.size() == 3);
  }
}

TEST_CASE_METHOD(StoreFixture, "a file that Lake could not load the project for is opened again",
                 "[document][table]") {
  write("A.lean", "def a := 1\n");
  sync("A.lean");
  lean().diagnostics(uri("A.lean"), 1, {"stderr:\nerror: no network\nFailed to load the Lake workspace.\n"});
  lean().progress(uri("A.lean"), 1, {{0, 1}}, 2);
  finish("A.lean", 1);
  const Error error = *DocumentHandle(store, document("A.lean")).header_failure();
  CHECK(contains(error.message, "error: no network"));
  CHECK(contains(error.hint, "Lake is asked anew"));
  CHECK(sync("A.lean").restarted == "its imports could not be loaded before");
  CHECK(lake.runs.size() == 1);
}

TEST_CASE_METHOD(StoreFixture, "a file opened again before it was said why its header failed is tried again",
                 "[document][table]") {
  write("Base.lean", "def base := 1\n");
  write("A.lean", "import Base\nimport Fetched\n");
  sync("A.lean");
  lean().progress(uri("A.lean"), 1, {{0, 2}}, 2);
  arrived();
  write("Base.lean", "def base := 100\n");
  CHECK(sync("A.lean").restarted == "an import changed on disk: Base.lean");

  // The result may be about files that were corrected since, so this call tries once more.
  auto third = loop.start(store->sync(project / "A.lean", patient()));
  CHECK(count(kOpen) == 2);
  CHECK_FALSE(third.done());
  lean().progress(uri("A.lean"), 2, {});  // as Lean does before the fatal range
  arrived();
  CHECK_FALSE(third.done());
  lean().progress(uri("A.lean"), 2, {{0, 2}}, 2);
  finish("A.lean", 2);
  CHECK(loop.finish(third)->restarted == "its imports could not be loaded before");
  CHECK(count(kOpen) == 3);
}

TEST_CASE_METHOD(StoreFixture, "packages that are required by their folder are watched as the project is",
                 "[document][table]") {
  const TestFolder core;
  core.write("lakefile.toml", "name = \"core\"\n");
  core.write("Core.lean", "def core := 1\n");
  write("lake-manifest.json",
        json{{"packages", {{{"type", "path"}, {"name", "core"}, {"dir", core.path().string()}}}}}.dump());
  write("A.lean", "import Core\n");
  sync("A.lean");
  finish("A.lean", 1);
  CHECK_FALSE(sync("A.lean").restarted.has_value());
  SECTION("their sources") {
    core.write("Core.lean", "def core := 100\n");
    CHECK(sync("A.lean").restarted == "an import changed on disk: Core.lean");
    CHECK(lake.runs.size() == 1);
  }
  SECTION("their lakefiles") {
    core.write("lakefile.toml", "name = \"core\"\nsrcDir = \"src\"\n");
    CHECK(contains(sync("A.lean").restarted.value_or(""), "lakefile.toml changed"));
    CHECK(lake.runs.size() == 2);
  }
}

}  // namespace leanbridge::document

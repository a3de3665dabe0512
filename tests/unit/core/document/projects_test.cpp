// Which clients share a project, and what becomes of one that nobody uses.

#include "core/document/workspace.hpp"
#include "store_fixture.hpp"

namespace leanbridge::document::test {

using namespace leanbridge::test;

namespace {

constexpr auto kKept = std::chrono::milliseconds(20);

// Nothing here starts a server.
struct SharedProjects {
  SharedProjects() { folder.write("lakefile.toml", "name = \"p\"\n"); }

  WorkspaceOptions client() {
    WorkspaceOptions options;
    options.directory = folder.path();
    return options;
  }
  std::shared_ptr<DocumentStore> store_of(Workspace& workspace) { return workspace.project("").value(); }

  Loop loop;
  io::Pool pool;
  TestFolder folder;
  Projects projects{loop.context, pool, kKept};
};

}  // namespace

TEST_CASE("Clients of one project share its server", "[document][projects]") {
  SharedProjects shared;
  Workspace one(shared.projects, shared.client()), two(shared.projects, shared.client());
  CHECK(shared.store_of(one) == shared.store_of(two));
  CHECK(shared.projects.all().size() == 1);
  CHECK(one.projects().size() == 1);
}

TEST_CASE("A client sees only the projects that it uses", "[document][projects]") {
  SharedProjects shared;
  Workspace one(shared.projects, shared.client()), two(shared.projects, shared.client());
  shared.store_of(one);
  CHECK(two.projects().empty());
}

TEST_CASE("Clients that start Lean differently have servers of their own", "[document][projects]") {
  SharedProjects shared;
  Workspace plain(shared.projects, shared.client());
  WorkspaceOptions given = shared.client();
  SECTION("another environment") {
    given.environment = lean::Variables{{"PATH", "/elsewhere"}};
  }
  SECTION("other arguments") {
    given.serve_args = {"-DmaxHeartbeats=1"};
  }
  SECTION("another lake") {
    given.lake = "/elsewhere/lake";
  }
  Workspace other(shared.projects, given);
  CHECK(shared.store_of(plain) != shared.store_of(other));
}

TEST_CASE("A fixed root of one client does not bind another", "[document][projects]") {
  SharedProjects shared;
  shared.folder.write("inner/lakefile.toml", "name = \"inner\"\n");
  WorkspaceOptions inside = shared.client();
  inside.root = shared.folder / "inner";
  Workspace bound(shared.projects, inside), free(shared.projects, shared.client());
  const std::string outer = (shared.folder / "A.lean").string();
  CHECK(bound.locate(outer).error().kind == ErrorKind::OutsideProject);
  CHECK(free.locate(outer).has_value());
}

TEST_CASE("A project ends when its last client has been gone for a while", "[document][projects]") {
  SharedProjects shared;
  auto one = std::make_unique<Workspace>(shared.projects, shared.client());
  auto two = std::make_unique<Workspace>(shared.projects, shared.client());
  shared.store_of(*one);
  shared.store_of(*two);
  one.reset();
  shared.loop.run(io::sleep_for(3 * kKept, patient()));
  CHECK(shared.projects.all().size() == 1);
  two.reset();
  CHECK(shared.loop.until([&] { return shared.projects.all().empty(); }));
}

TEST_CASE("A project is kept for the next client that comes in time", "[document][projects]") {
  SharedProjects shared;
  auto one = std::make_unique<Workspace>(shared.projects, shared.client());
  const auto kept = shared.store_of(*one);
  one.reset();
  Workspace two(shared.projects, shared.client());
  CHECK(shared.store_of(two) == kept);
  shared.loop.run(io::sleep_for(3 * kKept, patient()));
  CHECK(shared.projects.all() == std::vector{kept});
}

TEST_CASE_METHOD(StoreFixture,
                 "the file that was idle longest is closed when memory is short, and that is said",
                 "[document][projects]") {
  write("A.lean", "def a := 1\n");
  write("B.lean", "def b := 1\n");
  Projects projects(loop.context, pool, std::chrono::hours(24));
  lean::ServerOptions options;
  options.root = project.path();
  options.lake = lake.program();
  const auto use = projects.use(options, {});
  store = use.store();  // ended with the fixture
  const auto held = std::make_unique<SyncReport>(sync("A.lean"));
  sync("B.lean");
  CHECK_FALSE(projects.close_idlest(std::chrono::hours(1)));  // not idle for so long
  CHECK(projects.close_idlest({}));
  CHECK(document("A.lean")->state.open());  // in use
  CHECK_FALSE(document("B.lean")->state.open());
  CHECK_FALSE(projects.close_idlest({}));
  const SyncReport again = sync("B.lean");
  CHECK(again.restarted == "it was closed because memory was short");
  CHECK_FALSE(sync("B.lean").restarted);
}

TEST_CASE_METHOD(StoreFixture, "a server without open files is ended when memory is short",
                 "[document][projects]") {
  write("A.lean", "def a := 1\n");
  Projects projects(loop.context, pool, std::chrono::hours(24));
  lean::ServerOptions options;
  options.root = project.path();
  options.lake = lake.program();
  const auto use = projects.use(options, {});
  store = use.store();  // ended with the fixture
  sync("A.lean");
  CHECK(projects.close_idlest({}));  // the file
  CHECK_FALSE(document("A.lean")->state.open());
  CHECK(store->server().state() == lean::Server::State::Ready);
  CHECK_FALSE(projects.close_idlest(std::chrono::hours(1)));
  // The file's last request is cancelled first.
  REQUIRE(loop.until([&] { return projects.close_idlest({}); }));
  CHECK(loop.until([&] { return store->server().state() == lean::Server::State::Idle; }));
  CHECK_FALSE(projects.close_idlest({}));
  CHECK(sync("A.lean").restarted == "it was closed because memory was short");
  CHECK(store->server().starts() == 2);
}

TEST_CASE_METHOD(StoreFixture, "of many projects, servers that were idle longest are ended",
                 "[document][projects]") {
  constexpr std::size_t kProjects = 5, kMost = 2;
  Projects projects(loop.context, pool, std::chrono::hours(24));
  std::vector<std::unique_ptr<TestFolder>> folders;
  std::vector<Projects::Use> uses;
  std::unique_ptr<SyncReport> held;
  for (std::size_t i = 0; i < kProjects; ++i) {
    folders.push_back(std::make_unique<TestFolder>());
    folders.back()->write("lakefile.toml", "name = \"p\"\n");
    lean::ServerOptions options;
    options.root = folders.back()->path();
    options.lake = lake.program();
    uses.push_back(projects.use(options, {}));
    auto synced = loop.run(uses.back().store()->sync(folders.back()->write("A.lean", ""), patient()));
    REQUIRE(synced);
    if (i == 0) held = std::make_unique<SyncReport>(std::move(*synced));
  }
  const auto running = [&] {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < kProjects; ++i)
      if (uses[i].store()->server().state() == lean::Server::State::Ready) found.push_back(i);
    return found;
  };
  projects.end_idle_servers(kMost, std::chrono::hours(1));
  projects.end_idle_servers(kProjects, {});
  loop.settle();
  CHECK(running().size() == kProjects);
  projects.end_idle_servers(kMost, {});
  CHECK(loop.until([&] { return running().size() == kMost; }));
  CHECK(running() == std::vector<std::size_t>{0, kProjects - 1});  // the first is in use
  CHECK(uses[0].store()->open_count() == 1);
  CHECK(uses[1].store()->open_count() == 0);
  const auto again = loop.run(uses[1].store()->sync(*folders[1] / "A.lean", patient()));
  REQUIRE(again);
  CHECK(again->restarted == "it was closed because Lean ran for more than 2 projects, and this one was idle");
  held.reset();
  projects.kill();
}

}  // namespace leanbridge::document::test

#include "search/index/local_index.hpp"

#include "core/base/user_folders.hpp"
#include "index_fixture.hpp"
#include "search/support/index_worker.hpp"
#include "support/loop.hpp"
#include <catch2/catch.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

using namespace leanbridge;
using namespace leanbridge::index;
using namespace leanbridge::test;
using State = IndexStatus::State;

namespace {

struct IndexFixture {
  IndexFolders folders;
  Loop loop;

  Lookup lookup(std::string words) const {
    Lookup made;
    made.words = std::move(words);
    made.project = folders.project();
    return made;
  }
  std::string best(LocalIndex& index, std::string words) {
    const auto matches = loop.run(index.find(lookup(std::move(words)), patient()));
    REQUIRE(matches);
    return matches->found.empty() ? "" : matches->found[0].name;
  }
  /// A search checks for changes; while it does, a part counts as being built.
  bool becomes_ready(LocalIndex& index) {
    return loop.until([&] {
      const auto status = index.status();
      return status.parts.size() == 2 && status.parts[0].state == State::Ready &&
             status.parts[1].state == State::Ready;
    });
  }
  IndexOptions options() const { return {folders.cache(), folders.lake()}; }
};

}  // namespace

TEST_CASE("a search finds what project and toolchain declare", "[index][local]") {
  IndexFixture test;
  LocalIndex index(test.loop.context, test.options());
  REQUIRE(test.loop.run(index.build(test.folders.project(), patient())));
  CHECK(test.best(index, "addition commutative natural numbers") == "Nat.add_comm");
  CHECK(test.best(index, "doubles a number") == "double");
  const auto matches = test.loop.run(index.find(test.lookup("double_pos"), patient()));
  CHECK(matches->complete);
  CHECK(matches->found[0].file == (test.folders / "project/P.lean").string());
  CHECK(matches->found[0].line == 3);
  REQUIRE(test.becomes_ready(index));
  for (const auto& part : index.status().parts) {
    CHECK(part.problem == std::nullopt);
    CHECK(part.bytes > 0);
  }
  const auto known = test.loop.run(index.describe(test.folders.project(), {"double", "nope"}, patient()));
  REQUIRE(known->size() == 1);
  CHECK(known->at(0).docstring == "Doubles a number.");
  const auto modules = test.loop.run(index.tree(TreeKind::Modules, test.folders.project(), "", 2, patient()));
  REQUIRE(modules->children.value().size() == 2);
  CHECK(modules->children->at(0).name == "Init");
  CHECK(modules->children->at(0).children.value().at(0).name == "Init.Nat");
  CHECK(modules->children->at(1).declarations == 2);
  const auto names =
      test.loop.run(index.tree(TreeKind::Namespaces, test.folders.project(), "Nat", 1, patient()));
  CHECK(names->children.value().size() == 2);
}

TEST_CASE("the first search starts the build, and answers all the same", "[index][local]") {
  IndexFixture test;
  LocalIndex index(test.loop.context, test.options());
  const auto first = test.loop.run(index.find(test.lookup("double"), patient()));
  REQUIRE(first);
  REQUIRE(test.becomes_ready(index));
  CHECK(test.best(index, "double") == "double");
}

TEST_CASE("lake is asked once, as long as its files do not change", "[index][local]") {
  IndexFixture test;
  for (int i = 0; i < 2; ++i) {
    LocalIndex index(test.loop.context, test.options());
    REQUIRE(test.loop.run(index.build(test.folders.project(), patient())));
  }
  CHECK(test.folders.asked() == 1);
  test.folders.write("project/lakefile.toml", "name = \"another\"\n");
  LocalIndex index(test.loop.context, test.options());
  REQUIRE(test.loop.run(index.build(test.folders.project(), patient())));
  CHECK(test.folders.asked() == 2);
}

TEST_CASE("without lake the project itself is found", "[index][local]") {
  IndexFixture test;
  LocalIndex index(test.loop.context, IndexOptions{test.folders.cache(), "/nowhere/lake"});
  const auto built = test.loop.run(index.build(test.folders.project(), patient()));
  REQUIRE_FALSE(built);
  CHECK(built.error().message.find("/nowhere/lake") != std::string::npos);
  CHECK(test.best(index, "double") == "double");
}

namespace {

/// A lake that does what the test says: it fails while the file `no-network` is there, and waits while
/// `downloads` is there.
struct UnsteadyLake : IndexFixture {
  UnsteadyLake()
      : program(
            folders.write_program("unsteady",
                                  "#!/bin/sh\necho x >> tries\nwhile [ -e downloads ]; do sleep 0.01; done\n"
                                  "if [ -e no-network ]; then echo error: no network >&2; exit 1; fi\nexec " +
                                      folders.lake() + " \"$@\"\n")) {}
  IndexOptions options() const {
    IndexOptions options = IndexFixture::options();
    options.lake = program.string();
    options.max_layout_wait = std::chrono::milliseconds(1);
    options.first_retry = options.longest_retry = std::chrono::hours(1);
    return options;
  }
  std::size_t tries() const { return content_of(folders / "project/tries").size() / 2; }
  void begin(const char* state) { folders.write(std::string("project/") + state, ""); }
  void end(const char* state) { std::filesystem::remove(folders / (std::string("project/") + state)); }

  std::filesystem::path program;
};

TEST_CASE("a tree is cut from below", "[index]") {
  const std::vector<std::pair<std::string, std::size_t>> names = {
      {"A", 1}, {"A.B", 2}, {"A.B.C", 3}, {"A.D", 4}, {"E.F", 5}};
  ModuleNode tree = tree_of(names, "", 3);
  CHECK(tree.declarations == 15);
  CHECK(keep_upper(tree, 100) == 6);
  CHECK(wire::write(tree)["children"][0]["children"][0]["children"][0]["name"] == "A.B.C");
  CHECK(keep_upper(tree, 3) == 6);
  REQUIRE(tree.children.value().size() == 2);
  CHECK(tree.children->at(0).children.value().size() == 1);
  CHECK(tree.children->at(0).declarations == 10);
  CHECK_FALSE(tree.children->at(0).children->at(0).children.has_value());
  CHECK_FALSE(tree.children->at(1).children.has_value());
  CHECK(tree_of(names, "A.B", 1).children.value().size() == 1);
}

TEST_CASE("a name that only resembles the query confirms nothing", "[index]") {
  const auto matches_of = [](const std::vector<std::string>& names) {
    Matches matches;
    for (const std::string& name : names) matches.found.emplace_back().name = name;
    return matches;
  };
  Matches matches = matches_of({"Nat.add_comn", "Nat.Add_Comm", "Int.add_comm"});
  CHECK(keep_containing(matches, "ADD_comm").empty());
  REQUIRE(matches.found.size() == 2);
  CHECK(matches.found.front().name == "Nat.Add_Comm");
  matches = matches_of({"a1", "a2", "a3", "a4", "a5", "a6"});
  CHECK(keep_containing(matches, "b") == std::vector<std::string>{"a1", "a2", "a3", "a4", "a5"});
  CHECK(matches.found.empty());
}

TEST_CASE("only an index that was seen whole says that a name does not exist", "[index]") {
  const auto use = [](bool complete, bool growing, std::vector<State> states) {
    Matches matches;
    matches.complete = complete;
    matches.growing = growing;
    std::vector<IndexStatus::Part> parts;
    for (const State state : states) parts.emplace_back().state = state;
    return index_use(matches, parts);
  };
  CHECK(use(true, false, {}) == IndexUse::Consulted);
  CHECK(use(false, true, {State::Failed, State::Building}) == IndexUse::Warming);
  CHECK(use(false, true, {State::Failed}) == IndexUse::Error);
  CHECK(use(false, true, {}) == IndexUse::Warming);
  CHECK(use(false, true, {State::Absent}) == IndexUse::Unavailable);
  CHECK(use(false, false, {}) == IndexUse::Unavailable);
}

}  // namespace

TEST_CASE("lake is asked again while it fails, and the toolchain is found in the end", "[index][local]") {
  UnsteadyLake test;
  LocalIndex index(test.loop.context, test.options());
  const auto build = [&] { return test.loop.run(index.build(test.folders.project(), patient())); };
  test.begin("no-network");
  const auto failed = build();
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message.find("no network") != std::string::npos);
  CHECK(test.best(index, "double") == "double");  // and asks again in the background
  REQUIRE(test.loop.until([&] { return test.tries() == 2; }));
  SECTION("a pause follows the second failure") {
    REQUIRE_FALSE(build());
    REQUIRE_FALSE(build());
    CHECK(test.tries() == 2);
  }
  SECTION("but not a change of the project") {
    REQUIRE_FALSE(build());
    test.end("no-network");
    test.folders.write("project/lakefile.toml", "name = \"another\"\n");
    LocalIndex other(test.loop.context, test.options());
    REQUIRE(test.loop.run(other.build(test.folders.project(), patient())));
  }
}

TEST_CASE("a lake that works at the second attempt", "[index][local]") {
  UnsteadyLake test;
  LocalIndex index(test.loop.context, test.options());
  test.begin("no-network");
  REQUIRE_FALSE(test.loop.run(index.build(test.folders.project(), patient())));
  test.end("no-network");
  REQUIRE(test.loop.run(index.build(test.folders.project(), patient())));
  CHECK(test.best(index, "Nat.add_comm") == "Nat.add_comm");
  CHECK(test.loop.run(index.find(test.lookup("Nat.add_comm"), patient()))->complete);
}

TEST_CASE("while lake does not answer, the project itself is found, and the rest when it has",
          "[index][local]") {
  UnsteadyLake test;
  LocalIndex index(test.loop.context, test.options());
  test.begin("downloads");
  REQUIRE(test.loop.until([&] { return test.best(index, "double") == "double"; }));
  const auto matches = test.loop.run(index.find(test.lookup("Nat.add_comm"), patient()));
  CHECK_FALSE(matches->complete);
  CHECK(matches->growing);
  const auto status = test.loop.run(index.inspect(test.folders.project(), patient()));
  REQUIRE(status->parts.size() == 2);
  CHECK(status->parts[1].state == State::Building);
  CHECK(status->parts[1].problem.value().find("Lake has not answered yet") != std::string::npos);
  test.end("downloads");
  REQUIRE(test.loop.until([&] { return test.best(index, "Nat.add_comm") == "Nat.add_comm"; }));
  CHECK(test.tries() == 1);
}

TEST_CASE("lake is not asked while another one may load the project", "[index][local]") {
  UnsteadyLake test;
  IndexOptions options = test.options();
  io::Condition changed;
  bool is_free = false;
  std::vector<std::filesystem::path> waits;
  options.before_lake = [&](std::filesystem::path project, io::CancelScope scope) -> asio::awaitable<void> {
    waits.push_back(std::move(project));
    co_await io::wait_until(changed, scope, [&] { return is_free; });
  };
  LocalIndex index(test.loop.context, options);
  REQUIRE(test.loop.until([&] { return test.best(index, "double") == "double"; }));
  CHECK(test.tries() == 0);
  CHECK(waits == std::vector<std::filesystem::path>{test.folders.project()});
  is_free = true;
  changed.notify_all();
  REQUIRE(test.loop.run(index.build(test.folders.project(), patient())));
  CHECK(test.tries() == 1);
}

TEST_CASE("a first question about names waits for the layout, as a search does", "[index][local]") {
  IndexFixture test;
  {
    LocalIndex index(test.loop.context, test.options());
    REQUIRE(test.loop.run(index.build(test.folders.project(), patient())));
  }
  LocalIndex index(test.loop.context, test.options());
  SECTION("for their declarations") {
    CHECK(test.loop.run(index.describe(test.folders.project(), {"double"}, patient()))->size() == 1);
  }
  SECTION("for those in a namespace") {
    CHECK(test.loop.run(index.tree(TreeKind::Namespaces, test.folders.project(), "Nat", 1, patient()))
              ->children.value()
              .size() == 2);
  }
}

TEST_CASE("calls that wait for an index are cancelled when it is destroyed", "[index][local]") {
  IndexFixture test;
  auto index = std::make_unique<LocalIndex>(test.loop.context, test.options());
  const std::filesystem::path project = test.folders.project();
  auto built = test.loop.start(index->build(project, patient()));
  auto found = test.loop.start(index->find(test.lookup("double"), patient()));
  auto inspected = test.loop.start(index->inspect(project, patient()));
  auto generation = test.loop.start(index->generation(project, patient()));
  test.loop.settle();
  index->remember(project, {{"double", ": Nat → Nat", ""}});
  index.reset();
  REQUIRE_FALSE(test.loop.finish(built));
  CHECK(built.get().error().kind == ErrorKind::Cancelled);
  REQUIRE_FALSE(test.loop.finish(found));
  CHECK(found.get().error().kind == ErrorKind::Cancelled);
  REQUIRE_FALSE(test.loop.finish(inspected));
  CHECK(inspected.get().error().kind == ErrorKind::Cancelled);
  CHECK(test.loop.finish(generation).empty());
}

TEST_CASE("what Lean said is remembered", "[index][local]") {
  IndexFixture test;
  LocalIndex index(test.loop.context, test.options());
  REQUIRE(test.loop.run(index.build(test.folders.project(), patient())));
  index.remember(test.folders.project(), {{"double", ": Nat → Nat", ""}});
  REQUIRE(test.loop.until([&] {
    const auto known = test.loop.run(index.describe(test.folders.project(), {"double"}, patient()));
    return known->at(0).signature == ": Nat → Nat";
  }));
}

TEST_CASE("what Lean says before the layout is known is remembered, too", "[index][local]") {
  IndexFixture test;
  {
    LocalIndex index(test.loop.context, test.options());
    REQUIRE(test.loop.run(index.build(test.folders.project(), patient())));
  }
  LocalIndex index(test.loop.context, test.options());
  index.remember(test.folders.project(), {{"double", ": Nat → Nat", ""}});
  CHECK(test.loop.until([&] {
    const auto known = test.loop.run(index.describe(test.folders.project(), {"double"}, patient()));
    return known->size() == 1 && known->at(0).signature == ": Nat → Nat";
  }));
}

TEST_CASE("an index has a name for its state, which changes with what is in it", "[index][local]") {
  IndexFixture test;
  const bool on_disk = GENERATE(true, false);
  const auto options = on_disk ? test.options() : IndexOptions{"", test.folders.lake()};
  LocalIndex index(test.loop.context, options);
  const auto generation = [&](LocalIndex& of) {
    return test.loop.run(of.generation(test.folders.project(), patient()));
  };
  // Writes take turns on one thread, and the build comes after them: when it has ended, all of them are done,
  // and whoever waits is told.
  const auto build = [&] {
    REQUIRE(test.loop.run(index.build(test.folders.project(), patient())).has_value() == on_disk);
  };
  build();
  CHECK(test.best(index, "double") == "double");
  const std::string first = generation(index);
  CHECK_FALSE(first.empty());
  CHECK(test.best(index, "Nat.add_comm") == "Nat.add_comm");
  CHECK(generation(index) == first);

  const auto learn = [&] { index.remember(test.folders.project(), {{"double", ": Nat → Nat", ""}}); };
  learn();
  build();
  const std::string learned = generation(index);
  CHECK(learned != first);
  learn();  // it is known by now
  build();
  CHECK(generation(index) == learned);

  test.folders.write("project/Q.lean", "theorem more : True := sorry\n");
  build();
  CHECK(generation(index) != learned);

  LocalIndex other(test.loop.context, options);
  test.loop.run(other.build(test.folders.project(), patient()));
  CHECK(generation(other) != generation(index));
}

TEST_CASE("a cache folder that cannot be: in memory, and it is said", "[index][local]") {
  IndexFixture test;
  test.folders.write("file", "");
  LocalIndex index(test.loop.context, IndexOptions{test.folders / "file/cache", test.folders.lake()});
  const auto built = test.loop.run(index.build(test.folders.project(), patient()));
  REQUIRE_FALSE(built);
  CHECK(built.error().message.find("in memory") != std::string::npos);
  CHECK(test.best(index, "Nat.add_comm") == "Nat.add_comm");
  const auto matches = test.loop.run(index.find(test.lookup("double"), patient()));
  CHECK(matches->complete);
  for (const auto& part : index.status().parts) {
    CHECK(part.database.empty());
    CHECK(part.problem.value().find("in memory") != std::string::npos);
  }
}

TEST_CASE("a cache folder of somebody else: what is there is read, what is not is kept in memory",
          "[index][local]") {
  IndexFixture test;
  const bool whole = GENERATE(true, false);
  if (whole) {
    LocalIndex index(test.loop.context, test.options());
    REQUIRE(test.loop.run(index.build(test.folders.project(), patient())));
  } else {
    REQUIRE(make_folder(test.folders.cache()));
  }
  for (const auto& entry : std::filesystem::directory_iterator(test.folders.cache()))
    ::chmod(entry.path().c_str(), 0444);
  ::chmod(test.folders.cache().c_str(), 0555);
  ::chmod(test.folders.path().c_str(), 0755);
  ::chmod((test.folders / "asked").c_str(), 0666);
  std::vector<std::string> arguments = {"find", test.folders.cache().string(),
                                        test.folders.project().string(), test.folders.lake(), "Nat.add_comm"};
  if (::geteuid() == 0) arguments.emplace_back("user=65534");  // root can write anywhere
  IndexWorker worker(arguments);
  CHECK(worker.line() == "found Nat.add_comm");
  const std::string state = worker.last_line();
  CHECK(state.find(whole ? "not up to date" : "in memory") != std::string::npos);
  ::chmod(test.folders.cache().c_str(), 0755);
}

TEST_CASE("damage that a search meets leads to a new index", "[index][local]") {
  IndexFixture test;
  for (int i = 0; i < 10; ++i)
    test.folders.write("project/M" + std::to_string(i) + ".lean", many_theorems("M" + std::to_string(i), 50));
  std::filesystem::path database;
  {
    LocalIndex index(test.loop.context, test.options());
    REQUIRE(test.loop.run(index.build(test.folders.project(), patient())));
    for (const auto& part : index.status().parts)
      if (part.name == "project") database = part.database;
  }
  {
    std::fstream stream(database, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(4096);
    stream << std::string(std::filesystem::file_size(database) - 4096, '\x5a');
  }
  LocalIndex index(test.loop.context, test.options());  // a new one, with nothing in memory
  // The first searches may say anything, but they answer; then the index is complete again, in another file.
  REQUIRE(test.loop.until([&] { return test.best(index, "M7.fact_3") == "M7.fact_3"; }));
  REQUIRE(test.loop.until([&] {
    const auto status = index.status();
    return std::all_of(status.parts.begin(), status.parts.end(),
                       [](const auto& part) { return part.state == State::Ready; });
  }));
  CHECK(test.best(index, "Nat.add_comm") == "Nat.add_comm");
  CHECK_FALSE(std::filesystem::exists(database));
}

TEST_CASE("an index that is removed under us is built again", "[index][local]") {
  IndexFixture test;
  LocalIndex index(test.loop.context, test.options());
  REQUIRE(test.loop.run(index.build(test.folders.project(), patient())));
  std::filesystem::remove_all(test.folders.cache());
  CHECK(test.loop.run(index.find(test.lookup("double"), patient())));
  REQUIRE(test.loop.until([&] { return test.best(index, "double") == "double"; }));
  REQUIRE(test.loop.until([&] { return test.best(index, "Nat.add_comm") == "Nat.add_comm"; }));
}

TEST_CASE("calls that end early", "[index][local]") {
  IndexFixture test;
  LocalIndex index(test.loop.context, test.options());
  const auto late = test.loop.run(index.build(test.folders.project(), expired()));
  REQUIRE_FALSE(late);
  CHECK(late.error().kind == ErrorKind::Timeout);
  const auto source = std::make_shared<io::CancelSource>();
  source->cancel();
  const auto cancelled = test.loop.run(index.find(test.lookup("double"), patient(source)));
  REQUIRE_FALSE(cancelled);
  CHECK(cancelled.error().kind == ErrorKind::Cancelled);
}

TEST_CASE("the end of a process does not wait for a build", "[index][local]") {
  IndexFixture test;
  for (int i = 0; i < 200; ++i)
    test.folders.write("project/M" + std::to_string(i) + ".lean",
                       many_theorems("M" + std::to_string(i), 100));
  auto index = std::make_unique<LocalIndex>(test.loop.context, test.options());
  auto building = test.loop.start(index->build(test.folders.project(), patient()));
  REQUIRE(test.loop.until([&] { return index->status().parts.size() == 2; }));
  index.reset();
  CHECK_FALSE(building.done());
}

TEST_CASE("where the cache is", "[index][local]") {
  const std::string home = ::getenv("HOME") ? ::getenv("HOME") : "/";
  CHECK(cache_folder("/x/y") == "/x/y");
  ::setenv("XDG_CACHE_HOME", "/cache", 1);
  CHECK(cache_folder("") == "/cache/leanbridge");
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  ::setenv("HOME", "/home/x", 1);
  CHECK(cache_folder("") == "/home/x/.cache/leanbridge");
  ::unsetenv("XDG_CACHE_HOME");
  ::setenv("HOME", home.c_str(), 1);
}

// Builds with a lake that prints what the test says.

#include "core/ide/lake_build.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

constexpr LakeEnd kFailed{LakeEnd::How::Exited, 1};

struct BuildFixture : StoreFixture {
  /// `lake build` prints the content of `output`, waits while there is a file `wait`, and exits with `code`.
  explicit BuildFixture() {
    const std::string in = folder.path().string();
    lean::ServerOptions options;
    options.root = project.path();
    options.lake = folder
                       .write_program("lake", "#!/bin/sh\ncd '" + in +
                                                  "'\necho \"$@\" >> log\ncase \"$1\" in\n"
                                                  "reservoir-config) cat config ;;\n"
                                                  "build) echo \"$LEAN_NUM_THREADS\" > threads; cat output; "
                                                  "while [ -e wait ]; do sleep 0.01; done; "
                                                  "exit $(cat code) ;;\nesac\n")
                       .string();
    with_script = document::DocumentStore::create(loop.context, pool, std::move(options), {});
    says("Build completed successfully (1 job).\n", 0);
  }
  ~BuildFixture() {
    std::filesystem::remove(folder / "wait");
    loop.until([&] { return children().empty(); });
  }
  void says(const std::string& output, int code) {
    folder.write("output", output);
    folder.write("code", std::to_string(code));
  }
  std::string log() { return content_of(folder / "log"); }
  Running<Result<BuildReport>> start(const std::shared_ptr<LakeBuilds>& builds, BuildRequest request = {},
                                     io::CancelScope scope = patient()) {
    return loop.start(builds->run(with_script, std::move(request), 20,
                                  std::make_shared<io::Operation>(io::Operation{scope, {}}), scope));
  }
  std::shared_ptr<LakeBuilds> builds(BuildConcurrency newer = BuildConcurrency::Allow) {
    kept.push_back(std::make_shared<LakeBuilds>(pool, newer, [this] { return capacity; }));
    return kept.back();
  }
  BuildReport build(BuildRequest request = {}) {
    auto running = start(builds(), std::move(request));
    return loop.finish(running).value();
  }

  TestFolder folder;
  io::Capacity capacity;
  std::shared_ptr<document::DocumentStore> with_script;
  std::vector<std::shared_ptr<LakeBuilds>> kept;
};

}  // namespace

TEST_CASE("errors of a build have their places, counted from 1", "[ide][build]") {
  const auto report = read_build(
                          "\x1b[31m✖\x1b[0m [2/3] Building A\nerror: A.lean:3:2: unknown `x`\n"
                          "warning: A.lean:1:0: unused\nerror: build failed\n",
                          kFailed, "/nowhere")
                          .report(20, {});
  CHECK_FALSE(report.success);
  CHECK(report.errors == std::vector<std::string>{"error: A.lean:3:3: unknown `x`"});
  REQUIRE(report.items.size() == 1);
  CHECK(*report.items[0].file_path == "A.lean");
  CHECK(*report.items[0].line == 3);
  CHECK(*report.items[0].column == 3);
  CHECK(report.total == 1);
  CHECK(report.warning_count == 1);
  CHECK_THAT(report.output,
             Catch::StartsWith("✖ [2/3] Building A\n") && Catch::EndsWith("error: build failed"));
}

TEST_CASE("errors that the last build did not have come first", "[ide][build]") {
  const auto last = read_build("error: A.lean:3:2: old\nerror: B.lean:1:0: mended\n", kFailed, "/nowhere");
  // The old one has moved.
  const auto outcome = read_build("error: A.lean:5:2: old\nerror: C.lean:1:0: new\n", kFailed, "/nowhere");
  const auto report = outcome.report(20, last.failures());
  CHECK(report.errors == std::vector<std::string>{"error: C.lean:1:1: new", "error: A.lean:5:3: old"});
  CHECK(report.items[0].message == "new");
  CHECK(report.total == 2);
  CHECK(report.known_errors == 1);
  CHECK(outcome.report(20, {}).known_errors == 0);
}

TEST_CASE("an error that Lake repeats is said once", "[ide][build]") {
  const auto outcome = read_build(
      "error: A.lean:3:2: no\nerror: external command 'cc' exited with code 1\n"
      "✖ [2/3] Building B\nerror: B.lean:3:2: no\nerror: external command 'cc' exited with code 1\n",
      kFailed, "/nowhere");
  const auto report = outcome.report(20, {});
  CHECK(report.errors == std::vector<std::string>{"error: A.lean:3:3: no",
                                                  "error: external command 'cc' exited with code 1 (2 times)",
                                                  "error: B.lean:3:3: no"});
  CHECK(report.total == 4);
  CHECK_FALSE(report.truncated);
}

TEST_CASE("the output is the last lines, the errors are the first 300", "[ide][build]") {
  std::string printed;
  for (int i = 0; i < 400; ++i) printed += "error: A.lean:" + std::to_string(i + 1) + ":0: no\n";
  const auto outcome = read_build(printed, kFailed, "/nowhere");
  const auto report = outcome.report(2, {});
  CHECK(report.output == "error: A.lean:399:0: no\nerror: A.lean:400:0: no");
  CHECK(report.errors.size() == 300);
  CHECK(report.total == 400);
  CHECK(report.truncated);
  CHECK(outcome.report(0, {}).output.empty());
}

TEST_CASE_METHOD(BuildFixture, "a file of a package is named from the project's root", "[ide][build]") {
  write("lakefile.toml", "name = \"p\"\n[[require]]\nname = \"dep\"\npath = \"dep\"\n");
  write("dep/lakefile.toml", "name = \"dep\"\n");
  write("dep/Dep.lean", "");
  write("A.lean", "");
  write("lake-manifest.json", R"({"version":"1.1.0","packages":[{"type":"path","name":"dep","dir":"dep"}]})");
  const auto outcome = read_build("error: A.lean:1:0: a\nerror: Dep.lean:1:0: b\n", kFailed, project.path());
  REQUIRE(outcome.messages.size() == 2);
  CHECK(outcome.messages[0].file_path == "A.lean");
  CHECK(outcome.messages[1].file_path == "dep/Dep.lean");
}

TEST_CASE("the progress of a build is the number of its jobs", "[ide][build]") {
  BuildLog log;
  log.append("✔ [2/5] Built A.B (1s)\n");
  CHECK(log.progress.done == 2);
  CHECK(log.progress.total == 5);
  CHECK(log.progress.message == "✔ [2/5] Built A.B (1s)");
  CHECK(log.progress.beside_bar == "✔ Built A.B (1s)");
  log.append("⚠ [3/5] Built A.C\nwarning: A/C.lean:1:0: unused variable\n\nNote: a linter says so\n");
  CHECK(log.progress.message == "⚠ [3/5] Built A.C");
  BuildLog of_cache;
  of_cache.append("Downloading: 10 file(s)\n");
  CHECK(of_cache.progress.message == "Downloading: 10 file(s)");
}

TEST_CASE_METHOD(BuildFixture, "a build that lake ends well is a success, another is none", "[ide][build]") {
  CHECK(build().success);
  says("error: A.lean:1:0: no\n", 1);
  const BuildReport failed = build();
  CHECK_FALSE(failed.success);
  CHECK_FALSE(failed.timed_out);
  CHECK(failed.errors.size() == 1);
  CHECK(log() == "build\nbuild\n");
}

TEST_CASE_METHOD(BuildFixture, "while memory is short, Lake starts no more Leans than fit, and says so",
                 "[ide][build]") {
  constexpr std::int64_t kGigabyte = std::int64_t{1} << 30;
  // What Lake was told, and what the caller was.
  const auto threads = [&](std::size_t cores, std::int64_t free) {
    capacity = {cores, free};
    const std::string output = build().output;
    const std::string told = content_of(folder / "threads");
    CHECK((told == "\n") == (output.find("Memory is short") == output.npos));
    return told;
  };
  CHECK(threads(8, 3 * kGigabyte) == "2\n");
  CHECK(threads(8, kGigabyte) == "1\n");
  CHECK(threads(8, 16 * kGigabyte) == "\n");
  CHECK(threads(2, 3 * kGigabyte) == "\n");
  CHECK(threads(8, 0) == "\n");  // nothing is known
}

TEST_CASE_METHOD(BuildFixture, "clean is of the root's package alone, or of nothing", "[ide][build]") {
  folder.write("config", R"({"name":"p"})");
  CHECK(build({.clean = true, .fetch_cache = true}).success);
  CHECK(log() == "reservoir-config\nclean p\nexe cache get\nbuild\n");
  folder.write("config", "");
  auto refused = start(builds(), {.clean = true});
  const auto& error = loop.finish(refused).error();
  CHECK(error.kind == ErrorKind::LeanUnavailable);
  CHECK_THAT(error.message, Catch::StartsWith("Nothing was cleaned or built"));
}

TEST_CASE_METHOD(BuildFixture, "a build that takes too long is no success, a cancelled one an error",
                 "[ide][build]") {
  folder.write("wait", "");
  auto late = start(builds(), {}, io::CancelScope(std::chrono::milliseconds(300)));
  const BuildReport report = loop.finish(late).value();
  CHECK(report.timed_out);
  CHECK_FALSE(report.success);
  const io::CancelScope scope = patient();
  auto cancelled = start(builds(), {}, scope);
  loop.until([&] { return log() == "build\nbuild\n"; });
  scope.cancel->cancel();
  CHECK(loop.finish(cancelled).error().kind == ErrorKind::Cancelled);
}

TEST_CASE_METHOD(BuildFixture, "builds of a project take turns", "[ide][build]") {
  folder.write("wait", "");
  const auto both = builds();
  auto first = start(both), second = start(both);
  loop.until([&] { return log() == "build\n"; });
  std::filesystem::remove(folder / "wait");
  CHECK(loop.finish(first)->success);
  CHECK(loop.finish(second)->success);
  CHECK(log() == "build\nbuild\n");
}

TEST_CASE_METHOD(BuildFixture, "a newer build ends an older one, whose caller is told or gets its result",
                 "[ide][build]") {
  const bool is_told = GENERATE(true, false);
  folder.write("wait", "");
  const auto both = builds(is_told ? BuildConcurrency::Cancel : BuildConcurrency::Share);
  auto older = start(both);
  loop.until([&] { return log() == "build\n"; });
  auto newer = start(both);
  loop.until([&] { return log() == "build\nbuild\n"; });
  std::filesystem::remove(folder / "wait");
  CHECK(loop.finish(newer)->success);
  const BuildReport told = loop.finish(older).value();
  CHECK(told.success == !is_told);
  if (is_told) CHECK(told.errors == std::vector<std::string>{"Build superseded by newer request."});
}

}  // namespace leanbridge::ide

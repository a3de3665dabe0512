// The local program, played by a shell script that a `lake` of ours starts.

#include "backend_fixture.hpp"

#include <ctime>
#include <sstream>
#include <string>

namespace leanbridge::search {

namespace {

struct Local {
  Loop loop;
  TestFolder folder;
  Config config;
  std::unique_ptr<Backend> backend;

  /// `script` is the program; `read line` puts a query into $line.
  explicit Local(const std::string& script) {
    folder.write_program(
        "lake", "#!/bin/sh\nprintf '%s\\n' \"$@\" > arguments\necho x >> starts\nshift\nexec \"$@\"\n");
    config.local_loogle.program = folder.write_program("loogle", "#!/bin/sh\n" + script).string();
    make();
  }
  void make() {
    LocalLoogleStart start;
    start.lake = (folder / "lake").string();
    start.project = folder.path();
    start.environment = {{"PATH", "/usr/bin:/bin"}};
    backend = make_local_loogle(loop.context, config, std::move(start), leanbridge::test::kLimit);
  }
  static Question about(std::string text) {
    Question question;
    question.text = std::move(text);
    return question;
  }
  Outcome<Found> ask(std::string text, io::CancelScope scope = patient()) {
    return loop.run(backend->ask(about(std::move(text)), std::move(scope)));
  }
  std::size_t starts() { return content_of(folder / "starts").size() / 2; }
};

const std::string kGreet = "echo noise; echo 'Loogle is ready.'\n";
const std::string kEcho =
    kGreet +
    "while read -r line; do printf '{\"count\":1,\"hits\":[{\"name\":\"%s\"}]}\\n' \"$line\"; done\n";

}  // namespace

TEST_CASE("The local Loogle is started once and asked line by line", "[search][backends]") {
  Local local(kEcho);
  CHECK_FALSE(local.backend->remote());
  CHECK_FALSE(local.backend->disabled_because());
  const auto found = local.ask("Nat.add,\n  _ + 1");
  REQUIRE(found);
  CHECK(names(*found) == Names{"Nat.add,   _ + 1"});
  // All at once: each gets its own answer.
  std::vector<Running<Outcome<Found>>> all;
  for (int i = 0; i < 10; ++i)
    all.push_back(local.loop.start(local.backend->ask(Local::about("q" + std::to_string(i)), patient())));
  for (int i = 0; i < 10; ++i) {
    const auto& one = local.loop.finish(all[static_cast<std::size_t>(i)]);
    REQUIRE(one);
    CHECK(names(*one) == Names{"q" + std::to_string(i)});
  }
  CHECK(local.starts() == 1);
  CHECK(content_of(local.folder / "arguments") ==
        "env\n" + local.config.local_loogle.program + "\n--interactive\n--json\n");
}

TEST_CASE("The local Loogle's flags", "[search][backends]") {
  Local local(kEcho);
  local.config.local_loogle.index = "/some/index";
  local.config.local_loogle.module = "Demo";
  local.make();
  REQUIRE(local.ask("x"));
  CHECK(content_of(local.folder / "arguments")
            .ends_with("--module\nDemo\n--index-mode\nuse\n--index-file\n/some/index\n"));
}

TEST_CASE("A local Loogle that fails is started anew by the next question", "[search][backends]") {
  SECTION("it dies") {
    Local local(kGreet + "read -r line; echo 'out of memory' >&2; exit 3\n");
    const auto outcome = local.ask("x");
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().failure == Failure::Unavailable);
    CHECK_FALSE(local.ask("x"));
    CHECK(local.starts() == 2);
  }
  SECTION("it prints what is no answer") {
    Local local(kGreet + "while read -r line; do echo 'INTERNAL PANIC'; done\n");
    CHECK(local.ask("x").error().failure == Failure::Unavailable);
    CHECK(local.ask("x").error().failure == Failure::Unavailable);
    CHECK(local.starts() == 2);
  }
  SECTION("it never greets") {
    Local local("echo hello; exit 1\n");
    const auto outcome = local.ask("x");
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().failure == Failure::Unavailable);
    CHECK(outcome.error().message.find("did not start") != std::string::npos);
  }
  SECTION("it does not answer in its time") {
    Local local(kGreet +
                "if [ -e slow ]; then read -r line; sleep 1000; fi\nwhile read -r line; do echo "
                "'{\"hits\":[]}'; done\n");
    local.folder.write("slow", "");
    local.config.local_loogle.timeout = std::chrono::milliseconds(50);
    local.make();
    CHECK(local.ask("x").error().failure == Failure::Timeout);
    // Its process is ended in the background; the new one answers quickly.
    std::filesystem::remove(local.folder / "slow");
    REQUIRE(local.loop.until([&] {
      local.ask("x");
      return local.starts() == 2;
    }));
  }
}

TEST_CASE("A question that is given up leaves the local Loogle in step", "[search][backends]") {
  // The first query is answered once the file `go` exists.
  Local local(kGreet +
              "first=1\nwhile read -r line; do\n  while [ -n \"$first\" ] && ! [ -e go ]; do sleep 0.01; "
              "done\n  first=\n"
              "  printf '{\"hits\":[{\"name\":\"%s\"}]}\\n' \"$line\"\ndone\n");
  auto cancel = std::make_shared<io::CancelSource>();
  auto first = local.loop.start(local.backend->ask(Local::about("first"), patient(cancel)));
  REQUIRE(local.loop.until([&] { return local.starts() == 1; }));
  auto second = local.loop.start(local.backend->ask(Local::about("second"), patient()));
  SECTION("once it was sent") {
    run_until(
        local.loop.context, [&] { return first.done(); }, std::chrono::milliseconds(200));
  }
  SECTION("before") {}
  cancel->cancel();
  CHECK(local.loop.finish(first).error().failure == Failure::Cancelled);
  local.folder.write("go", "");
  const auto& answer = local.loop.finish(second);
  REQUIRE(answer);
  CHECK(names(*answer) == Names{"second"});
  CHECK(local.starts() == 1);
}

TEST_CASE("While the local Loogle is starting nobody waits for it", "[search][backends]") {
  Local local("sleep 1000\n");
  LocalLoogleStart start;
  start.lake = (local.folder / "lake").string();
  start.project = local.folder.path();
  start.environment = {{"PATH", "/usr/bin:/bin"}};
  local.backend = make_local_loogle(local.loop.context, local.config, start, std::chrono::milliseconds(1));
  const auto outcome = local.ask("x");
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().failure == Failure::Unavailable);
  CHECK(outcome.error().retry_after);
}

TEST_CASE("The end of the backend ends the local Loogle and what waits for it", "[search][backends]") {
  Local local(kGreet + "read -r line; sleep 1000\n");
  auto first = local.loop.start(local.backend->ask(Local::about("x"), patient()));
  auto second = local.loop.start(local.backend->ask(Local::about("y"), patient()));
  local.loop.settle();  // both have begun
  REQUIRE(local.loop.until([&] { return local.starts() == 1; }));
  local.backend.reset();
  CHECK_FALSE(local.loop.finish(first));
  CHECK_FALSE(local.loop.finish(second));
  CHECK(local.starts() == 1);
}

TEST_CASE("Without a program there is no local Loogle", "[search][backends]") {
  Local local("");
  local.config.local_loogle.program.clear();
  local.make();
  CHECK(local.backend->disabled_because());
  CHECK_FALSE(local.ask("x"));
  CHECK(local.starts() == 0);
}

TEST_CASE("A local Loogle may print many lines before it is ready", "[search][backends]") {
  const auto seconds_for = [](std::size_t lines) {
    Local local("yes '' | head -c " + std::to_string(lines) + "\n" + kEcho);
    const std::clock_t start = std::clock();
    REQUIRE(local.ask("q"));
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  // Eight times as many lines take eight times as long, not 64 times.
  const double few = seconds_for(1'000'000), many = seconds_for(8'000'000);
  CAPTURE(few, many);
  CHECK(many < 24 * few);
}

}  // namespace leanbridge::search

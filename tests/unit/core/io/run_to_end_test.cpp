// Running a program to its end: what it prints, how it ends, and what is left of it.

#include "core/io/run_to_end.hpp"

#include "core/platform/processes.hpp"
#include "support/loop.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>

namespace leanbridge::io {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

ProgramRun shell(const std::string& script) {
  ProgramRun run;
  run.command = {{"/bin/sh", "-c", script}, "/", {{"PATH", "/usr/bin:/bin"}, {"GREETING", "hello"}}};
  return run;
}

Result<ProgramEnd> end_of(ProgramRun run, CancelScope scope = test::patient()) {
  test::Loop loop;
  return loop.run(run_to_end(std::move(run), scope));
}

int number_in(const fs::path& file) {
  int number = 0;
  std::ifstream(file) >> number;
  return number;
}

// An orphan that has ended does not count: the process that inherits it may wait for it later.
bool is_running(int pid) {
  return platform::started_at(pid) >= 0;
}

}  // namespace

TEST_CASE("What a program prints, and how it ends", "[io]") {
  const auto end = end_of(shell("cat; echo $GREETING; pwd; echo wrong >&2; exit 3"));
  REQUIRE(end);
  CHECK(end->output == "hello\n/\n");
  CHECK(end->errors == "wrong\n");
  CHECK(end->exit_code == 3);
  CHECK_FALSE(end->succeeded());
  CHECK(end_of(shell("kill -9 $$"))->exit_code == 128 + 9);
  CHECK(end_of(shell("exit 0"))->succeeded());
}

TEST_CASE("Of a program's output the beginning is kept", "[io]") {
  ProgramRun run = shell("printf 1234567890");
  run.max_output = 10;
  CHECK_FALSE(end_of(run)->output_cut);
  run.max_output = 4;
  const auto end = end_of(run);
  CHECK(end->output == "1234");
  CHECK(end->output_cut);
}

TEST_CASE("A program gets its input, also more than a pipe holds", "[io]") {
  ProgramRun run = shell("cat");
  run.input = std::string(std::size_t{1} << 20, 'x');
  run.max_output = std::size_t{2} << 20;
  CHECK(end_of(run)->output == run.input);
  // One that does not read it ends as it would without.
  run = shell("exit 3");
  run.input = std::string(std::size_t{1} << 20, 'x');
  CHECK(end_of(run)->exit_code == 3);
}

TEST_CASE("A program's output as it arrives", "[io]") {
  std::string out, err;
  ProgramRun run = shell("echo a; echo b >&2");
  run.on_stdout = [&](std::string_view bytes) { out += bytes; };
  run.on_stderr = [&](std::string_view bytes) { err += bytes; };
  run.on_stdout_end = [&] { out += "."; };
  run.on_stderr_end = [&] { err += "."; };
  const auto end = end_of(run);
  CHECK(out == "a\n.");
  CHECK(err == "b\n.");
  CHECK(end->output.empty());
}

TEST_CASE("A program that is late", "[io]") {
  const auto late = end_of(shell("sleep 100"), CancelScope(300ms));
  REQUIRE(late);
  CHECK(late->timed_out);
  CHECK_FALSE(late->succeeded());
}

TEST_CASE("A program that is cancelled is gone, with what it has started", "[io]") {
  const test::TestFolder folder;
  const fs::path file = folder / "pid";
  const auto cancel = std::make_shared<CancelSource>();
  test::Loop loop;
  auto running = loop.start(
      run_to_end(shell("sleep 100 & echo $! > " + file.string() + "; wait"), test::patient(cancel)));
  REQUIRE(loop.until([&] { return number_in(file) > 0; }));
  cancel->cancel();
  const auto end = loop.finish(running);
  REQUIRE_FALSE(end);
  CHECK(end.error().kind == ErrorKind::Cancelled);
  CHECK_FALSE(is_running(number_in(file)));
}

TEST_CASE("What a program holds is released when its tree has ended", "[io]") {
  test::Loop loop;
  std::weak_ptr<int> held;
  ProgramRun run = shell("trap '' TERM; sleep 100");
  run.at_scope_end = ProgramRun::AtScopeEnd::Return;
  {
    auto lock = std::make_shared<int>();
    held = lock;
    run.held = std::move(lock);
  }
  const auto end = loop.run(run_to_end(std::move(run), CancelScope(300ms)));
  CHECK(end->timed_out);
  CHECK_FALSE(held.expired());  // SIGKILL follows two seconds after SIGTERM
  CHECK(loop.until([&] { return held.expired(); }));
}

TEST_CASE("A program that cannot be started", "[io]") {
  ProgramRun run = shell("exit 0");
  run.command.directory = "/nowhere";
  CHECK_FALSE(end_of(run));
  ProgramRun missing = shell("exit 0");
  missing.command.argv = {"/nowhere/program"};
  CHECK(end_of(missing)->exit_code == 127);
}

}  // namespace leanbridge::io

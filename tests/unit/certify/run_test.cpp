// What an untrusted program may use up before it is ended.

#include "certify/untrusted/run.hpp"

#include "support/loop.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::certify {

using Catch::Matchers::Contains;

namespace {

RunResult end_of(const std::string& script, const RunBounds& bounds) {
  test::Loop loop;
  io::ChildCommand command{{"/bin/sh", "-c", script}, "/", {{"PATH", "/usr/bin:/bin"}}};
  constexpr std::size_t kKept = 100;
  auto end =
      loop.run(run_program(io::ChildProcess::spawn, std::move(command), kKept, test::patient(), {}, bounds));
  REQUIRE(end);
  return *end;
}

}  // namespace

TEST_CASE("a program that prints or writes more than it may is ended", "[certify]") {
  const test::TestFolder folder;
  RunBounds bounds;
  bounds.printed = 1U << 20U;
  bounds.folder = folder.path();
  bounds.folder_bytes = 3U << 20U;
  const std::string forever = "; exec sleep 1000";
  const auto fill = [&](const std::string& name) {
    return "head -c 2000000 /dev/zero > " + (folder / name).string() + ";";
  };

  const RunResult flood = end_of("yes", bounds);
  CHECK_THAT(flood.stopped, Contains("printed more than 1 MB"));
  CHECK_FALSE(flood.succeeded());
  CHECK(flood.output.size() == 100);
  CHECK(flood.output_cut);

  const RunResult one = end_of(fill("a") + "sleep 1.2; echo done", bounds);
  CHECK(one.stopped.empty());
  CHECK(one.succeeded());
  CHECK(one.output == "done\n");

  const RunResult many = end_of(fill("b") + fill("c") + forever.substr(2), bounds);
  CHECK_THAT(many.stopped, Contains("wrote more than 3 MB"));
  CHECK_FALSE(many.succeeded());
}

}  // namespace leanbridge::certify

// Which kernel replays a solution, and what its end means.

#include "certify/verdict/kernels.hpp"
#include "core/base/sha256.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

using namespace leanbridge;
using namespace leanbridge::certify;
using Catch::Matchers::Contains;
using test::TestFolder;

namespace {

constexpr const char* kProgram = "#!/bin/sh\nexit 0\n";
constexpr const char* kOfProject = ".lake/packages/lean4checker/.lake/build/bin/lean4checker";

KernelPlaces places_in(const TestFolder& folder) {
  KernelPlaces places;
  places.sysroot = folder / "lean";
  places.root = folder / "project";
  return places;
}

void write_project_checker(const TestFolder& folder) {
  folder.write("project/lake-manifest.json",
               R"({"version": "1.1.0", "packagesDir": ".lake/packages",
                   "packages": [{"type": "git", "name": "lean4checker"}]})");
  folder.write_program(std::string("project/") + kOfProject, kProgram);
}

RunResult ended(int code, std::string errors = "") {
  RunResult run;
  run.exit_code = code;
  run.errors = std::move(errors);
  return run;
}

}  // namespace

TEST_CASE("the kernel of the toolchain is found", "[kernel]") {
  const TestFolder folder;
  const auto program = folder.write_program("lean/bin/leanchecker", kProgram);
  write_project_checker(folder);
  const auto kernel = find_kernel(places_in(folder));
  REQUIRE(kernel);
  CHECK(kernel->command == std::vector{program.string()});
  CHECK(kernel->files == std::vector{program});
  CHECK(kernel->sha256 == sha256_of(kProgram));
  CHECK_FALSE(kernel->untrusted.has_value());
}

TEST_CASE("the libraries of a kernel's own toolchain belong to it", "[kernel]") {
  const TestFolder folder;
  const auto program = folder.write_program("other/bin/leanchecker", kProgram);
  KernelPlaces places = places_in(folder);
  places.command = program.string();
  const auto alone = find_kernel(places);
  REQUIRE(alone);
  CHECK(alone->files == std::vector{program});

  folder.write("other/lib/notes.txt", "");
  const auto first = folder.write("other/lib/lean/libInit_shared.so", "1");
  const auto second = folder.write("other/lib/libgmp.so.10", "2");
  const auto kernel = find_kernel(places);
  REQUIRE(kernel);
  CHECK(kernel->files == std::vector{program, first, second});
}

TEST_CASE("a checker that the project has built must be trusted", "[kernel]") {
  const TestFolder folder;
  write_project_checker(folder);
  const auto program = folder / "project" / kOfProject;
  KernelPlaces places = places_in(folder);
  const auto alone = find_kernel(places);
  REQUIRE(alone);
  CHECK((alone->command.empty() || alone->command.front() != program.string()));  // the system may have one
  CHECK(alone->untrusted == program);

  const auto recorded = hashes_of_checkers(places.root);
  REQUIRE(recorded);
  CHECK(*recorded == FileHashes{{kOfProject, sha256_of(kProgram)}});
  places.known = &*recorded;
  CHECK(find_kernel(places)->command == std::vector{program.string()});

  folder.write_program(std::string("project/") + kOfProject, "#!/bin/sh\nexit 0 # replaced\n");
  const auto replaced = find_kernel(places);
  CHECK((replaced->command.empty() || replaced->command.front() != program.string()));
  CHECK(replaced->untrusted == program);

  places.trust_packages = true;
  CHECK(find_kernel(places)->command == std::vector{program.string()});
}

TEST_CASE("a given kernel is a path, or a program of the toolchain or the system", "[kernel]") {
  const TestFolder folder;
  KernelPlaces places = places_in(folder);
  const auto own = folder.write_program("lean/bin/lean4lean", kProgram);
  const auto script = folder.write("check.py", "");
  places.command = "lean4lean --verbose  " + script.string();
  const auto named = find_kernel(places);
  REQUIRE(named);
  CHECK(named->command == std::vector<std::string>{own.string(), "--verbose", script.string()});
  CHECK(named->files == std::vector{own, script});

  places.command = folder.write_program("kernel", kProgram).string();
  CHECK(find_kernel(places)->command == std::vector{places.command});
  for (const char* const wrong : {"  ", "/nowhere/kernel", "no-such-kernel-anywhere"}) {
    places.command = wrong;
    const auto none = find_kernel(places);
    REQUIRE_FALSE(none);
    CHECK(none.error().kind == ErrorKind::InvalidArgument);
  }
  places.command = script.string();  // no program
  CHECK_FALSE(find_kernel(places));
}

TEST_CASE("only the exit code accepts", "[kernel]") {
  CHECK(end_of_replay(ended(0), Panic::Rejects) == ReplayEnd::Accepted);
  CHECK(end_of_replay(ended(0, "error: rejected"), Panic::Rejects) == ReplayEnd::Accepted);
  CHECK(end_of_replay(ended(1, "accepted"), Panic::Rejects) == ReplayEnd::Rejected);
  CHECK(end_of_replay(ended(1), Panic::Rejects) == ReplayEnd::Rejected);
  CHECK(end_of_replay(ended(7, "accepted"), Panic::Rejects) == ReplayEnd::Failed);
  CHECK(end_of_replay(ended(139), Panic::Rejects) == ReplayEnd::Failed);
  CHECK(end_of_replay(ended(101), Panic::Rejects) == ReplayEnd::Rejected);
  CHECK(end_of_replay(ended(101), Panic::Fails) == ReplayEnd::Failed);
  CHECK(end_of_replay(ended(1), Panic::Fails) == ReplayEnd::Rejected);
  RunResult hangs = ended(0);
  hangs.timed_out = true;
  CHECK(end_of_replay(hangs, Panic::Rejects) == ReplayEnd::Failed);
}

TEST_CASE("what a kernel could not check, it has not rejected", "[kernel]") {
  for (const char* const said :
       {"INTERNAL PANIC: out of memory", "uncaught exception: (kernel) deterministic timeout",
        "(kernel) deep recursion detected", "(kernel) excessive memory consumption detected"})
    CHECK(end_of_replay(ended(1, said), Panic::Rejects) == ReplayEnd::Failed);
  RunResult run = ended(1);
  run.output = "(kernel) deep recursion detected";
  CHECK(end_of_replay(run, Panic::Rejects) == ReplayEnd::Failed);
  CHECK(end_of_replay(ended(1, "(kernel) declaration type mismatch"), Panic::Fails) == ReplayEnd::Rejected);
}

TEST_CASE("the command that completes a verdict", "[kernel]") {
  Kernel kernel;
  const KernelAdvice old = how_to_replay("4.22.0", kernel);
  CHECK_THAT(old.first, Contains("git clone -b v4.22.0 https://github.com/leanprover/lean4checker"));
  CHECK(old.option == "--kernel lean4checker/.lake/build/bin/lean4checker");
  const KernelAdvice released = how_to_replay("4.35.0", kernel);
  CHECK_THAT(released.first, Contains("elan toolchain install leanprover/lean4:v4.35.0"));
  CHECK(released.option == "--kernel ~/.elan/toolchains/leanprover--lean4---v4.35.0/bin/leanchecker");
  kernel.untrusted = "/a project/lean4checker";
  CHECK(how_to_replay("4.22.0", kernel).option == "--kernel '/a project/lean4checker'");
}

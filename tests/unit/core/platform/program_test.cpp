// This program, and programs that it starts, as each system has them.

#include "core/platform/program.hpp"

#include "core/base/files.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace leanbridge {

namespace fs = std::filesystem;

namespace {

/// The text that a shell script prints to descriptor 5, which is a file, and how it ended.
std::pair<std::string, int> run_script(const test::TestFolder& folder, platform::Start script) {
  script.program = "/bin/sh";
  script.arguments.insert(script.arguments.begin(), {"sh", "-c"});
  const fs::path said = folder.path() / "said";
  script.files.push_back({5, said.string(), O_WRONLY | O_CREAT | O_APPEND});
  const pid_t pid = platform::start(script);
  REQUIRE(pid > 0);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return {read_regular_file(said, 1 << 16).value_or(""), status};
}

platform::Start script(const char* text) {
  platform::Start start;
  start.arguments = {text};
  return start;
}

}  // namespace

TEST_CASE("a program is started with exactly what was given", "[platform]") {
  const test::TestFolder folder;
  const Descriptor inherited(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  auto start = script("pwd >&5; echo \"$1 $A ${HOME-none}\" >&5; read line <&7 || echo ended >&5");
  start.arguments.insert(start.arguments.end(), {"sh", "a b"});
  start.variables = {{"A=1", "PATH=/usr/bin:/bin"}};
  start.directory = folder.path();
  start.descriptors = {{inherited.get(), 7}};
  CHECK(run_script(folder, start) == std::pair(folder.path().string() + "\na b 1 none\nended\n", 0));
}

TEST_CASE("a program has a session of its own, and the signals that were asked for", "[platform]") {
  const test::TestFolder folder;
  CHECK(run_script(folder, script("ps -o sid= -p $$ | grep -qw $$ && echo leads >&5")).first == "leads\n");
  const auto before = ::signal(SIGUSR1, SIG_IGN);
  CHECK(run_script(folder, script("kill -USR1 $$")).second == 0);
  auto one = script("kill -USR1 $$"), any = one;
  one.default_signals = {{SIGUSR1}};
  any.default_signals.reset();
  for (const auto& start : {one, any}) CHECK(WTERMSIG(run_script(folder, start).second) == SIGUSR1);
  ::signal(SIGUSR1, before);
}

TEST_CASE("a program that is not there has an error", "[platform]") {
  platform::Start start;
  start.program = "/nowhere/program";
  start.arguments = {"program"};
  CHECK(platform::start(start) == -ENOENT);
}

TEST_CASE("this program is known by its file and its variables", "[platform]") {
  REQUIRE(fs::exists(platform::program_path()));
  CHECK(fs::equivalent(platform::program_path(), platform::this_program()));
  bool has_path = false;
  for (char** entry = platform::environment(); *entry; ++entry)
    has_path = has_path || std::string(*entry).starts_with("PATH=");
  CHECK(has_path);
  CHECK(platform::surroundings() == platform::surroundings());
}

}  // namespace leanbridge

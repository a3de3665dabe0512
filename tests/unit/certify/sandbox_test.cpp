// What a program in the sandbox can do, tried with bubblewrap itself where that is installed and works.

#include "certify/untrusted/run.hpp"
#include "core/base/files.hpp"
#include "support/test_folder.hpp"
#include <arpa/inet.h>
#include <catch2/catch.hpp>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

using namespace leanbridge;
using namespace leanbridge::certify;
using test::TestFolder;

namespace {

/// The exit code; 128 and more for a death by a signal.
int run_to_end(const std::vector<std::string>& words) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::execv(argv.front(), argv.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// A port of this machine that somebody listens at, as /proc/net/tcp shows it.
struct Listener {
  Descriptor socket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  std::string port;

  Listener() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(::listen(socket.get(), 1) == 0);
    REQUIRE(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
    char text[8];
    std::snprintf(text, sizeof text, ":%04X", ntohs(address.sin_port));
    port = text;
  }
};

/// Runs a shell's script in the sandbox; nullopt: bubblewrap is not installed, or not allowed to work here.
std::optional<int> sandboxed(const Visible& visible, const std::string& script) {
  const auto bubblewrap = find_system_program("bwrap");
  if (!bubblewrap || run_to_end(in_bubblewrap(*bubblewrap, visible, {"/bin/true"})) != 0) return std::nullopt;
  return run_to_end(in_bubblewrap(*bubblewrap, visible, {"/bin/sh", "-c", script}));
}

}  // namespace

TEST_CASE("a program in the sandbox writes its own folder and nothing else", "[sandbox]") {
  const TestFolder folder;
  const auto readable = folder.write("project/Foo.lean", "secret").parent_path();
  folder.write("home/key", "secret");
  const auto out = folder.write("out/there", "").parent_path();
  const Visible visible{{readable}, out};
  const auto in_sandbox = [&](const std::string& script) {
    return sandboxed(visible, script + " 2>/dev/null");
  };
  if (!in_sandbox("true")) {
    WARN("not tried: bubblewrap is not installed, or may not be used here");
    return;
  }
  CHECK(in_sandbox("test \"$PWD\" = " + out.string() + " && echo x > made") == 0);
  CHECK(test::content_of(out / "made") == "x\n");
  CHECK(in_sandbox("grep -q secret " + (readable / "Foo.lean").string()) == 0);
  CHECK(in_sandbox("echo x > " + (readable / "New.lean").string()) != 0);
  CHECK(in_sandbox("echo x > " + (readable / "Foo.lean").string()) != 0);
  CHECK(in_sandbox("rm -f " + (readable / "Foo.lean").string()) != 0);
  CHECK(test::content_of(readable / "Foo.lean") == "secret");
  CHECK_FALSE(std::filesystem::exists(readable / "New.lean"));
  CHECK(in_sandbox("cat " + (folder / "home/key").string()) != 0);
}

TEST_CASE("the sandbox has a /tmp of its own, no network, and no other processes", "[sandbox]") {
  const TestFolder folder;
  const auto out = folder.write("out/there", "").parent_path();
  const Visible visible{{}, out};
  const std::string private_file = "/tmp/leanbridge-private-" + std::to_string(::getpid());
  const auto code = sandboxed(visible, "echo x > " + private_file + " && test -s " + private_file);
  if (!code) {
    WARN("not tried: bubblewrap is not installed, or may not be used here");
    return;
  }
  CHECK(code == 0);
  CHECK_FALSE(std::filesystem::exists(private_file));
  const Listener listener;
  CHECK(run_to_end({"/bin/grep", "-q", listener.port, "/proc/net/tcp"}) == 0);  // seen outside
  CHECK(sandboxed(visible, "grep -q " + listener.port + " /proc/net/tcp") == 1);
  CHECK(sandboxed(visible, "test -e /proc/" + std::to_string(::getpid()) +
                               "/status && grep -q leanbridge /proc/" + std::to_string(::getpid()) +
                               "/status") != 0);
}

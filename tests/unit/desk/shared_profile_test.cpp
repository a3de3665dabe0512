#include "desk/shared/profile.hpp"
#include "support/platform.hpp"
#include <catch2/catch.hpp>
#include <sys/resource.h>
#include <sys/stat.h>

#include <set>
#include <string_view>

namespace leanbridge::app {

namespace {

SharedProfile some_profile() {
  SharedProfile profile;
  profile.version = "1.2.3";
  profile.build = "build";
  profile.surroundings = "here";
  profile.directory = "/";
  profile.environment = {{"HOME", "/home/me"}, {"PATH", "/bin"}};
  profile.arguments = {"--lake", "/bin/lake"};
  profile.serve_args = {"-j1"};
  profile.settings = "digest";
  return profile;
}

}  // namespace

TEST_CASE("A shared server's key is another one for everything that a process has once", "[app][shared]") {
  std::set<std::string> keys = {key_of(some_profile())};
  CHECK(key_of(some_profile()) == *keys.begin());
  std::size_t others = 0;
  const auto add = [&](auto change) {
    SharedProfile other = some_profile();
    change(other);
    keys.insert(key_of(other));
    ++others;
  };
  add([](SharedProfile& it) { it.version = "1.2.4"; });
  add([](SharedProfile& it) { it.build = "another"; });
  add([](SharedProfile& it) { it.surroundings = "in a sandbox"; });
  add([](SharedProfile& it) { it.directory = "/tmp"; });
  add([](SharedProfile& it) { it.settings = ""; });
  add([](SharedProfile& it) { it.environment["PATH"] = "/usr/bin"; });
  add([](SharedProfile& it) { it.environment.erase("PATH"); });
  add([](SharedProfile& it) { it.arguments = {"--lake/bin/lake"}; });
  add([](SharedProfile& it) { it.arguments = {"--lake", "/bin/lake", "-j1"}, it.serve_args.clear(); });
  add([](SharedProfile& it) { it.arguments.clear(), it.serve_args = {"--lake", "/bin/lake", "-j1"}; });
  add([](SharedProfile& it) { it.serve_args = {}; });
  CHECK(keys.size() == others + 1);
  for (const std::string& key : keys) CHECK(key.size() == 32);
}

TEST_CASE("The socket's name has the version and the key", "[app][shared]") {
  const std::string key = key_of(some_profile());
  CHECK(socket_name("1.2.3", key) == "1.2.3-" + key.substr(0, 16) + ".socket");
}

TEST_CASE("Lean's environment in a shared server has nothing of one terminal, agent or client",
          "[app][shared]") {
  const Variables whole = {{"PATH", "/bin"},
                           {"HOME", "/home/me"},
                           {"LC_ALL", "C"},
                           {"ELAN_HOME", "/elan"},
                           {"LEAN_NUM_THREADS", "2"},
                           {"https_proxy", "http://p"},
                           {"XDG_CACHE_HOME", "/c"},
                           {"LOOGLE_URL", "http://l"},
                           // of a terminal or a login
                           {"TERM", "xterm"},
                           {"SHLVL", "2"},
                           {"PWD", "/x"},
                           {"XDG_SESSION_ID", "7"},
                           {"SSH_AUTH_SOCK", "/a"},
                           {"TMUX_PANE", "%1"},
                           // of an agent
                           {"CLAUDE_CODE_SESSION", "1"},
                           {"MY_TOKEN", "secret"},
                           // of one client: its greeting says them
                           {"LEAN_PROJECT_PATH", "/p"},
                           {"LEAN_MCP_DISABLED_TOOLS", "x"},
                           {"LEAN_LOG_LEVEL", "info"},
                           {"LEANBRIDGE_TOOLS", "core"}};
  const Variables shared = shared_environment(whole, {"LOOGLE_URL"});
  const Variables expected = {{"PATH", "/bin"},          {"HOME", "/home/me"},
                              {"LC_ALL", "C"},           {"ELAN_HOME", "/elan"},
                              {"LEAN_NUM_THREADS", "2"}, {"https_proxy", "http://p"},
                              {"XDG_CACHE_HOME", "/c"},  {"LOOGLE_URL", "http://l"}};
  CHECK(shared == expected);
}

TEST_CASE("LEANBRIDGE_PASS_ENV names more variables for the Lean of a shared server", "[app][shared]") {
  const Variables whole = {{"LEANBRIDGE_PASS_ENV", "GIT_TOKEN,,MY_PROOFS"},
                           {"GIT_TOKEN", "t"},
                           {"MY_PROOFS", "/proofs"},
                           {"MINE", "m"}};
  Variables expected = whole;
  expected.erase("MINE");
  CHECK(shared_environment(whole, {}) == expected);
}

TEST_CASE("A process knows its own build and surroundings", "[app][shared]") {
  CHECK(!build_of_this_program().empty());
  CHECK(build_of_this_program() == build_of_this_program());
  CHECK(own_surroundings() == own_surroundings());
  if (test::platform() != "linux") return;  // the only one with namespaces
  for (const char* const space : {"mnt=", "pid=", "net=", "user=", "ipc=", "uts="})
    CHECK(own_surroundings().find(space) != std::string::npos);
}

TEST_CASE("Other limits or another mask of modes are other surroundings", "[app][shared]") {
  const std::string before = own_surroundings();
  const mode_t mask = ::umask(0);
  ::umask(mask ^ 0070);
  const std::string masked = own_surroundings();
  ::umask(mask);
  CHECK(masked != before);
  CHECK(own_surroundings() == before);

  struct rlimit core {};
  REQUIRE(::getrlimit(RLIMIT_CORE, &core) == 0);
  const struct rlimit other = {core.rlim_cur == 0 ? core.rlim_max : 0, core.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_CORE, &other) == 0);
  const std::string limited = own_surroundings();
  REQUIRE(::setrlimit(RLIMIT_CORE, &core) == 0);
  if (other.rlim_cur != core.rlim_cur) CHECK(limited != before);
}

}  // namespace leanbridge::app

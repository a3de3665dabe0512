// Claude Desktop on Windows, seen from WSL.

#include "desk/hosts/windows_side.hpp"

#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

#include <optional>

namespace leanbridge::app::hosts {

using test::TestFolder;

namespace {

EnvironmentLookup with_name(std::optional<std::string> name) {
  return [name = std::move(name)](const std::string& variable) -> std::optional<std::string> {
    return variable == "WSL_DISTRO_NAME" ? name : std::nullopt;
  };
}

}  // namespace

TEST_CASE("whether this is WSL, and which", "[hosts]") {
  constexpr const char* kKernel = "5.15.167.4-microsoft-standard-WSL2\n";
  CHECK(wsl_distribution(with_name("Ubuntu 24.04"), kKernel) == "Ubuntu 24.04");
  CHECK(wsl_distribution(with_name("Debian"), "6.6.1-of-my-own\n") == "Debian");
  CHECK(wsl_distribution(with_name(std::nullopt), kKernel) == "");
  CHECK(wsl_distribution(with_name(""), "4.4.0-19041-Microsoft\n") == "");
  CHECK(wsl_distribution(with_name(std::nullopt), "6.1.0-18-amd64\n") == std::nullopt);
}

TEST_CASE("a launch from Windows", "[hosts]") {
  using Words = std::vector<std::string>;
  const Launch plain = through_wsl({"/x/leanbridge", {"--project-root", "/home/me/my project"}}, "Debian");
  CHECK(plain.command == "wsl.exe");
  CHECK(plain.args ==
        Words{"-d", "Debian", "--exec", "/x/leanbridge", "--project-root", "/home/me/my project"});
  CHECK(plain.env.empty());
  const Launch with_variables = through_wsl({"/x/leanbridge", {}, {{"A", "1 2"}, {"B", ""}}}, "");
  CHECK(with_variables.args == Words{"--exec", "/usr/bin/env", "A=1 2", "B=", "/x/leanbridge"});
  CHECK(with_variables.env.empty());
}

TEST_CASE("the folder on Windows: in %APPDATA%, or a package's own", "[hosts]") {
  const TestFolder folder;
  const std::string local = (folder / "Local").string();
  const std::string variables =
      "A=APPDATA=/no\nAPPDATA=/mnt/c/Users/Zoë/Roaming\nLOCALAPPDATA=" + local + "\n";
  CHECK(folder_on_windows(variables) == "/mnt/c/Users/Zoë/Roaming/Claude");
  folder.write("Local/Packages/ClaudeOther_x/file", "");
  folder.write("Local/Packages/Other/file", "");
  folder.write("Local/Claude-Data/claude_file", "");
  CHECK(folder_on_windows(variables) == "/mnt/c/Users/Zoë/Roaming/Claude");
  folder.write("Local/Packages/Claude_b/file", "");
  folder.write("Local/Packages/Claude_a/file", "");
  CHECK(folder_on_windows(variables) == local + "/Packages/Claude_a/LocalCache/Roaming/Claude");
  folder.write("Local/Claude-Data/claude_pzs8/file", "");
  CHECK(folder_on_windows(variables) == local + "/Claude-Data/claude_pzs8");
  CHECK(folder_on_windows("APPDATA=/x") == "/x/Claude");
  CHECK(folder_on_windows("PATH=/x\n").empty());
  CHECK(folder_on_windows("").empty());
}

}  // namespace leanbridge::app::hosts

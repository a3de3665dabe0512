#include "core/lean/project.hpp"

#include "support/test_folder.hpp"
#include "support/variable.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::lean {

using test::TestFolder;
using test::Variable;
namespace fs = std::filesystem;

TEST_CASE("the nearest folder with a project file is the root", "[lean]") {
  const TestFolder folder;
  const auto file = GENERATE("lakefile.toml", "lakefile.lean", "lean-toolchain");
  fs::create_directories(folder / "outer/inner/deep/er");
  folder.write("outer/" + std::string(file), "");
  CHECK(find_project_root(folder / "outer/inner/deep/er") == folder / "outer");
  CHECK(find_project_root(folder / "outer") == folder / "outer");
  folder.write("outer/inner/" + std::string(file), "");
  CHECK(find_project_root(folder / "outer/inner/deep/er") == folder / "outer/inner");
  CHECK(find_project_root(folder / "outer/not/there/yet") == folder / "outer");
  CHECK_FALSE(find_project_root("/").has_value());
}

TEST_CASE("a package belongs to the project that it was fetched for", "[lean]") {
  const TestFolder folder;
  folder.write("p/lakefile.toml", "");
  folder.write("p/.lake/packages/x/lakefile.toml", "");
  fs::create_directories(folder / "p/.lake/packages/x/X/Sub");
  CHECK(find_project_root(folder / "p/.lake/packages/x/X/Sub") == folder / "p");
  CHECK(find_project_root(folder / "p/.lake/packages/x") == folder / "p");
  SECTION("a package of a package, too") {
    folder.write("p/.lake/packages/x/.lake/packages/y/lakefile.toml", "");
    CHECK(find_project_root(folder / "p/.lake/packages/x/.lake/packages/y") == folder / "p");
  }
  SECTION("wherever the project keeps its packages") {
    folder.write("p/lake-manifest.json", R"({"packagesDir":"deps/lean/"})");
    folder.write("p/deps/lean/z/lakefile.toml", "");
    CHECK(find_project_root(folder / "p/deps/lean/z/Z") == folder / "p");
    folder.write("p/deps/own/lakefile.toml", "");
    CHECK(find_project_root(folder / "p/deps/own") == folder / "p/deps/own");
    folder.write("p/lake-manifest.json", R"({"packagesDir":"."})");
    CHECK(find_project_root(folder / "p/deps/own") == folder / "p/deps/own");
  }
  SECTION("but a folder that is only called so is its own") {
    folder.write("packages/y/lakefile.toml", "");
    CHECK(find_project_root(folder / "packages/y") == folder / "packages/y");
    folder.write("alone/.lake/packages/z/lakefile.toml", "");  // no project around it
    CHECK(find_project_root(folder / "alone/.lake/packages/z") == folder / "alone/.lake/packages/z");
  }
}

TEST_CASE("is_within compares by component", "[lean]") {
  CHECK(is_within("/a/b", "/a/b"));
  CHECK(is_within("/a/b/c", "/a/b"));
  CHECK_FALSE(is_within("/a/bc", "/a/b"));
  CHECK_FALSE(is_within("/a", "/a/b"));
  CHECK(is_within("/a", "/"));
}

TEST_CASE("lake is looked for where it can be", "[lean]") {
  const TestFolder folder;
  const auto in_path = folder.write_program("bin/lake", "");
  const auto in_home = folder.write_program("home/.elan/bin/lake", "");
  folder.write("plain/lake", "not a program");
  fs::create_directories(folder / "folder/lake");
  const std::string path =
      (folder / "none").string() + "::" + (folder / "plain").string() + ":" + (folder / "folder").string();
  const Variable home("HOME", (folder / "home").c_str()), no_elan("ELAN_HOME", std::nullopt);

  SECTION("on PATH, past what is no program") {
    const Variable variable("PATH", (path + ":" + (folder / "bin").string()).c_str());
    CHECK(find_lake("").value() == in_path);
    CHECK(find_lake("lake").value() == in_path);
  }
  SECTION("else in elan's folder") {
    const Variable variable("PATH", path.c_str());
    CHECK(find_lake("").value() == in_home);
  }
  SECTION("elan's folder may be another") {
    const auto in_elan = folder.write_program("elan/bin/lake", "");
    const Variable variable("PATH", path.c_str()), elan("ELAN_HOME", (folder / "elan").c_str());
    CHECK(find_lake("").value() == in_elan);
    fs::remove(in_elan);
    const auto none = find_lake("");
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().message.find((folder / "elan/bin").string()) != std::string::npos);
  }
  SECTION("PATH may be missing") {
    const Variable variable("PATH", std::nullopt);
    CHECK(find_lake("").value() == in_home);
  }
  SECTION("a path is taken as it is, made absolute") {
    CHECK(find_lake(in_path.string()).value() == in_path);
    const fs::path here = fs::current_path();
    fs::current_path(folder.path());
    CHECK(find_lake("bin/lake").value() == in_path);
    fs::current_path(here);
  }
  SECTION("what is not there says what to do") {
    const Variable variable("PATH", path.c_str()), no_home("HOME", std::nullopt);
    const auto none = find_lake("");
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().kind == ErrorKind::LeanUnavailable);
    CHECK(none.error().message.find("'lake'") != std::string::npos);
    CHECK(none.error().hint.find("elan") != std::string::npos);
    const auto named = find_lake("/no/such/lake");
    REQUIRE_FALSE(named.has_value());
    CHECK(named.error().message.find("/no/such/lake") != std::string::npos);
    CHECK(named.error().hint.find("--lake") != std::string::npos);
    CHECK_FALSE(find_lake((folder / "plain/lake").string()).has_value());
    CHECK_FALSE(find_lake((folder / "folder/lake").string()).has_value());
    CHECK_FALSE(find_lake("other-lake").has_value());
  }
}

TEST_CASE("lake does not inherit another project's Lean", "[lean]") {
  const Variable toolchain("ELAN_TOOLCHAIN", "x"), path("LEAN_PATH", "x"), sysroot("LEAN_SYSROOT", "x"),
      lake("LAKE", "x"), kept("LEAN_NUM_THREADS", "2"), odd("ODD", "a=b=c");
  const auto environment = environment_for_lake();
  for (const char* name : {"ELAN_TOOLCHAIN", "LEAN_PATH", "LEAN_SYSROOT", "LAKE"})
    CHECK_FALSE(environment.contains(name));
  CHECK(environment.at("LEAN_NUM_THREADS") == "2");
  CHECK(environment.at("ODD") == "a=b=c");
  CHECK(environment.contains("PATH"));
  {
    const Variable libraries("LD_LIBRARY_PATH",
                             "/opt/x/lib:/home/u/.elan/toolchains/t/lib/lean:/p/.lake/build/lib");
    CHECK(environment_for_lake().at("LD_LIBRARY_PATH") == "/opt/x/lib");
  }
  const Variable libraries("LD_LIBRARY_PATH", "/t/lib/lean");
  CHECK_FALSE(environment_for_lake().contains("LD_LIBRARY_PATH"));
}

TEST_CASE("lake does not inherit secrets, which any code that Lean runs could read", "[lean]") {
  for (const char* name :
       {"GITHUB_TOKEN", "LEANEXPLORE_API_KEY", "LOOGLE_HEADERS", "AWS_SECRET_ACCESS_KEY", "PGPASSWORD",
        "db_password", "NPM_CONFIG__AUTH", "GH_PAT", "TOKEN", "MYSQL_PWD", "SENTRY_DSN"}) {
    CAPTURE(name);
    const Variable secret(name, "hidden");
    CHECK(names_a_secret(name));
    CHECK_FALSE(environment_for_lake().contains(name));
  }
  for (const char* name : {"PATH", "HOME", "LEAN_NUM_THREADS", "SSH_AUTH_SOCK", "XAUTHORITY", "KEYBOARD",
                           "LAKE_NO_CACHE", "TOKENIZERS_PARALLELISM", "PWD", "OLDPWD"}) {
    CAPTURE(name);
    CHECK_FALSE(names_a_secret(name));
  }
  SECTION("nor an address with a password in it, but for a proxy's") {
    const Variable database("DATABASE_URL", "postgres://me:hidden@db/x"),
        cache("CACHE", "redis://:hidden@h:1/0"), proxy("https_proxy", "http://me:word@proxy:3128"),
        plain("MIRROR", "https://me@host/a:b"), path("NOTE", "https://host/a@b:c");
    const auto environment = environment_for_lake();
    CHECK_FALSE(environment.contains("DATABASE_URL"));
    CHECK_FALSE(environment.contains("CACHE"));
    CHECK(environment.contains("https_proxy"));
    CHECK(environment.contains("MIRROR"));
    CHECK(environment.contains("NOTE"));
  }
  SECTION("but for those that the user names") {
    const Variable one("GITHUB_TOKEN", "wanted"), other("OTHER_TOKEN", "hidden"),
        pass("LEANBRIDGE_PASS_ENV", "X,GITHUB_TOKEN");
    CHECK(environment_for_lake().at("GITHUB_TOKEN") == "wanted");
    CHECK_FALSE(environment_for_lake().contains("OTHER_TOKEN"));
  }
}

TEST_CASE("lake's git and ssh do not ask, and what the user has configured for them stays", "[lean]") {
  const Variable terminal("GIT_TERMINAL_PROMPT", "1"), asks("SSH_ASKPASS", "/usr/bin/ssh-askpass"),
      helper("GIT_ASKPASS", "/opt/helper"), ssh("GIT_SSH_COMMAND", std::nullopt),
      agent("SSH_AUTH_SOCK", "/run/a");
  const auto environment = environment_for_lake();
  CHECK(environment.at("GIT_TERMINAL_PROMPT") == "0");
  CHECK(environment.at("SSH_ASKPASS_REQUIRE") == "never");
  CHECK_FALSE(environment.contains("SSH_ASKPASS"));
  CHECK(environment.at("GIT_ASKPASS") == "/opt/helper");
  CHECK(environment.at("SSH_AUTH_SOCK") == "/run/a");
  CHECK_FALSE(environment.contains("GIT_SSH_COMMAND"));  // it would replace core.sshCommand
  const Variable own("GIT_SSH_COMMAND", "ssh -i key");
  CHECK(environment_for_lake().at("GIT_SSH_COMMAND") == "ssh -i key");
}

TEST_CASE("the toolchain of a project", "[lean]") {
  const TestFolder folder;
  CHECK(toolchain_of(folder.path()).empty());
  folder.write("lean-toolchain", "leanprover/lean4:v4.28.0 \r\nmore\n");
  CHECK(toolchain_of(folder.path()) == "leanprover/lean4:v4.28.0");
  folder.write("lean-toolchain", " \n");
  CHECK(toolchain_of(folder.path()).empty());
}

}  // namespace leanbridge::lean

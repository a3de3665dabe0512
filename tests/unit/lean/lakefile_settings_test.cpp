#include "leanbridge/lean/lakefile_settings.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::lean {

namespace {

using Settings = std::vector<LakefileSettings::Setting>;

LakefileSettings read(const std::string& text) {
  auto found = settings_in_lakefile(text);
  REQUIRE(found.has_value());
  return std::move(*found);
}

}  // namespace

TEST_CASE("options of a lakefile are read as Lake reads them, however they are written", "[lean]") {
  CHECK(read("name = \"a\"\n[leanOptions]\nwarn.sorry = false\n").options == Settings{{"warn.sorry", 3}});
  CHECK(read("leanOptions = { warn = { sorry = false } }\n").options == Settings{{"warn.sorry", 1}});
  CHECK(read("[leanOptions.\"warn\"]\n\"s\\u006frry\" = false\n").options == Settings{{"warn.sorry", 2}});
  CHECK(read("[[leanOptions]]\nname = \"\"\"warn.so\\\n  rry\"\"\"\nvalue = false\n").options ==
        Settings{{"warn.sorry", 1}});
  CHECK(read("[[lean_lib]]\nname = \"A\"\nmoreServerOptions = [{ name = 'weak.debug.x', value = true }]\n")
            .options == Settings{{"debug.x", 3}});
  CHECK(read("[[lean_exe]]\nleanOptions.pp.all = true\n").options == Settings{{"pp.all", 2}});
  CHECK(read("leanOptions = 3\n").options == Settings{{"?", 1}});
  CHECK(read("# leanOptions.warn.sorry = false\n").options.empty());
}

TEST_CASE("keys that are not known to leave Lean's messages alone are named", "[lean]") {
  CHECK(read("name = \"a\"\nversion = \"1\"\n[[require]]\nname = \"b\"\nmoreLeanArgs = 1\n").others.empty());
  CHECK(read("moreLeanArgs = [\"-Dwarn.sorry=false\"]\n").others == Settings{{"moreLeanArgs", 1}});
  CHECK(read("[[lean_lib]]\nplugins = []\n").others == Settings{{"plugins", 2}});
  CHECK(read("[[lean_exe]]\nname = \"x\"\nneeds = [\"A\"]\n").others.empty());
  CHECK(read("[[lean_lib]]\ndynlibs = [\"A\"]\n").others == Settings{{"dynlibs", 2}});
  CHECK(read("precompileModules = false\n").others.empty());
  CHECK(read("precompileModules = true\n").others == Settings{{"precompileModules", 1}});
  CHECK(read("lean_lib = 3\n").others == Settings{{"lean_lib", 1}});
  CHECK(read("\"lean\\u004fptions\" = {}\n").others.empty());
}

TEST_CASE("a lakefile that is no TOML is an error", "[lean]") {
  const auto found = settings_in_lakefile("name = \n");
  REQUIRE_FALSE(found.has_value());
  CHECK(found.error().message.starts_with("line 1 is no TOML"));
}

}  // namespace leanbridge::lean

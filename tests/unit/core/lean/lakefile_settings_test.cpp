#include "core/lean/lakefile_settings.hpp"

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

TEST_CASE("arguments of Lean and libraries that it loads are named, and nothing else", "[lean]") {
  CHECK(read("moreLeanArgs = [\n\"-Dwarn.sorry=false\",\n\"-q\"]\n").arguments ==
        Settings{{"-Dwarn.sorry=false", 2}, {"-q", 3}});
  CHECK(read("moreGlobalServerArgs = \"-DmaxErrors=1\"\n").arguments == Settings{{"-DmaxErrors=1", 1}});
  CHECK(read("[[lean_lib]]\nweakLeanArgs = [3]\n").arguments == Settings{{"?", 2}});
  CHECK(read("[[lean_lib]]\ndynlibs = [\"A\"]\nplugins = []\n").libraries == Settings{{"dynlibs", 2}});
  CHECK(read("precompileModules = true\n").libraries == Settings{{"precompileModules", 1}});
  for (const char* harmless :
       {"precompileModules = false", "enableArtifactCache = true", "fixedToolchain = true",
        "builtinLint = true", "buildType = \"debug\"", "backend = \"c\"", "[[input_file]]\npath = \"a\"",
        "ofTomorrow = 3", "[[require]]\nname = \"b\"\nmoreLeanArgs = 1", "lean_lib = 3",
        "\"lean\\u004fptions\" = {}"}) {
    const LakefileSettings found = read(harmless + std::string("\n"));
    CAPTURE(harmless);
    CHECK(found.options.empty());
    CHECK(found.arguments.empty());
    CHECK(found.libraries.empty());
  }
}

TEST_CASE("a lakefile that is no TOML is an error", "[lean]") {
  const auto found = settings_in_lakefile("name = \n");
  REQUIRE_FALSE(found.has_value());
  CHECK(found.error().message.starts_with("line 1 is no TOML"));
}

}  // namespace leanbridge::lean

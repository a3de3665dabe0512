#include "core/ide/hidden_sorries.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::ide {

// The stand-in for Lake, on which other tests run, runs no program.
TEST_CASE("arguments that a program lakefile adds to those of Lean count as options", "[silencers]") {
  const auto found = [](const std::string& arguments) {
    const leanbridge::test::TestFolder folder;
    folder.write("lakefile.lean",
                 "import Lake\nopen Lake DSL\npackage p where\n  " + arguments + "\nlean_lib P\n");
    return SilencerWatch(folder.path()).find("theorem a : 1 = 1 := rfl\n");
  };
  CHECK_FALSE(found("version := v!\"1.0\"").silencer);
  CHECK_FALSE(found(R"(moreGlobalServerArgs := #["-DautoImplicit=false", "-M4000"])").silencer);
  CHECK_FALSE(found("moreLeanArgs := #[]").silencer);
  const auto silent = found(R"(moreGlobalServerArgs := #["-Dwarn.sorry=false"])");
  CHECK(silent.silencer == "lakefile.lean:4 has option warn.sorry");
  CHECK_FALSE(silent.unchecked);
  CHECK(found(R"(moreServerArgs := #["-Ddebug.skipKernelTC=true"])").unchecked);
  CHECK(found(R"(weakLeanArgs := #["-t" ++ "0"])").unchecked);
  CHECK(found(R"(moreLeanArgs := #["-" ++ "Dwarn.sorry=false"])").unchecked);
  CHECK(found(R"(moreLeanArgs := #["--trust=9"])").unchecked);
}

TEST_CASE("a lakefile in TOML is a reason only for what Lake does not tell of a file", "[silencers]") {
  const auto found = [](const std::string& lakefile) {
    const leanbridge::test::TestFolder folder;
    folder.write("lakefile.toml", "name = \"p\"\n" + lakefile);
    return SilencerWatch(folder.path()).find("theorem a : 1 = 1 := rfl\n");
  };
  const auto one_library = found("[[lean_lib]]\nname = \"P\"\nleanOptions = { warn.sorry = false }\n");
  CHECK_FALSE(one_library.silencer);
  CHECK(one_library.asks_lake);
  CHECK(found("plugins = [\"P\"]\n").asks_lake);
  for (const char* harmless : {"", "enableArtifactCache = true\n", "[leanOptions]\nweak.linter.mine = true\n",
                               "moreLeanArgs = [\"-DautoImplicit=false\", \"-M4000\"]\n"}) {
    CAPTURE(harmless);
    CHECK_FALSE(found(harmless).asks_lake);
    CHECK_FALSE(found(harmless).silencer);
  }
  CHECK(found("moreLeanArgs = [\"-Dwarn.sorry=false\"]\n").silencer ==
        "lakefile.toml:2 has option warn.sorry");
  CHECK_FALSE(found("moreLeanArgs = [\"-Dweak.warn.sorry=true\"]\n").silencer);
  CHECK(found("moreGlobalServerArgs = [\"-t0\"]\n").unchecked == "lakefile.toml:2 has argument -t0");
  // An imported file may be of the library that has it.
  CHECK(found("[[lean_lib]]\nname = \"P\"\nleanOptions = { debug.skipKernelTC = true }\n").unchecked);
}

TEST_CASE("an attribute for lemmas that an imported file declares makes no program", "[silencers]") {
  const leanbridge::test::TestFolder folder;
  folder.write("lakefile.toml", "name = \"p\"\n[[lean_lib]]\nname = \"P\"\n");
  folder.write("P/Attr.lean", "register_simp_attr my_simps\n");
  folder.write("P/Use.lean", "import P.Attr\n@[my_simps] def f := 1\n");
  const auto found = [&](const std::string& source) { return SilencerWatch(folder.path()).find(source); };
  CHECK_FALSE(found("import P.Use\ntheorem a : f = 1 := rfl\n").silencer);
  CHECK(found("import P.Use\n@[my_simps] def g := 1\n").attributes == std::set<std::string>{"my_simps"});
  folder.write("P/Attr.lean", "-- register_simp_attr my_simps\n");
  CHECK(found("import P.Use\n").silencer == "P/Use.lean:2 has my_simps");
  // Where strings may be code, so may what looks like a declaration be none.
  folder.write("P/Attr.lean", "def s := \"{x\"\nregister_simp_attr my_simps\n");
  CHECK(found("import P.Use\n").silencer == "P/Use.lean:2 has my_simps");
}

}  // namespace leanbridge::ide

#include "core/lean/unbuilt_imports.hpp"

#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::lean {

using Catch::Matchers::Contains;
using test::TestFolder;

namespace {

constexpr int kModules = 1234;

/// A project that requires a fetched package with many modules, of which Big imports all.
class WithLibrary {
 public:
  explicit WithLibrary(std::string name) : folder_(".lake/packages/" + name + "/") {
    project_.write("lake-manifest.json", R"({"packages":[{"type":"git","name":")" + name + R"("}]})");
    project_.write(folder_ + "lakefile.lean", "");
    std::string all;
    for (int i = 1; i < kModules; ++i) {
      project_.write(folder_ + "Big/M" + std::to_string(i) + ".lean", "");
      all += "import Big.M" + std::to_string(i) + "\n";
    }
    project_.write(folder_ + "Big.lean", all);
  }
  void compile(const std::string& module, const char* product = ".olean") {
    project_.write(folder_ + ".lake/build/lib/lean/" + module + product, "");
  }
  Result<void> opening(const std::vector<std::string>& imports) {
    return check_imports_are_built(project_.path(), imports, ImportWatch(project_.path()).state_of(imports));
  }
  const TestFolder& project() const { return project_; }

 private:
  TestFolder project_;
  std::string folder_;
};

}  // namespace

TEST_CASE("a file is not opened if that would compile a library whose cache was not fetched", "[lean]") {
  WithLibrary mathlib("mathlib");
  const auto refused = mathlib.opening({"Init", "Big"});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::LeanUnavailable);
  CHECK_THAT(refused.error().message, Contains("1,234 modules") && Contains("Big of mathlib"));
  CHECK_THAT(refused.error().hint, Contains("lake exe cache get") &&
                                       Contains(mathlib.project().path().string()) && Contains("lean_build"));
  CHECK(mathlib.opening({}));
  CHECK(mathlib.opening({"Big.M1", "Big.M2"}));  // soon done
  mathlib.project().write("Own.lean", "import Big\n");
  CHECK_FALSE(mathlib.opening({"Own"}));
  const char* const product = GENERATE(".olean", ".trace");
  mathlib.compile("Big", product);
  CHECK(mathlib.opening({"Big"}));
  CHECK(mathlib.opening({"Own"}));
}

TEST_CASE("there is no cache for a library that is not Mathlib", "[lean]") {
  WithLibrary other("other");
  const auto refused = other.opening({"Big"});
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().hint, Contains("lake build") && !Contains("cache"));
}

TEST_CASE("where a package keeps what it has built is its own affair", "[lean]") {
  WithLibrary mathlib("mathlib");
  mathlib.project().write(".lake/packages/mathlib/lakefile.lean", "package m where\n  buildDir := \"out\"\n");
  CHECK(mathlib.opening({"Big"}));
}

}  // namespace leanbridge::lean

// Which files are modules and, above all, which are not: those outside the project that links lead to.

#include "index_fixture.hpp"
#include <catch2/catch.hpp>

using namespace leanbridge;
using namespace leanbridge::index;
using namespace leanbridge::test;
namespace fs = std::filesystem;

namespace {

using ModuleNames = std::vector<std::string>;

struct Walked {
  explicit Walked(const Layout& layout) {
    const std::atomic<bool> stop = false;
    auto found = find_modules(layout, stop);
    for (const ModuleFiles& files : found.modules) names.push_back(files.name);
    left_out = std::move(found.left_out);
  }
  ModuleNames names;
  std::vector<fs::path> left_out;
};

struct LinkedProject : TestFolder {
  LinkedProject() {
    write("project/Own.lean", "");
    write("project/inner/Real.lean", "");
    write("elsewhere/Secret.lean", "");
    write("elsewhere/Secret.olean", "");
    layout.project = *this / "project";
    layout.sources = {layout.project};
  }
  fs::path link(const std::string& at, const fs::path& to) const {
    fs::create_directories((*this / at).parent_path());
    fs::create_symlink(to, *this / at);
    return *this / at;
  }
  Layout layout;
};

}  // namespace

TEST_CASE("links do not lead the index out of the project", "[index][modules]") {
  LinkedProject project;
  SECTION("a file") {
    const auto out = project.link("project/Out.lean", project / "elsewhere/Secret.lean");
    project.link("project/In.lean", "inner/Real.lean");
    const Walked found(project.layout);
    CHECK(found.names == ModuleNames{"In", "Own", "inner.Real"});
    CHECK(found.left_out == std::vector<fs::path>{out});
  }
  SECTION("a folder") {
    project.link("project/out", project / "elsewhere");
    CHECK(Walked(project.layout).names == ModuleNames{"Own", "inner.Real"});
  }
  SECTION("a folder of the library, as its lakefile names it") {
    const auto out = project.link("project/src", project / "elsewhere");
    project.layout.sources = {out};
    const Walked found(project.layout);
    CHECK(found.names.empty());
    CHECK(found.left_out == std::vector<fs::path>{out});
  }
  SECTION("what was built") {
    project.link("project/.lake", project / "elsewhere");
    project.layout.builds = {project / "project/.lake"};
    CHECK(Walked(project.layout).names == ModuleNames{"Own", "inner.Real"});
  }
  SECTION("a link to a link") {
    project.link("project/hop", project / "elsewhere");
    project.link("project/Out.lean", "hop/Secret.lean");
    CHECK(Walked(project.layout).names == ModuleNames{"Own", "inner.Real"});
  }
}

TEST_CASE("a module has guillemets where Lean prints them", "[index][modules]") {
  const LinkedProject project;
  for (const char* const file : {"a→b", "Bar-baz", "x₁!", "é", "a.b", "1"})
    project.write("project/" + std::string(file) + ".lean", "");
  ModuleNames names = Walked(project.layout).names;
  std::sort(names.begin(), names.end());
  CHECK(names == ModuleNames{"Own", "inner.Real", "x₁!", "«1»", "«Bar-baz»", "«a.b»", "«a→b»", "é"});
}

TEST_CASE("packages stay where Lake says that they are", "[index][modules]") {
  LinkedProject project;
  SECTION("beside the project") {
    project.layout.sources.push_back(project / "elsewhere");
    project.link("project/Out.lean", project / "elsewhere/Secret.lean");
    const Walked found(project.layout);
    CHECK(found.names == ModuleNames{"Out", "Own", "Secret", "inner.Real"});
    CHECK(found.left_out.empty());
  }
  SECTION("a package that is kept elsewhere") {
    project.layout.sources.push_back(project.link("project/.lake/packages/p", project / "elsewhere"));
    CHECK(Walked(project.layout).names == ModuleNames{"Own", "Secret", "inner.Real"});
  }
  SECTION("not without Lake's word") {
    project.link("project/.lake/packages/p", project / "elsewhere");
    project.write("project/.lake/packages/q/Q.lean", "");
    Layout usual = usual_layout(project / "project");
    usual.project = project / "project";
    CHECK(Walked(usual).names == ModuleNames{"Own", "Q", "inner.Real"});
  }
}

TEST_CASE("a toolchain is where it is", "[index][modules]") {
  LinkedProject project;
  project.link("toolchain/src/lean/Init.lean", project / "elsewhere/Secret.lean");
  CHECK(Walked(toolchain_layout(project / "toolchain")).names == ModuleNames{"Init"});
}

TEST_CASE("what was left out is told, and is not in the index", "[index][modules]") {
  LinkedProject project;
  const auto out = project.link("project/Out.lean", project.write("elsewhere/A.lean", many_theorems("A", 1)));
  BuildJob job = job_for(project / "cache", project / "project");
  job.layout.project = project / "project";
  const BuildOutcome outcome = bring_up_to_date(job);
  CHECK(outcome.end == BuildOutcome::End::Done);
  CHECK(outcome.problems == ModuleNames{out.string() + " leads out of the project"});
  CHECK(declarations_in(project / "cache") == 0);
}

TEST_CASE("a module's file that is none, or too large, is told and costs nothing", "[index][modules]") {
  const TestFolder folder;
  fs::resize_file(folder.write("src/Large.lean", ""), std::uintmax_t{1} << 40);
  REQUIRE(::mkfifo((folder / "src/Pipe.lean").c_str(), 0600) == 0);
  fs::create_symlink("/dev/zero", folder / "src/Zero.lean");
  folder.write("src/A.lean", many_theorems("A", 1));
  const BuildOutcome outcome = bring_up_to_date(job_for(folder / "cache", folder / "src"));
  CHECK(outcome.end == BuildOutcome::End::Done);
  CHECK(declarations_in(folder / "cache") == 1);
  REQUIRE(outcome.problems.size() == 1);
  CHECK(outcome.problems[0].find("larger than 16 MiB") != std::string::npos);
}

// What kernels outside of Lean read, and which of them are asked.

#include "certify/untrusted/run.hpp"
#include "certify/verdict/export_closure.hpp"
#include "certify/verdict/kernels.hpp"
#include "core/base/sha256.hpp"
#include "modules.hpp"

namespace leanbridge::test {

using namespace certify;
using Catch::Matchers::Contains;

namespace {

/// The export of one constant, or why there is none.
std::string export_of(const MakeModule& make, std::string_view name, const ExportLimits& limits = {}) {
  const ModuleFolder folder;
  auto set = folder.open(make);
  REQUIRE(set);
  std::string out;
  const auto write = [&](std::string_view part) {
    out += part;
    return true;
  };
  const auto facts = export_closure(*set, {set->find(olean::key_of(name)).value()}, write, limits);
  if (!facts) return "error: " + facts.error().message;
  CHECK(facts->sha256 == sha256_of(out));
  CHECK(facts->bytes == out.size());
  return out;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("an export has what a theorem rests on, each once and before it is used") {
  const std::string text = export_of(
      [](ModuleMaker& m) {
        m.definition("unused", m.constant("Nat"), m.w.natural(1));
        m.definition("two", m.constant("Nat"), m.w.natural(2));
        m.theorem("goal", m.apply("Holds", {m.constant("two")}), m.constant("True.intro"));
      },
      "goal");
  CHECK_THAT(
      text,
      Catch::Matchers::StartsWith(
          R"({"meta":{"exporter":{"name":"leanbridge","version":"3.1.0"},"format":{"version":"3.1.0"})"));
  CHECK(count(text, "\"unused\"") == 0);
  CHECK(count(text, "{\"pre\":0,\"str\":\"Nat\"}") == 1);
  CHECK(count(text, "{\"def\":") == 1);
  CHECK(count(text, "{\"thm\":") == 1);
  CHECK(count(text, "{\"axiom\":") == 4);  // Nat, Holds, True, True.intro
  CHECK(text.find("\"natVal\":\"2\"") < text.find("{\"def\":"));
  CHECK(text.find("{\"def\":") < text.find("{\"thm\":"));
  CHECK(text.rfind('\n') == text.size() - 1);
}

TEST_CASE("a term that is used twice is exported once") {
  const auto doubled = [](int times) {
    return export_of(
        [times](ModuleMaker& m) {
          auto term = m.constant("True.intro");
          for (int i = 0; i < times; ++i) term = m.w.app(term, {term});
          m.theorem("goal", m.constant("True"), term);
        },
        "goal");
  };
  CHECK(count(doubled(60), "\n") == count(doubled(0), "\n") + 60);  // and not 2^60
}

TEST_CASE("numbers of any size are exported in decimal") {
  const std::string text = export_of(
      [](ModuleMaker& m) {
        m.definition("big", m.constant("Nat"), m.w.big_natural({0, 1}));
      },
      "big");
  CHECK_THAT(text, Contains("\"natVal\":\"18446744073709551616\""));
}

TEST_CASE("an export ends where it would be too large, or nobody wants it") {
  const MakeModule make = [](ModuleMaker& m) {
    m.theorem("goal", m.constant("True"), m.constant("True.intro"));
  };
  CHECK_THAT(export_of(make, "goal", {.bytes = 100}), Contains("error: The export is larger"));
  CHECK_THAT(export_of(make, "goal", {.terms = 1}), Contains("error: The proofs have more than 1"));
  const ModuleFolder folder;
  auto set = folder.open(make);
  REQUIRE(set);
  const auto stopped = export_closure(
      *set, {0}, [](std::string_view) { return true; }, {}, [] { return true; });
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::Cancelled);
}

TEST_CASE("what Lean does not write is not exported") {
  CHECK_THAT(export_of(
                 [](ModuleMaker& m) {
                   m.definition("strange", m.constant("Nat"), m.w.natural(1), OleanWriter::Unsafe);
                 },
                 "strange"),
             Contains("error: `strange` is unsafe"));
  // The constructor says that it belongs to another type, and the type has no recursor.
  CHECK_THAT(export_of(
                 [](ModuleMaker& m) {
                   const auto name = m.w.name("T"), make = m.w.name("T.mk");
                   m.add(name, m.w.inductive(m.w.common(name, m.w.type()), name, {make}));
                   m.add(make, m.w.constructor_of(m.w.common(make, m.constant("T")), m.w.name("Nat"), 0, 0));
                 },
                 "T"),
             Contains("is not as Lean writes it"));
  // Mutual mention: a kernel gets a constant that it does not know, and rejects it.
  const std::string circle = export_of(
      [](ModuleMaker& m) {
        m.theorem("one", m.constant("True"), m.constant("other"));
        m.theorem("other", m.constant("True"), m.constant("one"));
      },
      "one");
  CHECK(count(circle, "{\"thm\":") == 2);
}

TEST_CASE("the words of --kernels") {
  CHECK_FALSE(KernelSelection::from({})->is_given());
  CHECK(KernelSelection::from({"all"})->all);
  CHECK(KernelSelection::from({"2"})->first == 2U);
  CHECK(KernelSelection::from({"nanoda", "lean4lean"})->named.size() == 2);
  for (const auto& words : {std::vector<std::string>{"all", "nanoda"}, {"0"}, {"2", "nanoda"}})
    CHECK_FALSE(KernelSelection::from(words));
}

TEST_CASE("kernels are those of the toolchain, and a nanoda that the judged party cannot have written") {
  const TestFolder folder;
  const auto script = "#!/bin/sh\nexit 0\n";
  ExportKernelPlaces places;
  places.sysroot = folder / "lean";
  places.untrusted = {folder / "project"};
  const auto names = [&] {
    std::vector<std::string> found;
    const auto kernels = find_export_kernels(places);
    REQUIRE(kernels);
    for (const ExportKernel& kernel : *kernels) found.push_back(kernel.name);
    return found;
  };
  if (find_system_program("nanoda_bin")) return;  // this machine has one
  CHECK(names().empty());
  folder.write_program("lean/bin/lean4lean", script);
  folder.write_program("lean/bin/con-leche", script);
  CHECK(names() == std::vector<std::string>{"lean4lean", "con-leche"});

  const auto planted = folder.write_program("project/bin/nanoda_bin", script);
  std::filesystem::create_directories(folder / "own");
  std::filesystem::create_symlink(planted, folder / "own/nanoda_bin");
  std::filesystem::create_directory_symlink(folder / "project/bin", folder / "linked");
  places.path = (folder / "project/bin").string() + "::bin:.:" + (folder / "own").string() + ":" +
                (folder / "linked").string();
  CHECK(names().size() == 2);
  const auto own = folder.write_program("home/nanoda_bin", script);
  places.path += ":" + (folder / "home").string();
  const auto kernels = find_export_kernels(places);
  REQUIRE(kernels);
  REQUIRE(kernels->size() == 3);
  CHECK((*kernels)[1].command == std::vector{std::filesystem::canonical(own).string()});
  CHECK((*kernels)[1].input == ExportKernel::Input::NanodaConfig);

  places.selection.named = {"con-ron"};
  CHECK_FALSE(find_export_kernels(places));
  places.selection.named = {"con-leche", own.string() + " --quick"};
  CHECK(names() == std::vector<std::string>{"con-leche", "nanoda_bin"});
}

}  // namespace leanbridge::test

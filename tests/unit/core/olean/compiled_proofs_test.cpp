#include "core/olean/compiled_proofs.hpp"

#include "modules.hpp"
#include "olean_writer.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

#include <ctime>
#include <optional>

namespace leanbridge::olean {

namespace fs = std::filesystem;

TEST_CASE("a compiled module can be read when its files are gone", "[index][compiled_proofs]") {
  std::optional<ModuleBytes> module;
  std::string bytes = test::OleanWriter(8, 2).module({}, {}, {});
  {
    const test::TestFolder folder;
    const fs::path olean = folder.write("Module.olean", bytes);
    folder.write("Module.olean.other", "not a part");
    auto mapped = ModuleBytes::map(olean);
    REQUIRE(mapped);
    module = std::move(*mapped);
    CHECK(fs::exists(olean));
  }
  REQUIRE(module->parts().size() == 1);
  CHECK(module->parts().front() == bytes);
  CHECK(module->size() == bytes.size());
  // Reads the same files twice, once for each question.
  for (int i = 0; i < 2; ++i) {
    auto proofs = CompiledProofs::open(*module, {});
    REQUIRE(proofs);
    CHECK(proofs->constants()->empty());
    CHECK_FALSE(proofs->foundation("nothing")->has_value());
  }
}

TEST_CASE("files that are no module", "[index][compiled_proofs]") {
  const test::TestFolder folder;
  CHECK(ModuleBytes::map(folder / "missing.olean").error().kind == ErrorKind::FileNotFound);
  CHECK(ModuleBytes::map(folder.write("empty.olean", "")).error().kind == ErrorKind::FileNotFound);
  const auto other = ModuleBytes::map(folder.write("other.olean", std::string(1000, 'x')));
  REQUIRE(other);
  const auto proofs = CompiledProofs::open(*other, {});
  REQUIRE_FALSE(proofs);
  CHECK(proofs.error().message.find("other.olean") != std::string::npos);
}

namespace {

CompiledProofs proofs_of(const test::ModuleFolder& folder, const test::MakeModule& make) {
  test::ModuleMaker maker;
  make(maker);
  auto proofs = CompiledProofs::open(ModuleBytes(std::vector<std::string>{maker.bytes()}), {folder.path()});
  REQUIRE(proofs);
  return std::move(*proofs);
}

using AxiomNames = std::vector<std::string>;

bool is_propext(std::string_view axiom) {
  return axiom == "propext";
}

/// Seconds of this thread's processor.
double thread_seconds(const std::function<void()>& work) {
  const auto now = [] {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  work();
  return now() - start;
}

}  // namespace

TEST_CASE("a name is that of the module, then the one that its imports export", "[index][compiled_proofs]") {
  test::ModuleFolder folder;
  // Private, and so another constant than the one that users mean.
  folder.write("Twin", [](test::ModuleMaker& m) {
    const auto name = m.private_name("lemma");
    m.add(name, m.w.theorem(m.w.common(name, m.constant("True")), m.constant("True.intro")));
  });
  folder.write("Used", [](test::ModuleMaker& m) {
    m.imports = {"Base", "Twin"};
    m.theorem("lemma", m.constant("True"), m.constant("sorryAx"));
    m.theorem("«a b».c", m.constant("True"), m.constant("propext"));
  });
  const auto make = [](test::ModuleMaker& m) {
    m.imports = {"Base", "Twin", "Used"};
    const auto name = m.private_name("mine");
    m.add(name, m.w.theorem(m.w.common(name, m.constant("True")), m.constant("lemma")));
  };
  auto proofs = proofs_of(folder, make);
  CHECK(proofs.foundation("lemma").value().value().axioms == AxiomNames{"True", "sorryAx"});
  CHECK(proofs.foundation("mine").value().value().axioms == AxiomNames{"True", "sorryAx"});
  CHECK_FALSE(proofs.foundation("lemm").value());
  CHECK_FALSE(proofs.foundation("").value());
}

TEST_CASE("what is beyond the allowed axioms is told of each constant that rests on it",
          "[index][compiled_proofs]") {
  const test::ModuleFolder folder;
  auto proofs = proofs_of(folder, [](test::ModuleMaker& m) {
    const auto truth = m.constant("True");
    m.theorem("good", truth, m.constant("propext"));
    m.theorem("open", truth, m.constant("sorryAx"));
    m.theorem("uses", truth, m.w.app(m.constant("open"), {m.constant("good")}));
    m.theorem("lost", truth, m.constant("nowhere"));
    m.theorem("plain", truth, m.constant("True.intro"));
    // A type and its constructor mention each other.
    const auto type = m.w.name("Box");
    m.add(type, m.w.inductive(m.w.common(type, m.w.prop()), type, {m.w.name("Box.mk")}));
    const auto constructor = m.w.name("Box.mk");
    m.add(constructor,
          m.w.constructor_of(m.w.common(constructor, m.w.forall("x", m.constant("open"), m.constant("Box"))),
                             type, 0, 1));
  });
  const auto allowed = [](std::string_view axiom) { return is_propext(axiom) || axiom.starts_with("True"); };
  const auto beyond = proofs.foundations_beyond(allowed).value();
  std::map<std::string, std::pair<AxiomNames, AxiomNames>> found;
  for (const auto& [at, foundation] : beyond)
    found[foundation.name] = {foundation.axioms, foundation.without_proof};
  CHECK(found == std::map<std::string, std::pair<AxiomNames, AxiomNames>>{
                     {"open", {{"True", "sorryAx"}, {}}},
                     {"uses", {{"True", "propext", "sorryAx"}, {}}},
                     {"lost", {{"True"}, {"nowhere"}}},
                     {"Box", {{"True", "sorryAx"}, {}}},
                     {"Box.mk", {{"True", "sorryAx"}, {}}},
                 });
}

TEST_CASE("a thousand theorems on a sorry are read nearly as fast as one of them",
          "[index][compiled_proofs]") {
  constexpr int kTheorems = 1'000, kImported = 20'000;
  const auto number = [](const char* name, int i) { return name + ("_" + std::to_string(i)); };
  test::ModuleFolder folder;
  folder.write("Large", [&](test::ModuleMaker& m) {
    m.theorem("l_0", m.constant("True"), m.constant("sorryAx"));
    for (int i = 1; i < kImported; ++i)
      m.theorem(number("l", i), m.constant("True"),
                m.w.app(m.constant(number("l", i - 1)), {m.constant(number("l", i / 2))}));
  });
  const auto make = [&](test::ModuleMaker& m) {
    m.imports = {"Base", "Large"};
    for (int i = 0; i < kTheorems; ++i)
      m.theorem(number("t", i), m.constant("True"), m.constant(number("l", kImported - 1)));
  };
  auto proofs = proofs_of(folder, make);
  const double one = thread_seconds([&] { CHECK(proofs.foundation("t_0").value()); });
  std::size_t beyond = 0;
  const double all = thread_seconds([&] { beyond = proofs.foundations_beyond(is_propext).value().size(); });
  CHECK(beyond == kTheorems);
  double names = 0;
  for (int i = 0; i < 2; ++i)  // the first time each name of the imports was read
    names = thread_seconds([&] {
      for (int at = 0; at < kTheorems; ++at) CHECK_FALSE(proofs.foundation("none").value());
    });
  CAPTURE(one, all, names);
  CHECK(all < 20 * one);
  CHECK(names < one);
}

}  // namespace leanbridge::olean

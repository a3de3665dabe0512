#include "core/olean/compiled_proofs.hpp"

#include "olean_writer.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

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

}  // namespace leanbridge::olean

// The declarations of a file, with a scripted Lean.

#include "core/ide/symbols.hpp"

#include "core/ide/ide_fixture.hpp"

#include <set>

namespace leanbridge::ide {

using namespace ide::test;

TEST_CASE_METHOD(IdeFixture, "types of declarations come from the hovers on their names", "[ide][symbols]") {
  const OpenFile file = open("A.lean", "theorem a : 1 = 1 := rfl\nexample : 2 = 2 := rfl\ndef b := 3\n");
  std::set<int> lines;
  scripted.answers["textDocument/hover"] = [&](const auto&, const json& params) -> json {
    const int line = params["position"]["line"].get<int>();
    lines.insert(line);
    if (line != 0) return nullptr;
    return {{"contents", {{"kind", "markdown"}, {"value", "```lean\na : 1 = 1\n```"}}}};
  };
  CHECK(loop.run(types_of(file.handle(), symbols_in(file.text()), patient())) ==
        std::vector<std::string>{"1 = 1", "", ""});
  CHECK(lines == std::set<int>{0, 2});  // an example has no name
  CHECK(loop.run(types_of(file.handle(), {}, patient())).empty());
}

}  // namespace leanbridge::ide

#include "search/index/readers.hpp"
#include <catch2/catch.hpp>

using namespace leanbridge;
using namespace leanbridge::index;

namespace {

Declaration at(std::string name, std::uint32_t line, std::uint32_t column, bool is_private = false) {
  Declaration declaration;
  declaration.name = std::move(name);
  declaration.module = "Multi.Mod";
  declaration.line = line;
  declaration.column = column;
  declaration.is_private = is_private;
  return declaration;
}

// What Lean 4.28 wrote for the text below, without usages.
constexpr std::string_view kVersion5 = R"({"decls":{"_private.Multi.Mod.0.hidden":[1,0,1,37,1,16,1,22],
"«odd name».x₁":[0,5,0,59,0,35,0,48]},"directImports":[],"module":"Multi.Mod","references":{
"{\"c\":{\"m\":\"Init.Prelude\",\"n\":\"Nat\"}}":{"definition":null,"usages":[[0,51,0,54,"«odd name».x₁"]]},
"{\"c\":{\"m\":\"Multi.Mod\",\"n\":\"Pt.x\"}}":{"definition":[2,2,2,3],"usages":[]},
"{\"c\":{\"m\":\"Multi.Mod\",\"n\":\"Pt._aux_1\"}}":{"definition":[2,2,2,3],"usages":[]},
"{\"f\":{\"m\":\"Multi.Mod\",\"i\":\"n\"}}":{"definition":[2,2,2,3],"usages":[]},
"{\"c\":{\"m\":\"Multi.Mod\",\"n\":\"_private.Multi.Mod.0.hidden\"}}":{"definition":[1,16,1,22],"usages":[]},
"{\"c\":{\"m\":\"Multi.Mod\",\"n\":\"«odd name».x₁\"}}":{"definition":[0,35,0,48],"usages":[]}},"version":5})";
constexpr std::string_view kSource =
    "/-- 𝔸 wide: columns -/ public def «odd name».x₁ : Nat := 3\n"
    "private theorem hidden : 1 = 1 := rfl\n"
    "  x : Nat\n";

}  // namespace

TEST_CASE("an .ilean gives names and places", "[index][ilean]") {
  using List = std::vector<Declaration>;
  CHECK(read_ilean(kVersion5, kSource).value() ==
        List{at("Pt.x", 3, 3), at("hidden", 2, 17, true), at("«odd name».x₁", 1, 35)});
  CHECK(read_ilean(kVersion5).value() ==
        List{at("Pt.x", 3, 0), at("hidden", 2, 0, true), at("«odd name».x₁", 1, 0)});
  CHECK(
      read_ilean(
          R"({"version":1,"module":"Multi.Mod","references":{"c:Nat.add":{"definition":[4,0,4,3],"usages":[]}}})")
          .value() == List{at("Nat.add", 5, 0)});
}

TEST_CASE("an .ilean of an unknown version or none at all is an error", "[index][ilean]") {
  const auto newer = read_ilean(R"({"version":6,"module":"M","references":{}})");
  REQUIRE_FALSE(newer);
  CHECK(newer.error().kind == ErrorKind::NotSupported);
  CHECK(newer.error().message.find("version 6") != std::string::npos);
  for (const std::string_view text :
       {"", "[]", "{", "{\"version\":\"5\"}", "{\"version\":5}", "{\"version\":-1,\"module\":\"M\"}"}) {
    CAPTURE(text);
    CHECK(read_ilean(text).error().kind == ErrorKind::Internal);
  }
  for (
      const std::string_view odd :
      {R"({"version":5,"module":"M","references":[]})",
       R"({"version":5,"module":"M","references":{"c:x":7}})",
       R"({"version":5,"module":"M","references":{"c:x":{"definition":["a",{}]}},"decls":{"y":[1,2]}})",
       R"({"version":5,"module":"M","references":{"{\"c\":{}}":{"definition":[1,2,3,4]},"c:":{"definition":[1,2,3,4]}}})",
       R"({"version":5,"module":"M","references":{"c:x":{"definition":[99999999999999999999,2,3,4]}}})"}) {
    CAPTURE(odd);
    CHECK(read_ilean(odd).value().empty());
  }
}

TEST_CASE("an .ilean is read whatever else it holds, in whatever order", "[index][ilean]") {
  using List = std::vector<Declaration>;
  CHECK(
      read_ilean(
          R"({"decls":{"y":[0,0,0,0,6,1],"x":[0,0,0,0,7,1],"short":[1,2,3,4,5],"z":[[1],2,3,4,8,1],"w":[0,0,0,0,[1],1]},
"references":{"c:x":{"usages":{"definition":[9,9]},"definition":[4,0,[5]],"more":[6,6]},"c:n":{"definition":{"definition":[7,7]}},
"c:m":[{"definition":[7,7]}]},"other":{"references":{"c:o":{"definition":[7,7]}},"version":2},"module":"Multi.Mod","version":5})")
          .value() == List{at("x", 5, 0), at("y", 7, 0), at("z", 9, 0)});
}

TEST_CASE("an .ilean that is made to cost much is no .ilean", "[index][ilean]") {
  const auto with = [](const std::string& references) {
    return R"({"version":5,"module":"M","references":{)" + references + "}}";
  };
  std::string many;
  for (int i = 0; i <= 100'000; ++i)
    many += (i > 0 ? ",\"c:n" : "\"c:n") + std::to_string(i) + "\":{\"definition\":[1,2]}";
  const auto read = read_ilean(with(many));
  REQUIRE_FALSE(read);
  CHECK(read.error().message.find("more declarations than") != std::string::npos);
  CHECK(read_ilean(with("\"c:" + std::string(1u << 20, 'x') + "\":{\"definition\":[1,2]}")).value().empty());
  const std::string deep(100'000, '[');
  CHECK_FALSE(read_ilean(R"({"version":5,"module":"M","more":)" + deep).has_value());
  CHECK_FALSE(read_ilean(with("\"c:x\":{\"definition\":" + deep + std::string(deep.size(), ']') + "}")));
}

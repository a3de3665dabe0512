#include "leanbridge/lean/imports.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::lean {

namespace {
using Words = std::vector<std::string>;
}

TEST_CASE("the imports of a header, in order", "[lean]") {
  const Header header = parse_header("import A\nimport B.C\n\ntheorem x : True := trivial\nimport D\n");
  CHECK(header.imports == Words{"A", "B.C"});
  CHECK(header.words == Words{"import", "A", "import", "B.C"});
}

TEST_CASE("every form of import", "[lean]") {
  const Header header = parse_header(
      "module\n\nprelude\npublic import A\nmeta import B\npublic meta import C\nimport all D\nimport «a "
      "b».«c»  import E\ndef x := 1");
  CHECK(header.imports == Words{"A", "B", "C", "D", "«a b».«c»", "E"});
  CHECK(header.words.front() == "module");
}

TEST_CASE("comments are no part of a header", "[lean]") {
  const Header plain = parse_header("import A\nimport B\n#eval 1");
  CHECK(parse_header("/- licence /- nested -/ import X -/\n-- import Y\nimport A -- one\nimport/- two "
                     "-/B--three\n\n/-! doc -/\n#eval 1")
            .words == plain.words);
  CHECK(parse_header("import A/-x-/import B #eval 1").words == plain.words);
  CHECK(parse_header("import\r\n  A\r\n\timport B\r\ndef x := 1").words == plain.words);
}

TEST_CASE("texts without a header, or with half of one", "[lean]") {
  const auto text =
      GENERATE("", "   \n\n", "-- only\n", "/- open", "/-", "-", "/-/", "theorem x", "#eval 1\nimport A",
               "importA\n", "«", "\xEF\xBB\xBF", "import", "import -- x", "@[simp] theorem", "\xff\xfe");
  CHECK(parse_header(text).imports.empty());
}

TEST_CASE("what follows the imports does not count, though it begins like one", "[lean]") {
  const Words header = parse_header("module\npublic import A\n").words;
  CHECK(header == Words{"module", "public", "import", "A"});
  CHECK(parse_header("module\npublic import A\n\npublic section\n").words == header);
  CHECK(parse_header("module\npublic import A\n\n@[expose] public section\n").words == header);
  CHECK(parse_header("module\npublic import A\nmeta def x := 1").words == header);
  CHECK(parse_header("module\npublic import A\npublic meta section").words == header);
  CHECK(parse_header("public def x := 1").words.empty());
  CHECK(parse_header("module\n\npublic section").words == Words{"module"});
  CHECK(parse_header("prelude\ndef x := 1").words == Words{"prelude"});
}

TEST_CASE("a long garbage word takes no long time", "[lean]") {
  const std::string garbage(1'000'000, 'x');
  CHECK(parse_header("import A\n" + garbage).imports == Words{"A"});
  std::string nested;
  for (int i = 0; i < 100'000; ++i) nested += "/-";
  CHECK(parse_header(nested).words.empty());
}

}  // namespace leanbridge::lean

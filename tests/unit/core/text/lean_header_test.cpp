#include "core/text/lean_header.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::text {

namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view source) {
  return parse_lean_header(source).words;
}
Words imports_of(std::string_view source) {
  return parse_lean_header(source).imported_modules();
}
// The text up to the end of the header.
std::string_view before_end(std::string_view source) {
  return source.substr(0, parse_lean_header(source).end);
}
// The last import and its modifiers, in a form for the tests.
std::string last_import(std::string_view source) {
  const HeaderImport import = parse_lean_header(source).imports.back();
  return std::string(import.is_public ? "public " : "") + (import.is_meta ? "meta " : "") +
         (import.is_all ? "all " : "") + import.module;
}

}  // namespace

TEST_CASE("the imports of a header, in order", "[text]") {
  const std::string_view source = "import A\nimport B.C\n\ntheorem x : True := trivial\nimport D\n";
  const LeanHeader header = parse_lean_header(source);
  CHECK(header.imported_modules() == Words{"A", "B.C"});
  CHECK(header.words == Words{"import", "A", "import", "B.C"});
  CHECK_FALSE(header.is_module);
  CHECK_FALSE(header.has_prelude);
  CHECK(before_end(source) == "import A\nimport B.C");
}

TEST_CASE("every form of import", "[text]") {
  const std::string_view source =
      "module\n\nprelude\npublic import A\nmeta import B\npublic meta import C\nimport all D\nimport «a "
      "b».«c»  import E\ndef x := 1";
  const LeanHeader header = parse_lean_header(source);
  CHECK(header.imported_modules() == Words{"A", "B", "C", "D", "«a b».«c»", "E"});
  CHECK(header.words.front() == "module");
  CHECK(header.is_module);
  CHECK(header.has_prelude);
  CHECK(before_end(source).ends_with("«c»  import E"));
}

TEST_CASE("the modifiers of an import", "[text]") {
  CHECK(last_import("import A") == "A");
  CHECK(last_import("module\npublic import A") == "public A");
  CHECK(last_import("module\nmeta import A") == "meta A");
  CHECK(last_import("module\nimport all A") == "all A");
  CHECK(last_import("module\npublic import A\nimport B") == "B");
  CHECK(last_import("module\npublic/-x-/meta -- y\n  import\tall\r\n A.B") == "public meta all A.B");
  CHECK(before_end("module\npublic meta import A\npublic meta def x := 1") == "module\npublic meta import A");
  CHECK(before_end("import all A def") == "import all A");
  // These are names, because they are longer than the keywords of the header.
  CHECK(last_import("import all.A") == "all.A");
  CHECK(last_import("import imports") == "imports");
  CHECK(last_import("import «import»") == "«import»");
}

TEST_CASE("comments are no part of a header", "[text]") {
  const Words plain = words_of("import A\nimport B\n#eval 1");
  CHECK(words_of("/- licence /- nested -/ import X -/\n-- import Y\nimport A -- one\nimport/- two "
                 "-/B--three\n\n/-! doc -/\n#eval 1") == plain);
  CHECK(words_of("import A/-x-/import B #eval 1") == plain);
  CHECK(words_of("import\r\n  A\r\n\timport B\r\ndef x := 1") == plain);
  CHECK(before_end("/- one -/ import A -- two\nimport/- three -/B--four\n") ==
        "/- one -/ import A -- two\nimport/- three -/B");
  CHECK(before_end("-- one\nmodule -- two\n") == "-- one\nmodule");
}

TEST_CASE("a comment without an end hides the whole header", "[text]") {
  for (const char* const text :
       {"/-", "/- x\nimport A", "import A /- /- -/ x", "import A\n-- y\n/- x -", "/- -/ /-"})
    CHECK(has_endless_comment(text));
  for (const char* const text : {"", "import A", "/- x -/", "import A /- /- -/ -/", "import A -- /-",
                                 "import A\n/-- x", "def x := 1 /-"})
    CHECK_FALSE(has_endless_comment(text));
}

TEST_CASE("a documentation comment begins the first command", "[text]") {
  CHECK(imports_of("import A\n/-! doc -/\nimport B") == Words{"A"});
  CHECK(imports_of("/-- doc -/ import A").empty());
  CHECK(before_end("import A\n/-! doc -/\nimport B") == "import A");
  CHECK(imports_of("/--/ import A") == Words{"A"});
}

TEST_CASE("a header without a line break at its end", "[text]") {
  CHECK(imports_of("import A") == Words{"A"});
  CHECK(before_end("import A") == "import A");
  CHECK(before_end("module") == "module");
  CHECK(before_end("prelude") == "prelude");
  CHECK(before_end("module prelude import «a\nb»") == "module prelude import «a\nb»");
  CHECK(before_end("import A#eval 1") == "import A");
}

TEST_CASE("texts without a header, or with half of one", "[text]") {
  const auto text =
      GENERATE("", "   \n\n", "-- only\n", "/- open", "/-", "-", "/-/", "theorem x", "#eval 1\nimport A",
               "importA\n", "«", "\xEF\xBB\xBF", "import", "import -- x", "@[simp] theorem", "\xff\xfe",
               "import #eval 1", "import 1", "import \"A\"", "import all", "public", "meta all", "all A");
  CHECK(imports_of(text).empty());
  CHECK(before_end(text).empty());
}

TEST_CASE("what follows the imports does not count, though it begins like one", "[text]") {
  const Words header = words_of("module\npublic import A\n");
  CHECK(header == Words{"module", "public", "import", "A"});
  CHECK(words_of("module\npublic import A\n\npublic section\n") == header);
  CHECK(words_of("module\npublic import A\n\n@[expose] public section\n") == header);
  CHECK(words_of("module\npublic import A\nmeta def x := 1") == header);
  CHECK(words_of("module\npublic import A\npublic meta section") == header);
  CHECK(words_of("module\npublic import A\nmodule") == header);
  CHECK(words_of("public def x := 1").empty());
  CHECK(words_of("module\n\npublic section") == Words{"module"});
  CHECK(words_of("prelude\ndef x := 1") == Words{"prelude"});
  CHECK(before_end("module\npublic import A\n\npublic section\n") == "module\npublic import A");
  CHECK(before_end("module\n\npublic section") == "module");
  CHECK(before_end("prelude\ndef x := 1") == "prelude");
}

TEST_CASE("the words of a header stand in Lean's order", "[text]") {
  CHECK(words_of("prelude module") == Words{"prelude"});
  CHECK(words_of("module module") == Words{"module"});
  CHECK(words_of("meta public import A").empty());
  CHECK_FALSE(parse_lean_header("prelude module").is_module);
}

TEST_CASE("an import that is still being written differs from none", "[text]") {
  CHECK(words_of("import A\nimport\n") == Words{"import", "A", "import"});
  CHECK(before_end("import A\nimport\n") == "import A");
  CHECK(words_of("import A\nimport\nimport B\n") == Words{"import", "A", "import", "import", "B"});
  CHECK(before_end("import A\nimport\nimport B\n") == "import A\nimport\nimport B");
  CHECK(words_of("import A.\n") == Words{"import", "A."});
  CHECK(words_of("import A.\nimport B") == Words{"import", "A.", "import", "B"});
  CHECK(words_of("import A .") == Words{"import", "A"});
  CHECK(words_of("import «A") == Words{"import", "«A"});
}

TEST_CASE("a long garbage word takes no long time", "[text]") {
  const std::string garbage(1'000'000, 'x');
  CHECK(imports_of("import A\n" + garbage) == Words{"A"});
  std::string nested;
  for (int i = 0; i < 100'000; ++i) nested += "/-";
  CHECK(words_of(nested).empty());
}

TEST_CASE("an import is taken out with its line, and nothing else", "[text]") {
  const auto without_first = [](std::string_view source) {
    return without_import(source, parse_lean_header(source).imports.front());
  };
  CHECK(without_first("import A\nimport B\n") == "import B\n");
  CHECK(without_first("module\npublic import A -- why\nimport B") == "module\nimport B");
  CHECK(without_first("/- kept -/ import A\ndef x := 1") == "/- kept -/ \ndef x := 1");
  CHECK(without_first("import A import B") == " import B");
  CHECK(without_first("import A /- kept\n-/ def x := 1") == " /- kept\n-/ def x := 1");
  CHECK(without_first("import\n  A\nimport B") == "import B");
  CHECK(without_first("import A") == "");
  CHECK(lines_of_import("-- one\nimport A -- two\nimport B",
                        parse_lean_header("-- one\nimport A -- two\nimport B").imports.front()) ==
        "import A -- two\n");
}

TEST_CASE("a command behind the header moves nothing that comes after it", "[text]") {
  CHECK(place_behind_header("import A\nimport B.C\n\ntheorem") == 19);
  CHECK(place_behind_header("import A -- why\ntheorem") == 8);
  CHECK(place_behind_header("module\r\n") == 6);
  CHECK(place_behind_header("import A") == 8);
  for (const char* source : {"", "theorem a : P := b", "-- import A", "import A def x := 1",
                             "import A /- a\n-/ def x := 1", "import A /-- a -/ def x := 1"}) {
    CAPTURE(source);
    CHECK_FALSE(place_behind_header(source));
  }
}

}  // namespace leanbridge::text

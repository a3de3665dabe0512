#include "core/text/command_words.hpp"

#include "core/text/lean_lexer.hpp"
#include <catch2/catch.hpp>

#include <string>

namespace leanbridge::text {

TEST_CASE("a word is asked for its kinds", "[command_words]") {
  CHECK(is_command_word("theorem", kDeclares));
  CHECK(is_command_word("theorem", kModifies | kDeclares));
  CHECK_FALSE(is_command_word("theorem", kModifies));
  CHECK(is_command_word("section", kOpens));
  CHECK_FALSE(is_command_word("mutual", kOpens));
  CHECK(is_command_word("mutual", kGroups));
  CHECK_FALSE(is_command_word("theorems", kDeclares));
  CHECK_FALSE(is_command_word("", kAlone));
}

TEST_CASE("the kinds of the words agree with each other", "[command_words]") {
  for (const CommandWord& each : kCommandWords) {
    CAPTURE(each.word);
    const auto is = [&](unsigned kinds) { return (each.kinds & kinds) != 0; };
    CHECK_FALSE((is(kAlone) && is(kElsewhere)));
    if (is(kIsType) || is(kMayBeAdded) || is(kNoProgram)) CHECK(is(kDeclares));
    if (is(kUnchecked)) CHECK(is(kModifies));
    if (is(kOpens)) CHECK(is(kGroups));
    if (is(kGroups) || is(kSyntax)) CHECK((is(kAlone) && is(kEnds)));
    if (is(kInTerms)) CHECK(is(kElsewhere));
    CHECK_FALSE((is(kDeclares) && is(kEnds)));
  }
}

TEST_CASE("every command that declares tokens makes an odd string one", "[command_words]") {
  for (const std::string command :
       {"notation", "infixl:50", "macro", "syntax", "elab", "binder_predicate x"}) {
    CAPTURE(command);
    CHECK(find_doubt(command + " \"≺--x\" : term => y\n").has_value());
  }
  CHECK_FALSE(find_doubt("def a := \"≺--x\"\n").has_value());
  CHECK_FALSE(find_doubt("-- how to elab and elaborate\ndef a := \"≺--x\"\n").has_value());
}

}  // namespace leanbridge::text

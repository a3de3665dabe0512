// How LeanLexer reads texts, for tests that compare it with Lean (tests/native-lean/tokens.test.mjs). Reads
// texts from stdin, each with its number of bytes in a line in front of it, and prints a line of JSON for
// each:
// {"doubt": OFFSET or null, "tokens": [[KIND, BEGIN, END], …]}.
#include "core/text/lean_lexer.hpp"

#include <iostream>
#include <string>

using namespace leanbridge::text;

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::string source(std::stoul(line), '\0');
    std::cin.read(source.data(), static_cast<std::streamsize>(source.size()));
    const auto doubt = find_doubt(source);
    std::cout << "{\"doubt\":" << (doubt ? std::to_string(doubt->offset) : "null") << ",\"tokens\":[";
    LeanLexer lexer(source);
    bool first = true;
    while (const auto token = lexer.next()) {
      std::cout << (first ? "" : ",") << '[' << static_cast<int>(token->kind) << ',' << token->begin << ','
                << token->end << ']';
      first = false;
    }
    std::cout << "]}\n";
  }
}

#include "missing_proofs.hpp"

#include "lean_lexer.hpp"
#include "lean_names.hpp"

namespace leanbridge::text {

bool is_missing_proof(std::string_view word) {
  return word == "sorry" || word == "admit" || unquoted(last_part(word)) == kSorryAxiom;
}

std::optional<std::size_t> find_missing_proof(std::string_view source) {
  LeanLexer lexer(source);
  while (const auto token = lexer.next())
    if (token->kind == LeanTokenKind::Word &&
        is_missing_proof(source.substr(token->begin, token->end - token->begin)))
      return token->begin;
  return std::nullopt;
}

}  // namespace leanbridge::text

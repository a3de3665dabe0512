#pragma once
/// The type of a term, with the names and hypotheses of a position.

#include "scratch_query.hpp"

#include <memory>
#include <string>
#include <vector>

namespace leanbridge::ide {

struct TypeQuestion {
  FileParams file;
  std::string expression;
  ContextPosition at;

  static wire::Fields fields() {
    return {wire::flatten<&TypeQuestion::file>(), wire::field<&TypeQuestion::expression>("One term"),
            wire::flatten<&TypeQuestion::at>()};
  }
};

struct TermType {
  wire::Nullable<std::string> type;
  std::vector<DiagnosticItem> diagnostics;  ///< why the term has no type, at positions in the expression
  bool in_proof = false;
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&TermType::type>(), wire::field<&TermType::diagnostics>().omit_empty(),
            wire::field<&TermType::in_proof>().omit_empty(), wire::flatten<&TermType::file>()};
  }
};

/// The expression is one term: text that would be another command is refused. Errors: InvalidArgument; those
/// of open_file() and ask_in_scratch(), but a Timeout of Lean's is an answer without type.
asio::awaitable<Result<TermType>> type_of_term(Lean& lean, std::shared_ptr<io::Operation> operation,
                                               TypeQuestion question);

}  // namespace leanbridge::ide

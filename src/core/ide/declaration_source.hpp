#pragma once
/// The source around the declaration of a symbol.

#include "open_file.hpp"

#include <memory>
#include <optional>
#include <string>

namespace leanbridge::ide {

/// Of a symbol at a use of it; without a line at its first use in the file, or by its name if it has none.
struct SourceQuestion {
  FileParams file;
  std::string symbol;
  std::optional<int> line, column;
  int context_lines = 20;
  bool full_file = false;

  static wire::Fields fields() {
    return {wire::flatten<&SourceQuestion::file>(),
            wire::field<&SourceQuestion::symbol>("As written"),
            wire::field<&SourceQuestion::line>("Of a use of the symbol").at_least(1),
            wire::field<&SourceQuestion::column>().at_least(1),
            wire::field<&SourceQuestion::context_lines>().with_default().at_least(0),
            wire::field<&SourceQuestion::full_file>().with_default()};
  }
};

struct DeclarationSource {
  std::string file_path;  ///< where the declaration is
  std::string content;    ///< the lines from start_line to end_line
  int start_line = 1;
  int end_line = 1;
  int total_lines = 0;  ///< of that file
  int line = 1;         ///< of the declared name
  FileStatus file;

  static wire::Fields fields() {
    return {
        wire::field<&DeclarationSource::file_path>(),   wire::field<&DeclarationSource::content>(),
        wire::field<&DeclarationSource::start_line>(),  wire::field<&DeclarationSource::end_line>(),
        wire::field<&DeclarationSource::total_lines>(), wire::field<&DeclarationSource::line>().unlisted(),
        wire::flatten<&DeclarationSource::file>()};
  }
};

/// Errors: InvalidArgument if Lean knows no declaration there, NotSupported if its source is not installed;
/// those of open_file() and Sources::text_of().
asio::awaitable<Result<DeclarationSource>> source_of_declaration(Lean& lean,
                                                                 std::shared_ptr<io::Operation> operation,
                                                                 SourceQuestion question);

}  // namespace leanbridge::ide

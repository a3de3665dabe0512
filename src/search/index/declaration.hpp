#pragma once
/// A declaration in the form that the readers of sources, `.ilean` and `.olean` files return. Each reader
/// knows a part of it; the index joins the parts by name.

#include <cstdint>
#include <string>
#include <vector>

namespace leanbridge::index {

struct Declaration {
  /// Full, quoted as Lean does: `Nat.add_comm`, `«a b».c`. Private names as users see them.
  std::string name;
  /// "theorem", "def", "abbrev", "instance", "structure", "class", "inductive", "constructor", "field",
  /// "axiom", "opaque", "alias", "recursor", "quot"; "" if the reader cannot tell.
  std::string kind;
  std::string module;        ///< `Init.Data.Nat.Basic`
  std::string file;          ///< absolute path of the source; "": none
  std::uint32_t line = 0;    ///< 1-based; 0: unknown
  std::uint32_t column = 0;  ///< 1-based, code points; 0: unknown
  std::string signature;     ///< the text behind the name, on one line: binders, then `: type`; "": unknown
  bool approximate = false;  ///< leanbridge, not Lean, printed the signature, from compiled data
  std::string docstring;     ///< without comment delimiters; "": none
  std::vector<std::string> constants;  ///< full names that the type mentions, each once, in order
  std::string conclusion;  ///< the constant at the head of the conclusion, behind all binders: `Eq`, `LE.le`;
                           ///< "": unknown
  std::string
      statement;  ///< the type as a term (index/term/statement.hpp), for patterns; "": unknown, or not read
  bool generated = false;  ///< made by Lean or an attribute: it is not in the source
  bool is_private = false;
  bool deprecated = false;

  friend bool operator==(const Declaration&, const Declaration&) = default;
};

}  // namespace leanbridge::index

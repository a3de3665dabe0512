#pragma once
/// One declaration, as the readers of sources, `.ilean` and `.olean` files give it. Each reader knows a part;
/// the index joins what they say of one name.

#include <cstdint>
#include <string>
#include <vector>

namespace leanbridge::index {

struct Declaration {
  std::string
      name;  ///< full, with Lean's own quoting: `Nat.add_comm`, `«a b».c`; private ones as users see them
  std::string
      kind;  ///< "theorem", "def", "abbrev", "instance", "structure", "class", "inductive", "constructor",
             ///< "field", "axiom", "opaque", "alias", "recursor", "quot"; "" where the reader cannot tell
  std::string module;        ///< `Init.Data.Nat.Basic`
  std::string file;          ///< absolute path of the source; "" where there is none
  std::uint32_t line = 0;    ///< 1-based; 0: not known
  std::uint32_t column = 0;  ///< 1-based, code points; 0: not known
  std::string
      signature;  ///< what stands after the name: binders, then `: type`; one line; "" where not known
  bool approximate =
      false;              ///< the signature was printed from compiled data by this program: not Lean's word
  std::string docstring;  ///< without the comment signs; "" where there is none
  std::vector<std::string>
      constants;  ///< full names that the type mentions, each once, in order; empty where not known
  std::string
      conclusion;  ///< the constant at the head of what follows all binders: `Eq`, `LE.le`; "" unknown
  bool generated = false;  ///< made by Lean or an attribute: not in the text
  bool is_private = false;
  bool deprecated = false;

  friend bool operator==(const Declaration&, const Declaration&) = default;
};

}  // namespace leanbridge::index

#pragma once
/// The declarations of a Lean file and their names, from the text alone, for answers that must not wait for
/// Lean. Syntax that the file itself introduces is not recognised; Lean's own outline, where available, is
/// authoritative.

#include "lean_lexer.hpp"
#include "lean_names.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

struct DeclarationSite {
  std::string keyword;    ///< "theorem", "def", "instance", "class inductive", ...
  std::string name;       ///< as written, without namespaces; empty for an example or an unnamed instance
  std::size_t start = 0;  ///< byte offset of the doc comment, attribute, modifier or keyword
  std::size_t keyword_offset = 0;  ///< byte offset of the keyword
  std::size_t end = 0;             ///< byte offset where the next command begins, or the size of the text

  friend bool operator==(const DeclarationSite&, const DeclarationSite&) = default;
};

/// All declarations, in order. A declaration may begin at the first token of a line, or after `in` (`open Foo
/// in theorem ...`). In column 0, unknown words may precede it and then belong to it, such as a macro of the
/// file's own (`checked theorem foo`). It ends at the next declaration, or at another command in column 0.
std::vector<DeclarationSite> declarations(std::string_view source);

/// The declaration that contains the byte `offset`. White space and comments after a declaration belong to
/// it, and the end of the text to the last one.
std::optional<DeclarationSite> enclosing_declaration(std::string_view source, std::size_t offset);
/// Finds it among `sites`, the declarations of a source of `size` bytes; null: none.
const DeclarationSite* enclosing_declaration(const std::vector<DeclarationSite>& sites, std::size_t size,
                                             std::size_t offset);

/// The scopes that a source opens and closes by `namespace`, `section`, `mutual` and `end`, read in one pass.
/// No term contains these words, so each is a command wherever it stands, except in a quotation. Scopes that
/// a macro opens are ignored.
class ScopeReader {
 public:
  explicit ScopeReader(std::string_view source) : source_(source), lexer_(source) { advance(), advance(); }

  /// The scopes that are open at a byte. Offsets must not decrease from call to call.
  const Scopes& at(std::size_t offset);

 private:
  void advance();
  std::string_view word(const std::optional<LeanToken>& token) const;

  std::string_view source_;
  LeanLexer lexer_;
  std::optional<LeanToken> last_, token_, next_;  // without comments
  Scopes scopes_;
};

struct NamedDeclaration {
  DeclarationSite site;
  std::string full_name;  ///< with the enclosing namespaces of the text; empty if it has no name
};

/// declarations(source) with their full names, by the scopes that ScopeReader finds.
std::vector<NamedDeclaration> named_declarations(std::string_view source);

/// The declarations that `name` can mean, in order; if there are several, the name is ambiguous. These are
/// the declarations with exactly this full name; if there are none, the ones whose full name ends with it
/// (`bar`, `B.bar` for `A.B.bar`); if there are none either, the ones whose full name is a suffix of it,
/// since more namespaces may be open than the text shows. A leading `_root_.` allows only an exact match.
std::vector<NamedDeclaration> find_declarations(std::string_view source, std::string_view name);

/// The full names of the declarations in a text.
std::vector<std::string> names_declared_in(std::string_view source);

/// Whether the keyword declares a theorem: `theorem`, or Mathlib's `lemma`.
bool is_theorem_keyword(std::string_view keyword);

}  // namespace leanbridge::text

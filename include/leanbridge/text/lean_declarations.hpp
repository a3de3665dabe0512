#pragma once
/// Where the declarations of a Lean file begin, from its text alone: for answers that must not wait for Lean.
/// Syntax that the file itself introduces is not known; Lean's own outline is the truth where it can be had.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

struct DeclarationSite {
  std::string keyword;  ///< "theorem", "def", "instance", "class inductive", ...
  std::string
      name;  ///< as written: not resolved in its namespace; empty for an example or an unnamed instance
  std::size_t start = 0;  ///< byte offset of the first byte, that of the doc comment, attribute or modifier
  std::size_t keyword_offset = 0;  ///< byte offset of the keyword
  std::size_t end = 0;             ///< byte offset where the next command begins, or the size of the text

  friend bool operator==(const DeclarationSite&, const DeclarationSite&) = default;
};

/// All declarations, in order. A declaration is looked for at the first token of a line and after `in` (`open
/// Foo in theorem ...`); in column 0 unknown words may stand before it, such as a macro of the file's own
/// (`checked theorem foo`), and belong to it. It ends at the next declaration, or at another command in
/// column 0.
std::vector<DeclarationSite> declarations(std::string_view source);

/// The declaration whose range contains the byte `offset`; the end of the text belongs to the last one. White
/// space and comments after a declaration belong to it.
std::optional<DeclarationSite> enclosing_declaration(std::string_view source, std::size_t offset);

struct NamedDeclaration {
  DeclarationSite site;
  std::string full_name;  ///< with the namespaces that the text opens around it; empty where it has no name
};

/// declarations(source), with their full names. A namespace that a macro opens is not seen.
std::vector<NamedDeclaration> named_declarations(std::string_view source);

/// The declarations that `name` can mean, in order: those of exactly this full name; else those whose full
/// name ends with it (`bar`, `B.bar` for `A.B.bar`); else those whose full name it ends with, since more
/// namespaces may be open than the text shows. A leading `_root_.` allows the exact one alone. More than one:
/// the name is ambiguous.
std::vector<NamedDeclaration> find_declarations(std::string_view source, std::string_view name);

}  // namespace leanbridge::text

#pragma once
/// The full names of the declarations of a file, from its text alone, and which of them a caller means.

#include "leanbridge/text/lean_declarations.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

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

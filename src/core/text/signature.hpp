#pragma once
/// The binders of a declaration, from the text alone.

#include "lean_declarations.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

enum class BinderKind { Explicit, Implicit, StrictImplicit, Instance };

struct BoundName {
  std::string name;
  std::size_t begin = 0, end = 0;  ///< bytes of the source
};

/// One pair of brackets: `(a b : Nat)`, `{α}`, `[Add α]`.
struct Binder {
  BinderKind kind = BinderKind::Explicit;
  std::vector<BoundName> names;
  std::string type;                ///< as written; empty if there is none
  std::size_t begin = 0, end = 0;  ///< including the brackets
};

struct Signature {
  std::vector<Binder> binders;
  std::size_t end = 0;  ///< where the statement ends: at `:=`, `where`, or the first alternative
};

/// The signature of one of declarations(source). Leaves out binders without brackets.
Signature signature_of(std::string_view source, const DeclarationSite& site);

/// Whether `name` is a word of source[begin, end), or the first component of a dotted one.
bool mentions(std::string_view source, std::size_t begin, std::size_t end, std::string_view name);

/// The source without that name, or without the whole binder if it is the only name.
std::string without_name(std::string_view source, const Binder& binder, std::size_t name);

/// The source with that name in a binder of its own, in first place: `(name : type)`. No line moves.
std::string with_type(std::string_view source, const Binder& binder, std::size_t name, std::string_view type);

}  // namespace leanbridge::text

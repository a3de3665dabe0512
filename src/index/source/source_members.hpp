#pragma once
/// What stands inside a structure, class or inductive type: fields and constructors.

#include "source_tokens.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::index {

struct Member {
  std::string kind;  ///< "field" or "constructor"
  std::string name;  ///< as written
  std::string docstring;
  bool is_private = false;
  std::size_t token = 0;                     ///< that of the name
  std::size_t type_begin = 0, type_end = 0;  ///< tokens after the name, to a default value or the next member
};

/// Where the header of a type ends: at `where`, `:=`, or the first constructor.
std::size_t header_end(const SourceTokens& tokens, std::size_t begin, std::size_t end);

/// The members that stand in the tokens [begin, end); `begin` is what header_end() gave.
std::vector<Member> members_of(const SourceTokens& tokens, std::size_t begin, std::size_t end);

/// The components of a name as written; «» holds dots together.
std::vector<std::string_view> parts_of(std::string_view name);
/// With «» only where Lean writes them.
std::string plain_component(std::string_view part);
std::string plain_name(std::string_view name);

}  // namespace leanbridge::index

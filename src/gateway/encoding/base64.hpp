#pragma once
/// Base64 as in RFC 4648, section 4.

#include <optional>
#include <string>
#include <string_view>

namespace leanbridge {

std::string to_base64(std::string_view bytes);
/// Strict: whole groups of four, padding only at the end, no white space. nullopt for anything else.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace leanbridge

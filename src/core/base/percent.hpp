#pragma once
/// Percent encoding (RFC 3986, section 2).

#include <optional>
#include <string>
#include <string_view>

namespace leanbridge {

/// Encodes all bytes but unreserved characters and those in `kept`; a space becomes %20.
std::string percent_encoded(std::string_view text, std::string_view kept = {});
/// The text with each `%XX` as its byte; nullopt if two hexadecimal digits do not follow a `%`.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace leanbridge

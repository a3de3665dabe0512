#pragma once
/// Absolute paths and `file://` URIs. Lean uses document URIs as opaque keys, so a path must have one
/// spelling: always use file_uri(), on the real path. Never compare a URI from Lean as a string: Lean echoes
/// ours, but makes URIs of its own (for definitions, references) with other escapes. Decode it with
/// path_from_uri() and compare paths.

#include "core/base/error.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace leanbridge::text {

/// `file://` and the path, every byte but `/` and RFC 3986's unreserved characters (ALPHA DIGIT - . _ ~) as
/// %XX in upper case. `path` must be absolute (asserted). It is neither resolved nor normalised.
std::string file_uri(const std::filesystem::path& path);

/// Decodes `file:///p`, `file://localhost/p` or `file:/p`, with escapes in either case. InvalidArgument
/// for another scheme, another host, a path that is not absolute, a bad escape or an encoded NUL.
Result<std::filesystem::path> path_from_uri(std::string_view uri);

}  // namespace leanbridge::text

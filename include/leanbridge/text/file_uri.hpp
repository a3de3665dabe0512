#pragma once
/// Absolute paths and `file://` URIs.
/// Lean uses document URIs as opaque keys, so every path must be spelt one way: always through file_uri(), on
/// the real path. Never compare a URI that came from Lean as a string: it echoes ours, but those it makes
/// itself (for definitions, references) are escaped by its own rules; decode with path_from_uri() and compare
/// paths.

#include "leanbridge/base/error.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace leanbridge::text {

/// `file://` and the path, every byte but `/` and RFC 3986's unreserved characters (ALPHA DIGIT - . _ ~) as
/// %XX in upper case. Precondition: `path` is absolute (asserted). The path is taken as it is: not resolved,
/// not normalised.
std::string file_uri(const std::filesystem::path& path);

/// The path of `file:///p`, `file://localhost/p` or `file:/p`, escapes decoded (either case). InvalidArgument
/// for another scheme, another host, a path that is not absolute, a bad escape or an encoded NUL.
Result<std::filesystem::path> path_from_uri(std::string_view uri);

}  // namespace leanbridge::text

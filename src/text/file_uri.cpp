#include "leanbridge/text/file_uri.hpp"

#include <array>
#include <cassert>
#include <cstddef>

namespace leanbridge::text {
namespace {

constexpr std::string_view kHexDigits = "0123456789ABCDEF";

/// RFC 3986, section 2.3. Not std::isalnum: no locale, and bytes of UTF-8 must be escaped.
bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

tl::unexpected<Error> bad_uri(std::string_view uri, std::string_view reason) {
  return fail(ErrorKind::InvalidArgument,
              "'" + std::string(uri) + "' is not a file URI: " + std::string(reason),
              "Pass an absolute path, or a URI like file:///home/me/project/Foo.lean.");
}

char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool consume_prefix(std::string_view& text, std::string_view lower_case_prefix) {
  if (text.size() < lower_case_prefix.size()) return false;
  for (std::size_t i = 0; i < lower_case_prefix.size(); ++i) {
    if (ascii_lower(text[i]) != lower_case_prefix[i]) return false;
  }
  text.remove_prefix(lower_case_prefix.size());
  return true;
}

}  // namespace

std::string file_uri(const std::filesystem::path& path) {
  assert(path.is_absolute());
  const std::string& bytes = path.native();
  std::string uri = "file://";
  uri.reserve(uri.size() + bytes.size() + 16);
  for (const char c : bytes) {
    if (c == '/' || is_unreserved(c)) {
      uri.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri.push_back('%');
    uri.push_back(kHexDigits[byte >> 4U]);
    uri.push_back(kHexDigits[byte & 0xFU]);
  }
  return uri;
}

Result<std::filesystem::path> path_from_uri(std::string_view uri) {
  std::string_view rest = uri;
  if (!consume_prefix(rest, "file:")) return bad_uri(uri, "its scheme is not 'file'.");
  if (rest.substr(0, 2) == "//") {
    rest.remove_prefix(2);
    if (rest.empty() || rest.front() != '/') {
      if (!consume_prefix(rest, "localhost")) return bad_uri(uri, "it names another host.");
    }
  }
  if (rest.empty() || rest.front() != '/') return bad_uri(uri, "its path is not absolute.");

  std::string path;
  path.reserve(rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] != '%') {
      path.push_back(rest[i]);
      continue;
    }
    const int high = i + 1 < rest.size() ? hex_value(rest[i + 1]) : -1;
    const int low = i + 2 < rest.size() ? hex_value(rest[i + 2]) : -1;
    if (high < 0 || low < 0) return bad_uri(uri, "a '%' is not followed by two hexadecimal digits.");
    path.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  if (path.find('\0') != std::string::npos) return bad_uri(uri, "it contains a NUL byte.");
  return std::filesystem::path(std::move(path));
}

}  // namespace leanbridge::text

#include "file_uri.hpp"

#include "core/base/ascii.hpp"
#include "core/base/percent.hpp"

#include <cassert>

namespace leanbridge::text {
namespace {

tl::unexpected<Error> bad_uri(std::string_view uri, std::string_view reason) {
  return fail(ErrorKind::InvalidArgument,
              "'" + std::string(uri) + "' is not a file URI: " + std::string(reason),
              "Pass an absolute path, or a URI like file:///home/me/project/Foo.lean.");
}

bool consume_prefix(std::string_view& text, std::string_view lower_case_prefix) {
  if (lower_case(text.substr(0, lower_case_prefix.size())) != lower_case_prefix) return false;
  text.remove_prefix(lower_case_prefix.size());
  return true;
}

}  // namespace

std::string file_uri(const std::filesystem::path& path) {
  assert(path.is_absolute());
  return "file://" + percent_encoded(path.native(), "/");
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

  auto path = percent_decoded(rest);
  if (!path) return bad_uri(uri, "a '%' is not followed by two hexadecimal digits.");
  if (path->find('\0') != std::string::npos) return bad_uri(uri, "it contains a NUL byte.");
  return std::filesystem::path(std::move(*path));
}

}  // namespace leanbridge::text

#include "params.hpp"

namespace leanbridge::tools {

namespace {

constexpr const char* kFilePath = "Absolute or in the project";
constexpr const char* kLine = "From 1";
constexpr const char* kColumn = "In characters";

}  // namespace

wire::Fields FileParams::fields() {
  return {wire::field<&FileParams::file_path>("file_path", kFilePath)};
}

wire::Fields FilePosition::fields() {
  return {wire::field<&FilePosition::file_path>("file_path", kFilePath),
          wire::field<&FilePosition::line>("line", kLine).at_least(1),
          wire::field<&FilePosition::column>("column", kColumn).at_least(1)};
}

wire::Fields ExactPosition::fields() {
  return {wire::field<&ExactPosition::file_path>("file_path", kFilePath),
          wire::field<&ExactPosition::line>("line", kLine).at_least(1),
          wire::field<&ExactPosition::column>("column", kColumn).at_least(1)};
}

wire::Fields ContextPosition::fields() {
  return {
      wire::field<&ContextPosition::line>("line", "Where names are understood; default: after the imports")
          .at_least(1),
      wire::field<&ContextPosition::column>("column", kColumn).at_least(1)};
}

wire::Fields NameParams::fields() {
  return {wire::field<&NameParams::file_path>("file_path", kFilePath),
          wire::field<&NameParams::name>("name", "Of a declaration, as it can be written there"),
          wire::flatten<&NameParams::at>()};
}

}  // namespace leanbridge::tools

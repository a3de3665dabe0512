#include "params.hpp"

namespace leanbridge::tools {

wire::Fields FileParams::fields() {
  return {wire::field<&FileParams::file_path>("file_path", "Absolute or in the project")};
}

wire::Fields FilePosition::fields() {
  return {wire::field<&FilePosition::file_path>("file_path", "Absolute or in the project"),
          wire::field<&FilePosition::line>("line", "From 1").at_least(1),
          wire::field<&FilePosition::column>("column", "In characters").at_least(1)};
}

}  // namespace leanbridge::tools

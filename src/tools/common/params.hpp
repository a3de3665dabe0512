#pragma once
/// Parameters that many tools have. Private to this module.

#include "leanbridge/base/json_struct.hpp"

#include <optional>
#include <string>

namespace leanbridge::tools {

struct FileParams {
  std::string file_path;  ///< absolute, or relative to the project

  static wire::Fields fields();
};

/// A place in a file. Lines count from 1, columns from 1 in code points.
struct FilePosition {
  std::string file_path;
  int line = 1;
  std::optional<int> column;  ///< without one, the tool's default column of that line

  static wire::Fields fields();
};

}  // namespace leanbridge::tools

#pragma once
/// Parameters that many tools have. Lines count from 1, columns from 1 in code points. Private to this
/// module.

#include "leanbridge/base/json_struct.hpp"

#include <optional>
#include <string>

namespace leanbridge::tools {

struct FileParams {
  std::string file_path;  ///< absolute, or relative to the project

  static wire::Fields fields();
};

/// A place in a file.
struct FilePosition {
  std::string file_path;
  int line = 1;
  std::optional<int> column;  ///< without one, the tool's default column of that line

  static wire::Fields fields();
};

/// A place in a file, where a whole line would say too little.
struct ExactPosition {
  std::string file_path;
  int line = 1;
  int column = 1;

  FilePosition position() const { return {file_path, line, column}; }
  static wire::Fields fields();
};

/// Where in a file names are understood.
struct ContextPosition {
  std::optional<int> line;  ///< without one, after the imports
  std::optional<int> column;

  static wire::Fields fields();
};

/// A declaration's name, as it can be written at a place of a file.
struct NameParams {
  std::string file_path;
  std::string name;
  ContextPosition at;

  static wire::Fields fields();
};

}  // namespace leanbridge::tools

#pragma once
/// The settings in a lakefile.toml that could change what Lean says about a file.

#include "leanbridge/base/error.hpp"

#include <string>
#include <vector>

namespace leanbridge::lean {

struct LakefileSettings {
  struct Setting {
    std::string name;
    int line = 1;  ///< from 1

    friend bool operator==(const Setting&, const Setting&) = default;
  };
  /// The names of Lean's options, without `weak.`, wherever they are set for files of the package.
  std::vector<Setting> options;
  /// Keys that are not known to leave Lean's messages alone (`moreLeanArgs`, `plugins`).
  std::vector<Setting> others;
};

/// InvalidArgument: the text is no TOML. Pure.
Result<LakefileSettings> settings_in_lakefile(const std::string& toml);

}  // namespace leanbridge::lean

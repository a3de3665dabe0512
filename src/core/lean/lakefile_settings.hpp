#pragma once
/// The settings in a lakefile.toml that affect how Lean is run. Lake tells which options a file has (`lake
/// setup-file`); the text shows whether there is anything to ask about, and the settings that Lake does not
/// tell.

#include "core/base/error.hpp"

#include <string>
#include <vector>

namespace leanbridge::lean {

struct LakefileSettings {
  struct Setting {
    std::string name;
    int line = 1;  ///< from 1

    friend bool operator==(const Setting&, const Setting&) = default;
  };
  /// The names of Lean's options, without `weak.`, that are set for any files of the package.
  std::vector<Setting> options;
  /// Further arguments that Lake hands to Lean (`moreLeanArgs`).
  std::vector<Setting> arguments;
  /// Keys that make Lean load machine code (`plugins`).
  std::vector<Setting> libraries;
};

/// InvalidArgument: the text is not TOML. Pure.
Result<LakefileSettings> settings_in_lakefile(const std::string& toml);

/// The name of an option as Lean knows it: Lake puts `weak.` in front of an option that may not exist.
std::string option_without_weak(std::string name);

}  // namespace leanbridge::lean

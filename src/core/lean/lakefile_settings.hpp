#pragma once
/// What a lakefile.toml says about how Lean is run. What an option means for a file, Lake tells (`lake
/// setup-file`); from the text comes whether there is anything to ask about, and what Lake does not tell.

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
  /// The names of Lean's options, without `weak.`, wherever they are set for files of the package.
  std::vector<Setting> options;
  /// Arguments that Lake hands to Lean beside them (`moreLeanArgs`).
  std::vector<Setting> arguments;
  /// Keys by which Lean loads machine code (`plugins`).
  std::vector<Setting> libraries;
};

/// InvalidArgument: the text is no TOML. Pure.
Result<LakefileSettings> settings_in_lakefile(const std::string& toml);

/// The name of an option as Lean knows it: Lake keeps `weak.` in front of one that may not exist.
std::string option_without_weak(std::string name);

}  // namespace leanbridge::lean

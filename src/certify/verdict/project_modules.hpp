#pragma once
/// Who owns the modules that a text imports, and the sources of those that the project owns. Private to this
/// module.

#include "inputs.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// A module of the project, to be compiled from its source.
struct ProjectModule {
  std::string name;                ///< "A.B"
  std::filesystem::path relative;  ///< "A/B"
  std::string source;              ///< the whole text
};

/// Those of the imports of `source` whose sources are the project's; the compiled files of others are used.
/// `importer` is the beginning of an error's sentence. InvalidArgument: an import is nowhere or no module, or
/// has two possible owners; those of reading a file, too.
asio::awaitable<Result<std::vector<ProjectModule>>> project_imports(const Job& job, Inputs& inputs,
                                                                    std::string source, std::string importer);

}  // namespace leanbridge::certify

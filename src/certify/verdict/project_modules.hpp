#pragma once
/// The owners of the modules that a text imports, and the sources of the modules that the project owns.
/// Private to this module.

#include "inputs.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// A module of the project, to be compiled from its source.
struct ProjectModule {
  std::string name;                ///< "A.B"
  std::filesystem::path relative;  ///< "A/B"
  std::string source;              ///< its whole text
};

/// The imports of `source` whose sources are the project's; for other imports, compiled files are used.
/// `importer` begins the sentence of an error. InvalidArgument: an import does not exist, is no module, or
/// has two possible owners; also errors of reading a file.
asio::awaitable<Result<std::vector<ProjectModule>>> project_imports(const Job& job, Inputs& inputs,
                                                                    std::string source, std::string importer);

}  // namespace leanbridge::certify

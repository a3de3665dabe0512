#pragma once
/// Whether a project still compiles, in a copy, with a change of its files.

#include "open_file.hpp"
#include "project_edit.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::ide {

/// Adds the files of the project that import one of these, directly or not. The result is in the order of
/// imports. NotSupported: the project has too many files to know. Blocking.
Result<std::vector<ChangedFile>> with_files_above(const std::filesystem::path& root,
                                                  std::vector<ChangedFile> changed);

/// The full names of declarations that get another one, and these. Empty for a local variable.
using NewNames = std::map<std::string, std::string>;

/// Why the files do not compile as they would be, as a sentence; "": they do. They are compiled one by one in
/// a copy of the project; an objection to a file that does not compile now does not count. Of a renaming each
/// declaration must state the same, but for the names. Errors: LeanUnavailable, NotSupported (the project is
/// too large), Internal (no space), Timeout, Cancelled.
asio::awaitable<Result<std::string>> objection_to(Lean& lean, std::shared_ptr<io::Operation> operation,
                                                  std::shared_ptr<document::DocumentStore> store,
                                                  std::vector<ChangedFile> files,
                                                  std::optional<NewNames> renamed = std::nullopt);

}  // namespace leanbridge::ide

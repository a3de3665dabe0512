#pragma once
/// A change of a project's files. Checks in a copy whether everything still compiles, and writes all files or
/// none. Private to this module.

#include "core/ide/open_file.hpp"
#include "core/tools/tools.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::tools {

/// A file of the project, before and after. A file that only has to compile has the same bytes twice.
struct ChangedFile {
  std::filesystem::path path;
  std::string name;  ///< relative to the project
  std::string old_bytes, new_bytes;

  bool changes() const { return old_bytes != new_bytes; }
};

/// Adds the files of the project that import one of these, directly or not. The result is in the order of
/// imports. NotSupported: the project has too many files to know. Blocking.
Result<std::vector<ChangedFile>> with_files_above(const std::filesystem::path& root,
                                                  std::vector<ChangedFile> changed);

/// The full names of declarations that are renamed, old to new. Empty for a local variable.
struct Renaming {
  std::map<std::string, std::string> names;
};

/// Why the files would not compile after the change, as a sentence; "": they would. They are compiled one by
/// one in a copy of the project. An error in a file that does not compile now either is no objection. After a
/// renaming, each declaration must state the same but for the names. Errors: LeanUnavailable, NotSupported
/// (the project is too large), Internal (no space), Timeout, Cancelled.
asio::awaitable<Result<std::string>> objection_to(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                  std::shared_ptr<document::DocumentStore> store,
                                                  std::vector<ChangedFile> files,
                                                  std::optional<Renaming> renaming = std::nullopt);

/// Writes all of them or none. InvalidArgument if a file on disk differs from its `before`, even one that
/// does not change; otherwise the errors of document::PreparedReplacements. Blocking.
Result<void> write_all_files(const std::vector<ChangedFile>& files);

}  // namespace leanbridge::tools

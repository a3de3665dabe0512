#pragma once
/// The files of a call: one, several, or those of a folder.

#include "open_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace leanbridge::ide {

/// Exactly one of the two members is given.
struct FilesParams {
  std::optional<std::string> file_path;           ///< a file or a folder
  std::optional<std::vector<std::string>> files;  ///< several files

  static wire::Fields fields();
};

struct NamedFiles {
  /// An entry of a folder that is not entered or read, though it may have Lean files.
  struct LeftOut {
    std::string path, why;  ///< `why` as a sentence
  };

  std::vector<std::string> paths;  ///< each after the files that it imports; a single file as the caller has
                                   ///< named it
  std::vector<LeftOut> left_out;   ///< these were not read, so the call as a whole is no success
  bool several = false;            ///< a list or a folder was passed, though it may hold one file
  bool truncated = false;          ///< the folder has more
};

/// The files in order. Errors: InvalidArgument if neither or both members are given, if a folder has no Lean
/// file, or the list is empty or too long; FileNotFound for a file of a list that does not exist; the errors
/// of Workspace::locate(); Cancelled, Timeout.
asio::awaitable<Result<NamedFiles>> named_files(Lean& lean, FilesParams params, io::CancelScope scope);

}  // namespace leanbridge::ide

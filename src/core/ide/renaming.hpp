#pragma once
/// A declaration or local variable gets another name everywhere.

#include "open_file.hpp"
#include "project_change.hpp"

#include <memory>
#include <string>
#include <vector>

namespace leanbridge::ide {

struct RenamedFile {
  std::string file_path;
  std::vector<int> lines;

  static wire::Fields fields() { return wire::fields<&RenamedFile::file_path, &RenamedFile::lines>(); }
};

/// By Lean's own answer to a rename, which is read no further than it names words with the old name. Keep it
/// and the file alive until each of its coroutines ends.
class Renaming {
 public:
  Renaming(Lean& lean, std::shared_ptr<io::Operation> operation, const OpenFile& file)
      : lean_(lean), operation_(std::move(operation)), file_(file) {}

  /// Finds out what changes for a new name, without namespaces, of what is at a place; nothing is written.
  /// InvalidArgument: that is no such name, or Lean knows none to change there; OutsideProject: a file that
  /// would change is not the project's own; NotSupported: Lean's index is older than a file.
  asio::awaitable<Result<void>> find(document::TextAnchor at, std::string new_name);

  const std::string& old_name() const { return old_name_; }
  const std::vector<RenamedFile>& files() const { return files_; }
  std::size_t uses() const;
  bool index_complete() const { return index_complete_; }  ///< Lean's index had all uses

  /// Writes all files of find(), unless one would no longer compile or state the same: then says so. Errors:
  /// those of objection_to() and write_files().
  asio::awaitable<Result<std::string>> write();

 private:
  asio::awaitable<Result<void>> find_old_name();
  asio::awaitable<Result<void>> read_files(nlohmann::json edit);
  asio::awaitable<std::string> full_name() const;

  Lean& lean_;
  std::shared_ptr<io::Operation> operation_;
  const OpenFile& file_;
  document::TextAnchor at_;
  std::string old_name_, new_name_;
  std::vector<ChangedFile> changed_;
  std::vector<RenamedFile> files_;
  bool index_complete_ = true;
};

}  // namespace leanbridge::ide

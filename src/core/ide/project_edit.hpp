#pragma once
/// The one place where tools write files of a project.

#include "core/document/document_store.hpp"
#include "core/io/pool.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::ide {

/// OutsideProject for a file of a dependency or a build, and for a link that leads out of the project.
/// `path` is real, `named` is how the caller named it, absolute.
Result<void> require_own_file(const document::DocumentStore& store, const std::filesystem::path& path,
                              const std::filesystem::path& named);

/// A file of the project, before and after. One that only has to compile has the same bytes twice.
struct ChangedFile {
  std::filesystem::path path;
  std::string name;  ///< relative to the project
  std::string old_bytes, new_bytes;

  bool changes() const { return old_bytes != new_bytes; }
};

/// The file with a new text, in the line endings that it has.
ChangedFile with_new_text(std::filesystem::path path, std::string name, std::string old_bytes,
                          std::string_view new_text);

/// Ignores the call's deadline: a timeout would not tell the caller whether the files were written.
inline io::CancelScope write_scope() {
  return io::CancelScope(std::chrono::minutes(1));
}

/// New bytes for files: all are written, or none.
class ProjectEdit {
 public:
  explicit ProjectEdit(std::vector<ChangedFile> files) : files_(std::move(files)) {}

  /// InvalidArgument if one is not as it was any more, also one that does not change; otherwise the errors of
  /// document::PreparedReplacements.
  asio::awaitable<Result<void>> write(io::Pool& pool) const;
  /// The same. Blocking.
  Result<void> write_now() const;

 private:
  std::vector<ChangedFile> files_;
};

/// Puts a new text in place of an old one, in the line endings that the file has on disk. Errors: as
/// ProjectEdit::write().
asio::awaitable<Result<void>> write_text(io::Pool& pool, std::filesystem::path path, std::string name,
                                         std::string old_text, std::string new_text);

}  // namespace leanbridge::ide

#pragma once
/// The one place where tools write files of a project.

#include "core/document/document_store.hpp"
#include "core/io/operation.hpp"
#include "core/io/pool.hpp"
#include "lean.hpp"

#include <cstdint>
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

/// A change of files that a tool wants to write.
struct PlannedWrite {
  std::filesystem::path root;  ///< the project's
  std::uint64_t client = 0;    ///< io::CancelSource::client
  std::string caller;          ///< io::Operation::caller
  std::vector<ChangedFile> files;
};
PlannedWrite planned_write(const document::DocumentStore& store, const io::Operation& operation,
                           std::vector<ChangedFile> files);

/// A part's say in what tools write. Called on the pool, by several threads.
class WriteGuard {
 public:
  virtual ~WriteGuard() = default;
  /// Why it must not be written, in sentences; "": nothing is against it. May be asked more than once.
  virtual std::string objection(const PlannedWrite& write) = 0;
  /// It has been written.
  virtual void written(const PlannedWrite& write) = 0;
  /// Objections to the project as it is compiled now, in sentences. Called on the loop's thread.
  virtual asio::awaitable<std::vector<std::string>> objections(
      Lean& /*lean*/, std::shared_ptr<document::DocumentStore> /*store*/, io::CancelScope /*scope*/) {
    co_return std::vector<std::string>();
  }
};
/// The objection of the guard, which may be null. Blocking.
std::string objection_of(WriteGuard* guard, const PlannedWrite& write);

/// Writes all files, or none. InvalidArgument if the guard objects, or if one is not as it was any more, also
/// one that does not change; otherwise the errors of document::PreparedReplacements.
asio::awaitable<Result<void>> write_files(Lean& lean, PlannedWrite write);

/// Writes a new text in place of the old one that the only file of `write` has as its bytes, in the line
/// endings that it has on disk. Errors: as write_files().
asio::awaitable<Result<void>> write_text(Lean& lean, PlannedWrite write);

}  // namespace leanbridge::ide

#pragma once
/// Reads and replaces Lean files on disk. Blocking: call it on the pool.

#include "core/base/error.hpp"
#include "core/lean/imports.hpp"
#include "core/text/text.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::document {

struct LoadedFile {
  lean::FileIdentity identity;
  bool trusted = false;            ///< a later change will certainly show in the identity
  std::optional<text::Text> text;  ///< nullopt: the identity is the known one, so the file was not read
};

/// Reads `path` unless its identity is `known`. Errors: FileNotFound; InvalidArgument for a directory or
/// special file, a file that is too large, and invalid UTF-8 (with its position). `name` is for messages.
Result<LoadedFile> load_file(const std::filesystem::path& path, const std::string& name,
                             const std::optional<lean::FileIdentity>& known);

/// Reads the bytes of a file as they are on disk, line endings included. Errors: those of load_file().
Result<std::string> load_bytes(const std::filesystem::path& path, const std::string& name);

struct FileReplacement {
  std::filesystem::path path;  ///< real path of a regular file; links are not followed
  std::string name;            ///< for messages
  std::string expected;  ///< the bytes that were read; if the file has others now, somebody else wrote it
  std::string content;   ///< the new bytes
};

/// Replaces a file so that every reader sees the whole old or the whole new content, whatever happens. A
/// temporary file in the same folder, synchronised with the disk, takes its place. Mode, and owner where
/// permitted, are kept; extended attributes are not. The temporary file has a name only for a moment;
/// leftovers of processes that were killed in that moment are removed later. Errors: InvalidArgument, with
/// nothing written, if the file has changed, is read-only (no write bit is set, even for root), is a link or
/// not a regular file, or if another process has been writing it for a second; FileNotFound; Internal if the
/// disk fails. Between the last check and the replacement an editor that takes no lock has microseconds in
/// which to write: POSIX has no conditional exchange.
Result<void> replace_file(const FileReplacement& replacement);

/// Replacements of several files, prepared so that few steps remain that can fail: until put_in_place() no
/// file is changed. Meanwhile a hidden temporary file lies beside each; one that a killed process has left is
/// removed when its file is next written.
class PreparedReplacements {
 public:
  class File;

  /// Writes the new contents to the disk. Errors: those of replace_file(), except that nothing is compared
  /// yet.
  static Result<PreparedReplacements> prepare(std::vector<FileReplacement> replacements);
  PreparedReplacements(PreparedReplacements&&) noexcept;
  ~PreparedReplacements();

  /// Renames them into place, in a row. Call it once, just after comparing the files with what is expected.
  /// If one cannot be replaced, the files before it get their old content back, unless somebody has written
  /// them meanwhile or the disk fails; the error names each file that keeps the new content.
  Result<void> put_in_place();

 private:
  PreparedReplacements();

  std::vector<std::unique_ptr<File>> files_;
};

/// Checks in advance for reasons to refuse of replace_file(). Call it before long work.
Result<void> check_replaceable(const std::filesystem::path& path, const std::string& name);

}  // namespace leanbridge::document

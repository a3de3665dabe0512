#pragma once
/// Reading a Lean file from disk. Blocking: on the pool.

#include "leanbridge/base/error.hpp"
#include "leanbridge/lean/imports.hpp"
#include "leanbridge/text/text.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace leanbridge::document {

struct LoadedFile {
  lean::FileIdentity identity;
  bool trusted = false;            ///< a later change will show in the identity
  std::optional<text::Text> text;  ///< nullopt: the same as `known`, not read
};

/// Reads `path` unless its identity is `known`. FileNotFound; InvalidArgument for a directory or another
/// special file, for a file that is too large, and for invalid UTF-8 (with the place). `name` is for
/// messages.
Result<LoadedFile> load_file(const std::filesystem::path& path, const std::string& name,
                             const std::optional<lean::FileIdentity>& known);

/// The bytes of a file as they are on disk, line endings included. Errors as of load_file().
Result<std::string> load_bytes(const std::filesystem::path& path, const std::string& name);

struct FileReplacement {
  std::filesystem::path path;  ///< real path of a regular file: no link is followed
  std::string name;            ///< for messages
  std::string expected;  ///< the bytes that were read: anything else there now means that somebody wrote
  std::string content;   ///< the new bytes
};

/// A temporary file in the same folder, synchronised with the disk, takes the file's place; mode, and owner
/// where that is permitted, are kept, extended attributes are not. It has a name only for the moment before
/// that, and what a process killed in that moment has left here for this file is removed. InvalidArgument,
/// and nothing is written: the file has changed, is read-only (no write bit in its mode counts, even for
/// root), is a link or no regular file, or somebody else is writing it. FileNotFound. Internal where the disk
/// fails. Between the last look at the old content and the replacement lie microseconds in which an editor
/// that takes no lock could write: POSIX has no exchange on condition.
Result<void> replace_file(const FileReplacement& replacement);

/// The refusals of replace_file() that can be known before there is anything to write: to ask before long
/// work.
Result<void> check_replaceable(const std::filesystem::path& path, const std::string& name);

}  // namespace leanbridge::document

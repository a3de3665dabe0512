#pragma once
/// Changing a file on disk so that whoever reads it, and whatever happens meanwhile, sees the old content or
/// the new one, each whole. Blocking: on the pool.

#include "leanbridge/base/error.hpp"

#include <filesystem>
#include <string>

namespace leanbridge::document {

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

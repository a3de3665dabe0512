#pragma once
/// Files, where systems differ. Each folder beside this header implements it for one system. Any thread.

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace leanbridge::platform {

/// The time when a file's content last changed, in ns of the system's clock.
std::int64_t modified_ns(const struct stat& status);

/// The time when its content or status last changed, which a program without privileges cannot set. In ns.
std::int64_t changed_ns(const struct stat& status);

/// Opens a new file without a name in an open folder, to write it: when this process is killed, nothing is
/// left behind. -1 if the system or the file system has no such files. link_unnamed() gives it its name.
int open_unnamed(int folder, mode_t mode);

/// Gives a file of open_unnamed() a name in the folder. Returns false, with errno set, if that failed.
bool link_unnamed(int fd, int folder, const std::string& name);

/// The real path of a file that was opened by `path`, so that no link can change between a check of the path
/// and the reading. "" if it cannot be told.
std::filesystem::path real_path(int fd, const std::filesystem::path& path);

/// Opens a pipe that no other program inherits: its end to read, and its end to write. False with errno if it
/// cannot.
bool open_pipe(int (&ends)[2]);

/// Opens a pipe or a terminal again, as an open file of its own: making that non-blocking affects no other
/// process. -1 if the system cannot.
int reopen(int fd, int flags);

}  // namespace leanbridge::platform

#pragma once
/// Files in which Linux tells about itself.

#include <cstddef>
#include <string>

namespace leanbridge::platform {

/// The content of a file of the system, such as one in /proc; "" if it is not there or larger than `limit`
/// bytes. A name of a project's file does not belong here: it could be a named pipe.
std::string read_system_file(const std::string& path, std::size_t limit);

}  // namespace leanbridge::platform

#pragma once
/// Running processes, read from /proc. A test marks its own by a variable in their environment, which they
/// keep in whatever session, group or under whatever parent.

#include <string>
#include <vector>

namespace leanbridge::test {

/// Processes with NAME=VALUE `mark` in their environment.
std::vector<int> processes_marked(const std::string& mark);

/// Our children: running, ending, or dead but not collected.
std::vector<int> children();

/// The path of this program.
std::string own_program();

}  // namespace leanbridge::test

#pragma once
/// What runs, read from /proc: a test marks its processes with a variable in their environment, which no
/// session, group or change of parent takes from them.

#include <string>
#include <vector>

namespace leanbridge::test {

/// Processes with NAME=VALUE `mark` in their environment.
std::vector<int> processes_marked(const std::string& mark);

/// Our children, running, ending or dead and not collected.
std::vector<int> children();

/// This program's file.
std::string own_program();

}  // namespace leanbridge::test

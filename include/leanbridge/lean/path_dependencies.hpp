#pragma once
/// The packages that a project requires by their folder (`path = "../core"`): their files are edited beside
/// its own, and change as those do.

#include <filesystem>
#include <vector>

namespace leanbridge::lean {

/// Their folders, required directly or not, as the manifest of the project has them; in its order, absolute
/// where `root` is. What is below `.lake/packages` was fetched, and is none of them. Empty where there is no
/// manifest that can be read: Lake writes one when it starts. Blocking.
std::vector<std::filesystem::path> path_dependencies(const std::filesystem::path& root);

}  // namespace leanbridge::lean

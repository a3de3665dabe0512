#include "lake_paths.hpp"

#include "project.hpp"

#include <algorithm>
#include <map>

namespace leanbridge::lean {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> folders_of(const std::string& list, const fs::path& base) {
  std::vector<fs::path> folders;
  std::size_t begin = 0;
  while (begin <= list.size()) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    if (end > begin) folders.push_back((base / list.substr(begin, end - begin)).lexically_normal());
    begin = end + 1;
  }
  return folders;
}

}  // namespace

LakePaths read_lake_paths(const std::string& environment, const fs::path& folder) {
  std::map<std::string, std::string> values;
  std::size_t begin = 0;
  while (begin < environment.size()) {
    const std::size_t end = std::min(environment.find('\n', begin), environment.size());
    const std::string line = environment.substr(begin, end - begin);
    if (const std::size_t equals = line.find('='); equals != std::string::npos)
      values[line.substr(0, equals)] = line.substr(equals + 1);
    begin = end + 1;
  }
  LakePaths paths;
  if (const auto sysroot = values.find("LEAN_SYSROOT"); sysroot != values.end())
    paths.sysroot = sysroot->second;
  const auto own = [&](const std::vector<fs::path>& all) {
    std::vector<fs::path> some;
    for (const fs::path& path : all)
      if (paths.sysroot.empty() || !is_within(path, paths.sysroot)) some.push_back(path);
    return some;
  };
  paths.sources = own(folders_of(values["LEAN_SRC_PATH"], folder));
  paths.modules = own(folders_of(values["LEAN_PATH"], folder));
  return paths;
}

fs::path library_of(const fs::path& sysroot) {
  return sysroot / "lib/lean";
}

std::vector<fs::path> search_path_in(const std::string& environment, const fs::path& folder) {
  LakePaths paths = read_lake_paths(environment, folder);
  if (!paths.sysroot.empty()) paths.modules.push_back(library_of(paths.sysroot));
  return std::move(paths.modules);
}

}  // namespace leanbridge::lean

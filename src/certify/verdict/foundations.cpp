#include "foundations.hpp"

#include "core/lean/project.hpp"
#include "module_parts.hpp"

namespace leanbridge::certify {

namespace fs = std::filesystem;

WatchedFoundations watch(const Foundations& foundations) {
  const auto& [sysroot, programs, kernel, modules, own] = foundations;
  WatchedFoundations watched;
  for (const std::string& name : programs) watched.outside.add(sysroot / name);
  // A new library here may be loaded instead of the system's.
  for (const char* const name : {"bin", "lib", "lib/lean"}) watched.outside.add(sysroot / name);
  for (const fs::path& file : kernel) watched.outside.add(file);
  for (const fs::path& file : modules)
    if (!file.empty()) watch_module(lean::is_within(file, own) ? watched.own : watched.outside, file);
  return watched;
}

}  // namespace leanbridge::certify

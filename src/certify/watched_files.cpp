#include "watched_files.hpp"

#include "leanbridge/lean/project.hpp"

#include "hashes.hpp"
#include <sys/stat.h>

#include <utility>

namespace leanbridge::certify {

namespace fs = std::filesystem;

std::optional<WatchedFiles::Identity> WatchedFiles::identity_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return Identity{status.st_dev, status.st_ino};
}

void WatchedFiles::add(fs::path path) {
  const auto file = identity_of(path);
  files_.push_back({std::move(path), file});
}

void WatchedFiles::add_module(const fs::path& olean) {
  for (const char* const extension : {"", ".server", ".private"}) add(olean.string() + extension);
}

std::optional<fs::path> WatchedFiles::first_changed(std::int64_t time) const {
  for (const Watched& watched : files_)
    if (identity_of(watched.path) != watched.file || (watched.file && changed_since(watched.path, time)))
      return watched.path;
  return std::nullopt;
}

WatchedFoundations watch(const Foundations& foundations) {
  const auto& [sysroot, programs, kernel, modules, own] = foundations;
  WatchedFoundations watched;
  for (const std::string& name : programs) watched.outside.add(sysroot / name);
  // A program that is new here may be loaded in the place of the system's.
  for (const char* const name : {"bin", "lib", "lib/lean"}) watched.outside.add(sysroot / name);
  for (const fs::path& file : kernel) watched.outside.add(file);
  for (const fs::path& file : modules)
    if (!file.empty()) (lean::is_within(file, own) ? watched.own : watched.outside).add_module(file);
  return watched;
}

}  // namespace leanbridge::certify

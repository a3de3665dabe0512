#include "core/platform/program.hpp"
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace leanbridge::platform {

namespace {

namespace fs = std::filesystem;

fs::path& remembered() {
  static fs::path path;
  return path;
}

}  // namespace

void remember_program(const char* word) {
  const std::string_view name = word ? word : "";
  const char* const path = std::getenv("PATH");
  std::string_view folders = path ? path : "";
  std::error_code ignored;
  if (name.find('/') != std::string_view::npos) {
    remembered() = fs::canonical(name, ignored);
    return;
  }
  while (!folders.empty() && remembered().empty()) {
    const fs::path candidate = fs::path(folders.substr(0, folders.find(':'))) / name;
    folders.remove_prefix(std::min(folders.find(':'), folders.size() - 1) + 1);
    if (fs::is_regular_file(candidate, ignored) && ::access(candidate.c_str(), X_OK) == 0)
      remembered() = fs::canonical(candidate, ignored);
  }
}

std::string this_program() {
  return remembered().string();
}

fs::path program_path() {
  return remembered();
}

void hide_from_others() {}  // POSIX knows no reading of other processes, and nothing against it

}  // namespace leanbridge::platform

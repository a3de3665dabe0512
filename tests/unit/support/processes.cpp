#include "support/processes.hpp"

#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace leanbridge::test {

namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

template <class Visit>
void for_each_process(Visit visit) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename().string();
    int pid = 0;
    const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (failure == std::errc() && end == name.data() + name.size()) visit(pid, entry.path());
  }
}

}  // namespace

std::vector<int> processes_marked(const std::string& mark) {
  std::vector<int> found;
  for_each_process([&](int pid, const fs::path& folder) {
    const std::string environment = std::string(1, '\0') + read(folder / "environ");
    if (environment.find(std::string(1, '\0') + mark + std::string(1, '\0')) != std::string::npos)
      found.push_back(pid);
  });
  return found;
}

std::vector<int> zombies() {
  std::vector<int> found;
  for_each_process([&](int pid, const fs::path& folder) {
    const std::string status = read(folder / "stat");
    const std::size_t name_end = status.rfind(')');
    if (name_end == std::string::npos || status.compare(name_end, 4, ") Z ") != 0) return;
    if (std::atoi(status.c_str() + name_end + 4) == ::getpid()) found.push_back(pid);
  });
  return found;
}

std::string own_program() {
  return fs::read_symlink("/proc/self/exe").string();
}

}  // namespace leanbridge::test

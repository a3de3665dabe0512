#include "support/processes.hpp"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace leanbridge::test {

namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream content;  // fails quietly if the process ends meanwhile; an iterator would throw
  content << stream.rdbuf();
  return content.str();
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

std::vector<int> children() {
  std::vector<int> found;
  for_each_process([&](int pid, const fs::path& folder) {
    const std::string status = read(folder / "stat");
    const std::size_t name_end = status.rfind(')');  // followed by a blank, the state, a blank and the parent
    if (name_end != std::string::npos && std::atoi(status.c_str() + name_end + 4) == ::getpid())
      found.push_back(pid);
  });
  return found;
}

std::string own_program() {
  return fs::read_symlink("/proc/self/exe").string();
}

}  // namespace leanbridge::test

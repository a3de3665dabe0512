#include "leanbridge/io/process_tree.hpp"

#include "leanbridge/base/files.hpp"

#include <unistd.h>

#include <filesystem>
#include <map>
#include <sstream>

namespace leanbridge::io {

namespace {

std::string read_proc(int pid, const char* name) {
  constexpr std::size_t kMaxSize = 8u << 20;  // bytes; a command line has at most 6 MiB on Linux
  return read_regular_file("/proc/" + std::to_string(pid) + "/" + name, kMaxSize).value_or("");
}

// Field 4 of /proc/PID/stat. The name before it is in parentheses and may contain anything.
int parent_of(int pid) {
  const std::string stat = read_proc(pid, "stat");
  const std::size_t after_name = stat.rfind(')');
  if (after_name == std::string::npos) return -1;
  std::istringstream fields(stat.substr(after_name + 1));
  char state = 0;
  int parent = -1;
  fields >> state >> parent;
  return parent;
}

std::int64_t resident_bytes(int pid) {
  std::istringstream fields(read_proc(pid, "statm"));
  std::int64_t total = 0, resident = 0;
  fields >> total >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

std::vector<std::string> arguments_of(int pid) {
  std::vector<std::string> arguments;
  std::istringstream words(read_proc(pid, "cmdline"));
  for (std::string word; std::getline(words, word, '\0');) arguments.push_back(word);
  return arguments;
}

// Every process on the machine, by its parent.
std::multimap<int, int> all_by_parent() {
  std::multimap<int, int> children;
  std::error_code error;  // an exception must not end the supervisor
  const std::filesystem::directory_iterator end;
  for (std::filesystem::directory_iterator entry("/proc", error); entry != end; entry.increment(error)) {
    const int pid = std::atoi(entry->path().filename().c_str());
    if (pid > 0) children.emplace(parent_of(pid), pid);
  }
  return children;
}

// Nanoseconds of computing and of waiting for a processor (Documentation/scheduler/sched-stats.rst), of all
// threads; negative if the kernel does not count them.
double exact_cpu_seconds(int pid) {
  double nanoseconds = 0;
  bool is_known = false;
  std::error_code error;
  const std::filesystem::directory_iterator end;
  for (std::filesystem::directory_iterator entry("/proc/" + std::to_string(pid) + "/task", error);
       entry != end; entry.increment(error)) {
    std::istringstream fields(
        read_proc(pid, ("task/" + entry->path().filename().string() + "/schedstat").c_str()));
    double computed = 0, waited = 0;
    if (!(fields >> computed >> waited)) continue;  // it has ended
    is_known = true;
    nanoseconds += computed + waited;
  }
  return is_known ? nanoseconds / 1e9 : -1;
}

}  // namespace

std::vector<int> descendants_of(int root) {
  const std::multimap<int, int> by_parent = all_by_parent();
  std::vector<int> found;
  for (auto [next, end] = by_parent.equal_range(root); next != end; ++next) found.push_back(next->second);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (auto [next, end] = by_parent.equal_range(found[i]); next != end; ++next)
      found.push_back(next->second);
  return found;
}

std::vector<ProcessInfo> descendants(int root) {
  std::vector<ProcessInfo> found;
  for (int pid : descendants_of(root)) found.push_back({pid, arguments_of(pid), resident_bytes(pid)});
  return found;
}

double cpu_seconds(int pid) {
  const double exact = exact_cpu_seconds(pid);
  return exact < 0 ? processor_seconds(pid) : exact;
}

double processor_seconds(int pid) {
  const std::string stat = read_proc(pid, "stat");
  const std::size_t after_name = stat.rfind(')');
  if (after_name == std::string::npos) return -1;
  // Fields 14 and 15 are user and system time; the first one here is number 3.
  std::istringstream fields(stat.substr(after_name + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return fields ? (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK)) : -1;
}

std::chrono::milliseconds cpu_window() {
  static const bool is_exact = exact_cpu_seconds(::getpid()) > 0;
  return std::chrono::milliseconds(is_exact ? 5 : 50);  // otherwise the kernel counts in steps of 10
}

std::int64_t own_resident_bytes() {
  return resident_bytes(::getpid());
}

}  // namespace leanbridge::io

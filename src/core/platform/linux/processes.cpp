#include "core/platform/processes.hpp"

#include "system_files.hpp"
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace leanbridge::platform {

namespace {

std::string read_proc(int pid, const char* name) {
  constexpr std::size_t kMaxSize = 8u << 20;  // bytes; a command line has at most 6 MiB on Linux
  return read_system_file("/proc/" + std::to_string(pid) + "/" + name, kMaxSize);
}

// /proc/PID/stat from a field on, counted as in proc(5), at least 3: the name before that is in parentheses
// and may contain anything. Empty if the process is gone.
std::istringstream stat_from(int pid, int field) {
  const std::string stat = read_proc(pid, "stat");
  std::istringstream fields(stat.substr(std::min(stat.rfind(')') + 1, stat.size())));
  std::string skipped;
  for (int i = 3; i < field; ++i) fields >> skipped;
  return fields;
}

int parent_of(int pid) {
  int parent = 0;
  return stat_from(pid, 4) >> parent ? parent : -1;
}

double seconds_of(double ticks) {
  return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
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

// Seconds that all threads have computed or waited for a processor, from counts of nanoseconds
// (Documentation/scheduler/sched-stats.rst); negative if the kernel does not count them.
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

std::vector<ListedProcess> list_processes() {
  std::vector<ListedProcess> all;
  std::error_code error;  // an exception must not end the supervisor
  const std::filesystem::directory_iterator end;
  for (std::filesystem::directory_iterator entry("/proc", error); entry != end; entry.increment(error)) {
    const int pid = std::atoi(entry->path().filename().c_str());
    if (pid > 0) all.push_back({.pid = pid, .parent = parent_of(pid)});
  }
  return all;
}

std::vector<ProcessInfo> process_infos(const std::vector<int>& pids) {
  std::vector<ProcessInfo> infos;
  for (const int pid : pids) infos.push_back({pid, arguments_of(pid), resident_bytes(pid)});
  return infos;
}

double cpu_seconds(int pid) {
  const double exact = exact_cpu_seconds(pid);
  return exact < 0 ? processor_seconds(pid) : exact;
}

double processor_seconds(int pid) {
  double user = 0, system = 0;
  return stat_from(pid, 14) >> user >> system ? seconds_of(user + system) : -1;
}

double age_seconds(int pid) {
  double started = 0;  // since the start of the machine
  timespec now{};
  if (!(stat_from(pid, 22) >> started) || ::clock_gettime(CLOCK_BOOTTIME, &now) != 0) return -1;
  return std::max(
      0.0, static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9 - seconds_of(started));
}

std::int64_t started_at(int pid) {
  std::string state;
  std::int64_t ticks = 0;
  stat_from(pid, 3) >> state;
  return stat_from(pid, 22) >> ticks && state != "Z" && state != "X" ? ticks : -1;
}

std::chrono::milliseconds cpu_window() {
  static const bool is_exact = exact_cpu_seconds(::getpid()) > 0;
  return std::chrono::milliseconds(is_exact ? 5 : 50);  // otherwise the kernel counts in steps of 10 ms
}

std::int64_t own_resident_bytes() {
  return resident_bytes(::getpid());
}

}  // namespace leanbridge::platform

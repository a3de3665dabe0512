#include "core/platform/processes.hpp"

#include <libproc.h>
#include <mach/mach_time.h>
#include <sys/sysctl.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace leanbridge::platform {

namespace {

double age_of(const timeval& started) {
  timeval now{};
  ::gettimeofday(&now, nullptr);
  return std::max(0.0, static_cast<double>(now.tv_sec - started.tv_sec) +
                           static_cast<double>(now.tv_usec - started.tv_usec) / 1e6);
}

// proc_pidinfo: libproc.h; it has no manual page. Returns false if the process is gone or another user's.
bool read_task(int pid, proc_taskinfo& task) {
  return ::proc_pidinfo(pid, PROC_PIDTASKINFO, 0, &task, sizeof task) == static_cast<int>(sizeof task);
}

bool read_process(int pid, proc_bsdinfo& info) {
  return ::proc_pidinfo(pid, PROC_PIDTBSDINFO, 0, &info, sizeof info) == static_cast<int>(sizeof info);
}

// The times of a task are in the unit of mach_absolute_time(3).
double seconds_of(std::uint64_t time) {
  mach_timebase_info_data_t unit{};
  ::mach_timebase_info(&unit);
  return static_cast<double>(time) * unit.numer / unit.denom / 1e9;
}

// sysctl(3), KERN_PROCARGS2: the number of arguments, the program's path, zeros, the arguments, the
// variables.
std::vector<std::string> arguments_of(int pid) {
  int name[] = {CTL_KERN, KERN_PROCARGS2, pid};
  std::size_t size = 0;
  if (::sysctl(name, 3, nullptr, &size, nullptr, 0) != 0) return {};
  std::string block(size, '\0');
  if (::sysctl(name, 3, block.data(), &size, nullptr, 0) != 0) return {};
  block.resize(size);
  int count = 0;
  if (block.size() < sizeof count) return {};
  std::memcpy(&count, block.data(), sizeof count);
  std::vector<std::string> arguments;
  std::size_t at = std::min(block.find('\0', sizeof count), block.size());
  for (at = block.find_first_not_of('\0', at); count > 0 && at < block.size(); --count) {
    arguments.emplace_back(block.c_str() + at);
    at += arguments.back().size() + 1;
  }
  return arguments;
}

}  // namespace

// sysctl(3), KERN_PROC_ALL. More may start between the calls, hence the room.
std::vector<ListedProcess> list_processes() {
  int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_ALL};
  std::size_t size = 0;
  if (::sysctl(name, 3, nullptr, &size, nullptr, 0) != 0) return {};
  std::vector<kinfo_proc> known(size / sizeof(kinfo_proc) + 64);
  size = known.size() * sizeof(kinfo_proc);
  if (::sysctl(name, 3, known.data(), &size, nullptr, 0) != 0) return {};
  known.resize(size / sizeof(kinfo_proc));
  std::vector<ListedProcess> all;
  for (const kinfo_proc& one : known)
    if (one.kp_proc.p_stat != SZOMB)
      all.push_back(
          {one.kp_proc.p_pid, one.kp_eproc.e_ppid, one.kp_eproc.e_pgid, age_of(one.kp_proc.p_starttime)});
  return all;
}

std::vector<ProcessInfo> process_infos(const std::vector<int>& pids) {
  std::vector<ProcessInfo> infos;
  for (const int pid : pids) {
    proc_taskinfo task{};
    const bool lives = read_task(pid, task);
    infos.push_back({pid, arguments_of(pid), lives ? static_cast<std::int64_t>(task.pti_resident_size) : 0});
  }
  return infos;
}

double cpu_seconds(int pid) {
  return processor_seconds(pid);
}

double processor_seconds(int pid) {
  proc_taskinfo task{};
  return read_task(pid, task) ? seconds_of(task.pti_total_user + task.pti_total_system) : -1;
}

double age_seconds(int pid) {
  proc_bsdinfo info{};
  if (!read_process(pid, info)) return -1;
  return age_of({static_cast<time_t>(info.pbi_start_tvsec), static_cast<suseconds_t>(info.pbi_start_tvusec)});
}

std::int64_t started_at(int pid) {
  proc_bsdinfo info{};
  if (!read_process(pid, info) || info.pbi_status == SZOMB) return -1;
  return static_cast<std::int64_t>(info.pbi_start_tvsec * 1'000'000 + info.pbi_start_tvusec);
}

std::chrono::milliseconds cpu_window() {
  return std::chrono::milliseconds(50);
}

std::int64_t own_resident_bytes() {
  return process_info(::getpid()).resident_bytes;
}

}  // namespace leanbridge::platform

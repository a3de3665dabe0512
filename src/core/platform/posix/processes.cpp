// Processes, as ps(1) prints them: each look is the start of a program, about 10 ms.

#include "core/platform/processes.hpp"

#include "core/platform/files.hpp"
#include "core/platform/program.hpp"
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <iomanip>
#include <sstream>

namespace leanbridge::platform {

namespace {

struct Printed {
  pid_t pid = 0;  // of ps itself, which is among those that it prints
  std::string text;
};

Printed print_processes(std::vector<std::string> arguments) {
  int ends[2] = {-1, -1};
  if (!open_pipe(ends)) return {};
  Start ps;
  ps.program = "/bin/ps";
  ps.arguments = std::move(arguments);
  ps.arguments.insert(ps.arguments.begin(), "ps");
  ps.variables = {{"LC_ALL=C", "TZ=UTC0"}};
  ps.descriptors = {{ends[1], STDOUT_FILENO}};
  ps.files = {{STDIN_FILENO, "/dev/null", O_RDWR}, {STDERR_FILENO, "/dev/null", O_RDWR}};
  Printed printed{start(ps), ""};
  ::close(ends[1]);
  std::array<char, 16 << 10> piece{};
  for (ssize_t count = 1; printed.pid > 0 && count != 0;) {
    count = ::read(ends[0], piece.data(), piece.size());
    if (count < 0 && errno != EINTR) break;
    printed.text.append(piece.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
  ::close(ends[0]);
  while (printed.pid > 0 && ::waitpid(printed.pid, nullptr, 0) < 0 && errno == EINTR) continue;
  return printed;
}

// A column of one process; "" if it is gone.
std::string column_of(int pid, const char* column) {
  return print_processes({"-o", column, "-p", std::to_string(pid)}).text;
}

// Seconds of [[DD-]HH:]MM:SS; negative for any other text.
double seconds_in(const std::string& text) {
  double seconds = 0, part = 0;
  char separator = ':';
  std::istringstream rest(text);
  while (separator == ':' || separator == '-') {
    if (!(rest >> part)) return -1;
    const bool are_days = rest.peek() == '-';
    seconds = (seconds + part) * (are_days ? 24 : 1);
    separator = static_cast<char>(rest.get());
    if (separator == ':') seconds *= 60;
  }
  return seconds;
}

}  // namespace

std::vector<ListedProcess> list_processes() {
  const Printed printed =
      print_processes({"-A", "-o", "pid=", "-o", "ppid=", "-o", "pgid=", "-o", "stat=", "-o", "etime="});
  std::vector<ListedProcess> all;
  std::istringstream lines(printed.text);
  std::string state, age;
  for (ListedProcess one; lines >> one.pid >> one.parent >> one.group >> state >> age;) {
    one.age_s = seconds_in(age);
    if (one.pid != printed.pid && !state.starts_with('Z')) all.push_back(one);
  }
  return all;
}

std::vector<ProcessInfo> process_infos(const std::vector<int>& pids) {
  std::vector<ProcessInfo> infos;
  std::string list;
  for (const int pid : pids) {
    infos.push_back({.pid = pid});
    list += (list.empty() ? "" : ",") + std::to_string(pid);
  }
  if (pids.empty()) return infos;
  std::istringstream lines(print_processes({"-o", "pid=", "-o", "rss=", "-o", "args=", "-p", list}).text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    int pid = 0;
    words >> pid;
    const auto info = std::ranges::find(infos, pid, &ProcessInfo::pid);
    if (info == infos.end()) continue;  // a line break in an argument
    if (words >> info->resident_bytes) info->resident_bytes <<= 10;
    for (std::string word; words >> word;) info->arguments.push_back(word);
  }
  return infos;
}

double cpu_seconds(int pid) {
  return processor_seconds(pid);
}

double processor_seconds(int pid) {
  return seconds_in(column_of(pid, "time="));
}

double age_seconds(int pid) {
  return seconds_in(column_of(pid, "etime="));
}

// POSIX has no column for it; all systems that we know have this one.
std::int64_t started_at(int pid) {
  std::string state;
  std::tm time{};
  std::istringstream words(print_processes({"-o", "stat=", "-o", "lstart=", "-p", std::to_string(pid)}).text);
  if (!(words >> state >> std::get_time(&time, "%a %b %d %H:%M:%S %Y")) || state.starts_with('Z')) return -1;
  using namespace std::chrono;
  const sys_days day = year(time.tm_year + 1900) / (time.tm_mon + 1) / time.tm_mday;
  return seconds(day.time_since_epoch() + hours(time.tm_hour) + minutes(time.tm_min) + seconds(time.tm_sec))
      .count();
}

std::chrono::milliseconds cpu_window() {
  return std::chrono::milliseconds(2000);  // ps prints whole seconds
}

std::int64_t own_resident_bytes() {
  struct rusage usage {};
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? std::int64_t{usage.ru_maxrss} << 10 : 0;
}

}  // namespace leanbridge::platform

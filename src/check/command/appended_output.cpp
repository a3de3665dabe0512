#include "appended_output.hpp"

#include "core/io/clock.hpp"
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace leanbridge::app {

namespace {

constexpr auto kLockPatience = std::chrono::seconds(60);
constexpr auto kLockPause = std::chrono::milliseconds(200);

}  // namespace

bool is_stdout(const std::string& name) {
  struct stat out {
  }, file{};
  return ::fstat(STDOUT_FILENO, &out) == 0 && ::stat(name.c_str(), &file) == 0 && S_ISREG(file.st_mode) &&
         out.st_dev == file.st_dev && out.st_ino == file.st_ino;
}

Result<void> lock_stdout(const std::string& name) {
  const auto deadline = io::Clock::now() + kLockPatience;
  while (::flock(STDOUT_FILENO, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    if (io::Clock::now() > deadline)
      return fail(ErrorKind::InvalidArgument, "Another run is writing to " + name + ".",
                  "Wait for it or end it, or pass another file.");
    std::this_thread::sleep_for(kLockPause);
  }
  return {};
}

}  // namespace leanbridge::app

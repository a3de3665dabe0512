#include "core/platform/supervised_child.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace leanbridge::platform {

namespace {

// Does what execvp() does, but a file that is not a program is an error: execvp() would hand it to a shell.
void execute(char** argv) {
  const std::string program = argv[0];
  if (program.find('/') != std::string::npos) {
    ::execv(argv[0], argv);
    return;
  }
  const char* const path = std::getenv("PATH");
  std::string_view folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
  int error = ENOENT;
  while (!folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folder.size() + 1, folders.size()));
    if (folder.empty()) continue;
    ::execv((std::string(folder) + "/" + program).c_str(), argv);
    if (errno != ENOENT && errno != ENOTDIR) error = errno;
  }
  errno = error;
}

}  // namespace

pid_t start_supervised(char** argv, const sigset_t& mask, void (*in_child)()) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  in_child();
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  execute(argv);
  std::fprintf(stderr, "cannot start %s: %s%s\n", argv[0], std::strerror(errno),
               errno == ENOEXEC ? " (a script needs #! and its interpreter in the first line)" : "");
  std::_Exit(127);
}

int exit_code(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int reap(pid_t child) {
  int status = 0;
  int code = -1;
  for (pid_t pid; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;)
    if (pid == child) code = exit_code(status);
  return code;
}

void drop_streams() {
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, stream);
}

}  // namespace leanbridge::platform

#include "core/platform/program.hpp"
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>

namespace leanbridge::platform {

namespace {

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

class FileActions {
 public:
  explicit FileActions(const Start& wanted) {
    ::posix_spawn_file_actions_init(&actions_);
    if (!wanted.directory.empty())
      ::posix_spawn_file_actions_addchdir_np(&actions_, wanted.directory.c_str());
    for (const auto& [ours, number] : wanted.descriptors)
      ::posix_spawn_file_actions_adddup2(&actions_, ours, number);
    for (const Start::File& file : wanted.files)
      ::posix_spawn_file_actions_addopen(&actions_, file.number, file.path.c_str(), file.flags,
                                         S_IRUSR | S_IWUSR);
  }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

class Attributes {
 public:
  explicit Attributes(const Start& wanted) {
    ::posix_spawnattr_init(&attributes_);
    int flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#ifdef POSIX_SPAWN_CLOEXEC_DEFAULT  // the program gets no descriptor that is not named above
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    sigset_t none, defaults;
    sigemptyset(&none);
    wanted.default_signals ? sigemptyset(&defaults) : sigfillset(&defaults);
    for (const int signal : wanted.default_signals.value_or(std::vector<int>())) sigaddset(&defaults, signal);
    ::posix_spawnattr_setflags(&attributes_, static_cast<short>(flags));
    ::posix_spawnattr_setsigdefault(&attributes_, &defaults);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

}  // namespace

pid_t start(const Start& wanted) {
  const FileActions actions(wanted);
  const Attributes attributes(wanted);
  std::vector<std::string> arguments = wanted.arguments;
  std::vector<std::string> variables = wanted.variables.value_or(std::vector<std::string>());
  const auto words = pointers_to(arguments), own = pointers_to(variables);
  pid_t pid = 0;
  // posix_spawnp() may hand a path that is no program to a shell.
  const auto spawn = wanted.program.find('/') == std::string::npos ? ::posix_spawnp : ::posix_spawn;
  const int error = spawn(&pid, wanted.program.c_str(), actions.get(), attributes.get(), words.data(),
                          wanted.variables ? own.data() : environment());
  return error == 0 ? pid : -error;
}

}  // namespace leanbridge::platform

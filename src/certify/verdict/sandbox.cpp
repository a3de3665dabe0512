#include "sandbox.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace leanbridge::certify {

namespace fs = std::filesystem;

namespace {

/// The size of /tmp, which is in memory. The TMPDIR of programs is their working directory.
constexpr const char* kTemporaryBytes = "268435456";

}  // namespace

std::vector<std::string> in_bubblewrap(const fs::path& bubblewrap, const Visible& visible,
                                       const std::vector<std::string>& command) {
  std::vector<std::string> line = {bubblewrap.string(),
                                   "--unshare-all",
                                   "--die-with-parent",
                                   "--new-session",
                                   "--cap-drop",
                                   "ALL",
                                   "--proc",
                                   "/proc",
                                   "--dev",
                                   "/dev",
                                   "--remount-ro",
                                   "/dev"};
  if (visible.limits_tmp) line.insert(line.end(), {"--size", kTemporaryBytes});
  line.insert(line.end(), {"--tmpfs", "/tmp"});
  // The folders of programs and their libraries; /gnu and /nix belong to Guix and NixOS.
  for (const char* const folder :
       {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/gnu/store", "/nix/store", "/etc/ld.so.cache",
        "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"})
    line.insert(line.end(), {"--ro-bind-try", folder, folder});
  // Outer folders come first, since they would hide inner ones otherwise.
  std::vector<fs::path> readable = visible.readable;
  std::sort(readable.begin(), readable.end());
  readable.erase(std::unique(readable.begin(), readable.end()), readable.end());
  for (const fs::path& folder : readable)
    line.insert(line.end(), {"--ro-bind", folder.string(), folder.string()});
  if (visible.writable) {
    const std::string folder = visible.writable->string();
    line.insert(line.end(), {"--bind", folder, folder, "--chdir", folder});
  }
  // The root is in memory, too, and must not accept files.
  line.insert(line.end(), {"--remount-ro", "/", "--"});
  line.insert(line.end(), command.begin(), command.end());
  return line;
}

std::vector<std::string> with_limits(const fs::path& prlimit, const Limits& limits,
                                     const std::vector<std::string>& command) {
  // Compiled libraries are mapped privately and count as data: Mathlib has 5 GB.
  constexpr std::int64_t kMapped = 4;
  const auto bytes = [](std::int64_t megabytes) { return std::to_string(megabytes * 1024 * 1024); };
  std::vector<std::string> line = {prlimit.string(), "--core=0",
                                   "--data=" + bytes(kMapped * limits.memory_mb),
                                   "--fsize=" + bytes(limits.file_mb), "--"};
  line.insert(line.end(), command.begin(), command.end());
  return line;
}

std::optional<fs::path> find_system_program(const std::string& name) {
  for (const char* const folder : {"/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"}) {
    const fs::path path = fs::path(folder) / name;
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0) return path;
  }
  return std::nullopt;
}

}  // namespace leanbridge::certify

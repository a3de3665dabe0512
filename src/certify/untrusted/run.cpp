#include "run.hpp"

#include "core/text/untrusted.hpp"
#include "core/text/utf8.hpp"
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

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
  std::ranges::sort(readable);
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

namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(500);
constexpr std::uintmax_t kMaxFiles = 20'000;
// Space on a disk that is left for other programs. Files that were removed but are still open appear nowhere
// else.
constexpr std::uintmax_t kReserve = std::uintmax_t{256} << 20U;

/// A run that is watched.
struct WatchedRun {
  RunBounds bounds;
  std::string output, stopped;
  std::size_t output_limit = 0;
  std::uintmax_t printed = 0;
  std::uintmax_t free_at_start = 0;
  io::CancelSource stop, ended;

  void keep(std::string_view bytes) {
    output += bytes.substr(0, output_limit - std::min(output.size(), output_limit));
    printed += bytes.size();
    if (printed > bounds.printed) end_it("it printed more than " + megabytes(bounds.printed));
  }
  void end_it(std::string why) {
    if (!stopped.empty()) return;
    stopped = std::move(why);
    stop.cancel();
  }
  static std::string megabytes(std::uintmax_t bytes) { return std::to_string(bytes >> 20U) + " MB"; }

  /// Counts allocated space, so that holes in a file do not count.
  void look() {
    std::error_code error;
    const fs::space_info space = fs::space(bounds.folder, error);
    if (!error && space.available < std::min(kReserve, free_at_start / 2))
      return end_it("the disk was nearly full while it ran");
    std::uintmax_t files = 0, bytes = 0;
    for (auto each = fs::recursive_directory_iterator(bounds.folder,
                                                      fs::directory_options::skip_permission_denied, error);
         !error && each != fs::recursive_directory_iterator(); each.increment(error)) {
      struct stat status {};
      if (::lstat(each->path().c_str(), &status) == 0)
        bytes += static_cast<std::uintmax_t>(status.st_blocks) * 512;
      if (++files > kMaxFiles) return end_it("it wrote more than " + std::to_string(kMaxFiles) + " files");
      if (bytes > bounds.folder_bytes) return end_it("it wrote more than " + megabytes(bounds.folder_bytes));
    }
  }
};

asio::awaitable<void> watch_folder(std::shared_ptr<WatchedRun> watched, io::CancelScope scope) {
  const io::CancelScope until = scope.or_cancelled_by(watched->ended);
  while (watched->stopped.empty() && io::Clock::now() < until.deadline) {
    if (co_await io::sleep_for(kLookEvery, until) == io::WaitStatus::Cancelled) break;
    watched->look();
  }
}

}  // namespace

asio::awaitable<Result<RunResult>> run_program(const io::Spawn& spawn, io::ChildCommand command,
                                               std::size_t output_limit, io::CancelScope scope,
                                               std::string input, RunBounds bounds) {
  const auto watched = std::make_shared<WatchedRun>();
  watched->bounds = std::move(bounds);
  watched->output_limit = output_limit;
  io::ProgramRun run;
  run.command = std::move(command);
  run.input = std::move(input);
  run.spawn = spawn;
  run.on_stdout = [watched](std::string_view bytes) { watched->keep(bytes); };
  const auto executor = co_await asio::this_coro::executor;
  if (!watched->bounds.folder.empty()) {
    std::error_code ignored;
    watched->free_at_start = fs::space(watched->bounds.folder, ignored).available;
    io::spawn(executor, watch_folder(watched, scope));
  }
  auto end = co_await io::run_to_end(std::move(run), scope.or_cancelled_by(watched->stop));
  watched->ended.cancel();
  if (!end && (end.error().kind != ErrorKind::Cancelled || watched->stopped.empty()))
    co_return tl::unexpected(end.error());
  RunResult result;
  if (end) static_cast<io::ProgramEnd&>(result) = std::move(*end);
  result.stopped = watched->stopped;
  constexpr int kKilled = 137;
  if (!result.stopped.empty()) result.exit_code = kKilled;
  result.output = std::move(watched->output);
  result.output_cut = watched->printed > output_limit;
  co_return result;
}

std::string quotable(std::string_view printed) {
  constexpr std::size_t kMaxQuoted = 300;  // bytes
  const std::string line = text::cleaned_line(printed);
  return std::string(text::beginning_of(line, kMaxQuoted));
}

}  // namespace leanbridge::certify

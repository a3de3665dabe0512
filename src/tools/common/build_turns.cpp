#include "build_turns.hpp"

#include "leanbridge/lean/project.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

namespace leanbridge::tools {

namespace fs = std::filesystem;

namespace {

constexpr auto kLookAgain = std::chrono::milliseconds(200);

tl::unexpected<Error> not_in_time(io::WaitStatus end, const fs::path& folder) {
  if (end == io::WaitStatus::Cancelled) return call_cancelled();
  return fail(ErrorKind::Timeout,
              "Another build of " + folder.string() + " was under way until the call's deadline.",
              "Call again later, or with a larger timeout_s.");
}

}  // namespace

asio::awaitable<Result<std::shared_ptr<Builds::Held>>> Builds::next(io::Pool& pool, fs::path root,
                                                                    io::CancelScope scope) {
  const auto self = shared_from_this();
  const auto look = [root]() -> Result<std::vector<fs::path>> { return lean::built_folders(root); };
  for (;;) {
    const auto folders = co_await pool.run(look, scope);
    if (!folders) co_return tl::unexpected(folders.error());
    const auto held = std::make_shared<Held>();
    held->owner_ = self;
    // Everybody in the same order: so nobody has what another one waits for, and waits for what that one has.
    for (const fs::path& folder : *folders) {
      auto turn = co_await turns_.try_emplace(folder, 1).first->second.acquire(scope);
      if (!turn) co_return not_in_time(turn.error(), folder);
      held->turns_.push_back(std::move(*turn));
    }
    for (const fs::path& folder : *folders)
      if (auto locked = co_await lock(folder, held, scope); !locked) co_return tl::unexpected(locked.error());
    // The build that was waited for may have changed what the packages are.
    const auto now = co_await pool.run(look, scope);
    if (!now) co_return tl::unexpected(now.error());
    if (*now == *folders) co_return held;
  }
}

// Where there is no folder yet, or its file system knows no locks, there is nothing to keep others out with.
asio::awaitable<Result<void>> Builds::lock(fs::path folder, std::shared_ptr<Held> held,
                                           io::CancelScope scope) {
  Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) co_return Result<void>();
  while (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) co_return Result<void>();
    const io::WaitStatus end = co_await io::sleep_for(kLookAgain, scope);
    if (end == io::WaitStatus::Cancelled) co_return not_in_time(end, folder);
    if (io::Clock::now() >= scope.deadline) co_return not_in_time(io::WaitStatus::TimedOut, folder);
  }
  held->locks_.push_back(std::move(opened));
  co_return Result<void>();
}

}  // namespace leanbridge::tools

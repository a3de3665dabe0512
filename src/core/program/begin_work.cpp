#include "begin_work.hpp"

#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/text/untrusted.hpp"
#include "runtime.hpp"

#include <utility>

namespace leanbridge::app {

namespace {

// Lake may have to fetch and build the imports of the files first.
constexpr io::Clock::duration kPrewarmLimit = std::chrono::hours(1);

asio::awaitable<Result<void>> open_early(document::Workspace& workspace, std::string file,
                                         io::CancelScope scope) {
  CO_TRY(const auto location, workspace.locate(file));
  // The lease ends here: the file stays open until its slot is needed.
  CO_CHECK(co_await location.project->sync(location.path, scope));
  co_return Result<void>();
}

// One after another; paths are absolute, or relative to the project.
asio::awaitable<void> prewarm(document::Workspace& workspace, std::vector<std::string> files,
                              io::CancelScope scope) {
  const std::size_t most = workspace.options().limits.max_open;
  if (files.size() > most) {
    log::warn(
        "--prewarm names {} files, but only {} stay open: the others are opened when they are asked for.",
        files.size(), most);
    files.resize(most);
  }
  for (const std::string& file : files) {
    const auto opened = co_await open_early(workspace, file, scope);
    if (scope.cancel->cancelled()) co_return;
    if (!opened)
      log::warn("--prewarm: {} was not opened: {}", text::cleaned_line(file),
                text::cleaned_line(opened.error().message));
  }
}

}  // namespace

void begin_work(Runtime& runtime, std::shared_ptr<io::CancelSource> ended, std::shared_ptr<const void> owner) {
  runtime.workspace().start_early();
  if (const auto& files = runtime.options().prewarm_files; !files.empty()) {
    // The function, and so the coroutine, keeps the owner alive.
    io::spawn(runtime.context().get_executor(),
              [owner = std::move(owner), &workspace = runtime.workspace(), files,
               scope = io::CancelScope(kPrewarmLimit, std::move(ended))] {
                return prewarm(workspace, files, scope);
              });
  }
  runtime.start_parts();
}

}  // namespace leanbridge::app

#include "prewarm.hpp"

#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/text/untrusted.hpp"

#include <utility>

namespace leanbridge::app {

namespace {

asio::awaitable<Result<void>> open_early(document::Workspace& workspace, std::string file,
                                         io::CancelScope scope) {
  CO_TRY(const auto location, workspace.locate(file));
  // The lease ends here: the file stays open until its slot is needed.
  CO_CHECK(co_await location.project->sync(location.path, scope));
  co_return Result<void>();
}

}  // namespace

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

}  // namespace leanbridge::app

// leanbridge index build, leanbridge index status.

#include "commands.hpp"
#include "output.hpp"
#include "runtime.hpp"
#include <boost/asio/signal_set.hpp>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

namespace leanbridge::app {

using index::IndexStatus;
using nlohmann::json;

namespace {

constexpr auto kBuildLimit = std::chrono::hours(6);

const char* state_name(IndexStatus::State state) {
  switch (state) {
    case IndexStatus::State::Absent:
      return "absent";
    case IndexStatus::State::Building:
      return "incomplete";
    case IndexStatus::State::Ready:
      return "ready";
    case IndexStatus::State::Failed:
      return "failed";
  }
  return "failed";
}

json to_json(const IndexStatus& status) {
  json parts = json::array();
  for (const IndexStatus::Part& part : status.parts)
    parts.push_back({{"name", part.name},
                     {"state", state_name(part.state)},
                     {"declarations", part.declarations},
                     {"modules", part.modules},
                     {"modules_total", part.modules_total},
                     {"bytes", part.bytes},
                     {"database", part.database.empty() ? json() : json(part.database.string())},
                     {"problem", part.problem.empty() ? json() : json(part.problem)}});
  return {{"parts", std::move(parts)}};
}

void print(const IndexStatus& status, bool as_json) {
  if (as_json) {
    std::printf("%s\n", to_json(status).dump(-1, ' ', false, json::error_handler_t::replace).c_str());
    return;
  }
  for (const IndexStatus::Part& part : status.parts) {
    std::printf("%-14s %-10s %zu declarations in %zu modules", part.name.c_str(), state_name(part.state),
                part.declarations, part.modules);
    if (part.bytes > 0) std::printf(", %.1f MB", static_cast<double>(part.bytes) / 1e6);
    std::printf("\n");
    if (!part.database.empty()) std::printf("%-14s %s\n", "", part.database.c_str());
    if (!part.problem.empty()) std::printf("%-14s %s\n", "", part.problem.c_str());
  }
  if (status.parts.empty()) std::printf("There is no index yet: `leanbridge index build` makes it.\n");
}

/// One command on the index, until it ends or a signal comes.
class IndexCommand {
 public:
  IndexCommand(const Options& options, bool build)
      : options_(options), runtime_(options), build_(build), signals_(runtime_.context(), SIGINT, SIGTERM) {}

  int run(bool show_status) {
    const auto project = runtime_.workspace().project("");
    if (!project && project.error().kind != ErrorKind::NotALeanProject) return failed(project.error());
    if (project) root_ = (*project)->root();
    signals_.async_wait([this](boost::system::error_code error, int) {
      if (error) return;
      interrupted_ = true;
      scope_.cancel->cancel();
      runtime_.context().stop();
    });
    asio::co_spawn(runtime_.context(), answer(), asio::detached);
    if (build_ && ::isatty(STDERR_FILENO) != 0)
      asio::co_spawn(runtime_.context(), show_progress(), asio::detached);
    runtime_.context().run();
    if (shown_) std::fputs("\r\033[K", stderr);
    if (interrupted_) return kInterrupted;
    if (status_ && show_status) print(*status_, options_.as_json);
    return problem_ ? failed(*problem_) : 0;
  }

 private:
  static int failed(const Error& error) {
    std::fprintf(stderr, "leanbridge: %s %s\n", error.message.c_str(), error.hint.c_str());
    return error.kind == ErrorKind::InvalidArgument ? 2 : 1;
  }

  asio::awaitable<void> answer() {
    if (build_) {
      const auto built = co_await runtime_.index().build(root_, scope_);
      if (!built) problem_ = built.error();
    }
    auto status = co_await runtime_.index().inspect(root_, scope_);
    if (status)
      status_ = std::move(*status);
    else if (!problem_)
      problem_ = status.error();
    scope_.cancel->cancel();
    runtime_.context().stop();
  }

  asio::awaitable<void> show_progress() {
    for (;;) {
      const io::Scope scope(kBuildLimit, scope_.cancel);
      if (co_await io::sleep_for(std::chrono::milliseconds(200), scope) != io::WaitEnd::TimedOut) co_return;
      for (const IndexStatus::Part& part : runtime_.index().status().parts) {
        if (part.state != IndexStatus::State::Building) continue;
        std::fprintf(stderr, "\r\033[K%s: %zu of %zu modules, %zu declarations %.60s", part.name.c_str(),
                     part.modules, part.modules_total, part.declarations, part.problem.c_str());
        shown_ = true;
        break;
      }
    }
  }

  const Options& options_;
  Runtime runtime_;
  bool build_;
  asio::signal_set signals_;
  io::Scope scope_{kBuildLimit};
  std::filesystem::path root_;
  std::optional<IndexStatus> status_;
  std::optional<Error> problem_;
  bool interrupted_ = false, shown_ = false;
};

}  // namespace

int index_build(const Options& options) {
  return IndexCommand(options, true).run(true);
}

int complete_index(const Options& options) {
  const int code = IndexCommand(options, true).run(false);
  if (code == kInterrupted) {
    std::fputs("leanbridge: interrupted while the index was built; what was read so far stays.\n", stderr);
    return code;
  }
  return 0;
}

int index_status(const Options& options) {
  return IndexCommand(options, false).run(true);
}

}  // namespace leanbridge::app

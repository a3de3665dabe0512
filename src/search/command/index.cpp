// leanbridge index build and leanbridge index status.

#include "commands.hpp"
#include "core/program/interrupts.hpp"
#include "core/program/output.hpp"
#include "core/program/runtime.hpp"
#include "search/search_part.hpp"
#include "search/tools/search_common.hpp"
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdio>

namespace leanbridge::app {

using index::IndexStatus;
using nlohmann::json;

namespace {

constexpr auto kBuildLimit = std::chrono::hours(6);
constexpr std::chrono::duration<double> kMinEstimated = std::chrono::seconds(2);  // shortest time for a part
                                                                                  // that is estimated

const char* state_name(IndexStatus::State state) {
  return state == IndexStatus::State::Building ? "incomplete" : wire::name_of(state);
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
                     {"problem", part.problem ? json(*part.problem) : json()}});
  return {{"parts", std::move(parts)}};
}

void print(const IndexStatus& status, bool as_json) {
  if (as_json) {
    std::printf("%s\n", to_json(status).dump(-1, ' ', false, json::error_handler_t::replace).c_str());
    return;
  }
  for (const IndexStatus::Part& part : status.parts) {
    std::string counts = fmt::format("{} declarations in {} modules", part.declarations, part.modules);
    if (part.bytes > 0) counts += fmt::format(", {:.1f} MB", static_cast<double>(part.bytes) / 1e6);
    print_paragraph(stdout, counts, fmt::format("{:<14} {:<10} ", part.name, state_name(part.state)));
    if (!part.database.empty()) std::printf("%-14s %s\n", "", part.database.c_str());
    if (part.problem) std::printf("%-14s %s\n", "", part.problem->c_str());
  }
  if (status.parts.empty())
    std::printf("There is no index yet. Run `leanbridge index build` to create it.\n");
}

// The part that is being built, and how far it has got; without a message if none is.
io::Progress progress_of(const IndexStatus& status) {
  for (const IndexStatus::Part& part : status.parts)
    if (part.state == IndexStatus::State::Building)
      return {static_cast<double>(part.modules), static_cast<double>(part.modules_total),
              part.name + ": " + std::to_string(part.declarations) + " declarations" +
                  (part.problem ? " " + *part.problem : "")};
  return {};
}

// The remaining time of a part, at its speed since `first`; "" while that is unreliable.
std::string time_left(const io::Progress& first, const io::Progress& now,
                      std::chrono::duration<double> since) {
  const double done = now.done - first.done, left = now.total - now.done;
  if (done <= 0 || left <= 0 || since < kMinEstimated) return "";
  const double seconds = since.count() * left / done;
  return seconds < 90 ? fmt::format(", about {:.0f} s left", std::ceil(seconds))
                      : fmt::format(", about {:.0f} min left", seconds / 60);
}

asio::awaitable<void> show_build(index::LocalIndex& index, std::shared_ptr<ProgressLine> line,
                                 io::CancelScope scope) {
  io::Progress shown, now, first;
  io::Clock::time_point begun;
  const auto has_changed = [&] {
    now = progress_of(index.status());
    return now.done != shown.done || now.message != shown.message;
  };
  while (co_await io::wait_until(index.changed, scope, has_changed) == io::WaitStatus::Ready) {
    if (now.total != first.total) {  // it is another part
      first = now;
      begun = io::Clock::now();
    }
    shown = now;
    now.message += time_left(first, now, io::Clock::now() - begun);
    line->show(now);
  }
}

asio::awaitable<Result<void>> build_shown(Runtime& runtime, std::filesystem::path root,
                                          io::CancelScope scope) {
  const auto line = std::make_shared<ProgressLine>(runtime.context());
  const io::CancelScope shown(kBuildLimit);
  io::spawn(runtime.context(), show_build(runtime.part<SearchClient>()->index(), line, shown));
  auto built = co_await runtime.part<SearchClient>()->index().build(std::move(root), scope);
  shown.cancel->cancel();
  line->clear();
  co_return built;
}

void say_kept() {
  std::fputs("leanbridge: interrupted while building the index; the part already built is kept.\n", stderr);
}

enum class IndexAction { Build, Status };

// Runs one command on the index until it ends or a signal arrives.
class IndexCommand {
 public:
  IndexCommand(const Options& options, IndexAction action)
      : options_(options), runtime_(options), action_(action) {}

  int run() {
    auto root = tools::index_root(runtime_.workspace(), "");
    if (!root) return report(root.error());
    root_ = std::move(*root);
    if (!run_work(runtime_.context(), answer(), scope_.cancel)) {
      if (action_ == IndexAction::Build) say_kept();
      return kInterrupted;
    }
    if (status_) print(*status_, options_.as_json);
    return problem_ ? report(*problem_) : 0;
  }

 private:
  asio::awaitable<void> answer() {
    if (action_ == IndexAction::Build) {
      const auto built = co_await build_shown(runtime_, root_, scope_);
      if (!built) problem_ = built.error();
    }
    auto status = co_await runtime_.part<SearchClient>()->index().inspect(root_, scope_);
    if (status)
      status_ = std::move(*status);
    else if (!problem_)
      problem_ = status.error();
  }

  const Options& options_;
  Runtime runtime_;
  IndexAction action_;
  io::CancelScope scope_{kBuildLimit};
  std::filesystem::path root_;
  std::optional<IndexStatus> status_;
  std::optional<Error> problem_;
};

}  // namespace

int index_build(const Options& options) {
  return IndexCommand(options, IndexAction::Build).run();
}

asio::awaitable<void> complete_index(Runtime& runtime, std::shared_ptr<io::CancelSource> cancel) {
  auto root = tools::index_root(runtime.workspace(), "");
  Result<void> built;
  if (root)
    built = co_await build_shown(runtime, std::move(*root), io::CancelScope(kBuildLimit, cancel));
  else
    built = tl::unexpected(root.error());
  if (cancel->cancelled())
    say_kept();
  else if (!built)
    report(built.error());
}

int index_status(const Options& options) {
  return IndexCommand(options, IndexAction::Status).run();
}

}  // namespace leanbridge::app

#pragma once
/// What a LocalIndex has on the loop's thread: the projects that were asked for, the databases they need, and
/// the builds under way. A coroutine that is under way keeps it alive.

#include "leanbridge/index/local_index.hpp"
#include "leanbridge/io/pool.hpp"

#include "index/build/builder.hpp"
#include "index/build/layout.hpp"
#include "index/query/search_thread.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace leanbridge::index {

/// One database.
struct Part {
  Place place;
  BuildJob job;  ///< without what belongs to one run
  IndexStatus::Part shown;
  bool building = false;
  bool checked_once = false;  ///< was compared with the disk, in this process
  bool check_for_damage = false;
  std::string why_in_memory;      ///< empty: it is on disk
  io::Clock::time_point checked;  ///< when a comparison ended
};

struct Project {
  std::filesystem::path root;  ///< empty: none
  std::string stamp;           ///< of the layout
  bool resolving = false;
  bool resolved = false;
  io::Clock::time_point looked;  ///< when the stamp was last compared
  std::string problem;
  std::shared_ptr<Part> own, toolchain;  ///< null where there is none
};

struct LocalIndex::State : std::enable_shared_from_this<LocalIndex::State> {
  State(asio::io_context& io_context, IndexOptions given, LocalIndex* index);

  std::shared_ptr<Project> project(const std::filesystem::path& root);
  /// Finds out where the modules are, unless that is known; at most one at a time per project.
  void resolve(std::shared_ptr<Project> project);
  /// The project, where its modules are known if they are in time.
  asio::awaitable<std::shared_ptr<Project>> with_layout(std::filesystem::path root, io::CancelScope scope);
  /// The same, having looked for what has changed in the project, as far as that is quick.
  asio::awaitable<std::shared_ptr<Project>> up_to_date(std::filesystem::path root, io::CancelScope scope);
  /// Compares with the disk what was not compared lately; `all`: everything.
  void refresh(const Project& project, bool all);
  void start_build(std::shared_ptr<Part> part);
  /// A search has found these damaged, or not at all.
  void build_again(const std::set<std::string>& damaged, const std::set<std::string>& missing);
  std::vector<Place> places(const Project& project) const;
  void notify() {
    if (owner) owner->changed.notify_all();
  }

  asio::awaitable<void> resolve_now(std::shared_ptr<Project> project);
  asio::awaitable<void> build_now(std::shared_ptr<Part> part);

  /// Runs on the searching thread, on the stores that there are.
  template <class Work>
  auto search(std::vector<Place> places, Work work, io::CancelScope scope);

  asio::io_context& context;
  IndexOptions options;
  LocalIndex* owner;
  std::shared_ptr<std::atomic<bool>> stop = std::make_shared<std::atomic<bool>>(false);
  std::shared_ptr<io::CancelSource> ended = std::make_shared<io::CancelSource>();
  std::shared_ptr<SearchThread> thread = std::make_shared<SearchThread>(stop);
  std::unique_ptr<io::Pool> searching = std::make_unique<io::Pool>(1),
                            building = std::make_unique<io::Pool>(1);
  std::map<std::filesystem::path, std::shared_ptr<Project>> projects;
  std::map<std::string, std::shared_ptr<Part>> parts;  ///< by stem

 private:
  std::shared_ptr<Part> part(const std::string& stem, const std::string& name, Layout layout);
  asio::awaitable<Layout> find_layout(const std::filesystem::path& root, std::string stamp);
  void apply(Part& part, BuildOutcome outcome);
  bool move_to_memory(Part& part, const BuildOutcome& outcome);
};

template <class Work>
auto LocalIndex::State::search(std::vector<Place> places, Work work, io::CancelScope scope) {
  auto task = [keep = thread, places = std::move(places), work = std::move(work)]() {
    using Value = decltype(keep->with(places, work));
    try {
      return Result<Value>(keep->with(places, work));
    } catch (const sqlite::Failure& failure) {
      return Result<Value>(
          fail(ErrorKind::BackendError, std::string("The local index: ") + failure.what(),
               "It is rebuilt when it is damaged; `leanbridge index status` says how far it is."));
    }
  };
  return searching->run(std::move(task), scope);
}

}  // namespace leanbridge::index

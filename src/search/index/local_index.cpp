#include "local_index.hpp"

#include "absent_if_empty.hpp"
#include "core/base/ascii.hpp"
#include "core/base/joined.hpp"
#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/io/back_off.hpp"
#include "core/io/one_shot.hpp"
#include "core/io/pool.hpp"
#include "core/lean/project.hpp"
#include "core/platform/machine.hpp"
#include "search/index/build/builder.hpp"
#include "search/index/build/layout.hpp"
#include "search/index/query/search.hpp"
#include "search/index/store/cache_files.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace leanbridge::index {

namespace fs = std::filesystem;

/// The databases that refresh() compares with the disk.
enum class RefreshScope { Due, All };

/// One database, with the state of its build.
struct IndexDatabase {
  StoreLocation location;
  BuildJob job;  ///< without the fields that belong to a single run
  IndexStatus::Part shown;
  bool building = false;
  bool checked_once = false;  ///< this process has compared it with the disk
  bool check_for_damage = false;
  std::string why_in_memory;      ///< empty: the database is on disk
  io::Clock::time_point checked;  ///< end of the last comparison
};

struct Project {
  explicit Project(std::filesystem::path folder, const IndexOptions& options)
      : root(std::move(folder)), retries(options.first_retry, options.longest_retry) {}

  std::filesystem::path root;  ///< empty: none
  std::string stamp;           ///< of the layout
  bool resolving = false;
  bool resolved = false;
  io::Clock::time_point looked;                   ///< when the stamp was last compared
  std::string problem;                            ///< why the layout is only a guess
  io::BackOff retries;                            ///< of lake, while there is a problem
  std::shared_ptr<IndexDatabase> own, toolchain;  ///< null if there is none
};

/// The state that a LocalIndex keeps on the loop's thread: the requested projects, their databases, and the
/// running builds. Coroutines hold a reference and may outlive the LocalIndex: its destructor sets `stop`,
/// notifies `changed` and joins both threads, and on_thread() starts nothing after that.
struct LocalIndex::State : std::enable_shared_from_this<LocalIndex::State> {
  State(asio::io_context& io_context, IndexOptions given) : context(io_context), options(std::move(given)) {}

  std::shared_ptr<Project> project(const std::filesystem::path& root);
  /// Finds the folders of the modules, unless they are known. At most one look-up per project at a time.
  void resolve(std::shared_ptr<Project> project);
  /// The project, once its layout is known, or is known to be unavailable. Errors: Cancelled, Timeout.
  asio::awaitable<Result<std::shared_ptr<Project>>> resolved(std::filesystem::path root,
                                                             io::CancelScope scope);
  /// The project. Waits a while for its layout.
  asio::awaitable<std::shared_ptr<Project>> with_layout(std::filesystem::path root, io::CancelScope scope);
  /// Like with_layout(), and waits a moment for changes in the project to be indexed.
  asio::awaitable<std::shared_ptr<Project>> up_to_date(std::filesystem::path root, io::CancelScope scope);
  /// Starts builds for the databases that have not been compared with the disk lately.
  void refresh(const Project& project, RefreshScope what);
  void start_build(std::shared_ptr<IndexDatabase> database);
  /// Rebuilds the databases, given by stem, that a search found damaged or missing.
  void rebuild(const std::set<std::string>& damaged, const std::set<std::string>& missing);
  std::vector<StoreLocation> locations(const Project& project) const;
  static asio::awaitable<void> remember(std::shared_ptr<State> self, std::filesystem::path root,
                                        std::vector<ElaboratedFact> facts);

  asio::awaitable<void> resolve_now(std::shared_ptr<Project> project);
  asio::awaitable<void> build_now(std::shared_ptr<IndexDatabase> database);

  /// Runs `work` on the search thread, with the stores that exist.
  template <class Work>
  auto search(std::vector<StoreLocation> locations, Work work, io::CancelScope scope);
  /// Runs `work` on the thread of a pool. Cancelled once the LocalIndex is gone.
  template <class Work>
  asio::awaitable<std::invoke_result_t<Work>> on_thread(std::unique_ptr<io::Pool> State::*pool, Work work,
                                                        io::CancelScope scope) {
    const auto self = shared_from_this();
    if (*stop) co_return call_cancelled();
    co_return co_await ((*this).*pool)->run(std::move(work), std::move(scope));
  }
  /// Does the same as on_thread() without waiting for it. `work` returns a Result<int>, which is dropped.
  template <class Work>
  void run_in_background(std::unique_ptr<io::Pool> State::*pool, Work work, io::Clock::duration limit) {
    auto run = [](std::shared_ptr<State> self, std::unique_ptr<io::Pool> State::*which, Work job,
                  io::CancelScope scope) -> asio::awaitable<void> {
      co_await self->on_thread(which, std::move(job), std::move(scope));
    };
    io::spawn(context, run(shared_from_this(), pool, std::move(work), io::CancelScope(limit, ended)));
  }

  asio::io_context& context;
  IndexOptions options;
  io::Condition changed;
  std::shared_ptr<std::atomic<bool>> stop = std::make_shared<std::atomic<bool>>(false);
  bool awaited = false;  ///< build() was called, so this database has priority
  std::shared_ptr<io::CancelSource> ended = std::make_shared<io::CancelSource>();
  std::shared_ptr<SearchThread> thread = std::make_shared<SearchThread>(stop);
  std::unique_ptr<io::Pool> searching = std::make_unique<io::Pool>(1),
                            building = std::make_unique<io::Pool>(1);
  std::map<std::filesystem::path, std::shared_ptr<Project>> projects;
  std::map<std::string, std::shared_ptr<IndexDatabase>> databases;  ///< by stem

 private:
  std::shared_ptr<IndexDatabase> database(const std::string& stem, const std::string& name, Layout layout);
  /// The layout that lake has named at this stamp, as stored.
  asio::awaitable<std::optional<Layout>> kept_layout(std::filesystem::path root, std::string stamp);
  /// Asks lake. The answer may be a guess, with the problem.
  asio::awaitable<void> ask_for_layout(std::filesystem::path root,
                                       std::shared_ptr<io::OneShot<Layout>> answer);
  void apply_layout(Project& project, Layout layout, const std::string& stamp);
  void apply(IndexDatabase& database, BuildOutcome outcome);
  bool move_to_memory(IndexDatabase& database, const BuildOutcome& outcome);
};

template <class Work>
auto LocalIndex::State::search(std::vector<StoreLocation> locations, Work work, io::CancelScope scope) {
  auto task = [keep = thread, locations = std::move(locations), work = std::move(work)]() {
    using Value = decltype(keep->with(locations, work));
    try {
      return Result<Value>(keep->with(locations, work));
    } catch (const sqlite::Failure& failure) {
      return Result<Value>(fail(ErrorKind::BackendError,
                                std::string("The local index failed: ") + failure.what(),
                                "A damaged index is rebuilt automatically; see `leanbridge index status`."));
    }
  };
  return on_thread(&State::searching, std::move(task), std::move(scope));
}

// --- builds

namespace {

constexpr auto kMaxRefreshWait = std::chrono::milliseconds(150);  // for a search to wait for changed files
constexpr auto kCompareInterval = std::chrono::seconds(5);        // between two looks at a project's files
constexpr auto kBusyPollInterval = std::chrono::seconds(1);       // while another process builds
constexpr auto kRetryAfterFailure = std::chrono::seconds(60);     // before a failed build is tried again
// For reading the layout from the disk.
constexpr auto kLookLimit = std::chrono::seconds(30);
// The same limit as for the start of `lake serve`: the first Lake of a project may download a toolchain and
// packages, and starts over if it is killed meanwhile. No call waits for this.
constexpr auto kLakeLimit = std::chrono::minutes(15);

// The toolchain to which `lake` belongs; empty for elan's proxy.
fs::path sysroot_beside(const fs::path& lake) {
  std::error_code error;
  const fs::path sysroot = fs::canonical(lake, error).parent_path().parent_path();
  return !error && fs::exists(sysroot / "lib/lean/Init.olean", error) ? sysroot : fs::path();
}

}  // namespace

std::shared_ptr<Project> LocalIndex::State::project(const fs::path& root) {
  auto& project = projects[root];
  if (!project) project = std::make_shared<Project>(root, options);
  return project;
}

asio::awaitable<std::shared_ptr<Project>> LocalIndex::State::with_layout(fs::path root,
                                                                         io::CancelScope scope) {
  const auto found = project(root);
  resolve(found);
  const auto self = shared_from_this();
  const auto known = [&] { return *stop || found->resolved || found->own || !found->resolving; };
  co_await io::wait_until(changed, scope.with_timeout(options.max_layout_wait), known);
  co_return found;
}

asio::awaitable<std::shared_ptr<Project>> LocalIndex::State::up_to_date(fs::path root,
                                                                        io::CancelScope scope) {
  const auto self = shared_from_this();
  const auto found = co_await with_layout(std::move(root), scope);
  if (*stop) co_return found;
  refresh(*found, RefreshScope::Due);
  if (found->own && found->own->building) {
    const auto fresh = [&] { return *stop || !found->own->building; };
    co_await io::wait_until(changed, scope.with_timeout(kMaxRefreshWait), fresh);
  }
  co_return found;
}

std::shared_ptr<IndexDatabase> LocalIndex::State::database(const std::string& stem, const std::string& name,
                                                           Layout layout) {
  auto& found = databases[stem];
  if (!found) {
    found = std::make_shared<IndexDatabase>();
    found->location = {options.folder, stem, nullptr};
    found->job.folder = options.folder;
    found->job.stem = stem;
    found->shown.name = name;
    if (options.folder.empty()) found->why_in_memory = "there is no cache folder";
  }
  found->job.layout = std::move(layout);
  return found;
}

std::vector<StoreLocation> LocalIndex::State::locations(const Project& project) const {
  std::vector<StoreLocation> all;
  for (const auto& database : {project.own, project.toolchain})
    if (database) all.push_back(database->location);
  return all;
}

namespace {

tl::unexpected<Error> wait_error(io::WaitStatus end) {
  if (end == io::WaitStatus::Cancelled) return call_cancelled();
  return fail(ErrorKind::Timeout, "The local index is still being built.",
              "The build continues in the background: call again later, or with a larger timeout_s.");
}

}  // namespace

asio::awaitable<Result<std::shared_ptr<Project>>> LocalIndex::State::resolved(fs::path root,
                                                                              io::CancelScope scope) {
  const auto self = shared_from_this();
  const auto found = project(root);
  resolve(found);
  const auto known = [&] { return *stop || !found->resolving; };
  if (const auto end = co_await io::wait_until(changed, scope, known); end != io::WaitStatus::Ready)
    co_return wait_error(end);
  if (*stop) co_return call_cancelled();
  co_return found;
}

namespace {

bool is_to_be_asked_again(const Project& project) {
  return !project.problem.empty() && project.retries.over();
}

}  // namespace

void LocalIndex::State::resolve(std::shared_ptr<Project> project) {
  const auto now = io::Clock::now();
  const bool is_fresh =
      project->resolved && now - project->looked < kCompareInterval && !is_to_be_asked_again(*project);
  if (project->resolving || is_fresh) return;
  project->resolving = true;
  auto work = [](std::shared_ptr<State> self, std::shared_ptr<Project> which) -> asio::awaitable<void> {
    co_await self->resolve_now(std::move(which));
  };
  io::spawn(context, work(shared_from_this(), std::move(project)));
}

asio::awaitable<std::optional<Layout>> LocalIndex::State::kept_layout(fs::path root, std::string stamp) {
  if (root.empty()) co_return std::nullopt;
  const std::string stem = "project-" + file_key_of(root.string()) + "-v" + std::to_string(kSchemaVersion);
  auto kept = [stamp](const std::vector<std::shared_ptr<Store>>& stores, Searcher&) {
    if (stores.empty() || stores[0]->meta("layout_stamp") != stamp) return std::string();
    return stores[0]->meta("layout");
  };
  std::vector<StoreLocation> where = {{options.folder, stem, nullptr}};
  const auto text = co_await search(std::move(where), kept, io::CancelScope(kLookLimit, ended));
  if (*stop || !text || text->empty()) co_return std::nullopt;
  Layout layout = layout_from_text(*text);
  std::error_code error;
  if (!fs::exists(layout.sysroot / "lib/lean", error)) co_return std::nullopt;
  co_return layout;
}

asio::awaitable<void> LocalIndex::State::ask_for_layout(fs::path root,
                                                        std::shared_ptr<io::OneShot<Layout>> answer) {
  const auto self = shared_from_this();
  Layout layout = usual_layout(root);
  const auto lake = lean::find_lake(options.lake);
  if (!lake) {
    layout.problem = lake.error().message;
    co_return answer->set(std::move(layout));
  }
  if (options.before_lake) co_await options.before_lake(root, io::CancelScope(kLakeLimit, ended));
  if (*stop) co_return;
  fs::path folder = root.empty() ? fs::path("/") : root;
  const auto asked = co_await ask_lake(*lake, std::move(folder), io::CancelScope(kLakeLimit, ended));
  if (asked && !asked->sysroot.empty()) co_return answer->set(*asked);
  layout.problem = asked ? "`lake env` does not name the toolchain" : asked.error().message;
  layout.sysroot = sysroot_beside(*lake);
  answer->set(std::move(layout));
}

void LocalIndex::State::apply_layout(Project& project, Layout layout, const std::string& stamp) {
  const std::string version = "-v" + std::to_string(kSchemaVersion);
  if (!layout.sysroot.empty()) {
    project.toolchain = database("toolchain-" + file_key_of(toolchain_identity(layout.sysroot)) + version,
                                 toolchain_name(layout.sysroot), toolchain_layout(layout.sysroot));
    project.toolchain->job.may_be_empty = false;
  }
  if (!project.root.empty()) {
    layout.project = project.root;
    project.own = database("project-" + file_key_of(project.root.string()) + version, "project", layout);
    project.own->job.layout_text = layout.problem.empty() ? to_text(layout) : "";
    project.own->job.layout_stamp = stamp;
    project.own->checked = {};
  }
}

asio::awaitable<void> LocalIndex::State::resolve_now(std::shared_ptr<Project> project) {
  auto compute = [root = project->root, lake = options.lake]() -> Result<std::string> {
    return layout_stamp(root, lake);
  };
  const auto self = shared_from_this();
  const auto stamp = co_await on_thread(&State::searching, compute, io::CancelScope(kLookLimit, ended));
  if (*stop) co_return;
  project->looked = io::Clock::now();
  const bool is_new = stamp && (!project->resolved || *stamp != project->stamp);
  if (is_new) project->retries.reset();
  if (is_new || (stamp && is_to_be_asked_again(*project))) {
    auto layout = co_await kept_layout(project->root, *stamp);
    if (*stop) co_return;
    if (!layout) {
      const auto answer = std::make_shared<io::OneShot<Layout>>();
      io::spawn(context, ask_for_layout(project->root, answer));
      const io::CancelScope soon(options.max_layout_wait, ended);
      if (!project->own && co_await answer->wait(soon) == io::WaitStatus::TimedOut) {
        Layout guess = usual_layout(project->root);
        project->problem = guess.problem =
            "Lake has not answered yet; it may be downloading a toolchain or packages";
        apply_layout(*project, std::move(guess), *stamp);
        changed.notify_all();
      }
      // An answer always comes: Lake has time limits of its own.
      const io::CancelScope scope(io::kNoDeadline, ended);
      if (co_await answer->wait(scope) != io::WaitStatus::Ready) co_return;
      layout = answer->take();
    }
    project->problem = layout->problem;
    if (project->problem.empty())
      project->retries.reset();
    else
      project->retries.failed();
    // A guess that repeats the last guess changes nothing.
    if (is_new || project->problem.empty()) apply_layout(*project, std::move(*layout), *stamp);
    project->stamp = *stamp;
    project->resolved = true;
  }
  project->resolving = false;
  changed.notify_all();
}

void LocalIndex::State::refresh(const Project& project, RefreshScope what) {
  const auto now = io::Clock::now();
  const auto due = [&](const IndexDatabase& database) {
    if (what == RefreshScope::All || !database.checked_once || database.check_for_damage) return true;
    if (database.shown.state == IndexStatus::State::Failed)
      return now - database.checked > kRetryAfterFailure;
    // A toolchain does not change.
    return &database == project.own.get() && now - database.checked > kCompareInterval;
  };
  for (const auto& database : {project.own, project.toolchain})
    if (database && due(*database)) start_build(database);
}

void LocalIndex::State::start_build(std::shared_ptr<IndexDatabase> database) {
  if (database->building) return;
  database->building = true;
  if (database->shown.state != IndexStatus::State::Ready)
    database->shown.state = IndexStatus::State::Building;
  auto work = [](std::shared_ptr<State> self, std::shared_ptr<IndexDatabase> which) -> asio::awaitable<void> {
    co_await self->build_now(std::move(which));
  };
  io::spawn(context, work(shared_from_this(), std::move(database)));
}

void LocalIndex::State::rebuild(const std::set<std::string>& damaged, const std::set<std::string>& missing) {
  for (const std::string& stem : damaged)
    if (const auto found = databases.find(stem); found != databases.end()) {
      log::warn("local index {} is damaged; rebuilding it", stem);
      found->second->check_for_damage = true;
      found->second->shown.state = IndexStatus::State::Building;
      start_build(found->second);
    }
  for (const std::string& stem : missing)
    if (const auto found = databases.find(stem); found != databases.end() && !found->second->building &&
                                                 found->second->shown.state == IndexStatus::State::Ready) {
      found->second->shown.state = IndexStatus::State::Building;
      start_build(found->second);
    }
}

// Returns true if the build must be repeated in memory.
bool LocalIndex::State::move_to_memory(IndexDatabase& database, const BuildOutcome& outcome) {
  if (outcome.end != BuildOutcome::End::Unwritable || outcome.complete || !database.why_in_memory.empty())
    return false;
  database.why_in_memory = outcome.message;
  log::warn("keeping the local index in memory: {}", outcome.message);
  return true;
}

void LocalIndex::State::apply(IndexDatabase& database, BuildOutcome outcome) {
  using End = BuildOutcome::End;
  database.shown.database = outcome.database;
  database.shown.modules = outcome.progress.modules;
  database.shown.modules_total = std::max(outcome.progress.modules_total, outcome.progress.modules);
  database.shown.declarations = outcome.progress.declarations;
  if (outcome.memory) database.location.memory = outcome.memory;
  database.shown.problem.reset();
  if (!database.why_in_memory.empty()) database.shown.problem = "kept in memory: " + database.why_in_memory;
  if (outcome.end == End::Done) {
    database.shown.state = IndexStatus::State::Ready;
    database.check_for_damage = false;
    if (!outcome.problems.empty()) database.shown.problem = "not indexed: " + joined(outcome.problems, "; ");
    if (outcome.changed)
      run_in_background(
          &State::searching,
          [keep = thread]() -> Result<int> {
            keep->refresh();
            return 0;
          },
          io::kNoDeadline);
  } else {
    database.shown.state = outcome.complete ? IndexStatus::State::Ready : IndexStatus::State::Failed;
    database.shown.problem = (outcome.complete ? "not up to date: " : "") + outcome.message;
  }
}

asio::awaitable<void> LocalIndex::State::build_now(std::shared_ptr<IndexDatabase> database) {
  const auto self = shared_from_this();
  for (;;) {
    BuildJob job = database->job;
    if (!database->why_in_memory.empty()) job.folder.clear();
    job.memory = database->location.memory;
    job.check = database->check_for_damage;
    job.stop = stop;
    job.on_progress = [weak = weak_from_this(), &loop = context, database](BuildProgress progress) {
      asio::post(loop, [weak, database, progress] {
        database->shown.modules = progress.modules;
        database->shown.modules_total = progress.modules_total;
        database->shown.declarations = progress.declarations;
        if (const auto state = weak.lock()) state->changed.notify_all();
      });
    };
    auto work = [job = std::move(job), gives_way = !awaited]() -> Result<BuildOutcome> {
      if (gives_way) platform::lower_priority_of_this_thread();
      return bring_up_to_date(job);
    };
    auto outcome =
        co_await on_thread(&State::building, std::move(work), io::CancelScope(io::kNoDeadline, ended));
    if (*stop) co_return;
    if (!outcome) {
      BuildOutcome failed;
      failed.end = BuildOutcome::End::Failed;
      failed.message = outcome.error().message;
      outcome = std::move(failed);
    }
    if (outcome->end == BuildOutcome::End::Busy) {
      database->shown.problem = "process " + std::to_string(outcome->owner) + " is building it";
      database->shown.modules = outcome->progress.modules;
      database->shown.declarations = outcome->progress.declarations;
      if (outcome->complete) database->shown.state = IndexStatus::State::Ready;
      changed.notify_all();
      if (co_await io::sleep_for(kBusyPollInterval, io::CancelScope(io::kNoDeadline, ended)) ==
          io::WaitStatus::Cancelled)
        co_return;
      continue;
    }
    if (move_to_memory(*database, *outcome)) continue;
    apply(*database, std::move(*outcome));
    break;
  }
  database->building = false;
  database->checked_once = true;
  database->checked = io::Clock::now();
  changed.notify_all();
}

// --- questions

namespace {

bool building(const Project& project) {
  return (project.own && project.own->building) || (project.toolchain && project.toolchain->building);
}

struct StoreAnswers {
  Matches matches;
  std::set<std::string> damaged, missing;
  std::size_t complete = 0;  ///< stores that are completely built
};

constexpr std::size_t kMaxSimilar = 5;

}  // namespace

wire::Names<IndexStatus::State> names_of(IndexStatus::State) {
  return {{IndexStatus::State::Absent, "absent"},
          {IndexStatus::State::Building, "building"},
          {IndexStatus::State::Ready, "ready"},
          {IndexStatus::State::Failed, "failed"}};
}

std::vector<std::string> keep_containing(Matches& matches, const std::string& text) {
  std::vector<std::string> similar;
  const auto contains = [part = lower_case(text)](const Match& one) {
    return lower_case(one.name).find(part) != std::string::npos;
  };
  const auto others = std::stable_partition(matches.found.begin(), matches.found.end(), contains);
  if (others == matches.found.begin())
    for (const Match& one : matches.found)
      if (similar.size() < kMaxSimilar) similar.push_back(one.name);
  matches.found.erase(others, matches.found.end());
  return similar;
}

wire::Names<IndexUse> names_of(IndexUse) {
  return {{IndexUse::Consulted, "consulted"},
          {IndexUse::Warming, "warming"},
          {IndexUse::Unavailable, "unavailable"},
          {IndexUse::Error, "error"}};
}

IndexUse index_use(const Matches& matches, const std::vector<IndexStatus::Part>& unfinished) {
  using State = IndexStatus::State;
  const auto any = [&](State state) {
    return std::ranges::any_of(unfinished,
                               [state](const IndexStatus::Part& part) { return part.state == state; });
  };
  if (matches.complete) return IndexUse::Consulted;
  if (any(State::Building)) return IndexUse::Warming;
  if (any(State::Failed)) return IndexUse::Error;
  return matches.growing && !any(State::Absent) ? IndexUse::Warming : IndexUse::Unavailable;
}

LocalIndex::LocalIndex(asio::io_context& context, IndexOptions options)
    : state_(std::make_shared<State>(context, std::move(options))), changed(state_->changed) {}

LocalIndex::~LocalIndex() {
  *state_->stop = true;
  state_->ended->cancel();
  state_->changed.notify_all();
  state_->building.reset();
  state_->searching.reset();
}

asio::awaitable<std::string> LocalIndex::generation(fs::path root, io::CancelScope scope) {
  const auto state = state_;
  const auto project = co_await state->up_to_date(std::move(root), scope);
  auto work = [thread = state->thread.get()](const std::vector<std::shared_ptr<Store>>& stores, Searcher&) {
    std::string all;
    for (const auto& store : stores) all += store->generation() + " ";
    return all.empty() ? all : all + std::to_string(thread->refreshed());
  };
  auto generation = co_await state->search(state->locations(*project), work, scope);
  co_return generation ? std::move(*generation) : std::string();
}

asio::awaitable<Result<Matches>> LocalIndex::find(Lookup lookup, io::CancelScope scope) {
  const auto state = state_;
  const auto project = co_await state->up_to_date(lookup.project, scope);
  auto work = [lookup, thread = state->thread.get()](const std::vector<std::shared_ptr<Store>>& stores,
                                                     Searcher& searcher) {
    StoreAnswers answered{searcher.search(stores, lookup), thread->take_damaged(), thread->take_missing(), 0};
    for (const auto& store : stores) answered.complete += store->complete() ? 1 : 0;
    return answered;
  };
  CO_TRY(auto answered, co_await state->search(state->locations(*project), work, scope));
  state->rebuild(answered.damaged, answered.missing);
  state->refresh(*project, RefreshScope::Due);
  Matches& matches = answered.matches;
  matches.complete = project->toolchain && (project->own || lookup.project.empty()) &&
                     answered.complete == state->locations(*project).size();
  matches.growing = !project->resolved || building(*project);
  co_return std::move(matches);
}

asio::awaitable<Result<std::vector<Declaration>>> LocalIndex::describe(fs::path root,
                                                                       std::vector<std::string> names,
                                                                       io::CancelScope scope) {
  const auto state = state_;
  const auto project = co_await state->with_layout(std::move(root), scope);
  auto work = [names = std::move(names)](const std::vector<std::shared_ptr<Store>>& stores, Searcher&) {
    std::vector<Declaration> all;
    for (const auto& store : stores)
      for (Declaration& declaration : store->named(names)) all.push_back(std::move(declaration));
    return all;
  };
  co_return co_await state->search(state->locations(*project), work, scope);
}

asio::awaitable<Result<Matches>> LocalIndex::find_when_built(Lookup lookup, bool (*enough)(const Matches&),
                                                             io::CancelScope patience,
                                                             io::CancelScope scope) {
  constexpr auto kSearchInterval = std::chrono::seconds(2);
  const auto state = state_;
  const auto done = [&] {
    const auto is_building = [](const auto& each) {
      return each.second->shown.state == IndexStatus::State::Building;
    };
    return *state->stop || std::ranges::none_of(state->databases, is_building);
  };
  for (;;) {
    auto matches = co_await find(lookup, scope);
    if (!matches || matches->complete || enough(*matches)) co_return matches;
    const auto end = co_await io::wait_until(state->changed, patience.with_timeout(kSearchInterval), done);
    if (end == io::WaitStatus::Cancelled || *state->stop) co_return call_cancelled();
    // The build has ended: search a last time. Parts that failed will not become available.
    if (end == io::WaitStatus::Ready) co_return co_await find(lookup, scope);
    if (io::Clock::now() >= patience.deadline) co_return matches;
  }
}

asio::awaitable<Result<ModuleNode>> LocalIndex::tree(TreeKind kind, fs::path root, std::string prefix,
                                                     int depth, io::CancelScope scope) {
  const auto state = state_;
  const auto project = co_await state->with_layout(std::move(root), scope);
  state->refresh(*project, RefreshScope::Due);
  auto work = [kind, prefix, depth](const std::vector<std::shared_ptr<Store>>& stores, Searcher&) {
    Store::Counted all;
    for (const auto& store : stores) {
      auto listed = kind == TreeKind::Modules ? store->module_list() : store->names_below(prefix);
      all.insert(all.end(), listed.begin(), listed.end());
    }
    std::ranges::sort(all);
    return tree_of(all, prefix, depth);
  };
  co_return co_await state->search(state->locations(*project), work, scope);
}

asio::awaitable<void> LocalIndex::State::remember(std::shared_ptr<State> self, fs::path root,
                                                  std::vector<ElaboratedFact> facts) {
  const io::CancelScope scope(self->options.max_layout_wait, self->ended);
  const auto project = co_await self->with_layout(std::move(root), scope);
  if (*self->stop) co_return;
  for (const StoreLocation& location : self->locations(*project)) {
    auto work = [location, facts, stop = self->stop]() -> Result<int> {
      try {
        if (location.memory) {
          location.memory->learn(facts);
        } else if (const auto path = newest_database(location.folder, location.stem)) {
          Store(*path, sqlite::Database::Mode::ReadWrite, stop).learn(facts);
        }
      } catch (const sqlite::Failure& failure) {
        log::debug("cannot store what Lean reported: {}", failure.what());
      }
      return 0;
    };
    self->run_in_background(&State::building, std::move(work), std::chrono::hours(1));
  }
}

void LocalIndex::remember(fs::path root, std::vector<ElaboratedFact> facts) {
  io::spawn(state_->context, State::remember(state_, std::move(root), std::move(facts)));
}

asio::awaitable<Result<void>> LocalIndex::build(fs::path root, io::CancelScope scope) {
  const auto state = state_;
  state->awaited = true;
  CO_TRY(const auto project, co_await state->resolved(root, scope));
  state->refresh(*project, RefreshScope::All);
  const auto done = [&] { return *state->stop || !building(*project); };
  if (const auto end = co_await io::wait_until(state->changed, scope, done); end != io::WaitStatus::Ready)
    co_return wait_error(end);
  if (*state->stop) co_return call_cancelled();
  for (const auto& database : {project->own, project->toolchain})
    if (database && (database->shown.state != IndexStatus::State::Ready || !database->why_in_memory.empty()))
      co_return fail(ErrorKind::BackendError,
                     "The index of " + database->shown.name +
                         " is incomplete: " + database->shown.problem.value_or("") + ".",
                     "Fix the cause, or choose another folder with --cache-dir.");
  if (!project->toolchain)
    co_return fail(ErrorKind::LeanUnavailable, "The toolchain was not found: " + project->problem,
                   "Run `leanbridge doctor`. The project itself is indexed.");
  co_return Result<void>();
}

IndexStatus LocalIndex::status() const {
  IndexStatus status;
  for (const auto& [stem, database] : state_->databases) {
    status.parts.push_back(database->shown);
    if (!database->shown.database.empty()) status.parts.back().bytes = bytes_of(database->shown.database);
  }
  return status;
}

asio::awaitable<Result<IndexStatus>> LocalIndex::inspect(fs::path root, io::CancelScope scope) {
  const auto state = state_;
  const auto project = co_await state->with_layout(root, scope);
  if (*state->stop || scope.cancel->cancelled()) co_return call_cancelled();
  if (!project->resolved && !project->own) co_return wait_error(io::WaitStatus::TimedOut);
  IndexStatus status;
  for (const auto& database : {project->own, project->toolchain}) {
    if (!database) continue;
    IndexStatus::Part shown = database->shown;
    const auto path = newest_database(database->location.folder, database->location.stem);
    if (!database->checked_once && !database->building && path) {
      auto work = [](const std::vector<std::shared_ptr<Store>>& stores, Searcher&) {
        IndexStatus::Part read;
        if (stores.empty()) return read;
        read.state = stores[0]->complete() ? IndexStatus::State::Ready : IndexStatus::State::Building;
        read.declarations = stores[0]->declarations();
        read.modules = read.modules_total = stores[0]->module_count();
        return read;
      };
      std::vector<StoreLocation> where = {database->location};
      if (auto read = co_await state->search(std::move(where), work, scope)) {
        read->name = shown.name;
        shown = *read;
      } else {
        shown.problem = read.error().message;
      }
      shown.database = *path;
    }
    if (!shown.database.empty()) shown.bytes = bytes_of(shown.database);
    status.parts.push_back(std::move(shown));
  }
  if (!project->toolchain) {
    IndexStatus::Part missing;
    missing.name = "toolchain";
    if (!project->resolved)
      missing.state = IndexStatus::State::Building;  // lake will soon name the toolchain
    missing.problem = absent_if_empty(project->problem);
    status.parts.push_back(std::move(missing));
  }
  co_return status;
}

asio::awaitable<std::vector<IndexStatus::Part>> LocalIndex::unfinished(fs::path root, io::CancelScope scope) {
  const auto inspected = co_await inspect(std::move(root), std::move(scope));
  std::vector<IndexStatus::Part> parts = (inspected ? *inspected : status()).parts;
  std::erase_if(parts, [](const auto& part) { return part.state == IndexStatus::State::Ready; });
  co_return parts;
}

}  // namespace leanbridge::index

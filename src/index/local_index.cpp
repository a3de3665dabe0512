#include "leanbridge/index/local_index.hpp"

#include "leanbridge/base/log.hpp"
#include "leanbridge/io/pool.hpp"
#include "leanbridge/lean/project.hpp"

#include "index/build/builder.hpp"
#include "index/build/layout.hpp"
#include "index/query/search.hpp"
#include "index/store/cache_files.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace leanbridge::index {

namespace fs = std::filesystem;

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

// --- the builds

namespace {

constexpr auto kForLayout = std::chrono::seconds(5);          // a search waits for lake at most
constexpr auto kForRefresh = std::chrono::milliseconds(150);  // and for what has changed in the project
constexpr auto kCompareAgain = std::chrono::seconds(5);       // a project with what is on disk
constexpr auto kAskAgain = std::chrono::seconds(1);       // whether another process has finished its build
constexpr auto kAfterFailure = std::chrono::seconds(60);  // before a build that failed is tried again
constexpr auto kLakeLimit = std::chrono::seconds(30);
constexpr auto kEver = std::chrono::hours(24 * 365);

std::string on_one_line(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : "; ") + text;
  return all;
}

// lake beside its library, where it is not elan's proxy.
fs::path sysroot_beside(const fs::path& lake) {
  std::error_code error;
  const fs::path sysroot = fs::canonical(lake, error).parent_path().parent_path();
  return !error && fs::exists(sysroot / "lib/lean/Init.olean", error) ? sysroot : fs::path();
}

}  // namespace

LocalIndex::State::State(asio::io_context& io_context, IndexOptions given, LocalIndex* index)
    : context(io_context), options(std::move(given)), owner(index) {}

std::shared_ptr<Project> LocalIndex::State::project(const fs::path& root) {
  auto& project = projects[root];
  if (!project) {
    project = std::make_shared<Project>();
    project->root = root;
  }
  return project;
}

asio::awaitable<std::shared_ptr<Project>> LocalIndex::State::with_layout(fs::path root,
                                                                         io::CancelScope scope) {
  const auto found = project(root);
  resolve(found);
  const auto known = [&] { return found->resolved || !found->resolving; };
  co_await io::wait_until(owner->changed, scope.with_timeout(kForLayout), known);
  co_return found;
}

asio::awaitable<std::shared_ptr<Project>> LocalIndex::State::up_to_date(fs::path root,
                                                                        io::CancelScope scope) {
  const auto found = co_await with_layout(std::move(root), scope);
  refresh(*found, false);
  if (found->own && found->own->building) {
    const auto fresh = [&] { return !found->own->building; };
    co_await io::wait_until(owner->changed, scope.with_timeout(kForRefresh), fresh);
  }
  co_return found;
}

std::shared_ptr<Part> LocalIndex::State::part(const std::string& stem, const std::string& name,
                                              Layout layout) {
  auto& part = parts[stem];
  if (!part) {
    part = std::make_shared<Part>();
    part->place = {options.folder, stem, nullptr};
    part->job.folder = options.folder;
    part->job.stem = stem;
    part->shown.name = name;
    if (options.folder.empty()) part->why_in_memory = "there is no folder for it";
  }
  part->job.layout = std::move(layout);
  return part;
}

std::vector<Place> LocalIndex::State::places(const Project& project) const {
  std::vector<Place> places;
  for (const auto& part : {project.own, project.toolchain})
    if (part) places.push_back(part->place);
  return places;
}

void LocalIndex::State::resolve(std::shared_ptr<Project> project) {
  const auto now = io::Clock::now();
  if (project->resolving || (project->resolved && now - project->looked < kCompareAgain)) return;
  project->resolving = true;
  auto work = [](std::shared_ptr<State> self, std::shared_ptr<Project> which) -> asio::awaitable<void> {
    co_await self->resolve_now(std::move(which));
  };
  asio::co_spawn(context, work(shared_from_this(), std::move(project)), asio::detached);
}

asio::awaitable<Layout> LocalIndex::State::find_layout(const fs::path& root, std::string stamp) {
  const std::string stem =
      root.empty() ? "" : "project-" + key_of(root.string()) + "-v" + std::to_string(kSchemaVersion);
  if (!root.empty()) {
    auto kept = [stamp](const std::vector<std::shared_ptr<Store>>& stores, Searcher&) {
      if (stores.empty() || stores[0]->meta("layout_stamp") != stamp) return std::string();
      return stores[0]->meta("layout");
    };
    std::vector<Place> places = {{options.folder, stem, nullptr}};
    const auto text = co_await search(std::move(places), kept, io::CancelScope(kLakeLimit, ended));
    if (text && !text->empty()) {
      Layout layout = layout_from_text(*text);
      std::error_code error;
      if (fs::exists(layout.sysroot / "lib/lean", error)) co_return layout;
    }
  }
  Layout layout = usual_layout(root);
  const auto lake = lean::find_lake(options.lake);
  if (!lake) {
    layout.problem = lake.error().message;
    co_return layout;
  }
  fs::path folder = root.empty() ? fs::path("/") : root;
  const auto asked = co_await ask_lake(context, *lake, std::move(folder), io::CancelScope(kLakeLimit, ended));
  if (asked && !asked->sysroot.empty()) co_return *asked;
  layout.problem = asked ? "lake does not say where its toolchain is" : asked.error().message;
  layout.sysroot = sysroot_beside(*lake);
  co_return layout;
}

asio::awaitable<void> LocalIndex::State::resolve_now(std::shared_ptr<Project> project) {
  auto compute = [root = project->root, lake = options.lake]() -> Result<std::string> {
    return layout_stamp(root, lake);
  };
  const auto stamp = co_await searching->run(compute, io::CancelScope(kLakeLimit, ended));
  project->looked = io::Clock::now();
  if (stamp && (!project->resolved || *stamp != project->stamp)) {
    Layout layout = co_await find_layout(project->root, *stamp);
    if (*stop) co_return;
    project->problem = layout.problem;
    const std::string version = "-v" + std::to_string(kSchemaVersion);
    if (!layout.sysroot.empty()) {
      project->toolchain = part("toolchain-" + key_of(toolchain_identity(layout.sysroot)) + version,
                                toolchain_name(layout.sysroot), toolchain_layout(layout.sysroot));
      project->toolchain->job.may_be_empty = false;
    }
    if (!project->root.empty()) {
      layout.project = project->root;
      project->own = part("project-" + key_of(project->root.string()) + version, "project", layout);
      project->own->job.layout_text = layout.problem.empty() ? to_text(layout) : "";
      project->own->job.layout_stamp = *stamp;
      project->own->checked = {};
    }
    project->stamp = *stamp;
    project->resolved = true;
  }
  project->resolving = false;
  notify();
}

void LocalIndex::State::refresh(const Project& project, bool all) {
  const auto now = io::Clock::now();
  const auto due = [&](const Part& part, bool changes) {
    if (all || !part.checked_once || part.check_for_damage) return true;
    if (part.shown.state == IndexStatus::State::Failed) return now - part.checked > kAfterFailure;
    return changes && now - part.checked > kCompareAgain;
  };
  if (project.own && due(*project.own, true)) start_build(project.own);
  if (project.toolchain && due(*project.toolchain, false)) start_build(project.toolchain);
}

void LocalIndex::State::start_build(std::shared_ptr<Part> part) {
  if (part->building) return;
  part->building = true;
  if (part->shown.state != IndexStatus::State::Ready) part->shown.state = IndexStatus::State::Building;
  auto work = [](std::shared_ptr<State> self, std::shared_ptr<Part> which) -> asio::awaitable<void> {
    co_await self->build_now(std::move(which));
  };
  asio::co_spawn(context, work(shared_from_this(), std::move(part)), asio::detached);
}

void LocalIndex::State::build_again(const std::set<std::string>& damaged,
                                    const std::set<std::string>& missing) {
  for (const std::string& stem : damaged)
    if (const auto part = parts.find(stem); part != parts.end()) {
      log::warn("the local index {} is damaged and is built anew", stem);
      part->second->check_for_damage = true;
      part->second->shown.state = IndexStatus::State::Building;
      start_build(part->second);
    }
  for (const std::string& stem : missing)
    if (const auto part = parts.find(stem); part != parts.end() && !part->second->building &&
                                            part->second->shown.state == IndexStatus::State::Ready) {
      part->second->shown.state = IndexStatus::State::Building;
      start_build(part->second);
    }
}

// True: the build is to be tried again there.
bool LocalIndex::State::move_to_memory(Part& part, const BuildOutcome& outcome) {
  if (outcome.end != BuildOutcome::End::Unwritable || outcome.complete || !part.why_in_memory.empty())
    return false;
  part.why_in_memory = outcome.message;
  log::warn("the local index is kept in memory: {}", outcome.message);
  return true;
}

void LocalIndex::State::apply(Part& part, BuildOutcome outcome) {
  using End = BuildOutcome::End;
  part.shown.database = outcome.database;
  part.shown.modules = outcome.progress.modules;
  part.shown.modules_total = std::max(outcome.progress.modules_total, outcome.progress.modules);
  part.shown.declarations = outcome.progress.declarations;
  if (outcome.memory) part.place.memory = outcome.memory;
  part.shown.problem = part.why_in_memory.empty() ? "" : "kept in memory: " + part.why_in_memory;
  if (outcome.end == End::Done) {
    part.shown.state = IndexStatus::State::Ready;
    part.check_for_damage = false;
    if (!outcome.problems.empty()) part.shown.problem = "not read: " + on_one_line(outcome.problems);
    if (outcome.changed)
      asio::post(context, [self = weak_from_this()] {
        if (const auto state = self.lock(); state && !*state->stop)
          asio::co_spawn(state->context,
                         state->searching->run(
                             [keep = state->thread]() -> Result<int> {
                               keep->refresh();
                               return 0;
                             },
                             io::CancelScope(kEver, state->ended)),
                         asio::detached);
      });
  } else {
    part.shown.state = outcome.complete ? IndexStatus::State::Ready : IndexStatus::State::Failed;
    part.shown.problem = (outcome.complete ? "not brought up to date: " : "") + outcome.message;
  }
}

asio::awaitable<void> LocalIndex::State::build_now(std::shared_ptr<Part> part) {
  for (;;) {
    BuildJob job = part->job;
    if (!part->why_in_memory.empty()) job.folder.clear();
    job.memory = part->place.memory;
    job.check = part->check_for_damage;
    job.stop = stop;
    job.on_progress = [self = weak_from_this(), &loop = context, part](BuildProgress progress) {
      asio::post(loop, [self, part, progress] {
        part->shown.modules = progress.modules;
        part->shown.modules_total = progress.modules_total;
        part->shown.declarations = progress.declarations;
        if (const auto state = self.lock()) state->notify();
      });
    };
    auto work = [job = std::move(job)]() -> Result<BuildOutcome> {
      lower_priority_of_this_thread();
      return bring_up_to_date(job);
    };
    auto outcome = co_await building->run(std::move(work), io::CancelScope(kEver, ended));
    if (*stop) co_return;
    if (!outcome) {
      BuildOutcome failed;
      failed.end = BuildOutcome::End::Failed;
      failed.message = outcome.error().message;
      outcome = std::move(failed);
    }
    if (outcome->end == BuildOutcome::End::Busy) {
      part->shown.problem = "process " + std::to_string(outcome->owner) + " is building it";
      part->shown.modules = outcome->progress.modules;
      part->shown.declarations = outcome->progress.declarations;
      if (outcome->complete) part->shown.state = IndexStatus::State::Ready;
      notify();
      if (co_await io::sleep_for(kAskAgain, io::CancelScope(kEver, ended)) == io::WaitStatus::Cancelled)
        co_return;
      continue;
    }
    if (move_to_memory(*part, *outcome)) continue;
    apply(*part, std::move(*outcome));
    break;
  }
  part->building = false;
  part->checked_once = true;
  part->checked = io::Clock::now();
  notify();
}

// --- the questions

namespace {

tl::unexpected<Error> ended(io::WaitStatus end) {
  if (end == io::WaitStatus::Cancelled) return call_cancelled();
  return fail(ErrorKind::Timeout, "The local index is still being built.",
              "It goes on in the background: call again later, or with a larger timeout_s.");
}

bool building(const Project& project) {
  return (project.own && project.own->building) || (project.toolchain && project.toolchain->building);
}

struct Answered {
  Matches matches;
  std::set<std::string> damaged, missing;
  std::size_t complete = 0;  ///< stores that are whole
};

ModuleNode tree_of(const std::vector<std::pair<std::string, std::size_t>>& modules, const std::string& prefix,
                   int depth) {
  ModuleNode root;
  root.name = prefix;
  for (const auto& [name, declarations] : modules) {
    if (!prefix.empty() && name != prefix && !name.starts_with(prefix + ".")) continue;
    ModuleNode* node = &root;
    ++node->modules;
    node->declarations += declarations;
    std::size_t at = prefix.empty() ? 0 : prefix.size() + 1;
    for (int level = 0; level < depth && at < name.size(); ++level) {
      const std::size_t dot = std::min(name.find('.', at), name.size());
      const std::string part = name.substr(0, dot);
      if (node->children.empty() || node->children.back().name != part)
        node->children.push_back({part, 0, 0, {}});
      node = &node->children.back();
      ++node->modules;
      node->declarations += declarations;
      at = dot + 1;
    }
  }
  return root;
}

}  // namespace

LocalIndex::LocalIndex(asio::io_context& context, IndexOptions options)
    : state_(std::make_shared<State>(context, std::move(options), this)) {}

LocalIndex::~LocalIndex() {
  *state_->stop = true;
  state_->owner = nullptr;
  state_->ended->cancel();
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
  auto generation = co_await state->search(state->places(*project), work, scope);
  co_return generation ? std::move(*generation) : std::string();
}

asio::awaitable<Result<Matches>> LocalIndex::find(Lookup lookup, io::CancelScope scope) {
  const auto state = state_;
  const auto project = co_await state->up_to_date(lookup.project, scope);
  auto work = [lookup, thread = state->thread.get()](const std::vector<std::shared_ptr<Store>>& stores,
                                                     Searcher& searcher) {
    Answered answered{searcher.search(stores, lookup), thread->take_damaged(), thread->take_missing(), 0};
    for (const auto& store : stores) answered.complete += store->complete() ? 1 : 0;
    return answered;
  };
  auto answered = co_await state->search(state->places(*project), work, scope);
  if (!answered) co_return tl::unexpected(answered.error());
  state->build_again(answered->damaged, answered->missing);
  state->refresh(*project, false);
  Matches& matches = answered->matches;
  matches.complete = project->toolchain && (project->own || lookup.project.empty()) &&
                     answered->complete == state->places(*project).size();
  matches.growing = !project->resolved || building(*project);
  co_return std::move(matches);
}

asio::awaitable<Result<std::vector<Declaration>>> LocalIndex::describe(fs::path root,
                                                                       std::vector<std::string> names,
                                                                       io::CancelScope scope) {
  const auto state = state_;
  auto work = [names = std::move(names)](const std::vector<std::shared_ptr<Store>>& stores, Searcher&) {
    std::vector<Declaration> all;
    for (const auto& store : stores)
      for (Declaration& declaration : store->named(names)) all.push_back(std::move(declaration));
    return all;
  };
  co_return co_await state->search(state->places(*state->project(root)), work, scope);
}

asio::awaitable<Result<ModuleNode>> LocalIndex::modules(fs::path root, std::string prefix, int depth,
                                                        io::CancelScope scope) {
  const auto state = state_;
  const auto project = co_await state->with_layout(root, scope);
  state->refresh(*project, false);
  auto work = [prefix, depth](const std::vector<std::shared_ptr<Store>>& stores, Searcher&) {
    std::vector<std::pair<std::string, std::size_t>> all;
    for (const auto& store : stores)
      for (auto& module : store->module_list()) all.push_back(std::move(module));
    std::sort(all.begin(), all.end());
    return tree_of(all, prefix, depth);
  };
  co_return co_await state->search(state->places(*project), work, scope);
}

asio::awaitable<Result<ModuleNode>> LocalIndex::namespaces(fs::path root, std::string prefix, int depth,
                                                           io::CancelScope scope) {
  const auto state = state_;
  auto work = [prefix, depth](const std::vector<std::shared_ptr<Store>>& stores, Searcher&) {
    std::vector<std::pair<std::string, std::size_t>> all;
    for (const auto& store : stores)
      for (std::string& name : store->names_below(prefix)) all.emplace_back(std::move(name), 1);
    std::sort(all.begin(), all.end());
    return tree_of(all, prefix, depth);
  };
  co_return co_await state->search(state->places(*state->project(root)), work, scope);
}

void LocalIndex::remember(fs::path root, std::vector<Learned> learned) {
  const auto state = state_;
  for (const Place& place : state->places(*state->project(root))) {
    auto work = [place, learned, stop = state->stop]() -> Result<int> {
      try {
        if (place.memory) {
          place.memory->learn(learned);
        } else if (const auto path = newest_database(place.folder, place.stem)) {
          Store(*path, sqlite::Database::Mode::ReadWrite, stop).learn(learned);
        }
      } catch (const sqlite::Failure& failure) {
        log::debug("what Lean said is not kept: {}", failure.what());
      }
      return 0;
    };
    asio::co_spawn(state->context,
                   state->building->run(work, io::CancelScope(std::chrono::hours(1), state->ended)),
                   asio::detached);
  }
}

asio::awaitable<Result<void>> LocalIndex::build(fs::path root, io::CancelScope scope) {
  const auto state = state_;
  const auto project = state->project(root);
  state->resolve(project);
  const auto known = [&] { return !project->resolving; };
  if (const auto end = co_await io::wait_until(changed, scope, known); end != io::WaitStatus::Ready)
    co_return ended(end);
  state->refresh(*project, true);
  const auto done = [&] { return !building(*project); };
  if (const auto end = co_await io::wait_until(changed, scope, done); end != io::WaitStatus::Ready)
    co_return ended(end);
  for (const auto& part : {project->own, project->toolchain})
    if (part && (part->shown.state != IndexStatus::State::Ready || !part->why_in_memory.empty()))
      co_return fail(ErrorKind::BackendError,
                     "The index of " + part->shown.name + ": " + part->shown.problem + ".",
                     "Correct that, or name another folder with --cache-dir.");
  if (!project->toolchain)
    co_return fail(ErrorKind::LeanUnavailable, "The toolchain was not found: " + project->problem,
                   "Check with `leanbridge doctor`; the project itself is indexed.");
  co_return Result<void>();
}

IndexStatus LocalIndex::status() const {
  IndexStatus status;
  for (const auto& [stem, part] : state_->parts) {
    status.parts.push_back(part->shown);
    if (!part->shown.database.empty()) status.parts.back().bytes = bytes_of(part->shown.database);
  }
  return status;
}

asio::awaitable<Result<IndexStatus>> LocalIndex::inspect(fs::path root, io::CancelScope scope) {
  const auto state = state_;
  const auto project = state->project(root);
  state->resolve(project);
  const auto known = [&] { return !project->resolving; };
  if (const auto end = co_await io::wait_until(changed, scope, known); end != io::WaitStatus::Ready)
    co_return ended(end);
  IndexStatus status;
  for (const auto& part : {project->own, project->toolchain}) {
    if (!part) continue;
    IndexStatus::Part shown = part->shown;
    const auto path = newest_database(part->place.folder, part->place.stem);
    if (!part->checked_once && path) {
      auto work = [](const std::vector<std::shared_ptr<Store>>& stores, Searcher&) {
        IndexStatus::Part read;
        if (stores.empty()) return read;
        read.state = stores[0]->complete() ? IndexStatus::State::Ready : IndexStatus::State::Building;
        read.declarations = stores[0]->declarations();
        read.modules = read.modules_total = stores[0]->module_count();
        return read;
      };
      std::vector<Place> places = {part->place};
      if (auto read = co_await state->search(std::move(places), work, scope)) {
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
    missing.problem = project->problem;
    status.parts.push_back(std::move(missing));
  }
  co_return status;
}

}  // namespace leanbridge::index

// The builds of a LocalIndex.

#include "local_index_state.hpp"

#include "leanbridge/base/log.hpp"
#include "leanbridge/lean/project.hpp"

#include "index/store/cache_files.hpp"

namespace leanbridge::index {

namespace fs = std::filesystem;

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

}  // namespace leanbridge::index

#include "leanbridge/index/local_index.hpp"

#include "leanbridge/base/log.hpp"

#include "index/store/cache_files.hpp"
#include "local_index_state.hpp"

#include <algorithm>

namespace leanbridge::index {

namespace fs = std::filesystem;

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

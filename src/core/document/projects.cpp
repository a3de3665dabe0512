#include "projects.hpp"

#include "core/io/task_group.hpp"
#include "scratch_pool.hpp"

#include <algorithm>

namespace leanbridge::document {

namespace {

constexpr auto kIdleStopGrace = std::chrono::seconds(2);

}  // namespace

Projects::Key Projects::key_of(const lean::ServerOptions& options) {
  return {options.root, options.lake, options.serve_args, options.environment};
}

Projects::Use Projects::use(lean::ServerOptions options, const StoreLimits& limits) {
  Shared& shared = shared_[key_of(options)];
  if (!shared.store) shared.store = DocumentStore::create(context_, pool_, std::move(options), limits);
  ++shared.users;
  shared.latest_use = ++uses_;
  return {*this, shared.store};
}

void Projects::unused(const std::shared_ptr<DocumentStore>& store) {
  const Key key = key_of(store->server().options());
  const auto shared = shared_.find(key);
  if (shared == shared_.end() || --shared->second.users > 0) return;
  io::spawn(context_, stop_when_unused(key, shared->second.latest_use, kept_, ended_));
}

asio::awaitable<void> Projects::stop_when_unused(Key key, std::uint64_t use, io::Clock::duration kept,
                                                 std::shared_ptr<io::CancelSource> ended) {
  co_await io::sleep_for(kept, io::CancelScope(2 * kept, ended));
  if (ended->cancelled()) co_return;
  const auto shared = shared_.find(key);
  if (shared == shared_.end() || shared->second.latest_use != use) co_return;
  const auto store = shared->second.store;
  shared_.erase(shared);
  co_await store->server().stop(kIdleStopGrace);
}

// --- with widgets

std::shared_ptr<DocumentStore> Projects::with_widgets(lean::ServerOptions options, StoreLimits limits) {
  const Key key = key_of(options);
  const io::Clock::duration idle = limits.scratch.max_idle;
  Shared& tagged = tagged_[key];
  if (!tagged.store) {
    options.has_widgets = true;
    limits.max_open = 1;
    tagged.store = DocumentStore::create(context_, pool_, std::move(options), std::move(limits));
  }
  tagged.latest_use = ++uses_;
  io::spawn(context_, stop_when_idle(key, tagged.latest_use, idle, ended_));
  return tagged.store;
}

std::shared_ptr<DocumentStore> Projects::find_with_widgets(const lean::ServerOptions& options) const {
  const auto tagged = tagged_.find(key_of(options));
  return tagged == tagged_.end() ? nullptr : tagged->second.store;
}

asio::awaitable<void> Projects::stop_when_idle(Key key, std::uint64_t use, io::Clock::duration idle,
                                               std::shared_ptr<io::CancelSource> ended) {
  for (;;) {
    co_await io::sleep_for(idle, io::CancelScope(2 * idle, ended));
    if (ended->cancelled()) co_return;
    const auto tagged = tagged_.find(key);
    if (tagged == tagged_.end() || tagged->second.latest_use != use) co_return;  // a later use takes over
    const auto store = tagged->second.store;
    const auto documents = store->documents();
    const auto is_in_use = [](const auto& document) { return document->usage.in_use > 0; };
    if (std::ranges::any_of(documents, is_in_use)) continue;
    tagged_.erase(tagged);
    co_return co_await store->server().stop(kIdleStopGrace);
  }
}

// --- memory

bool Projects::close_idlest(io::Clock::duration min_idle) {
  const std::string why = "memory was short";
  // The workers for attempts go first: no file has to be opened again for them.
  for (const auto& store : all())
    if (store->scratch()->close_idle()) return true;
  for (const auto& store : idle_servers(min_idle))
    if (store->open_count() == 0) {
      io::spawn(context_, store->end_idle_server(why, kIdleStopGrace));
      return true;
    }
  std::shared_ptr<DocumentStore> owner;
  std::shared_ptr<Document> oldest;
  for (const auto& store : all())
    if (auto document = store->idlest();
        document && (!oldest || document->usage.last_used < oldest->usage.last_used)) {
      owner = store;
      oldest = std::move(document);
    }
  if (!oldest || io::Clock::now() - oldest->usage.last_used < min_idle) return false;
  owner->close_because(*oldest, why);
  return true;
}

void Projects::end_idle_servers(std::size_t most, io::Clock::duration min_idle) {
  const auto stores = all();
  auto running = static_cast<std::size_t>(
      std::ranges::count_if(stores, [](const auto& store) { return store->server().pid() != 0; }));
  for (const auto& store : idle_servers(min_idle)) {
    if (running <= most) return;
    --running;
    io::spawn(context_, store->end_idle_server("Lean ran for more than " + std::to_string(most) +
                                                   " projects, and this one was idle",
                                               kIdleStopGrace));
  }
}

std::vector<std::shared_ptr<DocumentStore>> Projects::idle_servers(io::Clock::duration min_idle) const {
  std::vector<std::pair<io::Clock::time_point, std::shared_ptr<DocumentStore>>> idle;
  for (const auto& store : all())
    if (const auto since = store->idle_since(); since && io::Clock::now() - *since >= min_idle)
      idle.emplace_back(*since, store);
  std::ranges::sort(idle);
  std::vector<std::shared_ptr<DocumentStore>> stores;
  for (auto& [since, store] : idle) stores.push_back(std::move(store));
  return stores;
}

// --- the starts

asio::awaitable<void> Projects::wait_while_starting(std::filesystem::path root, io::CancelScope scope) const {
  for (const auto& store : all())
    if (store->root() == root) co_await store->server().wait_while_starting(scope);
}

// --- the end

std::vector<std::shared_ptr<DocumentStore>> Projects::all() const {
  std::vector<std::shared_ptr<DocumentStore>> all;
  all.reserve(shared_.size() + tagged_.size());
  for (const auto& [key, shared] : shared_) all.push_back(shared.store);
  for (const auto& [key, tagged] : tagged_) all.push_back(tagged.store);
  return all;
}

asio::awaitable<void> Projects::stop(io::Clock::duration grace) {
  // All at once, so that it takes only as long as the slowest.
  io::TaskGroup stopping;
  const auto stores = all();
  for (const auto& store : stores) stopping.start(context_.get_executor(), store->server().stop(grace));
  co_await stopping.wait(io::CancelScope(3 * grace));
  kill();
}

void Projects::kill() {
  for (const auto& store : all()) store->server().kill();
}

}  // namespace leanbridge::document

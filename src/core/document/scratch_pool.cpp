#include "scratch_pool.hpp"

#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/lean/unbuilt_imports.hpp"
#include "scratch_links.hpp"

#include <algorithm>

namespace leanbridge::document {

namespace {

constexpr auto kMeasureLimit = std::chrono::seconds(10);  // for looking at memory
constexpr auto kPrepareLimit = std::chrono::minutes(1);
constexpr double kComputingShare = 0.05;  // of one core; an idle worker computes nothing

std::size_t common_prefix(const std::string& a, const std::string& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

}  // namespace

ScratchPool::ScratchPool(asio::io_context& context, io::Pool& pool, std::weak_ptr<DocumentStore> store,
                         ScratchLimits limits)
    : context_(context), pool_(pool), store_(std::move(store)), limits_(std::move(limits)) {}

ScratchPool::~ScratchPool() = default;

// --- one scratch document

Scratch::~Scratch() {
  if (document_) pool_->release(document_);
}

void Scratch::set_text(std::string text) {
  ScratchPool::Slot* const slot = pool_->slot_of(*document_);
  if (slot) slot->too_large = false;
  // Without its link, the document would silently have other options than the file.
  const auto linked =
      slot && !slot->file.empty() ? pool_->links_->point(document_->path, slot->file) : Result<void>();
  if (!linked) return store_->end_scratch_worker(*document_, linked.error().message);
  store_->set_scratch_text(*document_, text::Text(std::move(text)), imports_);
}

void Scratch::abandon_text() {
  if (ScratchPool::Slot* slot = pool_->slot_of(*document_)) ++slot->stuck;
}

void Scratch::recovered() {
  ScratchPool::Slot* slot = pool_->slot_of(*document_);
  if (slot && slot->stuck > 0) --slot->stuck;
}

bool Scratch::needs_restart() const {
  const ScratchPool::Slot* slot = pool_->slot_of(*document_);
  return slot && slot->stuck >= pool_->limits_.max_stuck;
}

void Scratch::renew() {
  store_->close_scratch(*document_);
  ScratchPool::Slot* slot = pool_->slot_of(*document_);
  if (!slot) return;
  slot->stuck = 0;
  slot->bytes = 0;
  slot->settled = false;
}

bool Scratch::evicted_for_memory() const {
  const ScratchPool::Slot* slot = pool_->slot_of(*document_);
  return slot && slot->too_large;
}

std::int64_t Scratch::resident_bytes() const {
  const ScratchPool::Slot* slot = pool_->slot_of(*document_);
  return slot ? slot->bytes : 0;
}

// --- choosing one

ScratchPool::Slot* ScratchPool::slot_of(const Document& document) {
  const auto found =
      std::ranges::find_if(slots_, [&](const Slot& slot) { return slot.document.get() == &document; });
  return found == slots_.end() ? nullptr : &*found;
}

ScratchPool::Slot* ScratchPool::warmest(const Request& request) {
  Slot* best = nullptr;
  std::size_t most = 0;
  for (Slot& slot : slots_) {
    if (slot.in_use || slot.file != request.file) continue;
    if (!slot.document->is_open_with(request.header, request.imports)) continue;
    const std::size_t common = common_prefix(slot.document->state.text().str(), request.text);
    if (!best || common > most) {
      best = &slot;
      most = common;
    }
  }
  return best;
}

// If no document can continue with the text: removes closed documents; then prefers one with stale imports,
// then a new worker if there is room, then the document that has been free longest.
ScratchPool::Slot* ScratchPool::choose(Request& request) {
  if (Slot* best = warmest(request)) return best;
  std::erase_if(slots_, [&](const Slot& slot) {
    const bool gone = !slot.in_use && !slot.document->state.open();  // its server is gone
    if (gone) remove(*slot.document);
    return gone;
  });
  Slot* oldest = nullptr;
  for (Slot& slot : slots_) {
    if (slot.in_use) continue;
    if (slot.file == request.file && slot.document->disk.header.words == request.header.words)
      return &slot;  // its imports are out of date
    if (!oldest || slot.free_since < oldest->free_since) oldest = &slot;
  }
  const bool is_full = slots_.size() >= limits_.max_workers || !has_room();
  if (is_full && (!oldest || oldest->file == request.file)) return oldest;
  auto slot = new_slot(request.file);
  if (!slot) {
    request.failure = slot.error();
    return nullptr;
  }
  if (!is_full) return &slots_.emplace_back(std::move(*slot));
  // A document cannot change its path, so a new one replaces it, and its worker ends.
  remove(*oldest->document);
  *oldest = std::move(*slot);
  return oldest;
}

Result<ScratchPool::Slot> ScratchPool::new_slot(const std::filesystem::path& file) {
  const auto store = store_.lock();
  if (!store) return fail(ErrorKind::Internal, "The project was closed.");
  const int number = next_number_++;
  // No file is ever written below the root, so this name cannot be one of a file.
  std::filesystem::path path = store->root() / (kScratchName + std::to_string(number));
  if (!file.empty()) {
    path = links_->path_of(number);
    TRY_DONE(links_->point(path, file));
  }
  Slot slot;
  slot.file = file;
  slot.document = store->make_scratch(std::move(path), file);
  return slot;
}

void ScratchPool::remove(Document& document) {
  if (const auto store = store_.lock()) store->remove_scratch(document);
  if (links_) links_->remove(document.path);
}

bool ScratchPool::has_room() const {
  std::int64_t bytes = largest_worker_;
  for (const Slot& slot : slots_) bytes += slot.settled ? slot.bytes : std::max(slot.bytes, largest_worker_);
  return slots_.empty() || bytes <= limits_.max_bytes;
}

asio::awaitable<Result<lean::ImportState>> ScratchPool::imports_on_disk(std::vector<std::string> imports,
                                                                        io::CancelScope scope) {
  const auto store = store_.lock();
  if (!store || imports.empty()) co_return lean::ImportState();
  using Seen = std::pair<lean::ImportState, lean::ImportWatch>;
  auto watch = std::exchange(import_watch_, std::nullopt).value_or(lean::ImportWatch(store->root()));
  auto look = [root = store->root(), watch = std::move(watch),
               imports = std::move(imports)]() mutable -> Result<Seen> {
    auto state = watch.state_of(imports);
    TRY_DONE(lean::check_imports_are_built(root, imports, state));
    return Seen{std::move(state), std::move(watch)};
  };
  CO_TRY(auto seen, co_await pool_.run(std::move(look), scope));
  import_watch_ = std::move(seen.second);
  co_return std::move(seen.first);
}

asio::awaitable<Result<void>> ScratchPool::make_links(io::CancelScope scope) {
  if (links_) co_return Result<void>();
  const auto make = [parent = limits_.links]() -> Result<std::shared_ptr<ScratchLinks>> {
    TRY(auto links, ScratchLinks::create(parent));
    return std::make_shared<ScratchLinks>(std::move(links));
  };
  CO_TRY(auto links, co_await pool_.run(make, std::move(scope)));
  if (!links_) links_ = std::move(links);  // another call may have been quicker
  co_return Result<void>();
}

asio::awaitable<Result<Scratch>> ScratchPool::acquire(std::string text, io::CancelScope scope,
                                                      std::filesystem::path file) {
  const auto self = shared_from_this();
  const auto store = store_.lock();
  if (!store) co_return fail(ErrorKind::Internal, "The project was closed.");
  CO_CHECK(co_await store->server().ensure_ready(scope));
  Request request;
  request.header = text::parse_lean_header(text);
  request.file = std::move(file);
  request.text = std::move(text);
  if (!request.file.empty()) {
    CO_CHECK(co_await make_links(scope));
  }
  CO_TRY(request.imports, co_await imports_on_disk(request.header.imported_modules(), scope));
  if (!slots_.empty() && slots_.size() < limits_.max_workers && !warmest(request)) co_await measure(scope);

  Slot* slot = nullptr;
  io::TurnQueue::Place mine(scope);
  waiting_.join(mine);
  const auto is_mine = [&] {
    return waiting_.first() == &mine && ((slot = choose(request)) != nullptr || request.failure);
  };
  const io::WaitStatus end = co_await io::wait_until(changed_, scope, is_mine);
  mine.unlink();
  if (end == io::WaitStatus::Ready) waiting_.served(mine);
  if (!waiting_.empty()) changed_.notify_all();  // another request may have its turn now
  if (end == io::WaitStatus::Cancelled) co_return call_cancelled();
  if (end == io::WaitStatus::TimedOut)
    co_return fail(ErrorKind::Timeout, "All scratch documents were in use until the call's deadline.",
                   "Call again with a larger timeout_s, or make fewer calls at once.");
  if (!slot) co_return tl::unexpected(*request.failure);
  take(*slot, request);
  co_return Scratch(self, store, slot->document, std::move(request.imports));
}

void ScratchPool::take(Slot& slot, const Request& request) {
  slot.in_use = true;
  slot.too_large = false;
  if (const auto store = store_.lock();
      store && !slot.document->is_open_with(request.header, request.imports)) {
    slot.settled = false;
    store->close_scratch(*slot.document);  // now, so that the old text cannot pass for the new one
  }
  if (std::exchange(watching_, true)) return;
  io::spawn(context_.get_executor(), [self = shared_from_this()] { return self->watch(); });
}

// --- ahead of the first use

void ScratchPool::prepare(const Document& document) {
  const auto now = io::Clock::now();
  if (!limits_.free_bytes || memory_was_short_ || !slots_.empty() || preparing_) return;
  if (now < next_preparation_) return;  // measure memory rarely while it is scarce, not for each goal
  preparing_ = true;
  next_preparation_ = now + limits_.look_every;
  std::string header = document.state.text().str().substr(0, document.disk.header.end) + "\n";
  io::spawn(context_.get_executor(),
            [self = shared_from_this(), header = std::move(header), file = document.path]() mutable {
              return self->start_prepared(std::move(header), std::move(file));
            });
}

asio::awaitable<void> ScratchPool::start_prepared(std::string header, std::filesystem::path file) {
  const auto self = shared_from_this();
  const io::CancelScope scope(limits_.prepare_after + kPrepareLimit);
  co_await io::sleep_for(limits_.prepare_after, scope);
  co_await measure(scope);  // the file's own worker shows how much another one takes
  const auto look = [free = limits_.free_bytes]() -> Result<std::int64_t> { return free(); };
  const auto free = co_await pool_.run(look, scope);
  const auto store = store_.lock();
  const bool still_runs = store && store->server().pid() != 0;
  if (free && *free >= 2 * largest_worker_ && still_runs && slots_.empty() && !memory_was_short_) {
    auto scratch = co_await acquire(header, scope, std::move(file));
    if (scratch && !scratch->document()->state.open()) scratch->set_text(std::move(header));
  }
  preparing_ = false;
}

bool ScratchPool::is_in_use() const {
  return preparing_ || std::ranges::any_of(slots_, [](const Slot& slot) { return slot.in_use; });
}

bool ScratchPool::close_free() {
  std::vector<std::shared_ptr<Document>> idle;
  for (const Slot& slot : slots_)
    if (!slot.in_use && slot.document->state.open()) idle.push_back(slot.document);
  for (const auto& document : idle) discard(document);
  return !idle.empty();
}

// --- giving back, and the memory limit

void ScratchPool::release(const std::shared_ptr<Document>& document) {
  Slot* slot = slot_of(*document);
  if (!slot) return;
  slot->in_use = false;
  slot->free_since = io::Clock::now();
  if (slot->stuck >= limits_.max_stuck || !document->state.open())
    discard(document);
  else
    io::spawn(context_.get_executor(),
              [self = shared_from_this(), document] { return self->look_after(document); });
  changed_.notify_all();
}

void ScratchPool::discard(const std::shared_ptr<Document>& document) {
  remove(*document);
  std::erase_if(slots_, [&](const Slot& slot) { return slot.document == document; });
}

asio::awaitable<void> ScratchPool::measure(io::CancelScope scope) {
  const auto self = shared_from_this();
  const auto store = store_.lock();
  if (!store) co_return;
  const auto look = [see = limits_.measure,
                     server = store->server().pid()]() -> Result<std::vector<lean::WorkerProcess>> {
    return see(server);
  };
  const auto workers = co_await pool_.run(look, scope);
  if (!workers || workers->empty()) co_return;
  largest_worker_ = 0;
  for (Slot& slot : slots_) {
    slot.bytes = 0;
    slot.processor_seconds = 0;
  }
  for (const lean::WorkerProcess& worker : *workers) {
    largest_worker_ = std::max(largest_worker_, worker.resident_bytes);
    for (Slot& slot : slots_)
      if (slot.document->uri == worker.uri && slot.document->state.open()) {
        slot.bytes += worker.resident_bytes;
        slot.processor_seconds += worker.processor_seconds;
      }
  }
}

// Ends the worker of a document in use; its user sees a crash with this reason.
void ScratchPool::evict(Slot& slot, const std::string& why) {
  log::info("closing {}: {}", slot.document->path.filename().string(), why);
  slot.bytes = 0;
  slot.settled = false;
  slot.too_large = true;
  if (const auto store = store_.lock()) store->end_scratch_worker(*slot.document, why);
}

// Never closes the user's own documents: the user decides how much they may cost by opening them.
void ScratchPool::enforce_memory_limit() {
  for (Slot& slot : slots_)
    if (slot.in_use && limits_.max_worker_bytes > 0 && slot.bytes > limits_.max_worker_bytes)
      evict(slot, "Its worker uses " + std::to_string(slot.bytes >> 20) + " MB, above the limit of " +
                      std::to_string(limits_.max_worker_bytes >> 20) + " MB, and was ended.");
  for (;;) {
    std::int64_t total = 0;
    Slot* largest = nullptr;  // an idle one if there is one
    for (Slot& slot : slots_) {
      total += slot.bytes;
      const bool before =
          largest && (slot.in_use != largest->in_use ? slot.in_use : slot.bytes <= largest->bytes);
      if (slot.bytes > 0 && !before) largest = &slot;
    }
    if (total <= limits_.max_bytes) return;
    const std::string why = "The scratch workers of the project use " + std::to_string(total >> 20) +
                            " MB, above the limit of " + std::to_string(limits_.max_bytes >> 20) +
                            " MB (--max-worker-memory); its worker, the largest, was ended.";
    if (largest->in_use) {
      evict(*largest, why);
    } else {
      log::info("closing {}: {}", largest->document->path.filename().string(), why);
      discard(largest->document);
    }
  }
}

// Runs while any document is in use.
asio::awaitable<void> ScratchPool::watch() {
  const auto self = shared_from_this();
  while (std::ranges::any_of(slots_, [](const Slot& slot) { return slot.in_use; })) {
    const io::CancelScope scope(limits_.look_every + kMeasureLimit);
    co_await io::sleep_for(limits_.look_every, scope);
    co_await measure(scope);
    enforce_memory_limit();
    changed_.notify_all();
  }
  watching_ = false;
}

// Whether its worker is seen to compute after the time that it has to leave abandoned texts. Looks until the
// document is used or `idle` is over, each time over a longer while: where others want the processors, too, a
// worker may get next to nothing of them at first.
asio::awaitable<bool> ScratchPool::holds_on(const Document& document, const std::function<bool()>& is_used,
                                            io::CancelScope idle) {
  using Seconds = std::chrono::duration<double>;
  std::optional<double> before;
  io::Clock::duration pause = limits_.leave_limit;
  io::Clock::duration next_pause = limits_.leave_limit / 5;
  while (io::Clock::now() + pause < idle.deadline) {
    if (co_await io::wait_until(changed_, io::CancelScope(pause), is_used) != io::WaitStatus::TimedOut) break;
    co_await measure(io::CancelScope(kMeasureLimit));
    const Slot* slot = slot_of(document);
    if (!slot || is_used() || !document.state.open()) break;
    std::optional<double> now;
    if (document.state.done()) now = slot->processor_seconds;  // else Lean still works on its present text
    if (before && now && *now - *before > kComputingShare * Seconds(pause).count()) co_return true;
    before = now;
    pause = std::exchange(next_pause, 2 * next_pause);
  }
  co_return false;
}

// Runs after each use: measures the document, and closes it when it has been unused for a while, or if its
// worker goes on computing.
asio::awaitable<void> ScratchPool::look_after(std::shared_ptr<Document> document) {
  const auto self = shared_from_this();
  const Slot* slot = slot_of(*document);
  if (!slot) co_return;
  const io::Clock::time_point freed = slot->free_since;
  const auto still_free = [&]() -> Slot* {
    Slot* now = slot_of(*document);
    return now && !now->in_use && now->free_since == freed ? now : nullptr;
  };
  const io::CancelScope scope(kMeasureLimit);
  co_await measure(scope);
  if (Slot* now = still_free())
    now->settled = now->settled || (now->bytes > 0 && document->state.header_settled());
  enforce_memory_limit();
  changed_.notify_all();
  const auto used = [&] { return !still_free(); };
  const io::CancelScope idle(limits_.max_idle);
  const Slot* now = still_free();
  if (now && now->stuck > 0 && co_await holds_on(*document, used, idle)) {
    log::info("closing {}: it was told to leave a text, and goes on", document->path.filename().string());
    discard(document);
    changed_.notify_all();
    co_return;
  }
  if (co_await io::wait_until(changed_, idle, used) == io::WaitStatus::TimedOut && still_free())
    discard(document);
}

std::vector<ScratchPool::SlotState> ScratchPool::slots() const {
  std::vector<SlotState> states;
  for (const Slot& slot : slots_) {
    const Document& document = *slot.document;
    states.push_back({document.path.filename().string(), document.state.open(), slot.in_use, slot.bytes});
  }
  return states;
}

std::size_t ScratchPool::warm_slots() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      slots_, [](const Slot& slot) { return !slot.in_use && slot.document->state.open(); }));
}

std::size_t ScratchPool::warm_slots_for(const std::filesystem::path& file) const {
  return static_cast<std::size_t>(std::ranges::count_if(slots_, [&](const Slot& slot) {
    return !slot.in_use && slot.document->state.open() && slot.file == file;
  }));
}

}  // namespace leanbridge::document

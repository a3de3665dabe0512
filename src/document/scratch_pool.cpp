#include "leanbridge/document/scratch_pool.hpp"

#include "leanbridge/base/log.hpp"
#include "leanbridge/io/process_tree.hpp"
#include "leanbridge/lean/imports.hpp"

#include <algorithm>

namespace leanbridge::document {

namespace {

std::size_t common_prefix(const std::string& a, const std::string& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

// Resident memory of the worker of a document, 0 when it is not found.
std::int64_t worker_bytes(int server, const std::string& uri) {
  std::int64_t bytes = 0;
  for (const io::ProcessInfo& process : io::descendants(server))
    if (std::find(process.arguments.begin(), process.arguments.end(), uri) != process.arguments.end())
      bytes = std::max(bytes, process.resident_bytes);
  return bytes;
}

}  // namespace

Scratch::~Scratch() {
  if (document_) pool_->release(document_);
}

void Scratch::set_text(std::string text) {
  table_->set_scratch_text(*document_, text::Text(std::move(text)));
}

void Scratch::gave_up() {
  if (ScratchPool::Slot* slot = pool_->slot_of(*document_)) ++slot->stuck;
}

ScratchPool::Slot* ScratchPool::slot_of(const Document& document) {
  const auto found = std::find_if(slots_.begin(), slots_.end(),
                                  [&](const Slot& slot) { return slot.document.get() == &document; });
  return found == slots_.end() ? nullptr : &*found;
}

// The free slot with the longest beginning in common; one with another header is of no use to anybody but as
// room.
ScratchPool::Slot* ScratchPool::choose(const std::string& text) {
  const lean::Header header = lean::parse_header(text);
  Slot* best = nullptr;
  Slot* other = nullptr;
  std::size_t most = 0;
  for (Slot& slot : slots_) {
    if (slot.in_use) continue;
    if (!slot.document->state.open() || slot.document->header.words != header.words) {
      other = &slot;
      continue;
    }
    const std::size_t common = common_prefix(slot.document->state.text().str(), text);
    if (!best || common > most) {
      best = &slot;
      most = common;
    }
  }
  if (best) return best;
  if (slots_.size() < limits_.max_slots) {
    if (const auto table = table_.lock()) {
      slots_.push_back(Slot{table->make_scratch(next_number_++), false, 0, {}});
      return &slots_.back();
    }
  }
  return other;
}

asio::awaitable<Result<Scratch>> ScratchPool::acquire(std::string text, io::Scope scope) {
  const auto self = shared_from_this();
  const auto table = table_.lock();
  if (!table) co_return fail(ErrorKind::Internal, "The project is gone.");
  if (auto ready = co_await table->server().ensure_ready(scope); !ready)
    co_return tl::unexpected(ready.error());
  Slot* slot = nullptr;
  const auto free = [&] { return (slot = choose(text)) != nullptr; };
  const io::WaitEnd end = co_await io::wait_until(changed_, scope, free);
  if (end == io::WaitEnd::Cancelled) co_return fail(ErrorKind::Cancelled, "The call was cancelled.");
  if (end == io::WaitEnd::TimedOut)
    co_return fail(ErrorKind::Timeout, "All scratch documents were in use until the call's deadline.",
                   "Call again with a larger timeout_s, or with fewer calls at once.");
  slot->in_use = true;
  co_return Scratch(self, table, slot->document);
}

void ScratchPool::release(const std::shared_ptr<Document>& document) {
  Slot* slot = slot_of(*document);
  if (!slot) return;
  slot->in_use = false;
  slot->free_since = io::Clock::now();
  if (slot->stuck >= limits_.max_stuck)
    discard(document);
  else
    asio::co_spawn(
        context_, [self = shared_from_this(), document] { return self->look_after(document); },
        asio::detached);
  changed_.notify_all();
}

void ScratchPool::discard(const std::shared_ptr<Document>& document) {
  if (const auto table = table_.lock()) table->remove_scratch(*document);
  std::erase_if(slots_, [&](const Slot& slot) { return slot.document == document; });
}

// After a use: closes the document when its worker has grown too large, else when nobody has used it for a
// while.
asio::awaitable<void> ScratchPool::look_after(std::shared_ptr<Document> document) {
  const auto self = shared_from_this();
  const auto table = table_.lock();
  const Slot* slot = slot_of(*document);
  if (!table || !slot) co_return;
  const io::Clock::time_point freed = slot->free_since;
  const auto still_free = [&] {
    const Slot* now = slot_of(*document);
    return now && !now->in_use && now->free_since == freed;
  };
  const auto measure = [server = table->server().pid(), uri = document->uri]() -> Result<std::int64_t> {
    return worker_bytes(server, uri);
  };
  const io::Scope scope(std::chrono::seconds(10));
  const auto bytes = co_await pool_.run(measure, scope);
  if (bytes && *bytes > limits_.max_worker_bytes && still_free()) {
    log::info("{} is closed: its worker has {} MB", document->name, *bytes >> 20);
    discard(document);
    changed_.notify_all();
    co_return;
  }
  const io::Scope idle(limits_.max_idle);
  const auto used = [&] { return !still_free(); };
  if (co_await io::wait_until(changed_, idle, used) == io::WaitEnd::TimedOut && still_free())
    discard(document);
}

std::vector<ScratchPool::SlotState> ScratchPool::slots() const {
  std::vector<SlotState> states;
  for (const Slot& slot : slots_)
    states.push_back(
        {slot.document->name, slot.document->state.open(), slot.in_use, slot.document->state.text().size()});
  return states;
}

void ScratchPool::close_idle() {
  std::vector<std::shared_ptr<Document>> idle;
  for (const Slot& slot : slots_)
    if (!slot.in_use) idle.push_back(slot.document);
  for (const auto& document : idle) discard(document);
}

}  // namespace leanbridge::document

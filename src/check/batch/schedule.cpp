#include "schedule.hpp"

#include "core/text/lean_header.hpp"

#include <algorithm>

namespace leanbridge::batch {

HeaderKey header_key(const Item& item) {
  return {item.text.substr(0, text::parse_lean_header(item.text).end), item.file};
}

std::size_t Schedule::add_worker() {
  workers_.emplace_back();
  return workers_.size() - 1;
}

void Schedule::remove_worker(std::size_t worker) {
  workers_[worker] = {Activity::Gone, std::nullopt, 0};
}

void Schedule::add(Item item) {
  HeaderKey key = header_key(item);
  bytes_ += item.text.size();
  waiting_.push_back({std::move(item), std::move(key), 0});
}

void Schedule::give_back(std::size_t worker, Item item) {
  HeaderKey key = header_key(item);
  bytes_ += item.text.size();
  waiting_.push_front({std::move(item), std::move(key), limits_.max_passed});
  release(worker);
}

void Schedule::release(std::size_t worker) {
  workers_[worker].activity = Activity::Idle;
}

std::size_t Schedule::busy() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(workers_, [](const Worker& one) { return one.activity == Activity::Busy; }));
}

std::optional<std::size_t> Schedule::idle_with(const HeaderKey& key) const {
  for (std::size_t i = 0; i < workers_.size(); ++i)
    if (workers_[i].activity == Activity::Idle && workers_[i].loaded == key) return i;
  return std::nullopt;
}

std::size_t Schedule::holders(const HeaderKey& key) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      workers_, [&](const Worker& one) { return one.activity != Activity::Gone && one.loaded == key; }));
}

std::size_t Schedule::waiting_for(const HeaderKey& key) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(waiting_, [&](const Waiting& one) { return one.key == key; }));
}

// The idle worker whose header is least needed: a worker without any, then the one that has been idle
// longest.
std::optional<std::size_t> Schedule::most_dispensable() const {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const Worker& one = workers_[i];
    if (one.activity != Activity::Idle) continue;
    if (!best || (!one.loaded && workers_[*best].loaded) ||
        (one.loaded.has_value() == workers_[*best].loaded.has_value() &&
         one.last_used < workers_[*best].last_used))
      best = i;
  }
  return best;
}

// Whether another worker should load a header that busy workers have. A worker that would lose its own header
// for it waits until there is more work than the busy ones will soon have done.
bool Schedule::is_worth_loading(const HeaderKey& key, const Worker& by) const {
  return !by.loaded || closed_ || waiting_for(key) >= 2 * holders(key);
}

Schedule::Assignment Schedule::assign(Place place, std::size_t worker) {
  for (auto earlier = waiting_.begin(); earlier != place; ++earlier) ++earlier->passed;
  Worker& one = workers_[worker];
  one = {Activity::Busy, std::move(place->key), ++taken_};
  Assignment assignment{worker, std::move(place->item)};
  bytes_ -= assignment.item.text.size();
  waiting_.erase(place);
  return assignment;
}

std::optional<Schedule::Assignment> Schedule::take() {
  const auto dispensable = most_dispensable();
  if (waiting_.empty() || !dispensable) return std::nullopt;
  if (waiting_.front().passed >= limits_.max_passed)
    return assign(waiting_.begin(), idle_with(waiting_.front().key).value_or(*dispensable));
  // Idle workers take items for their own headers first. Behind this loop, no idle worker has such an item.
  for (auto place = waiting_.begin(); place != waiting_.end(); ++place)
    if (const auto worker = idle_with(place->key)) return assign(place, *worker);
  for (auto place = waiting_.begin(); place != waiting_.end(); ++place)
    if (holders(place->key) == 0) return assign(place, *dispensable);
  for (auto place = waiting_.begin(); place != waiting_.end(); ++place)
    if (is_worth_loading(place->key, workers_[*dispensable])) return assign(place, *dispensable);
  return std::nullopt;
}

}  // namespace leanbridge::batch

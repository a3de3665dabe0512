#include "turn_queue.hpp"

#include <set>

namespace leanbridge::io {

TurnQueue::Place* TurnQueue::first() {
  Place* best = nullptr;
  std::uint64_t best_turn = 0;
  for (Place& place : waiting_) {
    const auto known = last_turns_.find(place.client);
    const std::uint64_t turn = known == last_turns_.end() ? 0 : known->second;
    if (best && turn >= best_turn) continue;
    best = &place;
    best_turn = turn;
    if (turn == 0) break;
  }
  return best;
}

void TurnQueue::served(const Place& place) {
  last_turns_[place.client] = ++turns_;
  std::set<std::uint64_t> waiting;
  for (const Place& each : waiting_) waiting.insert(each.client);
  std::erase_if(last_turns_, [&](const auto& each) { return !waiting.contains(each.first); });
}

}  // namespace leanbridge::io

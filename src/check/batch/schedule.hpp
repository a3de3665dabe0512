#pragma once
/// Decides which worker gets which item next. A state machine without I/O.

#include "item.hpp"

#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::batch {

/// The state that a worker must have loaded to continue with a text: its header, byte for byte, since Lean
/// imports again if even a comment in it differs, and the options of a library.
struct HeaderKey {
  std::string header;
  std::filesystem::path file;  ///< Item::file

  friend bool operator==(const HeaderKey&, const HeaderKey&) = default;
};
HeaderKey header_key(const Item& item);

struct ScheduleLimits {
  std::size_t max_items = 256;  ///< of waiting items
  std::size_t max_bytes = std::size_t{32} << 20;
  /// An item is taken next once this many later ones were taken: a rare header must not wait until the input
  /// ends.
  std::size_t max_passed = 512;
};

/// The waiting items, and the header that each worker has loaded. An item goes to an idle worker that has its
/// header, otherwise to a worker that loses nothing by it. The decisions affect only the time, not the
/// verdicts.
class Schedule {
 public:
  explicit Schedule(ScheduleLimits limits = {}) : limits_(limits) {}

  /// Adds a worker that is idle and has loaded nothing. Workers are numbered from 0.
  std::size_t add_worker();
  /// The worker takes no more items.
  void remove_worker(std::size_t worker);

  /// False: add no more items until one is taken.
  bool has_room() const { return waiting_.size() < limits_.max_items && bytes_ < limits_.max_bytes; }
  void add(Item item);
  /// Tells that no more items will be added, so that waiting for a warm worker does not pay any more.
  void close() { closed_ = true; }

  struct Assignment {
    std::size_t worker = 0;
    Item item;
  };
  /// The next item that an idle worker should take, if any. That worker becomes busy.
  std::optional<Assignment> take();
  /// The worker becomes idle, with the header of its last item loaded.
  void release(std::size_t worker);
  /// The worker could not judge its item, which goes to the front of the queue. The worker becomes idle.
  void give_back(std::size_t worker, Item item);

  std::size_t waiting() const { return waiting_.size(); }
  std::size_t busy() const;
  /// Whether no item waits or runs, and none will be added.
  bool is_finished() const { return closed_ && waiting_.empty() && busy() == 0; }

 private:
  enum class Activity { Idle, Busy, Gone };
  struct Worker {
    Activity activity = Activity::Idle;
    std::optional<HeaderKey> loaded;
    std::size_t last_used = 0;  ///< when it took its last item
  };
  struct Waiting {
    Item item;
    HeaderKey key;
    std::size_t passed = 0;  ///< number of later items that were taken
  };
  using Place = std::list<Waiting>::iterator;

  std::optional<std::size_t> idle_with(const HeaderKey& key) const;
  std::size_t holders(const HeaderKey& key) const;
  std::size_t waiting_for(const HeaderKey& key) const;
  std::optional<std::size_t> most_dispensable() const;
  bool is_worth_loading(const HeaderKey& key, const Worker& by) const;
  Assignment assign(Place place, std::size_t worker);

  ScheduleLimits limits_;
  std::vector<Worker> workers_;
  std::list<Waiting> waiting_;
  std::size_t bytes_ = 0;
  std::size_t taken_ = 0;
  bool closed_ = false;
};

}  // namespace leanbridge::batch

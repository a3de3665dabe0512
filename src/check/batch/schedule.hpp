#pragma once
/// Which worker gets which item next. A state machine without I/O.

#include "item.hpp"

#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::batch {

/// What a worker must have loaded to go on with a text: its header, byte for byte, since Lean imports again
/// where even a comment in it differs; with the options of a library.
struct HeaderKey {
  std::string header;
  std::filesystem::path file;  ///< Item::file

  friend bool operator==(const HeaderKey&, const HeaderKey&) = default;
};
HeaderKey header_key(const Item& item);

struct ScheduleLimits {
  std::size_t max_items = 256;  ///< waiting ones
  std::size_t max_bytes = std::size_t{32} << 20;
  /// An item is taken next once so many later ones were: a rare header must not wait until the input ends.
  std::size_t max_passed = 512;
};

/// The items that wait, and the header that each worker has loaded. An item goes to an idle worker that has
/// its header; otherwise to one with nothing to lose. Whatever is decided changes no verdict, only the time.
class Schedule {
 public:
  explicit Schedule(ScheduleLimits limits = {}) : limits_(limits) {}

  /// A worker that has loaded nothing, and is idle. Numbered from 0.
  std::size_t add_worker();
  /// It takes no more items.
  void remove_worker(std::size_t worker);

  /// False: add no more until one is taken.
  bool has_room() const { return waiting_.size() < limits_.max_items && bytes_ < limits_.max_bytes; }
  void add(Item item);
  /// Nothing will be added, so that waiting for a warm worker no longer pays.
  void close() { closed_ = true; }

  struct Assignment {
    std::size_t worker = 0;
    Item item;
  };
  /// The next item that an idle worker should take, if any. That worker is busy then.
  std::optional<Assignment> take();
  /// The worker is idle, with the header of its last item loaded.
  void release(std::size_t worker);
  /// It could not judge its item, which waits again, before all others. The worker is idle.
  void give_back(std::size_t worker, Item item);

  std::size_t waiting() const { return waiting_.size(); }
  std::size_t busy() const;
  /// Nothing waits, nothing is under way, and nothing will come.
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
    std::size_t passed = 0;  ///< how many later ones were taken
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

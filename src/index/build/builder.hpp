#pragma once
/// Bringing one database to what is on disk: the work of a pool thread.

#include "index/store/store.hpp"
#include "layout.hpp"

#include <functional>
#include <memory>
#include <string>

namespace leanbridge::index {

struct BuildProgress {
  std::size_t modules = 0;
  std::size_t modules_total = 0;
  std::size_t declarations = 0;
};

/// One database: where it is, and what belongs into it.
struct BuildJob {
  std::filesystem::path folder;  ///< empty: in memory
  std::string stem;
  Layout layout;
  std::shared_ptr<Store> memory;  ///< of a build in memory before
  bool check = false;             ///< look for damage first
  bool may_be_empty = true;       ///< without a module it is whole; not so for a toolchain
  std::string layout_text;        ///< kept in the database, see LocalIndex
  std::string layout_stamp;
  std::shared_ptr<std::atomic<bool>> stop;
  std::function<void(BuildProgress)> on_progress;  ///< called on the building thread
};

struct BuildOutcome {
  enum class End {
    Done,
    Busy,        ///< another process builds
    Stopped,     ///< we end
    Unwritable,  ///< no room, or not to be written: `message` says which
    Failed,
  };
  End end = End::Done;
  std::string message;
  int owner = 0;                  ///< where Busy: the other process
  std::shared_ptr<Store> memory;  ///< where it was built in memory
  std::filesystem::path database;
  bool changed = false;   ///< something was written
  bool complete = false;  ///< what is on disk is a whole index, if perhaps not the newest
  BuildProgress progress;
  std::vector<std::string> problems;  ///< what could not be read, or is not to be
};

/// Never throws. Damaged databases are replaced.
BuildOutcome bring_up_to_date(const BuildJob& job);

/// This thread gives way to all others from now on.
void lower_priority_of_this_thread();

}  // namespace leanbridge::index

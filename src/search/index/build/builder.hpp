#pragma once
/// Updates one database from the files on disk. Runs on a pool thread.

#include "layout.hpp"
#include "search/index/store/store.hpp"

#include <functional>
#include <memory>
#include <string>

namespace leanbridge::index {

struct BuildProgress {
  std::size_t modules = 0;
  std::size_t modules_total = 0;
  std::size_t declarations = 0;
};

/// One database: its location, and the folders of its modules.
struct BuildJob {
  std::filesystem::path folder;  ///< empty: in memory
  std::string stem;
  Layout layout;
  std::shared_ptr<Store> memory;  ///< from an earlier build in memory
  bool check = false;             ///< check for damage first
  bool may_be_empty = true;       ///< false for a toolchain, where it is an error to find no module
  std::string layout_text;        ///< stored in the database, see LocalIndex
  std::string layout_stamp;
  std::shared_ptr<std::atomic<bool>> stop;
  std::function<void(BuildProgress)> on_progress;  ///< called on the build thread
};

struct BuildOutcome {
  enum class End {
    Done,
    Busy,        ///< another process is building
    Stopped,     ///< this process is shutting down
    Unwritable,  ///< `message` says why
    Failed,
  };
  End end = End::Done;
  std::string message;
  int owner = 0;                  ///< if Busy: the other process
  std::shared_ptr<Store> memory;  ///< if built in memory
  std::filesystem::path database;
  bool changed = false;   ///< the database was written
  bool complete = false;  ///< the index on disk is complete, though perhaps not up to date
  BuildProgress progress;
  std::vector<std::string> problems;  ///< files that could not be read, or were refused
};

/// Updates the database. Never throws. Replaces damaged databases.
BuildOutcome bring_up_to_date(const BuildJob& job);

}  // namespace leanbridge::index

#pragma once
/// Whose turn it is to build. Lake's own builds of one package do not lock each other out, and two of them
/// write the same files. Private to this module.

#include "leanbridge/base/error.hpp"
#include "leanbridge/base/files.hpp"
#include "leanbridge/io/fair_semaphore.hpp"
#include "leanbridge/io/pool.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <vector>

namespace leanbridge::tools {

/// Belongs to the loop's thread.
class Builds : public std::enable_shared_from_this<Builds> {
 public:
  /// The right to build a project and its packages; given back when destroyed.
  class Held {
   private:
    friend class Builds;
    std::shared_ptr<Builds> owner_;
    std::vector<io::FairSemaphore::Permit> turns_;
    std::vector<Descriptor> locks_;
  };

  /// Waits until nobody builds the project at `root`, or a package that it has in common with others: in this
  /// process in the order asked for, and between processes of ours by locks on the folders. Timeout,
  /// Cancelled.
  asio::awaitable<Result<std::shared_ptr<Held>>> next(io::Pool& pool, std::filesystem::path root,
                                                      io::CancelScope scope);

 private:
  asio::awaitable<Result<void>> lock(std::filesystem::path folder, std::shared_ptr<Held> held,
                                     io::CancelScope scope);

  std::map<std::filesystem::path, io::FairSemaphore> turns_;
};

}  // namespace leanbridge::tools

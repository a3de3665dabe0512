#pragma once
/// A program that builds or searches an index, for tests that kill it, limit its disk space, or run it as
/// another user.

#include <string>
#include <vector>

namespace leanbridge::test {

inline constexpr const char* kIndexWorkerCommand = "__index-worker";

/// `build FOLDER STEM SOURCES [limit=BYTES]`: brings the index of the modules below SOURCES up to date; files
/// may grow to `limit` bytes. Prints "progress MODULES DECLARATIONS" lines, then "done", "busy PID",
/// "unwritable", "stopped" or "failed", with a message.
///
/// `find FOLDER PROJECT LAKE WORDS [user=UID]`: one search through LocalIndex once it is built, as that user.
/// Prints "found NAME" for the best answer, or "found nothing", then "state PROBLEM".
int index_worker(const std::vector<std::string>& arguments);

/// One running program.
class IndexWorker {
 public:
  explicit IndexWorker(const std::vector<std::string>& arguments);
  ~IndexWorker();  ///< kills it
  IndexWorker(const IndexWorker&) = delete;
  IndexWorker& operator=(const IndexWorker&) = delete;

  /// The next line that it prints; "" at its end.
  std::string line();
  /// The last line that it prints.
  std::string last_line();
  void kill();
  int pid() const { return pid_; }

 private:
  int pid_ = 0;
  int out_ = -1;
  std::string buffer_;
};

}  // namespace leanbridge::test

#pragma once
/// A child with three pipes, started without a shell, whose whole process tree ends with it or with us.

#include "leanbridge/io/byte_stream.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace leanbridge::io {

struct ChildCommand {
  std::vector<std::string> argv;  ///< argv[0] is a path; no shell looks at it
  std::filesystem::path directory;
  std::map<std::string, std::string> environment;  ///< the whole environment of the child
};

/// The child runs under a supervisor process (io/supervisor.hpp), which kills every descendant, session
/// leaders included, when the child ends, when terminate() is called, or when this process dies in whatever
/// way.
class ChildProcess : public std::enable_shared_from_this<ChildProcess> {
 public:
  /// None is called once the last reference to the child is gone.
  struct Events {
    std::function<bool(std::string_view)> on_stdout;  ///< false stops reading
    std::function<void()> on_stdout_end;
    std::function<void(std::string_view)>
        on_stderr;                               ///< optional: all of it, of which stderr_tail() is the end
    std::function<void()> on_stderr_end;         ///< optional
    std::function<void(int exit_code)> on_exit;  ///< once; 128+n for a death by signal n
  };

  static Result<std::shared_ptr<ChildProcess>> spawn(asio::io_context& context, ChildCommand command,
                                                     Events events);
  ~ChildProcess();

  OutgoingQueue& input() { return *input_; }
  int pid() const { return pid_; }  ///< of the supervisor; the child is its only direct child
  bool exited() const { return exited_; }
  /// The last 8 KiB that the tree wrote to stderr, at line breaks.
  std::string stderr_tail() const;

  /// Ends the whole tree at once; on_exit follows. May be repeated.
  void terminate();

  /// Notified when the process has exited.
  Condition changed;

 private:
  ChildProcess() = default;
  void start_reading(Events events, std::shared_ptr<asio::posix::stream_descriptor> out,
                     std::shared_ptr<asio::posix::stream_descriptor> err);

  std::shared_ptr<OutgoingQueue> input_;
  std::shared_ptr<asio::posix::stream_descriptor> out_, err_;
  std::string stderr_tail_;
  int pid_ = 0;
  bool exited_ = false;
};

}  // namespace leanbridge::io

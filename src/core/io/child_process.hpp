#pragma once
/// A child process with three pipes, started without a shell. Its process tree ends with it, or with us.

#include "byte_stream.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace leanbridge::io {

struct ChildCommand {
  std::vector<std::string> argv;  ///< argv[0] is a path; no shell is involved
  std::filesystem::path directory;
  std::map<std::string, std::string> environment;  ///< the whole environment of the child
};

/// The child runs under a supervisor process (core/platform/supervisor.hpp). That ends every descendant,
/// session leaders included, when the child ends, when terminate() is called, or when this process dies for
/// any reason.
class ChildProcess : public std::enable_shared_from_this<ChildProcess> {
 public:
  /// The callbacks. None is called after the last reference to the child is gone.
  struct Events {
    std::function<bool(std::string_view)> on_stdout;  ///< returns false to stop reading
    std::function<void()> on_stdout_end;
    /// Optional. Gets all of stderr; stderr_tail() keeps its end.
    std::function<void(std::string_view)> on_stderr;
    std::function<void()> on_stderr_end;         ///< optional
    std::function<void(int exit_code)> on_exit;  ///< called once; 128+n for a death by signal n
  };

  static Result<std::shared_ptr<ChildProcess>> spawn(asio::io_context& context, ChildCommand command,
                                                     Events events);
  /// Our ends of the child's three streams: file descriptors, which the ChildProcess will own.
  struct Streams {
    int input = -1;
    int output = -1;
    int error = -1;
  };
  /// Wraps a child that the caller has started. `terminate` must ask it to end; call ended() when it has.
  /// `pid` is 0 if the child is no process.
  static std::shared_ptr<ChildProcess> attach(asio::io_context& context, Streams streams, int pid,
                                              std::function<void()> terminate, Events events);
  ~ChildProcess();

  OutgoingQueue& input() { return *input_; }
  int pid() const { return pid_; }  ///< the supervisor, which has the child as its only direct child
  bool exited() const { return exited_; }
  /// The last 8 KiB that the processes wrote to stderr, beginning at a line.
  std::string stderr_tail() const;

  /// Ends the whole tree: SIGTERM to every process, and two seconds later SIGKILL to the remaining ones.
  /// on_exit follows when all are gone. A second call has no effect.
  void terminate();
  /// Called by the owner of an attached child once it has exited.
  void ended(int exit_code);

  /// Notified when the process has exited.
  Condition changed;

 private:
  ChildProcess() = default;

  std::shared_ptr<OutgoingQueue> input_;
  std::shared_ptr<asio::posix::stream_descriptor> out_, err_;
  std::function<void()> terminate_;
  std::function<void(int)> on_exit_;
  std::string stderr_tail_;
  int pid_ = 0;
  bool exited_ = false;
};

/// Starts a child: ChildProcess::spawn, or a test's substitute.
using Spawn = std::function<Result<std::shared_ptr<ChildProcess>>(asio::io_context&, ChildCommand,
                                                                  ChildProcess::Events)>;

}  // namespace leanbridge::io

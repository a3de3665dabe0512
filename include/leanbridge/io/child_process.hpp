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

/// The child runs under a supervisor process (io/supervisor.hpp), which ends every descendant, session
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
  /// Our ends of the three streams of a child: descriptors, owned from now on.
  struct Streams {
    int input = -1;
    int output = -1;
    int error = -1;
  };
  /// A child that somebody else has started and ends: `terminate` asks for its end, and ended() is to be
  /// called then. `pid` may be 0: it is no process.
  static std::shared_ptr<ChildProcess> attach(asio::io_context& context, Streams streams, int pid,
                                              std::function<void()> terminate, Events events);
  ~ChildProcess();

  OutgoingQueue& input() { return *input_; }
  int pid() const { return pid_; }  ///< of the supervisor; the child is its only direct child
  bool exited() const { return exited_; }
  /// The last 8 KiB that the tree wrote to stderr, at line breaks.
  std::string stderr_tail() const;

  /// Ends the whole tree: SIGTERM to all of it, two seconds later SIGKILL to what is left; on_exit follows
  /// when nothing is. May be repeated, which hastens nothing.
  void terminate();
  /// For who has started it: it has exited.
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

/// What starts a child: ChildProcess::spawn, or a test's.
using Spawn = std::function<Result<std::shared_ptr<ChildProcess>>(asio::io_context&, ChildCommand,
                                                                  ChildProcess::Events)>;

}  // namespace leanbridge::io

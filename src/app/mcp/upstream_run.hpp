#pragma once
/// Other servers, connected for one command and ended with it.

#include "app/commands/output.hpp"
#include "app/runtime.hpp"
#include "upstream_files.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace leanbridge::app {

/// How connecting to one server went.
struct Attempt {
  std::shared_ptr<upstream::Client> client;
  std::optional<Error> error;  ///< none: it is ready
  double ms = 0;
};

class UpstreamRun {
 public:
  /// Reads the files; connects to nothing. Errors come on stderr from the command itself, so the log says
  /// only what --log-level asks for.
  explicit UpstreamRun(const Options& options);

  Runtime& runtime() { return runtime_; }
  const Options& options() const { return runtime_.options(); }
  /// Null where no server may be used.
  upstream::Hub* hub() { return runtime_.upstreams(); }
  const upstream::Allowed& found() const { return found_; }

  /// The servers that the command means: the named one, or all. InvalidArgument: there is none of that name.
  /// NotSupported: it may not be used without consent, or its entry is a bad one.
  Result<std::vector<std::shared_ptr<upstream::Client>>> chosen(const std::string& name);

  /// How long connecting to a server may take: --timeout, else 30 s.
  io::Clock::duration connect_limit() const;

  /// Connects to all of them at once, each with its own deadline.
  asio::awaitable<std::vector<Attempt>> connect(std::vector<std::shared_ptr<upstream::Client>> clients,
                                                std::shared_ptr<io::CancelSource> cancel);

  /// Runs the loop until `work` has an exit code, and ends all connections. A signal cancels; the code is
  /// then kInterrupted. `work` lives as long as the run.
  using Work = std::function<asio::awaitable<int>(std::shared_ptr<io::CancelSource>)>;
  int run(const Work& work);

 private:
  asio::awaitable<void> connect_one(std::shared_ptr<std::vector<Attempt>> all, std::size_t index,
                                    std::shared_ptr<io::CancelSource> cancel);

  Runtime runtime_;
  upstream::Allowed found_;
};

/// What to say where there is nothing to connect to; empty where there is.
std::string nothing_to_connect(UpstreamRun& run);

}  // namespace leanbridge::app

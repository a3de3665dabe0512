#pragma once
/// Connections to other servers for the duration of one command.

#include "core/program/output.hpp"
#include "core/program/runtime.hpp"
#include "gateway/gateway_part.hpp"
#include "upstream_files.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace leanbridge::app {

/// The outcome of connecting to one server.
struct Attempt {
  std::shared_ptr<upstream::Client> client;
  std::optional<Error> error;  ///< nullopt: it is ready
  double ms = 0;
};

class UpstreamRun {
 public:
  /// Reads the files without connecting. The command itself reports errors on stderr, so the log is quieter
  /// unless --log-level asks for more.
  explicit UpstreamRun(const Options& options);

  Runtime& runtime() { return runtime_; }
  const Options& options() const { return runtime_.options(); }
  /// Null if no server may be used.
  upstream::Hub* hub() { return hub_of(runtime_); }
  const upstream::AllowedServers& found() { return runtime_.part<UpstreamClient>()->found(); }

  /// The servers that the command refers to: the named one, or all. InvalidArgument if there is none of that
  /// name, NotSupported if it lacks consent or its entry is bad.
  Result<std::vector<std::shared_ptr<upstream::Client>>> chosen(const std::string& name);

  /// The time limit for connecting to a server: --timeout, or 30 s.
  io::Clock::duration connect_limit() const;

  /// Connects to all of these servers at once, each with its own deadline.
  asio::awaitable<std::vector<Attempt>> connect(std::vector<std::shared_ptr<upstream::Client>> clients,
                                                std::shared_ptr<io::CancelSource> cancel);

  /// Runs the loop until `work` returns an exit code, then closes all connections. A signal cancels it; the
  /// result is then kInterrupted. `work` must outlive the run.
  using Work = std::function<asio::awaitable<int>(std::shared_ptr<io::CancelSource>)>;
  int run(const Work& work);

 private:
  asio::awaitable<void> connect_one(std::shared_ptr<std::vector<Attempt>> all, std::size_t index,
                                    std::shared_ptr<io::CancelSource> cancel);

  Runtime runtime_;
};

/// "No other servers are configured ...", with the folders that were searched.
std::string no_servers_configured(const Options& options);
/// Why there are no servers to connect to; empty if there are some.
std::string nothing_to_connect(UpstreamRun& run);

}  // namespace leanbridge::app

#pragma once
/// The state of one client, wired together: its view of the projects, its tools, and the state that the parts
/// keep for it. The Backend has the rest.

#include "leanbridge/part.hpp"

#include "backend.hpp"
#include "core/mcp/session.hpp"
#include "core/tools/tools.hpp"
#include "options.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace leanbridge::app {

/// How long `lake serve` and other processes may take to end by themselves.
inline constexpr auto kStopGrace = std::chrono::milliseconds(300);

class Runtime {
 public:
  /// Makes a backend of its own.
  explicit Runtime(const Options& options);
  /// `options`, `environment` and `directory` are the client's. Call this on the loop's thread.
  Runtime(Backend& backend, const Options& options, std::optional<lean::Variables> environment,
          std::filesystem::path directory);
  /// Kills the processes that the parts have started and, with a backend of its own, all others that still
  /// run below this process.
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  /// Selects the tools to offer. Call this once, before anything else. InvalidArgument for an invalid
  /// selection.
  Result<void> select_tools();

  /// Call the function of the same name of each part (ClientPart), for a client that is served: connect()
  /// after select_tools(), then session_options(), serve() with the session, start() in begin_work(), and
  /// stop() or kill().
  void connect();
  void serve(const std::shared_ptr<mcp::Session>& session);
  /// For a client that is about to use tools: starts Lean and the parts, and opens the files of --prewarm, so
  /// that Lean elaborates them while the model still reads. That ends with `ended`; `owner` is kept until
  /// then, and may be null if this object outlives the loop.
  void begin_work(std::shared_ptr<io::CancelSource> ended, std::shared_ptr<const void> owner = nullptr);
  asio::awaitable<void> stop_parts();
  void kill_parts();
  /// Ends all other processes and the loop at once.
  void kill();

  asio::io_context& context() { return backend_.context(); }
  Backend& backend() { return backend_; }
  document::Projects& projects() { return backend_.projects(); }
  document::Workspace& workspace() { return workspace_; }
  io::Pool& pool() { return backend_.pool(); }
  tools::Environment& environment() { return environment_; }
  mcp::ToolRegistry& tools() { return *tools_; }
  const Options& options() const { return options_; }
  /// The state of this type that a part keeps for the client; null if the program is built without the part.
  template <class Client>
  Client* part() {
    for (const auto& each : parts_)
      if (auto* const found = dynamic_cast<Client*>(each.get())) return found;
    return nullptr;
  }

  mcp::CallDefaults call_defaults() const { return {options_.timeout_s, options_.max_output_chars}; }
  /// The options of a session, with prompts, resources and instructions.
  mcp::SessionOptions session_options();

 private:
  nlohmann::json call_counts() const;

  Runtime(std::unique_ptr<Backend> own, Backend* shared, const Options& options,
          std::optional<lean::Variables> environment, std::filesystem::path directory);

  std::unique_ptr<Backend> own_;  // null: the backend is shared
  Backend& backend_;
  Options options_;
  document::Workspace workspace_;
  tools::Environment environment_;
  std::vector<std::unique_ptr<ClientPart>> parts_;
  std::vector<mcp::Tool> all_tools_;
  std::optional<mcp::ToolRegistry> tools_;
};

}  // namespace leanbridge::app

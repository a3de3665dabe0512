#include "serve.hpp"

#include "leanbridge/base/log.hpp"
#include "leanbridge/io/byte_stream.hpp"
#include "leanbridge/mcp/session.hpp"
#include "leanbridge/mcp/tool_registry.hpp"
#include "leanbridge/rpc/line_codec.hpp"
#include "leanbridge/tools/tools.hpp"

#include <boost/asio/signal_set.hpp>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

namespace leanbridge::app {

namespace {

constexpr const char* kInstructions =
    "A live Lean 4 session. Edit files with your own tools; every call here reads them again from disk. "
    "While proving: "
    "lean_goal shows the goals at a place and answers before the rest of the file is elaborated; "
    "lean_step_forward and "
    "lean_step_backward walk through a proof; lean_diagnostic_messages gives the errors of a file; "
    "lean_check_all is the "
    "final check of a whole file. An answer with partial: true is not the whole truth yet: call again with a "
    "larger "
    "timeout_s. Lines and columns count from 1.";

constexpr auto kStopGrace = std::chrono::milliseconds(300);

// A descriptor that we may set non-blocking without doing it to others who share the open file: opened afresh
// where the system can (pipes and terminals), else a duplicate whose flags are put back at the end (sockets,
// regular files).
class StandardStream {
 public:
  StandardStream(int descriptor, int flags) : original_(descriptor) {
    struct stat status {};
    const bool reopen =
        ::fstat(descriptor, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode));
    if (reopen)
      fd_ = ::open(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), flags | O_CLOEXEC | O_NOCTTY);
    if (fd_ >= 0) return;
    old_flags_ = ::fcntl(descriptor, F_GETFL);
    fd_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  }
  StandardStream(const StandardStream&) = delete;
  StandardStream& operator=(const StandardStream&) = delete;
  ~StandardStream() {
    if (old_flags_ >= 0) ::fcntl(original_, F_SETFL, old_flags_);
  }
  bool valid() const { return fd_ >= 0; }
  int fd() const { return fd_; }

 private:
  int original_;
  int fd_ = -1;
  int old_flags_ = -1;
};

class Server {
 public:
  Server(const Options& options, mcp::ToolRegistry& tools, asio::io_context& context,
         document::Workspace& workspace, const StandardStream& in, const StandardStream& out)
      : context_(context),
        workspace_(workspace),
        input_(std::make_shared<asio::posix::stream_descriptor>(context, in.fd())),
        output_(std::make_shared<io::OutgoingQueue>(asio::posix::stream_descriptor(context, out.fd()))),
        signals_(context, SIGINT, SIGTERM, SIGHUP) {
    mcp::SessionOptions session;
    session.version = LEANBRIDGE_VERSION;
    session.instructions = options.instructions.empty() ? kInstructions : options.instructions;
    session.timeout_s = options.timeout_s;
    session_ = std::make_shared<mcp::Session>(
        context, tools, std::move(session),
        [output = output_](std::string&& message) {
          output->send(rpc::LineCodec::encode(std::move(message)));
        },
        [this] { asio::post(context_, [this] { workspace_.start_early(); }); });
    output_->on_failure = [this](const std::string& reason) { end("stdout: " + reason); };
  }

  void run() {
    wait_for_signal();
    const auto on_bytes = [this](std::string_view bytes) {
      receive(bytes);
      return !ending_;
    };
    const auto on_end = [this](const std::string& reason) { end("stdin ended " + reason); };
    asio::co_spawn(context_, io::read_to_end(input_, on_bytes, on_end, [this] { return back_pressure(); }),
                   asio::detached);
    context_.run();
  }

 private:
  void receive(std::string_view bytes) {
    codec_.feed(bytes);
    while (auto frame = codec_.next()) {
      if (auto* line = std::get_if<rpc::LineCodec::Line>(&*frame))
        session_->receive(line->text);
      else
        session_->receive_oversize(std::get<rpc::LineCodec::Oversize>(*frame).limit);
    }
  }

  // A client that does not read its answers gets no more of its requests read.
  asio::awaitable<void> back_pressure() {
    const io::Scope scope(std::chrono::hours(24 * 365));
    co_await io::wait_until(output_->changed, scope,
                            [this] { return !output_->above_high_water() || output_->closed(); });
  }

  void wait_for_signal() {
    signals_.async_wait([this](boost::system::error_code error, int signal) {
      if (error) return;
      if (ending_) {  // asked twice: no more patience
        workspace_.kill();
        context_.stop();
        return;
      }
      wait_for_signal();
      end("signal " + std::to_string(signal));
    });
  }

  void end(const std::string& why) {
    if (std::exchange(ending_, true)) return;
    log::info("ending: {}", why);
    session_->close();
    boost::system::error_code ignored;
    input_->close(ignored);
    output_->close_when_drained();
    asio::co_spawn(context_, stop(), asio::detached);
  }

  asio::awaitable<void> stop() {
    co_await workspace_.stop(kStopGrace);
    // What was answered before the end still has to reach a client that reads.
    co_await io::wait_until(output_->changed, io::Scope(kStopGrace), [this] { return output_->closed(); });
    context_.stop();
  }

  asio::io_context& context_;
  document::Workspace& workspace_;
  std::shared_ptr<asio::posix::stream_descriptor> input_;
  std::shared_ptr<io::OutgoingQueue> output_;
  asio::signal_set signals_;
  rpc::LineCodec codec_;
  std::shared_ptr<mcp::Session> session_;
  bool ending_ = false;
};

nlohmann::json counts_json(const mcp::ToolRegistry& tools) {
  nlohmann::json all = nlohmann::json::object();
  for (const auto& [name, counts] : tools.counts())
    all[name] = {{"calls", counts.calls},
                 {"errors", counts.errors},
                 {"cancelled", counts.cancelled},
                 {"mean_ms", counts.calls ? counts.total_ms / static_cast<double>(counts.calls) : 0},
                 {"max_ms", counts.max_ms}};
  return all;
}

}  // namespace

int serve(const Options& options) {
  ::signal(SIGPIPE, SIG_IGN);
  log::configure(options.log_level, options.log_file);
  asio::io_context context(1);
  io::Pool pool;
  document::WorkspaceOptions workspace_options;
  if (!options.project_root.empty()) workspace_options.root = options.project_root;
  std::error_code ignored;
  workspace_options.directory = std::filesystem::current_path(ignored);
  workspace_options.lake = options.lake;
  workspace_options.serve_args = options.serve_args;
  document::Workspace workspace(context, pool, std::move(workspace_options));

  mcp::ToolRegistry* registry = nullptr;
  tools::Environment environment{workspace, pool, [&] { return counts_json(*registry); }, LEANBRIDGE_VERSION};
  auto tools = mcp::ToolRegistry::select(tools::all_tools(environment), options.groups, options.disabled);
  if (!tools) {
    std::fprintf(stderr, "leanbridge: %s %s\n", tools.error().message.c_str(), tools.error().hint.c_str());
    return 2;
  }
  registry = &*tools;

  const StandardStream in(STDIN_FILENO, O_RDONLY), out(STDOUT_FILENO, O_WRONLY);
  if (!in.valid() || !out.valid()) {
    std::fprintf(
        stderr, "leanbridge: stdin and stdout must be open: an MCP client starts this program with pipes.\n");
    return 2;
  }
  Server(options, *tools, context, workspace, in, out).run();
  workspace.kill();
  return 0;
}

}  // namespace leanbridge::app

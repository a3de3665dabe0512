// A server as a child process: one message per line on its stdin and stdout, its stderr in our log.

#include "core/base/files.hpp"
#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/io/child_process.hpp"
#include "core/io/condition.hpp"
#include "core/rpc/framing.hpp"
#include "gateway/upstream/config.hpp"
#include "gateway/upstream/transport.hpp"
#include "incoming.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace leanbridge::upstream {

class StderrLog {
 public:
  /// `server` outlives it.
  explicit StderrLog(const ServerConfig& server) : server_(server) {}
  void add(std::string_view bytes);

 private:
  void line(std::string_view text);

  const ServerConfig& server_;
  std::string unfinished_;  // the current line, at most kMaxLine bytes
  io::Clock::time_point window_{};
  int in_window_ = 0;
  std::size_t dropped_ = 0;
};

namespace {
constexpr std::size_t kMaxLine = 1000;  // bytes; the rest of a longer line is dropped
constexpr int kLinesPerWindow = 100;
constexpr auto kWindow = std::chrono::seconds(10);
}  // namespace

void StderrLog::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    unfinished_ += part.substr(0, std::min(part.size(), kMaxLine - unfinished_.size()));
    if (end == std::string_view::npos) return;
    line(unfinished_);
    unfinished_.clear();
    bytes.remove_prefix(end + 1);
  }
}

void StderrLog::line(std::string_view text) {
  const auto now = io::Clock::now();
  if (now - window_ > kWindow) {
    if (dropped_ > 0) log::info("upstream {}: {} lines of stderr were dropped", server_.name, dropped_);
    window_ = now;
    in_window_ = 0;
    dropped_ = 0;
  }
  if (in_window_ >= kLinesPerWindow) {
    ++dropped_;
    return;
  }
  ++in_window_;
  log::info("upstream {}: {}", server_.name, printable(server_, text));
}

namespace fs = std::filesystem;

namespace {

constexpr auto kExitCodeLimit = std::chrono::milliseconds(500);
constexpr int kStrayLinesLogged = 5;
constexpr std::size_t kLineExcerpt = 200;  // bytes

// Finds the program like a shell, on the PATH that the child gets.
Result<fs::path> find_program(const ServerConfig& server, const std::map<std::string, std::string>& env) {
  if (server.command.find('/') != std::string::npos) {
    const fs::path path = server.directory / server.command;
    if (is_program(path)) return path;
    return fail(ErrorKind::BackendUnavailable, "There is no program at " + path.string() + ".",
                "Correct 'command' of server " + server.name + " in " + server.file.string() + ".");
  }
  const auto entry = env.find("PATH");
  if (entry != env.end())
    if (auto found = find_on_path(server.command, entry->second, server.directory)) return *found;
  return fail(ErrorKind::BackendUnavailable, "There is no program '" + server.command + "' on PATH.",
              "Install it, or write its full path as 'command' of server " + server.name + " in " +
                  server.file.string() + ".");
}

class StdioTransport : public Transport, public std::enable_shared_from_this<StdioTransport> {
 public:
  StdioTransport(asio::io_context& context, ServerConfig server)
      : context_(context), server_(std::move(server)), log_(server_), codec_(kMaxMessage) {}

  Result<void> open(Events events) override {
    io::ChildCommand command;
    command.environment = environment_for(server_);
    TRY(const auto program, find_program(server_, command.environment));
    command.argv = {program.string()};
    command.argv.insert(command.argv.end(), server_.args.begin(), server_.args.end());
    command.directory = server_.directory;
    events_ = std::move(events);
    auto child = io::ChildProcess::spawn(context_, std::move(command), child_events());
    if (!child)
      return fail(ErrorKind::BackendUnavailable, child.error().message,
                  "Correct server " + server_.name + " in " + server_.file.string() + ".");
    child_ = *child;
    child_->input().on_failure = [weak = weak_from_this()](const std::string& reason) {
      if (const auto self = weak.lock())
        io::spawn(self->context_, self->ended_unless_exited("could not be written to (" + reason + ")"));
    };
    log::info("upstream {}: started {}", server_.name, printable(server_, program.string()));
    return {};
  }

  void send(std::string message) override {
    if (!over_) child_->input().send(rpc::LineCodec::encode(std::move(message)));
  }

  asio::awaitable<void> close(io::Clock::duration grace) override {
    const auto self = shared_from_this();
    over_ = true;
    const auto child = child_;
    if (!child) co_return;
    child->input().close_when_drained();
    const auto exited = [child] { return child->exited(); };
    if (co_await io::wait_until(child->changed, io::CancelScope(grace), exited) == io::WaitStatus::Ready)
      co_return;
    child->terminate();
    co_await io::wait_until(child->changed, io::CancelScope(grace), exited);
  }

  void kill() override {
    over_ = true;
    if (child_) child_->terminate();
  }

  std::string stderr_tail() const override { return child_ ? child_->stderr_tail() : ""; }
  int pid() const override { return child_ ? child_->pid() : 0; }

 private:
  io::ChildProcess::Events child_events() {
    const std::weak_ptr<StdioTransport> weak = weak_from_this();
    io::ChildProcess::Events events;
    events.on_stdout = [weak](std::string_view bytes) {
      const auto self = weak.lock();
      return self && self->receive(bytes);
    };
    events.on_stdout_end = [weak] {
      if (const auto self = weak.lock())
        io::spawn(self->context_, self->ended_unless_exited("closed its stdout"));
    };
    events.on_stderr = [weak](std::string_view bytes) {
      if (const auto self = weak.lock()) self->log_.add(bytes);
    };
    events.on_exit = [weak](int code) {
      if (const auto self = weak.lock()) self->exit_code_ = code;
    };
    return events;
  }

  bool receive(std::string_view bytes) {
    const auto self = shared_from_this();  // a callback may release this object
    codec_.feed(bytes);
    while (auto frame = codec_.next()) {
      if (over_) break;
      if (auto* line = std::get_if<rpc::LineCodec::Line>(&*frame)) {
        if (!deliver(line->text, events_)) stray(line->text);
      } else {
        events_.on_oversize(kMaxMessage);
      }
    }
    // Continues after close(), since the server could otherwise block on its last output and not exit.
    return true;
  }

  // Handles a line that is no message: many servers print greetings and warnings to stdout, although they
  // must not.
  void stray(const std::string& line) {
    if (++stray_lines_ <= kStrayLinesLogged)
      log::warn("upstream {}: a line on stdout is not a message: {}", server_.name,
                printable(server_, std::string_view(line).substr(0, kLineExcerpt)));
  }

  asio::awaitable<void> ended_unless_exited(std::string what) {
    const auto self = shared_from_this();
    const auto child = child_;
    // The exit code and the rest of stderr follow shortly after the end of its streams.
    co_await io::wait_until(child->changed, io::CancelScope(kExitCodeLimit),
                            [child] { return child->exited(); });
    ended(exit_code_ < 0    ? what
          : exit_code_ == 0 ? "ended"
                            : "ended with exit code " + std::to_string(exit_code_));
  }

  void ended(const std::string& what) {
    if (std::exchange(over_, true)) return;
    child_->terminate();
    std::string reason = "The server " + server_.name + " " + what + ".";
    if (const std::string tail = printable(server_, last_lines(child_->stderr_tail())); !tail.empty())
      reason += " Its stderr ends with: " + tail;
    if (events_.on_closed) events_.on_closed({ConnectionEnd::Kind::Exited, std::move(reason)});
  }

  asio::io_context& context_;
  ServerConfig server_;
  StderrLog log_;
  rpc::LineCodec codec_;
  Events events_;
  std::shared_ptr<io::ChildProcess> child_;
  int exit_code_ = -1;
  int stray_lines_ = 0;
  bool over_ = false;  // it was closed by us, or the end was reported already
};

}  // namespace

std::map<std::string, std::string> environment_for(const ServerConfig& server) {
  constexpr std::array kPassedOn = {"HOME", "LOGNAME", "PATH",   "SHELL",  "TERM",
                                    "USER", "LANG",    "LC_ALL", "TMPDIR", "TZ"};
  std::map<std::string, std::string> environment;
  for (const char* name : kPassedOn)
    if (const char* value = std::getenv(name)) environment[name] = value;
  // If a server is leanbridge itself, behind any wrapper, it must not start these servers again.
  environment["LEANBRIDGE_UPSTREAM"] = "none";
  for (const auto& [name, value] : server.env) environment[name] = value.reveal();
  return environment;
}

std::shared_ptr<Transport> make_stdio_transport(asio::io_context& context, const ServerConfig& server) {
  return std::make_shared<StdioTransport>(context, server);
}

}  // namespace leanbridge::upstream

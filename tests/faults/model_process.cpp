#include "model_process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace leanbridge::faults {

using nlohmann::json;
using std::chrono::milliseconds;

class ModelProcess : public std::enable_shared_from_this<ModelProcess> {
 public:
  struct Ends {
    int input;
    int output;
    int error;
  };

  ModelProcess(ProcessTable& table, Ends ends, BadStart start)
      : table_(table),
        random_(table.random_.fork()),
        schedule_(table.context_),
        in_(std::make_shared<asio::posix::stream_descriptor>(table.context_, ends.input)),
        error_(
            std::make_shared<io::OutgoingQueue>(asio::posix::stream_descriptor(table.context_, ends.error))),
        wire_(table.context_, table.faults_, table.random_.fork(), table.trace_, ends.output),
        lean_({table.context_, table.faults_, table.trace_, table.read_, [this](int code) { exit(code); }},
              table.random_.fork(), wire_, start) {
    if (table.healed_) heal();
  }

  void run(std::weak_ptr<io::ChildProcess> child, BadStart start) {
    child_ = std::move(child);
    const auto self = shared_from_this();
    const auto on_bytes = [self](std::string_view bytes) { return self->receive(bytes); };
    const auto on_end = [self](const std::string&) { self->later(0, 10, [self] { self->exit(1); }); };
    asio::co_spawn(table_.context_, io::read_to_end(in_, on_bytes, on_end, [self] { return self->dawdle(); }),
                   asio::detached);
    if (random_.percent(10))
      error_->send(std::string(static_cast<std::size_t>(random_.between(1, 90'000)), 'e'));
    if (start == BadStart::ExitsAtOnce) {
      error_->send("error: toolchain is not installed\n");
      later(0, 20, [self] { self->exit(1); });
    }
    if (start == BadStart::Garbage) wire_.print("Welcome to lake\n");
    if (!table_.healed_ && random_.percent(table_.faults_.doom)) {
      const Doom doom = static_cast<Doom>(random_.between(1, 8));
      later(1, random_.percent(50) ? 1000 : 10'000, [self, doom] { self->meet(doom); });
    }
  }

  void heal() {
    healed_ = true;
    wire_.heal();
    lean_.heal();
  }
  void terminate() {
    later(0, 20, [self = shared_from_this()] { self->exit(143); });
  }
  /// Ends without telling anybody, because the run is over.
  void abandon() {
    schedule_.clear();
    boost::system::error_code ignored;
    in_->close(ignored);
    wire_.close();
    error_->close();
  }
  const ModelLean& lean() const { return lean_; }
  const Wire& wire() const { return wire_; }

 private:
  void later(int least, int most, std::function<void()> what) {
    schedule_.after(milliseconds(random_.between(least, most)), std::move(what));
  }

  bool receive(std::string_view bytes) {
    codec_.feed(bytes);
    while (!exited_) {
      auto body = codec_.next();
      if (!body) {
        table_.trace_.fail("the bridge sends no LSP: " + body.error().describe());
        return false;
      }
      if (!*body) return true;
      table_.trace_.say("->", **body);
      const json message = json::parse(**body, nullptr, false);
      if (message.is_discarded()) {
        table_.trace_.fail("the bridge sends no JSON: " + **body);
        return false;
      }
      lean_.receive(message);
    }
    return false;
  }

  asio::awaitable<void> dawdle() {
    const auto self = shared_from_this();
    if (!healed_ && random_.percent(table_.faults_.slow_stdin))
      co_await io::sleep_for(milliseconds(random_.between(1, 400)), io::CancelScope(std::chrono::hours(1)));
  }

  void meet(Doom doom) {
    if (exited_ || healed_) return;
    table_.trace_.say("fault", "doom " + std::to_string(static_cast<int>(doom)));
    const auto self = shared_from_this();
    switch (doom) {
      case Doom::None:
        return;
      case Doom::Exit: {
        const std::array<int, 4> codes = {0, 1, 134, 137};
        return exit(codes[random_.below(codes.size())]);
      }
      case Doom::ExitInMessage:
        wire_.print("Content-Length: 500\r\n\r\n{\"jsonrpc\":\"2.0\",\"met");
        return later(1, 5, [self] { self->exit(139); });
      case Doom::Garbage:
        return wire_.print("uncaught exception: out of memory\n");
      case Doom::CloseStdout:
        return wire_.close();
      case Doom::Silence:
        return wire_.silence();
      case Doom::CutBody:
      case Doom::BadLength:
      case Doom::BadJson:
        return wire_.damage_next(doom);
    }
  }

  void exit(int code) {
    if (std::exchange(exited_, true)) return;
    table_.trace_.say("fault", "lake serve exits with " + std::to_string(code));
    abandon();
    const auto self = shared_from_this();
    later(0, random_.percent(80) ? 3 : 700, [self, code] {
      if (const auto child = self->child_.lock()) child->ended(code);
      self->table_.running_.erase(self);
    });
  }

  ProcessTable& table_;
  Random random_;
  Schedule schedule_;
  std::shared_ptr<asio::posix::stream_descriptor> in_;
  std::shared_ptr<io::OutgoingQueue> error_;
  rpc::HeaderCodec codec_;
  Wire wire_;
  ModelLean lean_;
  std::weak_ptr<io::ChildProcess> child_;
  bool exited_ = false;
  bool healed_ = false;
};

ProcessTable::~ProcessTable() {
  for (const auto& process : std::exchange(running_, {})) process->abandon();
}

Result<std::shared_ptr<io::ChildProcess>> ProcessTable::spawn(io::ChildProcess::Events events) {
  ++starts_;
  BadStart start = BadStart::None;
  if (!healed_ && random_.percent(faults_.bad_start)) start = static_cast<BadStart>(random_.between(1, 6));
  trace_.say("lean",
             "start " + std::to_string(starts_) + ", kind " + std::to_string(static_cast<int>(start)));
  if (start == BadStart::NotStarted) return fail(ErrorKind::LeanUnavailable, "The process was not started.");

  std::array<std::array<int, 2>, 3> pipes{};
  for (auto& pipe : pipes)
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return fail(ErrorKind::Internal, "no pipe");
  if (random_.percent(faults_.small_pipes))
    for (const auto& pipe : pipes) ::fcntl(pipe[0], F_SETPIPE_SZ, 4096);
  const auto process =
      std::make_shared<ModelProcess>(*this, ModelProcess::Ends{pipes[0][0], pipes[1][1], pipes[2][1]}, start);
  running_.insert(process);
  const auto terminate = [weak = std::weak_ptr(process)] {
    if (const auto here = weak.lock()) here->terminate();
  };
  auto child = io::ChildProcess::attach(context_, {pipes[0][1], pipes[1][0], pipes[2][0]}, 0, terminate,
                                        std::move(events));
  process->run(child, start);
  return child;
}

void ProcessTable::heal() {
  healed_ = true;
  for (const auto& process : running_) process->heal();
}

std::vector<std::string> ProcessTable::open_files() const {
  std::vector<std::string> all;
  for (const auto& process : running_)
    for (std::string& uri : process->lean().open_files()) all.push_back(std::move(uri));
  return all;
}

int ProcessTable::lines_reported(const std::string& uri, std::int64_t version,
                                 io::Clock::time_point by) const {
  int lines = 0;
  for (const auto& process : running_)
    lines = std::max(lines, process->wire().lines_reported(uri, version, by));
  return lines;
}

}  // namespace leanbridge::faults

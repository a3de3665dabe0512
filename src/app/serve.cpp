#include "serve.hpp"

#include "leanbridge/base/log.hpp"
#include "leanbridge/io/byte_stream.hpp"
#include "leanbridge/mcp/session.hpp"
#include "leanbridge/rpc/line_codec.hpp"

#include "runtime.hpp"
#include <boost/asio/signal_set.hpp>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

namespace leanbridge::app {

namespace {

// The lowest free descriptor is taken, so that descriptors are to be claimed in their order.
bool claim(int descriptor) {
  if (::fcntl(descriptor, F_GETFD) >= 0) return true;
  ::open("/dev/null", O_RDWR);
  return false;
}

// For a client that has said all, and may take its time to read the answers: between one piece and the next.
constexpr io::Clock::duration kReaderGrace = std::chrono::seconds(2);

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
  Server(Runtime& runtime, const StandardStream& in, const StandardStream& out)
      : context_(runtime.context()),
        workspace_(runtime.workspace()),
        upstreams_(runtime.upstreams()),
        input_(std::make_shared<asio::posix::stream_descriptor>(context_, in.fd())),
        output_(std::make_shared<io::OutgoingQueue>(asio::posix::stream_descriptor(context_, out.fd()))),
        signals_(context_, SIGINT, SIGTERM, SIGHUP) {
    session_ = std::make_shared<mcp::Session>(
        context_, runtime.tools(), runtime.session_options(),
        [output = output_](std::string&& message) {
          output->send(rpc::LineCodec::encode(std::move(message)));
        },
        [this] { asio::post(context_, [this] { start(); }); });
    if (upstreams_) {
      upstreams_->on_tools_changed = [this] { session_->list_changed(mcp::Session::List::Tools); };
      upstreams_->on_prompts_changed = [this] { session_->list_changed(mcp::Session::List::Prompts); };
    }
    output_->on_failure = [this](const std::string& reason) { end("stdout: " + reason); };
  }

  void run() {
    wait_for_signal();
    const auto on_bytes = [this](std::string_view bytes) {
      codec_.feed(bytes);
      take_lines();
      return !ending_;
    };
    const auto on_end = [this](const std::string& reason) {
      take_last_line();
      if (!ending_) asio::co_spawn(context_, answer_the_rest("stdin ended " + reason), asio::detached);
    };
    output_->watch_reader();
    asio::co_spawn(context_, io::read_to_end(input_, on_bytes, on_end, [this] { return back_pressure(); }),
                   asio::detached);
    context_.run();
    hold_signals();
  }

 private:
  // Hosts send SIGTERM 100 ms after SIGINT: while the rest is taken down it would look like the reason of the
  // end. SIGINT stays what it is, should that ever take long.
  static void hold_signals() {
    sigset_t held;
    ::sigemptyset(&held);
    ::sigaddset(&held, SIGTERM);
    ::sigaddset(&held, SIGHUP);
    ::pthread_sigmask(SIG_BLOCK, &held, nullptr);
  }

  // One read may hold a thousand requests, and the answers to them a hundred megabytes.
  void take_lines() {
    while (!ending_ && !output_->above_high_water()) {
      auto frame = codec_.next();
      if (!frame) return;
      if (auto* line = std::get_if<rpc::LineCodec::Line>(&*frame))
        session_->receive(line->text);
      else
        session_->receive_oversize(std::get<rpc::LineCodec::Oversize>(*frame).limit);
    }
  }

  // It may lack its line ending.
  void take_last_line() {
    codec_.feed("\n");
    take_lines();
  }

  // A client that has asked all may wait for its answers with its side of stdin closed, as a script does. A
  // signal, or the end of whoever reads stdout, ends this at once.
  asio::awaitable<void> answer_the_rest(std::string why) {
    const io::CancelScope scope(std::chrono::hours(24 * 365));  // each call has its own deadline
    co_await io::wait_until(output_->changed, scope,
                            [this] { return output_->closed() || session_->answers_owed() == 0; });
    end(why);
  }

  // What is slow to start, once the client is about to use it.
  void start() {
    workspace_.start_early();
    if (upstreams_) upstreams_->start();
  }

  // A client that does not read its answers gets no more of its requests read. Awaited before every read, so
  // that no line is left behind when the input ends.
  asio::awaitable<void> back_pressure() {
    while (output_->above_high_water() && !output_->closed()) {
      const io::CancelScope scope(std::chrono::hours(24 * 365));
      co_await io::wait_until(output_->changed, scope,
                              [this] { return !output_->above_high_water() || output_->closed(); });
      take_lines();
    }
  }

  void wait_for_signal() {
    signals_.async_wait([this](boost::system::error_code error, int signal) {
      if (error) return;
      if (ending_) {  // asked twice: no more patience
        workspace_.kill();
        if (upstreams_) upstreams_->kill();
        context_.stop();
        return;
      }
      wait_for_signal();
      signalled_ = true;
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
    if (upstreams_) asio::co_spawn(context_, upstreams_->stop(kStopGrace), asio::detached);
    co_await workspace_.stop(kStopGrace);
    if (upstreams_) co_await upstreams_->stop(kStopGrace);
    // What was answered before the end still has to reach a client that reads, however slowly; but a signal
    // is not kept waiting.
    std::size_t left = 0;
    do {
      left = output_->queued_bytes();
      const io::CancelScope scope(signalled_ ? io::Clock::duration(kStopGrace) : kReaderGrace);
      co_await io::wait_until(output_->changed, scope, [this, left] {
        return output_->closed() || (!signalled_ && output_->queued_bytes() < left);
      });
    } while (!signalled_ && !output_->closed() && output_->queued_bytes() < left);
    context_.stop();
  }

  asio::io_context& context_;
  document::Workspace& workspace_;
  upstream::Hub* upstreams_;
  std::shared_ptr<asio::posix::stream_descriptor> input_;
  std::shared_ptr<io::OutgoingQueue> output_;
  asio::signal_set signals_;
  rpc::LineCodec codec_;
  std::shared_ptr<mcp::Session> session_;
  bool ending_ = false;
  bool signalled_ = false;
};

}  // namespace

StandardDescriptors claim_standard_descriptors() {
  StandardDescriptors were_open;
  were_open.input = claim(STDIN_FILENO);
  were_open.output = claim(STDOUT_FILENO);
  were_open.error = claim(STDERR_FILENO);
  return were_open;
}

int serve(const Options& options, const StandardDescriptors& were_open) {
  Runtime runtime(options);
  if (const auto selected = runtime.select_tools(); !selected) {
    std::fprintf(stderr, "leanbridge: %s %s\n", selected.error().message.c_str(),
                 selected.error().hint.c_str());
    return 2;
  }
  runtime.find_upstreams();
  const StandardStream in(STDIN_FILENO, O_RDONLY), out(STDOUT_FILENO, O_WRONLY);
  if (!were_open.input || !were_open.output || !in.valid() || !out.valid()) {
    std::fprintf(
        stderr, "leanbridge: stdin and stdout must be open: an MCP client starts this program with pipes.\n");
    return 2;
  }
  Server(runtime, in, out).run();
  return 0;
}

}  // namespace leanbridge::app

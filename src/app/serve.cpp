#include "serve.hpp"

#include "leanbridge/base/log.hpp"
#include "leanbridge/io/byte_stream.hpp"
#include "leanbridge/mcp/session.hpp"
#include "leanbridge/rpc/framing.hpp"

#include "prewarm.hpp"
#include "runtime.hpp"
#include "standard_stream.hpp"
#include <boost/asio/signal_set.hpp>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

namespace leanbridge::app {

namespace {

// open() returns the lowest free descriptor, so claim them in ascending order.
bool claim(int descriptor) {
  if (::fcntl(descriptor, F_GETFD) >= 0) return true;
  ::open("/dev/null", O_RDWR);
  return false;
}

// How long a client that has closed its side may pause between reading one part of its answers and the next.
constexpr io::Clock::duration kReaderGrace = std::chrono::seconds(2);

// Lake may have to fetch and build the imports of the files first.
constexpr io::Clock::duration kPrewarmLimit = std::chrono::hours(1);

class Server {
 public:
  Server(Runtime& runtime, const StandardStream& in, const StandardStream& out)
      : context_(runtime.context()),
        runtime_(runtime),
        workspace_(runtime.workspace()),
        upstreams_(runtime.upstreams()),
        prewarm_files_(runtime.options().prewarm_files),
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
      upstreams_->on_resources_changed = [this] { session_->list_changed(mcp::Session::List::Resources); };
      upstreams_->set_host(session_->host());
    }
    output_->on_failure = [this](const std::string& reason) { end("stdout: " + reason); };
  }

  void run() {
    wait_for_signal();
    const auto on_bytes = [this](std::string_view bytes) {
      codec_.feed(bytes);
      take_lines();
      return phase_ == Phase::Serving;
    };
    const auto on_end = [this](const std::string& reason) {
      take_last_line();
      if (phase_ == Phase::Serving)
        asio::co_spawn(context_, answer_the_rest("stdin ended " + reason), asio::detached);
    };
    output_->watch_reader();
    asio::co_spawn(context_, io::read_to_end(input_, on_bytes, on_end, [this] { return back_pressure(); }),
                   asio::detached);
    context_.run();
    hold_signals();
  }

 private:
  enum class Phase {
    Serving,
    Draining,     // the client is gone or has closed stdin: deliver the remaining answers
    Interrupted,  // a signal: do not wait for the reader
  };
  bool interrupted() const { return phase_ == Phase::Interrupted; }

  // Hosts send SIGTERM 100 ms after SIGINT. If it arrived during teardown, it would look like the cause of
  // the exit. SIGINT stays deliverable, in case teardown ever hangs.
  static void hold_signals() {
    sigset_t held;
    ::sigemptyset(&held);
    ::sigaddset(&held, SIGTERM);
    ::sigaddset(&held, SIGHUP);
    ::pthread_sigmask(SIG_BLOCK, &held, nullptr);
  }

  // One read may contain a thousand requests, and their answers a hundred megabytes.
  void take_lines() {
    while (phase_ == Phase::Serving && !output_->above_high_water()) {
      auto frame = codec_.next();
      if (!frame) return;
      if (auto* line = std::get_if<rpc::LineCodec::Line>(&*frame))
        session_->receive(line->text);
      else
        session_->receive_oversize(std::get<rpc::LineCodec::Oversize>(*frame).limit);
    }
  }

  // The last line may lack its line ending.
  void take_last_line() {
    codec_.feed("\n");
    take_lines();
  }

  // A client such as a script may close stdin after its last request and wait for the answers. A signal, or
  // the end of the reader of stdout, ends this wait at once.
  asio::awaitable<void> answer_the_rest(std::string why) {
    const io::CancelScope scope(std::chrono::hours(24 * 365));  // each call has its own deadline
    co_await io::wait_until(output_->changed, scope,
                            [this] { return output_->closed() || session_->answers_owed() == 0; });
    end(why);
  }

  // Starts what is slow to start once the client is about to use it.
  void start() {
    workspace_.start_early();
    if (!prewarm_files_.empty())
      asio::co_spawn(context_, prewarm(workspace_, prewarm_files_, io::CancelScope(kPrewarmLimit, ended_)),
                     asio::detached);
    if (upstreams_) upstreams_->start();
  }

  // Stops reading requests from a client that does not read its answers. Awaited before every read, so that
  // no line is left unprocessed when the input ends.
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
      if (phase_ != Phase::Serving) {  // the second signal: stop at once
        runtime_.projects().kill();
        if (upstreams_) upstreams_->kill();
        context_.stop();
        return;
      }
      wait_for_signal();
      end("signal " + std::to_string(signal), Phase::Interrupted);
    });
  }

  void end(const std::string& why, Phase next = Phase::Draining) {
    if (phase_ != Phase::Serving) return;
    phase_ = next;
    ended_->cancel();
    log::info("ending: {}", why);
    session_->close();
    boost::system::error_code ignored;
    input_->close(ignored);
    output_->close_when_drained();
    asio::co_spawn(context_, stop(), asio::detached);
  }

  asio::awaitable<void> stop() {
    if (upstreams_) asio::co_spawn(context_, upstreams_->stop(kStopGrace), asio::detached);
    co_await runtime_.projects().stop(kStopGrace);
    if (upstreams_) co_await upstreams_->stop(kStopGrace);
    // Answers given before the end must still reach a client that reads, however slowly. A signal does not
    // wait for that.
    std::size_t left = 0;
    do {
      left = output_->queued_bytes();
      const io::CancelScope scope(interrupted() ? io::Clock::duration(kStopGrace) : kReaderGrace);
      co_await io::wait_until(output_->changed, scope, [this, left] {
        return output_->closed() || (!interrupted() && output_->queued_bytes() < left);
      });
    } while (!interrupted() && !output_->closed() && output_->queued_bytes() < left);
    context_.stop();
  }

  asio::io_context& context_;
  Runtime& runtime_;
  document::Workspace& workspace_;
  upstream::Hub* upstreams_;
  std::vector<std::string> prewarm_files_;
  std::shared_ptr<io::CancelSource> ended_ = std::make_shared<io::CancelSource>();
  std::shared_ptr<asio::posix::stream_descriptor> input_;
  std::shared_ptr<io::OutgoingQueue> output_;
  asio::signal_set signals_;
  rpc::LineCodec codec_;
  std::shared_ptr<mcp::Session> session_;
  Phase phase_ = Phase::Serving;
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
    std::fprintf(stderr,
                 "leanbridge: stdin and stdout must be open. An MCP client starts leanbridge with pipes.\n");
    return 2;
  }
  Server(runtime, in, out).run();
  return 0;
}

}  // namespace leanbridge::app

#include "serve.hpp"

#include "line_client.hpp"
#include "output.hpp"
#include "runtime.hpp"
#include "standard_stream.hpp"
#include <boost/asio/signal_set.hpp>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

namespace leanbridge::app {

namespace {

// Opens /dev/null for a closed descriptor. open() returns the lowest free descriptor, so claim them in
// ascending order.
bool claim(int descriptor) {
  if (::fcntl(descriptor, F_GETFD) >= 0) return true;
  ::open("/dev/null", O_RDWR);
  return false;
}

// The only client of this process, and the signals that end it.
class Server {
 public:
  Server(Runtime& runtime, const StandardStream& in, const StandardStream& out)
      : context_(runtime.context()),
        runtime_(runtime),
        client_(std::make_shared<LineClient>(runtime, in.fd(), out.fd())),
        signals_(context_, SIGINT, SIGTERM, SIGHUP) {
    client_->on_end = [this] { io::spawn(context_, stop()); };
  }

  void run() {
    wait_for_signal();
    io::spawn(context_, runtime_.backend().keep_memory_free(runtime_.options().min_free_mb << 20,
                                                            io::CancelScope(io::kNoDeadline, ended_)));
    client_->start();
    context_.run();
    hold_signals();
  }

 private:
  void wait_for_signal() {
    signals_.async_wait([this](boost::system::error_code error, int signal) {
      if (error) return;
      if (client_->ended()) {  // the second signal: stop at once
        runtime_.projects().kill();
        runtime_.kill_parts();
        context_.stop();
        return;
      }
      wait_for_signal();
      client_->end("signal " + std::to_string(signal), LineClient::End::Interrupted);
    });
  }

  asio::awaitable<void> stop() {
    ended_->cancel();
    io::spawn(context_, runtime_.stop_parts());
    co_await runtime_.projects().stop(kStopGrace);
    co_await client_->finish();
    context_.stop();
  }

  asio::io_context& context_;
  Runtime& runtime_;
  std::shared_ptr<LineClient> client_;
  asio::signal_set signals_;
  std::shared_ptr<io::CancelSource> ended_ = std::make_shared<io::CancelSource>();
};

}  // namespace

StandardDescriptors claim_standard_descriptors() {
  StandardDescriptors were_open;
  were_open.input = claim(STDIN_FILENO);
  were_open.output = claim(STDOUT_FILENO);
  were_open.error = claim(STDERR_FILENO);
  return were_open;
}

void hold_signals() {
  sigset_t held;
  ::sigemptyset(&held);
  ::sigaddset(&held, SIGTERM);
  ::sigaddset(&held, SIGHUP);
  ::pthread_sigmask(SIG_BLOCK, &held, nullptr);
}

int serve(const Options& options, const StandardDescriptors& were_open) {
  Runtime runtime(options);
  if (const auto selected = runtime.select_tools(); !selected) return usage(selected.error());
  runtime.connect();
  const StandardStream in(STDIN_FILENO, O_RDONLY), out(STDOUT_FILENO, O_WRONLY);
  if (!were_open.input || !were_open.output || !in.valid() || !out.valid())
    return usage(Error(ErrorKind::InvalidArgument, "stdin and stdout must be open.",
                       "An MCP client starts leanbridge with pipes."));
  Server(runtime, in, out).run();
  return 0;
}

}  // namespace leanbridge::app

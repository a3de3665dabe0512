#include "serve.hpp"

#include "interrupts.hpp"
#include "line_client.hpp"
#include "output.hpp"
#include "runtime.hpp"
#include "standard_stream.hpp"
#include <fcntl.h>
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
        interrupts_(
            context_, [this](const std::string& why) { client_->end(why, LineClient::End::Interrupted); },
            [this] {
              runtime_.kill();
              context_.stop();
            }) {
    client_->on_end = [this] { interrupts_.drain(stop()); };
  }

  void run() {
    io::spawn(context_, runtime_.backend().keep_memory_free(runtime_.options().min_free_mb << 20,
                                                            io::CancelScope(io::kNoDeadline, ended_)));
    client_->start();
    interrupts_.serve();
  }

 private:
  asio::awaitable<void> stop() {
    ended_->cancel();
    io::spawn(context_, runtime_.stop_parts());
    co_await runtime_.projects().stop(kStopGrace);
    co_await client_->finish();
  }

  asio::io_context& context_;
  Runtime& runtime_;
  std::shared_ptr<LineClient> client_;
  Interrupts interrupts_;
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

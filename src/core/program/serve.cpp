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

asio::awaitable<void> stop_serving(Runtime& runtime, std::shared_ptr<LineClient> client) {
  io::spawn(runtime.context(), runtime.stop_parts());
  co_await runtime.projects().stop(kStopGrace);
  co_await client->finish();
}

}  // namespace

StandardDescriptors claim_standard_descriptors() {
  StandardDescriptors were_open;
  were_open.input = claim(STDIN_FILENO);
  were_open.output = claim(STDOUT_FILENO);
  were_open.error = claim(STDERR_FILENO);
  return were_open;
}

void say_that_it_waits() {
  if (is_terminal(stdin))
    std::fputs("leanbridge: waiting for an MCP client on stdin; Ctrl-D or Ctrl-C ends it.\n", stderr);
}

int serve(const Options& options, const StandardDescriptors& were_open) {
  Runtime runtime(options);
  if (const auto selected = runtime.select_tools(); !selected) return usage(selected.error());
  runtime.connect();
  const StandardStream in(STDIN_FILENO, O_RDONLY), out(STDOUT_FILENO, O_WRONLY);
  if (!were_open.input || !were_open.output || !in.valid() || !out.valid())
    return usage(Error(ErrorKind::InvalidArgument, "stdin and stdout must be open.",
                       "An MCP client starts leanbridge with pipes."));
  const auto ended = std::make_shared<io::CancelSource>();
  const auto client = std::make_shared<LineClient>(runtime, in.fd(), out.fd());
  Interrupts interrupts(
      runtime.context(), [&](const std::string& why) { client->end(why, LineClient::End::Interrupted); },
      [&] { runtime.kill(); });
  client->on_end = [&] {
    ended->cancel();
    interrupts.drain(stop_serving(runtime, client));
  };
  io::spawn(runtime.context(), runtime.backend().keep_memory_free(options.min_free_mb << 20,
                                                                  io::CancelScope(io::kNoDeadline, ended)));
  client->start();
  say_that_it_waits();
  interrupts.serve();
  return 0;
}

}  // namespace leanbridge::app

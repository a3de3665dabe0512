// A server for the official conformance suite: the session of the program with the fixtures that the suite
// calls, on stdin and stdout. No Lean.

#include "leanbridge/base/log.hpp"
#include "leanbridge/io/byte_stream.hpp"
#include "leanbridge/rpc/framing.hpp"

#include "fixtures.hpp"
#include <signal.h>
#include <unistd.h>

#include <cstdio>

int main() {
  using namespace leanbridge;
  ::signal(SIGPIPE, SIG_IGN);
  asio::io_context context{1};
  auto tools = mcp::ToolRegistry::select(conformance::own_tools(), {"proof"}, {});
  if (!tools) {
    std::fprintf(stderr, "%s\n", tools.error().message.c_str());
    return 2;
  }
  conformance::Fixtures fixtures;
  mcp::SessionOptions options;
  options.version = "0";
  options.instructions = "A server for conformance tests.";
  options.prompts = conformance::own_prompts();
  options.resources = conformance::own_resources();
  options.provider = &fixtures;

  auto input = std::make_shared<asio::posix::stream_descriptor>(context, ::dup(STDIN_FILENO));
  auto output =
      std::make_shared<io::OutgoingQueue>(asio::posix::stream_descriptor(context, ::dup(STDOUT_FILENO)));
  auto session = std::make_shared<mcp::Session>(
      context, *tools, std::move(options),
      [output](std::string&& message) { output->send(rpc::LineCodec::encode(std::move(message))); }, [] {});
  fixtures.log = [&](std::string_view level, const std::string& text) { session->log(level, text); };
  fixtures.host = session->host();
  fixtures.changed = [&](mcp::Session::List list) { session->list_changed(list); };

  rpc::LineCodec codec;
  const auto on_bytes = [&](std::string_view bytes) {
    codec.feed(bytes);
    while (auto frame = codec.next())
      if (auto* line = std::get_if<rpc::LineCodec::Line>(&*frame)) session->receive(line->text);
    return true;
  };
  const auto on_end = [&](const std::string&) {
    session->close();
    context.stop();
  };
  asio::co_spawn(context, io::read_to_end(input, on_bytes, on_end), asio::detached);
  context.run();
  return 0;
}

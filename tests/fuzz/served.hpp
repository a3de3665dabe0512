#pragma once
/// What the fuzzers of sessions serve: tools with arguments of every type, one that fails, one that waits.

#include "core/base/log.hpp"
#include "core/mcp/session.hpp"
#include "fuzz.hpp"

#include <optional>

namespace leanbridge::fuzz {

using nlohmann::json;
using Answer = Result<json>;
using CallPtr = std::shared_ptr<mcp::Call>;

// What the tools wait for, made once.
struct Waits {
  io::Condition changed;
  bool ended = false;
};
inline std::shared_ptr<Waits> waits;

enum class Level { Low, High };
inline wire::Names<Level> names_of(Level) {
  return {{Level::Low, "low"}, {Level::High, "high"}};
}

struct Place {
  int line = 0;
  std::optional<int> column;

  static wire::Fields fields() { return wire::fields<&Place::line, &Place::column>(); }
};

// A parameter of every type.
struct Params {
  std::string text;
  int count = 0;
  bool flag = false;
  std::vector<std::string> list;
  std::optional<Level> level;
  std::optional<Place> place;

  static wire::Fields fields() {
    return {wire::field<&Params::text>().with_default(),
            wire::field<&Params::count>().with_default().at_least(-5),
            wire::field<&Params::flag>().with_default(),
            wire::field<&Params::list>().with_default(),
            wire::field<&Params::level>(),
            wire::field<&Params::place>()};
  }
};

inline asio::awaitable<Answer> echo(CallPtr, json arguments) {
  co_return wire::write(wire::read<Params>(arguments));
}

inline asio::awaitable<Answer> refuse(CallPtr, json) {
  throw std::runtime_error("a broken invariant");
  co_return json();
}

inline asio::awaitable<Answer> wait(CallPtr call, json) {
  const auto mine = waits;
  const auto end = co_await io::wait_until(mine->changed, call->scope, [mine] { return mine->ended; });
  if (end == io::WaitStatus::Ready) co_return json::object();
  co_return fail(ErrorKind::Timeout, "too late");
}

inline asio::awaitable<Answer> read_resource(CallPtr, std::string path) {
  if (path.empty()) co_return fail(ErrorKind::FileNotFound, "There is no file without a name.");
  co_return json{{"path", path}};
}

inline asio::awaitable<void> watch_until_end(io::CancelScope scope, std::function<void()> changed) {
  changed();
  const auto mine = waits;
  co_await io::wait_until(mine->changed, scope, [mine] { return mine->ended; });
}

inline mcp::Tool tool(const char* name, asio::awaitable<Answer> (*handler)(CallPtr, json)) {
  mcp::Tool tool;
  tool.name = name;
  tool.group = "proof";
  tool.arguments = Params::fields();
  tool.output = Params::fields();
  tool.handler = handler;
  return tool;
}

inline mcp::ToolRegistry& registry() {
  static mcp::ToolRegistry all =
      mcp::ToolRegistry::select({tool("echo", &echo), tool("throw", &refuse), tool("wait", &wait)}, {"proof"},
                                {})
          .value();
  return all;
}

inline mcp::SessionOptions options() {
  mcp::SessionOptions options;
  options.version = "1";
  options.max_calls = 4;
  options.max_watches = 4;
  mcp::Prompt prompt;
  prompt.name = "prove";
  prompt.arguments = {{"goal", "", true}, {"style", "", false}};
  prompt.text = [](const mcp::Prompt::Values& values) { return values.at("goal"); };
  options.prompts = {prompt};
  const auto watch = [](const std::string&) -> Result<mcp::Watch> { return &watch_until_end; };
  options.resources = {{"lean://all", "all", "", "", &read_resource, watch},
                       {"lean://file/{path}/messages", "messages", "", "", &read_resource, watch}};
  return options;
}

// Bounded, because a chain of handlers that never ends is a defect, too.
inline void settle(asio::io_context& context) {
  constexpr int kMost = 10'000;
  context.restart();
  for (int steps = 0; context.poll_one() > 0; context.restart())
    require(++steps < kMost, "the loop comes to rest");
}

inline bool too_deep(std::string_view line) {
  std::size_t open = 0;
  for (const char c : line) open += c == '[' || c == '{' ? 1 : 0;
  return open > rpc::kMaxNesting;
}

// Each fuzzer is one file, so this is defined once in each.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  log::configure("off", "");
  return 0;
}

}  // namespace leanbridge::fuzz
